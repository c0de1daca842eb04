// SPDX-License-Identifier: GPL-2.0
/* flowgen: the client of a server on another machine. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../lib/json.h"
#include "../lib/options.h"
#include "flowgen.h"

struct client {
	const char *host;
	const char *port;
	const char *dev;
	u64 size;
	u64 count;
	u64 duration_ns;
	u64 interval_ns;
	u64 qps;
	struct fg_attr *attr;
	bool latency;
	bool json;
	bool have_op;
	int fd;
	struct fg_evsrc ev;
	u64 last_bytes;
	u64 last_ns;
};

static struct client cl = {
	.port = FG_PORT, .qps = 1, .interval_ns = NSEC_PER_SEC, .fd = -1,
};

/*
 * An attribute goes through the plan's key table: same names, same limits. A plan has no other
 * timeout than that of InfiniBand.
 */
static int set_attr(void *into, const struct option_row *row, char *text)
{
	struct client *c = into;
	const struct fg_keyset sets[] = { { fg_attr_keys, c->attr }, { NULL, NULL } };
	json_object *o = json_object_new_object(), *v;
	char *key = strdupa(row->name + (strncmp(row->name, "ib-", 3) ? 0 : 3)), *end;
	long long n;
	int ret;

	if (strchr(key, '-'))
		*strchr(key, '-') = '_';
	n = strtoll(text, &end, 0);
	if (end != text && !*end)
		v = json_object_new_int64(n);
	else
		v = json_object_new_string(text);
	json_object_object_add(o, key, v);
	ret = fg_json_parse(o, "client", sets);
	json_object_put(o);
	c->have_op |= !strcmp(key, "op");
	return ret;
}

