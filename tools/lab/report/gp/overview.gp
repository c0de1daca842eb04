# SPDX-License-Identifier: GPL-2.0
# Figures at a glance: a panel a figure, a bar an algorithm, whiskers over the seeds.
load "gp/common.gp"
set border 2
set bars small
unset grid
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	unset xtics
	set ytics scale 0
	# Columns: figure, cc, text, row, median, min, max; the first algorithm is on top.
	plot data skip 1 index (p-1) using (X($5)):4:(0):(X($5)):($4-0.36):($4+0.36):(cc_rgb[ccs + 1 - int($4)]) with boxxyerror fs solid 0.9 noborder lc rgb variable notitle, \
		data skip 1 index (p-1) using ($7 > $6 ? X($5) : NaN):4:(X($6)):(X($7)) with xerrorbars pt -1 lw 1.2 lc rgb grey notitle, \
		data skip 1 index (p-1) using (X($7)):4:3 with labels left offset 0.6,0 notitle
}
unset multiplot
