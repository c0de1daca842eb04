/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All pictures of a scenario. This file is included where these are defined:
 *
 * PICTURE(ID, kind, program, columns, heading, title) - what one is: the files are called
 *	SCENARIO_kind, or SCENARIO_kind_CC for the run of one algorithm; gp/program.gp draws it;
 *	the columns of its data; what stands above it after the scenario's name, and above that
 *	on the page, where %s is the algorithm. Without heading or title the one who draws says
 *	it.
 * OF_SCENARIO(draw) - rpt_plot_draw(r, s) makes one of a scenario, or several
 * OF_RUN(draw, file) - rpt_plot_draw(r, s, c) makes one of an algorithm's run that has that file
 * OF_FLOWS(draw) - rpt_plot_draw(r, f) makes one of flows under a workload
 *
 * The latter three stand in the order of the page.
 */
PICTURE(OVERVIEW, "overview", "overview", "figure,cc,text,row,median,min,max,ci95_low,ci95_high",
	"overview", "Overview")
PICTURE(SCATTER, "scatter", "scatter", "cc,utilization,queue_mean_bytes,queue_p99_bytes",
	"queue against utilization", "Queue against utilization")
PICTURE(QUEUE, "queue", "queue", PIC_TIME, "queue at the bottleneck", "Queue over time")
PICTURE(PAUSES, "pauses", "pauses", PIC_TIME, "queue, pauses and rates",
	"Queue, pauses and rates, %s")
PICTURE(STEPS, "steps", "steps", PIC_TIME, "steps of each rank", "Steps of each rank, %s")
PICTURE(LSCC, "lscc", "lscc", PIC_TIME, "LSCC at the long link", "LSCC at the long link, %s")
PICTURE(SPREAD, "spread", "spread", PIC_TIME, "a victim of pauses", "A victim of pauses")
PICTURE(GOODPUT, "goodput", "rates", PIC_TIME, "goodput of each flow", "goodput of each flow")
PICTURE(CCRATE, "ccrate", "rates", PIC_TIME, "rate set by the CC for each flow",
	"rate set by the CC for each flow")
PICTURE(CWND, "cwnd", "rates", PIC_TIME, "window set by the CC for each flow",
	"window set by the CC for each flow")
PICTURE(ROLES, "roles", "roles", PIC_TIME, "what becomes of each", "What becomes of each")
PICTURE(SIGNAL, "signal", "signal", PIC_TIME, NULL, NULL)
PICTURE(TYPES, "types", "types", PIC_TIME, "what receivers believe", "Detected and true, %s")
PICTURE(COMPARE, "compare", "compare", PIC_TIME, "rates, queue and signal",
	"Rates, queue and signal")
PICTURE(JOIN, "join", "join", "panel,cc,series,round_trips,share", "a flow joins", "A flow joins")
PICTURE(FCT, "fct", "fct", "cc,fct_ns,percent", "flow completion times", "Flow completion times")
PICTURE(FCT_CDF, "fct", "cdf", "cc,fct_ns,up_to_percent,at_least_percent",
	"flow completion times", "Flow completion times")
PICTURE(PROGRAM_LATENCY, "program_latency", "cdf", "cc,ns,up_to_percent,at_least_percent",
	"latency that programs have measured", "Latency of programs")
PICTURE(SLOWDOWN_CDF, "slowdown_cdf", "cdf", "cc,slowdown,up_to_percent,at_least_percent",
	"slowdown", "Slowdown")
PICTURE(QUEUE_TIERS, "queue_tiers", "queuetiers", "panel,cc,series,bytes,percent",
	"queues of all ports, by tier", "Queues of all ports, by tier")
PICTURE(TIERS, "tiers", "tiers", "figure,cc,tier,row,mean,busiest",
	"utilization and pauses, by tier", "Utilization and pauses, by tier")

OF_SCENARIO(overview)
OF_SCENARIO(scatter)
OF_RUN(collective_steps, "steps.csv")
OF_SCENARIO(queue)
OF_SCENARIO(pauses)
OF_RUN(lscc, "lscc.csv")
OF_RUN(spread, NULL)
OF_SCENARIO(rates)
OF_SCENARIO(roles)
OF_RUN(signals, "state.csv")
OF_RUN(types, NULL)
OF_SCENARIO(compare)
OF_SCENARIO(join)
OF_SCENARIO(fct)
OF_SCENARIO(program_latency)

OF_FLOWS(slowdown)
OF_FLOWS(slowdown_cdf)
OF_FLOWS(queue_tiers)
OF_FLOWS(tiers)

#undef PICTURE
#undef OF_SCENARIO
#undef OF_RUN
#undef OF_FLOWS
