# SPDX-License-Identifier: GPL-2.0
# A flow joins: its share of a fair rate, and that of those who were there.
load "gp/stack.gp"
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	set ytics 0.5
	plot @over_time
}
unset multiplot
