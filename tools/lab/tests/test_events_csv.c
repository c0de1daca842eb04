// SPDX-License-Identifier: GPL-2.0
/*
 * Test of reading and writing events.csv, as "lab replay --check" does it: every column of
 * every kind of event, what is kept of decisions, and what is refused. No two numbers of a row
 * agree, so that one in another's place shows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "replay/events_csv.h"

static char base[] = "/tmp/lab_test.XXXXXX";

#define RX	"rx_msgs=401 rx_msgs_all=402 rx_senders=403 rx_peer_msgs=404 rx_peer_counted=405" \
		" rx_round_bytes=406 rx_round_ns=407 rx_base_rtt_ns=408 rx_min_owd_ns=409" \
		" rx_parts_q16=410 rx_hosts_q16=411"
#define WAY	"turnaround_ns=31 owd_ns=32 owd_over_ns=33 min_rtt_ns=35 path_hops=34"

/* Column=value; a row comes out as it went in. */
static const char *const rows[] = {
	"t_ns=1 flow=a event=init line_rate_bps=1001 min_rate_bps=102 base_rtt_ns=103 pkt_bytes=104"
		" port=p peer=105 rtt_window_ns=106 clock_common=1 peer_obeys=1",
	"t_ns=2 flow=b event=init line_rate_bps=2001 min_rate_bps=202 base_rtt_ns=203 pkt_bytes=204"
		" port=q",
	"t_ns=3 flow=a event=ack seq=11 next_seq=12 bytes=13 inflight_bytes=14 rtt_ns=15"
		" hops=16:17:18:19:20|21:22:23:24:25:26 ce=1 partial=1 told=27|28|29 " WAY,
	"t_ns=4 flow=a event=ack seq=41 partial=2 owd_over_ns=0",
	"t_ns=5 flow=b event=sent seq=51 next_seq=52 bytes=53 inflight_bytes=54 start=1",
	"t_ns=5 flow=b event=sent seq=55 end=1 retransmit=1",
	"t_ns=6 flow=a event=cnp cnp_window_bytes=61 cnp_origin=mercury " WAY,
	"t_ns=6 flow=a event=cnp cnp_origin=lscc",
	"t_ns=7 flow=a event=timer inflight_bytes=71",
	"t_ns=8 flow=a event=loss seq=81 loss=timeout",
	"t_ns=8 flow=a event=loss seq=82 loss=rnr",
	"t_ns=9 flow=b event=data seq=91 bytes=92 kind=read_response msg_bytes=93 late_ns=7 " RX,
	"t_ns=10 flow=b event=fill " RX,
	"t_ns=11 flow=b event=shared " RX,
	"t_ns=12 flow=a event=change line_rate_bps=301 min_rate_bps=302 base_rtt_ns=303"
		" pkt_bytes=304 port=p peer=305 rtt_window_ns=306",
	"t_ns=13 flow=a event=env line_rate_bps=311 min_rate_bps=0 base_rtt_ns=0 pkt_bytes=0 port=p"
		" peer=0 rtt_window_ns=0",
	"t_ns=14 flow=a event=port",
	"t_ns=15 flow=a event=cmd next_seq=151 inflight_bytes=152 scope=qp cmd=go args=x=153|y=154"
		" err=22 answer=z=155",
	"t_ns=16 flow=p event=cmd line_rate_bps=161 port=p peer=162 scope=peer cmd=tell args=x=163",
	"t_ns=17 flow=p event=cmd line_rate_bps=171 port=p scope=port cmd=tell",
	"t_ns=18 flow=a event=end",
};

static const char decision[] =
	"t_ns=4 flow=a event=decision cause=ack rate_bps=501 cwnd_bytes=502 timer_ns=503 cnp=1"
	" report=1 report_always=1 told=504|505 wants=506 deaf=207 cnp_gap_ns=508 cap_lift=1";

static char *path_of(const char *name)
{
	return xasprintf("%s/%s", base, name);
}

/* The cell of @col, or nothing. */
static void put_cell(FILE *f, const char *row, const char *col)
{
	char *copy = xstrdup(row), *rest = copy, *word;
	size_t len = strlen(col);

	while ((word = strsep(&rest, " ")))
		if (!strncmp(word, col, len) && word[len] == '=')
			fputs(word + len + 1, f);
	free(copy);
}

static void put_row(FILE *f, const char *row)
{
	size_t i;

	for (i = 0; i < COLUMNS_WRITTEN; i++) {
		fputs(i ? "," : "", f);
		put_cell(f, row, event_columns[i].name);
	}
	fputc('\n', f);
}

