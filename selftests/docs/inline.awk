# SPDX-License-Identifier: GPL-2.0
# What stands between single backticks in a page, outside its blocks: LINE<tab>TEXT,
# where TEXT may come from several lines.
/^```/ {
	fenced = !fenced
	next
}

fenced {
	next
}

# A span ends with its paragraph at the latest.
/^$/ {
	open = 0
	next
}

{
	n = split($0, part, "`")
	for (i = 1; i <= n; i++) {
		if (i > 1) {
			if (open)
				print line "\t" text
			open = !open
			text = ""
			line = FNR
		}
		if (open)
			text = text (text == "" || i > 1 ? "" : " ") part[i]
	}
}
