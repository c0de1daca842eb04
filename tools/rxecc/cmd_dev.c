// SPDX-License-Identifier: GPL-2.0
/* The commands "rxecc dev" and "rxecc param": show and set the congestion control of devices. */
#include <stdlib.h>
#include <string.h>

#include "set_parameters.h"
#include "print_objects.h"

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
		table_cell(t, "%s", SHOW_PARAM(rx, p, VALUE, value, buf));
		if (!rx->details)
			continue;
		table_cell(t, "unit %s", p->unit);
		table_cell(t, "default %s", SHOW_PARAM(rx, p, DEFAULT, def, buf));
		table_cell(t, "min %s", SHOW_PARAM(rx, p, VALUE_MIN, min, buf));
		table_cell(t, "max %s", SHOW_PARAM(rx, p, VALUE_MAX, max, buf));
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
	table_row(t);
	table_cell(t, "dev %s/%u", dev->name, dev->port);
	table_cell(t, "algo %s", dev->algo ? dev->algo : "-");
	show_columns(rx, t, &dev_object, dev);
	if (HAS(dev, RXE_CC_A_DEV_QPS))
		table_cell(t, "qps %u", dev->qps);
	if (HAS(dev, RXE_CC_A_DEV_IFINDEX))
		table_cell(t, "ifindex %u", dev->ifindex);
}

static int dev_show(struct rxecc *rx, int argc, char **argv)
{
	struct table t = { 0 };
	struct devref ref;
	struct found devs;
	struct dev *dev;
	int ret;

	if (argc > 1)
		return rx_usage(rx, "dev show: unexpected argument %s", argv[1]);
	if (argc && devref_parse(rx, argv[0], &ref))
		return RX_USAGE;
	ret = fetch_devs(rx, argc ? &ref : NULL, &devs);
	if (ret)
		return ret;
	if (rx->json) {
		json_print(rx, json_all(&devs), false);
	} else {
		for (dev = devs.v; dev < (struct dev *)devs.v + devs.n; dev++) {
			dev_row(rx, &t, dev);
			table_below(&t, dev_body(rx, dev, argc || rx->details));
		}
		table_print(&t, rx->out, 0);
	}
	found_free(&devs);
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

static const struct cmd dev_cmds[] = {
	{ "show", dev_show },
	{ "list", dev_show },
	{ "set", dev_set },
	{ "cmd", command_to_dev },
	{ "help", NULL },
	{ NULL, NULL }
};

int cmd_dev(struct rxecc *rx, int argc, char **argv)
{
	return cmd_run(rx, "dev", dev_cmds, dev_help_text, argc, argv);
}

static int param_show(struct rxecc *rx, int argc, char **argv)
{
	static const char *const parts[] = { "dev", "port", "algo", "params", "knobs" };
	struct json_object *o, *part;
	struct devref ref;
	struct params all;
	struct dev dev;
	size_t i;
	int ret;

	if (!argc)
		return rx_usage(rx, "param show: needs a device");
	if (argc > 1)
		return rx_usage(rx, "param show: unexpected argument %s",
				argv[1]);
	if (devref_parse(rx, argv[0], &ref))
		return RX_USAGE;
	ret = fetch_dev(rx, &ref, &dev);
	if (ret)
		return ret;
	if (rx->json) {
		o = json_object_new_object();
		for (i = 0; i < ARRAY_SIZE(parts); i++) {
			part = json_part(&dev_object, &dev, parts[i]);
			if (part)
				json_object_object_add(o, parts[i], part);
		}
		json_print(rx, o, false);
	} else {
		/* one table, so that the columns of both parts line up */
		all.n = dev.params.n + dev.knobs.n;
		all.v = calloc(all.n + 1, sizeof(*all.v));
		for (i = 0; all.v && i < all.n; i++)
			all.v[i] = i < dev.params.n ? dev.params.v[i] :
						      dev.knobs.v[i - dev.params.n];
		if (all.v)
			show_param_table(rx, &all, true, rx->out, 0);
		free(all.v);
	}
	dev_free(&dev);
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

static const struct cmd param_cmds[] = {
	{ "show", param_show },
	{ "list", param_show },
	{ "set", param_set },
	{ "help", NULL },
	{ NULL, NULL }
};

int cmd_param(struct rxecc *rx, int argc, char **argv)
{
	if (!argc)
		return rx_usage(rx, "param: needs a device, see rxecc param help");
	if (!cmd_find(param_cmds, argv[0]))
		return param_show(rx, argc, argv);
	return cmd_run(rx, "param", param_cmds, param_help_text, argc, argv);
}
