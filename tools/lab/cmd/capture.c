// SPDX-License-Identifier: GPL-2.0
/*
 * lab capture: the command line, and files of packets by libpcap. It shows the telemetry in a
 * capture as records of hops, or writes the capture with its INT in another format.
 */
#include <getopt.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/capture.h"

#define SNAPLEN_MAX	(256 * 1024)

struct args {
	struct capture_options o;
	const char *to, *out;
	bool json, quiet;
};

#define AT(m)	.at = offsetof(struct args, m)
static const char *const targets[] = { "ioam", "ifa", NULL };
static const char *const times[] = { "ptp", "ntp", "posix", NULL };

static const struct option_row rows[] = {
	{ "json", NULL, "records as JSON instead of CSV", OPTION_FLAG, AT(json), .letter = 'j' },
	{ "to", "FORMAT", "ioam or ifa: write the capture with its INT in that format\n"
	  "to --out; other packets stay as they are", OPTION_TEXT, AT(to), .words = targets },
	{ "out", "FILE", "records or packets into FILE; - is standard output", OPTION_TEXT,
	  AT(out) },
	{ "int-dscp", "N", "DSCP of packets with INT (27)", OPTION_COUNT, AT(o.dscp),
	  .max = 63 },
	{ .help = "\nWhat packets of real switches do not say:\n" },
	{ "ioam-time", "CLOCK", "ptp, ntp or posix: how IOAM has times (ptp; Linux: posix)",
	  OPTION_TEXT, AT(o.time), .words = times },
	{ "queue-unit", "SIZE", "bytes of a cell or buffer in which queues are counted; IOAM\n"
	  "of Linux: 1. Without it queue_bytes is empty", OPTION_SIZE, AT(o.queue_unit),
	  .min = 1, .max = 1 << 20 },
	{ .help = "\n" },
	{ "quiet", NULL, "no summary on standard error", OPTION_FLAG, AT(quiet), 'q' },
	{ "help", NULL, "this text", OPTION_HELP, .letter = 'h' },
	{ }
};

static const struct options options = {
	.command = "lab capture", .rows = rows, .indent = 2, .column = 21,
	.before =
"Usage: lab capture FILE [-j] [--out FILE] [OPTIONS]\n"
"       lab capture FILE --to ioam|ifa --out FILE [OPTIONS]\n\n"
"Prints what each hop in a capture's packets says: INT of the lab, traces of IOAM (in\n"
"IPv6) and IFA 2.0. Or makes IOAM or IFA of INT, for tools that read these. FILE is\n"
"pcap or pcapng, of Ethernet; - is standard input. Cut or contradictory packets are\n"
"counted and left out. Documentation/devel/wire.md says which field becomes which,\n"
"and what is lost. Exit status: 0 done; 1 the file ends early (what it has is there),\n"
"or nothing could be written; 2 bad arguments, or no capture.\n\n",
};

/* A run over a file. */
struct work {
	const struct args *a;
	pcap_t *in;
	pcap_t *made;			/* what a file of packets is written with */
	pcap_dumper_t *packets;
	FILE *records;
	uint8_t *buf;
	uint64_t n, hops;
	uint64_t verdicts[VERDICTS], formats[FORMATS];
	struct export_losses lost;
	uint64_t no_bytes, queue_units, wraps;	/* packets whose records lack something */
};

static void write_packet(struct work *w, const struct frame *f, const uint8_t *data, size_t n)
{
	struct pcap_pkthdr h = {
		.ts = { f->time_ns / NSEC_PER_SEC, f->time_ns % NSEC_PER_SEC },
		.caplen = n, .len = f->len + n - f->caplen,
	};

	pcap_dump((u_char *)w->packets, &h, data);
}

/* Malformed ones are not written: what they would be is not known. */
static void one_export(struct work *w, const struct frame *f, const struct telemetry *t,
		       enum verdict v)
{
	enum telemetry_format to = strcmp(w->a->to, "ioam") ? FORMAT_IFA : FORMAT_IOAM;
	size_t n;

	if (v == PACKET_PLAIN || (!v && t->format != FORMAT_INT)) {
		write_packet(w, f, f->data, f->caplen);
	} else if (!v) {
		n = export_packet(w->buf, f, t, to, &w->lost);
		if (n)
			write_packet(w, f, w->buf, n);
	}
}

static void one_record(struct work *w, const struct frame *f, const struct telemetry *t)
{
	w->no_bytes += t->format == FORMAT_IOAM && !t->ours;
	w->wraps += t->format == FORMAT_IFA;
	w->queue_units += t->queue_units;
	records_packet(w->records, w->a->json, w->n, f, t, w->hops == t->n);
}

static void one_packet(struct work *w, const struct pcap_pkthdr *h, const uint8_t *data)
{
	static struct telemetry t;
	struct frame f = {
		.data = data, .caplen = h->caplen, .len = h->len,
		.time_ns = (uint64_t)h->ts.tv_sec * NSEC_PER_SEC + (uint64_t)h->ts.tv_usec,
	};
	enum verdict v = telemetry_read(&f, &w->a->o, &t);

	w->n++;
	w->verdicts[v]++;
	if (!v) {
		w->formats[t.format]++;
		w->hops += t.n;
	}
	if (w->a->to)
		one_export(w, &f, &t, v);
	else if (!v)
		one_record(w, &f, &t);
}

