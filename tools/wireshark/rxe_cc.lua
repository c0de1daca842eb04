-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector: in-band telemetry (INT-MD 2.1) of RoCEv2 packets, and what
-- rxe_cc peers tell each other: bits in the BTH, TLVs in ACKs, reports, probes. LSCC's
-- feedback message between switches.
--
-- INT stands between UDP and BTH, on RoCE's own port. A packet has it when its
-- DSCP says so (preference "dscp"). What follows the stack goes on to the
-- dissector that port 4791 had before, InfiniBand's.
--
--	tshark -X lua_script:rxe_cc.lua -r FILE
--
-- Layout: Documentation/reference/int.md. Works with Lua 5.2 to 5.4: no bit library.

local UDP_PORT = 4791
local SHIM_BYTES = 4
local MD_BYTES = 12
local MD_WORDS = 3
local REST_BYTES = 16		-- BTH and ICRC

local int = Proto("rxe_cc_int", "In-band Network Telemetry (RoCEv2)")

int.prefs.dscp = Pref.uint("DSCP of packets with INT", 27, "0 to 63")
int.prefs.domain = Pref.uint("Domain of txBytes, queue bytes and speed",
			     0x0cc1, "0 to 65535; default 3265 = 0x0cc1")

local types = { [1] = "INT-MD", [2] = "INT destination", [3] = "INT-MX" }

local f = {
	type = ProtoField.uint8("rxe_cc_int.type", "Type", base.DEC, types, 0xf0),
	npt = ProtoField.uint8("rxe_cc_int.npt", "Next protocol type", base.DEC,
			       { [0] = "UDP payload follows" }, 0x0c),
	length = ProtoField.uint8("rxe_cc_int.length", "Length (words of 4 bytes)"),
	orig_dscp = ProtoField.uint8("rxe_cc_int.orig_dscp",
				     "DSCP that the source found", base.DEC, nil, 0xfc),
	version = ProtoField.uint8("rxe_cc_int.version", "Version", base.DEC, nil, 0xf0),
	d = ProtoField.bool("rxe_cc_int.d", "D: the sink discards the packet", 8, nil, 0x08),
	e = ProtoField.bool("rxe_cc_int.e", "E: a hop found no remaining hops", 8, nil, 0x04),
	m = ProtoField.bool("rxe_cc_int.m", "M: a hop would have exceeded the MTU", 8, nil, 0x02),
	hop_ml = ProtoField.uint8("rxe_cc_int.hop_ml", "HopML (words of a hop)",
				  base.DEC, nil, 0x1f),
	rem_hop = ProtoField.uint8("rxe_cc_int.rem_hop", "RemHop (hops that may still push)"),
	instr = ProtoField.uint16("rxe_cc_int.instr", "Instructions", base.HEX),
	domain = ProtoField.uint16("rxe_cc_int.domain", "Domain", base.HEX),
	ds_instr = ProtoField.uint16("rxe_cc_int.ds_instr",
				     "Domain-specific instructions", base.HEX),
	ds_flags = ProtoField.uint16("rxe_cc_int.ds_flags", "Domain-specific flags", base.HEX),
	hops = ProtoField.uint8("rxe_cc_int.hops", "Hops"),
	hop = ProtoField.bytes("rxe_cc_int.hop", "Hop"),
	position = ProtoField.uint8("rxe_cc_int.hop.position",
				    "Position on the path, from 1"),
	reserved = ProtoField.bytes("rxe_cc_int.hop.reserved", "Reserved instruction"),
	ds_data = ProtoField.bytes("rxe_cc_int.hop.ds_data", "Domain-specific metadata"),
}

-- One entry a field of a hop: instruction bit (value in the 16-bit word),
-- bytes, name of the filter, label, unit.
local function field(bit, bytes, name, label, unit)
	local new = bytes == 8 and ProtoField.uint64 or bytes == 4 and ProtoField.uint32 or
		    bytes == 3 and ProtoField.uint24 or bytes == 2 and ProtoField.uint16 or
		    ProtoField.uint8
	local hex = (name == "checksum" or name == "compact" or name == "worst") and base.HEX or base.DEC

	f[name] = new("rxe_cc_int.hop." .. name, label, hex)
	return { bit = bit, bytes = bytes, field = f[name], unit = unit }
end