#define AT(m)	.at = offsetof(struct client, m)
static const struct option_row rows[] = {
	{ "dev", "DEV", "RDMA device (default: the first)", OPTION_TEXT, AT(dev) },
	{ "port", "PORT", "the server's TCP port (default " FG_PORT ")", OPTION_TEXT, AT(port) },
	{ "op", "OP", "write (default; send with --latency), write_imm, send,\n"
	  "send_imm, read, fetch_add, cmp_swap", OPTION_CALL, .call = set_attr,
	  .words = fg_op_names },
	{ "transport", "T", "rc (default), uc", OPTION_CALL, .call = set_attr,
	  .words = fg_transport_names },
	{ "size", "SIZE", "message size (default 1mb; 64 with --latency)", OPTION_SIZE, AT(size),
	  .min = 1, .max = 1U << 30 },
	{ "count", "N", "messages per QP; or", OPTION_COUNT, AT(count), .min = 1, .max = 1U << 30 },
	{ "duration", "TIME", "how long (default 5s)", OPTION_TIME, AT(duration_ns) },
	{ "qps", "N", "QPs at once (default 1)", OPTION_COUNT, AT(qps), .min = 1, .max = 4096 },
	{ "depth", "N", "messages outstanding per QP (default 8)", OPTION_CALL, .call = set_attr },
	{ "latency", NULL, "one message at a time: round trips of send (the server\n"
	  "answers), or the time of each write, read or atomic;\n"
	  "--count is the number of iterations (default 1000)", OPTION_FLAG, AT(latency) },
	{ "mtu", "BYTES", "path MTU (default: the ports')", OPTION_CALL, .call = set_attr },
	{ "tclass", "N", "traffic class of the data (default 104 = DSCP 26)", OPTION_CALL,
	  .call = set_attr },
	{ "ack-tclass", "N", "of the other direction (default: the same)", OPTION_CALL,
	  .call = set_attr },
	{ "gid", "KIND", "ipv4 (default), ipv6", OPTION_CALL, .call = set_attr,
	  .words = fg_gid_names },
	{ "ib-timeout", "N", "4.096 us * 2^N (default 14)", OPTION_CALL, .call = set_attr },
	{ "timeout", "N", "--ib-timeout", .kind = OPTION_OLD },
	{ "retry-cnt", "N", "0..7 (default 7)", OPTION_CALL, .call = set_attr },
	{ "interval", "TIME", "progress lines (default 1s, 0 for none)", OPTION_TIME,
	  AT(interval_ns) },
	{ "json", NULL, "the result as JSON, nothing else", OPTION_FLAG, AT(json), .letter = 'j' },
	{ "help", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "flowgen client", .rows = rows, .indent = 4, .column = 23,
	.before =
"NAME\n"
"    flowgen client - sends to, or reads from, a flowgen server\n"
"\n"
"SYNOPSIS\n"
"    flowgen client HOST [OPTIONS]\n"
"\n"
"OPTIONS\n",
	.after =
"\n"
"    Sizes: b, kb, mb, gb (1024). Times: ns, us, ms, s.\n"
"    Throughput counts payload; message completion is seen at the client.\n"
"    The exit status is 0 only if everything completed.\n",
};

/* What the options must be together. */
static int check_options(struct fg_attr *a)
{
	if (cl.count && cl.duration_ns)
		return fg_err("client: --count and --duration exclude each other");
	if (cl.latency && !cl.have_op)
		a->op = FG_SEND;
	if (cl.latency && (a->op == FG_SEND_IMM || a->op == FG_WRITE_IMM))
		return fg_err("--latency: not with --op %s", fg_op_names[a->op]);
	if (cl.latency && cl.duration_ns)
		return fg_err("--latency: wants --count, not --duration");
	if (a->op >= FG_FETCH_ADD)
		cl.size = 8;
	else if (!cl.size)
		cl.size = cl.latency ? 64 : 1 << 20;
	a->chunk_bytes = cl.size;
	return fg_plan_check_attr(a, "client");
}

static void make_plan(struct fg_plan *p)
{
	struct fg_pingpong *pr;
	struct fg_flow *f;
	u32 i;

	fg_plan_host(p, cl.dev);
	fg_plan_host(p, "(server)");
	p->interval_ns = cl.json || cl.latency ? 0 : cl.interval_ns;
	if (cl.latency) {
		p->pingpongs = fg_zalloc(1, sizeof(*pr));
		p->npingpongs = 1;
		pr = p->pingpongs;
		pr->attr = p->attr;
		pr->dst = 1;
		pr->bytes = cl.size;
		pr->iterations = cl.count ? cl.count : 1000;
		pr->warmup = 10;
		return;
	}
	if (!cl.count)
		p->stop_ns = cl.duration_ns ? cl.duration_ns : 5 * NSEC_PER_SEC;
	for (i = 0; i < cl.qps; i++) {
		f = fg_plan_add_flow(p);
		f->dst = 1;
		f->bytes = cl.count * cl.size;
	}
}

static int tcp_connect(void)
{
	struct addrinfo hint = { .ai_socktype = SOCK_STREAM }, *ai, *a;
	int err, fd = -1, one = 1;

	err = getaddrinfo(cl.host, cl.port, &hint, &ai);
	if (err)
		return fg_err("%s port %s: %s", cl.host, cl.port, gai_strerror(err));
	for (a = ai; a; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, 0);
		if (fd >= 0 && !connect(fd, a->ai_addr, a->ai_addrlen))
			break;
		err = errno;
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(ai);
	if (fd < 0)
		return fg_err("%s port %s: %s", cl.host, cl.port, strerror(err));
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

static int send_request(const struct fg_plan *p)
{
	const struct fg_conn *c = p->conns[0];
	json_object *o = json_object_new_object();
	json_object *eps = json_object_new_array();
	const struct fg_key *k;
	u32 i, v;

	js_add_int(o, "flowgen", FG_PROTO);
	json_object_object_add(o, "echo", json_object_new_boolean(c->echo));
	for (k = fg_attr_keys; k->name; k++) {
		memcpy(&v, (const char *)&c->attr + k->off, sizeof(v));
		if (k->type == K_ENUM)
			json_object_object_add(o, k->name, json_object_new_string(k->names[v]));
		else if (k->type == K_BOOL)
			json_object_object_add(o, k->name, json_object_new_boolean(v));
		else
			json_object_object_add(o, k->name, json_object_new_uint64(v));
	}
	for (i = 0; i < p->nconns; i++)
		json_object_array_add(eps, fg_net_ep(p->conns[i], 0));
	json_object_object_add(o, "qps", eps);
	return fg_net_send(cl.fd, o);
}

static int read_reply(struct fg_plan *p)
{
	json_object *o = fg_net_recv(cl.fd), *v;
	int ret = -1;
	u32 i;

	if (!o)
		return -1;
	if (json_object_object_get_ex(o, "error", &v)) {
		fg_err("%s: %s", cl.host, json_object_get_string(v));
	} else if (!json_object_object_get_ex(o, "qps", &v) ||
		   !json_object_is_type(v, json_type_array) ||
		   json_object_array_length(v) != p->nconns) {
		fg_err("%s: its answer has not the QPs asked for", cl.host);
	} else {
		for (i = 0, ret = 0; i < p->nconns && !ret; i++)
			ret = fg_net_read_ep(json_object_array_get_idx(v, i), &p->conns[i]->ep[1]);
	}
	json_object_put(o);
	return ret;
}

static void on_tcp(struct fg_evsrc *ev)
{
	char buf[256];
	u32 i;

	if (recv(ev->fd, buf, sizeof(buf), MSG_DONTWAIT) > 0)
		return;
	fg_engine_unwatch(ev);
	fg_err("%s: the server is gone", cl.host);
	for (i = 0; i < eng.plan->nconns; i++)
		fg_conn_break(eng.plan->conns[i], "server is gone");
}

static u64 bytes_done(void)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < eng.plan->nflows; i++)
		n += eng.plan->flows[i].done_bytes;
	return n;
}

static void on_sample(struct fg_engine *e)
{
	u64 bytes = bytes_done(), t = e->now_ns - e->t0_ns;
	char rate[32], at[32];

	fg_print_time(at, sizeof(at), t);
	fg_print_rate(rate, sizeof(rate), (bytes - cl.last_bytes) * 8e9 / (t - cl.last_ns));
	printf("%10s %14s\n", at, rate);
	fflush(stdout);
	cl.last_bytes = bytes;
	cl.last_ns = t;
}

