# SPDX-License-Identifier: GPL-2.0
# Names of the algorithms in their colours, in rows that end at the right. Loaded for
# the first panel, after gp/panel.gp; what loads it has set with_keys before gp/common.gp.
row = 0
do for [k=1:ccs] {
	if (key_row[k] != row) {
		row = key_row[k]
		key_x = 0.985 - sx(key_width[row])
	}
	key_y = above(50 + 16 * (row - 1))
	set arrow from screen key_x + sx(2), screen key_y to screen key_x + sx(28), screen key_y nohead lw 1.8 dt dash_of[cc_dash[k]] lc rgb cc_rgb[k]
	set label "" at screen key_x + sx(15), screen key_y point pt cc_point[k] ps 1 lc rgb cc_rgb[k]
	set label cc_name[k] at screen key_x + sx(33), screen key_y left tc rgb darker(cc_rgb[k], 0.25)
	key_x = key_x + sx(key_px(k))
}
