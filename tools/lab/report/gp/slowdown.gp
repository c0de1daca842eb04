# SPDX-License-Identifier: GPL-2.0
# Slowdown by flow size: a panel a percentile, or a panel for each load or workload. A bin with
# fewer than `few` flows has a hollow point: its 99th percentile is the largest.
with_keys = 1
load "gp/common.gp"
heading_at = 22
ylabel_px(p) = 16.2
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	set format x "%g"
	if (p == 1) {
		load "gp/keys.gp"
		set label sizes at screen 0.5, screen sy(height - 18) center
	}
	plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(curve_kind[c] == BAND ? column(6) : NaN):7 with filledcurves lc rgb curve_rgb[c] notitle, \
		for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:5 with lines lw curve_width[c] dt dash_of[curve_dash[c]] lc rgb curve_rgb[c] notitle, \
		for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(column(8) < few ? NaN : column(5)) with points pt curve_point[c] ps 0.55 lc rgb curve_rgb[c] notitle, \
		for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(column(8) < few ? column(5) : NaN) with points pt 7 ps 0.7 lc rgb "white" notitle, \
		for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using 4:(column(8) < few ? column(5) : NaN) with points pt (curve_point[c] - 1) ps 0.7 lw 1.4 lc rgb curve_rgb[c] notitle
}
unset multiplot
