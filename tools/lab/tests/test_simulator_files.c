// SPDX-License-Identifier: GPL-2.0
/*
 * Files of other simulators: which flows and which network they are, counted by hand, and what
 * is said of those that are damaged or of something that the lab has not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/tests/ktap.h"
#include "lab.h"

static char dir[] = "/tmp/lab_test.XXXXXX";

/* What was said on stderr until take_errors(). */
static char *said;
static size_t said_len;
static FILE *real_stderr;

static void catch_errors(void)
{
	free(said);
	real_stderr = stderr;
	stderr = open_memstream(&said, &said_len);
}

/* The message behind the name of the file; "" if there was none. */
static const char *take_errors(void)
{
	const char *name;

	fclose(stderr);
	stderr = real_stderr;
	name = strstr(said, dir);
	return name ? strchr(name, ':') ? strchr(name, ':') : name : said;
}

static char *put(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);

	if (write_file(path, "%s", text))
		return NULL;
	return path;
}

static struct plan *plan_of(const char *scenario, const char *set)
{
	struct scenario *sc = scenario_load(scenario);
	struct plan *p = NULL;

	if (!sc || (set && scenario_set(sc, set)) ||
	    (strcmp(scenario, "star") == 0 && scenario_set(sc, "n=4")) ||
	    plan_resolve(sc) || plan_build(sc, 1, &p)) {
		if (sc)
			scenario_free(sc);
		return NULL;
	}
	return p;
}

static void put_plan(struct plan *p)
{
	struct scenario *sc = p ? p->sc : NULL;

	if (p)
		plan_free(p);
	if (sc)
		scenario_free(sc);
}

/* " after 0+2s@500 +30" of a flow that waits: for flow 2 to start, 500 ns; then 30 for all */
static char *after_text(struct plan *p, const struct lab_flow *f)
{
	char *text = xstrdup(""), *more;
	uint32_t k;

	if (!f->after)
		return text;
	for (k = p->after.list[f->after - 1].begin; k < p->after.list[f->after].begin; k++) {
		more = xasprintf("%s%s%u%s", text, *text ? "+" : " after ",
				 depend_node(p->after.edge[k]),
				 depend_on_start(p->after.edge[k]) ? "s" : "");
		free(text);
		text = more;
		if (!depend_edge_delay(&p->after, k))
			continue;
		more = xasprintf("%s@%d", text, (int)depend_edge_delay(&p->after, k));
		free(text);
		text = more;
	}
	if (!p->after.list[f->after - 1].delay_ns)
		return text;
	more = xasprintf("%s +%d", text, (int)p->after.list[f->after - 1].delay_ns);
	free(text);
	return more;
}

/* "h0>h3 70000 @250000 incast; h1>h0 1 @0 after 0; ..." */
static char *flows_text(struct plan *p)
{
	char *text = xstrdup(""), *more;
	int i;

	for (i = 0; i < p->n_flows; i++) {
		struct lab_flow *f = &p->flows[i];
		char *after = after_text(p, f);

		more = xasprintf("%s%s%s>%s %lld @%lld%s%s", text, i ? "; " : "",
				 p->nodes[f->src].name, p->nodes[f->dst].name, (long long)f->bytes,
				 (long long)f->start_ns,
				 strcmp(p->groups[f->group], "incast") ? "" : " incast", after);
		free(after);
		free(text);
		text = more;
	}
	return text;
}

