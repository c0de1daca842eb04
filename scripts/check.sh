#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Static checks of everything in the checkout.
#   check.sh [--quick] [--totals FILE] [NAME]...
# Names: spdx stray names checkpatch sparse kernel-doc cppcheck shellcheck generated cycles in-tree;
# default: all. --quick: those that build nothing after "make lab-tests" and take a minute
# together, as "make test" runs them. Says what it does and for how long; prints the findings, then
# one line per check; exit 1 if any. --totals: write "passed failed skipped" to FILE.
set -u
. "$(dirname "$0")/common.sh"

all=(spdx stray names checkpatch sparse kernel-doc cppcheck shellcheck generated cycles in-tree)
in_quick=(spdx stray names kernel-doc shellcheck generated cycles)
quick='' totals=''
options "quick totals=" "$@"
wanted=(${quick:+"${in_quick[@]}"} "${args[@]}")
for name in "${wanted[@]}"; do
	[[ " ${all[*]} " == *" $name "* ]] || misuse "unknown check \"$name\": ${all[*]}"
done
[ "${#wanted[@]}" -gt 0 ] || wanted=("${all[@]}")

cd "$top" || exit 1
logs=$build/log/check
mkdir -p "$logs" || die "cannot write to $build"
ksrc=$(scripts/kernel.sh source) || exit 1

# Made by the kernel's own generators, or tables of numbers made by a program.
generated=(-path include/uapi/linux/rxe_cc.h -o -name '*_gen.[ch]' -o -name '*_vectors.h')

# files DIR... -- PATTERN...: ours, without build output and generated files.
files() {
	local dirs=() names=()
	while [ "$1" != -- ]; do
		[ ! -e "$1" ] || dirs+=("$1")
		shift
	done
	shift
	for p; do names+=(-o -name "$p"); done
	[ "${#dirs[@]}" -eq 0 ] || find "${dirs[@]}" -path ./build -prune -o -path ./.git -prune \
		-o -path ./results -prune -o \( "${generated[@]}" \) -prune \
		-o -type f \( "${names[@]:1}" \) -print | sort
}

kernel_c() { files include drivers net -- '*.[ch]'; }
tools_c() { files tools selftests -- '*.[ch]'; }
# GPL-2.0 shell; the first line tells for files without a suffix.
shell() { files scripts selftests tools drivers -- '*.sh'; echo .ci/run; echo scripts/mutate; echo scripts/fuzz; }

# In one of the first three lines of each file, but for those that have no comments: data,
# pictures, and the license itself. A patch, and the message of one, has the license of what
# it patches.
no_comments='\.(json|png|svg|patch|csv)$|/corpus/|/rxe/fixes/.*/message$|^LICENSE$|debian/(copyright|control)$'
check_spdx() {
	tracked | grep -vE "$no_comments" | tr '\n' '\0' |
		xargs -0 awk 'FNR == 1 { done() } FNR <= 3 && /SPDX-License-Identifier/ { found = 1 }
			function done() { if (name != "" && !found) print name ": no SPDX line"
				name = FILENAME; found = 0 }
			FNR > 3 { nextfile }
			END { done() }'
}

# What nobody asked for: pictures on no page, files that git is to ignore and has.
check_stray() {
	local f
	git ls-files -ci --exclude-standard 2>/dev/null | sed 's,$,: is in git and in .gitignore,'
	for f in Documentation/images/*; do
		grep -rqF --include='*.md' "${f##*/}" README.md Documentation || echo "$f: on no page"
	done
}

# All that git knows, or would; without git what is there.
tracked() {
	git ls-files -co --exclude-standard 2>/dev/null | grep . ||
		find . -path ./build -prune -o -path ./results -prune -o -type f -printf '%P\n' | sort
}

