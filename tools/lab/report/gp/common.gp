# SPDX-License-Identifier: GPL-2.0
# What all pictures share: size, fonts, lines, and the names of the data's columns.
# A picture's own file has set base, data, width, height and the arrays before, and no_title
# where it has no title; its program with_keys where gp/keys.gp names the algorithms.
set encoding utf8
set datafile separator comma
narrow = width < 640

# Names of the algorithms: in as many rows as they need, each ending at the right.
key_px(k) = 7.2 * cc_letters[k] + 46
key_rows = 1
array key_row[ccs + 1]
array key_width[ccs + 2]
if (exists("with_keys")) {
	key_width[1] = 0
	do for [k=1:ccs] {
		if (key_width[key_rows] > 0 && key_width[key_rows] + key_px(k) > 0.97 * width) {
			key_rows = key_rows + 1
			key_width[key_rows] = 0
		}
		key_row[k] = key_rows
		key_width[key_rows] = key_width[key_rows] + key_px(k)
	}
}

# Without the title all moves up, with more rows of names what is below them moves down.
cut = exists("no_title") ? 30 : 0
shift = 16 * (key_rows - 1) - cut
page = height + shift

# Where things stand: pixels from the upper left corner, of 900 or less. In print 900 are 7 inches,
# whatever the width, so text has one size there.
sx(px) = px / real(width)
sy(px) = 1 - (px + shift) / real(page)
above(px) = 1 - (px - cut) / real(page)

if (exists("pdf")) {
	# The terminal takes a point of a font for 1/72 of 96 pixels, which are 72 of its own.
	pt = 7 * 72 / 900.0
	font_pt = pt * 72 / 96
	set terminal pdfcairo size width * pt / 72, page * pt / 72 enhanced font sprintf("sans,%.2f", 13 * font_pt) fontscale 1 linewidth 1.1 pointscale 0.7 background "white"
	set output base . ".pdf"
	big_points = 15 * font_pt
} else {
	big_points = 15
	if (exists("png")) {
		# Twice the size, for sharp text on dense screens.
		set terminal pngcairo size 2 * width, 2 * page enhanced font "sans,10" fontscale 2 linewidth 2 pointscale 2 background "white"
		set output base . ".png"
	} else {
		set terminal svg size width, page enhanced font "DejaVu Sans,Verdana,sans-serif,13" background "white"
		set output base . ".svg"
	}
}
big(fit) = sprintf(",%.2f", big_points * (fit < 1 ? fit : 1))
set border 3 lc rgb "#666666" lw 1
set tics nomirror out scale 0.6 textcolor rgb "#333333"
set grid lt 1 lw 0.6 lc rgb "#dddddd"
set style fill transparent solid 0.18 noborder
set samples 1000
unset key

# Columns of data over time, and how panel p shows them.
T = 4; V = 5; LO = 6; HI = 7
X(v) = v / real(panel_xdiv[p])
Y(v) = (v < panel_floor[p] ? panel_floor[p] : v) / real(panel_ydiv[p])

# Where things stand, in pixels. A picture may say otherwise after loading this.
heading_at = 26			# middle of the title, from the top
xlabel_below = 41		# middle of the axis' name, from the panel's lower end
ylabel_px(p) = panel_x[p] - 56	# middle of the axis' name
title_above = 12		# middle of the panel's title, from its upper end
swatch_above = narrow ? 28 : title_above
grey = 0x222222			# lines and notes
# Tics that a picture names come beside the axis' own; its data may have said so.
if (!exists("more_xtics")) { more_xtics = 0 }
if (!exists("more_ytics")) { more_ytics = 0 }
corner = ""			# a name in the upper right corner
corner_rgb = 0
bold(text) = text eq "" ? "" : "{/:Bold " . text . "}"

# Beyond gnuplot's own five: long dashes, long ones with dots, and with short ones.
array dash_of[8] = [1, 2, 3, 4, 5, "_ ", "_.", "_-"]

# What panel p shows over time: a shade where a curve has one, lines, steps.
LINE = 0; STEPS = 1; BAND = 2
over_time = 'NaN notitle, ' . \
	'for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(curve_kind[c] == BAND ? Y(column(LO)) : NaN):(Y(column(HI))) with filledcurves lc rgb curve_rgb[c] title curve_shade[c], ' . \
	'for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(curve_kind[c] == STEPS ? NaN : Y(column(V))) with lines lw curve_width[c] dt dash_of[curve_dash[c]] lc rgb curve_rgb[c] title (curve_kind[c] == STEPS ? "" : curve_name[c]), ' . \
	'for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(curve_kind[c] == STEPS ? Y(column(V)) : NaN) with steps lw curve_width[c] dt dash_of[curve_dash[c]] lc rgb curve_rgb[c] title (curve_kind[c] == STEPS ? curve_name[c] : "")'

# A colour with so much white or black in it.
lighter(rgb, s) = (int(255 - (255 - (int(rgb) >> 16 & 255)) * (1 - s)) << 16) + (int(255 - (255 - (int(rgb) >> 8 & 255)) * (1 - s)) << 8) + int(255 - (255 - (int(rgb) & 255)) * (1 - s))
darker(rgb, s) = (int((int(rgb) >> 16 & 255) * (1 - s)) << 16) + (int((int(rgb) >> 8 & 255) * (1 - s)) << 8) + int((int(rgb) & 255) * (1 - s))