/* Star of four hosts h0 to h3. Of good files the flows, of others the message. */
static const struct {
	const char *name, *text, *flows, *error;
	int64_t first_ns, left_out;
} flows[] = {
	/* The first start is 2.00025 s; one line more than announced. */
	{ .name = "flow_txt",
	  .text = "3\n0 3 3 100 70000 2.0005\n1 3 3 200 2000 2.00025\n2 0 3 100 1 2.0005\n0 1 3 100 5 3\n",
	  .flows = "h1>h3 2000 @0 incast; h0>h3 70000 @250000; h2>h0 1 @250000",
	  .first_ns = 2000250000, .left_out = 1 },
	{ .name = "flow_txt_crlf_comments",
	  .text = "# a trace\r\n\r\n2 # flows\r\n0 1 3 10001 1000000000000 0.1\r\n# more\r\n\t1 0  3 10002 9 0.1 \r\n",
	  .flows = "h0>h1 1000000000000 @0; h1>h0 9 @0", .first_ns = 100000000 },
	{ .name = "flow_txt_byte_order_mark",
	  .text = "\xef\xbb\xbf# by hand\r\n1\r\n3 2 3 100 4096 0\r\n",
	  .flows = "h3>h2 4096 @0" },
	{ .name = "flow_txt_without_dport", .text = "1\n3 2 3 4096 0\n", .flows = "h3>h2 4096 @0" },
	{ .name = "flow_txt_exponent", .text = "1\n3 2 3 100 4096 1e-6\n", .flows = "h3>h2 4096 @0",
	  .first_ns = 1000 },
	/* Starts are in ps: 1500 is 1.5 ns, and 2 ns after that of the first. */
	{ .name = "cm",
	  .text = "Nodes 4\nConnections 3\n0->3 id 1 start 2000000 size 9000\n"
		  "1->2 id 2 start 0 size 100 prio 1\n2->1 id 3 start 1500 size 7 send_done_trigger 4\n"
		  "trigger id 4 oneshot\n",
	  .flows = "h1>h2 100 @0; h2>h1 7 @2; h0>h3 9000 @2000" },
	/*
	 * The flow of line 3 starts 1 us after that of line 5, and each that waits is behind the
	 * one of the line before it. So those of lines 5, 6, 3, 4 are 0 to 3, and line 6 waits for
	 * lines 3 and 4.
	 */
	{ .name = "cm_triggers",
	  .text = "Connections 4\nTriggers 2\n0->1 id 1 start 3000000 size 10 send_done_trigger 7\n"
		  "1->0 id 2 trigger 8 size 20 recv_done_trigger 7\n"
		  "2->3 id 4 start 2000000 size 40 recv_done_trigger 8\n"
		  "3->2 id 3 trigger 7 size 30 send_done_trigger 0\n"
		  "trigger id 7 barrier count 2\ntrigger id 8 oneshot\n",
	  .flows = "h2>h3 40 @0; h3>h2 30 @0 after 2+3; h0>h1 10 @1000; h1>h0 20 @0 after 0",
	  .first_ns = 2000 },
	/* Of a trigger that no flow waits for anything goes. */
	{ .name = "cm_trigger_unused",
	  .text = "0->1 start 0 size 9 send_done_trigger 1 recv_done_trigger 1\ntrigger id 1 multishot\n"
		  "2->3 start 0 size 9 send_done_trigger 5\n",
	  .flows = "h0>h1 9 @0; h2>h3 9 @0" },
	{ .name = "cm_crlf_comments",
	  .text = "# m\r\nNodes 4\r\nConnections 1\r\nTriggers 0\r\nFailures 0\r\n\r\n0->3 start 5000 size 9000\r\n",
	  .flows = "h0>h3 9000 @0", .first_ns = 5 },
	{ .name = "cm_without_head", .text = "0->3 id 1 start 0 size 9000\n",
	  .flows = "h0>h3 9000 @0" },
	/*
	 * Rank 0 sends after 500 ns; rank 1 has it, computes 30 ns and sends it on. Rank 0's second
	 * message leaves when its first has left; the third 7 ns after the second has started.
	 * Calcs alone take 7 and 30 ns, so these start no earlier than that in any case.
	 */
	{ .name = "goal",
	  .text = "num_ranks 3\nrank 0 {\nl1: calc 500 cpu 0\nl2: send 9000b to 1 tag 7 cpu 0 nic 0\n"
		  "l2 requires l1\nl3: send 20b to 2\nl3 requires l2\nl4: calc 7\nl4 irequires l3\n"
		  "l5: send 0b to 2\nl5 requires l4\n}\n# next\r\nrank 2 {\r\nrecv 20b from 0\r\n"
		  "recv 0b from 0\nrecv 9000b from 1 tag 7\n}\nrank 1 {\nl1: recv 9000b from 0 tag 7\n"
		  "l3: send 9000b to 2 tag 7\nl3 requires l2\nl2 requires l1\nl2: calc 30\n}\n",
	  .flows = "h0>h1 9000 @500; h0>h2 20 @0 after 0; h0>h2 1 @7 after 1s +7; "
		   "h1>h2 9000 @30 after 0 +30" },
	/*
	 * Rank 1 gets a and then b, with a calc before each recv: what it sends starts 40 ns after
	 * b is there, and 140 after a is, and 1140 ns after the start.
	 */
	{ .name = "goal_delays",
	  .text = "num_ranks 3\nrank 0 {\na: send 5b to 1 tag 1\n}\nrank 2 {\nb: send 6b to 1 tag 1\n"
		  "r: recv 8b from 1\n}\nrank 1 {\nc0: calc 1000\nra: recv 5b from 0 tag 1\nra requires c0\n"
		  "c1: calc 100\nc1 requires ra\nrb: recv 6b from 2 tag 1\nrb requires c1\nc2: calc 40\n"
		  "c2 requires rb\ns: send 8b to 2\ns requires c2\n}\n",
	  .flows = "h0>h1 5 @0; h2>h1 6 @0; h1>h2 8 @1140 after 0@140+1@40" },
	/* Two sends of one rank with one tag are had in their order, and one time each. */
	{ .name = "goal_order",
	  .text = "num_ranks 2\nrank 1 {\nx: recv 1b from 0\ny: recv 2b from 0\nz: send 3b to 0\n"
		  "z requires y\nz requires y\n}\nrank 0 {\nsend 1b to 1\nsend 2b to 1\nrecv 3b from 1\n}\n",
	  .flows = "h1>h0 3 @0 after 2; h0>h1 1 @0; h0>h1 2 @0" },
	{ .name = "csv_delays", .text = "id,src,dst,bytes,start_ns,after,after_start\n"
		  "0,h0,h3,5,7,,\n1,h0,h3,5,7,0@30,0\n",
	  .flows = "h0>h3 5 @7; h0>h3 5 @7 after 0@30+0s" },
	{ .name = "csv_delay", .text = "id,src,dst,bytes,start_ns,after\n0,h0,h3,5,7,\n1,h0,h3,5,7,0@x\n",
	  .error = ":3: after \"x\": not a whole number of ns" },
	{ .name = "csv", .text = "id,src,dst,bytes,start_ns\n0,h0,h3,5,7\n",
	  .flows = "h0>h3 5 @7" },

	{ .name = "flow_txt_count", .text = "0\n",
	  .error = ":1: the number of flows is not from 1 to 4000000" },
	{ .name = "flow_txt_ends", .text = "2\n0 1 3 100 5 0\n",
	  .error = ":2: the file ends after 1 flows; line 1 says 2" },
	{ .name = "flow_txt_columns", .text = "1\n\n0 1 3 100\n",
	  .error = ":3: 4 columns, not src dst pg dport bytes start_s" },
	{ .name = "flow_txt_host", .text = "1\n0 4 3 100 5 0\n",
	  .error = ":2: no host 4 in scenario star, which has 4 hosts" },
	{ .name = "flow_txt_host_name", .text = "1\nh0 1 3 100 5 0\n",
	  .error = ":2: host \"h0\": not a number" },
	{ .name = "flow_txt_self", .text = "1\n2 2 3 100 5 0\n",
	  .error = ":2: a flow from host 2 to itself" },
	{ .name = "flow_txt_bytes", .text = "1\n0 1 3 100 0 0\n",
	  .error = ":2: 0 bytes: not a whole number from 1 to 2^50" },
	{ .name = "flow_txt_dport", .text = "1\n0 1 3 65536 1 0\n",
	  .error = ":2: dport \"65536\": not a number up to 65535" },
	{ .name = "flow_txt_start", .text = "1\n0 1 3 100 1 -1\n",
	  .error = ":2: start \"-1\": not a time in seconds" },
	{ .name = "flow_txt_hex", .text = "1\n0 1 3 100 1 0x1p3\n",
	  .error = ":2: start \"0x1p3\": not a time in seconds" },
	{ .name = "flow_txt_late", .text = "1\n0 1 3 100 1 1e7\n",
	  .error = ":2: start \"1e7\": not a time in seconds" },
	{ .name = "cm_trigger_alone",
	  .text = "Nodes 4\nConnections 1\nTriggers 1\n0->1 id 1 trigger 1 size 9\n",
	  .error = ":4: no line \"trigger id 1 oneshot\" or \"barrier\"" },
	{ .name = "cm_trigger_never",
	  .text = "0->1 id 1 trigger 1 size 9\ntrigger id 1 oneshot\n",
	  .error = ":2: trigger 1 needs 1 flows that set it off, and has 0" },
	{ .name = "cm_trigger_too_often",
	  .text = "0->1 start 0 size 9 send_done_trigger 1 recv_done_trigger 1\n"
		  "1->0 trigger 1 size 9\ntrigger id 1 oneshot\n",
	  .error = ":3: trigger 1 needs 1 flows that set it off, and has 2" },
	{ .name = "cm_trigger_twice",
	  .text = "0->1 start 0 size 9 send_done_trigger 1\n1->0 trigger 1 size 9\n"
		  "trigger id 1 oneshot\ntrigger id 1 oneshot\n",
	  .error = ":4: trigger 1 is there twice" },
	{ .name = "cm_trigger_circle",
	  .text = "0->1 trigger 1 size 9 send_done_trigger 2\n2->3 start 7 size 1\n"
		  "1->0 trigger 2 size 9 send_done_trigger 1\ntrigger id 1 oneshot\ntrigger id 2 oneshot\n",
	  .error = ":3: in a circle, this flow waits for itself" },
	{ .name = "cm_multishot",
	  .text = "0->1 start 0 size 9 send_done_trigger 1\n1->0 trigger 1 size 9\n"
		  "trigger id 1 multishot\n",
	  .error = ":3: a multishot trigger: which flow it starts next depends on" },
	{ .name = "cm_trigger_kind", .text = "Nodes 4\ntrigger id 3\n",
	  .error = ":2: a trigger without oneshot or barrier count" },
	{ .name = "cm_trigger_id", .text = "Nodes 4\ntrigger barrier count 2\n",
	  .error = ":2: a trigger without id" },
	{ .name = "cm_trigger_word", .text = "Nodes 4\ntrigger id 3 twoshot\n",
	  .error = ":2: unknown word \"twoshot\"" },
	{ .name = "cm_trigger_count", .text = "Nodes 4\ntrigger id 3 barrier count\n",
	  .error = ":2: no number behind \"count\"" },
	{ .name = "cm_start_and_trigger", .text = "0->1 start 0 trigger 1 size 9\n",
	  .error = ":1: a flow with start and trigger" },
	{ .name = "cm_failures", .text = "Nodes 4\nConnections 1\nFailures 1\n",
	  .error = ":3: failures of links are not read from such files" },
	{ .name = "cm_nodes", .text = "Nodes 5\nConnections 1\n",
	  .error = ":1: 5 nodes; scenario star has 4 hosts" },
	{ .name = "cm_count", .text = "Nodes 4\nConnections 2\n0->1 start 0 size 9\n",
	  .error = ":3: the file has 1 connections, and says 2" },
	{ .name = "cm_no_flows", .text = "Nodes 4\n", .error = ":1: no flows" },
	{ .name = "cm_word", .text = "Nodes 4\n0->1 start 0 size 9 colour 3\n",
	  .error = ":2: unknown word \"colour\"" },
	{ .name = "cm_line", .text = "Nodes 4\nfailure switch_type TOR\n",
	  .error = ":2: unknown word \"failure\"" },
	{ .name = "cm_value", .text = "Nodes 4\n0->1 start 0 size\n",
	  .error = ":2: nothing behind \"size\"" },
	{ .name = "cm_id", .text = "Nodes 4\n0->1 id x start 0 size 1\n",
	  .error = ":2: id \"x\": not a number" },
	{ .name = "cm_start", .text = "Nodes 4\n0->1 start x size 1\n",
	  .error = ":2: start \"x\": not a time in ps" },
	{ .name = "cm_no_start", .text = "Nodes 4\n0->1 size 1\n",
	  .error = ":2: a flow without start or trigger" },
	{ .name = "cm_no_size", .text = "Nodes 4\n0->1 start 0\n",
	  .error = ":2: a flow without size" },
	{ .name = "cm_head", .text = "Nodes four\n", .error = ":1: not Nodes and a number" },
	{ .name = "cm_host", .text = "Nodes 4\n0->h1 start 0 size 1\n",
	  .error = ":2: host \"h1\": not a number" },
	{ .name = "goal_ranks", .text = "num_ranks 5\n", .error = ":1: 5 ranks, and 4 hosts" },
	{ .name = "goal_rank", .text = "num_ranks 2\nrank 2 {\n}\n",
	  .error = ":2: rank 2 is beyond num_ranks" },
	{ .name = "goal_rank_twice", .text = "num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n",
	  .error = ":4: rank 0 is there twice" },
	{ .name = "goal_ends", .text = "num_ranks 2\nrank 0 {\n",
	  .error = ":2: the file ends in rank 0" },
	{ .name = "goal_line", .text = "num_ranks 2\nl1: calc 5\n",
	  .error = ":2: not \"rank NUMBER {\"" },
	{ .name = "goal_operation", .text = "num_ranks 2\nrank 0 {\nl1: put 5b to 1\n}\n",
	  .error = ":3: unknown operation \"put\"" },
	{ .name = "goal_label_alone", .text = "num_ranks 2\nrank 0 {\nl1:\n}\n",
	  .error = ":3: no operation behind l1" },
	{ .name = "goal_calc", .text = "num_ranks 2\nrank 0 {\nl1: calc\n}\n",
	  .error = ":3: calc: no time in ns" },
	{ .name = "goal_send", .text = "num_ranks 2\nrank 0 {\nl1: send 5b from 1\n}\n",
	  .error = ":3: not send BYTESb to and a rank" },
	{ .name = "goal_self", .text = "num_ranks 2\nrank 0 {\nrecv 5b from 0\n}\n",
	  .error = ":3: rank 0 and a message from rank 0, of 2 ranks" },
	{ .name = "goal_word", .text = "num_ranks 2\nrank 0 {\nsend 5b to 1 colour 3\n}\n",
	  .error = ":3: unknown word \"colour\"" },
	{ .name = "goal_tag", .text = "num_ranks 2\nrank 0 {\nsend 5b to 1 tag\n}\n",
	  .error = ":3: no number behind \"tag\"" },
	{ .name = "goal_label_twice", .text = "num_ranks 2\nrank 0 {\na: calc 1\na: calc 2\n}\n",
	  .error = ":4: label a is there twice" },
	{ .name = "goal_label", .text = "num_ranks 2\nrank 0 {\na: calc 1\na requires b\n}\n",
	  .error = ":4: no operation b in this rank" },
	{ .name = "goal_no_recv",
	  .text = "num_ranks 2\nrank 0 {\nsend 5b to 1\nsend 5b to 1\n}\nrank 1 {\nrecv 5b from 0\n}\n",
	  .error = ":4: no recv for this send" },
	{ .name = "goal_no_send",
	  .text = "num_ranks 2\nrank 0 {\nsend 5b to 1 tag 1\n}\nrank 1 {\nrecv 5b from 0 tag 2\nrecv 5b from 0 tag 1\n}\n",
	  .error = ":6: no send for this recv" },
	/* Four operations wait for each other: four steps back from the first are at the first. */
	{ .name = "goal_circle",
	  .text = "num_ranks 2\nrank 0 {\na: send 5b to 1\nb: recv 5b from 1\na requires b\n}\n"
		  "rank 1 {\na: send 5b to 0\nb: recv 5b from 0\na requires b\n}\n",
	  .error = ":3: in a circle, this operation waits for itself" },
	{ .name = "goal_no_flows", .text = "num_ranks 2\nrank 0 {\n}\n", .error = ":3: no flows" },
	{ .name = "csv_without_heading", .text = "0,h0,h3,5,7\n",
	  .error = ":1: the heading must be id,src,dst,bytes,start_ns" },
};

