// SPDX-License-Identifier: GPL-2.0
/* Reads the kernel's trace of the ports, in the order in which it was recorded. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

#define TRACING		"/sys/kernel/tracing/"
#define BUFFER_KB	"65536"
#define COUNTS		"# entries-in-buffer/entries-written: %lu/%lu"

static const char *const names[EV_TYPES] = {
	[EV_ENQUEUE] = "roce_enqueue", [EV_DEQUEUE] = "roce_dequeue",
	[EV_INT] = "roce_int", [EV_PFC_TX] = "roce_pfc_tx",
	[EV_PFC_RX] = "roce_pfc_rx", [EV_PAUSE] = "roce_pause",
	[EV_XOFF] = "roce_xoff", [EV_DROP] = "roce_drop",
};

static void put(const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), TRACING "%s", file);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		die("%s", path);
}

/* Record the events given, and no others, from an empty buffer on. */
void trace_start(const struct args *a)
{
	char path[64];
	int i;

	put("tracing_on", "0");
	put("events/enable", "0");
	put("buffer_size_kb", BUFFER_KB);
	put("trace", "");
	for (i = 1; i < a->count; i++) {
		snprintf(path, sizeof(path), "events/roce/roce_%s/enable",
			 a->word[i]);
		put(path, "1");
	}
	put("tracing_on", "1");
}

static void set_number(struct event *e, const char *key, uint64_t v)
{
	const struct {
		const char *key;
		size_t at, size;
	} fields[] = {
#define FIELD(k, f) { k, offsetof(struct event, f), sizeof(e->f) }
		FIELD("netns", netns), FIELD("ifindex", ifindex),
		FIELD("t_ns", t_ns), FIELD("start_ns", t_ns),
		FIELD("arrival_ns", arrival_ns), FIELD("depart_ns", depart_ns),
		FIELD("due_ns", due_ns), FIELD("until_ns", until_ns),
		FIELD("queue_bytes", queue_bytes), FIELD("prio", prio),
		FIELD("wire_bytes", wire_bytes), FIELD("paused", state),
		FIELD("pushed_bytes", pushed_bytes), FIELD("xoff", state),
		FIELD("in_bytes", in_bytes), FIELD("node", hop.node),
		FIELD("in_port", hop.in_port), FIELD("out_port", hop.out_port),
		FIELD("queue", hop.queue), FIELD("latency_ns", hop.latency_ns),
		FIELD("ingress_ts_ns", hop.ingress_ns),
		FIELD("egress_ts_ns", hop.egress_ns),
		FIELD("tx_bytes", hop.tx_bytes),
		FIELD("qlen_bytes", hop.qlen_bytes),
		FIELD("speed_mbps", hop.speed_mbps),
#undef FIELD
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(key, fields[i].key))
			/* little-endian: the low bytes come first */
			memcpy((char *)e + fields[i].at, &v, fields[i].size);
}

static void set_quanta(struct event *e, const char *text)
{
	int i;

	for (i = 0; i < PRIOS && text; i++) {
		e->quanta[i] = strtoul(text, NULL, 0);
		text = strchr(text, ',');
		text = text ? text + 1 : NULL;
	}
}

static void parse_event(struct event *e, char *text)
{
	char *word, *save, *value;

	for (word = strtok_r(text, "\n ", &save); word;
	     word = strtok_r(NULL, "\n ", &save)) {
		value = strchr(word, '=');
		if (!value)
			continue;
		*value++ = 0;
		if (!strcmp(word, "result") || !strcmp(word, "verdict"))
			snprintf(e->word, sizeof(e->word), "%s", value);
		else if (!strcmp(word, "quanta"))
			set_quanta(e, value);
		else if (!strcmp(word, "enable"))
			e->enable = strtoul(value, NULL, 0);
		else
			set_number(e, word, strtoull(value, NULL, 0));
	}
}

static void add_line(struct trace *t, char *text)
{
	int type;

	for (type = 0; type < EV_TYPES; type++) {
		char *at = strstr(text, names[type]);
		size_t len = strlen(names[type]);

		if (!at || at[len] != ':')
			continue;
		if (t->count == t->room) {
			t->room = t->room ? 2 * t->room : 4096;
			t->ev = realloc(t->ev, t->room * sizeof(*t->ev));
			if (!t->ev)
				die("memory for the trace");
		}
		memset(&t->ev[t->count], 0, sizeof(*t->ev));
		t->ev[t->count].type = type;
		parse_event(&t->ev[t->count++], at + len + 1);
		return;
	}
}

/* Read everything so far; an overrun would falsify the checks. */
void trace_read(struct trace *t)
{
	char text[1024];
	unsigned long seen, written, lost = 0;
	FILE *f;

	put("tracing_on", "0");
	t->count = 0;
	f = fopen(TRACING "trace", "r");
	if (!f)
		die(TRACING "trace");
	while (fgets(text, sizeof(text), f)) {
		if (text[0] != '#')
			add_line(t, text);
		else if (sscanf(text, COUNTS, &seen, &written) == 2 &&
			 seen != written)
			lost = written - seen;
	}
	fclose(f);
	put("tracing_on", "1");
	errno = 0;
	if (lost)
		die("the trace has lost %lu events", lost);
}

bool event_at(const struct event *e, const struct port *p)
{
	return e->netns == p->netns && e->ifindex == p->ifindex;
}

/* The first event of a kind at a port behind @after, NULL = from the start. */
const struct event *next_event(const struct trace *t, const struct event *after,
			       const struct port *p, enum event_type type)
{
	const struct event *e = after ? after + 1 : t->ev;

	for (; e < t->ev + t->count; e++)
		if (e->type == type && event_at(e, p))
			return e;
	return NULL;
}

/* "pfc_tx" for roce_pfc_tx; negative: there is no such event. */
int event_by_name(const char *name)
{
	int type;

	for (type = 0; type < EV_TYPES; type++)
		if (!strcmp(names[type] + strlen("roce_"), name))
			return type;
	return -1;
}

int count_events(const struct trace *t, const struct port *p,
		 enum event_type type)
{
	const struct event *e = NULL;
	int n = 0;

	while ((e = next_event(t, e, p, type)))
		n++;
	return n;
}

/* Models count time in 1/rate ns: a line then sends 8 bits in 8e9 ticks,
 * whatever its rate, and nothing is ever rounded.
 */
u128 wire_ticks(uint64_t bytes)
{
	return (u128)bytes * 8 * 1000000000;
}

uint64_t ceil_ns(u128 ticks, uint64_t rate)
{
	return (ticks + rate - 1) / rate;
}
