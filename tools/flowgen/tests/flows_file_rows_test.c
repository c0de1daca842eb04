// SPDX-License-Identifier: GPL-2.0
/* flowgen: tests of flows_file_rows.c. */
#include <stdlib.h>
#include <unistd.h>

#include "test.h"

#define HEAD "id,src,dst,bytes,start_ns,stop_ns\n"
#define WAIT "id,src,dst,bytes,start_ns,stop_ns,after,delay_ns,after_start\n"

/* A plan with these rows and keys (' for "), NULL when it is refused. */
static struct fg_plan *with_rows(const char *keys, const char *rows)
{
	char name[] = P_tmpdir "/flowgen_rows_XXXXXX", text[512], *q;
	struct fg_plan *p = fg_plan_new();
	int fd = mkstemp(name);
	FILE *f = fdopen(fd, "w");
	json_object *o;

	fputs(rows, f);
	fclose(f);
	snprintf(text, sizeof(text), "{'flows_file':'%s'%s}", name, keys);
	for (q = text; *q; q++)
		if (*q == '\'')
			*q = '"';
	o = json_tokener_parse(text);
	if (!o || fg_plan_parse(p, o)) {
		fg_plan_free(p);
		p = NULL;
	}
	json_object_put(o);
	unlink(name);
	return p;
}

/* Every refusal names the line and the column. */
static bool rows__refuses(void)
{
	static const struct {
		const char *keys;
		const char *rows;
		const char *error;
	} t[] = {
		{ "", "", ":1: no flows" },
		{ "", HEAD, ":2: no flows" },
		{ "", "0,a,b,1,0,0\n", ":1: the heading is not id,src" },
		{ "", HEAD "0,a,b,1,0\n", ":2: fewer fields" },
		{ "", HEAD "0,a,b,1,0,0,0\n", ":2: more fields" },
		{ "", HEAD "0,a,b,1,0,0\n\n", ":3: fewer fields" },
		{ "", HEAD "x,a,b,1,0,0\n", ":2: id: \"x\" is no number" },
		{ "", HEAD ",a,b,1,0,0\n", ":2: id: \"\" is no number" },
		{ "", HEAD "4294967296,a,b,1,0,0\n", ":2: id: 4294967296 is out of range" },
		{ "", HEAD "0,a,b,1,0,0\n0,a,b,1,0,0\n", ":3: id: 0 is used twice" },
		{ "", HEAD "0,a,b,1,0,0\n2,a,b,1,0,0\n", ":3: id: 2 is not one of 0..1" },
		{ ",'flows':[{'id':4,'src':'a','dst':'b','bytes':1}]", HEAD "0,a,b,1,0,0\n",
		  ":2: id: 0 is not one of 5..5" },
		{ "", HEAD "0,,b,1,0,0\n", ":2: src: missing" },
		{ "", HEAD "0,a,,1,0,0\n", ":2: dst: missing" },
		{ "", HEAD "0,a,b,0,0,0\n", ":2: bytes: 0 is out of range 1.." },
		{ "", HEAD "0,a,b,9223372036854775808,0,0\n", ":2: bytes: 9223372036854775808 is" },
		{ "", HEAD "0,a,b,9999999999999999999999,0,0\n", ":2: bytes: 9999999999999999999" },
		{ "", HEAD "0,a,b,-1,0,0\n", ":2: bytes: \"-1\" is no number" },
		{ "", HEAD "0,a,b,1e3,0,0\n", ":2: bytes: \"1e3\" is no number" },
		{ "", HEAD "0,a,b, 1,0,0\n", ":2: bytes: \" 1\" is no number" },
		{ "", HEAD "0,a,b,1,7,0\n1,a,b,1,6,0\n",
		  ":3: start_ns: 6 is before the row above, 7" },
		{ ",'op':'fetch_add'", HEAD "0,a,b,9,0,0\n", ":2: bytes: an atomic moves 8" },
		{ ",'verify':true", HEAD "0,a,b,9,0,0\n", "verify: not with flows_file" },
		{ ",'warmup_bytes':1", HEAD "0,a,b,9,0,0\n", "warmup_bytes: not with" },
		{ ",'qp':'new'", HEAD "0,a,b,9,0,0\n",
		  "qp: \"new\" is none of: flow, pair, pool" },
		{ ",'small_bytes':9,'qp':'pair'", HEAD "0,a,b,9,0,0\n",
		  "small_bytes: only with qp \"flow\"" },
		{ ",'small_tclass':256", HEAD "0,a,b,9,0,0\n",
		  "small_tclass: 256 is out of range" },
		{ "", "id,src,dst,bytes,start_ns,stop_ns,behind\n",
		  ":1: no column is called \"behind\"" },
		{ "", "id,src,dst,bytes,start_ns,stop_ns,after,after\n",
		  ":1: column after is there twice" },
		{ "", "id,src,dst,bytes,start_ns,stop_nsafter\n", ":1: the heading is not id,src" },
		{ "", WAIT "0,a,b,1,0,0,,0\n", ":2: fewer fields" },
		{ "", WAIT "0,a,b,1,0,0,,1,\n", ":2: delay_ns: needs after or after_start" },
		{ "", WAIT "0,a,b,1,0,0,,,\n", ":2: delay_ns: \"\" is no number" },
		{ "", WAIT "0,a,b,1,0,0,x,0,\n", ":2: after: \"x\" is no number" },
		{ "", WAIT "0,a,b,1,0,0,,0,\n1,a,b,1,0,0,0+,0,\n", ":3: after: \"\" is no number" },
		{ "", WAIT "0,a,b,1,0,0,,0,\n1,a,b,1,0,0,,0,0 1\n",
		  ":3: after_start: \"0 1\" is no number" },
		{ "", WAIT "0,a,b,1,0,0,,0,\n1,a,b,1,0,0,0@,0,\n", ":3: after: \"\" is no number" },
		{ "", WAIT "0,a,b,1,0,0,,0,\n1,a,b,1,0,0,,0,0@1@2\n",
		  ":3: after_start: \"1@2\" is no number" },
		/* Lines are those of the file, although rows that wait come last. */
		{ "", WAIT "0,a,b,1,0,0,1,0,\n1,a,b,1,0,0,,0,\n2,a,b,1,0,0,1+3,0,\n",
		  ":4: after: no flow has the id 3" },
		{ "", WAIT "0,a,b,1,0,0,2,0,\n1,a,b,1,5,0,,0,\n2,a,b,1,0,0,,0,7\n",
		  ":4: after_start: no flow has the id 7" },
		{ "", WAIT "0,a,b,1,0,0,1,0,\n1,a,b,1,5,0,,0,\n1,a,b,1,7,0,,0,\n",
		  ":4: id: 1 is used twice" },
		{ "", WAIT "0,a,b,1,0,0,0,0,\n", ":2: after: flow 0 waits for itself, in the end" },
		{ "", WAIT "0,a,b,1,0,0,,0,\n1,a,b,1,0,0,0+2,0,\n2,a,b,1,0,0,,0,1\n",
		  ":4: after: flow 2 waits for itself, in the end" },
		{ ",'flows':[{'id':4,'src':'a','dst':'b','bytes':1,'after':[5]}]",
		  WAIT "5,a,b,1,0,0,4,0,\n", "flow 4: after: flow 4 waits for itself" },
		{ ",'qp_pool':0", HEAD "0,a,b,9,0,0\n", "qp_pool: 0 is out of range" },
	};
	struct fg_plan *p;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		p = with_rows(t[i].keys, t[i].rows);
		if (p || !strstr(test_last_error(), t[i].error)) {
			printf("# row %u: wanted \"%s\", got \"%s\"\n", i, t[i].error,
			       p ? "a plan" : test_last_error());
			return false;
		}
	}
	return true;
}

