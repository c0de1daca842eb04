# SPDX-License-Identifier: GPL-2.0
# Utilization and pauses of the ports of each tier: bars, the algorithms in their order.
with_keys = 1
load "gp/common.gp"
heading_at = 22
unset grid
set grid x lt 1 lw 0.6 lc rgb "#dddddd"
set border 1
rows = ccs + 1
cc_of(row) = 1 + (rows - int(row) % rows) % rows
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	set ytics scale 0
	if (p == 1) { load "gp/keys.gp" }
	# Columns: figure, cc, tier, row, mean, busiest.
	plot data skip 1 index (p-1) using (X($5)):4:(0):(X($5)):($4-0.42):($4+0.42):(cc_rgb[cc_of($4)]) with boxxyerror fs solid 0.9 noborder lc rgb variable notitle, \
		data skip 1 index (p-1) using (X($6)):4 with points pt 2 ps 0.5 lw 1.4 lc rgb grey notitle
}
unset multiplot
