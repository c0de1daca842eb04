// SPDX-License-Identifier: GPL-2.0
/* flowgen: tests of plan.c, flow_to_connection.c, flow_generators.c. */
#include "test.h"

/* A plan from text with ' for ", NULL when it is refused. */
static struct fg_plan *parse(const char *text)
{
	struct fg_plan *p = NULL;
	json_object *o;
	char s[4096], *q;

	snprintf(s, sizeof(s), "%s", text);
	for (q = s; *q; q++)
		if (*q == '\'')
			*q = '"';
	o = json_tokener_parse(s);
	if (!o) {
		printf("# not JSON: %s\n", text);
		return NULL;
	}
	p = fg_plan_new();
	if (fg_plan_parse(p, o)) {
		fg_plan_free(p);
		p = NULL;
	}
	json_object_put(o);
	return p;
}

#define F "'src':'a','dst':'b'"
#define H4 "'hosts':['a','b','c','d']"

/* Every refusal names the culprit. */
static bool parse__refuses(void)
{
	static const struct {
		const char *text;
		const char *error;
	} t[] = {
		{ "{}", "no flows" },
		{ "{'frob':1}", "frob: unknown key" },
		{ "{'lookahead_ns':1000000001}", "lookahead_ns: 1000000001 is out of range" },
		{ "{'lookahead_ns':-1}", "lookahead_ns: -1 is out of range" },
		{ "{'flows':{}}", "flows: not a list" },
		{ "{'flows':[{" F ",'byts':1}]}", "flows[0].byts: unknown key" },
		{ "{'flows':[{'dst':'b','bytes':1}]}", "flows[0].src: missing" },
		{ "{'flows':[{'src':'b','bytes':1}]}", "flows[0].dst: missing" },
		{ "{'flows':[{" F "}]}", "flows[0].bytes: 0 needs a stop_ns" },
		{ "{'flows':[{" F ",'bytes':'1kb'}]}", "flows[0].bytes: not an integer" },
		{ "{'flows':[{" F ",'bytes':-1}]}", "flows[0].bytes: -1 is out of range" },
		{ "{'flows':[{" F ",'bytes':1.5}]}", "flows[0].bytes: not an integer" },
		{ "{'flows':[{" F ",'bytes':1,'op':'rite'}]}", "flows[0].op: \"rite\"" },
		{ "{'flows':[{" F ",'bytes':1,'op':'read','transport':'uc'}]}", "uc has no read" },
		{ "{'flows':[{" F ",'bytes':1,'mtu':1000}]}", "mtu: 1000" },
		{ "{'flows':[{" F ",'bytes':1,'qp':'own'}]}", "flows[0].qp: \"own\"" },
		{ "{'flows':[{" F ",'bytes':7,'op':'fetch_add'}]}", "8 bytes" },
		{ "{'flows':[{" F ",'bytes':1,'after':3}]}", "flows[0].after: not a list of ids" },
		{ "{'flows':[{" F ",'bytes':1,'after':['x']}]}", "flows[0].after: not an integer" },
		{ "{'flows':[{" F ",'bytes':1,'after_start':[-1]}]}",
		  "flows[0].after_start: -1 is out of range" },
		{ "{'flows':[{" F ",'bytes':1,'after':[],'delay_ns':1}]}",
		  "flows[0].delay_ns: needs after" },
		{ "{'flows':[{" F ",'bytes':1,'after':[1]}]}",
		  "flow 0: after: no flow has the id 1" },
		{ "{'flows':[{" F ",'bytes':1},{" F ",'bytes':1,'id':9,'after':[0,9]}]}",
		  "flow 9: after: flow 9 waits for itself" },
		{ "{'flows':[{" F ",'bytes':1,'id':3},{" F ",'bytes':1,'id':3}]}",
		  "id 3 is used twice" },
		{ "{'flows':[{" F ",'bytes':1,'qp':1},{'src':'a','dst':'c','bytes':1,'qp':1}]}",
		  "group 1" },
		{ "{'flows':[{" F ",'bytes':1,'verify':true,'qp':1},{" F ",'bytes':1,'qp':1}]}",
		  "verify" },
		{ "{'chunk_bytes':100,'first_bytes':101,'flows':[{" F ",'bytes':1}]}",
		  "first_bytes" },
		{ "{'chunk_bytes':100,'alternate_bytes':101,'flows':[{" F ",'bytes':1}]}",
		  "alternate_bytes: above chunk_bytes, 100" },
		{ "{'first_bytes':1,'verify':true,'flows':[{" F ",'bytes':1}]}",
		  "not with verify" },
		{ "{'depth':4,'signal_every':8,'flows':[{" F ",'bytes':1}]}", "signal_every: 8" },
		{ "{'tclass':256,'flows':[]}", "tclass: 256 is out of range" },
		{ "{'generate':{" H4 "}}", "generate.kind: missing" },
		{ "{'generate':[{'kind':'poison'}]}", "generate[0].kind: \"poison\"" },
		{ "{'generate':{'kind':'permutation'," H4 ",'bytes':1,'load':1}}",
		  "generate.load: unknown key" },
		{ "{'generate':{'kind':'permutation','hosts':['a'],'bytes':1}}", "at least 2" },
		{ "{'generate':{'kind':'permutation','hosts':['a','a'],'bytes':1}}",
		  "hosts[1]: a is there twice" },
		{ "{'generate':{'kind':'poisson'," H4 ",'load':0.5,'link_bps':1000000,'flows':9}}",
		  "generate.cdf: missing" },
		{ "{'generate':{'kind':'poisson'," H4 ",'load':1,"
		  "'link_bps':1000000,'flows':9,'cdf':'web'}}",
		  "generate.cdf: \"web\"" },
		{ "{'generate':{'kind':'poisson'," H4 ",'load':0.5,'cdf':'hadoop','flows':9}}",
		  "link_bps: missing" },
		{ "{'generate':{'kind':'incast'," H4 ",'dst':'a','n':4,'bytes':1}}",
		  "generate.n: 4" },
		{ "{'latency':{" F ",'op':'write_imm'}}", "latency.op" },
		{ "{'latency':[{" F ",'size':1}]}", "latency[0].size: unknown key" },
	};
	struct fg_plan *p;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		p = parse(t[i].text);
		if (p || !strstr(test_last_error(), t[i].error)) {
			printf("# %s: wanted \"%s\", got \"%s\"\n", t[i].text,
			       t[i].error, p ? "a plan" : test_last_error());
			return false;
		}
	}
	return true;
}