local standard = {
	field(0x8000, 4, "node", "Node id"),
	field(0x4000, 2, "in_port", "Ingress port"),
	field(0x4000, 2, "out_port", "Egress port"),
	field(0x2000, 4, "latency_ns", "Hop latency", "ns"),
	field(0x1000, 1, "queue", "Queue id"),
	field(0x1000, 3, "queue_occupancy", "Queue occupancy", "bytes"),
	field(0x0800, 8, "ingress_ts_ns", "Ingress time", "ns"),
	field(0x0400, 8, "egress_ts_ns", "Egress time", "ns"),
	field(0x0200, 4, "l2_in_port", "Level 2 ingress port"),
	field(0x0200, 4, "l2_out_port", "Level 2 egress port"),
	field(0x0100, 4, "tx_utilization", "TX utilization"),
	field(0x0080, 1, "buffer", "Buffer id"),
	field(0x0080, 3, "buffer_occupancy", "Buffer occupancy", "bytes"),
}
-- Class of speed in a compact hop: Mbit/s, units of time (ns), of txBytes and of the
-- queue (bytes).
local classes = {
	{ 1000, 64, 2, 4 }, { 2500, 32, 4, 4 }, { 5000, 16, 4, 8 }, { 10000, 8, 8, 16 },
	{ 20000, 4, 16, 32 }, { 25000, 4, 16, 32 }, { 40000, 2, 16, 64 },
	{ 50000, 2, 16, 64 }, { 100000, 1, 16, 128 }, { 200000, 1, 32, 256 },
	{ 400000, 1, 64, 512 }, { 800000, 1, 128, 1024 },
}

f.compact_speed = ProtoField.uint32("rxe_cc_int.hop.compact.speed_mbps", "Speed of the egress port")
f.compact_ts = ProtoField.uint32("rxe_cc_int.hop.compact.ts_ns", "Egress time, modulo its wrap")
f.compact_tx = ProtoField.uint32("rxe_cc_int.hop.compact.tx_bytes", "TX bytes, modulo their wrap")
f.compact_queue = ProtoField.uint32("rxe_cc_int.hop.compact.queue_bytes", "Queue behind the packet")

local function add_compact(tree, range)
	local class = classes[range:bitfield(0, 4)]

	if not class then
		tree:add(f.compact_speed, range(0, 1), 0):append_text(" (not told)")
		return
	end
	tree:add(f.compact_speed, range(0, 1), class[1]):append_text(" Mbit/s")
	tree:add(f.compact_ts, range(0, 4), range:bitfield(4, 24) * class[2]):append_text(" ns")
	tree:add(f.compact_tx, range(3, 3), range:bitfield(28, 20) * class[3]):append_text(" bytes")
	tree:add(f.compact_queue, range(6, 2), range:bitfield(48, 16) * class[4]):append_text(" bytes")
end

f.worst_speed = ProtoField.uint32("rxe_cc_int.hop.worst.speed_mbps", "Speed of the egress port")
f.worst_id = ProtoField.uint16("rxe_cc_int.hop.worst.id", "Identity of the port", base.HEX)
f.worst_util = ProtoField.double("rxe_cc_int.hop.worst.utilization", "Utilization")
f.worst_drain = ProtoField.uint32("rxe_cc_int.hop.worst.drain_ns", "Queue, as time on the line")

local function add_worst(tree, range)
	local class = classes[range:bitfield(0, 4)]

	tree:add(f.worst_speed, range(0, 1), class and class[1] or 0):append_text(
		class and " Mbit/s" or " (not told)")
	tree:add(f.worst_id, range(0, 3), range:bitfield(4, 16))
	tree:add(f.worst_util, range(2, 3), range:bitfield(20, 20) / 65536)
	tree:add(f.worst_drain, range(5, 3), range:bitfield(40, 24)):append_text(" ns")
end

local specific = {
	field(0x8000, 8, "tx_bytes", "TX bytes of the egress port", "bytes"),
	field(0x4000, 4, "queue_bytes", "Queue behind the packet", "bytes"),
	field(0x2000, 4, "speed_mbps", "Speed of the egress port", "Mbit/s"),
	field(0x1000, 8, "compact", "Compact hop"),
	field(0x0800, 8, "worst", "Worst hop"),
}
specific[4].more = add_compact
specific[5].more = add_worst
local checksum = field(0x0001, 4, "checksum", "Checksum complement")

