// SPDX-License-Identifier: GPL-2.0
/*
 * Setting parameters: the kernel's tables give the units, all values are read
 * first, and one request carries the whole change, so that it happens or does
 * not happen as a whole.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "set_parameters.h"
#include "../lib/nearest_name.h"

int change_add(struct rxecc *rx, struct change *c, enum setting_kind kind,
	       char *word)
{
	char *eq = strchr(word, '=');
	size_t i;

	if (!eq || eq == word)
		return rx_usage(rx, "%s: expected NAME=VALUE", word);
	*eq = '\0';
	if (!eq[1])
		return rx_usage(rx, "%s: the value is missing", word);
	for (i = 0; i < c->n; i++)
		if (!strcmp(c->v[i].key, word) && c->v[i].kind == kind)
			return rx_usage(rx, "%s: given twice", word);
	if (c->n == c->room) {
		size_t room = c->room ? 2 * c->room : 8;
		void *v = reallocarray(c->v, room, sizeof(*c->v));

		if (!v)
			return rx_usage(rx, "out of memory");
		c->v = v;
		c->room = room;
	}
	c->v[c->n++] = (struct setting) {
		.key = word, .text = eq + 1, .kind = kind,
	};
	return RX_OK;
}

/* Everything needed to understand the user's words. */
struct tables {
	const struct params *params;
	const struct params *knobs;
	const char *algo;
};

static int unknown_name(struct rxecc *rx, const struct devref *ref,
			const struct setting *s, const struct tables *t)
{
	const struct params *ps[2] = { NULL, NULL };
	const char *kind = s->kind == SETTING_KNOB ? "knob" : "param";
	const char *guess = NULL;
	const char **names;
	size_t n = 0, i, k;

	if (s->kind != SETTING_KNOB)
		ps[0] = t->params;
	if (s->kind != SETTING_PARAM)
		ps[1] = t->knobs;
	names = calloc(t->params->n + t->knobs->n + 1, sizeof(*names));
	for (k = 0; names && k < 2; k++)
		for (i = 0; ps[k] && i < ps[k]->n; i++)
			names[n++] = ps[k]->v[i].name;
	if (names)
		guess = nearest(s->key, names, n);
	fprintf(rx->err, "rxecc: %s: %s %s: ", ref->what, kind, s->key);
	if (s->kind == SETTING_KNOB)
		fputs("no such knob", rx->err);
	else
		fprintf(rx->err, "algorithm %s has no such parameter", t->algo);
	if (guess)
		fprintf(rx->err, ", did you mean %s?", guess);
	else if (!n)
		fputs(" (it has none)", rx->err);
	fputc('\n', rx->err);
	free(names);
	return RX_USAGE;
}

/* Finds the name, fixes the kind and reads the value. */
static int resolve(struct rxecc *rx, const struct devref *ref,
		   struct setting *s, const struct tables *t)
{
	const struct param *p = NULL;
	char why[160];

	if (s->kind != SETTING_KNOB)
		p = param_find(t->params, s->key);
	if (!p && s->kind != SETTING_PARAM) {
		p = param_find(t->knobs, s->key);
		if (p)
			s->kind = SETTING_KNOB;
	}
	if (!p)
		return unknown_name(rx, ref, s, t);
	s->param = p;
	if (s->kind == SETTING_ANY)
		s->kind = SETTING_PARAM;
	if (!param_parse(param_unit_by_name(p->unit), s->text, &s->val, why,
			 sizeof(why)))
		return rx_usage(rx, "%s: %s %s: value %s: %s", ref->what,
				s->kind == SETTING_KNOB ? "knob" : "param",
				s->key, s->text, why);
	return RX_OK;
}

static int check_preset(struct rxecc *rx, const struct devref *ref,
			const char *preset, const struct algo *algo)
{
	const char *guess;
	size_t i;

	for (i = 0; i < algo->presets.n; i++)
		if (!strcmp(algo->presets.v[i], preset))
			return RX_OK;
	guess = nearest(preset, algo->presets.v, algo->presets.n);
	return rx_usage(rx, "%s: preset %s: algorithm %s has no such preset%s%s%s",
			ref->what, preset, algo->name,
			guess ? ", did you mean " : "", guess ? guess : "",
			guess ? "?" : "");
}

