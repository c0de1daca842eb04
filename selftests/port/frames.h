/* SPDX-License-Identifier: GPL-2.0 */
/*
 * frames: a frame generator, receiver and judge for ports of the "roce" qdisc.
 *
 * One process does everything, by a script: it owns a packet socket on each
 * device, whatever its network namespace, so that what happens and in which
 * order does not depend on the scheduling of processes. It shares no code with
 * the kernel modules: layouts and models are written down here again.
 *
 * Times are ns. Lengths of frames begin at the Ethernet header and end before
 * the frame check sequence.
 */
#ifndef _FRAMES_H
#define _FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_PORTS	24
#define MAX_FLOWS	64
#define MAX_FRAME	10000
#define MAX_HOPS	64
#define MAX_PATH	12
#define PRIOS		8
#define WIRE_OVERHEAD	24	/* preamble, frame check sequence, gap */
#define MIN_FRAME	60
#define ETH_BYTES	14
#define BTH_BYTES	12
#define ICRC_BYTES	4
#define INT_BYTES	16	/* shim and MD header */
#define ROCE_PORT	4791
#define MAC_CONTROL	0x8808
#define OPCODE_PFC	0x0101

#define MD_E		0x04
#define MD_M		0x02

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define __printf(a, b)	__attribute__((format(printf, a, b)))
#define __noreturn	__attribute__((noreturn))
#define sizeof_field(type, f)	sizeof(((type *)0)->f)

typedef unsigned __int128 u128;

/* A frame that has come in; the data follow. */
struct frame {
	uint64_t time_ns;	/* CLOCK_REALTIME, the kernel's stamp */
	int len;
	uint8_t data[];
};

struct port {
	char name[32];		/* [NETNS:]DEV */
	int fd;
	int ifindex;
	unsigned int netns;	/* inode number, as in the trace */
	uint8_t mac[6];
	struct frame **frames;
	int count, room;
	uint64_t refused;	/* by the qdisc, at once */
	uint64_t control;	/* MAC control frames sent here */
	uint32_t node;		/* ids that it must give itself in INT */
	uint16_t id;
};

/* What the packets of a flow look like; number @seq decides the rest. */
struct flow {
	bool used, v6, telemetry;
	int id;
	const struct port *src, *dst;
	const struct port *via;	/* router's port that it is sent to, or NULL */
	int dscp, ecn, vlan;
	int size_min, size_max;	/* payload */
	uint16_t instr, domain, ds_instr;
	int rem_hop;
	uint32_t sent;
	/* what is expected of the telemetry */
	const struct port *path[MAX_PATH];
	const struct port *ingress[MAX_PATH];	/* NULL: none, a host's port */
	int path_len;
	uint8_t flags;
};

struct hop {
	uint32_t node, latency_ns, qlen_bytes, speed_mbps;
	uint16_t in_port, out_port;
	uint8_t queue;
	uint32_t occupancy;	/* 24 bits */
	uint64_t ingress_ns, egress_ns, tx_bytes;
	uint64_t compact;	/* a compact hop, as it is on the wire */
};

/* Where things are in a frame; offsets from its start, 0 = not there. */
struct parsed {
	bool v6, fragment;
	int ip, udp, bth, end;	/* end: of the UDP payload */
	int shim;		/* DSCP says INT */
	int dscp, ecn;
	bool int_ok;		/* the INT header's lengths agree */
	int hop_words, nr_hops;
	int rem_hop;
	uint8_t flags;
	uint16_t instr, domain, ds_instr, ds_flags;
};

enum event_type {
	EV_ENQUEUE, EV_DEQUEUE, EV_INT, EV_PFC_TX, EV_PFC_RX, EV_PAUSE, EV_XOFF,
	EV_DROP,
	EV_TYPES
};

/* One line of the trace; which fields hold depends on the type. */
struct event {
	enum event_type type;
	unsigned int netns;
	int ifindex;
	uint64_t t_ns;		/* start_ns of a dequeue */
	uint64_t arrival_ns, depart_ns, due_ns, until_ns;
	uint64_t queue_bytes, wire_bytes, pushed_bytes, in_bytes;
	uint8_t prio, state, enable;
	char word[16];		/* result or verdict */
	uint16_t quanta[PRIOS];
	struct hop hop;
};

struct trace {
	struct event *ev;
	int count, room;
};

/* Arguments of a step of the script. */
struct args {
	char *word[40];
	int count;
};

struct lab {
	struct port port[MAX_PORTS];
	int nr_ports;
	struct flow flow[MAX_FLOWS];
	struct trace trace;
	int line;
	int failures;
};

