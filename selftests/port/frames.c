// SPDX-License-Identifier: GPL-2.0
/*
 * The program "frames", its main(): reads the script, one step a line ("STEP [PORT]
 * [KEY=VALUE]..."), and calls the step. See frames.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "frames.h"

static const char usage[] =
"Usage: frames [FILE]\n"
"Send, receive and judge frames at ports of the \"roce\" qdisc, by a script:\n"
"\n"
"port NAME...                  open devices: DEV or NETNS:DEV\n"
"trace EVENT...                record roce_EVENT from here on\n"
"data PORT[,PORT] to=PORT      RoCEv2 packets, from several ports in turn\n"
"     [flow=N] [count=N] [size=BYTES|MIN-MAX] [dscp=N] [ecn=N] [v6] [vlan=N]\n"
"     [gap=TIME] [via=PORT]     to a router's port; each has a flow of its own,\n"
"                               from N up\n"
"     [int=BITMAP] [ds=BITMAP] [hops=N] [domain=N]    with INT headers\n"
"pfc PORT enable=BITS quanta=N[,...8] [count=N] [gap=TIME]\n"
"control PORT opcode=N [len=N] [dst=MAC] [count=N]   any MAC control frame\n"
"wait TIME                     let time pass\n"
"run COMMAND...                a shell command\n"
"settle [TIME]                 until nothing has come in for so long (1ms)\n"
"ids PORT [node=N] [port=N]     what it calls itself, if not by MAC and ifindex\n"
"path FLOW [IN>]PORT,... [flags=EM]   ports that push, where it came in; flags\n"
"dump PORT [FILE]              print what came in, a line each\n"
"pcap PORT FILE                write what came in\n"
"check-int PORT [rates=PORT@RATE,...]     INT at PORT against the trace\n"
"check-count PORT EVENT [min=N] [max=N]   events in the trace\n"
"check-same PORT               packets at PORT are as they were sent\n"
"check-pause PORT ...          starts of transmissions against a model\n"
"check-xoff PORT out=PORT ...  PFC frames that PORT sends, against a model\n"
"check-response PORT at=PORT ...  INT responses of PORT, against a model\n"
"check-mercury PORT at=PORT ...   Mercury's CNPs of PORT, against a model\n"
"check-cnps PORT [vlan=N] [least=N]  CNPs that have come to PORT, and their tag\n"
"feedback PORT rate=MBIT ...       LSCC's message, see frames_lscc.c, as are\n"
"cnp, check-feedback, check-direct, check-ect PORT ...\n"
"fuzz ...                      mutated frames, see frames_fuzz.c\n"
"\n"
"Times take ns, us, ms, s; sizes kb, mb; rates mbit, gbit. Exit status: 0,\n"
"1 a check failed, 2 the script or the system is wrong.\n";

void die(const char *fmt, ...)
{
	va_list ap;

	fputs("frames: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	if (errno)
		fprintf(stderr, ": %s", strerror(errno));
	fputc('\n', stderr);
	exit(2);
}

/* The first few are enough to see what is wrong. */
void fail(struct lab *lab, const char *fmt, ...)
{
	va_list ap;

	if (lab->failures++ >= 12)
		return;
	printf("line %d: ", lab->line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* xorshift64*: not the kernel's dice */
uint64_t dice(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return *s * 2685821657736338717ULL;
}

uint64_t parse_number(const char *text)
{
	static const struct {
		const char *unit;
		uint64_t factor;
	} units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 }, { "b", 1 }, { "kb", 1024 },
		{ "mb", 1 << 20 }, { "mbit", 1000000 }, { "gbit", 1000000000 },
	};
	unsigned int i;
	uint64_t v;
	char *end;

	errno = 0;
	v = strtoull(text, &end, 0);
	for (i = 0; end != text && i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].unit))
			return v * units[i].factor;
	errno = 0;
	die("\"%s\" is no number", text);
}

const char *arg_text(const struct args *a, const char *key)
{
	size_t len = strlen(key);
	int i;

	for (i = 1; i < a->count; i++)
		if (!strncmp(a->word[i], key, len) &&
		    (a->word[i][len] == '=' || !a->word[i][len]))
			return a->word[i] + len + (a->word[i][len] == '=');
	return NULL;
}

uint64_t arg_number(const struct args *a, const char *key, uint64_t otherwise)
{
	const char *text = arg_text(a, key);

	return text ? parse_number(text) : otherwise;
}

struct port *find_port(struct lab *lab, const char *name)
{
	int i;

	for (i = 0; i < lab->nr_ports; i++)
		if (!strcmp(lab->port[i].name, name))
			return &lab->port[i];
	errno = 0;
	die("line %d: no port \"%s\"", lab->line, name);
}

