# SPDX-License-Identifier: GPL-2.0
# What an algorithm sets and what it decides by, for every flow.
load "gp/stack.gp"
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	plot @over_time
}
unset multiplot
