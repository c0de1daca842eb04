// SPDX-License-Identifier: GPL-2.0
/*
 * Steps of the script that send frames or print them, and what is expected of those that were
 * sent.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"

/* BYTES or MIN-MAX */
static void set_size(struct flow *f, const char *text)
{
	char copy[64] = "";
	char *dash;

	if (!text)
		text = "1024";
	snprintf(copy, sizeof(copy), "%s", text);
	dash = strchr(copy, '-');
	if (dash)
		*dash++ = 0;
	f->size_min = parse_number(copy);
	f->size_max = dash ? parse_number(dash) : (uint64_t)f->size_min;
	errno = 0;
	if (f->size_min > f->size_max || f->size_max > MAX_FRAME - 512)
		die("size=%s: want BYTES or MIN-MAX, below %d", text,
		    MAX_FRAME - 512);
}

static void set_flow(struct lab *lab, const struct args *a, struct flow *f,
		     const struct port *src)
{
	f->used = true;
	f->id = f - lab->flow;
	f->src = src;
	f->dst = arg_port(lab, a, "to");
	f->via = arg_text(a, "via") ? arg_port(lab, a, "via") : NULL;
	f->v6 = arg_text(a, "v6");
	f->vlan = arg_number(a, "vlan", 0);
	f->telemetry = arg_text(a, "int");
	f->dscp = arg_number(a, "dscp", f->telemetry ? 27 : 26);
	f->ecn = arg_number(a, "ecn", 2);
	f->instr = arg_number(a, "int", 0);
	f->ds_instr = arg_number(a, "ds", 0);
	f->domain = arg_number(a, "domain", 0x0cc1);
	f->rem_hop = arg_number(a, "hops", 16);
	set_size(f, arg_text(a, "size"));
}

/* The ports in turn, packet by packet: all start at the same time. */
void step_data(struct lab *lab, const struct args *a)
{
	uint64_t count = arg_number(a, "count", 1), gap = arg_number(a, "gap", 0);
	uint64_t first = arg_number(a, "flow", 0), n;
	struct port *src[MAX_PORTS];
	static uint8_t buf[MAX_FRAME];
	int ports = 0, i;
	char *name;

	errno = 0;
	if (a->count < 2)
		die("line %d: data PORT ...", lab->line);
	for (name = strtok(a->word[1], ","); name && ports < MAX_PORTS;
	     name = strtok(NULL, ",")) {
		src[ports] = find_port(lab, name);
		set_flow(lab, a, find_flow(lab, first + ports), src[ports]);
		ports++;
	}
	for (n = 0; n < count; n++) {
		for (i = 0; i < ports; i++) {
			struct flow *f = &lab->flow[first + i];
			int len = build_data(buf, f, f->sent);

			f->sent += port_send(src[i], buf, len);
		}
		if (gap)
			sleep_ns(gap);
	}
}

/* One value for all priorities, or eight. */
static void get_quanta(const struct args *a, uint16_t *quanta)
{
	const char *text = arg_text(a, "quanta");
	char copy[128] = "0", *word;
	int i = 0;

	if (text)
		snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok(copy, ","); word && i < PRIOS; word = strtok(NULL, ","))
		quanta[i++] = parse_number(word);
	for (; i > 0 && i < PRIOS; i++)
		quanta[i] = quanta[0];
}

static void send_times(struct lab *lab, const struct args *a,
		       const uint8_t *frame, int len)
{
	uint64_t count = arg_number(a, "count", 1), gap = arg_number(a, "gap", 0);
	struct port *p = find_port(lab, a->word[1]);

	while (count--) {
		port_send(p, frame, len);
		if (gap)
			sleep_ns(gap);
	}
}

void step_pfc(struct lab *lab, const struct args *a)
{
	uint16_t quanta[PRIOS] = { 0 };
	uint8_t buf[MIN_FRAME];

	errno = 0;
	if (a->count < 2)
		die("line %d: pfc PORT ...", lab->line);
	get_quanta(a, quanta);
	send_times(lab, a, buf,
		   build_pfc(buf, find_port(lab, a->word[1])->mac,
			     arg_number(a, "enable", 0), quanta));
}

/* Like PFC, but what is given is different: opcode, length, destination. */
void step_control(struct lab *lab, const struct args *a)
{
	uint16_t quanta[PRIOS] = { 0 };
	const char *dst = arg_text(a, "dst");
	uint8_t buf[MAX_FRAME] = { 0 };
	unsigned int mac[6], i;

	errno = 0;
	if (a->count < 2)
		die("line %d: control PORT ...", lab->line);
	get_quanta(a, quanta);
	build_pfc(buf, find_port(lab, a->word[1])->mac,
		  arg_number(a, "enable", 0), quanta);
	put16(buf + 14, arg_number(a, "opcode", OPCODE_PFC));
	if (dst) {
		if (sscanf(dst, "%x:%x:%x:%x:%x:%x", &mac[0], &mac[1], &mac[2],
			   &mac[3], &mac[4], &mac[5]) != 6)
			die("line %d: dst=%s is no MAC address", lab->line, dst);
		for (i = 0; i < 6; i++)
			buf[i] = mac[i];
	}
	send_times(lab, a, buf, arg_number(a, "len", MIN_FRAME));
}

