# SPDX-License-Identifier: GPL-2.0
# Queue against utilization: mean filled, 99th percentile hollow, a line between them.
load "gp/common.gp"
heading_at = 24
xlabel_below = 44
ylabel_px(p) = 14.4
p = 1
load "gp/panel.gp"
plot for [c=1:curves] data skip 1 index (c-1) using (X($2)):(Y($3)):(0):(Y($4) - Y($3)) with vectors nohead lw 1.2 lc rgb curve_rgb[c] notitle, \
	for [c=1:curves] data skip 1 index (c-1) using (X($2)):(Y($4)) with points pt 7 ps 0.9 lc rgb "#ffffff" notitle, \
	for [c=1:curves] data skip 1 index (c-1) using (X($2)):(Y($4)) with points pt (curve_point[c] - 1) ps 0.9 lw 1.6 lc rgb curve_rgb[c] notitle, \
	for [c=1:curves] data skip 1 index (c-1) using (X($2)):(Y($3)) with points pt curve_point[c] ps 1.1 lc rgb curve_rgb[c] notitle
