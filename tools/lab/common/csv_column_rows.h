/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All tables of a run and their columns, in their order. This file is included where these
 * are defined: TABLE(ID, file, who writes it), and for each of its columns COLUMN(ID, name,
 * unit, meaning), or OPTIONAL if some tables of the kind have none.
 *
 * scripts/pages.sh makes the list in Documentation/reference/result-files.md of those of result
 * files.
 * Times count from the start of the traffic; labinit's by the sampler's clock.
 */

/* Of the traffic generator, which says what is in them. */
TABLE(RAW_FLOWS, "flowgen/flows.csv", TABLE_FLOWGEN)
TABLE(RAW_SERIES, "flowgen/series.csv", TABLE_FLOWGEN)

/* labinit's. */
TABLE(RAW_CC, "cc.csv", TABLE_RAW)
COLUMN(RAW_CC, "t_ns", "ns", "time of the sample")
COLUMN(RAW_CC, "flow", "", "number of the flow")
COLUMN(RAW_CC, "cc_rate_bps", "bit/s", "as in rates.csv, so the next two")
COLUMN(RAW_CC, "cwnd_bytes", "bytes", "")
COLUMN(RAW_CC, "inflight_bytes", "bytes", "")
COLUMN(RAW_CC, "acked_bytes", "bytes", "acknowledged so far, wire bytes")
COLUMN(RAW_CC, "tx_packets", "", "data packets sent")
COLUMN(RAW_CC, "tx_bytes", "bytes", "their wire bytes")

TABLE(RAW_STATE, "state.csv", TABLE_RAW)
COLUMN(RAW_STATE, "t_ns", "ns", "time of the sample")
COLUMN(RAW_STATE, "flow", "", "number of the flow")
COLUMN(RAW_STATE, "sends", "", "1: of the end that sends the data")
COLUMN(RAW_STATE, "vars", "", "name=value;name=value of what has changed")

TABLE(RAW_PORTS, "ports.csv", TABLE_RAW)
COLUMN(RAW_PORTS, "t_ns", "ns", "time of the sample")
COLUMN(RAW_PORTS, "port", "", "name of the port; those of one sample follow each other")
COLUMN(RAW_PORTS, "busy_ns", "ns", "how long it has been sending")
COLUMN(RAW_PORTS, "bytes", "bytes", "its queue, all priorities")

TABLE(RAW_TYPES, "types.csv", TABLE_RAW)
COLUMN(RAW_TYPES, "t_ns", "ns", "time of the sample")
COLUMN(RAW_TYPES, "flow", "", "number of the flow")
COLUMN(RAW_TYPES, "type", "", "what one of its ends says that is new")

TABLE(RAW_COUNTS, "counts.csv", TABLE_RAW)
COLUMN(RAW_COUNTS, "t_ns", "ns", "time of the sample")
COLUMN(RAW_COUNTS, "dev", "", "device whose counts have changed")
COLUMN(RAW_COUNTS, "msgs", "", "messages that it counts")
COLUMN(RAW_COUNTS, "senders", "", "senders that it counts")

/* Result files. */
TABLE(FLOWS, "flows.csv", TABLE_RESULT)
COLUMN(FLOWS, "id", "", "number of the flow")
COLUMN(FLOWS, "src", "", "host that sends the data, for READs too")
COLUMN(FLOWS, "dst", "", "host that receives it")
COLUMN(FLOWS, "qpn", "", "queue pair of the host that sends the data")
COLUMN(FLOWS, "bytes", "bytes", "size of the flow, payload")
COLUMN(FLOWS, "start_ns", "ns", "start of the flow; of one that waits for others when it really started")
COLUMN(FLOWS, "fct_ns", "ns", "completion time; empty if it did not complete")
COLUMN(FLOWS, "ideal_fct_ns", "ns", "completion time alone on an idle path")
COLUMN(FLOWS, "slowdown", "", "`fct_ns` over `ideal_fct_ns`")
OPTIONAL(FLOWS, "group", "", "part of the flows, such as `workload` or `incast`; only with a workload, incasts or a `flows_file`, or where flows wait for others")

