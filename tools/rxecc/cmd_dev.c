// SPDX-License-Identifier: GPL-2.0
/* rxecc dev and rxecc param */
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "show.h"

static const char dev_help_text[] =
"Usage: rxecc dev [show [DEV]]\n"
"       rxecc dev set DEV [algo NAME] [preset NAME] [param NAME=VALUE]...\n"
"                         [knob NAME=VALUE]...\n"
"       rxecc dev cmd DEV [peer ADDR[,ADDR]...] [algo ALGO] NAME [ARG=VALUE]...\n"
"DEV is an RDMA device as in \"rdma link show\". \"set\" changes everything it\n"
"names at once, or nothing. Order: algorithm, then preset, then parameters.\n"
"VALUE takes tc's units: 40mbit 100gbit, 55us, 10mb (1 kb = 1024 bytes), 1/256,\n"
"on or off. \"cmd\" gives an algorithm that runs there a command about the port or\n"
"about one other host; see \"rxecc algo show ALGO\". A plain number is in the unit that \"rxecc algo show NAME\" tells.\n"
"Options: -d all columns, -s counters.\n";

static const char param_help_text[] =
"Usage: rxecc param [show] DEV\n"
"       rxecc param set DEV NAME=VALUE...\n"
"Parameters of the device's algorithm, then the knobs of the device. \"set\" is\n"
"short for \"rxecc dev set DEV param NAME=VALUE...\"; it finds knobs as well.\n";

static void param_lines(const struct rxecc *rx, const struct params *ps,
			const char *kind, struct table *t)
{
	char buf[PARAM_TEXT_MAX];
	size_t i;

	for (i = 0; i < ps->n; i++) {
		const struct param *p = &ps->v[i];

		table_row(t);
		table_cell(t, "%s %s", kind, p->name);
		table_cell(t, "%s", show_value(rx, p->unit,
					       p->has & PARAM_HAS_VALUE,
					       p->value, buf));
		if (!rx->details)
			continue;
		table_cell(t, "unit %s", p->unit);
		table_cell(t, "default %s",
			   show_value(rx, p->unit, p->has & PARAM_HAS_DEFAULT,
				      p->def, buf));
		table_cell(t, "min %s",
			   show_value(rx, p->unit, p->has & PARAM_HAS_MIN,
				      p->min, buf));
		table_cell(t, "max %s",
			   show_value(rx, p->unit, p->has & PARAM_HAS_MAX,
				      p->max, buf));
	}
}

/* What stands below a device's own line. */
static char *dev_body(const struct rxecc *rx, const struct dev *dev, bool full)
{
	struct table t = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	if (full) {
		param_lines(rx, &dev->params, "param", &t);
		param_lines(rx, &dev->knobs, "knob", &t);
		table_print(&t, f, 4);
	}
	if (rx->stats) {
		show_counters(rx, &dev->rx, "rx", true, f, 4);
		show_counters(rx, &dev->counters, "counter", false, f, 4);
	}
	fclose(f);
	return text;
}

static void dev_row(const struct rxecc *rx, struct table *t,
		    const struct dev *dev)
{
	char buf[PARAM_TEXT_MAX];

	table_row(t);
	table_cell(t, "dev %s/%u", dev->name, dev->port);
	table_cell(t, "algo %s", dev->algo ? dev->algo : "-");
	table_cell(t, "line-rate %s",
		   show_figure(rx, PARAM_BPS, dev->has_line_rate,
			       dev->line_rate_bps, buf));
	if (dev->has_qps)
		table_cell(t, "qps %u", dev->qps);
	if (dev->has_ifindex)
		table_cell(t, "ifindex %u", dev->ifindex);
}

static int dev_show(struct rxecc *rx, int argc, char **argv)
{
	struct json_object *list;
	struct table t = { 0 };
	struct devref ref;
	struct devs devs;
	size_t i;
	int ret;

	if (argc > 1)
		return rx_usage(rx, "dev show: unexpected argument %s", argv[1]);
	if (argc && devref_parse(rx, argv[0], &ref))
		return RX_USAGE;
	ret = fetch_devs(rx, argc ? &ref : NULL, &devs);
	if (ret)
		return ret;
	if (rx->json) {
		list = json_object_new_array();
		for (i = 0; i < devs.n; i++)
			json_object_array_add(list, json_dev(&devs.v[i]));
		json_print(rx, list, false);
	} else {
		for (i = 0; i < devs.n; i++) {
			dev_row(rx, &t, &devs.v[i]);
			table_below(&t, dev_body(rx, &devs.v[i],
						 argc || rx->details));
		}
		table_print(&t, rx->out, 0);
	}
	devs_free(&devs);
	return RX_OK;
}

