# SPDX-License-Identifier: GPL-2.0
# lab paper: a panel for each measure of a figure: ours as boxes, with bars over the seeds, the
# paper's numbers, or the ends of its ranges, as hollow points. picture.gp, beside the data, has set panels, series and their
# arrays.
set encoding utf8
set datafile separator "\t"
columns = panels > 1 ? 2 : 1
rows = (panels + columns - 1) / columns
width = columns == 1 ? 620 : 1040
key_columns = width / (8 * letters + 50)
key_columns = key_columns < 1 ? 1 : key_columns > 4 ? 4 : key_columns
key_rows = (series + key_columns) / key_columns
height = 46 + 290 * rows + 24 * key_rows
if (format eq "png") {
	set terminal pngcairo size 2 * width, 2 * height enhanced font "sans,10" fontscale 2 linewidth 2 pointscale 2 background "white"
} else {
	set terminal svg size width, height enhanced font "DejaVu Sans,Verdana,sans-serif,12" background "white"
}
set output "figure." . format
set multiplot
set border 3 lc rgb "#666666"
set grid ytics lw 0.6 lc rgb "#dddddd"
set tics nomirror out scale 0.6 textcolor rgb "#333333" noenhanced
set label 1 title at screen 0.5, 1 - 16.0 / height center noenhanced font ",14"
set format x ""
set format y "%g"
unset key
do for [p=1:panels] {
	c = (p - 1) % columns
	r = (p - 1) / columns
	set lmargin at screen real(c) / columns + 70.0 / width
	set rmargin at screen real(c + 1) / columns - 14.0 / width
	set tmargin at screen 1 - (82.0 + 290 * r) / height
	set bmargin at screen 1 - (82.0 + 290 * r + 180) / height
	set title panel_title[p] noenhanced font ",12" offset 0, -0.4
	set xlabel panel_x[p] noenhanced offset 0, 0.3
	set xrange [-0.6:panel_places[p] - 0.4]
	if (panel_log[p]) { set logscale y; set yrange [*:*] } else { unset logscale y; set yrange [panel_low[p]:*] }
	plot "places.tsv" index p - 1 using 1:(NaN):xtic(2) notitle, \
		for [k=panel_first[p]:panel_last[p]] "figure.tsv" index k - 1 using 1:2:(panel_box[p]) with boxes fs solid 0.75 border lc rgb curve_rgb[k] lc rgb curve_rgb[k] notitle, \
		for [k=panel_first[p]:panel_last[p]] "figure.tsv" index k - 1 using 1:3:(0):($4 - $3) with vectors nohead lw 1.4 lc rgb 0x222222 notitle, \
		for [k=panel_first[p]:panel_last[p]] "figure.tsv" index k - 1 using 1:5:(0):($6 - $5) with vectors nohead dt 3 lw 1.4 lc rgb 0x222222 notitle, \
		for [k=panel_first[p]:panel_last[p]] for [c=5:6] "figure.tsv" index k - 1 using 1:c with points pt 7 ps 1.4 lc rgb 0xffffff notitle, \
		for [k=panel_first[p]:panel_last[p]] for [c=5:6] "figure.tsv" index k - 1 using 1:c with points pt 6 ps 1.4 lw 1.4 lc rgb 0x222222 notitle
	unset label 1
}
unset title
unset xlabel
unset xtics
unset ytics
unset border
unset grid
unset logscale
set tmargin at screen (24.0 * key_rows + 4) / height
set bmargin at screen 2.0 / height
set lmargin at screen 0.02
set rmargin at screen 0.98
set xrange [0:1]
set yrange [0:1]
set key center center horizontal maxcols key_columns samplen 1 reverse Left noenhanced
plot for [s=1:series] NaN with boxes fs solid 0.75 border lc rgb series_rgb[s] lc rgb series_rgb[s] title series_name[s], \
	NaN with points pt 6 ps 1.4 lw 1.4 lc rgb 0x222222 title "the paper"
unset multiplot
