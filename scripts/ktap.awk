# SPDX-License-Identifier: GPL-2.0
# Count the results of a KTAP stream.
#   awk -f ktap.awk -v level=0|1 -v name=NAME -v totals=FILE STREAM
# level: indentation of the results that count, in steps of four spaces.
# Prints failed and skipped results as NAME or suite name, then the result;
# writes "passed failed skipped" to FILE. Planned results that are missing
# have failed. Of what a failed result said before it, the last lines are printed, too: for who sees
# no more of a run than this.
function finish() {
	if (planned > seen) {
		printf "  FAIL %s: %d of %d planned results are missing\n",
			suite, planned - seen, planned
		failed += planned - seen
	}
	planned = seen = 0
}

function why(  i) {
	for (i = said > 8 ? said - 7 : 1; i <= said; i++)
		printf "       | %.160s\n", line[i]
}

BEGIN {
	indent = ""
	for (i = 0; i < level; i++)
		indent = indent "    "
	suite = name
	passed = failed = skipped = 0
}

substr($0, 1, length(indent)) != indent { next }

{ text = substr($0, length(indent) + 1) }

text ~ /^ *# / && text !~ /^ *# Subtest: / {
	line[++said] = text
}

text ~ /^# Subtest: / && level > 0 {
	finish()
	suite = substr(text, 12)
}

text ~ /^1\.\.[0-9]+/ {
	if (level == 0 || seen == 0) {
		split(text, plan, /[. ]+/)
		planned = plan[2] + 0
	}
}

text ~ /^ok [0-9]+/ {
	seen++
	if (text ~ /# SKIP/) {
		skipped++
		sub(/^ok [0-9]+( - | )/, "", text)
		printf "  skip %s: %s\n", suite, text
	} else {
		passed++
	}
}

text ~ /^not ok [0-9]+/ {
	seen++
	if (text ~ /# XFAIL/) {
		passed++
		said = 0
		next
	}
	failed++
	sub(/^not ok [0-9]+( - | )/, "", text)
	printf "  FAIL %s: %s\n", suite, text
	why()
}

text ~ /^(not )?ok [0-9]+/ {
	said = 0
}

text ~ /^Bail out!/ {
	failed++
	printf "  FAIL %s: %s\n", suite, text
}

END {
	finish()
	print passed, failed, skipped > totals
}
