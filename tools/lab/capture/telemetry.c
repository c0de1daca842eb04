// SPDX-License-Identifier: GPL-2.0
/* lab capture: which telemetry a packet has, and what is the same in all formats. */
#include <string.h>

#include "capture/capture.h"

const char *const format_names[FORMATS + 1] = { "int", "ioam", "ifa", NULL };

/* Packets have the newest hop first. */
static void oldest_first(struct telemetry *t)
{
	unsigned int i, j;
	struct hop h;

	for (i = 0, j = t->n; i + 1 < j; i++) {
		h = t->hops[i];
		t->hops[i] = t->hops[--j];
		t->hops[j] = h;
	}
}

/* Of arrival, departure and the time between, two tell the third. */
static void complete_times(struct hop *h)
{
	uint64_t *in = &h->v[HOP_INGRESS], *out = &h->v[HOP_EGRESS], *ns = &h->v[HOP_LATENCY];

	if (*ns == UNKNOWN && *in != UNKNOWN && *out != UNKNOWN && *out >= *in)
		*ns = *out - *in;
	else if (*in == UNKNOWN && *out != UNKNOWN && *ns != UNKNOWN && *out >= *ns)
		*in = *out - *ns;
	else if (*out == UNKNOWN && *in != UNKNOWN && *ns != UNKNOWN)
		*out = *in + *ns;
}

/* Behind an IOAM header may be a whole IPv4 packet: who sent it is in there. */
static void find_inner(const struct frame *f, struct telemetry *t)
{
	struct frame inner = *f;

	if (t->ip == f->ip)
		return;
	if (frame_parse_ip(&inner, t->ip, false)) {
		t->ip = f->ip;
	} else if (inner.proto == IP_UDP) {
		t->l4 = inner.l4;
		t->payload = t->l4 + UDP_BYTES;
	}
}

/**
 * telemetry_read() - reads the telemetry of a packet
 * @f: packet with data and lengths, receives where its headers are
 * @o: command line
 * @t: receives it
 *
 * Return: PACKET_READ, or what else it is.
 */
enum verdict telemetry_read(struct frame *f, const struct capture_options *o,
			    struct telemetry *t)
{
	enum verdict v = frame_parse(f);
	unsigned int i;

	memset(t, 0, offsetof(struct telemetry, hops));
	t->ip = f->ip;
	if (!v)
		v = f->proto == IP_UDP ? int_read(f, o, t) :
		    f->proto == IFA_PROTO ? ifa_read(f, o, t) :
		    f->v6 && f->proto == 0 ? ioam_read(f, o, t) : PACKET_PLAIN;
	if (v)
		return v;
	oldest_first(t);
	for (i = 0; i < t->n; i++)
		complete_times(t->hops + i);
	find_inner(f, t);
	return PACKET_READ;
}
