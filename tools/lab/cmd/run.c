// SPDX-License-Identifier: GPL-2.0
/*
 * lab run: the command line.
 */
#include "run/run.h"

#define TIMEOUT_S	1800

static const struct options run_options = {
	.command = "lab run", .rows = run_rows, .in = FOR_OTHERS, .indent = 2, .column = 19,
	.before =
"Usage: lab run SCENARIO [OPTIONS]\n\n"
"Runs the scenario once per algorithm and prints a table. SCENARIO is one of\n"
"\"lab list\", or a file of your own: ./NAME.json. Results go to\n"
"DIR/SCENARIO/CC/seedN/. Exit status: 0 all flows completed and the kernel gave\n"
"no warning, 1 not so, 2 bad arguments.\n\n",
	.after =
"\nColumns of the table, as in \"lab report\"; bytes are in powers of 1024, rates and times of 1000:\n"
"  flows      completed / started\n"
"  FCT        flow completion time; slowdown: the same over that on an idle path\n"
"  util       part of the time in which the bottleneck port was sending\n"
"  queue      of the bottleneck, wire bytes: mean over time, 99th percentile, peak\n"
"  marks      packets that the bottleneck marked CE; CNPs handled: those that senders heeded\n"
"  drops      packets lost at all ports, of hosts too; retrans: packets sent again\n"
"  pause      with pfc=on: the mean over the ports that carried data of the part of the time\n"
"             from first start to last completion that PFC paused the port; PFC pauses: sent\n"
"Under a workload, of the flows that start in the measured time:\n"
"  load       offered: what these flows bring, carried: what all flows moved in that time, both\n"
"             of what load 1 brings (of the links of the hosts, or of the core)\n"
"  slowdown   of all measured flows, of short (up to 10 000 bytes), of long (over 1 000 000)\n",
};

/* In real time a program waits for the one processor here longer than for the network. */
static int check_programs(const struct cmd *c)
{
	if (!plan_has_programs(c->plan) || (!c->o.real && !c->o.qemu))
		return 0;
	return usage_error("scenario %s: its programs run in virtual time only, not with --clock real or --backend qemu",
			   c->sc->name);
}

int cmd_run(int argc, char **argv)
{
	struct cmd c = { .o = { .seed = 1, .out = RESULTS_DIR, .timeout_s = TIMEOUT_S } };
	int rc;

	rc = cmd_prepare(&c, &run_options, argc, argv);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	rc = check_programs(&c);
	if (!rc)
		rc = c.o.dry ? cmd_dry(&c) : uml_check_room(cmd_mem_mb(&c));
	if (!rc && !c.o.dry)
		rc = cmd_run_all(&c);
	cmd_free(&c);
	return rc;
}