static bool parse__inherits_and_overrides(void)
{
	struct fg_plan *p = parse("{'mtu':2048,'tclass':8,'op':'send','depth':4,"
				  "'flows':[{" F ",'bytes':1},"
				  "{" F ",'bytes':1,'mtu':1024,'op':'read','id':7}]}");

	EXPECT(p);
	EXPECT(p->nflows == 2 && p->nhosts == 2 && p->nconns == 2);
	EXPECT(p->flows[0].attr.mtu == 2048 && p->flows[0].attr.op == FG_SEND);
	EXPECT(p->flows[1].attr.mtu == 1024 && p->flows[1].attr.op == FG_READ);
	EXPECT(p->flows[1].attr.tclass == 8 && p->flows[1].attr.depth == 4);
	EXPECT(p->conns[0]->attr.ack_tclass == 8);
	EXPECT(p->flows[0].id == 0 && p->flows[1].id == 7);
	EXPECT(p->conns[0]->need_recv && !p->conns[1]->need_recv);
	fg_plan_free(p);
	return true;
}

static bool connect__groups_and_pairs(void)
{
	struct fg_plan *p = parse("{'flows':[{" F ",'bytes':1,'qp':5},"
				  "{" F ",'bytes':1,'qp':5},"
				  "{" F ",'bytes':1,'qp':'pair'},"
				  "{" F ",'bytes':1,'qp':'pair'},"
				  "{'src':'b','dst':'a','bytes':1,'qp':'pair'},"
				  "{" F ",'bytes':1,'qp':'pair','mtu':256},"
				  "{" F ",'bytes':1},{" F ",'bytes':1}]}");

	EXPECT(p);
	EXPECT(p->flows[0].conn == p->flows[1].conn);
	EXPECT(p->flows[2].conn == p->flows[3].conn);
	EXPECT(p->flows[2].conn != p->flows[4].conn);
	EXPECT(p->flows[2].conn != p->flows[5].conn);
	EXPECT(p->flows[6].conn != p->flows[7].conn);
	EXPECT(p->nconns == 6);
	fg_plan_free(p);
	return true;
}

