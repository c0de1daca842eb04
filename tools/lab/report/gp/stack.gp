# SPDX-License-Identifier: GPL-2.0
# Panels one below the other with one time axis: what pictures made of them share.
load "gp/common.gp"
heading_at = 24
xlabel_below = 42
ylabel_px(p) = 16.2
if (exists("algorithm")) {
	corner = algorithm
	corner_rgb = algorithm_rgb
}

# Rows instead of a value axis: no line at the left, no grid across.
rows_on = 'set border 1; unset grid; set grid xtics lt 1 lw 0.6 lc rgb "#dddddd"; set ytics scale 0'
rows_off = 'set border 3; set grid ytics; set ytics scale 0.6'
