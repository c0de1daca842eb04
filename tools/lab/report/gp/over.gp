# SPDX-License-Identifier: GPL-2.0
# Figures over a swept key: a panel a figure, a line an algorithm, bars over the seeds.
with_keys = 1
load "gp/common.gp"
heading_at = 22
xlabel_below = 36
set bars small
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	if (p == 1) { load "gp/keys.gp" }
	plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(Y($8)):(0):(Y($9) - Y($8)) with vectors nohead lw 7 lc rgb lighter(curve_rgb[c], 0.6) notitle, \
		for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(Y($5)):(Y($6)):(Y($7)) with yerrorbars pt -1 lw 1.4 lc rgb curve_rgb[c] notitle, \
		for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(Y($5)) with linespoints lw curve_width[c] dt dash_of[curve_dash[c]] pt curve_point[c] ps 0.9 lc rgb curve_rgb[c] notitle
}
unset multiplot
