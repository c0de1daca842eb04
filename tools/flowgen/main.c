// SPDX-License-Identifier: GPL-2.0
/* flowgen: command line. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/options.h"
#include "flowgen.h"

struct args {
	const char *out;
	const char *local;
	struct option_list peers;
	u64 seed;
	u64 ready_fd;
	u64 go_fd;
	bool quiet;
};

/* A number that was not given. */
#define NONE	(~0ULL)

#define AT(m)	.at = offsetof(struct args, m)
static const struct option_row run_rows[] = {
	{ "out", "DIR", "where results go; made when missing", OPTION_TEXT, AT(out),
	  .letter = 'o', .must = true },
	{ "seed", "N", "overrides the plan's seed", OPTION_COUNT, AT(seed),
	  .max = NONE - 1 },
	{ "ready-fd", "N", "a byte is written there when all QPs are connected", OPTION_COUNT,
	  AT(ready_fd) },
	{ "go-fd", "N", "traffic starts when a byte can be read there", OPTION_COUNT, AT(go_fd) },
	{ "local", "DEVS", "hosts are in several kernels: only these are here. --ready-fd\n"
	  "and --go-fd then take more words (Documentation/devel/flowgen.md)",
	  OPTION_TEXT, AT(local) },
	{ "peer-ends", "F", "ends.json of another part; once for each of the others", OPTION_LIST,
	  AT(peers) },
	{ "quiet", NULL, "no summary line on stdout", OPTION_FLAG, AT(quiet), .letter = 'q' },
	{ "help", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options run_options = {
	.command = "flowgen run", .rows = run_rows, .indent = 4, .column = 19,
	.before =
"NAME\n"
"    flowgen - generates RoCE traffic by verbs and measures it\n"
"\n"
"SYNOPSIS\n"
"    flowgen run PLAN.json --out DIR [--seed N] [--ready-fd N] [--go-fd N] [-q]\n"
"            [--local DEV[,DEV...] --peer-ends FILE...]\n"
"    flowgen check PLAN.json [--seed N]\n"
"    flowgen server [--dev DEV] [--port PORT] ...\n"
"    flowgen client HOST [--dev DEV] [--op write] [--size 1mb] ... [-j]\n"
"    flowgen devices\n"
"\n"
"COMMANDS\n"
"    run      Runs a plan: any number of RDMA devices, QPs and flows inside one\n"
"             process; QPs are connected directly, without rdma_cm. Writes\n"
"             qps.json before traffic, then flows.csv, flows.json, series.csv,\n"
"             latency.json and summary.json into DIR.\n"
"    check    Validates a plan without opening a device; prints its flows as CSV.\n"
"    server   Waits for clients of other machines (flowgen server --help).\n"
"    client   Sends to, or reads from, a server (flowgen client --help).\n"
"    devices  Lists RDMA devices and their RoCE v2 GIDs.\n"
"\n"
"OPTIONS of run\n",
	.after =
"\n"
"PLAN\n"
"    JSON; `-` is standard input. Unknown keys are errors. All keys are described\n"
"    in Documentation/reference/flowgen.md. Numbers are bytes, ns and bit/s. Example:\n"
"    {\"seed\":1, \"mtu\":1024, \"interval_ns\":10000, \"flows\":[\n"
"      {\"src\":\"rxe0\", \"dst\":\"rxe1\", \"op\":\"write\", \"bytes\":1000000}]}\n"
"\n"
"SIGNALS\n"
"    SIGTERM, SIGINT: no more posts, what is outstanding is waited for until nothing\n"
"    completes for drain_ns, results are written. After the stop: nothing is waited\n"
"    for any longer.\n"
"\n"
"EXIT STATUS\n"
"    0  all flows completed      2  bad plan or arguments, nothing done\n"
"    1  some flow did not        3  a device, QP or file could not be set up\n",
};

static const struct option_row check_rows[] = {
	{ "seed", "N", "overrides the plan's seed", OPTION_COUNT, AT(seed),
	  .max = NONE - 1 },
	{ "help", .kind = OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options check_options = {
	.command = "flowgen check", .rows = check_rows, .indent = 4, .column = 19,
	.before = "SYNOPSIS\n    flowgen check PLAN.json [--seed N]\n\nOPTIONS\n",
};

static int connect_all(struct fg_plan *p)
{
	struct fg_flow *f;
	struct fg_conn *c;
	int side;
	u32 i;

	for (i = 0; i < p->nflows; i++) {
		f = &p->flows[i];
		if (f->attr.verify && fg_vbuf_create(f, p->conns[f->conn], p->seed))
			return -1;
	}
	for (i = 0; i < p->nconns; i++) {
		c = p->conns[i];
		for (side = 0; side < 2; side++)
			if (c->ep[side].host &&
			    (fg_ep_connect(c, side) || fg_conn_fill_recv(c, side)))
				return -1;
	}
	return 0;
}

static void print_summary(int code)
{
	const struct fg_totals *t = fg_results_totals();
	const struct fg_plan *p = eng.plan;
	u64 took = t->last_ns - t->first_ns;
	char rate[32], span[32];
	struct fg_lat l;
	u32 i;

	if (t->flows) {
		fg_print_rate(rate, sizeof(rate), took ? t->bytes * 8e9 / took : 0);
		fg_print_time(span, sizeof(span), took);
		printf("flows %llu of %llu ok, %llu bytes in %s, goodput %s\n",
		       t->completed, t->flows, t->bytes, span, rate);
	}
	for (i = 0; i < p->npingpongs; i++) {
		fg_lat_stats(p->pingpongs[i].rtt_ns, p->pingpongs[i].recorded, &l);
		printf("latency %s -> %s: %u of %u, min %llu mean %.1f p99 %llu max %llu ns\n",
		       p->hosts[p->pingpongs[i].src], p->hosts[p->pingpongs[i].dst],
		       p->pingpongs[i].recorded, p->pingpongs[i].iterations, l.min,
		       l.mean, l.p99, l.max);
	}
	if (code)
		printf("not everything completed\n");
}

static int set_up(struct fg_plan *p, const char *dir, const struct fg_part_opts *o)
{
	if ((p->nlocal && fg_part_check(p)) || fg_engine_init(p) ||
	    fg_engine_open(p, p->nlocal ? p->nlocal : p->nhosts))
		return -1;
	if (p->nlocal && (fg_mkdir(dir) || fg_part_exchange(p, dir, o)))
		return -1;
	if (connect_all(p) || fg_mkdir(dir) || fg_results_qps(dir))
		return -1;
	if (p->interval_ns && fg_results_series_open(dir))
		return -1;
	if (p->warmup_bytes && fg_engine_warmup())
		return -1;
	return fg_churn_open(dir);
}

static int run_plan(struct fg_plan *p, const char *dir, const struct fg_part_opts *o, bool quiet)
{
	u64 begin = fg_now_ns();
	int code;

	if (set_up(p, dir, o))
		return FG_SETUP;
	eng.setup_ns = fg_now_ns() - begin;
	if (p->nlocal ? fg_part_wait_start(p) : fg_engine_wait_go(o->ready_fd, o->go_fd))
		return FG_SETUP;
	if (fg_engine_start())
		return FG_SETUP;
	fg_engine_loop();
	fg_show_outstanding();
	code = fg_results_exit_code();
	if (fg_results_write(dir, code))
		code = FG_SETUP;
	if (!quiet)
		print_summary(code);
	return code;
}

/* The plan that the command line names; or NULL, and the exit code in @code. */
static struct fg_plan *read_plan(const struct options *o, struct args *a, int argc, char **argv,
				 int *code)
{
	*code = options_parse(o, a, argc, argv);
	if (*code) {
		*code = *code == OPTIONS_HELP ? FG_OK : FG_USAGE;
		return NULL;
	}
	*code = FG_USAGE;
	if (optind + 1 != argc)
		fg_err("%s: wants one PLAN.json", argv[0]);
	else if (a->local && (a->ready_fd == NONE || a->go_fd == NONE))
		fg_err("run: --local needs --ready-fd and --go-fd");
	else
		return fg_plan_read(argv[optind], a->seed == NONE ? NULL : &a->seed, a->local);
	return NULL;
}

static int cmd_run(int argc, char **argv)
{
	struct args a = { .seed = NONE, .ready_fd = NONE, .go_fd = NONE };
	struct fg_plan *p;
	int code;

	p = read_plan(&run_options, &a, argc, argv, &code);
	if (!p)
		return code;
	code = run_plan(p, a.out, &(struct fg_part_opts){
		.peers = a.peers.v, .npeers = a.peers.n,
		.ready_fd = (int)a.ready_fd, .go_fd = (int)a.go_fd
	}, a.quiet);
	fg_engine_exit();
	free(a.peers.v);
	fg_plan_free(p);
	return code;
}

static int cmd_check(int argc, char **argv)
{
	struct args a = { .seed = NONE };
	const struct fg_flow *f;
	struct fg_plan *p;
	int code;
	u32 k;

	p = read_plan(&check_options, &a, argc, argv, &code);
	if (!p)
		return code;
	puts("id,src,dst,op,bytes,start_ns");
	for (k = 0; k < p->nflows; k++) {
		f = &p->flows[k];
		printf("%u,%s,%s,%s,%llu,%llu\n", f->id, p->hosts[f->src],
		       p->hosts[f->dst], fg_op_names[f->attr.op], f->bytes,
		       f->start_ns);
	}
	for (k = 0; k < p->nrows; k++)
		printf("%u,%s,%s,%s,%llu,%llu\n", p->rows[k].id, p->hosts[p->rows[k].src],
		       p->hosts[p->rows[k].dst], fg_op_names[p->attr.op], p->rows[k].bytes,
		       p->rows[k].start_ns);
	fg_plan_free(p);
	return FG_OK;
}

static int cmd_devices(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct fg_host h;
	char gid[64];
	int i, k;

	if (!list || !list[0]) {
		fg_err("no RDMA device");
		return FG_FAILED;
	}
	for (i = 0; list[i]; i++) {
		memset(&h, 0, sizeof(h));
		if (!fg_host_open(&h, ibv_get_device_name(list[i]), 1))
			printf("%s mtu %u", h.name, h.active_mtu);
		for (k = 0; k < h.ngids; k++) {
			if (h.gids[k].gid_type != IBV_GID_TYPE_ROCE_V2)
				continue;
			fg_gid_str(&h.gids[k].gid, gid, sizeof(gid));
			printf(" %s", gid);
		}
		if (h.gids)
			printf("\n");
		fg_host_close(&h);
	}
	ibv_free_device_list(list);
	return FG_OK;
}

int main(int argc, char **argv)
{
	const char *cmd = argc > 1 ? argv[1] : "";

	if (!strcmp(cmd, "run"))
		return cmd_run(argc - 1, argv + 1);
	if (!strcmp(cmd, "check"))
		return cmd_check(argc - 1, argv + 1);
	if (!strcmp(cmd, "server"))
		return fg_server_main(argc - 1, argv + 1);
	if (!strcmp(cmd, "client"))
		return fg_client_main(argc - 1, argv + 1);
	if (!strcmp(cmd, "devices"))
		return cmd_devices();
	if (!strcmp(cmd, "--help") || !strcmp(cmd, "-h") ||
	    !strcmp(cmd, "help")) {
		options_help(&run_options, stdout);
		return FG_OK;
	}
	if (*cmd)
		fg_err("%s: no such command; see flowgen --help", cmd);
	else
		options_help(&run_options, stderr);
	return FG_USAGE;
}