static void print_result(const struct fg_plan *p, int code)
{
	u64 bytes = bytes_done(), msgs = 0, first = ~0ULL, last = 0, span;
	json_object *o;
	char rate[32];
	u32 i;

	for (i = 0; i < p->nflows; i++) {
		msgs += p->flows[i].done_msgs;
		if (p->flows[i].t_start_ns && p->flows[i].t_start_ns < first)
			first = p->flows[i].t_start_ns;
		if (p->flows[i].t_last_ns > last)
			last = p->flows[i].t_last_ns;
	}
	span = last > first ? last - first : 0;
	if (cl.json) {
		o = json_object_new_object();
		js_add_str(o, "op", fg_op_names[p->attr.op]);
		js_add_int(o, "message_bytes", cl.size);
		js_add_int(o, "qps", cl.qps);
		js_add_int(o, "messages", msgs);
		js_add_int(o, "bytes", bytes);
		js_add_int(o, "elapsed_ns", span);
		js_add_int(o, "goodput_bps", span ? bytes * 8e9 / span : 0);
		js_add_int(o, "exit_code", code);
		puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
		json_object_put(o);
		return;
	}
	fg_print_rate(rate, sizeof(rate), span ? bytes * 8e9 / span : 0);
	printf("%-9s %10s %5s %12s %10s %12s %12s\n", "op", "size", "qps",
	       "messages", "time", "goodput", "messages/s");
	printf("%-9s %10llu %5llu %12llu %9.3fs %12s %12.0f\n",
	       fg_op_names[p->attr.op], cl.size, cl.qps, msgs, span / 1e9, rate,
	       span ? msgs * 1e9 / span : 0);
}

static void print_latency(const struct fg_plan *p, int code)
{
	const struct fg_pingpong *pr = &p->pingpongs[0];
	struct fg_lat l;
	json_object *o;

	fg_lat_stats(pr->rtt_ns, pr->recorded, &l);
	if (cl.json) {
		o = json_object_new_object();
		js_add_str(o, "op", fg_op_names[p->attr.op]);
		js_add_int(o, "message_bytes", cl.size);
		js_add_int(o, "completed", pr->recorded);
		json_object_object_add(o, "rtt_ns", fg_lat_json(&l));
		js_add_int(o, "exit_code", code);
		puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
		json_object_put(o);
		return;
	}
	printf("%-9s %8s %8s %10s %10s %10s %10s %10s ns\n", "op", "size",
	       "count", "min", "mean", "p50", "p99", "max");
	printf("%-9s %8llu %8u %10llu %10.0f %10llu %10llu %10llu\n",
	       fg_op_names[p->attr.op], cl.size, pr->recorded, l.min, l.mean,
	       l.p50, l.p99, l.max);
}

static int run_client(struct fg_plan *p)
{
	int code;
	u32 i;

	if (fg_engine_init(p) || fg_engine_open(p, 1))
		return FG_SETUP;
	cl.fd = tcp_connect();
	if (cl.fd < 0 || send_request(p) || read_reply(p))
		return FG_SETUP;
	for (i = 0; i < p->nconns; i++)
		if (fg_conn_fill_recv(p->conns[i], 0) || fg_ep_connect(p->conns[i], 0))
			return FG_SETUP;
	if (fg_engine_watch(&cl.ev, cl.fd, on_tcp))
		return FG_SETUP;
	if (p->interval_ns)
		eng.on_sample = on_sample;
	if (fg_engine_start())
		return FG_SETUP;
	fg_engine_loop();
	fg_show_outstanding();
	code = fg_results_exit_code();
	if (cl.latency)
		print_latency(p, code);
	else
		print_result(p, code);
	return code;
}

/**
 * fg_client_main() - flowgen client
 * @argc: number of arguments
 * @argv: arguments, [0] is the command
 */
int fg_client_main(int argc, char **argv)
{
	struct fg_plan *p = fg_plan_new();
	int ret;

	cl.attr = &p->attr;
	ret = options_parse(&options, &cl, argc, argv);
	if (!ret && ((optind + 1 != argc && fg_err("client: wants one HOST")) ||
		     check_options(&p->attr)))
		ret = OPTIONS_WRONG;
	if (ret) {
		fg_plan_free(p);
		return ret == OPTIONS_HELP ? FG_OK : FG_USAGE;
	}
	cl.host = argv[optind];
	if (!cl.dev)
		cl.dev = fg_first_device();
	if (!cl.dev) {
		fg_err("no RDMA device");
		fg_plan_free(p);
		return FG_SETUP;
	}
	/* PSNs need not repeat here; a restarted client must not reuse them. */
	p->seed = fg_now_ns();
	make_plan(p);
	ret = fg_plan_connect(p) ? FG_USAGE : run_client(p);
	if (cl.fd >= 0)
		close(cl.fd);
	fg_engine_exit();
	fg_plan_free(p);
	return ret;
}