static void test_flows(void)
{
	char name[80], *path, *set, *text;
	const char *error;
	struct plan *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flows); i++) {
		snprintf(name, sizeof(name), "flows__%s", flows[i].name);
		path = put("flows", flows[i].text);
		set = xasprintf("flows_file=%s", path);
		catch_errors();
		p = plan_of("star", set);
		error = take_errors();
		text = p ? flows_text(p) : xstrdup("");
		if (flows[i].error)
			ktap(!p && strncmp(error, flows[i].error, strlen(flows[i].error)) == 0 &&
			     strchr(error, '\n') == error + strlen(error) - 1,
			     name, "got %s", error);
		else
			ktap(!*error && !strcmp(text, flows[i].flows) &&
			     js_int(p->traffic, "file_start_ns", 0) == flows[i].first_ns &&
			     js_int(p->traffic, "file_lines_left_out", 0) == flows[i].left_out,
			     name, "got %s%s", text, error);
		put_plan(p);
		free(text);
		free(set);
		free(path);
	}
}

/* "h0-s4 50 2000; ...", Gbit/s and ns, with what is lost in parts of 10^9 */
static char *links_text(struct plan *p)
{
	char *text = xstrdup(""), *more;
	int i;

	for (i = 0; i < p->n_links; i++) {
		struct lab_link *l = &p->links[i];

		more = xasprintf("%s%s%s-%s %g %lld", text, i ? "; " : "", p->nodes[l->a].name,
				 p->nodes[l->b].name, l->rate_bps / 1e9, (long long)l->delay_ns);
		free(text);
		text = more;
		if (!l->loss_ppb)
			continue;
		more = xasprintf("%s loss %lld", text, (long long)l->loss_ppb);
		free(text);
		text = more;
	}
	return text;
}

