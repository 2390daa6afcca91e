# SPDX-License-Identifier: GPL-2.0-or-later
"""Disassembly and debug information, as binutils print them: who calls a
function, and in which registers its arguments are at the call and at entry."""

import functools
import re
import subprocess


class Machine:
    """What the tests must know of an architecture's registers and branches."""

    def __init__(self, prefix, registers, dwarf, call, tail, destination):
        self.prefix = prefix		# of binutils
        self.registers = registers	# per argument: pattern of the register's names
        self.dwarf = dwarf		# per argument: DW_OP_regN's N
        self.call = re.compile(call)
        self.tail = re.compile(tail)
        self.destination = destination	# operand that is written: -1 last, 0 first


MACHINES = {
    "x86_64": Machine("x86_64-linux-gnu-", [
        r"%(?:rdi|edi|di|dil)\b", r"%(?:rsi|esi|si|sil)\b", r"%(?:rdx|edx|dx|dl)\b",
        r"%(?:rcx|ecx|cx|cl)\b", r"%(?:r8|r8d|r8w|r8b)\b", r"%(?:r9|r9d|r9w|r9b)\b"],
        (5, 4, 1, 2, 8, 9), r"^call", r"^jmp", -1),
    "arm64": Machine("aarch64-linux-gnu-", [rf"\b[xw]{number}\b" for number in range(8)],
        tuple(range(8)), r"^bl\b", r"^b\b", 0),
}

# These write no register although their operands look so.
READ_ONLY = re.compile(r"^(cmp|test|push|str|stp|stur|tst|cb|tb|ccmp|nop|endbr)")
HEADER = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\s+(\S.*)$")
RELOCATION = re.compile(r"^\s+[0-9a-f]+:\s+R_\w+\s+(\S+)$")


def tool(machine, name, *arguments):
    """Output of a binutils program."""
    for program in (machine.prefix + name, name):
        try:
            return subprocess.run([program, *arguments], check=True, capture_output=True,
                                  text=True, errors="replace").stdout
        except FileNotFoundError:
            continue
    raise OSError(f"no {name} of binutils for {machine.prefix}")


def has_call(machine, path, caller, callee):
    """Does the function of a linked program name the other one in an instruction?"""
    text = tool(machine, "objdump", "-d", "--no-show-raw-insn", f"--disassemble={caller}", path)
    return f"<{callee}>" in text.partition(f"<{caller}>:")[2]


def disassemble(machine, path):
    """{function: [instruction, with " => TARGET" when it is relocated...]}"""
    functions, lines = {}, []
    for line in tool(machine, "objdump", "-dr", "--no-show-raw-insn", path).splitlines():
        header = HEADER.match(line)
        moved = RELOCATION.match(line)
        if header:
            lines = functions.setdefault(header.group(1), [])
        elif moved and lines:
            lines[-1] += f" => {moved.group(1)}"
        elif INSTRUCTION.match(line):
            text = INSTRUCTION.match(line).group(1)
            lines.append(re.sub(r"\s+(//|#) .*", "", text))
    return functions


def calls(machine, instruction, name):
    """Is it a call of, or a jump to, the function?"""
    if not (machine.call.match(instruction) or machine.tail.match(instruction)):
        return False
    _, relocated, target = instruction.partition(" => ")
    if relocated:
        # A static function in a section of its own is named by the section.
        return re.sub(r"^\.text\.|[-+]0x[0-9a-f]+$", "", target) == name
    return f"<{name}>" in instruction


def call_sites(machine, functions, name):
    """{caller: [index of the calling instruction...]}"""
    sites = {}
    for caller, lines in functions.items():
        found = [index for index, line in enumerate(lines) if calls(machine, line, name)]
        if found and caller != name:
            sites[caller] = found
    return sites


def operands(instruction):
    """The operands of an instruction, split at commas outside parentheses."""
    rest = re.sub(r"\s*(<.*| => .*)$", "", instruction).split(None, 1)[1:]
    return [word.strip() for word in re.split(r",(?![^(\[]*[)\]])", "".join(rest)) if word.strip()]


def writes(machine, instruction, argument):
    """Does the instruction write the argument's register?"""
    words = operands(instruction)
    if not words or READ_ONLY.match(instruction):
        return False
    pattern = machine.registers[argument - 1]
    return re.fullmatch(pattern, words[machine.destination]) is not None or (
        instruction.startswith("ldp") and re.fullmatch(pattern, words[1]) is not None)