/* How many packets there were of each kind; @format takes a comma, name and number. */
static void counts(const struct work *w, FILE *out, const char *format)
{
	const struct {
		const char *name;
		uint64_t n;
	} rows[] = {
		{ "all", w->n },
		{ "int", w->formats[FORMAT_INT] },
		{ "ioam", w->formats[FORMAT_IOAM] },
		{ "ifa", w->formats[FORMAT_IFA] },
		{ "plain", w->verdicts[PACKET_PLAIN] },
		{ "cut", w->verdicts[PACKET_CUT] },
		{ "malformed", w->verdicts[PACKET_BAD] },
		{ "other", w->verdicts[PACKET_OTHER] },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		fprintf(out, format, i ? "," : "", rows[i].name, rows[i].n);
}

static void note(uint64_t n, const char *what)
{
	if (n)
		fprintf(stderr, "lab: %" PRIu64 " %s\n", n, what);
}

static void say(const struct work *w)
{
	const struct export_losses *l = &w->lost;

	fputs("lab: packets:", stderr);
	counts(w, stderr, "%s %s %" PRIu64);
	fprintf(stderr, "; hops: %" PRIu64 "\n", w->hops);
	note(w->no_bytes, "packets of foreign IOAM: it has no tx_bytes and no speed_mbps");
	note(w->wraps, "packets of IFA: it has the lower 32 bits of tx_bytes");
	note(w->queue_units, "packets have queues in a unit of their own: give --queue-unit");
	note(l->node_bits, "hops with a node of more than 20 bits: IFA has the lower ones");
	note(l->speeds, "hops with a speed that IFA does not know");
	note(l->not_fitting, "packets with more hops than fit: the last ones are left out");
	note(l->too_long, "packets are left out: they would be too long");
}

static void json_end(const struct work *w)
{
	fprintf(w->records, "%s],\"packets\":{", w->hops ? "\n" : "");
	counts(w, w->records, "%s\"%s\":%" PRIu64);
	fputs("}}\n", w->records);
}

/* Writing into what is being read would leave nothing of it. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
	       S_ISREG(x.st_mode);
}

static int open_in(struct work *w, const char *path)
{
	char err[PCAP_ERRBUF_SIZE] = "";

	w->in = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, err);
	if (!w->in && strstr(err, path) == err)
		return usage_error("%s", err);
	if (!w->in)
		return usage_error("%s: %s", path, err);
	if (pcap_datalink(w->in) != DLT_EN10MB)
		return usage_error("%s: packets of %s, not Ethernet", path,
				   pcap_datalink_val_to_description_or_dlt(pcap_datalink(w->in)));
	return 0;
}

static int open_out(struct work *w)
{
	const char *out = w->a->out;

	if (w->a->to) {
		w->buf = xcalloc(1, SNAPLEN_MAX + EXPORT_ROOM);
		w->made = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, SNAPLEN_MAX,
							       PCAP_TSTAMP_PRECISION_NANO);
		w->packets = w->made ? pcap_dump_open(w->made, out) : NULL;
		return w->packets ? 0 : run_error("%s", w->made ? pcap_geterr(w->made) :
						  "out of memory");
	}
	w->records = !out || strcmp(out, "-") == 0 ? stdout : fopen(out, "w");
	return w->records ? 0 : run_error("%s: %m", out);
}

static int close_out(struct work *w, const char *path)
{
	int rc = 0;

	if (w->packets) {
		if (pcap_dump_flush(w->packets) || ferror(pcap_dump_file(w->packets)))
			rc = run_error("%s: %m", path);
		pcap_dump_close(w->packets);
	} else if (w->records && w->records != stdout && file_close(w->records)) {
		rc = run_error("%s: %m", path);
	}
	return rc;
}

static int run(struct work *w, const char *path)
{
	struct pcap_pkthdr *h;
	const u_char *data;
	int rc, more;

	rc = open_in(w, path) ?: open_out(w);
	if (rc)
		return rc;
	if (w->records)
		records_begin(w->records, w->a->json);
	while ((more = pcap_next_ex(w->in, &h, &data)) == 1) {
		if (h->caplen > SNAPLEN_MAX || h->caplen > h->len)
			w->verdicts[PACKET_BAD]++, w->n++;
		else
			one_packet(w, h, data);
	}
	if (w->records && w->a->json)
		json_end(w);
	rc = close_out(w, w->a->out);
	if (!w->a->quiet)
		say(w);
	if (more == PCAP_ERROR)
		return run_error("%s: after packet %" PRIu64 ": %s", path, w->n,
				 pcap_geterr(w->in));
	return rc;
}

int cmd_capture(int argc, char **argv)
{
	struct args a = { .o = { .dscp = 27, .time = "ptp" } };
	struct work w = { .a = &a };
	int rc;

	rc = options_parse(&options, &a, argc, argv);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (optind != argc - 1)
		return usage_error("exactly one capture expected; see \"lab capture --help\"");
	if (a.to && !a.out)
		return usage_error("--to %s: --out FILE is missing", a.to);
	if (a.to && a.json)
		return usage_error("--to %s: packets are not JSON", a.to);
	if (a.out && same_file(argv[optind], a.out))
		return usage_error("--out %s: is the capture itself", a.out);
	rc = run(&w, argv[optind]);
	if (w.made)
		pcap_close(w.made);
	if (w.in)
		pcap_close(w.in);
	free(w.buf);
	return rc;
}
