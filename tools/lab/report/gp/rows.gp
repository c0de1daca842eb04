# SPDX-License-Identifier: GPL-2.0
# Panel p: a row for each paused port, the first on top; the height of a bar is the share of
# the time. The last to have been loaded before is gp/panel.gp.
rows = int(panel_y1[p])
@rows_on
do for [k=1:tics] {
	if (tic_panel[k] == p) {
		r = rows - int(tic_at[k] - 0.5)
		set ytics add ((row_strong[r] ? bold(tic_text[k]) : tic_text[k]) tic_at[k])
		set object rectangle from graph 0, first tic_at[k] - 0.4 to graph 1, first tic_at[k] + 0.4 fc rgb "#f1f1f1" fs solid noborder behind
	}
}
base_of(c) = rows - (c - panel_first[p]) - 0.9
plot NaN notitle, for [c=panel_first[p]:panel_last[p]] data skip 1 index (c-1) using (X(column(T))):(base_of(c) + 0.8 * column(V)):(base_of(c)) with filledcurves fs solid 1 noborder lc rgb curve_rgb[c] notitle
@rows_off
