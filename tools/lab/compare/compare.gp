# SPDX-License-Identifier: GPL-2.0
# lab compare: a cell for each algorithm (row) and entry (column), darker the better its rank.
# Set before: format, rows, columns, letters (of the longest name). Reads compare.tsv.
set encoding utf8
set datafile separator "\t"
left = 20 + 8 * letters
width = left + 5 + 78 * columns
height = 70 + 26 * rows
if (format eq "png") {
	set terminal pngcairo size 2 * width, 2 * height enhanced font "sans,10" fontscale 2 background "white"
} else {
	set terminal svg size width, height enhanced font "DejaVu Sans,Verdana,sans-serif,12" background "white"
}
set output "compare." . format
set lmargin at screen real(left) / width
set rmargin at screen 1 - 5.0 / width
set tmargin at screen 1 - 45.0 / height
set bmargin at screen 8.0 / height
unset key
unset border
unset xtics
unset ytics
set xrange [-0.5:columns - 0.5]
set yrange [rows - 0.5:-0.5]
set clip points
# From blue, the first rank, to white, the last; grey: no value.
part(rank) = rows > 1 ? (rank - 1) / (rows - 1.0) : 0
mixed(a, b, s) = int(a + (b - a) * s)
shade(rank) = rank < 1 ? 0xe8e8e8 : mixed(0x6b, 0xff, part(rank)) * 65536 + mixed(0xae, 0xff, part(rank)) * 256 + mixed(0xd6, 0xff, part(rank))
set style fill solid 1 border lc rgb "#ffffff"
plot "compare.tsv" index 0 using 1:2:(0.48):(0.46):(shade($3)) with boxxyerror lc rgb variable, \
	"" index 0 using 1:2:(strcol(4)) with labels textcolor rgb "#222222", \
	"" index 1 using 1:(-0.5):(strcol(2)) with labels offset 0, 1.6 font ",11" textcolor rgb "#222222", \
	"" index 2 using 1:(-0.5):(strcol(2)) with labels offset 0, 0.6 font ",9" textcolor rgb "#666666", \
	"" index 3 using (-0.5):1:(strcol(2)) with labels right offset -0.7, 0 noenhanced textcolor rgb "#222222"
