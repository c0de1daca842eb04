# SPDX-License-Identifier: GPL-2.0
# What receivers believe: types of congestion as rows of bars, and N as steps.
load "gp/stack.gp"
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	if (exists("type_panel") && p == type_panel) {
		@rows_on
		plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X((column(T) + column(LO)) / 2)):(column(V)):(X((column(LO) - column(T)) / 2)):(0.36) with boxxyerror fs solid 1 noborder lc rgb curve_rgb[c] notitle
		@rows_off
	} else {
		# Whole numbers.
		if (panel_y1[p] <= 7) { set ytics 1 }
		plot @over_time
	}
}
unset multiplot
