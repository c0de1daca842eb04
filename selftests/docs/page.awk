# SPDX-License-Identifier: GPL-2.0
# The commands of a page as a script with the page's line numbers.
#   awk -v where=host|guest -v list=FILE -f page.awk PAGE >SCRIPT
# A fenced block of the language sh is commands. Comments on the lines before the
# fence change what is done with it:
#	<!-- not run: WHY -->		nothing
#	<!-- dry run: WHY -->		every command of the lab with --dry-run, also when FULL=1
#	<!-- run as: COMMAND -->	this command in its place
#	<!-- needs: PROGRAM -->		nothing where this program is not installed
#	<!-- run in: guest [DEVICE...] -->	as root in the lab kernel, with new devices of
#					these names (guest.sh)
# A block of the language output is what the commands before it print.
# FILE gets a line for each block: LINE KIND WHY, and for each that cannot stay as it is
# LINE error WHY; KIND is run, dry, as, guest, not or output.
# A block's opening line becomes "_block LINE KIND", its closing line "_end".

function mistake(line, why)
{
	print line, "error", why >list
}

function note(line, kind, why)
{
	print line, kind, why >list
}

# A comment before a block, of the kind above.
function marker(s,	kind)
{
	sub(/^<!-- /, "", s)
	sub(/ -->$/, "", s)
	kind = substr(s, 1, index(s, ":") - 1)
	sub(/^[^:]*: */, "", s)
	if (s == "")
		mistake(FNR, "\"" kind "\" without more")
	marked = FNR
	if (kind == "needs") {
		if (s !~ /^[a-z0-9._-]+$/)
			mistake(FNR, "\"needs: " s "\" is no program")
		else if (system("command -v " s " >/dev/null"))
			missing = "needs " s
		return
	}
	if (kind == "not run" || kind == "dry run")
		how = substr(kind, 1, 3) == "not" ? "not" : "dry"
	if (kind == "run as")
		as = s
	else if (kind != "run in")
		why = s
	else if (s !~ /^guest( |$)/)
		mistake(FNR, "\"run in: " s "\": only guest is known")
	else {
		guest = 1
		sub(/^guest */, "", s)
		devices = s
	}
}

function forget()
{
	if (marked)
		mistake(marked, "no block after the comment")
	clear()
}

function clear()
{
	marked = 0
	guest = 0
	how = "run"
	as = ""
	why = ""
	devices = ""
	missing = ""
}

function open_block(lang)
{
	block = FNR
	language = lang
	mine = 0
	if (lang == "")
		mistake(FNR, "a block without a language: sh, output, text, json or c")
	if (lang == "output")
		note(FNR, "output", last)
	if (lang != "sh") {
		forget()
		return ""
	}
	last = FNR
	if (missing != "") {
		how = "not"
		why = missing
	}
	if (how == "not") {
		note(FNR, "not", why)
		return ""
	}
	note(FNR, how == "dry" ? "dry" : as != "" ? "as" : guest ? "guest" : "run", why)
	mine = (where == "guest") == guest
	standin = as
	return mine ? "_block " FNR " " how (devices == "" ? "" : " " devices) : ""
}

function command(s)
{
	if (language == "sh" && how != "not" && s ~ / (&&|\|\|) /)
		mistake(FNR, "a line for each command, without && and ||: else a failure goes unseen")
	if (!mine)
		return ""
	if (as == "")
		return s
	s = standin
	standin = ""
	return s
}

BEGIN {
	clear()
	list = list == "" ? "/dev/null" : list
	printf "" >list
}

/^```/ && !fenced {
	fenced = 1
	print open_block(substr($0, 4))
	next
}

/^```/ {
	fenced = 0
	print mine ? "_end" : ""
	mine = 0
	clear()
	prev = ""
	next
}

fenced {
	print command($0)
	next
}

/^<!-- (not run|dry run|run as|run in|needs):.* -->$/ {
	marker($0)
	print ""
	next
}

{
	print ""
	if ($0 != "")
		forget()
	if ($0 ~ /^(    |\t)/ && prev == "" && !item)
		mistake(FNR, "an indented block: fence it and give its language")
	if ($0 ~ /^([-*]|[0-9]+\.) /)
		item = 1
	else if ($0 ~ /^[^ ]/)
		item = 0
	prev = $0
}

END {
	if (fenced)
		mistake(block, "the block does not end")
	forget()
}