/* An unambiguous abbreviation of one of @words; -1 when there is none. */
static int keyword(const char * const *words, const char *word)
{
	int i, found = -1;

	for (i = 0; words[i]; i++) {
		if (!strcmp(words[i], word))
			return i;
		if (!is_prefix(word, words[i]))
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

enum { KEY_ALGO, KEY_PRESET, KEY_PARAM, KEY_KNOB };

static const char * const set_keywords[] = {
	"algo", "preset", "param", "knob", NULL
};

static int set_name(struct rxecc *rx, const char **name, const char *key,
		    const char *val)
{
	if (*name)
		return rx_usage(rx, "dev set: %s given twice", key);
	if (!*val)
		return rx_usage(rx, "dev set: %s: empty name", key);
	*name = val;
	return RX_OK;
}

static int parse_set(struct rxecc *rx, int argc, char **argv, struct change *c)
{
	int i, key = -1, ret;

	for (i = 0; i < argc; i++) {
		/* more NAME=VALUE words may follow the first */
		if (strchr(argv[i], '=') && (key == KEY_PARAM || key == KEY_KNOB)) {
			i--;
		} else {
			key = keyword(set_keywords, argv[i]);
			if (key < 0)
				return rx_usage(rx,
						"dev set: unknown keyword %s, see rxecc dev help",
						argv[i]);
		}
		if (++i == argc)
			return rx_usage(rx, "dev set: %s needs a value",
					set_keywords[key]);
		if (key == KEY_ALGO)
			ret = set_name(rx, &c->algo, "algo", argv[i]);
		else if (key == KEY_PRESET)
			ret = set_name(rx, &c->preset, "preset", argv[i]);
		else
			ret = change_add(rx, c, key == KEY_KNOB ?
					 SETTING_KNOB : SETTING_PARAM, argv[i]);
		if (ret)
			return ret;
	}
	return RX_OK;
}

static int dev_set(struct rxecc *rx, int argc, char **argv)
{
	struct change c = { 0 };
	struct devref ref;
	int ret;

	if (argc && is_prefix(argv[0], "dev") && strlen(argv[0]) == 3) {
		argc--;
		argv++;
	}
	if (argc < 2)
		return rx_usage(rx, "dev set: needs a device and something to set");
	if (devref_parse(rx, argv[0], &ref))
		return RX_USAGE;
	ret = parse_set(rx, argc - 1, argv + 1, &c);
	if (!ret)
		ret = change_apply(rx, &ref, &c);
	free(c.v);
	return ret;
}

static int dev_help(struct rxecc *rx, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs(dev_help_text, rx->out);
	return RX_OK;
}

static const struct cmd dev_cmds[] = {
	{ "show", dev_show },
	{ "list", dev_show },
	{ "set", dev_set },
	{ "cmd", command_to_dev },
	{ "help", dev_help },
	{ NULL, NULL }
};

int cmd_dev(struct rxecc *rx, int argc, char **argv)
{
	const struct cmd *c;

	if (!argc)
		return dev_show(rx, 0, argv);
	c = cmd_find(dev_cmds, argv[0]);
	if (!c)
		return rx_usage(rx, "dev: unknown command %s, see rxecc dev help",
				argv[0]);
	return c->fn(rx, argc - 1, argv + 1);
}

static int param_show(struct rxecc *rx, int argc, char **argv)
{
	struct json_object *o;
	struct nl_msgs msgs;
	struct devref ref;
	struct params all;
	struct dev dev;
	int ret;

	if (!argc)
		return rx_usage(rx, "param show: needs a device");
	if (argc > 1)
		return rx_usage(rx, "param show: unexpected argument %s",
				argv[1]);
	if (devref_parse(rx, argv[0], &ref))
		return RX_USAGE;
	ret = fetch_dev(rx, &ref, &msgs, &dev);
	if (ret)
		return ret;
	if (rx->json) {
		o = json_object_new_object();
		json_object_object_add(o, "dev",
				       json_object_new_string(dev.name));
		json_object_object_add(o, "port", json_u64(dev.port));
		if (dev.algo)
			json_object_object_add(o, "algo",
					       json_object_new_string(dev.algo));
		json_object_object_add(o, "params", json_params(&dev.params));
		json_object_object_add(o, "knobs", json_params(&dev.knobs));
		json_print(rx, o, false);
	} else {
		/* one table, so that the columns of both parts line up */
		all.n = dev.params.n + dev.knobs.n;
		all.v = calloc(all.n + 1, sizeof(*all.v));
		if (all.v) {
			if (dev.params.n)
				memcpy(all.v, dev.params.v,
				       dev.params.n * sizeof(*all.v));
			if (dev.knobs.n)
				memcpy(all.v + dev.params.n, dev.knobs.v,
				       dev.knobs.n * sizeof(*all.v));
			show_param_table(rx, &all, true, rx->out, 0);
		}
		free(all.v);
	}
	dev_free(&dev);
	nl_msgs_free(&msgs);
	return RX_OK;
}

static int param_set(struct rxecc *rx, int argc, char **argv)
{
	struct change c = { 0 };
	struct devref ref;
	int i, ret = RX_OK;

	if (argc < 2)
		return rx_usage(rx, "param set: needs a device and NAME=VALUE");
	if (devref_parse(rx, argv[0], &ref))
		return RX_USAGE;
	for (i = 1; i < argc && !ret; i++)
		ret = change_add(rx, &c, SETTING_ANY, argv[i]);
	if (!ret)
		ret = change_apply(rx, &ref, &c);
	free(c.v);
	return ret;
}

static int param_help(struct rxecc *rx, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs(param_help_text, rx->out);
	return RX_OK;
}

static const struct cmd param_cmds[] = {
	{ "show", param_show },
	{ "list", param_show },
	{ "set", param_set },
	{ "help", param_help },
	{ NULL, NULL }
};

int cmd_param(struct rxecc *rx, int argc, char **argv)
{
	const struct cmd *c;

	if (!argc)
		return rx_usage(rx, "param: needs a device, see rxecc param help");
	c = cmd_find(param_cmds, argv[0]);
	if (!c)
		return param_show(rx, argc, argv);
	return c->fn(rx, argc - 1, argv + 1);
}
