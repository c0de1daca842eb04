/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All columns of events.csv in their order. This file is included where X is defined:
 * X(ID, name, fields by kinds of events); events.h says what a field is. A file has the first
 * three, and any of the others.
 */

X(T, "t_ns", { ALL, HOW_TIME, AT(t_ns) })
X(FLOW, "flow", { ALL, HOW_FLOW })
X(EVENT, "event", WORD(ALL, kind, kinds))
/* inputs */
X(SEQ, "seq", BITS(SAMPLES, sample.seq, 64))
X(NEXT_SEQ, "next_seq", BITS(SAMPLES, sample.next_seq, 64), BITS(OF(CMD), cmd.next_seq, 64))
X(BYTES, "bytes", BITS(SAMPLES, sample.bytes, 64))
X(INFLIGHT, "inflight_bytes", BITS(SAMPLES, sample.inflight_bytes, 64), BITS(OF(CMD), cmd.inflight_bytes, 64))
X(RTT, "rtt_ns", NUMBER(SAMPLES, sample.rtt_ns))
X(HOPS, "hops", { SAMPLES, HOW_HOPS, AT(sample.nr_hops) })
X(CNP_WINDOW, "cnp_window_bytes", BITS(SAMPLES, sample.cnp_window_bytes, 64))
X(CE, "ce", FLAG(SAMPLES, CE))
X(START, "start", FLAG(SAMPLES, START))
X(END, "end", FLAG(SAMPLES, END))
X(RETRANSMIT, "retransmit", FLAG(SAMPLES, RETRANSMIT))
X(LOSS, "loss", WORD(OF(LOSS), sample.loss, losses))
/* decisions */
X(CAUSE, "cause", WORD(OF(DECISION), cause, kinds))
X(RATE, "rate_bps", BITS(OF(DECISION), decision.rate_bps, 64), { OF(INIT), HOW_READ, AT(env.rate_bps), UINT64_MAX, DEF(rate_bps) })
X(CWND, "cwnd_bytes", { OF(DECISION), HOW_WINDOW, AT(decision.cwnd_bytes), UINT64_MAX }, { OF(INIT), HOW_READ, AT(env.cwnd_bytes), UINT64_MAX, DEF(cwnd_bytes) })
X(TIMER, "timer_ns", { OF(DECISION), HOW_TIME, AT(decision.timer_ns) })
X(CNP, "cnp", FLAG(OF(DECISION), CNP))
/* port and path */
X(LINE_RATE, "line_rate_bps", { ENVS, HOW_NUMBER, AT(env.line_rate_bps), UINT64_MAX, DEF(line_rate_bps) }, { OTHER_CMDS, HOW_NUMBER, AT(cmd.line_rate_bps), UINT64_MAX, DEF(line_rate_bps) })
X(MIN_RATE, "min_rate_bps", { ENVS, HOW_ALWAYS, AT(env.min_rate_bps), UINT64_MAX, DEF(min_rate_bps) })
X(BASE_RTT, "base_rtt_ns", { ENVS, HOW_ALWAYS, AT(env.base_rtt_ns), INT64_MAX, DEF(base_rtt_ns) })
X(PKT, "pkt_bytes", { ENVS, HOW_ALWAYS, AT(env.pkt_bytes), 1 << 17, DEF(pkt_bytes) })
X(PORT, "port", { ENVS | OTHER_CMDS, HOW_PORT })
X(PARTIAL, "partial", { SAMPLES, HOW_PARTIAL })
/* what a receiver tells the sender: decision of its own, input there */
X(REPORT, "report", FLAG(OF(DECISION), REPORT))
X(ALWAYS, "report_always", FLAG(OF(DECISION), ALWAYS))
X(TOLD, "told", { SAMPLES, HOW_VALUES, AT(sample.fb), NR(sample.nr_fb) }, { OF(DECISION), HOW_VALUES, AT(decision.fb), NR(decision.nr_fb) })
/* of a packet received */
X(KIND, "kind", WORD(OF(DATA), sample.data_kind, data_kinds))
X(MSG, "msg_bytes", BITS(OF(DATA), sample.msg_bytes, 32))
X(LATE, "late_ns", NUMBER(OF(DATA), sample.late_ns))
/* of the path: of a flow that goes on nothing stands for what it has */
X(PEER, "peer", BITS(OF(INIT), env.peer, 32), BITS(OTHER_CMDS, cmd.peer, 32), { OF(CHANGE) | OF(ENV), HOW_ALWAYS, AT(env.peer), UINT32_MAX })
/* times and lengths of a path; who made a CNP */
X(TURNAROUND, "turnaround_ns", NUMBER(SAMPLES, sample.turnaround_ns))
X(OWD, "owd_ns", NUMBER(SAMPLES, sample.owd_ns))
X(OWD_OVER, "owd_over_ns", { SAMPLES, HOW_MEASURED, AT(sample.owd_over_ns), INT64_MAX, RXE_CC_EVT_F_OWD })
X(PATH_HOPS, "path_hops", BITS(SAMPLES, sample.path_hops, 8))
X(CNP_ORIGIN, "cnp_origin", WORD(OF(CNP), sample.cnp_origin, cnp_origins))
/* port and path, too */
X(RTT_WINDOW, "rtt_window_ns", NUMBER(OF(INIT), env.rtt_window_ns), { OF(CHANGE) | OF(ENV), HOW_ALWAYS, AT(env.rtt_window_ns), INT64_MAX })
X(CLOCK_COMMON, "clock_common", FLAG(ENVS, CLOCK))
/* decisions, too */
X(WANTS, "wants", BITS(OF(DECISION), decision.wants, 16))
X(DEAF, "deaf", BITS(OF(DECISION), decision.fb_ignore, 8))
X(CNP_GAP, "cnp_gap_ns", BITS(OF(DECISION), decision.cnp_gap_ns, 64))
X(CAP_LIFT, "cap_lift", FLAG(OF(DECISION), LIFT))
/* commands to the algorithm */
X(SCOPE, "scope", WORD(CMDS, cmd.scope, scopes))
X(CMD, "cmd", { CMDS, HOW_TEXT, AT(cmd.name) })
X(ARGS, "args", { CMDS, HOW_NAMED, AT(cmd.arg), NR(cmd.nr_args) })
X(ERR, "err", BITS(CMDS, cmd.err, 31))
X(ANSWER, "answer", { CMDS, HOW_NAMED, AT(cmd.answer), NR(cmd.nr_answers) })
/* what is received at the port */
X(RX_MSGS, "rx_msgs", BITS(RECEIVED, sample.rx.msgs, 32))
X(RX_MSGS_ALL, "rx_msgs_all", BITS(RECEIVED, sample.rx.msgs_all, 32))
X(RX_SENDERS, "rx_senders", BITS(RECEIVED, sample.rx.senders, 32))
X(RX_PEER_MSGS, "rx_peer_msgs", BITS(RECEIVED, sample.rx.peer_msgs, 32))
X(RX_PEER_COUNTED, "rx_peer_counted", BITS(RECEIVED, sample.rx.peer_counted, 32))
X(RX_ROUND_BYTES, "rx_round_bytes", BITS(RECEIVED, sample.rx.round_bytes, 64))
X(RX_ROUND, "rx_round_ns", NUMBER(RECEIVED, sample.rx.round_ns))
X(RX_BASE_RTT, "rx_base_rtt_ns", NUMBER(RECEIVED, sample.rx.base_rtt_ns))
X(RX_MIN_OWD, "rx_min_owd_ns", NUMBER(RECEIVED, sample.rx.min_owd_ns))
X(RX_PARTS, "rx_parts_q16", BITS(RECEIVED, sample.rx.parts_q16, 64))
X(RX_HOSTS, "rx_hosts_q16", BITS(RECEIVED, sample.rx.hosts_q16, 64))
/* port and path, too */
X(PEER_OBEYS, "peer_obeys", FLAG(ENVS, OBEYS))
/* of a path, too */
X(MIN_RTT, "min_rtt_ns", NUMBER(SAMPLES, sample.min_rtt_ns))
/* In the place of "told", in recordings before November 2026. Not written. */
X(WINDOW, "window_bytes", { SAMPLES, HOW_OLD_VALUE, AT(sample.fb[0]), UINT64_MAX, NR(sample.nr_fb) }, { OF(DECISION), HOW_OLD_VALUE, AT(decision.fb[0]), UINT64_MAX, NR(decision.nr_fb) })
X(SENDERS, "senders", { SAMPLES, HOW_OLD_VALUE, AT(sample.fb[1]), UINT32_MAX, NR(sample.nr_fb) }, { OF(DECISION), HOW_OLD_VALUE, AT(decision.fb[1]), UINT32_MAX, NR(decision.nr_fb) })
