# SPDX-License-Identifier: GPL-2.0
# LSCC at the two ends of a long link: the rates, and the queues.
load "gp/stack.gp"
grey = 0x999999
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	plot @over_time
}
unset multiplot