/* Of good files hosts and links with Gbit/s and ns, of others the message. */
#define TWO "3 1 2\n2\n"
static const struct {
	const char *name, *text, *links, *error;
	int hosts, own_flows;
} networks[] = {
	{ .name = "hpcc",
	  .text = "4 1 3\n3\n0 3 50Gbps 0.002ms 0\n1 3 100Gbps 1us 0.000000\n2 3 400Mbps 900ns 0\n",
	  .links = "h0-s3 50 2000; h1-s3 100 1000; h2-s3 0.4 900", .hosts = 3, .own_flows = 3 },
	{ .name = "crlf_comments",
	  .text = "# net\r\n\r\n4 1 3 # head\r\n3\r\n0 3 50Gbps 0.002ms 0\r\n\r\n1 3 100Gbps 1us 0\r\n# x\r\n2 3 1Tb/s 1s 0",
	  .error = ":9: rate \"1Tb/s\": not 1Mbps to 800Gbps" },
	{ .name = "inet_tub",
	  .text = "6 2 2 5\n4 5\n0 4 25000000000.0 1us 0\n1 4 25000000000.0 1us 0\n"
				      "2 5 25000000000 1us 0\n3 5 25000000000 1us 0\n4 5 100000000000.0 5us 0\n",
	  .links = "h0-s4 25 1000; h1-s4 25 1000; h2-s5 25 1000; h3-s5 25 1000; s4-s5 100 5000",
	  .hosts = 4, .own_flows = 4 },
	{ .name = "inet_tub_rates",
	  .text = "3 1 1 2 25000000000 25000000000\n2\n0 2 25000000000 2us 0\n1 2 25000000000 2us 0\n",
	  .links = "h0-s2 25 2000; h1-s2 25 2000", .hosts = 2, .own_flows = 2 },
	/* Two servers of two, each with its NVSwitch (4, 5), and one switch for all (6). */
	{ .name = "simai",
	  .text = "7 2 2 1 8 H100\n4 5 6\n0 4 2880Gbps 0.000025ms 0\n0 6 400Gbps 0.0005ms 0\n"
		"1 4 2880Gbps 0.000025ms 0\n1 6 400Gbps 0.0005ms 0\n2 5 2880Gbps 0.000025ms 0\n"
		"2 6 400Gbps 0.0005ms 0\n3 5 2880Gbps 0.000025ms 0\n3 6 400Gbps 0.0005ms 0\n",
	  .links = "h0-s6 400 500; h1-s6 400 500; h2-s6 400 500; h3-s6 400 500", .hosts = 4,
	  .own_flows = 4 },
	{ .name = "simai_two_lines",
	  .text = "5 2 1 2 5 A100\n2\n3 4\n0 2 1Gbps 0 0\n1 2 1Gbps 0 0\n0 3 1Gbps 0 0\n1 4 1Gbps 0 0\n3 4 1Gbps 0 0\n",
	  .links = "h0-s3 1 0; h1-s4 1 0; s3-s4 1 0", .hosts = 2, .own_flows = 2 },

	{ .name = "flow_txt", .text = "1\n0 1 3 100 5 0\n",
	  .error = ":1: 1 words; a file of a network begins with \"nodes switches links\"" },
	{ .name = "no_number", .text = "3 x 2\n",
	  .error = ":1: switches \"x\": not a number up to 8192" },
	{ .name = "one_host", .text = "2 1 1\n",
	  .error = ":1: 2 nodes with 1 switches: 1 hosts, not 2 to 1024" },
	{ .name = "many_hosts", .text = "1026 1 1\n",
	  .error = ":1: 1026 nodes with 1 switches: 1025 hosts, not 2 to 1024" },
	{ .name = "switches_end", .text = "4 2 2\n2\n",
	  .error = ":2: the file ends before the numbers of all switches" },
	{ .name = "switches_more", .text = "4 1 3\n2 3\n",
	  .error = ":2: 2 numbers, where 1 switches are left" },
	{ .name = "switch_number", .text = "4 1 3\n4\n",
	  .error = ":2: switch \"4\": not a number from 0 to 3" },
	{ .name = "switch_twice", .text = "4 2 3\n3 3\n", .error = ":2: switch 3 is there twice" },
	{ .name = "link_words", .text = TWO "0 2 1Gbps 1us\n",
	  .error = ":3: 4 words, not the two nodes, rate, delay and loss of a link" },
	{ .name = "link_node", .text = TWO "0 3 1Gbps 1us 0\n",
	  .error = ":3: nodes \"0 3\": not numbers from 0 to 2" },
	{ .name = "link_rate", .text = TWO "0 2 1Gbyte 1us 0\n",
	  .error = ":3: rate \"1Gbyte\": not 1Mbps to 800Gbps" },
	{ .name = "link_delay", .text = TWO "0 2 1Gbps 1m 0\n",
	  .error = ":3: delay \"1m\": not a time up to 10s, such as 0.001ms" },
	{ .name = "link_long", .text = TWO "0 2 1Gbps 11s 0\n",
	  .error = ":3: delay \"11s\": not a time up to 10s, such as 0.001ms" },
	{ .name = "link_loss", .text = TWO "0 2 1Gbps 1us 0.001\n1 2 1Gbps 1us 1e-9\n",
	  .links = "h0-s2 1 1000 loss 1000000; h1-s2 1 1000 loss 1", .hosts = 2, .own_flows = 2 },
	{ .name = "link_loss_low", .text = TWO "0 2 1Gbps 1us 0.0000000009\n",
	  .error = ":3: loss \"0.0000000009\": below 1e-9, the lowest that the lab has" },
	{ .name = "link_loss_word", .text = TWO "0 2 1Gbps 1us no\n",
	  .error = ":3: loss \"no\": not a share from 0 to 1" },
	{ .name = "link_self", .text = TWO "2 2 1Gbps 1us 0\n",
	  .error = ":3: node 2 is linked to itself" },
	{ .name = "link_twice", .text = "4 2 4\n2 3\n2 3 1Gbps 1us 0\n3 2 1Gbps 1us 0\n",
	  .error = ":4: nodes 3 and 2 are linked twice: the lab has one link between two nodes" },
	{ .name = "host_two_links", .text = "4 2 3\n2 3\n0 2 1Gbps 1us 0\n0 3 1Gbps 1us 0\n",
	  .error = ":4: host 0 has a second link: a host of the lab has one" },
	{ .name = "host_no_link", .text = "3 1 1\n2\n0 2 1Gbps 1us 0\n",
	  .error = ":3: host 1 has no link" },
	{ .name = "links_end", .text = TWO "0 2 1Gbps 1us 0\n",
	  .error = ":3: the file ends after 1 of 2 links" },
	{ .name = "links_more", .text = "3 1 1\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
	  .error = ":4: more than the 1 links that the file announces" },
};

