/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/rxe_cc.yaml */
/* YNL-GEN uapi header */

#ifndef _UAPI_LINUX_RXE_CC_H
#define _UAPI_LINUX_RXE_CC_H

#define RXE_CC_FAMILY_NAME	"rxe_cc"
#define RXE_CC_FAMILY_VERSION	1

#define RXE_CC_NAME_MAX	32

/**
 * enum rxe_cc_algo_need - What an algorithm needs from its environment.
 * @RXE_CC_ALGO_NEED_ECN: data packets are sent ECT(0)
 * @RXE_CC_ALGO_NEED_RTT: round-trip time samples
 * @RXE_CC_ALGO_NEED_ACK_EVERY_PACKET: every data packet asks for an ACK
 * @RXE_CC_ALGO_NEED_INT: in-band telemetry of every hop
 * @RXE_CC_ALGO_NEED_PEER: a peer that runs this code too
 */
enum rxe_cc_algo_need {
	RXE_CC_ALGO_NEED_ECN = 1,
	RXE_CC_ALGO_NEED_RTT = 2,
	RXE_CC_ALGO_NEED_ACK_EVERY_PACKET = 4,
	RXE_CC_ALGO_NEED_INT = 8,
	RXE_CC_ALGO_NEED_PEER = 16,
};

enum rxe_cc_qp_type {
	RXE_CC_QP_TYPE_RC,
	RXE_CC_QP_TYPE_UC,
};

/**
 * enum rxe_cc_qp_telemetry - Telemetry of a queue pair whose algorithm needs
 *   it.
 * @RXE_CC_QP_TELEMETRY_WAITING: no packet of the peer has been seen yet
 * @RXE_CC_QP_TELEMETRY_ACTIVE: its data carries INT, or probes beside it do
 * @RXE_CC_QP_TELEMETRY_FALLBACK: the peer does not understand INT; the rate
 *   and window of the start stay
 */
enum rxe_cc_qp_telemetry {
	RXE_CC_QP_TELEMETRY_WAITING,
	RXE_CC_QP_TELEMETRY_ACTIVE,
	RXE_CC_QP_TELEMETRY_FALLBACK,
};

/**
 * enum rxe_cc_peer_cap - What the peer of a queue pair has shown to
 *   understand.
 * @RXE_CC_PEER_CAP_ACK_TLV: feedback behind the AETH of an ACK
 * @RXE_CC_PEER_CAP_INT_SINK: takes INT off data and echoes it
 * @RXE_CC_PEER_CAP_INT_PROFILES: the same with compact INT and that of the
 *   first port only
 * @RXE_CC_PEER_CAP_TOLD: values of the receiver's algorithm in ACKs
 * @RXE_CC_PEER_CAP_CNP_PSN: its CNPs name the packet that caused them
 * @RXE_CC_PEER_CAP_OBEYS: as sender it goes by what its receiver tells
 */
enum rxe_cc_peer_cap {
	RXE_CC_PEER_CAP_ACK_TLV = 1,
	RXE_CC_PEER_CAP_INT_SINK = 2,
	RXE_CC_PEER_CAP_INT_PROFILES = 4,
	RXE_CC_PEER_CAP_TOLD = 8,
	RXE_CC_PEER_CAP_CNP_PSN = 16,
	RXE_CC_PEER_CAP_OBEYS = 32,
};

/**
 * enum rxe_cc_command_scope - What a command of an algorithm is about.
 * @RXE_CC_COMMAND_SCOPE_QP: one queue pair
 * @RXE_CC_COMMAND_SCOPE_PEER: all that a port has with one other host
 * @RXE_CC_COMMAND_SCOPE_PORT: the port
 */
enum rxe_cc_command_scope {
	RXE_CC_COMMAND_SCOPE_QP,
	RXE_CC_COMMAND_SCOPE_PEER,
	RXE_CC_COMMAND_SCOPE_PORT,
};

enum {
	RXE_CC_A_PARAM_NAME = 1,
	RXE_CC_A_PARAM_VALUE,
	RXE_CC_A_PARAM_UNIT,
	RXE_CC_A_PARAM_VALUE_MIN,
	RXE_CC_A_PARAM_VALUE_MAX,
	RXE_CC_A_PARAM_DEFAULT,
	RXE_CC_A_PARAM_HELP,
	RXE_CC_A_PARAM_PAD,

	__RXE_CC_A_PARAM_MAX,
	RXE_CC_A_PARAM_MAX = (__RXE_CC_A_PARAM_MAX - 1)
};

enum {
	RXE_CC_A_COUNTER_NAME = 1,
	RXE_CC_A_COUNTER_VALUE,
	RXE_CC_A_COUNTER_PAD,

	__RXE_CC_A_COUNTER_MAX,
	RXE_CC_A_COUNTER_MAX = (__RXE_CC_A_COUNTER_MAX - 1)
};

