# SPDX-License-Identifier: GPL-2.0
# A victim of pauses: its way and the way to the port for which it waits, what it got,
# pauses, queues.
load "gp/stack.gp"
set multiplot
do for [p=1:panels] {
	load "gp/panel.gp"
	if (p == 1) {
		do for [k=1:stories] {
			set label story[k] at screen 0.012, screen sy(30 + 18 * k) left tc rgb 0x333333
		}
		do for [k=1:links] {
			set arrow from screen sx(link_x0[k]), screen sy(link_y0[k]) to screen sx(link_x1[k]), screen sy(link_y1[k]) nohead lw link_width[k] dt link_dash[k] lc rgb link_rgb[k] back
			# Beside a slope, above a level line.
			if (link_y1[k] != link_y0[k]) {
				set label link_text[k] at screen sx((link_x0[k] + link_x1[k]) / 2 - 8), screen sy((link_y0[k] + link_y1[k]) / 2 + 8) right front tc rgb link_rgb[k]
			} else {
				set label link_text[k] at screen sx((link_x0[k] + link_x1[k]) / 2), screen sy(link_y0[k] - 12) center front tc rgb link_rgb[k]
			}
		}
		do for [k=1:nodes] {
			set object rectangle center screen sx(node_x[k]), screen sy(node_y[k]) size screen sx(node_w[k]), screen 26.0 / page fc rgb (node_strong[k] ? 0xe4e4e4 : 0xffffff) fs solid border rgb (node_strong[k] ? 0x111111 : 0x888888) lw 1.4 front
			set label (node_strong[k] ? bold(node_text[k]) : node_text[k]) at screen sx(node_x[k]), screen sy(node_y[k]) center front
		}
		do for [k=1:ends] {
			set label (end_strong[k] ? bold(end_text[k]) : end_text[k]) at screen sx(end_x[k]), screen sy(end_y[k]) left tc rgb end_rgb[k]
		}
	}
	if (p == pause_panel) {
		load "gp/rows.gp"
	} else {
		if (p == rate_panel) {
			# Between the victim's goodput, the last curve, and what its port could carry: idle.
			plot data skip 1 index (panel_last[p] - 1) using (X(column(T))):(Y(column(V))):(Y(line_bps)) with filledcurves fs solid 1 noborder lc rgb "#dfe7ef" notitle, \
				@over_time
		} else {
			plot @over_time
		}
	}
}
unset multiplot
