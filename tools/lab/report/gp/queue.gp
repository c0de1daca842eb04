# SPDX-License-Identifier: GPL-2.0
# The bottleneck's queue over time: all algorithms in one panel, or a panel each.
load "gp/common.gp"
grey = 0x444444
if (panels == 1) {
	heading_at = 20
	xlabel_below = 40
	ylabel_px(p) = 14.4
	set key at graph 0, graph 1.05 left bottom horizontal
	set key Left reverse samplen 2.2 width 1 noautotitle
}
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	plot @over_time
}
unset multiplot