enum {
	RXE_CC_A_ALGO_NAME = 1,
	RXE_CC_A_ALGO_NEEDS,
	RXE_CC_A_ALGO_PARAM,
	RXE_CC_A_ALGO_PRESET,
	RXE_CC_A_ALGO_USERS,
	RXE_CC_A_ALGO_COMMAND,
	RXE_CC_A_ALGO_TELLS,
	RXE_CC_A_ALGO_SIGNAL,

	__RXE_CC_A_ALGO_MAX,
	RXE_CC_A_ALGO_MAX = (__RXE_CC_A_ALGO_MAX - 1)
};

enum {
	RXE_CC_A_SIGNAL_VAR = 1,
	RXE_CC_A_SIGNAL_NAME,
	RXE_CC_A_SIGNAL_UNIT,
	RXE_CC_A_SIGNAL_HELP,
	RXE_CC_A_SIGNAL_LINE,
	RXE_CC_A_SIGNAL_RTT_UNIT,

	__RXE_CC_A_SIGNAL_MAX,
	RXE_CC_A_SIGNAL_MAX = (__RXE_CC_A_SIGNAL_MAX - 1)
};

enum {
	RXE_CC_A_COMMAND_DEF_NAME = 1,
	RXE_CC_A_COMMAND_DEF_SCOPE,
	RXE_CC_A_COMMAND_DEF_HELP,
	RXE_CC_A_COMMAND_DEF_ARG,

	__RXE_CC_A_COMMAND_DEF_MAX,
	RXE_CC_A_COMMAND_DEF_MAX = (__RXE_CC_A_COMMAND_DEF_MAX - 1)
};

enum {
	RXE_CC_A_COMMAND_DEV = 1,
	RXE_CC_A_COMMAND_PORT,
	RXE_CC_A_COMMAND_QPN,
	RXE_CC_A_COMMAND_PEER,
	RXE_CC_A_COMMAND_ALGO,
	RXE_CC_A_COMMAND_NAME,
	RXE_CC_A_COMMAND_ARG,
	RXE_CC_A_COMMAND_RESULT,

	__RXE_CC_A_COMMAND_MAX,
	RXE_CC_A_COMMAND_MAX = (__RXE_CC_A_COMMAND_MAX - 1)
};

enum {
	RXE_CC_A_DEV_NAME = 1,
	RXE_CC_A_DEV_PORT,
	RXE_CC_A_DEV_ALGO,
	RXE_CC_A_DEV_PRESET,
	RXE_CC_A_DEV_PARAM,
	RXE_CC_A_DEV_KNOB,
	RXE_CC_A_DEV_COUNTER,
	RXE_CC_A_DEV_IFINDEX,
	RXE_CC_A_DEV_QPS,
	RXE_CC_A_DEV_LINE_RATE_BPS,
	RXE_CC_A_DEV_PAD,
	RXE_CC_A_DEV_RX,

	__RXE_CC_A_DEV_MAX,
	RXE_CC_A_DEV_MAX = (__RXE_CC_A_DEV_MAX - 1)
};

enum {
	RXE_CC_A_QP_DEV = 1,
	RXE_CC_A_QP_PORT,
	RXE_CC_A_QP_QPN,
	RXE_CC_A_QP_DEST_QPN,
	RXE_CC_A_QP_TYPE,
	RXE_CC_A_QP_ALGO,
	RXE_CC_A_QP_OVERRIDE,
	RXE_CC_A_QP_RATE_BPS,
	RXE_CC_A_QP_CWND_BYTES,
	RXE_CC_A_QP_INFLIGHT_BYTES,
	RXE_CC_A_QP_RTT_NS,
	RXE_CC_A_QP_MIN_RTT_NS,
	RXE_CC_A_QP_COUNTER,
	RXE_CC_A_QP_STATE,
	RXE_CC_A_QP_PAD,
	RXE_CC_A_QP_TELEMETRY,
	RXE_CC_A_QP_PEER_CAPS,
	RXE_CC_A_QP_CAP_BYTES,
	RXE_CC_A_QP_CAP_SHARE_BYTES,

	__RXE_CC_A_QP_MAX,
	RXE_CC_A_QP_MAX = (__RXE_CC_A_QP_MAX - 1)
};

enum {
	RXE_CC_CMD_ALGO_GET = 1,
	RXE_CC_CMD_DEV_GET,
	RXE_CC_CMD_DEV_SET,
	RXE_CC_CMD_QP_GET,
	RXE_CC_CMD_QP_SET,
	RXE_CC_CMD_DEV_NTF,
	RXE_CC_CMD_DEV_DEL_NTF,
	RXE_CC_CMD_QP_NTF,
	RXE_CC_CMD_COMMAND,

	__RXE_CC_CMD_MAX,
	RXE_CC_CMD_MAX = (__RXE_CC_CMD_MAX - 1)
};

#define RXE_CC_MCGRP_MONITOR	"monitor"

#endif /* _UAPI_LINUX_RXE_CC_H */
