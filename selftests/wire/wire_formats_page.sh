#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: numbers and offsets of [wire-formats.md](../reference/wire-formats.md) against the sources
#
# The numbers and offsets on Documentation/reference/wire-formats.md are those of the sources. A
# program is made of what the sources define, as text, and of the page's tables, and run.
# Rows of tables are
#	| `NAME` | VALUE | ...			a constant
#	| `STRUCT.MEMBER` | OFFSET | BYTES | ...	a member of a packed structure
. "$(dirname "$0")/../lib/ktap_helpers.sh"
command -v gcc >/dev/null || ktap_skip_all "no gcc"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
page=$RXE_CC_TOP/Documentation/reference/wire-formats.md
sources=(include/rxe_cc/{cc,int_compact,int_profile,int_wire,int_worst,wire}.h
	net/sched/sch_roce/{roce_reply_packet.h,features/lscc/roce_lscc_feedback_msg.h,features/lscc/roce_lscc_feedback_msg.c})

# definitions FILE...: constants, enums and packed structures of wire formats, alone
definitions() {
	awk '
		function ours(s) { return s ~ /(^|[^A-Za-z_])(RXE_CC|ROCE)_/ }
		copying == "define" { print; if ($0 !~ /\\$/) copying = ""; next }
		copying == "block" { text = text "\n" $0; if ($0 ~ /^}/) { if ($0 ~ /__packed|^};/) print text; copying = "" } next }
		/^#define (RXE_CC|ROCE)_(CAP|ASK|RESV6|TOKENS|OPCODE|CNP_[FWP]|TLV|FB|INT|COMPACT|WORST|LSCC|REPLY)/ && !/\(.*\) *[a-z]/ {
			print
			if (/\\$/)
				copying = "define"
			next
		}
		/^enum (rxe_cc_(report_kind|tlv_type|cnp_origin|int_profile)) \{/ { copying = "block"; text = $0 }
		/^struct (rxe_cc_(report_hdr|cnp_field|tlv|int_shim|int_md)|roce_lscc_wire) \{/ { copying = "block"; text = $0 }
	' "$@"
}

# program PAGE: C that says which rows are wrong, and how many there are
program() {
	cat <<-'END'
		#include <stddef.h>
		#include <stdint.h>
		#include <stdio.h>
		#define BIT(n) (1ULL << (n))
		#define GENMASK(h, l) ((~0ULL << (l)) & (~0ULL >> (63 - (h))))
		#define __packed __attribute__((packed))
		typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
		typedef uint16_t __be16, __sum16; typedef uint32_t __be32; typedef uint64_t __be64;
	END
	(cd "$RXE_CC_TOP" && definitions "${sources[@]}")
	cat <<-'END'
		static int rows, wrong;
		static void is(const char *what, unsigned long long page, unsigned long long source)
		{
			rows++;
			if (page == source)
				return;
			wrong++;
			printf("%s: %llu (0x%llx) on the page, %llu (0x%llx) in the sources\n", what,
			       page, page, source, source);
		}
		int main(void)
		{
	END
	awk -F '|' '
		$2 ~ /^ `(RXE_CC|ROCE)_[A-Z0-9_]+` $/ { gsub(/[ `]/, "", $2); gsub(/ /, "", $3); printf "\tis(\"%s\", %s, %s);\n", $2, $3, $2 }
		$2 ~ /^ `[a-z_]+\.[a-z0-9_]+` $/ {
			gsub(/[ `]/, "", $2); gsub(/ /, "", $3); gsub(/ /, "", $4)
			split($2, n, ".")
			printf "\tis(\"offset of %s\", %s, offsetof(struct %s, %s));\n", $2, $3, n[1], n[2]
			printf "\tis(\"bytes of %s\", %s, sizeof(((struct %s *)0)->%s));\n", $2, $4, n[1], n[2]
		}' "$1"
	printf '\tprintf("%%d rows\\n", rows);\n\treturn wrong > 0;\n}\n'
}

# compare PAGE: prints what is wrong
compare() {
	program "$1" >"$tmp/rows.c" && gcc -std=gnu11 -o "$tmp/rows" "$tmp/rows.c" 2>"$tmp/err" || {
		grep error: "$tmp/err"
		return 1
	}
	"$tmp/rows"
}

# All rows, not some that the pattern happened to take.
all_rows() {
	local n
	n=$(compare "$page" | sed -n 's/ rows$//p')
	[ "$n" -ge 100 ] || { echo "$n rows"; return 1; }
}

# Every constant of wire.h that a packet can show is on the page.
complete() {
	local name rc=0
	for name in $(awk '/^#define RXE_CC_(CAP|CNP|OPCODE|TOKENS)_?[A-Z_]*[ \t]/ { print $2 }' "$RXE_CC_TOP/include/rxe_cc/wire.h") \
		$(awk '/^enum rxe_cc_(tlv_type|report_kind) \{/, /^};/' "$RXE_CC_TOP/include/rxe_cc/wire.h" | grep -o 'RXE_CC_[A-Z_]*'); do
		case $name in RXE_CC_CAP_KNOWN | RXE_CC_NR_*) continue ;; esac
		grep -qF "| \`$name\` |" "$page" || { echo "$name is not on the page"; rc=1; }
	done
	return $rc
}

# one_wrong NAME NEW: the page with another number for NAME is refused
one_wrong() {
	sed -E "s/^(\| .$1. \|) [^|]* /\1 $2 /" "$page" >"$tmp/page.md"
	! compare "$tmp/page.md" >"$tmp/said" && grep -q "$1" "$tmp/said"
}

sees() {
	one_wrong RXE_CC_CAP_FB 0x04 && one_wrong rxe_cc_cnp_field.psn 9 && one_wrong ROCE_LSCC_ICMP_TYPE 254 &&
		one_wrong RXE_CC_TLV_FB 5 && one_wrong RXE_CC_INT_HPCC_DS 0xc000
}

ktap_print_header
ktap_check "numbers and offsets of the page are those of the sources" compare "$page"
ktap_check "over a hundred of them" all_rows
ktap_check "all capabilities, flags, opcodes, TLVs and reports are on the page" complete
ktap_check "a wrong number is seen" sees
ktap_finished
