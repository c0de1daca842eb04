# SPDX-License-Identifier: GPL-2.0
# Distribution of completion times or slowdowns, and its tail. A share up to a value lasts
# to the next one, a share of at least a value comes from the last.
with_keys = 1
load "gp/common.gp"
heading_at = 22
xlabel_below = 42
set multiplot
p = 1
load "gp/panel.gp"
load "gp/keys.gp"
set ytics 0,20,100
plot for [c=1:curves] data skip 1 index (c-1) using (X(column(2))):3 with steps lw curve_width[c] dt dash_of[curve_dash[c]] lc rgb curve_rgb[c] notitle
p = 2
load "gp/panel.gp"
plot for [c=1:curves] data skip 1 index (c-1) using (X(column(2))):4 with fsteps lw curve_width[c] dt dash_of[curve_dash[c]] lc rgb curve_rgb[c] notitle
unset multiplot
