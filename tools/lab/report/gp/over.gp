# SPDX-License-Identifier: GPL-2.0
# Figures over a swept key: a panel a figure, a line an algorithm, bars over the seeds.
load "gp/common.gp"
heading_at = 22
xlabel_below = 36
set bars small
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	if (p == 1) { load "gp/keys.gp" }
	plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(Y($5)):(Y($6)):(Y($7)) with yerrorbars pt -1 lw 1.4 lc rgb curve_rgb[c] notitle, \
		for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(Y($5)) with linespoints lw curve_width[c] dt curve_dash[c] pt curve_point[c] ps 0.9 lc rgb curve_rgb[c] notitle
}
unset multiplot