static bool chain__ids_and_qp(void)
{
	struct fg_plan *p = parse("{'flows':[{" F ",'bytes':9,'count':3,'think_ns':5},"
				  "{" F ",'bytes':1}]}");

	EXPECT(p);
	EXPECT(p->nflows == 4 && p->nconns == 2);
	EXPECT(p->flows[0].next == 2 && p->flows[2].next == 3);
	EXPECT(p->flows[3].next == -1 && p->flows[1].next == -1);
	EXPECT(p->flows[2].id == 2 && p->flows[3].id == 3);
	EXPECT(p->flows[2].chained && !p->flows[0].chained);
	EXPECT(p->flows[0].conn == p->flows[3].conn);
	EXPECT(p->flows[0].conn != p->flows[1].conn);
	fg_plan_free(p);
	return true;
}

static bool jitter__in_range_and_seeded(void)
{
	static const char text[] = "{'seed':%d,'jitter_ns':1000,'flows':["
		"{" F ",'bytes':1,'start_ns':50},{" F ",'bytes':1,'start_ns':50}]}";
	struct fg_plan *p[3];
	char s[256];
	int i;

	for (i = 0; i < 3; i++) {
		snprintf(s, sizeof(s), text, i ? 2 : 1);
		p[i] = parse(s);
		EXPECT(p[i]);
		EXPECT(p[i]->flows[0].start_ns >= 50);
		EXPECT(p[i]->flows[0].start_ns < 1050);
		EXPECT(p[i]->flows[0].start_ns != p[i]->flows[1].start_ns);
	}
	EXPECT(p[1]->flows[0].start_ns == p[2]->flows[0].start_ns);
	EXPECT(p[0]->flows[0].start_ns != p[1]->flows[0].start_ns);
	EXPECT(p[0]->conns[0]->ep[0].psn != p[1]->conns[0]->ep[0].psn);
	for (i = 0; i < 3; i++)
		fg_plan_free(p[i]);
	return true;
}

static bool gen__permutation(void)
{
	struct fg_plan *p = parse("{'generate':{'kind':'permutation'," H4
				  ",'bytes':5}}");
	u32 in = 0, i;

	EXPECT(p);
	EXPECT(p->nflows == 4 && p->nconns == 4);
	for (i = 0; i < 4; i++) {
		EXPECT(p->flows[i].src == i && p->flows[i].dst != i);
		in |= 1U << p->flows[i].dst;
	}
	EXPECT(in == 15);
	fg_plan_free(p);
	return true;
}

/* The bytes offered in the interval make the load asked for, within noise. */
static bool gen__poisson_load(void)
{
	struct fg_plan *p = parse("{'flows':[{" F ",'bytes':1,'id':9}],"
				  "'generate':{'kind':'poisson'," H4
				  ",'load':0.4,'link_bps':10000000000,"
				  "'load_counts':'payload','cdf':{'fixed':100000},"
				  "'duration_ns':1000000000,'qp':'pair'}}");
	double sum = 0;
	u64 last = 0;
	u32 i;

	EXPECT(p);
	EXPECT(p->flows[1].id == 10);
	for (i = 1; i < p->nflows; i++) {
		EXPECT(p->flows[i].src != p->flows[i].dst);
		EXPECT(p->flows[i].start_ns >= last);
		last = p->flows[i].start_ns;
		sum += p->flows[i].bytes;
	}
	EXPECT(last < 1000000000);
	EXPECT(p->nconns <= 1 + 12);
	/* 4 hosts x 10 Gbit/s x 0.4 = 2e9 bytes in a second. */
	EXPECT(fabs(sum / 2e9 - 1) < 0.03);
	fg_plan_free(p);
	return true;
}

