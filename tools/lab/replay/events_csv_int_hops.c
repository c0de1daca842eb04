// SPDX-License-Identifier: GPL-2.0
/*
 * lab: reads the cell of events.csv with the hops of in-band network telemetry (INT).
 */
#include <string.h>

#include "replay/events_csv_reader.h"

/* What is added to a counter of so many bits since it was last seen; may be negative. */
static int64_t advance(uint64_t old, uint64_t now, uint64_t bits)
{
	unsigned int drop = 64 - (unsigned int)bits;

	return (int64_t)((now - old) << drop) >> drop;
}

/* @nth: hops before it in this row with its node and port. Compact telemetry has no
 * identities: all hops of a path are of one node, and no port.
 */
static void unwrap(struct reader *rd, struct flow_state *f, struct rxe_cc_evt_hop *hop,
		   uint32_t nth)
{
	const struct replay_defs *d = &rd->r->defs;
	struct hop_state *s;
	size_t i;

	for (i = 0; i < f->n_hops; i++)
		if (f->hops[i].node == hop->node && f->hops[i].port == hop->port &&
		    f->hops[i].nth == nth)
			break;
	if (i == f->n_hops) {
		f->hops = xrealloc(f->hops, ++f->n_hops * sizeof(*f->hops));
		f->hops[i] = (struct hop_state) {
			hop->node, hop->port, nth, hop->ts_ns, hop->tx_bytes,
			hop->ts_ns, hop->tx_bytes,
		};
	}
	s = &f->hops[i];
	s->ts += (uint64_t)advance(s->raw_ts, hop->ts_ns, d->ts_bits);
	s->tx += (uint64_t)advance(s->raw_tx, hop->tx_bytes, d->tx_bits);
	s->raw_ts = hop->ts_ns;
	s->raw_tx = hop->tx_bytes;
	hop->ts_ns = s->ts;
	hop->tx_bytes = s->tx * d->tx_unit;
	hop->qlen_bytes *= d->qlen_unit;
}

/* node:ts_ns:tx_bytes:qlen_bytes:rate_bps[:port] */
static int parse_hop(struct reader *rd, const char *text, size_t len, struct rxe_cc_evt_hop *hop)
{
	const struct replay_defs *d = &rd->r->defs;
	uint64_t val[6] = {};
	size_t n = 0, part;

	for (;;) {
		part = 0;
		while (part < len && text[part] != ':')
			part++;
		if (n == ARRAY_SIZE(val) || reader_u64(text, part, &val[n++]))
			return reader_bad_cell(rd, COL_HOPS,
					"not node:ts_ns:tx_bytes:qlen_bytes:rate_bps[:port]|...");
		if (part == len)
			break;
		text += part + 1;
		len -= part + 1;
	}
	if (n < 5)
		return reader_bad_cell(rd, COL_HOPS, "a hop has five or six numbers");
	if (val[0] > UINT32_MAX || val[5] > UINT16_MAX || val[3] > UINT32_MAX / d->qlen_unit)
		return reader_bad_cell(rd, COL_HOPS, "node, port or queue is too large");
	if ((d->ts_bits < 64 && val[1] >> d->ts_bits) || (d->tx_bits < 64 && val[2] >> d->tx_bits))
		return reader_bad_cell(rd, COL_HOPS, "more bits than int_ts_bits or int_tx_bits");
	*hop = (struct rxe_cc_evt_hop) {
		.node = (uint32_t)val[0], .ts_ns = val[1], .tx_bytes = val[2], .qlen_bytes = val[3],
		.rate_bps = val[4], .port = (uint32_t)val[5],
	};
	return 0;
}

/**
 * reader_hops() - the hops of a line
 * @rd: reader
 * @f: flow, which knows how far the hops' counters were
 * @hops: receives them, counters as if they had never wrapped
 * @n: how many
 *
 * Return: 0, or the exit status after a message.
 */
int reader_hops(struct reader *rd, struct flow_state *f, struct rxe_cc_evt_hop *hops,
		uint32_t *n)
{
	const char *text = rd->cell[COL_HOPS];
	uint32_t nth, i;
	size_t len;

	for (*n = 0; reader_has(rd, COL_HOPS); text += len + 1) {
		len = strcspn(text, "|");
		if (*n == RXE_CC_EVT_HOPS_MAX)
			return reader_bad_cell(rd, COL_HOPS, "more than 64 hops");
		if (parse_hop(rd, text, len, &hops[*n]))
			return EXIT_USAGE;
		for (nth = i = 0; i < *n; i++)
			nth += hops[i].node == hops[*n].node && hops[i].port == hops[*n].port;
		unwrap(rd, f, &hops[(*n)++], nth);
		if (!text[len])
			break;
	}
	return 0;
}