/* frames.c */
void __printf(1, 2) __noreturn die(const char *fmt, ...);
void __printf(2, 3) fail(struct lab *lab, const char *fmt, ...);
uint64_t dice(uint64_t *state);
uint64_t parse_number(const char *text);
const char *arg_text(const struct args *a, const char *key);
uint64_t arg_number(const struct args *a, const char *key, uint64_t otherwise);
struct port *find_port(struct lab *lab, const char *name);
struct port *arg_port(struct lab *lab, const struct args *a, const char *key);
struct flow *find_flow(struct lab *lab, uint64_t id);

/* frames_sockets.c */
void port_open(struct port *p, const char *name);
bool port_send(struct port *p, const void *frame, int len);
void port_drain(struct port *p, bool keep);
void ports_settle(struct lab *lab, uint64_t quiet_ns, bool keep);
void port_forget(struct port *p);
void write_pcap(const struct port *p, const char *path);
void sleep_ns(uint64_t ns);

/* frames_build.c */
uint16_t get16(const uint8_t *p);
uint32_t get32(const uint8_t *p);
uint64_t get64(const uint8_t *p);
void put16(uint8_t *p, unsigned int v);
void put32(uint8_t *p, uint32_t v);
int build_data(uint8_t *buf, const struct flow *f, uint32_t seq);
int build_pfc(uint8_t *buf, const uint8_t *src, uint16_t enable,
	      const uint16_t *quanta);
uint16_t cnp_port(const struct port *p);
void put_icrc(uint8_t *frame, int ip, bool v6, int udp, int end);
uint16_t ip_checksum(const uint8_t *ip, int bytes);
int hop_words(uint16_t instr, uint16_t ds_instr);
bool has_path(const struct parsed *p);
uint16_t path_id(uint16_t path, uint32_t node, uint16_t port);
uint64_t compact_hop(const struct hop *h);
bool parse_frame(struct parsed *p, const uint8_t *frame, int len, int int_dscp);
void parse_hop(struct hop *h, const struct parsed *p, const uint8_t *frame,
	       int nr);
int int_stack(const struct parsed *p);
int data_offset(const struct parsed *p);
bool data_id(const struct parsed *p, const uint8_t *frame, uint32_t *flow,
	     uint32_t *seq);
int remove_hops(uint8_t *frame, int len, const struct parsed *p, int hops);

/* frames_check_int_response.c */
bool is_report(const uint8_t *b, int len, int *hops);

/* frames_check_mercury.c */
bool is_mercury_cnp(const uint8_t *b, int len);

/* frames_trace.c */
void trace_start(const struct args *a);
void trace_read(struct trace *t);
bool event_at(const struct event *e, const struct port *p);
const struct event *next_event(const struct trace *t, const struct event *after,
			       const struct port *p, enum event_type type);
int event_by_name(const char *name);
int count_events(const struct trace *t, const struct port *p,
		 enum event_type type);
u128 wire_ticks(uint64_t bytes);
uint64_t ceil_ns(u128 ticks, uint64_t rate);

/* steps: frames_send.c, frames_check_int.c, frames_check_pause.c, frames_check_xoff.c,
 * frames_check_int_response.c, frames_check_mercury.c, frames_lscc.c, frames_fuzz.c
 */
void step_data(struct lab *lab, const struct args *a);
void step_pfc(struct lab *lab, const struct args *a);
void step_control(struct lab *lab, const struct args *a);
void step_ids(struct lab *lab, const struct args *a);
void step_path(struct lab *lab, const struct args *a);
void step_dump(struct lab *lab, const struct args *a);
void step_check_int(struct lab *lab, const struct args *a);
void step_check_same(struct lab *lab, const struct args *a);
void step_check_count(struct lab *lab, const struct args *a);
void step_check_pause(struct lab *lab, const struct args *a);
void step_check_xoff(struct lab *lab, const struct args *a);
void step_check_response(struct lab *lab, const struct args *a);
void step_check_cnps(struct lab *lab, const struct args *a);
void step_check_mercury(struct lab *lab, const struct args *a);
void step_feedback(struct lab *lab, const struct args *a);
void step_cnp(struct lab *lab, const struct args *a);
void step_check_feedback(struct lab *lab, const struct args *a);
void step_check_direct(struct lab *lab, const struct args *a);
void step_check_ect(struct lab *lab, const struct args *a);
/* frames_lscc.c */
struct feedback {
	uint32_t from, to, seq, rate;	/* addresses: last bytes of 169.254.0.N; Mbit/s */
	uint64_t time;
	uint8_t ttl, code, mac;		/* last byte of 01:80:c2:00:00:N */
};

int build_feedback(uint8_t *f, const uint8_t *src_mac, const struct feedback *m);
bool is_feedback(const uint8_t *b, int len, uint32_t from, uint32_t to);
bool is_direct_cnp(const uint8_t *b, int len);

void step_fuzz(struct lab *lab, const struct args *a);

#endif /* _FRAMES_H */
