# SPDX-License-Identifier: GPL-2.0
# The frame of panel p: where it is, its axes, and what is written on and beside it.
# A picture loads this for each panel and then plots into it.
unset label
unset arrow
unset object
set lmargin screen sx(panel_x[p])
set rmargin screen sx(panel_x[p] + panel_w[p])
set tmargin screen sy(panel_y[p])
set bmargin screen sy(panel_y[p] + panel_h[p])

if (p == 1) {
	if (!exists("no_title")) {
		# Less high if it is too long for one line.
		fit = 0.95 * width / (10.5 * (strlen(heading) + strlen(corner)) + 24)
		set label bold(heading) at screen 0.012, screen above(heading_at) left font big(fit)
		set label bold(corner) at screen 0.985, screen above(heading_at) right font big(fit) tc rgb corner_rgb
	}
}
set label bold(panel_title[p]) . panel_more[p] at screen sx(panel_x[p]), screen sy(panel_y[p] - title_above) left tc rgb panel_rgb[p]
set label panel_ylabel[p] at screen sx(ylabel_px(p)), graph 0.5 center rotate
set label panel_xlabel[p] at graph 0.5, screen sy(panel_y[p] + panel_h[p] + xlabel_below) center

if (panel_xlog[p]) { set logscale x } else { unset logscale x }
if (panel_ylog[p]) { set logscale y } else { unset logscale y }
set xrange [panel_x0[p]:panel_x1[p]]
set yrange [panel_y0[p]:panel_y1[p]]
if (panel_xlabel[p] eq "") { set format x "" } else { set format x "%g" }
set format y "%g"

# Tics that the picture names take the place of gnuplot's own, or join them.
set xtics autofreq
set ytics autofreq
do for [k=1:tics] {
	if (tic_panel[k] == p && tic_axis[k] eq "x" && !more_xtics) { set xtics () }
	if (tic_panel[k] == p && tic_axis[k] eq "y" && !more_ytics) { set ytics () }
}
do for [k=1:tics] {
	if (tic_panel[k] == p && tic_axis[k] eq "x") { set xtics add (tic_text[k] tic_at[k]) }
	if (tic_panel[k] == p && tic_axis[k] eq "y") { set ytics add (tic_text[k] tic_at[k]) }
}

# Dashed lines across the panel.
do for [k=1:lines] {
	if (line_panel[k] == p && line_axis[k] eq "y") {
		set arrow from graph 0, first line_at[k] to graph 1, first line_at[k] nohead dt 3 lw 1.4 lc rgb grey front
	}
	if (line_panel[k] == p && line_axis[k] eq "x") {
		set arrow from first line_at[k], graph 0 to first line_at[k], graph 1 nohead dt 2 lw 1 lc rgb 0x777777 front
	}
}

# Names in the right margin, with a piece of the line where it is dashed.
do for [k=1:names] {
	if (name_panel[k] == p) {
		if (name_dash[k] > 0) {
			set arrow from graph 1 + 7.0 / panel_w[p], graph name_y[k] to graph 1 + 27.0 / panel_w[p], graph name_y[k] nohead lw 2 dt dash_of[name_dash[k]] lc rgb name_rgb[k]
		}
		set label name_text[k] at graph 1 + (name_dash[k] > 0 ? 31.0 : 8.0) / panel_w[p], graph name_y[k] left tc rgb name_rgb[k]
	}
}
do for [k=1:notes] {
	if (note_panel[k] == p) {
		if (note_align[k] < 0) { set label note_text[k] at graph note_x[k], graph note_y[k] left front tc rgb note_rgb[k] }
		if (note_align[k] == 0) { set label note_text[k] at graph note_x[k], graph note_y[k] center front tc rgb note_rgb[k] }
		if (note_align[k] > 0) { set label note_text[k] at graph note_x[k], graph note_y[k] right front tc rgb note_rgb[k] }
	}
}

# What changed in the run: a thin line, with a name along it.
do for [k=1:marks] {
	if (mark_panel[k] == p) {
		set arrow from first mark_at[k], graph 0 to first mark_at[k], graph 1 nohead dt 3 lw 1 lc rgb 0x555555 front
		set label mark_text[k] at first mark_at[k], graph 0.98 right rotate by 90 offset character 0.7,0 front tc rgb 0x555555
	}
}

# What colours mean: beside the panel's title, or above it.
do for [k=1:swatches] {
	if (swatch_panel[k] == p) {
		set object rectangle at screen sx(swatch_x[k]), screen sy(panel_y[p] - swatch_above) size screen sx(16), screen 11.0 / page fc rgb swatch_rgb[k] fs solid noborder front
		set label swatch_text[k] at screen sx(swatch_x[k] + 13), screen sy(panel_y[p] - swatch_above) left
	}
}
