# SPDX-License-Identifier: GPL-2.0
# Distribution of the queues of all ports of a tier, a panel a tier.
with_keys = 1
load "gp/common.gp"
heading_at = 22
ylabel_px(p) = 14.4
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	set format x "%g"
	if (narrow) { set xtics 100 }
	if (p == 1) {
		load "gp/keys.gp"
		set label queues at screen 0.5, screen sy(height - 16) center
	}
	plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(column(V)) with fsteps lw curve_width[c] dt dash_of[curve_dash[c]] lc rgb curve_rgb[c] notitle
}
unset multiplot