static bool rows__are_read(void)
{
	struct fg_plan *p = with_rows(",'qp':'pool','qp_pool':3,"
				      "'flows':[{'src':'b','dst':'c','bytes':1}]",
				      HEAD "2,a,b,1,0,0\n1,c,a,1125899906842624,0,5");

	EXPECT(p && p->nrows == 2 && p->nhosts == 3 && p->nconns == 1);
	EXPECT(p->qp_policy == FG_POLICY_POOL && p->qp_pool == 3);
	/* Devices of "flows" come first. */
	EXPECT(p->rows[0].id == 2 && p->rows[0].src == 2 && p->rows[0].dst == 0);
	EXPECT(p->rows[1].src == 1 && p->rows[1].dst == 2 && p->rows[1].stop_ns == 5);
	EXPECT(p->row_max_bytes == 1ULL << 50 && p->rows[1].bytes == 1ULL << 50);
	EXPECT(p->linger_ns && p->linger_ns < 1000000);
	fg_plan_free(p);
	return true;
}

/* Those that wait come last; nodes are the plan's flows, then rows. */
static bool rows__wait(void)
{
	struct fg_plan *p = with_rows(",'flows':[{'id':7,'src':'b','dst':'c','bytes':1},"
				      "{'id':3,'src':'b','dst':'c','bytes':1,'after_start':[9]}]",
				      WAIT "8,a,b,1,0,0,3+10,200,9\n9,a,b,2,70,0,,0,\n"
				      "10,a,b,3,60,0,7,0,\n11,a,b,4,70,0,,0,");
	const struct depend_graph *g;

	EXPECT(p && p->nrows == 4 && p->nwait == 2 && p->flows[1].waits && !p->flows[0].waits);
	/* Rows are now 9, 11, 8, 10: nodes 2, 3, 4, 5. */
	EXPECT(p->rows[0].id == 9 && p->rows[1].id == 11 && p->rows[2].id == 8);
	EXPECT(p->after.n == 3 && p->after.list[0].node == 1 && p->after.list[1].node == 4 &&
	       p->after.list[1].delay_ns == 200 && p->after.list[2].node == 5);
	g = &p->graph;
	EXPECT(g->n == 6 && g->waits[4] == 3 && g->waits[5] == 1 && g->waits[1] == 1);
	EXPECT(g->begin[2] == 2 && g->begin[3] == 4 && depend_node(g->to[2]) == 1 &&
	       depend_on_start(g->to[2]) && depend_node(g->to[3]) == 4);
	EXPECT(g->to[0] == 5 << 1 && g->to[1] == 4 << 1);
	fg_plan_free(p);
	return true;
}

/* A message that is complete when it has left needs its receiver for longer. */
static bool rows__uc_lingers(void)
{
	struct fg_plan *rc = with_rows("", HEAD "0,a,b,1,0,0\n");
	struct fg_plan *uc = with_rows(",'transport':'uc'", HEAD "0,a,b,1,0,0\n");
	struct fg_plan *no = with_rows(",'linger_ns':0", HEAD "0,a,b,1,0,0\n");

	EXPECT(rc && uc && no && uc->linger_ns > rc->linger_ns && !no->linger_ns);
	fg_plan_free(rc);
	fg_plan_free(uc);
	fg_plan_free(no);
	return true;
}

static bool rows__are_small(void)
{
	EXPECT(sizeof(struct fg_row) <= 48);
	return true;
}

const struct test_case rows_cases[] = {
	{ "rows__refuses", rows__refuses },
	{ "rows__are_read", rows__are_read },
	{ "rows__uc_lingers", rows__uc_lingers },
	{ "rows__wait", rows__wait },
	{ "rows__are_small", rows__are_small },
	{ }
};
