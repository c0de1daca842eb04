# SPDX-License-Identifier: GPL-2.0
# Flows with a role of their own: rate and goodput, a panel each, a curve an algorithm.
load "gp/stack.gp"
set key at screen sx(panel_x[1]) - 0.02, screen sy(42) left top horizontal
set key Left reverse samplen 2 width 1 noautotitle
set key maxcols (narrow ? 3 : 6)
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	plot @over_time
	unset key
}
unset multiplot
