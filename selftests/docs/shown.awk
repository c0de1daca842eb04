# SPDX-License-Identifier: GPL-2.0
# What of a page would not be shown as it is written.
#   awk -f shown.awk PAGE	a line for each mistake; exit 1 if there is one
# A page shows 100 columns of a block, the rest only to who scrolls: commands and output may be
# longer, what explains them may not.

function mistake(why)
{
	print "line " FNR ": " why
	rc = 1
}

function cells(s)
{
	gsub(/\\\|/, "", s)
	return gsub(/\|/, "", s) - 1
}

/^ *```/ { fenced = !fenced; language = $0; head = 0; next }
fenced {
	gsub(/\t/, "        ")
	if (language !~ /output/ && length($0) > 100 && $0 ~ /[^ ]( # |  )/)
		mistake("a comment or a column beyond column 100")
	next
}
/^\|/ {
	if (head && cells($0) != head)
		mistake("a row of " cells($0) " cells in a table of " head)
	head = head ? head : cells($0)
}
!/^\|/ { head = 0 }
{
	gsub(/`[^`]*`|\]\([^)]*\)/, "x")
	gsub(/\\\*/, "")
	if ($0 ~ /[[:alnum:]]\*[[:alnum:]]/)
		mistake("a * within a word begins or ends emphasis: put it between backticks")
}
END { exit rc }
