# SPDX-License-Identifier: GPL-2.0
# Two or three algorithms side by side: a column each, of rates, queue and signal.
load "gp/common.gp"
heading_at = 22
xlabel_below = 46
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	if (p % 3 == 1) {
		k = (p + 2) / 3
		set label bold(column_name[k]) at screen sx(panel_x[p]), screen sy(panel_y[p] - 29) left font big(1) tc rgb column_rgb[k]
	}
	plot @over_time
}
unset multiplot