static void test_networks(void)
{
	char name[80], *path, *text;
	const char *error;
	struct plan *p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(networks); i++) {
		snprintf(name, sizeof(name), "network__%s", networks[i].name);
		path = put("topology.txt", networks[i].text);
		catch_errors();
		p = plan_of(path, NULL);
		error = take_errors();
		text = p ? links_text(p) : xstrdup("");
		if (networks[i].error)
			ktap(!p &&
			     strncmp(error, networks[i].error, strlen(networks[i].error)) == 0 &&
			     strchr(error, '\n') == error + strlen(error) - 1,
			     name, "got %s", error);
		else
			ktap(!*error && !strcmp(text, networks[i].links) &&
			     p->n_hosts == networks[i].hosts && p->n_flows == networks[i].own_flows,
			     name, "got %s%s", text, error);
		put_plan(p);
		free(text);
		free(path);
	}
}

/*
 * A flow.txt has the numbers of the topology.txt, also where switches come before hosts: node 0
 * is a switch here, and the flow from 1 to 2 is from the first host to the second.
 */
static void test_both(void)
{
	char *net = put("own.txt", "3 1 2\n0\n1 0 1Gbps 1us 0\n2 0 1Gbps 1us 0\n"), *file, *set;
	struct scenario *sc;
	const char *error;
	struct plan *p;

	file = put("flow.txt", "1\n1 2 3 100 5 0\n");
	set = xasprintf("flows_file=%s", file);
	p = plan_of(net, set);
	if (ktap(p, "both", "no plan")) {
		char *text = flows_text(p);

		ktap(!strcmp(text, "h1>h2 5 @0"), "both__numbers", "got %s", text);
		ktap(!strcmp(p->sc->name, "own.txt"), "both__name", "got %s", p->sc->name);
		free(text);
		put_plan(p);
	}
	free(put("flow.txt", "1\n0 2 3 100 5 0\n"));
	catch_errors();
	p = plan_of(net, set);
	error = take_errors();
	ktap(!p && strstr(error, ":2: no host 0 in scenario own.txt"),
	     "both__a_switch_is_no_host", "got %s", error);
	put_plan(p);
	sc = scenario_load(net);
	catch_errors();
	ktap(sc && scenario_set(sc, "rate=1gbit") && scenario_set(sc, "delay=1us"),
	     "both__fixed", "set");
	error = take_errors();
	ktap(strstr(said, "--set rate: cannot be set in scenario own.txt: each link has its own\n"),
	     "both__fixed_message", "got %s", said);
	scenario_free(sc);
	free(set);
	free(file);
	free(net);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	test_flows();
	test_networks();
	test_both();
	rm_rf(dir);
	return ktap_end();
}