TABLE(STEPS, "steps.csv", TABLE_RESULT)
COLUMN(STEPS, "job", "", "number of the job; only with `workload=collective`")
COLUMN(STEPS, "round", "", "from 0 on")
COLUMN(STEPS, "step", "", "from 0 on in each round")
COLUMN(STEPS, "rank", "", "that sends")
COLUMN(STEPS, "to", "", "rank that it sends to")
COLUMN(STEPS, "flow", "", "number of the flow")
COLUMN(STEPS, "start_ns", "ns", "when the rank began to send")
COLUMN(STEPS, "end_ns", "ns", "when all was acknowledged; empty if it never was")
COLUMN(STEPS, "on_path", "", "1: the job ended when it did because of this flow")

TABLE(RATES, "rates.csv", TABLE_RESULT)
COLUMN(RATES, "t_ns", "ns", "time of the sample")
COLUMN(RATES, "flow", "", "number of an active flow")
OPTIONAL(RATES, "goodput_bps", "bit/s", "payload since the flow's last row, or its start")
COLUMN(RATES, "cc_rate_bps", "bit/s", "rate that the algorithm has set, wire bytes")
COLUMN(RATES, "cwnd_bytes", "bytes", "the smaller of the algorithm's window and what a switch has told")
COLUMN(RATES, "inflight_bytes", "bytes", "sent and not acknowledged")

TABLE(STATE, "state.csv", TABLE_RESULT)
COLUMN(STATE, "t_ns", "ns", "time of the sample")
COLUMN(STATE, "flow", "", "number of the flow")
COLUMN(STATE, "name", "", "variable of the algorithm as `rxecc qp show` names it; `rx_` before those at the end that receives the data")
COLUMN(STATE, "value", "of its name", "its new value (`_q24`: 1 is 2^24)")

TABLE(QUEUES, "queues.csv", TABLE_RAW | TABLE_RESULT)
COLUMN(QUEUES, "t_ns", "ns", "time of the sample")
COLUMN(QUEUES, "port", "", "name of the port")
COLUMN(QUEUES, "prio", "", "priority, 0 to 7")
COLUMN(QUEUES, "bytes", "bytes", "wire bytes that wait")
COLUMN(QUEUES, "paused", "", "1: its peer has paused it")

TABLE(PAUSES, "pauses.csv", TABLE_RAW | TABLE_RESULT)
COLUMN(PAUSES, "t_ns", "ns", "time of the sample")
COLUMN(PAUSES, "port", "", "name of the port")
COLUMN(PAUSES, "prio", "", "priority, 0 to 7")
COLUMN(PAUSES, "pause_ns", "ns", "how long it has been paused since the start")

TABLE(PROGRAM_QPS, "program_qps.csv", TABLE_RAW | TABLE_RESULT)
COLUMN(PROGRAM_QPS, "t_ns", "ns", "time of the sample")
COLUMN(PROGRAM_QPS, "device", "", "RDMA device, `rxe_` and the host")
COLUMN(PROGRAM_QPS, "qpn", "", "number of a queue pair that has sent data; not those of flows")
COLUMN(PROGRAM_QPS, "cc_rate_bps", "bit/s", "as in rates.csv, so the next two")
COLUMN(PROGRAM_QPS, "cwnd_bytes", "bytes", "")
COLUMN(PROGRAM_QPS, "inflight_bytes", "bytes", "")
COLUMN(PROGRAM_QPS, "acked_bytes", "bytes", "acknowledged so far, wire bytes")
COLUMN(PROGRAM_QPS, "tx_packets", "", "data packets sent")
COLUMN(PROGRAM_QPS, "tx_bytes", "bytes", "their wire bytes")
COLUMN(PROGRAM_QPS, "state", "", "`name=value;name=value`: the algorithm's variables, named as in state.csv")

TABLE(LATENCY, "latency.csv", TABLE_RESULT)
COLUMN(LATENCY, "program", "", "number of a program of perftest that measures latency")
COLUMN(LATENCY, "message", "", "number of the message; only with perftest's option `-U`")
COLUMN(LATENCY, "ns", "ns", "its latency as perftest tells it: half a round trip, or a whole one of READs and atomics")

TABLE(TIMELINE, "timeline.csv", TABLE_RAW | TABLE_RESULT)
COLUMN(TIMELINE, "t_ns", "ns", "end of an interval; there are rows only where the run has a timeline")
COLUMN(TIMELINE, "to_hosts_bps", "bit/s", "wire bytes that switches sent to hosts in it and no link lost")
COLUMN(TIMELINE, "lost", "", "packets that links lost in it")
COLUMN(TIMELINE, "drops", "", "packets dropped in it")

