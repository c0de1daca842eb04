# SPDX-License-Identifier: GPL-2.0
# Steps of a collective operation: a panel a job, a row a rank, a box a flow.
load "gp/stack.gp"
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	@rows_on
	plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X((column(T) + column(LO)) / 2)):(column(V)):(X((column(LO) - column(T)) / 2)):(0.4) with boxxyerror fs solid 1 noborder lc rgb curve_rgb[c] notitle
	@rows_off
}
unset multiplot
