// SPDX-License-Identifier: GPL-2.0
/* The command "rxecc algo": lists algorithms with their parameters and commands. */
#include "print_objects.h"

static const char help_text[] =
"Usage: rxecc algo [show [NAME]]\n"
"Lists the algorithms that are loaded: what they need, their presets and how\n"
"many queue pairs use them. With NAME: loads its module if need be and prints\n"
"the table of its parameters, and the commands that it takes. An argument without\n"
"a default must be given.\n";

static void needs_text(u32 needs, char *buf, size_t len)
{
	size_t n = 0;
	u32 i;

	snprintf(buf, len, "-");
	for (i = 0; i < 32; i++) {
		const char *name = word_of(&need_words, i);

		if (!(needs >> i & 1) || n >= len)
			continue;
		n += name ? snprintf(buf + n, len - n, "%s%s", n ? "," : "", name) :
			    snprintf(buf + n, len - n, "%s0x%x", n ? "," : "", 1U << i);
	}
}

static void algo_row(struct table *t, const struct algo *a)
{
	char needs[160], presets[256] = "-";
	size_t n = 0, i;

	needs_text(a->needs, needs, sizeof(needs));
	for (i = 0; i < a->presets.n && n < sizeof(presets); i++)
		n += snprintf(presets + n, sizeof(presets) - n, "%s%s",
			      i ? "," : "", a->presets.v[i]);
	table_row(t);
	table_cell(t, "algo %s", a->name);
	table_cell(t, "needs %s", needs);
	table_cell(t, "presets %s", presets);
	table_cell(t, "users %u", a->users);
}

/* Parameters and commands. */
static void algo_tables(const struct rxecc *rx, const struct algo *algo, FILE *out)
{
	show_param_table(rx, &algo->params, false, out, 4);
	show_commands(rx, algo, out, 4);
}

static int show_one(struct rxecc *rx, const char *name)
{
	struct table t = { 0 };
	struct algo algo;
	int ret = fetch_algo(rx, name, &algo);

	if (ret)
		return ret;
	if (rx->json) {
		struct json_object *list = json_object_new_array();

		json_object_array_add(list, json_object_of(&algo_object, &algo));
		json_print(rx, list, false);
	} else {
		algo_row(&t, &algo);
		table_print(&t, rx->out, 0);
		algo_tables(rx, &algo, rx->out);
	}
	algo_free(&algo);
	return RX_OK;
}

static int show_all(struct rxecc *rx)
{
	struct nlmsghdr *req = rx_request(rx, RXE_CC_CMD_ALGO_GET, NLM_F_DUMP);
	struct table t = { 0 };
	struct found found;
	struct algo *a;
	int ret;

	ret = req ? fetch(rx, req, "algo", &algo_object, &found, NULL) : RX_KERNEL;
	if (ret)
		return ret;
	if (rx->json) {
		json_print(rx, json_all(&found), false);
	} else {
		for (a = found.v; a < (struct algo *)found.v + found.n; a++) {
			algo_row(&t, a);
			if (rx->details) {
				char *text = NULL;
				size_t len;
				FILE *f = open_memstream(&text, &len);

				algo_tables(rx, a, f);
				fclose(f);
				table_below(&t, text);
			}
		}
		table_print(&t, rx->out, 0);
	}
	found_free(&found);
	return RX_OK;
}

static int algo_show(struct rxecc *rx, int argc, char **argv)
{
	if (argc > 1)
		return rx_usage(rx, "algo show: unexpected argument %s",
				argv[1]);
	return argc ? show_one(rx, argv[0]) : show_all(rx);
}

static const struct cmd cmds[] = {
	{ "show", algo_show },
	{ "list", algo_show },
	{ "help", NULL },
	{ NULL, NULL }
};

int cmd_algo(struct rxecc *rx, int argc, char **argv)
{
	return cmd_run(rx, "algo", cmds, help_text, argc, argv);
}
