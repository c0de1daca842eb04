// SPDX-License-Identifier: GPL-2.0
/* flowgen: the server, peer of any number of clients at once. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../lib/json.h"
#include "../lib/options.h"
#include "flowgen.h"

#define SERVER_CQE 16384
#define MAX_QPS 4096
#define MAX_REQUEST (4U << 20)

struct peer {
	struct fg_evsrc ev;
	char name[80];
	char *buf;
	size_t len;
	size_t cap;
	u32 *conns;
	u32 nconns;
	u32 cqe;
	u64 since_ns;
	struct fg_attr attr;
};

static struct server {
	const char *dev;
	const char *port;
	const char *addr;
	u64 buffer;
	bool once;
	int fd;
	struct fg_evsrc ev;
	u32 cqe_used;
	u32 npeers;
} srv;

#define AT(m)	.at = offsetof(struct server, m)
static const struct option_row rows[] = {
	{ "dev", "DEV", "RDMA device (default: the first)", OPTION_TEXT, AT(dev) },
	{ "port", "PORT", "TCP port to listen on (default " FG_PORT ")", OPTION_TEXT, AT(port) },
	{ "bind", "ADDR", "address to listen on (default: all)", OPTION_TEXT, AT(addr) },
	{ "buffer", "SIZE", "largest message (default 4mb)", OPTION_SIZE, AT(buffer),
	  .min = 4096, .max = 1U << 30 },
	{ "once", NULL, "end after the first client has gone", OPTION_FLAG, AT(once) },
	{ "help", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "flowgen server", .rows = rows, .indent = 4, .column = 20,
	.before =
"NAME\n"
"    flowgen server - the peer of flowgen clients\n"
"\n"
"SYNOPSIS\n"
"    flowgen server [OPTIONS]\n"
"\n"
"OPTIONS\n",
	.after =
"\n"
"    Serves until SIGTERM or SIGINT. Anyone who reaches the TCP port can write to\n"
"    and read from the server's buffer, which holds nothing else.\n",
};

/* Members of a client's request beside the attributes. */
struct request {
	u32 version;
	u32 echo;
	json_object *qps;
};

static const struct fg_key request_keys[] = {
	{ "flowgen", K_U32, offsetof(struct request, version), 0, ~0U, NULL },
	{ "echo", K_BOOL, offsetof(struct request, echo), 0, 0, NULL },
	{ "qps", K_JSON, offsetof(struct request, qps), 0, 0, NULL },
	{ }
};

static void drop_conns(struct peer *pe)
{
	struct fg_plan *p = eng.plan;
	struct fg_conn *c;
	u32 i;

	for (i = 0; i < pe->nconns; i++) {
		c = p->conns[pe->conns[i]];
		/* Completions that are still queued find nobody. */
		p->conns[pe->conns[i]] = NULL;
		fg_ep_destroy(&c->ep[1]);
		free(c);
	}
	srv.cqe_used -= pe->cqe;
	pe->cqe = 0;
	pe->nconns = 0;
}

static void drop_peer(struct peer *pe)
{
	char span[32];

	if (pe->nconns) {
		fg_print_time(span, sizeof(span), fg_now_ns() - pe->since_ns);
		printf("%s: %s, %u QPs, closed after %s\n", pe->name,
		       fg_op_names[pe->attr.op], pe->nconns, span);
		fflush(stdout);
	}
	drop_conns(pe);
	fg_engine_unwatch(&pe->ev);
	close(pe->ev.fd);
	free(pe->conns);
	free(pe->buf);
	free(pe);
	srv.npeers--;
	if (srv.once && !srv.npeers)
		eng.aborted = true;
}

static int refuse(struct peer *pe, const char *why)
{
	json_object *o = json_object_new_object();

	printf("%s: refused: %s\n", pe->name, why);
	fflush(stdout);
	js_add_str(o, "error", why);
	fg_net_send(pe->ev.fd, o);
	return -1;
}

