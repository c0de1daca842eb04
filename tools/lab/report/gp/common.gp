# SPDX-License-Identifier: GPL-2.0
# What all pictures share: size, fonts, lines, and the names of the data's columns.
# A picture's own file has set base, data, height and the arrays before.
set encoding utf8
set datafile separator comma
width = 900
if (exists("png")) {
	# Twice the size, for sharp text on dense screens.
	set terminal pngcairo size 2 * width, 2 * height enhanced font "sans,10" fontscale 2 linewidth 2 pointscale 2 background "white"
	set output base . ".png"
} else {
	set terminal svg size width, height enhanced font "DejaVu Sans,Verdana,sans-serif,13" background "white"
	set output base . ".svg"
}
set border 3 lc rgb "#666666" lw 1
set tics nomirror out scale 0.6 textcolor rgb "#333333"
set grid lt 1 lw 0.6 lc rgb "#dddddd"
set style fill transparent solid 0.18 noborder
set samples 1000
unset key

# Pixels from the upper left corner.
sx(px) = px / real(width)
sy(px) = 1 - px / real(height)

# Columns of data over time, and how panel p shows them.
T = 4; V = 5; LO = 6; HI = 7
X(v) = v / real(panel_xdiv[p])
Y(v) = (v < panel_floor[p] ? panel_floor[p] : v) / real(panel_ydiv[p])

# Where things stand, in pixels. A picture may say otherwise after loading this.
heading_at = 26			# middle of the title, from the top
xlabel_below = 41		# middle of the axis' name, from the panel's lower end
ylabel_px(p) = panel_x[p] - 56	# middle of the axis' name
title_above = 12		# middle of the panel's title, from its upper end
grey = 0x222222			# lines and notes
# Tics that a picture names come beside the axis' own; its data may have said so.
if (!exists("more_xtics")) { more_xtics = 0 }
if (!exists("more_ytics")) { more_ytics = 0 }
corner = ""			# a name in the upper right corner
corner_rgb = 0
bold(text) = text eq "" ? "" : "{/:Bold " . text . "}"

# What panel p shows over time: a shade where a curve has one, lines, steps.
LINE = 0; STEPS = 1; BAND = 2
over_time = 'NaN notitle, ' . \
	'for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(curve_kind[c] == BAND ? Y(column(LO)) : NaN):(Y(column(HI))) with filledcurves lc rgb curve_rgb[c] title curve_shade[c], ' . \
	'for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(curve_kind[c] == STEPS ? NaN : Y(column(V))) with lines lw curve_width[c] dt curve_dash[c] lc rgb curve_rgb[c] title (curve_kind[c] == STEPS ? "" : curve_name[c]), ' . \
	'for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(curve_kind[c] == STEPS ? Y(column(V)) : NaN) with steps lw curve_width[c] dt curve_dash[c] lc rgb curve_rgb[c] title (curve_kind[c] == STEPS ? curve_name[c] : "")'

# A colour with so much black in it.
darker(rgb, s) = (int((int(rgb) >> 16 & 255) * (1 - s)) << 16) + (int((int(rgb) >> 8 & 255) * (1 - s)) << 8) + int((int(rgb) & 255) * (1 - s))