struct port *arg_port(struct lab *lab, const struct args *a, const char *key)
{
	const char *name = arg_text(a, key);

	errno = 0;
	if (!name)
		die("line %d: %s=PORT is missing", lab->line, key);
	return find_port(lab, name);
}

struct flow *find_flow(struct lab *lab, uint64_t id)
{
	errno = 0;
	if (id >= MAX_FLOWS)
		die("line %d: flow %llu: at most %d", lab->line,
		    (unsigned long long)id, MAX_FLOWS - 1);
	return &lab->flow[id];
}

static void step_port(struct lab *lab, const struct args *a)
{
	int i;

	for (i = 1; i < a->count; i++) {
		errno = 0;
		if (lab->nr_ports == MAX_PORTS)
			die("line %d: more than %d ports", lab->line, MAX_PORTS);
		port_open(&lab->port[lab->nr_ports++], a->word[i]);
	}
}

static void step_trace(struct lab *lab, const struct args *a)
{
	int i;

	for (i = 0; i < lab->nr_ports; i++) {
		port_drain(&lab->port[i], false);
		port_forget(&lab->port[i]);
	}
	lab->trace.count = 0;
	trace_start(a);
}

static void step_wait(struct lab *lab, const struct args *a)
{
	(void)lab;
	sleep_ns(a->count > 1 ? parse_number(a->word[1]) : 0);
}

static void step_run(struct lab *lab, const struct args *a)
{
	char cmd[4096] = "";
	int i;

	for (i = 1; i < a->count; i++) {
		strncat(cmd, a->word[i], sizeof(cmd) - strlen(cmd) - 2);
		strcat(cmd, " ");
	}
	fflush(stdout);
	if (system(cmd))
		fail(lab, "failed: %s", cmd);
}

static void step_settle(struct lab *lab, const struct args *a)
{
	ports_settle(lab, a->count > 1 ? parse_number(a->word[1]) : 1000000,
		     true);
	trace_read(&lab->trace);
}

static void step_pcap(struct lab *lab, const struct args *a)
{
	errno = 0;
	if (a->count != 3)
		die("line %d: pcap PORT FILE", lab->line);
	write_pcap(find_port(lab, a->word[1]), a->word[2]);
}

static const struct step {
	const char *name;
	void (*fn)(struct lab *lab, const struct args *a);
} steps[] = {
	{ "port", step_port }, { "trace", step_trace }, { "wait", step_wait },
	{ "run", step_run }, { "settle", step_settle }, { "pcap", step_pcap },
	{ "data", step_data }, { "pfc", step_pfc }, { "control", step_control },
	{ "ids", step_ids }, { "path", step_path }, { "dump", step_dump },
	{ "check-int", step_check_int }, { "check-same", step_check_same },
	{ "check-count", step_check_count },
	{ "check-pause", step_check_pause }, { "check-xoff", step_check_xoff },
	{ "check-response", step_check_response },
	{ "check-mercury", step_check_mercury }, { "check-cnps", step_check_cnps },
	{ "feedback", step_feedback },
	{ "cnp", step_cnp }, { "check-feedback", step_check_feedback },
	{ "check-direct", step_check_direct },
	{ "check-ect", step_check_ect },
	{ "fuzz", step_fuzz },
};

static void run_line(struct lab *lab, char *text)
{
	struct args a = { .count = 0 };
	unsigned int i;
	char *word;

	for (word = strtok(text, " \t\n"); word && *word != '#';
	     word = strtok(NULL, " \t\n")) {
		errno = 0;
		if (a.count == (int)ARRAY_SIZE(a.word))
			die("line %d: too long", lab->line);
		a.word[a.count++] = word;
	}
	if (!a.count)
		return;
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (strcmp(a.word[0], steps[i].name))
			continue;
		steps[i].fn(lab, &a);
		return;
	}
	errno = 0;
	die("line %d: no step \"%s\" (--help lists them)", lab->line, a.word[0]);
}

int main(int argc, char **argv)
{
	static struct lab lab;
	FILE *in = stdin;
	char text[4096];

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
		fputs(usage, stderr);
		return 2;
	}
	if (argc == 2) {
		in = fopen(argv[1], "r");
		if (!in)
			die("%s", argv[1]);
	}
	prctl(PR_SET_TIMERSLACK, 1);
	while (fgets(text, sizeof(text), in)) {
		lab.line++;
		run_line(&lab, text);
	}
	if (lab.failures)
		printf("%d failures\n", lab.failures);
	return !!lab.failures;
}