TABLE(MERCURY, "mercury.csv", TABLE_RAW | TABLE_RESULT)
COLUMN(MERCURY, "t_ns", "ns", "time of the sample")
COLUMN(MERCURY, "port", "", "name of the port")
COLUMN(MERCURY, "prio", "", "priority, 0 to 7")
COLUMN(MERCURY, "state", "", "`determined`, `undetermined`, or `paused` (Undetermined too)")

TABLE(LSCC, "lscc.csv", TABLE_RAW | TABLE_RESULT)
COLUMN(LSCC, "t_ns", "ns", "time of the sample")
COLUMN(LSCC, "port", "", "name of the port")
COLUMN(LSCC, "queue_bytes", "bytes", "what came by the link and is in the switch (Q)")
COLUMN(LSCC, "out_bps", "bit/s", "at which such bytes left in the last period (BR)")
COLUMN(LSCC, "rate_bps", "bit/s", "what the other end was told last (R)")
COLUMN(LSCC, "limit_bps", "bit/s", "what the other end has told; 0: nothing that is in force")
COLUMN(LSCC, "pseudo_bytes", "bytes", "the pseudo queue")

TABLE(TYPES, "types.csv", TABLE_RESULT)
COLUMN(TYPES, "t_ns", "ns", "time of the sample; flow after flow")
COLUMN(TYPES, "flow", "", "number of the flow")
COLUMN(TYPES, "detected", "", "what its ends take congestion for: `none`, `last_hop` or `network`")
COLUMN(TYPES, "truth", "", "what it is")

TABLE(COUNTS, "counts.csv", TABLE_RESULT)
COLUMN(COUNTS, "t_ns", "ns", "time of the sample")
COLUMN(COUNTS, "host", "", "name of the host")
COLUMN(COUNTS, "messages", "", "messages that its algorithm counts")
COLUMN(COUNTS, "true_messages", "", "messages that there are")
COLUMN(COUNTS, "senders", "", "senders that its algorithm counts")
COLUMN(COUNTS, "true_senders", "", "senders that there are; empty with more than 2048 nodes")

TABLE(FCT_SIZE, "fct_size.csv", TABLE_RESULT)
COLUMN(FCT_SIZE, "binning", "", "`count` or `decade`")
COLUMN(FCT_SIZE, "bin", "", "number of the bin")
COLUMN(FCT_SIZE, "from_bytes", "bytes", "smallest size of the bin")
COLUMN(FCT_SIZE, "to_bytes", "bytes", "largest size of the bin")
COLUMN(FCT_SIZE, "group", "", "`all`, or a part of the flows")
COLUMN(FCT_SIZE, "flows", "", "measured flows in the bin")
COLUMN(FCT_SIZE, "p50", "", "of their slowdowns, as are the next ones")
COLUMN(FCT_SIZE, "p95", "", "")
COLUMN(FCT_SIZE, "p99", "", "")
COLUMN(FCT_SIZE, "mean", "", "")
COLUMN(FCT_SIZE, "max", "", "")

TABLE(FCT_CDF, "fct_cdf.csv", TABLE_RESULT)
COLUMN(FCT_CDF, "group", "", "`all`, or a part of the flows")
COLUMN(FCT_CDF, "fct_ns", "ns", "completion time")
COLUMN(FCT_CDF, "cum", "", "share of the flows that need no more")

TABLE(SLOWDOWN_CDF, "slowdown_cdf.csv", TABLE_RESULT)
COLUMN(SLOWDOWN_CDF, "group", "", "`all`, or a part of the flows")
COLUMN(SLOWDOWN_CDF, "slowdown", "", "completion time over the ideal one")
COLUMN(SLOWDOWN_CDF, "cum", "", "share of the flows that need no more")

TABLE(QUEUE_CDF, "queue_cdf.csv", TABLE_RESULT)
COLUMN(QUEUE_CDF, "tier", "", "name of the tier")
COLUMN(QUEUE_CDF, "bytes", "bytes", "length of a queue, wire bytes")
COLUMN(QUEUE_CDF, "cum", "", "share of the reads that found no more")

#undef TABLE
#undef COLUMN
#undef OPTIONAL