static void put_head(FILE *f)
{
	size_t i;

	fputs("# rxe_cc events, see Documentation/replay.md\n# cc=dart\n# t0_ns=1000\n"
	      "# param rai=41\n", f);
	for (i = 0; i < COLUMNS_WRITTEN; i++)
		fprintf(f, "%s%s", i ? "," : "", event_columns[i].name);
	fputc('\n', f);
}

static int check(const char *in, const char *out)
{
	char *from = path_of(in), *to = path_of(out);
	char *argv[] = { "replay", "--check", "-q", "--in", from, "--out", to, NULL };
	int rc = cmd_replay(ARRAY_SIZE(argv) - 1, argv);

	free(from);
	free(to);
	return rc;
}

static void test_rows(void)
{
	char *path = path_of("in.csv"), *in, *out, *a, *b, *x, *y;
	FILE *f = fopen(path, "we");
	char name[80];
	size_t i;

	put_head(f);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		put_row(f, rows[i]);
	fclose(f);
	in = read_file(path, NULL);
	free(path);
	if (!ktap(!check("in.csv", "out.csv"), "replay__all_kinds", "refused"))
		return;
	path = path_of("out.csv");
	out = read_file(path, NULL);
	for (i = 0, x = in, y = out; (a = strsep(&x, "\n")) && (b = strsep(&y, "\n")); i++) {
		snprintf(name, sizeof(name), "replay__line_%zu_%.24s", i + 1, a);
		ktap(strcmp(a, b) == 0, name, "became %s", b);
	}
	ktap(!x && !y, "replay__lines", "more or less of them");
	free(path);
	free(in);
	free(out);
}

#define IS(what, got, want) ktap((got) == (want), "recording__" what, "%llu, wanted %llu", \
				 (unsigned long long)(got), (unsigned long long)(want))

/* Of a file with a decision and a late timer: what the comparison goes by. */
static void test_recording(void)
{
	char *path = path_of("rec.csv");
	struct recording r = {
		.path = path,
		.defs = { .line_rate_bps = 5, .ts_bits = 64, .tx_bits = 64, .tx_unit = 1,
			  .qlen_unit = 1 },
	};
	FILE *f = fopen(path, "we");
	const struct rxe_cc_evt *e;

	put_head(f);
	put_row(f, rows[0]);
	put_row(f, rows[2]);
	put_row(f, decision);
	put_row(f, "t_ns=9503 flow=a event=timer");
	put_row(f, "t_ns=9600 flow=a event=end");
	fclose(f);
	if (!ktap(!recording_read(&r), "recording_read", "refused"))
		return;
	IS("events", r.n_events, 4);
	IS("decisions", r.n_decisions, 1);
	IS("line", r.decisions[0].line, 8);
	IS("late_ns", r.late_ns, 9000);
	IS("t0_ns", r.t0_ns, 1000);
	IS("flows", r.n_flows, 1);
	IS("all_decided", r.all_decided, true);
	ktap(!strcmp(r.cc, "dart") && js_int(r.params, "rai", 0) == 41, "recording__heading", "%s",
	     r.cc);
	e = r.decisions[0].e;
	IS("decision_t_ns", e->t_ns, 1004);
	IS("decision_cause", e->cause, RXE_CC_EVT_ACK);
	IS("decision_rate", e->decision.rate_bps, 501);
	IS("decision_cwnd", e->decision.cwnd_bytes, 502);
	IS("decision_timer", e->decision.timer_ns, 1503);
	IS("decision_flags", e->flags, RXE_CC_EVT_F_CNP | RXE_CC_EVT_F_REPORT |
	   RXE_CC_EVT_F_ALWAYS | RXE_CC_EVT_F_LIFT);
	IS("decision_told_nr", e->decision.nr_fb, 2);
	IS("decision_told_0", e->decision.fb[0], 504);
	IS("decision_told_1", e->decision.fb[1], 505);
	IS("decision_wants", e->decision.wants, 506);
	IS("decision_deaf", e->decision.fb_ignore, 207);
	IS("decision_gap", e->decision.cnp_gap_ns, 508);
	/* The next timer of the flow, behind each event before it. */
	e = (const struct rxe_cc_evt *)r.buf;
	IS("next_timer_of_init", e->next_timer_ns, 10503);
	e = (const struct rxe_cc_evt *)(r.buf + e->len);
	IS("next_timer_of_ack", e->next_timer_ns, 10503);
	e = (const struct rxe_cc_evt *)((const char *)e + e->len);
	IS("next_timer_of_timer", e->next_timer_ns, NO_TIMER);
	recording_free(&r);
	free(path);
}

