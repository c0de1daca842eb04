// SPDX-License-Identifier: GPL-2.0
/* rxecc algo */
#include <stdlib.h>
#include <string.h>

#include <linux/rxe_cc.h>

#include "show.h"

static const char help_text[] =
"Usage: rxecc algo [show [NAME]]\n"
"Lists the algorithms that are loaded: what they need, their presets and how\n"
"many queue pairs use them. With NAME: loads its module if need be and prints\n"
"the table of its parameters, and the commands that it takes. An argument without\n"
"a default must be given.\n";

static void needs_text(u32 needs, char *buf, size_t len)
{
	size_t n = 0;
	u32 bit;

	snprintf(buf, len, "-");
	for (bit = 1; bit; bit <<= 1) {
		const char *name = algo_need_name(bit);

		if (!(needs & bit) || n >= len)
			continue;
		if (name)
			n += snprintf(buf + n, len - n, "%s%s", n ? "," : "",
				      name);
		else
			n += snprintf(buf + n, len - n, "%s0x%x", n ? "," : "",
				      bit);
	}
}

static void algo_row(struct table *t, const struct algo *a)
{
	char needs[160], presets[256] = "-";
	size_t n = 0, i;

	needs_text(a->needs, needs, sizeof(needs));
	for (i = 0; i < a->npresets && n < sizeof(presets); i++)
		n += snprintf(presets + n, sizeof(presets) - n, "%s%s",
			      i ? "," : "", a->presets[i]);
	table_row(t);
	table_cell(t, "algo %s", a->name);
	table_cell(t, "needs %s", needs);
	table_cell(t, "presets %s", presets);
	table_cell(t, "users %u", a->users);
}

static int show_one(struct rxecc *rx, const char *name)
{
	struct table t = { 0 };
	struct nl_msgs msgs;
	struct algo algo;
	int ret = fetch_algo(rx, name, &msgs, &algo);

	if (ret)
		return ret;
	if (rx->json) {
		struct json_object *list = json_object_new_array();

		json_object_array_add(list, json_algo(&algo));
		json_print(rx, list, false);
	} else {
		algo_row(&t, &algo);
		table_print(&t, rx->out, 0);
		show_param_table(rx, &algo.params, false, rx->out, 4);
		show_commands(rx, &algo, rx->out, 4);
	}
	algo_free(&algo);
	nl_msgs_free(&msgs);
	return RX_OK;
}

static int show_all(struct rxecc *rx)
{
	u32 buf[NL_REQ_MAX / sizeof(u32)];
	struct json_object *list = NULL;
	struct table t = { 0 };
	struct nlmsghdr *req;
	struct nl_msgs msgs;
	struct nl_err err;
	const char *bad = NULL;
	struct algo algo;
	size_t i;
	int ret = rx_open(rx);

	if (ret)
		return ret;
	req = nl_request(&rx->nl, buf, RXE_CC_CMD_ALGO_GET, NLM_F_DUMP);
	if (nl_talk(&rx->nl, req, &msgs, &err))
		return rx_kernel_error(rx, "algo", NULL, &err);
	if (rx->json)
		list = json_object_new_array();
	for (i = 0; i < msgs.n && !bad; i++) {
		bad = algo_parse(msgs.v[i], &algo);
		if (!bad && rx->json) {
			json_object_array_add(list, json_algo(&algo));
		} else if (!bad) {
			algo_row(&t, &algo);
			if (rx->details) {
				char *text = NULL;
				size_t len;
				FILE *f = open_memstream(&text, &len);

				show_param_table(rx, &algo.params, false, f, 4);
				show_commands(rx, &algo, f, 4);
				fclose(f);
				table_below(&t, text);
			}
		}
		algo_free(&algo);
	}
	if (rx->json)
		json_print(rx, list, false);
	else
		table_print(&t, rx->out, 0);
	nl_msgs_free(&msgs);
	return bad ? rx_bad_message(rx, "algo", bad) : RX_OK;
}

static int algo_show(struct rxecc *rx, int argc, char **argv)
{
	if (argc > 1)
		return rx_usage(rx, "algo show: unexpected argument %s",
				argv[1]);
	return argc ? show_one(rx, argv[0]) : show_all(rx);
}

static int algo_help(struct rxecc *rx, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs(help_text, rx->out);
	return RX_OK;
}

static const struct cmd cmds[] = {
	{ "show", algo_show },
	{ "list", algo_show },
	{ "help", algo_help },
	{ NULL, NULL }
};

int cmd_algo(struct rxecc *rx, int argc, char **argv)
{
	const struct cmd *c;

	if (!argc)
		return show_all(rx);
	c = cmd_find(cmds, argv[0]);
	if (!c)
		return rx_usage(rx, "algo: unknown command %s, see rxecc algo help",
				argv[0]);
	return c->fn(rx, argc - 1, argv + 1);
}
