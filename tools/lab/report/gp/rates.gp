# SPDX-License-Identifier: GPL-2.0
# Goodput, rate or window of every flow over time, a panel an algorithm.
load "gp/common.gp"
set key at graph 1.01, graph 1.04 left top
set key Left reverse samplen 1.4 spacing 0.95 maxrows 8 noautotitle
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	plot @over_time
}
unset multiplot