/* PSNs of 24 bits and counters of few bits go on where they come round. */
static void test_wrapping(void)
{
	char *path = path_of("wrap.csv"), *out;

	write_file(path, "# int_ts_bits=8\n# int_tx_bits=10\n# int_tx_unit=128\n"
		   "# int_qlen_unit=80\n# line_rate_bps=7\n"
		   "t_ns,flow,event,psn,next_psn,hops\n"
		   "1,a,ack,16777214,16777215,1:250:1020:3:9:2\n"
		   "2,a,ack,1,2,1:4:2:5:9:2\n"
		   "3,a,ack,16777215,1,1:3:1:5:9:2\n");
	ktap(!check("wrap.csv", "out.csv"), "wrap__read", "refused");
	free(path);
	path = path_of("out.csv");
	out = read_file(path, NULL);
	ktap(out && strstr(out, "\n1,a,ack,16777214,16777215,,,,1:250:130560:240:9:2,"),
	     "wrap__first", "%s", out ? out : "none");
	ktap(out && strstr(out, "\n2,a,ack,16777217,16777218,,,,1:260:131328:400:9:2,"),
	     "wrap__round", "%s", out ? out : "none");
	ktap(out && strstr(out, "\n3,a,ack,16777215,16777217,,,,1:259:131200:400:9:2,"),
	     "wrap__back", "%s", out ? out : "none");
	free(path);
	free(out);
}

static const struct {
	const char *name, *text;
} refused[] = {
	{ "empty", "" },
	{ "no_columns", "# cc=x\n" },
	{ "no_events", "t_ns,flow,event\n" },
	{ "no_event_column", "t_ns,flow\n1,a\n" },
	{ "unknown_column", "t_ns,flow,event,rat_bps\n1,a,init,5\n" },
	{ "column_twice", "t_ns,flow,event,t_ns\n1,a,init,5\n" },
	{ "no_line_rate", "t_ns,flow,event\n1,a,init\n" },
	{ "columns_missing", "t_ns,flow,event,line_rate_bps\n1,a,init\n" },
	{ "columns_too_many", "t_ns,flow,event,line_rate_bps\n1,a,init,5,6\n" },
	{ "time_goes_back", "t_ns,flow,event,line_rate_bps\n5,a,init,5\n4,a,end,\n" },
	{ "before_the_clock", "t_ns,flow,event,line_rate_bps\n-1,a,init,5\n" },
	{ "not_a_number", "t_ns,flow,event,line_rate_bps\n1,a,init,5x\n" },
	{ "too_large", "t_ns,flow,event,line_rate_bps,pkt_bytes\n1,a,init,5,131073\n" },
	{ "unknown_event", "t_ns,flow,event,line_rate_bps\n1,a,acked,5\n" },
	{ "bad_flow", "t_ns,flow,event,line_rate_bps\n1,a b,init,5\n" },
	{ "flag_2", "t_ns,flow,event,line_rate_bps,ce\n1,a,init,5,\n2,a,ack,,2\n" },
	{ "hop_of_four", "t_ns,flow,event,line_rate_bps,hops\n1,a,init,5,\n2,a,ack,,1:2:3:4\n" },
	{ "hop_of_seven", "t_ns,flow,event,line_rate_bps,hops\n1,a,init,5,\n"
	  "2,a,ack,,1:2:3:4:5:6:7\n" },
	{ "told_five", "t_ns,flow,event,line_rate_bps,told\n1,a,init,5,\n2,a,ack,,1|2|3|4|5\n" },
	{ "cmd_without_name", "t_ns,flow,event,line_rate_bps,scope\n1,a,init,5,\n2,a,cmd,,qp\n" },
	{ "ts_bits_65", "# int_ts_bits=65\nt_ns,flow,event,line_rate_bps\n1,a,init,5\n" },
	{ "bits_beyond", "# int_ts_bits=4\nt_ns,flow,event,line_rate_bps,hops\n1,a,init,5,\n"
	  "2,a,ack,,1:16:3:4:5\n" },
	{ "late_before_the_clock", "t_ns,flow,event,line_rate_bps,late_ns\n1,a,init,5,\n"
	  "2,a,data,,3\n" },
};

static void test_refused(void)
{
	char *path = path_of("bad.csv"), name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		write_file(path, "%s", refused[i].text);
		snprintf(name, sizeof(name), "replay__refuses_%s", refused[i].name);
		ktap(check("bad.csv", "out.csv") == EXIT_USAGE, name, "accepted");
	}
	free(path);
}

int main(void)
{
	if (!mkdtemp(base))
		return 1;
	test_rows();
	test_recording();
	test_wrapping();
	test_refused();
	rm_rf(base);
	return ktap_end();
}