def reads(machine, instruction, argument):
    """Does the instruction use the value in the argument's register?"""
    pattern = machine.registers[argument - 1]
    words = operands(instruction)
    if not words:
        return False
    if instruction.startswith("xor") and len(set(words)) == 1:
        return False
    if READ_ONLY.match(instruction):
        return any(re.search(pattern, word) for word in words)
    written = words[machine.destination]
    others = [word for word in words if word is not written]
    return any(re.search(pattern, word) for word in others) or (
        re.search(pattern, written) is not None and re.fullmatch(pattern, written) is None)


def is_tracer_call(instruction):
    """The call at a function's entry, which keeps all registers."""
    return "__fentry__" in instruction or "_mcount" in instruction


def used_as_incoming(machine, lines, argument):
    """
    The first instruction that reads the argument's register before anything
    writes it, in the order of the code; None when there is none.
    """
    for line in lines:
        if is_tracer_call(line):
            continue
        if reads(machine, line, argument):
            return line
        if writes(machine, line, argument) or machine.call.match(line):
            return None
    return None


def set_before_call(machine, lines, index, argument):
    """
    How the argument's register got its value before the call at INDEX: the
    instruction that wrote it, "incoming" when it is the caller's own argument,
    None when the value is a leftover of another call.
    """
    for line in reversed(lines[:index]):
        if is_tracer_call(line):
            continue
        if writes(machine, line, argument):
            return line
        if machine.call.match(line):
            return None
    return "incoming"


# ---- debug information -----------------------------------------------------

DIE = re.compile(r"^ <([0-9a-f]+)><([0-9a-f]+)>: Abbrev Number: \d+(?: \((DW_TAG_\w+)\))?")
ATTRIBUTE = re.compile(r"^    <[0-9a-f]+>\s+(DW_AT_\w+)\s*: (.*)$")


def debug_entries(machine, path):
    """[(level, offset, tag, {attribute: text})] of all units, in file order."""
    entries = []
    for line in tool(machine, "readelf", "-wi", path).splitlines():
        die = DIE.match(line)
        if die:
            entries.append((int(die.group(1), 16), die.group(2), die.group(3), {}))
            continue
        attribute = ATTRIBUTE.match(line)
        if attribute and entries:
            entries[-1][3][attribute.group(1)] = attribute.group(2).strip()
    return entries


def name_of(attributes, by_offset):
    """DW_AT_name, through DW_AT_abstract_origin."""
    while "DW_AT_name" not in attributes and "DW_AT_abstract_origin" in attributes:
        offset = attributes["DW_AT_abstract_origin"].strip("<>").removeprefix("0x")
        attributes = by_offset[offset][3]
    text = attributes.get("DW_AT_name", "")
    return text.rpartition(": ")[2] if text.startswith("(ind") else text


def parameters(machine, path, function):
    """
    [(name, location at entry)] of the function that has code under that name;
    None without one. The location is DW_OP_regN, or "" when it has none.
    """
    entries = debug_entries(machine, path)
    by_offset = {entry[1]: entry for entry in entries}
    for index, (level, _, tag, attributes) in enumerate(entries):
        if tag != "DW_TAG_subprogram" or "DW_AT_low_pc" not in attributes:
            continue
        if name_of(attributes, by_offset) != function:
            continue
        start = int(attributes["DW_AT_low_pc"], 16)
        found = []
        for below in entries[index + 1:]:
            if below[0] <= level:
                break
            if below[0] == level + 1 and below[2] == "DW_TAG_formal_parameter":
                where = below[3].get("DW_AT_location", "")
                found.append((name_of(below[3], by_offset),
                              entry_location(machine, path, where, start)))
        return found
    return None


def entry_location(machine, path, text, start):
    """Where a parameter is at address START, as DW_OP_regN; "" when it has no place there."""
    direct = re.search(r"\((DW_OP_\w+)", text)
    if direct:
        return direct.group(1)
    where = re.match(r"0x([0-9a-f]+) \(location list\)", text)
    entries = location_lists(machine, path).get(int(where.group(1), 16), []) if where else []
    return next((operation for begin, operation in entries if begin == start), "")


@functools.cache
def location_lists(machine, path):
    """{offset of a list: [(first address, DW_OP_...)...]}; made with -gno-variable-location-views."""
    lists, current = {}, None
    for line in tool(machine, "readelf", "-wo", path).splitlines():
        words = line.split()
        if not words or not re.fullmatch("[0-9a-f]{8,16}", words[0]):
            continue
        if current is None:
            current = lists.setdefault(int(words[0], 16), [])
        if "<End of list>" in line:
            current = None
        elif "(DW_OP_" in line:
            current.append((int(words[1], 16), re.search(r"\((DW_OP_\w+)", line).group(1)))
    return lists
