# SPDX-License-Identifier: GPL-2.0
# Queues, pauses and goodput on one time axis; above them, under Mercury, the states of ports.
load "gp/stack.gp"
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	if (p == pause_panel) {
		load "gp/rows.gp"
	} else {
		if (exists("state_panel") && p == state_panel) {
			@rows_on
			plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X((column(T) + column(LO)) / 2)):(column(V)):(X((column(LO) - column(T)) / 2)):(0.36) with boxxyerror fs solid 1 noborder lc rgb curve_rgb[c] notitle
			@rows_off
		} else {
			plot @over_time
		}
	}
}
unset multiplot