/* Ports that nobody told otherwise take the ids from MAC and ifindex. */
void step_ids(struct lab *lab, const struct args *a)
{
	struct port *p;

	errno = 0;
	if (a->count < 2)
		die("line %d: ids PORT ...", lab->line);
	p = find_port(lab, a->word[1]);
	p->node = arg_number(a, "node", p->node);
	p->id = arg_number(a, "port", p->id);
}

/* path FLOW [IN>]PORT,... [flags=EM]: "-" if no port pushes */
void step_path(struct lab *lab, const struct args *a)
{
	const char *flags = arg_text(a, "flags");
	struct flow *f;
	char *name, *out;

	errno = 0;
	if (a->count < 3)
		die("line %d: path FLOW PORT,...", lab->line);
	f = find_flow(lab, parse_number(a->word[1]));
	f->path_len = 0;
	f->flags = 0;
	for (name = strtok(a->word[2], ","); name && strcmp(name, "-");
	     name = strtok(NULL, ",")) {
		errno = 0;
		if (f->path_len == MAX_PATH)
			die("line %d: more than %d ports", lab->line, MAX_PATH);
		out = strchr(name, '>');
		if (out)
			*out++ = 0;
		f->ingress[f->path_len] = out ? find_port(lab, name) : NULL;
		f->path[f->path_len++] = find_port(lab, out ? out : name);
	}
	if (flags && strchr(flags, 'E'))
		f->flags |= MD_E;
	if (flags && strchr(flags, 'M'))
		f->flags |= MD_M;
}

static void dump_int(FILE *out, const struct parsed *q, const uint8_t *b)
{
	struct hop h;
	int i;

	fprintf(out, " int=%04x/%04x domain=%04x rem_hop=%d flags=%x hops=%d",
		q->instr, q->ds_instr, q->domain, q->rem_hop, q->flags,
		q->nr_hops);
	for (i = 0; i < q->nr_hops; i++) {
		parse_hop(&h, q, b, i);
		fprintf(out, " | node=%08x in=%u out=%u latency=%u queue=%u/%u",
			h.node, h.in_port, h.out_port, h.latency_ns, h.queue,
			h.occupancy);
		fprintf(out, " ingress=%llu egress=%llu tx_bytes=%llu qlen=%u mbps=%u",
			(unsigned long long)h.ingress_ns,
			(unsigned long long)h.egress_ns,
			(unsigned long long)h.tx_bytes, h.qlen_bytes,
			h.speed_mbps);
	}
}

static void dump_frame(FILE *out, const struct frame *f)
{
	const uint8_t *b = f->data;
	uint32_t flow, seq;
	struct parsed q;
	int k;

	fprintf(out, "%llu len=%d", (unsigned long long)f->time_ns, f->len);
	if (parse_frame(&q, b, f->len, 27)) {
		fprintf(out, " roce v%d dscp=%d ecn=%d", q.v6 ? 6 : 4, q.dscp,
			q.ecn);
		if (data_id(&q, b, &flow, &seq))
			fprintf(out, " flow=%u seq=%u", flow, seq);
		if (q.int_ok)
			dump_int(out, &q, b);
	} else if (get16(b + 12) == MAC_CONTROL && f->len >= 34) {
		fprintf(out, " control opcode=%04x enable=%04x quanta=",
			get16(b + 14), get16(b + 16));
		for (k = 0; k < PRIOS; k++)
			fprintf(out, "%u%s", get16(b + 18 + 2 * k),
				k < PRIOS - 1 ? "," : "");
	} else {
		fprintf(out, " type=%04x", get16(b + 12));
	}
	fputc('\n', out);
}

/* dump PORT [FILE]: a line for each frame: time, length, what it is */
void step_dump(struct lab *lab, const struct args *a)
{
	const struct port *p;
	FILE *out = stdout;
	int i;

	errno = 0;
	if (a->count < 2)
		die("line %d: dump PORT [FILE]", lab->line);
	p = find_port(lab, a->word[1]);
	if (a->count > 2)
		out = fopen(a->word[2], "w");
	if (!out)
		die("%s", a->word[2]);
	for (i = 0; i < p->count; i++)
		dump_frame(out, p->frames[i]);
	if (out != stdout && fclose(out))
		die("%s", a->word[2]);
}
