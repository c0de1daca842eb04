// SPDX-License-Identifier: GPL-2.0
/*
 * The way of a victim as boxes and lines, and below it the way to the port
 * that it waits for.
 */
#include <math.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_SKETCH_ROW 66	/* pixels from one row to the other */
#define RPT_SKETCH_LEFT (rpt_narrow() ? 30 : 60)
#define RPT_SKETCH_RIGHT (rpt_narrow() ? rpt_width() - 104 : 780)
#define RPT_SKETCH_CHAR 6.9
#define RPT_SKETCH_BOX 36
#define RPT_VICTIM_RGB 0x111111

struct rpt_sketch {
	struct rpt_stack *st;
	const struct rpt_victim *v;
	double step, y;			/* pixels */
};

static void rpt_sketch_node(struct rpt_sketch *k, double x, double y, const char *name, bool strong)
{
	struct pic *p = k->st->p;

	pic_num(p, "node_x", x);
	pic_num(p, "node_y", y);
	pic_num(p, "node_w", 18 + 8.5 * strlen(name));
	pic_text(p, "node_text", name);
	pic_num(p, "node_strong", strong);
}

/* A link with what is to be said about it. */
static void rpt_sketch_link(struct rpt_sketch *k, double x0, double y0, double x1, double y1,
			    double width, int dash, unsigned int rgb, const char *text)
{
	struct pic *p = k->st->p;

	/* Between the boxes; the sentences above tell what matters. */
	if (rpt_narrow() && text && RPT_SKETCH_CHAR * strlen(text) > x1 - x0 - RPT_SKETCH_BOX)
		text = NULL;
	pic_num(p, "link_x0", x0);
	pic_num(p, "link_y0", y0);
	pic_num(p, "link_x1", x1);
	pic_num(p, "link_y1", y1);
	pic_num(p, "link_width", width);
	pic_num(p, "link_dash", dash);
	pic_num(p, "link_rgb", rgb);
	pic_text(p, "link_text", text);
}

/* One link of either way: paused, idle, full, or nothing special. */
static void rpt_sketch_hop(struct rpt_sketch *k, const char *const *way,
			   double x0, double y0, double y1, bool mine)
{
	const char *name = rpt_text("%s-%s", way[0], way[1]);
	const struct rpt_port *p = rpt_port_find(&k->v->c->ports, name);
	char *text = NULL;
	unsigned int rgb = mine ? RPT_VICTIM_RGB : 0x555555;
	double width = mine ? 2 : 1.2;
	int dash = 1;
	char buf[32];

	if (p && p == k->v->root) {
		rpt_fmt_auto(buf, sizeof(buf), RPT_BYTES, rpt_round3(p->peak));
		text = rpt_text("queue %s", buf);
		width = 4;
		rgb = k->st->rgb;
	} else if (p && rpt_port_paused(p)) {
		text = rpt_text("paused %.0f %%", 100 * rpt_port_share(p, k->v->from, k->v->to));
		width = 4;
	} else if (p && p == k->v->access && !isnan(k->v->idle)) {
		text = rpt_text("idle %.0f %%", 100 * k->v->idle);
		width = 2;
		dash = 2;
	}
	rpt_sketch_link(k, x0, y0, x0 + k->step, y1, width, dash, rgb, text);
}

/* Words beside the end of a way. */
static void rpt_sketch_end(struct rpt_sketch *k, size_t col, const char *node, double y,
			   const char *text, bool strong, unsigned int rgb)
{
	struct pic *p = k->st->p;

	pic_num(p, "end_x", RPT_SKETCH_LEFT + col * k->step + 18 + 4.5 * strlen(node));
	pic_num(p, "end_y", y);
	pic_text(p, "end_text", text);
	pic_num(p, "end_strong", strong);
	pic_num(p, "end_rgb", rgb);
}

/**
 * rpt_sketch() - the two ways as nodes and links
 * @st: the stack, moved on by RPT_SKETCH_PX
 * @v: the victim
 */
void rpt_sketch(struct rpt_stack *st, const struct rpt_victim *v)
{
	struct rpt_sketch k = { .st = st, .v = v, .y = st->y + 20 };
	size_t cols = v->n, i;

	if (v->fork + v->ntail > cols)
		cols = v->fork + v->ntail;
	k.step = (double)(RPT_SKETCH_RIGHT - RPT_SKETCH_LEFT) / (cols - 1);
	for (i = 0; i + 1 < v->n; i++)
		rpt_sketch_hop(&k, v->path + i, RPT_SKETCH_LEFT + i * k.step, k.y, k.y, true);
	for (i = 0; i + 1 < v->ntail; i++)
		rpt_sketch_hop(&k, v->tail + i, RPT_SKETCH_LEFT + (v->fork + i) * k.step,
			       k.y + (i ? RPT_SKETCH_ROW : 0), k.y + RPT_SKETCH_ROW, false);
	for (i = 0; i < v->n; i++)
		rpt_sketch_node(&k, RPT_SKETCH_LEFT + i * k.step, k.y, v->path[i], true);
	for (i = 1; i < v->ntail; i++)
		rpt_sketch_node(&k, RPT_SKETCH_LEFT + (v->fork + i) * k.step,
				k.y + RPT_SKETCH_ROW, v->tail[i], false);
	rpt_sketch_end(&k, v->n - 1, v->path[v->n - 1], k.y, "victim", true, 0);
	rpt_sketch_end(&k, v->fork + v->ntail - 1, v->tail[v->ntail - 1],
		       k.y + RPT_SKETCH_ROW,
		       rpt_text("%zu flow%s", v->ncrowd, v->ncrowd == 1 ? "" : "s"), false,
		       st->rgb);
	st->y += RPT_SKETCH_PX;
}