static int add_conn(struct peer *pe, const struct request *rq, json_object *qp)
{
	struct fg_conn *c = fg_plan_add_conn(eng.plan);
	struct fg_rng r;

	pe->conns[pe->nconns++] = c->id;
	c->attr = pe->attr;
	c->src = 1;
	c->depth = pe->attr.depth;
	c->buf_bytes = pe->attr.chunk_bytes;
	c->echo = rq->echo;
	c->need_recv = rq->echo || fg_op_needs_recv(pe->attr.op);
	c->ep[1].host = &eng.hosts[0];
	if (c->echo) {
		c->depth = 32;
		c->ep[1].recv_depth = 16;
	} else if (c->need_recv) {
		c->ep[1].recv_depth = c->depth < 16 ? 64 : 4 * c->depth;
	}
	fg_rng_seed(&r, eng.plan->seed, FG_STREAM_PSN, c->id);
	c->ep[1].psn = fg_rng_u64(&r) >> 40;
	pe->cqe += c->ep[1].recv_depth + (c->echo ? c->depth : 0) + 1;
	srv.cqe_used += c->ep[1].recv_depth + (c->echo ? c->depth : 0) + 1;
	if (srv.cqe_used > eng.hosts[0].cqe_need)
		return fg_err("%s: too many QPs or too deep", pe->name);
	if (fg_net_read_ep(qp, &c->ep[0]) || fg_ep_create(c, 1) || fg_ep_connect(c, 1))
		return -1;
	return fg_conn_fill_recv(c, 1);
}

static int serve(struct peer *pe, json_object *o)
{
	struct request rq = { 0, 0, NULL };
	const struct fg_keyset sets[] = {
		{ request_keys, &rq }, { fg_attr_keys, &pe->attr },
		{ NULL, NULL }
	};
	json_object *answer, *list;
	size_t n, i;

	pe->attr = eng.plan->attr;
	if (fg_json_parse(o, "", sets) || rq.version != FG_PROTO)
		return refuse(pe, "request not understood: another version of flowgen?");
	n = json_object_is_type(rq.qps, json_type_array) ?
	    json_object_array_length(rq.qps) : 0;
	if (!n || n > MAX_QPS)
		return refuse(pe, "qps: not 1..4096");
	if (pe->attr.chunk_bytes > srv.buffer)
		return refuse(pe, "message is larger than the server's --buffer");
	pe->conns = fg_zalloc(n, sizeof(*pe->conns));
	pe->since_ns = fg_now_ns();
	for (i = 0; i < n; i++) {
		if (add_conn(pe, &rq, json_object_array_get_idx(rq.qps, i))) {
			drop_conns(pe);
			return refuse(pe, "the server could not set up the QPs, see its messages");
		}
	}
	list = json_object_new_array();
	for (i = 0; i < n; i++)
		json_object_array_add(list, fg_net_ep(eng.plan->conns[pe->conns[i]], 1));
	answer = json_object_new_object();
	json_object_object_add(answer, "qps", list);
	printf("%s: %s, %zu QPs\n", pe->name, fg_op_names[pe->attr.op], n);
	fflush(stdout);
	return fg_net_send(pe->ev.fd, answer);
}

static void on_peer(struct fg_evsrc *ev)
{
	struct peer *pe = container_of(ev, struct peer, ev);
	json_object *o;
	ssize_t n;
	int ret;

	if (pe->cap - pe->len < 4096) {
		pe->cap = pe->cap ? pe->cap * 2 : 16384;
		pe->buf = pe->cap > MAX_REQUEST ? NULL :
			  realloc(pe->buf, pe->cap);
		if (!pe->buf) {
			fg_err("%s: request too long", pe->name);
			drop_peer(pe);
			return;
		}
	}
	n = recv(ev->fd, pe->buf + pe->len, pe->cap - pe->len - 1, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0 || pe->nconns) {
		drop_peer(pe);
		return;
	}
	pe->len += n;
	pe->buf[pe->len] = '\0';
	if (pe->buf[pe->len - 1] != '\n')
		return;
	o = json_tokener_parse(pe->buf);
	pe->len = 0;
	ret = o ? serve(pe, o) : refuse(pe, "not JSON");
	json_object_put(o);
	if (ret)
		drop_peer(pe);
}

