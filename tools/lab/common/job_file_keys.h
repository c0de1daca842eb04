/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All keys of a job, which the host side writes and labinit reads (job_file.h). This file is
 * included where K is defined: K(CONSTANT, object that the key is in, key, kind), and behind
 * that for OBJ and LIST which object it holds. The comments say what a value means, and its unit.
 *
 * Behind an option of the "roce" qdisc is OPT(its attribute TCA_ROCE_...), which has a row of the
 * qdisc's (roce_row_macros.h), and where a key of the scenario is all that there is to it, KEY(group,
 * key): the value of that key, unless it is "auto", for ports that port_keys() gives the group.
 * Such an option is one row here.
 *
 * Jobs of mode "exec" are written by scripts/uml-exec.sh, by jq. PLAN, FLOW and PINGPONG are read
 * by flowgen, as in any of its plans.
 */

/* For all modes. */
K(J_MODE, TOP, "mode", STR)				/* run, check, shell, replay, exec, copies */
K(J_OUT, TOP, "out", STR)				/* directory for all that labinit writes */
K(J_MODULES, TOP, "modules", STRS)			/* to load at first: path, then parameters */
K(J_MODULE_DIR, TOP, "module_dir", STR)			/* where the kernel's requests find modules */
K(J_MODPROBE, TOP, "modprobe", STR)			/* program for all other modules; without it there are none */
K(J_ENV, TOP, "env", MAP)				/* environment of the programs */

/* Mode exec; and copies, before the first one is made. */
K(J_ARGV, TOP, "argv", STRS)				/* program and arguments */
K(J_CWD, TOP, "cwd", STR)				/* its directory; of modes shell and run, too */
K(J_TIMEOUT, TOP, "timeout_s", INT)			/* s after which it is killed */
K(J_RDMA_EXCLUSIVE, TOP, "rdma_exclusive", BOOL)	/* devices stay in the initial namespace */

/* Mode shell. */
K(J_SCRIPT, TOP, "script", STR)				/* file that bash reads; without it there is a prompt */

/* Mode replay. */
K(J_ALGO, TOP, "algo", STR)				/* algorithm to replay */
K(J_PRESET, TOP, "preset", STR)				/* its preset */
K(J_LATE, TOP, "late_ns", INT)				/* ns by which timers were late when it was recorded */
K(J_FILE_PARAMS, TOP, "file_params", MAP)		/* parameters by the file, in base units */
K(J_PARAMS, TOP, "params", MAP)				/* parameters as the user wrote them */
K(J_IN, TOP, "in", STR)					/* file of records to replay */

/* Modes run, check and shell; and copies, of jobs that have the same network. */
K(J_NODES, TOP, "nodes", LIST, .of = JOB_NODE)		/* hosts and switches */
K(J_LINKS, TOP, "links", LIST, .of = JOB_LINK)		/* links with the ports at their ends */
K(J_PARTS, TOP, "parts", INT)				/* kernels that share the nodes; without it this one has all */
K(J_PEERS, TOP, "peers", PAIRS)				/* hosts that know each other's address */
K(J_NETDEV_MTU, TOP, "netdev_mtu", INT)			/* bytes, of every port */
K(J_HASH_SEED, TOP, "hash_seed", INT)			/* of routers that choose among equal paths */
K(J_CC, TOP, "cc", OBJ, .of = JOB_CC)			/* what every host's device is set to */
K(J_CCS, TOP, "ccs", LIST, .of = JOB_CC)		/* check: these one after the other */
K(J_PLAN, TOP, "plan", OBJ, .of = JOB_PLAN)		/* of flowgen */
K(J_FLOWGEN, TOP, "flowgen", STR)			/* path of the traffic generator */
K(J_SAMPLE, TOP, "sample_ns", INT)			/* ns between two samples */
K(J_LIMIT, TOP, "limit_ns", INT)			/* ns of traffic after which the run ends in any case */
K(J_EXPECT, TOP, "expect_ns", INT)			/* ns that the traffic takes at least */
K(J_SETTLE, TOP, "settle_ns", INT)			/* ns from the last completion to an empty network */
K(J_WINDOW_FROM, TOP, "window_from_ns", INT)		/* ns, part with figures of its own; -1: none */
K(J_WINDOW_TO, TOP, "window_to_ns", INT)		/* ns, its end */
K(J_WATCH, TOP, "watch", PAIRS)				/* ports that are sampled: node and neighbour */
K(J_PAUSE_EVERY, TOP, "pause_every", INT)		/* samples to a look at all pauses; 0: none are */
K(J_READS, TOP, "reads", BOOL)				/* flows are RDMA READs */
K(J_HIST, TOP, "hist", OBJ, .of = JOB_HIST)		/* histograms of all queues, if wanted */
K(J_TIMELINE, TOP, "timeline", LIST, .of = JOB_EVENT)	/* what changes in the run, by time */
K(J_TIMELINE_STEP, TOP, "timeline_step_ns", INT)		/* ns of a row of timeline.csv */
K(J_EVENTS, TOP, "events", INT)				/* MB to record the algorithm's events; 0: do not */
K(J_TOP, TOP, "top", STR)				/* run, in real time: path of rxecc, which shows what happens */
K(J_TOP_TERM, TOP, "top_term", STR)			/* its TERM */
K(J_REAL, TOP, "realtime", OBJ, .of = JOB_REAL)		/* run, in real time: what the run needs of it */