static bool gen__poisson_many_to_one(void)
{
	struct fg_plan *p = parse("{'generate':{'kind':'poisson'," H4
				  ",'load':0.4,'link_bps':10000000000,'dst':'c',"
				  "'cdf':{'fixed':4000},'flows':300}}");
	u32 i;

	EXPECT(p);
	EXPECT(p->nflows == 300 && p->nconns == 300);
	for (i = 0; i < 300; i++) {
		EXPECT(p->flows[i].dst == 2 && p->flows[i].src != 2);
		EXPECT(p->flows[i].bytes == 4000);
	}
	fg_plan_free(p);
	return true;
}

static bool gen__closed(void)
{
	struct fg_plan *p = parse("{'generate':{'kind':'closed'," H4
				  ",'bytes':7,'streams':2,'flows_per_stream':5}}");
	u32 i, heads = 0;

	EXPECT(p);
	EXPECT(p->nflows == 40);
	for (i = 0; i < 40; i++) {
		heads += !p->flows[i].chained;
		EXPECT(p->flows[i].in_chain);
		EXPECT((p->flows[i].next == i + 1) == (i % 5 != 4));
	}
	EXPECT(heads == 8);
	EXPECT(p->nconns <= 12);
	fg_plan_free(p);
	return true;
}

static bool gen__incast(void)
{
	struct fg_plan *p = parse("{'generate':{'kind':'incast'," H4
				  ",'dst':'b','n':2,'bytes':7,'bursts':3,"
				  "'period_ns':100,'start_ns':10}}");
	u32 i;

	EXPECT(p);
	EXPECT(p->nflows == 6);
	for (i = 0; i < 6; i++) {
		EXPECT(p->flows[i].dst == 1 && p->flows[i].src != 1);
		EXPECT(p->flows[i].start_ns == 10 + i / 2 * 100);
		EXPECT(i % 2 == 0 || p->flows[i].src != p->flows[i - 1].src);
	}
	fg_plan_free(p);
	return true;
}

static bool depth__no_larger_than_the_flow(void)
{
	struct fg_plan *p = parse("{'depth':8,'chunk_bytes':1000,'flows':["
				  "{" F ",'bytes':2500},{" F ",'bytes':100000},"
				  "{" F ",'bytes':2500,'qp':'pair'}]}");

	EXPECT(p);
	EXPECT(p->conns[0]->depth == 3 && p->conns[0]->buf_bytes == 1000);
	EXPECT(p->conns[1]->depth == 8);
	EXPECT(p->conns[2]->depth == 8);
	fg_plan_free(p);
	return true;
}

const struct test_case plan_cases[] = {
	{ "parse__refuses", parse__refuses },
	{ "parse__inherits_and_overrides", parse__inherits_and_overrides },
	{ "connect__groups_and_pairs", connect__groups_and_pairs },
	{ "chain__ids_and_qp", chain__ids_and_qp },
	{ "jitter__in_range_and_seeded", jitter__in_range_and_seeded },
	{ "gen__permutation", gen__permutation },
	{ "gen__poisson_load", gen__poisson_load },
	{ "gen__poisson_many_to_one", gen__poisson_many_to_one },
	{ "gen__closed", gen__closed },
	{ "gen__incast", gen__incast },
	{ "depth__no_larger_than_the_flow", depth__no_larger_than_the_flow },
	{ }
};