bool setting_put(struct nlmsghdr *req, const struct setting *s)
{
	u16 type = s->kind == SETTING_KNOB ? RXE_CC_A_DEV_KNOB :
		   s->kind == SETTING_ARG ? RXE_CC_A_COMMAND_ARG :
					    RXE_CC_A_DEV_PARAM;
	struct nlattr *nest = mnl_attr_nest_start_check(req, NL_REQ_MAX, type);

	if (!nest ||
	    !mnl_attr_put_strz_check(req, NL_REQ_MAX, RXE_CC_A_PARAM_NAME,
				     s->key) ||
	    !mnl_attr_put_u64_check(req, NL_REQ_MAX, RXE_CC_A_PARAM_VALUE,
				    s->val))
		return false;
	mnl_attr_nest_end(req, nest);
	return true;
}

void change_explain_range(const struct change *c, struct nl_err *err)
{
	char min[PARAM_TEXT_MAX], max[PARAM_TEXT_MAX];
	const struct param *p;
	enum param_unit unit;
	size_t i;

	for (i = 0; i < c->n; i++) {
		p = c->v[i].param;
		if (!HAS(p, RXE_CC_A_PARAM_VALUE_MIN) || !HAS(p, RXE_CC_A_PARAM_VALUE_MAX) ||
		    (c->v[i].val >= p->min && c->v[i].val <= p->max))
			continue;
		unit = param_unit_by_name(p->unit);
		param_format(unit, p->min, PARAM_EXACT, min);
		param_format(unit, p->max, PARAM_EXACT, max);
		snprintf(err->msg, sizeof(err->msg), "value %s: not in %s..%s",
			 c->v[i].text, min, max);
		return;	/* the kernel stopped at the first, too */
	}
}

static int send_change(struct rxecc *rx, const struct devref *ref,
		       const struct change *c)
{
	struct nlmsghdr *req = nl_request(&rx->nl, rx->req, RXE_CC_CMD_DEV_SET, 0);
	struct nl_err err;
	bool fits = true;
	size_t i;

	put_ref(req, ref, RXE_CC_A_DEV_NAME, RXE_CC_A_DEV_PORT);
	if (c->algo)
		fits = mnl_attr_put_strz_check(req, NL_REQ_MAX, RXE_CC_A_DEV_ALGO, c->algo);
	if (c->preset)
		fits = fits && mnl_attr_put_strz_check(req, NL_REQ_MAX, RXE_CC_A_DEV_PRESET,
						       c->preset);
	for (i = 0; fits && i < c->n; i++)
		fits = setting_put(req, &c->v[i]);
	if (!fits)
		return rx_usage(rx, "%s: too many settings at once", ref->what);
	if (nl_talk(&rx->nl, req, NULL, &err)) {
		if (err.code == ERANGE && err.offs >= 0)
			change_explain_range(c, &err);
		return rx_kernel_error(rx, ref->what, req, &err);
	}
	return RX_OK;
}

static int resolve_all(struct rxecc *rx, const struct devref *ref,
		       struct change *c, const struct dev *dev,
		       const struct algo *algo)
{
	struct tables t = {
		.params = algo ? &algo->params : &dev->params,
		.knobs = &dev->knobs,
		.algo = algo ? algo->name : dev->algo ? dev->algo : "none",
	};
	size_t i;
	int ret;

	if (c->preset) {
		ret = check_preset(rx, ref, c->preset, algo);
		if (ret)
			return ret;
	}
	for (i = 0; i < c->n; i++) {
		ret = resolve(rx, ref, &c->v[i], &t);
		if (ret)
			return ret;
	}
	return RX_OK;
}

int change_apply(struct rxecc *rx, const struct devref *ref, struct change *c)
{
	struct algo algo = { 0 };
	struct dev dev;
	bool need_algo;
	int ret;

	ret = fetch_dev(rx, ref, &dev);
	if (ret)
		return ret;
	/* without a new algorithm the device's own table has all units */
	need_algo = c->algo || c->preset;
	if (need_algo)
		ret = fetch_algo(rx, c->algo ? c->algo :
				     dev.algo ? dev.algo : "none", &algo);
	if (!ret)
		ret = resolve_all(rx, ref, c, &dev, need_algo ? &algo : NULL);
	if (!ret)
		ret = send_change(rx, ref, c);
	algo_free(&algo);
	dev_free(&dev);
	return ret;
}