-- Instructions as bits of the header.
local instr_bits = {
	{ 0x8000, "node", "Node id" },
	{ 0x4000, "ports", "Ingress and egress port" },
	{ 0x2000, "latency", "Hop latency" },
	{ 0x1000, "queue", "Queue id and occupancy" },
	{ 0x0800, "ingress_ts", "Ingress time" },
	{ 0x0400, "egress_ts", "Egress time" },
	{ 0x0200, "l2_ports", "Level 2 ports" },
	{ 0x0100, "tx_utilization", "TX utilization" },
	{ 0x0080, "buffer", "Buffer id and occupancy" },
	{ 0x007e, "reserved", "Reserved" },
	{ 0x0001, "checksum", "Checksum complement" },
}
local ds_bits = {
	{ 0x8000, "tx_bytes", "TX bytes" },
	{ 0x4000, "queue_bytes", "Queue bytes" },
	{ 0x2000, "speed", "Speed" },
	{ 0x1000, "compact", "Compact hop" },
	{ 0x0800, "worst", "Worst hop" },
}

local function bit_fields(bits, prefix)
	for _, b in ipairs(bits) do
		local name = prefix .. b[2]

		if b[1] == 0x007e then
			f[name] = ProtoField.uint16("rxe_cc_int." .. name, b[3],
						    base.HEX, nil, b[1])
		else
			f[name] = ProtoField.bool("rxe_cc_int." .. name, b[3], 16,
						  nil, b[1])
		end
		b.field = f[name]
	end
end
bit_fields(instr_bits, "instr.")
bit_fields(ds_bits, "ds_instr.")

