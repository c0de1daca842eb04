// SPDX-License-Identifier: GPL-2.0
/* lab capture: hops as records, CSV or JSON. */
#include <arpa/inet.h>
#include <inttypes.h>

#include "capture/capture.h"

static const char *const hop_columns[HOP_FIELDS] = {
	"node", "in_port", "out_port", "ingress_ns", "egress_ns", "latency_ns", "queue",
	"queue_bytes", "tx_bytes", "speed_mbps",
};

/* What all hops of a packet have in common. */
struct packet_columns {
	uint64_t number, time_ns, qpn, psn;
	char src[INET6_ADDRSTRLEN], dst[INET6_ADDRSTRLEN];
};

static void number(FILE *out, bool json, uint64_t v)
{
	if (v != UNKNOWN)
		fprintf(out, "%" PRIu64, v);
	else if (json)
		fputs("null", out);
}

static void csv_hop(FILE *out, const struct packet_columns *c, const struct telemetry *t,
		    unsigned int i)
{
	int f;

	fprintf(out, "%" PRIu64 ",%" PRIu64 ",%s,%s,%s,", c->number, c->time_ns,
		format_names[t->format], c->src, c->dst);
	number(out, false, c->qpn);
	fputc(',', out);
	number(out, false, c->psn);
	fprintf(out, ",%u,%u,%d", t->n, i + 1, t->incomplete);
	for (f = 0; f < HOP_FIELDS; f++) {
		fputc(',', out);
		number(out, false, t->hops[i].v[f]);
	}
	fputc('\n', out);
}

static void json_hop(FILE *out, const struct packet_columns *c, const struct telemetry *t,
		     unsigned int i)
{
	int f;

	fprintf(out, "{\"packet\":%" PRIu64 ",\"time_ns\":%" PRIu64, c->number, c->time_ns);
	fprintf(out, ",\"format\":\"%s\",\"src\":\"%s\",\"dst\":\"%s\",\"qpn\":",
		format_names[t->format], c->src, c->dst);
	number(out, true, c->qpn);
	fputs(",\"psn\":", out);
	number(out, true, c->psn);
	fprintf(out, ",\"hops\":%u,\"hop\":%u,\"incomplete\":%s", t->n, i + 1,
		t->incomplete ? "true" : "false");
	for (f = 0; f < HOP_FIELDS; f++) {
		fprintf(out, ",\"%s\":", hop_columns[f]);
		number(out, true, t->hops[i].v[f]);
	}
	fputc('}', out);
}

/* Addresses of the packet that the sender made; queue pair and PSN if it is RoCE. */
static void fill(struct packet_columns *c, const struct frame *f, const struct telemetry *t)
{
	const uint8_t *ip = f->data + t->ip, *bth = f->data + t->payload;
	bool v6 = ip[0] >> 4 == 6;

	inet_ntop(v6 ? AF_INET6 : AF_INET, ip + (v6 ? 8 : 12), c->src, sizeof(c->src));
	inet_ntop(v6 ? AF_INET6 : AF_INET, ip + (v6 ? 24 : 16), c->dst, sizeof(c->dst));
	if (!t->l4 || frame_has(f, t->l4, UDP_BYTES) || frame_has(f, t->payload, 12) ||
	    get16(f->data + t->l4 + 2) != ROCE_PORT)
		return;
	c->qpn = (uint64_t)bth[5] << 16 | get16(bth + 6);
	c->psn = (uint64_t)bth[9] << 16 | get16(bth + 10);
}

/**
 * records_begin() - what is in front of the first record
 * @out: where to
 * @json: as JSON
 */
void records_begin(FILE *out, bool json)
{
	int f;

	if (json) {
		fputs("{\"hops\":[", out);
		return;
	}
	fputs("packet,time_ns,format,src,dst,qpn,psn,hops,hop,incomplete", out);
	for (f = 0; f < HOP_FIELDS; f++)
		fprintf(out, ",%s", hop_columns[f]);
	fputc('\n', out);
}

/**
 * records_packet() - a record for each hop of a packet
 * @out: where to
 * @json: as JSON
 * @n: number of the packet, 1 is the first one
 * @f: packet
 * @t: its telemetry
 * @first: no record was written before
 */
void records_packet(FILE *out, bool json, uint64_t n, const struct frame *f,
		    const struct telemetry *t, bool first)
{
	struct packet_columns c = {
		.number = n, .time_ns = f->time_ns, .qpn = UNKNOWN, .psn = UNKNOWN,
	};
	unsigned int i;

	fill(&c, f, t);
	for (i = 0; i < t->n; i++) {
		if (json)
			fputs(first && !i ? "\n" : ",\n", out);
		if (json)
			json_hop(out, &c, t, i);
		else
			csv_hop(out, &c, t, i);
	}
}