# Names of scripts, of sources with our prefixes, and in comments of C of any source, that are
# not there: moved, or renamed. Of the selftests, which write some, the comments alone.
# Examples for the reader, the kernel's (rxe_*.c), and what a sweep writes are none of ours.
others='cc_sawtooth.c cc_yours.c merge_config.sh my_test.sh slurm.sh'
check_names() {
	tracked | grep -vE '/corpus/|\.(png|svg|patch)$|_vectors\.h$|^CHANGELOG' | tr '\n' '\0' |
		xargs -0 awk -v others="$others" -v have="$(tracked | sed 's,.*/,,' | sort -u)" '
			BEGIN {
				n = split(others " " have, word, /[ \n]/)
				for (i = 1; i <= n; i++) known[word[i]]
				ours = "^([A-Za-z0-9_+-]+[.](sh|awk|cocci)|(cc|roce|rxe_cc|sch_roce)_[a-z0-9_]+[.][ch])$"
			}
			FILENAME ~ /^selftests\/.*[.]sh$/ && !/^[ \t]*#/ { next }
			{
				rest = $0
				any = FILENAME ~ /[.][ch]$/ && /^[ \t]*[\/ ][*]|\/[*]/ && !/#include/
				while (match(rest, /[A-Za-z0-9_+-]+[.][a-z]+/)) {
					name = substr(rest, RSTART, RLENGTH)
					rest = substr(rest, RSTART + RLENGTH)
					if ((name ~ ours || any && name ~ /^[a-z0-9_][a-z0-9_][a-z0-9_]+[.][ch]$/ && name !~ /^rxe_/) &&
					    !(name in known))
						print FILENAME ":" FNR ": there is no " name
				}
			}'
}

# Not ours to change: the kernel's own capitals, what TRACE_EVENT looks like,
# in shell "mount -t proc proc", lines that are a table or a message, licenses and names of
# files in what it writes; tables of keys and of test names; rows of options and figures, and the
# macros that take what they need of a row.
idioms='CAMELCASE: Avoid CamelCase: <Qdisc|'
idioms+='\.sh:[0-9]+: (WARNING:REPEATED_WORD|CHECK:LONG_LINE|WARNING:SPDX_LICENSE_TAG)|'
idioms+='(scripts/(mutate|measured\.sh|pages\.sh)|selftests/docs\.sh):[0-9]+: WARNING:EMBEDDED_FILENAME|'
idioms+='((job_file_keys|events_csv_columns)\.h|cc_(counter|port_knob)_rows\.h|programs/judge_verdicts\.c|cmd/main\.c):[0-9]+: (CHECK:LONG_LINE|ERROR:SPACING)|'
rows="Argument '(attr|kind|key|field|arg|argument|help|want|why|label|unit|wants|constant|table|flags|fmt|value|show|S)' is not used"
idioms+="(_rows|pkt_sched_roce)\.h:[0-9]+: (CHECK:LONG_LINE|CHECK:MACRO_ARG_REUSE|ERROR:COMPLEX_MACRO)|$rows|"
idioms+='((roce_ipv6\.h|roce_qdisc\.c):[0-9]+: (ERROR|CHECK):SPACING: spaces [a-z]+ around that .[<>/-]. .ctx:(BxV|VxV|VxB)|test_stats\.c:[0-9]+: CHECK:SPACING)|'
idioms+='(roce_cache_lines_kunit\.c|roce_option_table\.h):[0-9]+: CHECK:MACRO_ARG_REUSE|'
idioms+='test_program_latency\.c:[0-9]+: WARNING:QUOTED_WHITESPACE|'
# Names of types that the kernel does not know; a macro that declares; __has_include(<net/x.h>);
# 1e-9.
idioms+='(find_clock_reads|cycle_counter|calls_that_poll)\.c:[0-9]+: ((WARNING|CHECK):SPACING|ERROR:MULTISTATEMENT_MACRO)|'
idioms+='((roce_module|common/job_file)\.c|sweep_options\.h):[0-9]+: ERROR:COMPLEX_MACRO|'
idioms+='(roce_(feature|port)|(roce|cc)_trace|guest/topo|plot/gnuplot_input)\.h:[0-9]+: (WARNING:TRAILING_SEMI|ERROR:MULTISTATEMENT_MACRO)|'
idioms+='trace\.h:[0-9]+: CHECK:(OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT|MACRO_ARG_)|'
idioms+='(roce|cc)_trace\.h:[0-9]+: ERROR:(COMPLEX_MACRO|SPACING)'

# Advice that names kernel headers or types user space has not, and on messages
# and tables of fields.
userspace=PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,BIT_MACRO,ARRAY_SIZE
userspace+=,VOLATILE,NAKED_SSCANF,STATIC_CONST_CHAR_ARRAY,EMBEDDED_FUNCTION_NAME,CAMELCASE
userspace+=,ENOSYS,NEW_TYPEDEFS,LONG_LINE_STRING,MACRO_ARG_REUSE,MACRO_ARG_PRECEDENCE,SPLIT_STRING,STRCPY,STRLCPY,CONSIDER_KSTRTO

# checkpatch FILES OPTION...
checkpatch() {
	local list
	mapfile -t list <<<"$1"
	perl "$ksrc/scripts/checkpatch.pl" --no-tree --strict --terse --show-types --no-summary \
		"${@:2}" -f "${list[@]}" | grep -vE "$idioms"
}

