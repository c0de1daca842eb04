# SPDX-License-Identifier: GPL-2.0
# Lists faults that a mutation test can make in lines of C, one per line of output:
#	FILE <tab> LINE <tab> KIND <tab> TEXT INSTEAD
# TEXT has \036 for a newline and \037 for a tab. Comments, strings and directives are left alone.

# The line with blanks for what is in comments and quotes, as long as the line.
function masked(s,	i, c, out, quote) {
	out = ""
	quote = ""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (comment) {
			if (substr(s, i, 2) == "*/") {
				comment = 0
				out = out " "
				i++
			}
			out = out " "
		} else if (quote != "") {
			if (c == "\\") {
				out = out " "
				i++
			} else if (c == quote) {
				quote = ""
			}
			out = out " "
		} else if (substr(s, i, 2) == "/*") {
			comment = 1
			out = out "  "
			i++
		} else if (c == "\"" || c == "'") {
			quote = c
			out = out " "
		} else {
			out = out c
		}
	}
	return out
}

# Blanks that are tabs are \037, so that the text is one field.
function put(kind, text) {
	put_at(FNR, kind, text)
}

function put_at(line, kind, text) {
	gsub(/\t/, "\037", text)
	printf "%s\t%d\t%s\t%s\n", FILENAME, line, kind, text
}

# Each place of @from, which stands alone between blanks, with @to instead.
function operator(from, to,	at, rest) {
	rest = 1
	while ((at = index(substr(mask, rest), " " from " ")) > 0) {
		at += rest
		put("operator", substr($0, 1, at - 1) to substr($0, at + length(from)))
		rest = at
	}
}

function constants(	at, rest, len, before) {
	rest = 1
	while (match(substr(mask, rest), /[0-9]+/)) {
		at = rest + RSTART - 1
		len = RLENGTH
		before = at > 1 ? substr(mask, at - 1, 1) : " "
		if (before !~ /[A-Za-z_.0-9]/ && substr(mask, at + len, 1) !~ /[A-Za-z_.0-9]/) {
			put("constant", substr($0, 1, at - 1) (substr($0, at, len) + 1) substr($0, at + len))
			if (substr($0, at, len) + 0 > 0)
				put("constant", substr($0, 1, at - 1) (substr($0, at, len) - 1) \
				    substr($0, at + len))
		}
		rest = at + len
	}
}

# if (X) on one line, with or without what follows.
function negate(	at, depth, i, c, word) {
	if (!match(mask, /^[ \t]*(if|while|} else if) \(/))
		return
	at = RLENGTH
	depth = 0
	for (i = at; i <= length(mask); i++) {
		c = substr(mask, i, 1)
		depth += c == "("
		depth -= c == ")"
		if (depth == 0)
			break
	}
	if (depth == 0)
		put("negate", substr($0, 1, at) "!(" substr($0, at + 1, i - at - 1) ")" substr($0, i))
}

# f(a, b): names or members, nothing nested.
function arguments(	rest, at, name, a, b, inner, parts) {
	rest = 1
	while (match(substr(mask, rest), /\([A-Za-z_][A-Za-z0-9_.>-]*, [A-Za-z_][A-Za-z0-9_.>-]*[,)]/)) {
		at = rest + RSTART - 1
		inner = substr($0, at + 1, RLENGTH - 2)
		if (split(inner, parts, ", ") == 2 && parts[1] != parts[2])
			put("arguments", substr($0, 1, at) parts[2] ", " parts[1] \
			    substr($0, at + RLENGTH - 1))
		rest = at + 1
	}
}

function is_statement(m) {
	return m ~ /^\t+[a-zA-Z_*(][^{}]*;[ ]*$/ && in_function
}

function is_declaration(m) {
	return m ~ /^\t+(const |static |struct |enum |unsigned |signed |int |long |char |bool |double |float |void |size_t |ssize_t |u?int[0-9]+_t |u[0-9]+ |__u[0-9]+ |uint128_t |va_list |FILE )/
}

function indent(m) {
	match(m, /^\t*/)
	return RLENGTH
}

# What an assignment sets, without blanks; nothing if it is another statement.
function set_by(m) {
	if (!match(m, /^\t+[A-Za-z_][A-Za-z0-9_.>\[\]-]* = /) || m ~ /\+\+|--/)
		return ""
	m = substr(m, 1, RLENGTH - 3)
	gsub(/\t/, "", m)
	return m
}

# Two assignments neither of which has what the other sets: their order is no matter.
function independent(a, b,	x, y) {
	x = set_by(a)
	y = set_by(b)
	return x != "" && y != "" && !index(b, x) && !index(a, y)
}

FNR == 1 {
	comment = 0
	in_function = 0
	last = ""
}

{
	mask = masked($0)
	if (mask ~ /^[ \t]*#/ || mask ~ /^[ \t]*$/ || mask ~ /\\$/) {
		last = ""
		next
	}
	if (mask ~ /^{/)
		in_function = 1
	if (mask ~ /^}/)
		in_function = 0
	# Of a header what its inline functions do, not what it declares.
	if (FILENAME ~ /\.h$/ && !in_function) {
		last = ""
		next
	}
	if (mask !~ /^[a-z]/ || mask ~ /=/) {
		operator("<", "<="); operator("<=", "<"); operator(">", ">="); operator(">=", ">")
		operator("==", "!="); operator("!=", "=="); operator("&&", "||"); operator("||", "&&")
		operator("+", "-"); operator("-", "+"); operator("/", "*"); operator("%", "/")
		operator("+=", "-="); operator("-=", "+="); operator("*=", "/="); operator("/=", "*=")
		operator("|", "&"); operator("&", "|")
		constants()
		negate()
	}
	if (in_function)
		arguments()
	if (is_statement(mask) && !is_declaration(mask) && mask !~ /^\t+(return|goto|break|continue)/) {
		put("drop", "")
		if (last != "" && indent(last) == indent(mask) && last_line != $0 &&
		    !independent(last, mask))
			put_at(FNR - 1, "swap", $0 "\036" last_line)
		last = mask
		last_line = $0
	} else {
		last = ""
	}
}
