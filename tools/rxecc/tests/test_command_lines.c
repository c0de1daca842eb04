// SPDX-License-Identifier: GPL-2.0
/* Whole command lines against a fake kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>
#include <linux/rxe_cc.h>

#include "../rxecc.h"
#include "fake_kernel.h"
#include "../../lib/tests/ktap.h"

static struct fake fake;
static char *out, *err;

static int join(struct rxe_nl *nl, u32 group)
{
	(void)nl;
	return group == 9 ? 0 : -22;
}

/* Runs "rxecc LINE"; what it printed is left in out and err. */
static int run(const char *line)
{
	struct rxecc rx = { .nl = { .fd = fake.client, .join = join } };
	char *copy = strdup(line), *word, *save = NULL;
	size_t out_len, err_len;
	char *argv[40];
	int argc = 0, ret;

	free(out);
	free(err);
	out = NULL;
	err = NULL;
	rx.out = open_memstream(&out, &out_len);
	rx.err = open_memstream(&err, &err_len);
	argv[argc++] = "rxecc";
	for (word = strtok_r(copy, " ", &save); word && argc < 40;
	     word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	ret = rxecc_run(&rx, argc, argv);
	fclose(rx.out);
	fclose(rx.err);
	free(copy);
	return ret;
}

static bool one_line(const char *s)
{
	return *s && strchr(s, '\n') == s + strlen(s) - 1;
}

/* Exit code, and words that must be in stdout (0, NULL) or be all of stderr. */
static void expect(const char *line, int code, const char *words)
{
	int ret = run(line);
	bool ok = ret == code;

	if (!code)
		ok &= !*err && (!words || strstr(out, words));
	else
		ok &= !*out && one_line(err) && words && strstr(err, words) &&
		      !strncmp(err, "rxecc: ", 7);
	ktap(ok, line, "exit %d, stdout: %s stderr: %s", ret, out, err);
}

static struct json_object *json_of(const char *line)
{
	return run(line) ? NULL : json_tokener_parse(out);
}

/* A number by path, e.g. "[0].params.rpg_ai_rate.value". */
static u64 json_num(struct json_object *o, const char *path)
{
	char *copy = strdup(path), *word, *save = NULL;

	for (word = strtok_r(copy, ".", &save); o && word;
	     word = strtok_r(NULL, ".", &save)) {
		if (json_object_is_type(o, json_type_array))
			o = json_object_array_get_idx(o, strtoul(word, NULL, 10));
		else
			o = json_object_object_get(o, word);
	}
	free(copy);
	return o ? json_object_get_uint64(o) : U64_MAX - 1;
}

static void expect_json(const char *line, const char *path, u64 want)
{
	struct json_object *o = json_of(line);
	u64 got = json_num(o, path);
	char name[200];

	snprintf(name, sizeof(name), "%s: %s", line, path);
	ktap(o && got == want, name, "got %llu, wanted %llu in %s",
	     (unsigned long long)got, (unsigned long long)want, out);
	json_object_put(o);
}

static void test_show(void)
{
	expect("algo", 0, "algo dcqcn  needs ecn,rtt  presets paper,mlx5  users 2\n");
	expect("a", 0, "algo none   needs -        presets -           users 0\n");
	expect("algo show dcqcn", 0, "    rpg_ai_rate      bps    40Mbit");
	expect("algo sh dcqcn", 0, "0.00390625");
	expect("-n algo show dcqcn", 0, "65536q24");
	expect("-d algo", 0, "rpg_byte_reset   bytes  10mb        1kb");
	expect("dev", 0, "dev rxe0/1  algo dcqcn  line-rate 100Gbit  qps 2  ifindex 3\n");
	expect("dev show rxe0", 0, "    param rpg_time_reset   55us\n");
	expect("-d dev show rxe0/1", 0, "unit ns");
	expect("-s dev show rxe1", 0, "    counter rp_cnp_handled  7\n");
	expect("-s dev show rxe1", 0, "    rx msgs         2\n    rx base_rtt_ns  12us\n");
	expect("param rxe0", 0, "NAME             VALUE");
	expect("param show rxe0", 0, "burst            4178b");
	expect("qp", 0, "rate 40Gbit  cwnd -  inflight 2kb  rtt 12.34us  min-rtt -  telemetry -\n");
	expect("qp", 0, "telemetry -  cap 4kb  of 8kb\n");
	expect("qp dev rxe0 qpn 18", 0, "qpn 18");
	expect("qp show qpn 18", 0, "qpn 18");
	expect("-d -s qp qpn 17", 0, "    state alpha_q24  0.00390625\n    counter cnps  3\n");
	expect("-n -d qp qpn 17", 0, "    state alpha_q24  65536q24\n");
	expect("stats rxe0", 0, "    np_cnp_sent     ");
	expect("help", 0, "Usage: rxecc");
	expect("dev help", 0, "Usage: rxecc dev");
	expect("--help", 0, "Usage: rxecc");
	expect("-V", 0, "rxecc ");
	expect_json("-j algo show dcqcn", "0.params.dce_tcp_g.default", 65536);
	expect("-j algo show dcqcn", 0, "seen_ns");
	expect("-j algo show dcqcn", 0, "low_line");
	expect("-j algo show dcqcn", 0, "high_line");
	expect("-j algo show dcqcn", 0, "path_unit");
	expect_json("-j algo show dcqcn", "0.params.rpg_byte_reset.max",
		    U64_MAX);
	expect_json("-j -p dev show rxe0", "0.params.rpg_time_reset.value",
		    55000);
	expect_json("-jp dev", "1.line_rate_bps", 100000000000);
	expect_json("-j dev show rxe0", "0.rx.base_rtt_ns", 12000);
	expect_json("-j param show rxe0", "knobs.burst.value", 4178);
	expect_json("--json qp", "1.dest_qpn", 19);
	expect_json("-j qp dev rxe0 qpn 17", "0.state.alpha_q24", 65536);
	expect_json("-j stats", "1.counters.rp_cnp_handled", 7);
}

static void test_dumps(void)
{
	fake.qps = 1000;
	expect_json("-j qp", "999.qpn", 1016);
	fake.intr = 3;
	fake.dumps = 0;
	expect_json("-j qp dev rxe0", "999.qpn", 1016);
	ktap(fake.dumps == 4, "interrupted dump is repeated", "%u dumps",
	     fake.dumps);
	fake.intr = 1000;
	run("qp");
	ktap(strstr(err, "inconsistent") && strstr(out, "qpn 1016"),
	     "endless interruption ends with a warning", "%s", err);
	fake.intr = 0;
	fake.qps = 2;
	fake.dump_error = 12;
	expect("qp", 1, "qp: dump broke off");
	expect("-j dev", 1, "dev: dump broke off");
	fake.dump_error = 0;
	fake.unknown = true;
	expect("-d dev show rxe0", 0, "rpg_ai_rate");
	expect("-d algo", 0, "rpg_ai_rate");
	expect("qp", 0, "qpn 17");
	fake.unknown = false;
}

static void test_set(void)
{
	expect("dev set rxe0 param rpg_ai_rate=100mbit", 0, NULL);
	ktap(fake.devs[0].param[0] == 100000000, "rate arrived", "no");
	expect("d set rxe0 al dcqcn pre mlx5 par rpg_time_reset=300us dce_tcp_g=1/128 k burst=8kb",
	       0, NULL);
	ktap(fake.devs[0].param[0] == 5000000 &&
	     fake.devs[0].param[2] == 300000 &&
	     fake.devs[0].param[6] == 131072 &&
	     fake.devs[0].knob[0] == 8192, "all arrived", "no");
	expect("param set rxe0 clamp_tgt_rate=on rpg_byte_reset=1mb burst=4kb",
	       0, NULL);
	ktap(fake.devs[0].param[7] == 1 && fake.devs[0].param[3] == 1 << 20 &&
	     fake.devs[0].knob[0] == 4096, "all arrived, knob too", "no");
	expect("d set rxe1/1 al dcqcn par rpg_threshold=7", 0, NULL);
	ktap(!strcmp(fake.devs[1].algo, "dcqcn") &&
	     fake.devs[1].param[4] == 7, "abbreviated set arrived", "no");
	expect("qp set rxe0 17 algo fixed", 0, NULL);
	expect("qp", 0, "algo fixed*");
	expect("qp set dev rxe0 qpn 17 algo default", 0, NULL);
	expect("qp show qpn 17", 0, "algo dcqcn ");
}

/* Everything here must leave the devices as they are. */
static void test_refused(void)
{
	struct fake_dev before[2];

	memcpy(before, fake.devs, sizeof(before));
	expect("dev set rxe0 param rpg_ai_rate=1", 1,
	       "rxecc: dev rxe0: param rpg_ai_rate: value 1: not in 1Mbit..400Gbit\n");
	expect("dev set rxe0 param rpg_ai_rate=50mbit rpg_threshold=9 rpg_time_reset=10s",
	       1, "param rpg_time_reset: value 10s: not in 1us..1s");
	expect("dev set rxe0 param rpg_ai_rate=50mbit knob burst=2mb", 1,
	       "rxecc: dev rxe0: knob burst: value 2mb: not in 0b..1mb\n");
	fake.sets = 0;
	expect("dev set rxe0 param rpg_ai_rat=1mbit", 2,
	       "dev rxe0: param rpg_ai_rat: algorithm dcqcn has no such parameter, did you mean rpg_ai_rate?");
	expect("dev set rxe0 param kmin=1mbit", 2, "no such parameter\n");
	expect("dev set rxe0 knob brust=1kb", 2,
	       "knob brust: no such knob, did you mean burst?");
	expect("param set rxe0 brust=1kb", 2, "did you mean burst?");
	expect("dev set rxe0 algo none param rpg_ai_rate=1mbit", 2,
	       "algorithm none has no such parameter (it has none)");
	expect("dev set rxe0 preset papre", 2, "did you mean paper?");
	expect("dev set rxe0 param rpg_ai_rate=40us", 2,
	       "param rpg_ai_rate: value 40us: unit us: needs a rate");
	expect("dev set rxe0 param rpg_ai_rate=40gbps", 2, "ambiguous");
	expect("dev set rxe0 param rpg_ai_rate=", 2, "value is missing");
	expect("dev set rxe0 param =5", 2, "expected NAME=VALUE");
	expect("dev set rxe0 param rpg_ai_rate", 2, "expected NAME=VALUE");
	expect("dev set rxe0 param rpg_ai_rate=1mbit rpg_ai_rate=2mbit", 2,
	       "rpg_ai_rate: given twice");
	expect("dev set rxe0 algo dcqcn algo none", 2, "algo given twice");
	expect("dev set rxe0 p x", 2, "unknown keyword p");
	expect("dev set rxe0 algo", 2, "algo needs a value");
	expect("dev set rxe0", 2, "needs a device and something");
	expect("dev set rxe0 algo cubic", 1,
	       "rxecc: algo cubic: no such algorithm");
	expect("dev set rxe9 algo dcqcn", 1, "rxecc: dev rxe9: no such device");
	expect("dev set rxe0/x algo dcqcn", 2, "x is not a port number");
	expect("param set rxe0", 2, "needs a device and NAME=VALUE");
	expect("qp set rxe0 x algo dcqcn", 2, "qpn x: not a 24-bit number");
	expect("qp set rxe0 17 dcqcn", 2, "needs DEV QPN algo");
	expect("qp set rxe0 17 algo cubic extra", 2, "needs DEV QPN algo");
	ktap(!fake.sets, "no set request was sent", "%u were", fake.sets);
	expect("qp set rxe0 17 algo cubic", 1,
	       "rxecc: dev rxe0: qpn 17: algo cubic: no such algorithm");
	expect("qp set rxe0 99 algo dcqcn", 1,
	       "rxecc: dev rxe0: qpn 99: no such queue pair");
	fake.admin = false;
	expect("dev set rxe0 algo none", 1, "Operation not permitted (changes need CAP_NET_ADMIN)");
	expect("qp set rxe0 17 algo none", 1, "CAP_NET_ADMIN");
	fake.admin = true;
	ktap(!strcmp(fake.devs[0].algo, before[0].algo) &&
	     !memcmp(fake.devs[0].param, before[0].param,
		     sizeof(before[0].param)) &&
	     !memcmp(fake.devs[0].knob, before[0].knob,
		     sizeof(before[0].knob)), "nothing changed", "it did");
	fake.no_extack = true;
	expect("dev set rxe0 param rpg_ai_rate=1", 1,
	       "rxecc: dev rxe0: Numerical result out of range");
	fake.no_extack = false;
}

static void test_commands(void)
{
	unsigned int sent = fake.commands;

	expect("algo show dcqcn", 0, "    command announce scope peer: for the test\n");
	expect("algo show dcqcn", 0, "        bytes  bytes  -        10b  1mb\n");
	expect("algo show dcqcn", 0, "    command forget scope port: for the test\n");
	expect_json("-j algo show dcqcn", "0.commands.announce.args.bytes.max", 1 << 20);
	expect_json("-j algo show dcqcn", "0.commands.announce.args.flows.default", 3);

	expect("qp cmd rxe0 17 window bytes=8kb flows=2", 0, "was_bytes  4kb\n");
	ktap(fake.arg == 8192, "the argument arrived", "%llu", (unsigned long long)fake.arg);
	expect_json("-j qp cmd rxe0 17 window bytes=10", "results.was_bytes", 4096);
	expect("dev cmd rxe0 peer 10.0.0.1 announce bytes=10", 0, "was_bytes");
	expect("dev cmd rxe0 peer fe80::1 algo dcqcn announce bytes=10", 0, "was_bytes");
	expect("dev cmd rxe0/1 forget", 0, "was_bytes");
	ktap(fake.commands == sent + 5, "five requests", "%u", fake.commands - sent);

	expect("qp cmd rxe0 17 window bytes=9", 1,
	       "dev rxe0: qpn 17: arg bytes: value 9: not in 10b..1mb\n");
	expect("dev cmd rxe0 peer 10.0.0.1 announce bytes=666", 1,
	       "dev rxe0: cmd announce: dcqcn: the quota is used up\n");
	sent = fake.commands;
	expect("qp cmd rxe0 17 windo bytes=10", 2,
	       "algorithm dcqcn has no such command, did you mean window?\n");
	expect("dev cmd rxe0 algo none forget", 2, "algorithm none has no such command (it has none)\n");
	expect("qp cmd rxe0 17 window byte=10", 2,
	       "dev rxe0: qpn 17: cmd window: arg byte: no such argument\n");
	expect("qp cmd rxe0 17 window bytes=10us", 2, "arg bytes: value 10us: ");
	expect("qp cmd rxe0 17 window bytes=10 bytes=11", 2, "bytes: given twice\n");
	expect("qp cmd rxe0 17 window bytes", 2, "bytes: expected NAME=VALUE\n");
	expect("qp cmd rxe0 17 forget", 2, "cmd forget: a command to a port, see rxecc dev help\n");
	expect("dev cmd rxe0 window bytes=10", 2, "a command to a qp, see rxecc qp help\n");
	expect("dev cmd rxe0 announce bytes=10", 2, "cmd announce: needs peer ADDR\n");
	expect("dev cmd rxe0 peer 10.0.0.1 forget", 2, "cmd forget: not about a peer\n");
	expect("dev cmd rxe0 peer 10.0.0 announce bytes=10", 2, "peer 10.0.0: not an IP address\n");
	expect("dev cmd rxe0 peer 10.0.0.1", 2, "dev cmd: the command is missing\n");
	expect("dev cmd rxe0", 2, "dev cmd: needs DEV");
	expect("qp cmd rxe0 17", 2, "qp cmd: needs DEV QPN");
	expect("qp cmd rxe0 x window", 2, "qpn x: not a 24-bit number");
	expect("qp cmd rxe9 17 window", 1, "dev rxe9: qpn 17: ");
	ktap(fake.commands == sent, "none was sent", "%u", fake.commands - sent);
	fake.admin = false;
	expect("dev cmd rxe0 forget", 1, "(changes need CAP_NET_ADMIN)\n");
	fake.admin = true;
}

static void test_usage(void)
{
	expect("frob", 2, "unknown object frob");
	expect("-x dev", 2, "unknown option -x");
	expect("--frob dev", 2, "unknown option --frob");
	expect("dev frob", 2, "dev: unknown command frob");
	expect("dev show rxe0 x", 2, "unexpected argument x");
	expect("algo frob", 2, "algo: unknown command frob");
	expect("algo show dcqcn x", 2, "unexpected argument x");
	expect("algo show cubic", 1, "algo cubic: no such algorithm, and no module rxe_cc_cubic");
	expect("qp frob", 2, "qp: unknown command frob");
	expect("qp show dev", 2, "dev needs a value");
	expect("qp dev rxe9 qpn 17", 1, "dev rxe9: qpn 17: no such device");
	expect("qp dev rxe0 qpn 99", 1, "dev rxe0: qpn 99: No such file");
	expect("qp qpn 0x1000000", 2, "not a 24-bit number");
	expect("param", 2, "needs a device");
	expect("stats -i", 2, "-i needs a value");
	expect("stats -i 5kb", 2, "stats: -i 5kb: unit kb: needs a time");
	expect("stats -i 0", 2, "must not be 0");
	expect("stats -c 5", 2, "-c needs -i");
	expect("stats rxe9", 1, "dev rxe9: no such device");
	expect("stats --openmetrics -i 1s", 2, "neither -j nor -i");
	expect("-j stats --openmetrics", 2, "neither -j nor -i");
	expect("top -i 0", 2, "top: -i 0: must not be 0");
	expect("top -l", 2, "top: -l needs a value");
	expect("top -l 0", 2, "top: -l 0: needs a whole number above 0");
	expect("top -z", 2, "top: unexpected argument -z");
	expect("top rxe0 rxe1", 2, "top: unexpected argument rxe1");
	expect("top rxe9", 1, "dev rxe9: no such device");
	expect("monitor x", 2, "unexpected argument x");
	expect("monitor -c 0", 2, "-c 0");
	fake.loaded = false;
	expect("dev", 1, "rxecc: module rxe_cc is not loaded (modprobe rxe_cc)\n");
	expect("qp set rxe0 17 algo dcqcn", 1, "is not loaded");
	expect("stats -i 10ms", 1, "is not loaded");
	expect("top", 1, "is not loaded");
	fake.loaded = true;
}

static void test_watch(void)
{
	struct json_object *o;

	expect("stats rxe0 -i 10ms -c 2", 0, " dev rxe0/1 np_cnp_sent 5\n");
	/* A device made anew: 10, 15, 2, 7. */
	fake.devs[0].counter = 10;
	fake.devs[0].anew_at = 20;
	expect("stats rxe0 -i 10ms -c 3", 0, " np_cnp_sent 2\n");
	ktap(!strstr(out, "18446"), "stats -i: a counter that goes down", "%s", out);
	fake.devs[0].anew_at = 0;
	o = json_of("-j stats rxe0 -i 10ms -c 1");
	ktap(json_num(o, "devs.0.counters.np_cnp_sent") == 5 &&
	     !json_num(o, "devs.0.counters.rp_cnp_handled"),
	     "stats -j -i: differences", "%s", out);
	json_object_put(o);
}

/* A family has its lines together, and the text ends with its mark. */
static void test_openmetrics(void)
{
	static const char family[] =
		"# TYPE rxecc_np_cnp_sent counter\n# HELP rxecc_np_cnp_sent CNPs sent\n"
		"rxecc_np_cnp_sent_total{device=\"rxe0\",port=\"1\"} ";
	size_t len;

	expect("stats --openmetrics", 0, family);
	ktap(strstr(out, "rxecc_device_info{device=\"rxe0\",port=\"1\",algorithm=\"dcqcn\"} 1\n"),
	     "openmetrics: algorithm", "%s", out);
	ktap(strstr(out, "\nrxecc_rp_cnp_handled_total{device=\"rxe1\",port=\"1\"} 7\n"),
	     "openmetrics: another device", "%s", out);
	len = strlen(out);
	ktap(len > 6 && !strcmp(out + len - 6, "# EOF\n"), "openmetrics: end", "%s", out);
	expect("stats rxe0 --openmetrics", 0, family);
	ktap(!strstr(out, "rxe1"), "openmetrics: one device", "%s", out);
}

static void test_top(void)
{
	struct json_object *o;

	expect("top -i 10ms -c 2", 0, "QUEUE PAIR");
	o = json_of("-j top rxe0 -i 20ms -c 1");
	ktap(json_num(o, "interval_ns") >= 20000000 && json_num(o, "qps.0.qpn") == 17,
	     "top -j", "%s", out);
	json_object_put(o);
}

/* Notifications come when the program already listens. */
static void *notify_later(void *arg)
{
	struct timespec ts = { .tv_nsec = 200000000 };

	nanosleep(&ts, NULL);
	fake_notify(&fake, RXE_CC_CMD_DEV_NTF);
	fake_notify(&fake, 99);
	fake_notify(&fake, RXE_CC_CMD_QP_NTF);
	fake_notify(&fake, RXE_CC_CMD_DEV_DEL_NTF);
	return arg;
}

static void test_monitor(void)
{
	struct json_object *o;
	pthread_t t;

	pthread_create(&t, NULL, notify_later, NULL);
	expect("monitor -c 3", 0, " dev rxe0/1 algo dcqcn line-rate 100Gbit\n");
	ktap(strstr(out, " qp dev rxe0/1 qpn 17 algo dcqcn\n") &&
	     strstr(out, " dev rxe1/1 removed\n"), "monitor: all kinds", "%s",
	     out);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, notify_later, NULL);
	o = json_of("-j monitor -c 1");
	ktap(json_num(o, "params.rpg_time_reset.value") == 300000 &&
	     json_num(o, "time_ns") > 1000000000, "monitor -j", "%s", out);
	json_object_put(o);
	pthread_join(t, NULL);
}

int main(void)
{
	fake_start(&fake);
	test_show();
	test_dumps();
	test_set();
	test_refused();
	test_commands();
	test_usage();
	test_watch();
	test_openmetrics();
	test_top();
	test_monitor();
	fake_stop(&fake);
	free(out);
	free(err);
	return ktap_end();
}