static void on_accept(struct fg_evsrc *ev)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	char host[64] = "?", port[16] = "?";
	struct peer *pe;
	int fd;

	fd = accept4(ev->fd, (struct sockaddr *)&sa, &len, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	pe = fg_zalloc(1, sizeof(*pe));
	getnameinfo((struct sockaddr *)&sa, len, host, sizeof(host), port,
		    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(pe->name, sizeof(pe->name), "%s:%s", host, port);
	srv.npeers++;
	if (fg_engine_watch(&pe->ev, fd, on_peer)) {
		close(fd);
		free(pe);
		srv.npeers--;
	}
}

static int tcp_listen(void)
{
	struct addrinfo hint = {
		.ai_socktype = SOCK_STREAM,
		.ai_family = srv.addr ? AF_UNSPEC : AF_INET6,
		.ai_flags = AI_PASSIVE,
	};
	int err, fd, one = 1, off = 0;
	struct addrinfo *ai;

again:
	err = getaddrinfo(srv.addr, srv.port, &hint, &ai);
	if (err)
		return fg_err("%s port %s: %s", srv.addr ? srv.addr : "*",
			      srv.port, gai_strerror(err));
	fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 && hint.ai_family == AF_INET6) {
		/* A kernel without IPv6. */
		freeaddrinfo(ai);
		hint.ai_family = AF_INET;
		goto again;
	}
	if (fd >= 0) {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (hint.ai_family == AF_INET6)
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	}
	if (fd < 0 || bind(fd, ai->ai_addr, ai->ai_addrlen) || listen(fd, 64)) {
		fg_err("port %s: %s", srv.port, strerror(errno));
		fd = -1;
	}
	freeaddrinfo(ai);
	return fd;
}

static void on_interrupt(struct fg_engine *e)
{
	e->aborted = true;
}

static int run_server(struct fg_plan *p)
{
	fg_plan_host(p, srv.dev);
	fg_plan_host(p, "(client)");
	if (fg_engine_init(p))
		return FG_SETUP;
	eng.on_interrupt = on_interrupt;
	eng.nhosts = 1;
	eng.hosts = fg_zalloc(1, sizeof(*eng.hosts));
	if (fg_host_open(&eng.hosts[0], srv.dev, p->port))
		return FG_SETUP;
	if (fg_host_prepare(&eng.hosts[0], eng.hosts[0].attr.max_cqe < SERVER_CQE ?
			    eng.hosts[0].attr.max_cqe : SERVER_CQE,
			    fg_shared_buf(srv.buffer), srv.buffer) ||
	    fg_engine_watch_hosts())
		return FG_SETUP;
	srv.fd = tcp_listen();
	if (srv.fd < 0 || fg_engine_watch(&srv.ev, srv.fd, on_accept))
		return FG_SETUP;
	printf("serving on %s, port %s\n", srv.dev, srv.port);
	fflush(stdout);
	/* One that never ends: clients come and go until a signal. */
	eng.left = 1;
	eng.running = true;
	fg_engine_loop();
	return FG_OK;
}

/**
 * fg_server_main() - flowgen server
 * @argc: number of arguments
 * @argv: arguments, [0] is the command
 */
int fg_server_main(int argc, char **argv)
{
	struct fg_plan *p;
	int ret;

	srv.port = FG_PORT;
	srv.buffer = 4 << 20;
	ret = options_parse(&options, &srv, argc, argv);
	if (ret)
		return ret == OPTIONS_HELP ? FG_OK : FG_USAGE;
	if (optind != argc) {
		fg_err("server: unexpected argument %s", argv[optind]);
		return FG_USAGE;
	}
	if (!srv.dev)
		srv.dev = fg_first_device();
	if (!srv.dev) {
		fg_err("no RDMA device");
		return FG_SETUP;
	}
	p = fg_plan_new();
	p->seed = fg_now_ns();
	ret = run_server(p);
	fg_engine_exit();
	fg_plan_free(p);
	return ret;
}