K(J_PROGRAMS, TOP, "programs", LIST, .of = JOB_PROGRAM)	/* run: on the hosts, beside the traffic */
K(J_PROGRAM_ENV, TOP, "program_env", MAP)		/* their environment */
K(J_PROGRAM_HOST, PROGRAM, "host", STR)			/* host that it runs on */
K(J_PROGRAM_ARGV, PROGRAM, "argv", STRS)		/* program and arguments */
K(J_PROGRAM_COMMAND, PROGRAM, "command", STR)		/* the same as the user wrote it, for messages */
K(J_PROGRAM_START, PROGRAM, "start_ns", INT)		/* ns after the start of the traffic */
K(J_PROGRAM_WAIT, PROGRAM, "wait", BOOL)		/* the run does not end before it */
K(J_PROGRAM_SHOW, PROGRAM, "show", BOOL)		/* what it prints goes to the console, too */

/* Nodes, links and hosts. */
K(J_NODE_NAME, NODE, "name", STR)			/* of the node, and of its namespace */
K(J_NODE_KIND, NODE, "kind", STR)			/* host, bridge or router */
K(J_NODE_PART, NODE, "part", INT)			/* number of the kernel that it is in */
K(J_NODE_ADDR, NODE, "addr", STR)			/* IPv4 address of a host */
K(J_NODE_SUBNET, NODE, "subnet", STR)			/* of the hosts at a switch, its first address */
K(J_NODE_SUBNET_BITS, NODE, "subnet_bits", INT)		/* length of its prefix; 0: it has no hosts */
K(J_LINK_A, LINK, "a", STR)				/* node at one end */
K(J_LINK_B, LINK, "b", STR)				/* node at the other */
K(J_LINK_A_QDISC, LINK, "a_qdisc", OBJ, .of = JOB_PORT)	/* port at the first */
K(J_LINK_B_QDISC, LINK, "b_qdisc", OBJ, .of = JOB_PORT)	/* port at the second */
K(J_HIST_FROM, HIST, "from_ns", INT)			/* ns, begin of what counts */
K(J_HIST_TO, HIST, "to_ns", INT)			/* ns, its end; 0: that of the traffic */
K(J_REAL_LINKS, REAL, "links", INT)			/* of the longest path */
K(J_REAL_RATE, REAL, "rate_bps", INT)			/* bit/s of the path that is measured */
K(J_REAL_PPS, REAL, "packets_per_s", INT)		/* data packets that the flows make in a second */
K(J_REAL_RTT, REAL, "base_rtt_ns", INT)			/* ns, round trip without queues */
K(J_REAL_SRC, REAL, "src", STR)				/* several kernels: hosts at the ends of that path */
K(J_REAL_DST, REAL, "dst", STR)
K(J_REAL_BEYOND, REAL, "beyond", BOOL)			/* run what cannot be kept, too */
K(J_CC_ALGO, CC, "algo", STR)				/* algorithm, or none */
K(J_CC_PRESET, CC, "preset", STR)			/* set of its parameters */
K(J_CC_PARAMS, CC, "params", MAP)			/* its parameters as the user wrote them */
K(J_CC_KNOBS, CC, "knobs", MAP)				/* of the device */
K(J_CC_GROUPS, CC, "groups", LIST, .of = JOB_GROUP)	/* groups of hosts that are set to something each */
K(J_GROUP_HOSTS, GROUP, "hosts", STRS)			/* hosts of a group */
K(J_GROUP_CC, GROUP, "cc", OBJ, .of = JOB_CC)		/* what they are set to */
K(J_CC_OWN_LINE_RATE, CC, "own_line_rate", BOOL)	/* line_rate is that of the host's link */

