# SPDX-License-Identifier: GPL-2.0
# Share of the flows that had completed, over completion time; points where flows are few.
if (width < 640) { with_keys = 1 }
load "gp/common.gp"
heading_at = 21
xlabel_below = 42
ylabel_px(p) = 14.4
p = 1
load "gp/panel.gp"
set ytics 0,20,100
if (narrow) {
	load "gp/keys.gp"
} else {
	set key at graph 1.01, graph 1.02 left top
	set key Left reverse samplen 2.2 width 1 noautotitle
}
plot for [c=1:curves] data skip 1 index (c-1) using (X(column(2))):3 with steps lw curve_width[c] dt dash_of[curve_dash[c]] lc rgb curve_rgb[c] title curve_name[c], \
	for [c=1:curves] data skip 1 index (c-1) every ::1 using (curve_few[c] ? X(column(2)) : NaN):3 with points pt curve_point[c] ps 0.7 lc rgb curve_rgb[c] notitle
