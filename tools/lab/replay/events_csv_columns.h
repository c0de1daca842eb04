/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All columns of events.csv in their order. This file is included where X is defined:
 * X(ID, name, unit, events that have it, meaning, fields by kinds of events); events_csv.h says what
 * a field is. "lab replay --columns" prints this. A file has the first three, and any of the
 * others.
 */

X(T, "t_ns", "ns", "all", "time; 0 is the start of the traffic, as in the other tables. Never goes back in a file", { ALL, HOW_TIME, AT(t_ns) })
X(FLOW, "flow", "name", "all", "letters, digits, _.:-. In recordings 3 is the queue pair that sends flow 3, 3r its receiver, p0 and p0r a latency probe's, DEV.QPN any other", { ALL, HOW_FLOW })
X(EVENT, "event", "word", "all", "what happened, or \"decision\"", WORD(ALL, kind, kinds))
/* inputs */
X(SEQ, "seq", "", "inputs", "number of the packet acknowledged, sent or received. Numbers start at the first PSN and never wrap. psn in its place is the same as a PSN: it wraps after 2^24 and is extended, for each flow, when it is read.", BITS(SAMPLES, sample.seq, 64))
X(NEXT_SEQ, "next_seq", "", "inputs, cmd", "number of the next packet to be sent for the first time; next_psn in its place as psn", BITS(SAMPLES, sample.next_seq, 64), BITS(OF(CMD), cmd.next_seq, 64))
X(BYTES, "bytes", "wire bytes", "inputs", "newly acknowledged (ack), sent, received", BITS(SAMPLES, sample.bytes, 64))
X(INFLIGHT, "inflight_bytes", "wire bytes", "inputs, cmd", "sent and not acknowledged", BITS(SAMPLES, sample.inflight_bytes, 64), BITS(OF(CMD), cmd.inflight_bytes, 64))
X(RTT, "rtt_ns", "ns", "ack", "round trip that this ACK measured; empty: none", NUMBER(SAMPLES, sample.rtt_ns))
X(HOPS, "hops", "", "ack, data", "telemetry that came back, or that came with the data packet, nearest hop first: node:ts_ns:tx_bytes:qlen_bytes:rate_bps, hops separated by a bar. A sixth number may follow, :port, the egress port of the node; without it the port is 0", { SAMPLES, HOW_HOPS, AT(sample.nr_hops) })
X(CNP_WINDOW, "cnp_window_bytes", "wire bytes", "cnp", "window in the CNP", BITS(SAMPLES, sample.cnp_window_bytes, 64))
X(CE, "ce", "0, 1", "sent, data", "Congestion Experienced", FLAG(SAMPLES, CE))
X(START, "start", "0, 1", "sent, data", "first packet of a message", FLAG(SAMPLES, START))
X(END, "end", "0, 1", "sent, data", "last packet of a message", FLAG(SAMPLES, END))
X(RETRANSMIT, "retransmit", "0, 1", "sent, data", "sent before", FLAG(SAMPLES, RETRANSMIT))
X(LOSS, "loss", "word", "loss", "nak, timeout, rnr", WORD(OF(LOSS), sample.loss, losses))
/* decisions */
X(CAUSE, "cause", "word", "decision", "event that it follows", WORD(OF(DECISION), cause, kinds))
X(RATE, "rate_bps", "bit/s", "decision, init", "rate, as the core enforces it; of init the rate to start with (empty: line rate), never recorded", BITS(OF(DECISION), decision.rate_bps, 64), { OF(INIT), HOW_READ, AT(env.rate_bps), UINT64_MAX, DEF(rate_bps) })
X(CWND, "cwnd_bytes", "wire bytes", "decision, init", "window; empty: none; of init the window to start with, never recorded", { OF(DECISION), HOW_WINDOW, AT(decision.cwnd_bytes), UINT64_MAX }, { OF(INIT), HOW_READ, AT(env.cwnd_bytes), UINT64_MAX, DEF(cwnd_bytes) })
X(TIMER, "timer_ns", "ns", "decision", "when the timer is due, on the clock of t_ns; empty: off", { OF(DECISION), HOW_TIME, AT(decision.timer_ns) })
X(CNP, "cnp", "0, 1", "decision", "the receiver notifies the sender", FLAG(OF(DECISION), CNP))
/* port and path */
X(LINE_RATE, "line_rate_bps", "bit/s", "init, change, env, cmd", "speed of the port", { ENVS, HOW_NUMBER, AT(env.line_rate_bps), UINT64_MAX, DEF(line_rate_bps) }, { OTHER_CMDS, HOW_NUMBER, AT(cmd.line_rate_bps), UINT64_MAX, DEF(line_rate_bps) })
X(MIN_RATE, "min_rate_bps", "bit/s", "init, change, env", "floor", { ENVS, HOW_ALWAYS, AT(env.min_rate_bps), UINT64_MAX, DEF(min_rate_bps) })
X(BASE_RTT, "base_rtt_ns", "ns", "init, change, env", "given round-trip time of the idle path; empty: the smallest measured", { ENVS, HOW_ALWAYS, AT(env.base_rtt_ns), INT64_MAX, DEF(base_rtt_ns) })
X(PKT, "pkt_bytes", "wire bytes", "init, change, env", "a full packet", { ENVS, HOW_ALWAYS, AT(env.pkt_bytes), 1 << 17, DEF(pkt_bytes) })
X(PORT, "port", "name", "init, cmd", "flows of one port share the algorithm's state of the port; empty: a port of its own", { ENVS | OTHER_CMDS, HOW_PORT })
X(PARTIAL, "partial", "0, 1, 2", "ack", "a switch reports on a packet: 1, it waits there, and hops end with its port; 2, direct INT", { SAMPLES, HOW_PARTIAL })
/* what a receiver tells the sender: decision of its own, input there */
X(REPORT, "report", "0, 1", "decision", "the receiver sends its values in a report at once", FLAG(OF(DECISION), REPORT))
X(ALWAYS, "report_always", "0, 1", "decision", "... and with every ACK", FLAG(OF(DECISION), ALWAYS))
X(TOLD, "told", "", "ack, decision", "up to four values with bars between: what the receiver's algorithm told; what this one tells its sender", { SAMPLES, HOW_VALUES, AT(sample.fb), NR(sample.nr_fb) }, { OF(DECISION), HOW_VALUES, AT(decision.fb), NR(decision.nr_fb) })
/* of a packet received */
X(KIND, "kind", "word", "data", "send, write, read_request, read_response, atomic, other", WORD(OF(DATA), sample.data_kind, data_kinds))
X(MSG, "msg_bytes", "bytes", "data", "payload of the packet's message, where that is known", BITS(OF(DATA), sample.msg_bytes, 32))
X(LATE, "late_ns", "ns", "data", "how long before t_ns the packet came in", NUMBER(OF(DATA), sample.late_ns))
/* of the path: of a flow that goes on nothing stands for what it has */
X(PEER, "peer", "number", "init, change, env, cmd", "flows of one port and peer share the algorithm's state of the peer", BITS(OF(INIT), env.peer, 32), BITS(OTHER_CMDS, cmd.peer, 32), { OF(CHANGE) | OF(ENV), HOW_ALWAYS, AT(env.peer), UINT32_MAX })
/* times and lengths of a path; who made a CNP */
X(TURNAROUND, "turnaround_ns", "ns", "ack", "the receiver's time, which was subtracted from rtt_ns", NUMBER(SAMPLES, sample.turnaround_ns))
X(OWD, "owd_ns", "ns", "ack, data", "one-way delay; empty: not known", NUMBER(SAMPLES, sample.owd_ns))
X(OWD_OVER, "owd_over_ns", "ns", "ack, data", "... above the smallest; empty: none was measured, 0 is a value", { SAMPLES, HOW_MEASURED, AT(sample.owd_over_ns), INT64_MAX, RXE_CC_EVT_F_OWD })
X(PATH_HOPS, "path_hops", "", "ack, data", "ports on the path; empty: not known", BITS(SAMPLES, sample.path_hops, 8))
X(CNP_ORIGIN, "cnp_origin", "word", "cnp", "receiver, mercury, lscc", WORD(OF(CNP), sample.cnp_origin, cnp_origins))
/* port and path, too */
X(RTT_WINDOW, "rtt_window_ns", "ns", "init, change, env", "for how long the smallest times count; empty: as before, or 10 s", NUMBER(OF(INIT), env.rtt_window_ns), { OF(CHANGE) | OF(ENV), HOW_ALWAYS, AT(env.rtt_window_ns), INT64_MAX })
X(CLOCK_COMMON, "clock_common", "0, 1", "init, change, env", "clocks are common", FLAG(ENVS, CLOCK))
/* decisions, too */
X(WANTS, "wants", "bits", "decision", "RXE_CC_WANT_*", BITS(OF(DECISION), decision.wants, 16))
X(DEAF, "deaf", "bits", "decision", "values of the receiver that the flow ignores (fb_ignore)", BITS(OF(DECISION), decision.fb_ignore, 8))
X(CNP_GAP, "cnp_gap_ns", "ns", "decision", "least time between two believed CNPs that name no packet", BITS(OF(DECISION), decision.cnp_gap_ns, 64))
X(CAP_LIFT, "cap_lift", "0, 1", "decision", "ends the window that a switch has set", FLAG(OF(DECISION), LIFT))
/* commands to the algorithm */
X(SCOPE, "scope", "word", "cmd", "what the command is about: qp (also when empty), peer, port", WORD(CMDS, cmd.scope, scopes))
X(CMD, "cmd", "name", "cmd", "command", { CMDS, HOW_TEXT, AT(cmd.name) })
X(ARGS, "args", "", "cmd", "its arguments: name=value, plain numbers in base units, with bars between. A recording has all of them, also those that had their default", { CMDS, HOW_NAMED, AT(cmd.arg), NR(cmd.nr_args) })
X(ERR, "err", "errno", "cmd", "why the algorithm has refused it; empty: taken", BITS(CMDS, cmd.err, 31))
X(ANSWER, "answer", "", "cmd", "what it answered, as args; empty when refused", { CMDS, HOW_NAMED, AT(cmd.answer), NR(cmd.nr_answers) })
/* what is received at the port */
X(RX_MSGS, "rx_msgs", "", "data, fill, shared", "messages in flight at the port that count under the limit of a host", BITS(RECEIVED, sample.rx.msgs, 32))
X(RX_MSGS_ALL, "rx_msgs_all", "", "data, fill, shared", "messages in flight at the port, without that limit", BITS(RECEIVED, sample.rx.msgs_all, 32))
X(RX_SENDERS, "rx_senders", "", "data, fill, shared", "hosts that send", BITS(RECEIVED, sample.rx.senders, 32))
X(RX_PEER_MSGS, "rx_peer_msgs", "", "data, fill, shared", "messages in flight of the flow's peer", BITS(RECEIVED, sample.rx.peer_msgs, 32))
X(RX_PEER_COUNTED, "rx_peer_counted", "", "data, fill, shared", "those that count", BITS(RECEIVED, sample.rx.peer_counted, 32))
X(RX_ROUND_BYTES, "rx_round_bytes", "wire bytes", "data, fill, shared", "received at the port in the last round", BITS(RECEIVED, sample.rx.round_bytes, 64))
X(RX_ROUND, "rx_round_ns", "ns", "data, fill, shared", "how long that is", NUMBER(RECEIVED, sample.rx.round_ns))
X(RX_BASE_RTT, "rx_base_rtt_ns", "ns", "data, fill, shared", "the port's smallest round-trip time", NUMBER(RECEIVED, sample.rx.base_rtt_ns))
X(RX_MIN_OWD, "rx_min_owd_ns", "ns", "data, fill, shared", "the port's smallest one-way delay", NUMBER(RECEIVED, sample.rx.min_owd_ns))
X(RX_PARTS, "rx_parts_q16", "2^-16", "data, fill, shared", "into how many parts the port is shared among messages; empty in recordings of earlier versions", BITS(RECEIVED, sample.rx.parts_q16, 64))
X(RX_HOSTS, "rx_hosts_q16", "2^-16", "data, fill, shared", "the same among hosts", BITS(RECEIVED, sample.rx.hosts_q16, 64))
/* port and path, too */
X(PEER_OBEYS, "peer_obeys", "0, 1", "init, change, env", "as sender the peer follows the values of its receivers", FLAG(ENVS, OBEYS))
/* of a path, too */
X(MIN_RTT, "min_rtt_ns", "ns", "ack", "smallest round trip on the idle path, as known at this event; empty: replay computes it from the round trips", NUMBER(SAMPLES, sample.min_rtt_ns))
/* In the place of "told", in recordings before November 2026. Not written. */
X(WINDOW, "window_bytes", "wire bytes", "ack, decision", "the first value of told, in recordings made before November 2026", { SAMPLES, HOW_OLD_VALUE, AT(sample.fb[0]), UINT64_MAX, NR(sample.nr_fb) }, { OF(DECISION), HOW_OLD_VALUE, AT(decision.fb[0]), UINT64_MAX, NR(decision.nr_fb) })
X(SENDERS, "senders", "", "ack, decision", "the second one", { SAMPLES, HOW_OLD_VALUE, AT(sample.fb[1]), UINT32_MAX, NR(sample.nr_fb) }, { OF(DECISION), HOW_OLD_VALUE, AT(decision.fb[1]), UINT32_MAX, NR(decision.nr_fb) })