/* Options of the "roce" qdisc, see Documentation/reference/qdisc.md, and others. */
K(J_PORT_RATE, PORT, "rate_bps", INT, OPT(RATE))	/* bit/s */
K(J_PORT_DELAY, PORT, "delay_ns", INT, OPT(DELAY))	/* ns, of the link */
K(J_PORT_LOSS, PORT, "loss_ppb", INT, OPT(LOSS))	/* parts of 10^9 of the packets */
K(J_PORT_LINK, PORT, "link", INT, OPT(LINK))	/* TC_ROCE_LINK_*: up or down */
K(J_PORT_STALL, PORT, "stall", INT, OPT(STALL))	/* 1: sends nothing */
K(J_PORT_LIMIT, PORT, "limit_bytes", INT, OPT(LIMIT), KEY("nic", "nic_buffer"))	/* bytes that wait at most */
K(J_PORT_SEED, PORT, "seed", INT, OPT(SEED))	/* of marks */
K(J_PORT_DIRECT, PORT, "direct", INT, OPT(DIRECT))	/* 1: packets go to the peer without the stack */
K(J_PORT_SWITCH, PORT, "switch", BOOL)			/* shares the buffer of its node's ports */
K(J_PORT_BUFFER, PORT, "buffer_bytes", INT, OPT(BUFFER), KEY("buffer", "buffer"))	/* bytes of that buffer */
K(J_PORT_PFC_QUANTA, PORT, "pfc_quanta", INT, OPT(PFC_QUANTA), KEY("pfc", "pfc_quanta"))	/* of 512 bit times, in pause frames */
K(J_PORT_PFC_RESPONSE, PORT, "pfc_response_ns", INT, OPT(PFC_RESPONSE), KEY("pfc", "pfc_response"))	/* ns until a pause is obeyed */
K(J_PORT_PFC_WATCHDOG, PORT, "pfc_watchdog_ns", INT, OPT(PFC_WATCHDOG), KEY("pfc", "pfc_watchdog"))	/* ns of pause that are a storm */
K(J_PORT_PFC_ACTION, PORT, "pfc_watchdog_action", INT, OPT(PFC_WATCHDOG_ACTION), KEY("pfc", "pfc_watchdog_action"))	/* TC_ROCE_WATCHDOG_* */
K(J_PORT_INT, PORT, "int", INT, OPT(INT))	/* 1: pushes telemetry */
K(J_PORT_INT_NODE, PORT, "int_node", INT, OPT(INT_NODE))	/* node id there */
K(J_PORT_INT_PORT, PORT, "int_port", INT, OPT(INT_PORT))	/* port id there */
K(J_PORT_CLOCK_OFFSET, PORT, "int_clock_offset_ns", INT, OPT(INT_CLOCK_OFFSET))	/* ns, its clock is ahead */
K(J_PORT_CLOCK_JITTER, PORT, "int_clock_jitter_ns", INT, OPT(INT_CLOCK_JITTER))	/* ns more in a packet, at most */
K(J_PORT_CLOCK_RATE, PORT, "int_clock_rate", INT, OPT(INT_CLOCK_RATE))	/* TC_ROCE_CLOCK_RATE: as fast as ours */
K(J_PORT_INT_INTERVAL, PORT, "int_response_interval_ns", INT, OPT(INT_RESPONSE_INTERVAL), KEY("switch", "int_response_interval"))	/* ns between a flow's responses */
K(J_PORT_MERCURY_RTT, PORT, "mercury_rtt_ns", INT, OPT(MERCURY_BASE_RTT))	/* ns, base round trip */
K(J_PORT_MERCURY_PERIOD, PORT, "mercury_period_ns", INT, OPT(MERCURY_PERIOD), KEY("mercury", "mercury_period"))	/* ns between two looks */
K(J_PORT_MERCURY_INTERVAL, PORT, "mercury_interval_ns", INT, OPT(MERCURY_INTERVAL), KEY("mercury", "mercury_interval"))	/* ns between a flow's CNPs */
K(J_PORT_MERCURY_ECN, PORT, "mercury_ecn", INT, OPT(MERCURY_ECN), KEY("mercury", "mercury_ecn"))	/* 1: marks too */
K(J_PORT_IOFD_LINK, PORT, "iofd_link", INT, OPT(IOFD_LINK))	/* TC_ROCE_IOFD_*: leads up, down or neither */
K(J_PORT_IOFD_HOLD, PORT, "iofd_hold_ns", INT, OPT(IOFD_HOLD))	/* ns that an entry is kept */
K(J_PORT_LSCC_SELF, PORT, "lscc_self", INT, OPT(LSCC_SELF))	/* IPv4 address by which the ends of a link */
K(J_PORT_LSCC_PEER, PORT, "lscc_peer", INT, OPT(LSCC_PEER))	/* ... know each other */
K(J_PORT_LSCC_QREF, PORT, "lscc_qref_bytes", INT, OPT(LSCC_QREF), KEY("lscc", "lscc_qref"))	/* bytes of queue that are wanted */
K(J_PORT_LSCC_PSEUDO, PORT, "lscc_pseudo_bytes", INT, OPT(LSCC_PSEUDO), KEY("lscc", "lscc_pseudo"))	/* bytes of pseudo queue at most */
K(J_PORT_LSCC_PERIOD, PORT, "lscc_period_ns", INT, OPT(LSCC_PERIOD), KEY("lscc", "lscc_period"))	/* ns */
K(J_PORT_LSCC_RTT, PORT, "lscc_rtt_ns", INT, OPT(LSCC_RTT), KEY("lscc", "lscc_rtt"))	/* ns, of the long link */
K(J_PORT_LSCC_STEP, PORT, "lscc_step_bps", INT, OPT(LSCC_STEP), KEY("lscc", "lscc_step"))	/* bit/s */
K(J_PORT_LSCC_MIN, PORT, "lscc_min_bps", INT, OPT(LSCC_MIN), KEY("lscc", "lscc_min"))	/* bit/s */
K(J_PORT_LSCC_INTERVAL, PORT, "lscc_interval_ns", INT, OPT(LSCC_INTERVAL), KEY("lscc", "lscc_interval"))	/* ns between a flow's CNPs */
K(J_PORT_LSCC_THRESHOLD, PORT, "lscc_threshold_bytes", INT, OPT(LSCC_THRESHOLD), KEY("lscc", "lscc_threshold"))	/* bytes of a flow that is told */
K(J_PORT_LSCC_EXPIRY, PORT, "lscc_expiry_ns", INT, OPT(LSCC_EXPIRY), KEY("lscc", "lscc_expiry"))	/* ns that a rate holds */
K(J_PORT_LSCC_REPLY, PORT, "lscc_reply", INT, OPT(LSCC_REPLY))	/* 1: direct INT, 0: CNPs */
K(J_PORT_LSCC_CLEAR, PORT, "lscc_clear", INT, OPT(LSCC_CLEAR))	/* 1: only while its queue is long */
K(J_PORT_START_PRIO, PORT, "start_prio", OBJ, .of = JOB_PRIO)	/* what a priority has from shortly before the traffic on */
K(J_PORT_START_LEAD, PORT, "start_lead_ns", INT)	/* ns by which that is before the traffic */
K(J_PORT_FEATURES, PORT, "features", STRS)		/* that run there: what totals.json tells of */
K(J_PORT_DSCP, PORT, "dscp", LIST, .of = JOB_DSCP)	/* beside the default map */
K(J_PORT_PRIO, PORT, "prio", LIST, .of = JOB_PRIO)	/* priorities; the first is the data's */
K(J_DSCP_DSCP, DSCP, "dscp", INT)			/* a DSCP */
K(J_DSCP_PRIO, DSCP, "prio", INT)			/* and its priority */
K(J_PRIO_ID, PRIO, "id", INT, OPT(PRIO_ID))	/* 0 to 7 */
K(J_PRIO_DWRR, PRIO, "dwrr", INT, OPT(PRIO_DWRR))	/* weight; 0: strict */
K(J_PRIO_ECN, PRIO, "ecn", INT, OPT(PRIO_ECN))	/* TC_ROCE_ECN_*: marks nowhere, at enqueue or dequeue */
K(J_PRIO_KMIN, PRIO, "kmin_bytes", INT, OPT(PRIO_ECN_KMIN))	/* bytes */
K(J_PRIO_KMAX, PRIO, "kmax_bytes", INT, OPT(PRIO_ECN_KMAX))	/* bytes */
K(J_PRIO_PMAX, PRIO, "pmax_ppm", INT, OPT(PRIO_ECN_PMAX))	/* parts of a million */
K(J_PRIO_NOT_ECT, PRIO, "not_ect", INT, OPT(PRIO_ECN_NOT_ECT), KEY("ecn", "ecn_not_ect"))	/* TC_ROCE_NOT_ECT_*: pass or drop */
K(J_PRIO_LOSSLESS, PRIO, "lossless", INT, OPT(PRIO_LOSSLESS))	/* 1: by PFC */
K(J_PRIO_RESERVE, PRIO, "reserve_bytes", INT, OPT(PRIO_RESERVE), KEY("switch", "reserve"))	/* bytes that are its own */
K(J_PRIO_ALPHA, PRIO, "alpha_q16", INT, OPT(PRIO_ALPHA))	/* share of the free buffer, 65536 is all */
K(J_PRIO_XOFF, PRIO, "xoff_bytes", INT, OPT(PRIO_XOFF), KEY("pfc", "xoff"))	/* bytes */
K(J_PRIO_XON, PRIO, "xon_bytes", INT, OPT(PRIO_XON), KEY("pfc", "xon"))	/* bytes */
K(J_PRIO_XON_OFFSET, PRIO, "xon_offset_bytes", INT, OPT(PRIO_XON_OFFSET), KEY("pfc", "xon_offset"))	/* bytes below xoff */
K(J_PRIO_HEADROOM, PRIO, "headroom_bytes", INT, OPT(PRIO_HEADROOM), KEY("pfc", "headroom"))	/* bytes */
K(J_PRIO_INT_RESPONSE, PRIO, "int_response_bytes", INT, OPT(PRIO_INT_RESPONSE), KEY("switch", "int_response"))	/* bytes of queue that are told at once */
K(J_PRIO_MERCURY, PRIO, "mercury_bytes", INT, OPT(PRIO_MERCURY))	/* bytes of queue that are congestion */
K(J_PRIO_LSCC, PRIO, "lscc", INT, OPT(PRIO_LSCC))	/* 1: runs there */
K(J_PRIO_IOFD, PRIO, "iofd_bytes", INT, OPT(PRIO_IOFD))	/* bytes of queue from which it deflects */
K(J_PRIO_IOFD_ESCAPE, PRIO, "iofd_escape_dscp", INT, OPT(PRIO_IOFD_ESCAPE))	/* DSCP of what is deflected */