check_checkpatch() {
	local all user
	user=$(tools_c; files drivers net -- 'gen_*.c')
	all=$({ kernel_c; shell; } | grep -v '/gen_[^/]*$')
	checkpatch "$all"
	checkpatch "$user" --ignore "$userspace"
	# What checkpatch leaves behind.
	rm -f .checkpatch-camelcase*
}

check_sparse() {
	step "sparse" "$logs/sparse.build" scripts/modules.sh host C=2 >&2 ||
		echo "the modules do not build"
	grep -E '(rxe_cc|sch_roce)[^:]*:[0-9]+(:[0-9]+)?: (warning|error):' \
		"$build/log/modules-host.log" |
		sed "s,$build/host/mod/,," | sort -u
}

# kernel-doc itself, and that everything exported is documented.
check_kernel-doc() {
	local f s
	kernel_c | xargs "$ksrc/scripts/kernel-doc" -none -Wall 2>&1 | grep -E 'warning|error'
	grep -rHoE '^EXPORT_SYMBOL(_GPL)?\([a-z0-9_]+\)' --include='*.c' drivers net |
		sed -E 's/:EXPORT_SYMBOL(_GPL)?\(/ /; s/\)$//' |
		while read -r f s; do
			! grep -qE "[ *]$s\(" "$f" || grep -qE "^ \* $s\(\) - " "$f" ||
				echo "$f: $s is exported without kernel-doc"
		done
}

check_cppcheck() {
	cppcheck --quiet --enable=warning,performance,portability --inline-suppr --std=c11 \
		--template=gcc --suppress=missingIncludeSystem --include=scripts/cppcheck-macros.h \
		-I include/uapi -I tools -I tools/lab tools selftests 2>&1 | grep -E '(error|warning|performance|portability):'
}

check_shellcheck() {
	shell | xargs -P "$jobs" -n 16 shellcheck -x -P SCRIPTDIR -S warning -e SC1007 -f gcc
}

check_generated() {
	local tmp f
	tmp=$(mktemp -d "$build/check.XXXXXX")
	if scripts/ynl-regen.sh "$ksrc" "$tmp" >"$logs/ynl.log" 2>&1; then
		(cd "$tmp" && find . -type f) | while read -r f; do
			cmp -s "$tmp/$f" "$f" ||
				echo "$f: differs from the YNL specification (scripts/ynl-regen.sh)"
		done
	else
		echo "scripts/ynl-regen.sh fails: $(tail -n 1 "$logs/ynl.log")"
	fi
	if make -s -C tools/tc BUILD="$build" "$build/tc/roce_options_page" >"$logs/page.log" 2>&1; then
		"$build/tc/roce_options_page" | cmp -s - Documentation/reference/qdisc-options.md ||
			echo "Documentation/reference/qdisc-options.md differs from the rows (make -C tools/tc page)"
	else
		echo "tools/tc/roce_options_page does not build: $(tail -n 1 "$logs/page.log")"
	fi
	rm -rf "$tmp"
	scripts/pages.sh --check
}

# Rooms whose files need each other in larger circles than they may.
check_cycles() {
	[ -e "$build/uml-lab/mod/modules.order" ] || [ -e "$build/host/mod/modules.order" ] ||
		step "modules" "$logs/cycles.build" scripts/modules.sh host >&2 ||
		echo "the modules do not build"
	scripts/cycles.sh -q
}

# What keeps our tree from being built in.
check_in-tree() {
	scripts/in-tree.sh >&2 || tail -n 25 "$build"/log/in-tree*.log | grep -E ': (error|warning):|was asked for|multiple definition|undefined reference' ||
		echo "scripts/in-tree.sh fails: $build/log/in-tree.log"
}

# What a check prints are its findings; what it says besides goes to a log of its own.
run_check() {
	"check_$1" 2>"$logs/$1.err"
	return 0
}

summary=
bad=0
nr=0
for name in "${wanted[@]}"; do
	nr=$((nr + 1))
	t0=$SECONDS
	log=$logs/$name.log
	step "check $nr of ${#wanted[@]}: $name" "$log" run_check "$name"
	n=$(wc -l <"$log")
	head -n 40 "$log"
	[ "$n" -le 40 ] || say "... all of them: $log"
	summary+=$(printf '  %-12s %4d findings %5d s' "$name" "$n" $((SECONDS - t0)))$'\n'
	[ "$n" -eq 0 ] || bad=$((bad + 1))
done
printf '%s' "$summary"
[ -z "$totals" ] || echo "$((nr - bad)) $bad 0" >"$totals"
[ "$bad" -eq 0 ]
