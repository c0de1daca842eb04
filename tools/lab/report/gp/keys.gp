# SPDX-License-Identifier: GPL-2.0
# Names of the algorithms in their colours, in one line that ends at the right. Loaded for
# the first panel, after gp/panel.gp.
key_x = 0.985 - (sum [k=1:ccs] 7.2 * cc_letters[k] + 34) / width
do for [k=1:ccs] {
	set label "" at screen key_x + sx(14), screen sy(50) point pt cc_point[k] ps 1 lc rgb cc_rgb[k]
	set label cc_name[k] at screen key_x + sx(22), screen sy(50) left tc rgb darker(cc_rgb[k], 0.25)
	key_x = key_x + sx(7.2 * cc_letters[k] + 34)
}