/* An event of the timeline. */
K(J_EVENT_AT, EVENT, "at_ns", INT)			/* ns after the start of the traffic */
K(J_EVENT_WHAT, EVENT, "what", STR)			/* as the user wrote it */
K(J_EVENT_PORTS, EVENT, "ports", PAIRS)			/* ports that get options: node and neighbour */
K(J_EVENT_PORT, EVENT, "port", OBJ, .of = JOB_PORT)	/* these options */
K(J_EVENT_HOSTS, EVENT, "hosts", STRS)			/* hosts whose devices are set */
K(J_EVENT_CC, EVENT, "cc", OBJ, .of = JOB_CC)		/* to this */
K(J_EVENT_REROUTE, EVENT, "reroute", BOOL)		/* routers learn which links are down */

/* The plan of flowgen, see Documentation/reference/flowgen.md. */
K(J_PLAN_SEED, PLAN, "seed", INT)			/* of jitter and contents */
K(J_PLAN_MTU, PLAN, "mtu", INT)				/* bytes, RDMA */
K(J_PLAN_TRANSPORT, PLAN, "transport", STR)		/* rc or uc */
K(J_PLAN_OP, PLAN, "op", STR)				/* write, send or read */
K(J_PLAN_CHUNK, PLAN, "chunk_bytes", INT)		/* bytes of a message at most */
K(J_PLAN_FIRST, PLAN, "first_bytes", INT)		/* bytes of a flow's first message; 0: as the others */
K(J_PLAN_ALTERNATE, PLAN, "alternate_bytes", INT)	/* of every second one; 0: as the others */
K(J_PLAN_DEPTH, PLAN, "depth", INT)			/* messages that are posted at once */
K(J_PLAN_TCLASS, PLAN, "tclass", INT)			/* traffic class of data */
K(J_PLAN_ACK_TCLASS, PLAN, "ack_tclass", INT)		/* traffic class of ACKs */
K(J_PLAN_TIMEOUT, PLAN, "timeout", INT)			/* of retransmission, 4.096 us times 2 to this */
K(J_PLAN_JITTER, PLAN, "jitter_ns", INT)		/* ns that are added to starts, at most */
K(J_PLAN_VERIFY, PLAN, "verify", BOOL)			/* look at the data that arrived */
K(J_PLAN_FLOWS, PLAN, "flows", LIST, .of = JOB_FLOW)	/* those that results have rows of */
K(J_PLAN_LATENCY, PLAN, "latency", LIST, .of = JOB_PINGPONG)	/* ping-pongs */
K(J_PLAN_QP, PLAN, "qp", STR)				/* which flows of the file share a queue pair */
K(J_PLAN_QP_POOL, PLAN, "qp_pool", INT)			/* how many, with qp=pool */
K(J_PLAN_SMALL_BYTES, PLAN, "small_bytes", INT)		/* bytes of a short flow at most */
K(J_PLAN_SMALL_TCLASS, PLAN, "small_tclass", INT)	/* traffic class of short flows */
K(J_PLAN_FLOWS_FILE, PLAN, "flows_file", STR)		/* table of all other flows */
K(J_PLAN_SIGNAL_EVERY, PLAN, "signal_every", INT)	/* messages to a completion; 0: the last */
K(J_PLAN_INTERVAL, PLAN, "interval_ns", INT)		/* ns between looks at progress; 0: none */
K(J_PLAN_LEAD, PLAN, "lead_ns", INT)			/* ns from ready to start, in real time */
K(J_PLAN_START_AT, PLAN, "start_at_ns", INT)		/* ns of CLOCK_MONOTONIC, in virtual time */
K(J_PLAN_LOOKAHEAD, PLAN, "lookahead_ns", INT)		/* ns by which an incast is announced before */
K(J_PLAN_LOOKAHEAD_SPAN, PLAN, "lookahead_span_ns", INT)	/* ns over which its starts spread */
K(J_FLOW_ID, FLOW, "id", INT)				/* number in the results */
K(J_FLOW_SRC, FLOW, "src", STR)				/* device that asks; of READs the receiver */
K(J_FLOW_DST, FLOW, "dst", STR)				/* the other */
K(J_FLOW_BYTES, FLOW, "bytes", INT)			/* bytes */
K(J_FLOW_START, FLOW, "start_ns", INT)			/* ns after the start of the traffic */
K(J_FLOW_STOP, FLOW, "stop_ns", INT)			/* ns after the start of the traffic; without it when it is complete */
K(J_FLOW_AFTER, FLOW, "after", INTS)			/* numbers of flows: starts when they are complete */
K(J_FLOW_AFTER_START, FLOW, "after_start", INTS)	/* the same when they have started */
K(J_FLOW_DELAY, FLOW, "delay_ns", INT)			/* ns from there to its start */
K(J_FLOW_QP, FLOW, "qp", STR)				/* pair: shares the queue pair of its pair of hosts */
K(J_PINGPONG_SRC, PINGPONG, "src", STR)			/* device that sends first */
K(J_PINGPONG_DST, PINGPONG, "dst", STR)			/* device that answers */
K(J_PINGPONG_BYTES, PINGPONG, "bytes", INT)			/* bytes of a message */
K(J_PINGPONG_ITERATIONS, PINGPONG, "iterations", INT)		/* round trips */
K(J_PINGPONG_TRANSPORT, PINGPONG, "transport", STR)		/* rc or uc */