local list = {}
for _, pf in pairs(f) do
	list[#list + 1] = pf
end
int.fields = list

local x = {
	e = ProtoExpert.new("rxe_cc_int.expert.e", "INT: hops are missing, the hop limit was reached (E)",
			    expert.group.SEQUENCE, expert.severity.WARN),
	m = ProtoExpert.new("rxe_cc_int.expert.m", "INT: hops are missing, the MTU was reached (M)",
			    expert.group.SEQUENCE, expert.severity.WARN),
	malformed = ProtoExpert.new("rxe_cc_int.expert.malformed", "INT: malformed",
				    expert.group.MALFORMED, expert.severity.ERROR),
	unsupported = ProtoExpert.new("rxe_cc_int.expert.unsupported", "INT: not understood",
				      expert.group.UNDECODED, expert.severity.NOTE),
	cut = ProtoExpert.new("rxe_cc_int.expert.cut", "INT: cut off by the capture",
			      expert.group.UNDECODED, expert.severity.NOTE),
}
local experts = {}
for _, pe in pairs(x) do
	experts[#experts + 1] = pe
end
int.experts = experts

local get_dscp4 = Field.new("ip.dsfield.dscp")
local get_dscp6 = Field.new("ipv6.tclass.dscp")

-- DSCP of the innermost IP header: the last one dissected.
local function packet_dscp()
	local best

	for _, get in ipairs({ get_dscp4, get_dscp6 }) do
		for _, info in ipairs({ get() }) do
			if not best or info.offset >= best.offset then
				best = info
			end
		end
	end
	return best and best.value
end

local function has(word, bit)
	return word % (2 * bit) >= bit
end

-- Bytes that the instructions of a table make.
local function bytes_of(fields, word)
	local n = 0

	for _, e in ipairs(fields) do
		if has(word, e.bit) then
			n = n + e.bytes
		end
	end
	return n
end

local function add_bits(tree, pf, range, bits)
	local sub = tree:add(pf, range)

	for _, b in ipairs(bits) do
		sub:add(b.field, range)
	end
end

-- All ones is what a hop writes that cannot tell.
local function add_value(tree, e, range)
	local item = tree:add(e.field, range)

	if range:bytes():tohex() == string.rep("FF", e.bytes) then
		item:append_text(" (unknown)")
		return nil
	end
	if e.unit then
		item:append_text(" " .. e.unit)
	end
	return range
end

-- Fields of a table one after the other; returns the offset behind them and
-- adds what is known to values.
local function add_fields(tree, fields, word, range, at, values)
	for _, e in ipairs(fields) do
		if has(word, e.bit) then
			values[e.field] = add_value(tree, e, range(at, e.bytes))
			if e.more and values[e.field] then
				e.more(tree, range(at, e.bytes))
			end
			at = at + e.bytes
		end
	end
	return at
end

local function hop_title(values)
	local text = ""

	if values[f.node] then
		text = text .. ", node " .. values[f.node]:uint()
	end
	if values[f.out_port] then
		text = text .. ", port " .. values[f.out_port]:uint()
	end
	if values[f.queue_bytes] then
		text = text .. ", queue " .. values[f.queue_bytes]:uint() .. " bytes"
	end
	return text
end

-- range is one hop; md.plan says what is in it.
local function add_hop(tree, md, range, position)
	local sub = tree:add(f.hop, range)
	local values = {}
	local at

	sub:set_text("Hop " .. position)
	sub:add(f.position, position):set_generated()
	if not md.plan then
		sub:add(f.ds_data, range):set_text("Metadata: not understood")
		return
	end
	at = add_fields(sub, standard, md.instr, range, 0, values)
	for _ = 1, md.plan.reserved do
		sub:add(f.reserved, range(at, 4))
		at = at + 4
	end
	if md.plan.ours then
		at = add_fields(sub, specific, md.ds_instr, range, at, values)
	end
	if at < range:len() - md.plan.tail then
		sub:add(f.ds_data, range(at, range:len() - md.plan.tail - at))
		at = range:len() - md.plan.tail
	end
	if md.plan.tail > 0 then
		add_value(sub, checksum, range(at, 4))
	end
	sub:append_text(hop_title(values))
end

-- What HopML words of a hop are, or nil and why that cannot be.
local function hop_plan(md)
	local plan = { reserved = 0, tail = has(md.instr, 0x0001) and 4 or 0 }
	local ds

	-- INT 2.1: an instruction that is reserved now will have four bytes
	for _, bit in ipairs({ 0x40, 0x20, 0x10, 0x08, 0x04, 0x02 }) do
		if has(md.instr, bit) then
			plan.reserved = plan.reserved + 1
		end
	end
	ds = md.hop_ml * 4 - bytes_of(standard, md.instr) - 4 * plan.reserved - plan.tail
	if ds < 0 or (ds > 0 and md.ds_instr == 0) then
		return nil, "HopML is not what the instructions make"
	end
	plan.ours = md.domain == int.prefs.domain
	if plan.ours and ds < bytes_of(specific, md.ds_instr) then
		return nil, "HopML is less than the instructions make"
	end
	-- not ours, or more than we know: the rest is bytes
	return plan
end

local function add_shim(tree, range)
	local sub = tree:add(int, range, "Shim")

	sub:add(f.type, range(0, 1))
	sub:add(f.npt, range(0, 1))
	sub:add(f.length, range(1, 1))
	sub:add(f.orig_dscp, range(3, 1))
end

local function add_md(tree, range)
	local sub = tree:add(int, range, "MD header")
	local md = {
		version = range(0, 1):bitfield(0, 4),
		hop_ml = range(2, 1):bitfield(3, 5),
		instr = range(4, 2):uint(),
		domain = range(6, 2):uint(),
		ds_instr = range(8, 2):uint(),
	}

	sub:add(f.version, range(0, 1))
	sub:add(f.d, range(0, 1))
	md.e = { item = sub:add(f.e, range(0, 1)), set = range(0, 1):bitfield(5, 1) == 1 }
	md.m = { item = sub:add(f.m, range(0, 1)), set = range(0, 1):bitfield(6, 1) == 1 }
	md.hop_ml_item = sub:add(f.hop_ml, range(2, 1))
	sub:add(f.rem_hop, range(3, 1))
	add_bits(sub, f.instr, range(4, 2), instr_bits)
	sub:add(f.domain, range(6, 2))
	if md.domain == int.prefs.domain then
		add_bits(sub, f.ds_instr, range(8, 2), ds_bits)
	else
		sub:add(f.ds_instr, range(8, 2))
	end
	sub:add(f.ds_flags, range(10, 2))
	return md
end

-- Why the lengths cannot be right, or nil.
local function length_error(md, words, payload)
	if words < MD_WORDS then
		return "the shim's length is less than the MD header"
	end
	if SHIM_BYTES + 4 * words + REST_BYTES > payload then
		return "no room for BTH and ICRC behind the stack"
	end
	if md.hop_ml == 0 then
		return "HopML is 0"
	end
	if (words - MD_WORDS) % md.hop_ml ~= 0 then
		return "the stack does not hold whole hops"
	end
end

-- Returns the number of hops, nil if the stack cannot be read.
local function add_stack(tree, md, range, hops)
	local sub = tree:add(int, range, "Stack, newest hop first")
	local bytes = md.hop_ml * 4

	for i = 0, hops - 1 do
		if (i + 1) * bytes > range:len() then
			return
		end
		add_hop(sub, md, range(i * bytes, bytes), hops - i)
	end
end

-- The INT part. Returns its length and what the info column says, nil when
-- nothing behind it can be found.
local function dissect_int(buffer, tree)
	local payload, captured = buffer:reported_len(), buffer:len()
	local root = tree:add(int, buffer(0, math.min(SHIM_BYTES + MD_BYTES, captured)))
	local words, md, why, hops, bytes

	if payload < SHIM_BYTES + MD_BYTES + REST_BYTES then
		root:add_proto_expert_info(x.malformed, "INT: too short for its headers, BTH and ICRC")
		return nil
	end
	if captured < SHIM_BYTES + MD_BYTES then
		root:add_proto_expert_info(x.cut)
		return nil
	end
	add_shim(root, buffer(0, SHIM_BYTES))
	if buffer(0, 1):bitfield(0, 6) ~= 4 then
		root:add_proto_expert_info(x.malformed, "INT: not INT-MD before the UDP payload")
		return nil
	end
	words = buffer(1, 1):uint()
	md = add_md(root, buffer(SHIM_BYTES, MD_BYTES))
	if md.version ~= 2 then
		root:add_proto_expert_info(x.unsupported, "INT: version " .. md.version)
		return nil
	end
	why = length_error(md, words, payload)
	if why then
		root:add_proto_expert_info(x.malformed, "INT: " .. why)
		return nil
	end

	hops = (words - MD_WORDS) / md.hop_ml
	bytes = SHIM_BYTES + 4 * words
	root:set_len(math.min(bytes, captured))
	hops = math.floor(hops)
	root:add(f.hops, hops):set_generated()
	root:append_text(", hops: " .. hops)
	for _, flag in ipairs({ "e", "m" }) do
		if md[flag].set then
			md[flag].item:add_proto_expert_info(x[flag])
		end
	end
	md.plan, why = hop_plan(md)
	if why then
		md.hop_ml_item:add_proto_expert_info(x.malformed, "INT: " .. why)
	elseif md.plan.reserved > 0 then
		root:add_proto_expert_info(x.unsupported, "INT: reserved instructions")
	end
	if hops > 0 and captured > SHIM_BYTES + MD_BYTES then
		add_stack(root, md, buffer(SHIM_BYTES + MD_BYTES,
					   math.min(bytes, captured) - SHIM_BYTES - MD_BYTES), hops)
	end
	if captured < bytes then
		root:add_proto_expert_info(x.cut)
	end
	return bytes, string.format(" [INT: hops %d%s%s]", hops, md.e.set and ", E" or "",
				    md.m.set and ", M" or "")
end

-- What peers tell each other in the RoCE packet itself is in a file beside this one.
local dir = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""
local dissect_cc = assert(loadfile(dir .. "rxe_cc_tlv.inc"))(int.prefs, add_hop)
-- Nor is LSCC's feedback message, which is ICMP.
assert(loadfile(dir .. "rxe_cc_lscc.inc"))()

local data = Dissector.get("data")
local original = DissectorTable.get("udp.port"):get_dissector(UDP_PORT) or data

-- A dissector that runs into the end of a packet says so in the tree, and call()
-- turns that into an error, which is none of this script. Running into the end
-- of what was captured would instead unwind through Lua's C stack without Lua's
-- knowledge, until that overflows: so the end of the capture becomes the end of
-- the packet.
local function dissect_rest(d, buffer, pinfo, tree)
	if buffer:len() == 0 then
		return
	end
	if buffer:len() < buffer:reported_len() then
		buffer = buffer(0):tvb()
	end
	pcall(d.call, d, buffer, pinfo, tree)
end

function int.dissector(buffer, pinfo, tree)
	local bytes, info = 0, ""

	if packet_dscp() == int.prefs.dscp then
		pinfo.cols.protocol = "INT"
		bytes, info = dissect_int(buffer, tree)
	end
	if not bytes then
		dissect_rest(data, buffer, pinfo, tree)
		info = " [INT: not decoded]"
	elseif bytes < buffer:len() then
		local rest = bytes > 0 and buffer(bytes):tvb() or buffer

		dissect_rest(original, rest, pinfo, tree)
		info = info .. dissect_cc(rest, tree)
	end
	if buffer:len() < buffer:reported_len() then
		info = info .. " [cut off: no ICRC]"
	end
	pinfo.cols.info:append(info)
end

DissectorTable.get("udp.port"):add(UDP_PORT, int)
