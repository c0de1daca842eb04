# SPDX-License-Identifier: GPL-2.0
# Figures at a glance: a panel a figure, a bar an algorithm, whiskers over the seeds.
load "gp/common.gp"
set border 2
set bars small
unset grid
# Without an interval its columns are NaN, and what reads them is not drawn.
right_end(v) = strcol(9) eq "NaN" ? v : v > column(9) ? v : column(9)
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	unset xtics
	set ytics scale 0
	# Columns: figure, cc, text, row, median, min, max, interval of the mean; the first algorithm
	# is on top.
	plot data skip 1 index (p-1) using (X($5)):4:(0):(X($5)):($4-0.36):($4+0.36):(cc_rgb[ccs + 1 - int($4)]) with boxxyerror fs solid 0.9 noborder lc rgb variable notitle, \
		data skip 1 index (p-1) using (X(($8 + $9) / 2)):4:(X($8)):(X($9)):($4-0.18):($4+0.18) with boxxyerror fs transparent solid 0.65 noborder lc rgb "#cccccc" notitle, \
		data skip 1 index (p-1) using ($7 > $6 ? X($5) : NaN):4:(X($6)):(X($7)) with xerrorbars pt -1 lw 1.2 lc rgb grey notitle, \
		data skip 1 index (p-1) using (X(right_end($7))):4:3 with labels left offset 0.6,0 notitle
}
unset multiplot
