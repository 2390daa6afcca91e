# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what the kernel tests need of a 64-bit little-endian ELF object file."""

import functools
import re
import struct

SHT_SYMTAB, SHT_RELA, SHT_NOBITS = 2, 4, 8
SHF_EXECINSTR, SHF_MERGE, SHF_STRINGS = 0x4, 0x10, 0x20
STT_FUNC, STT_SECTION = 2, 3

# The clones that GCC makes of a function, as symbols are named; .cold is no
# clone but a part that is never called.
CLONE = re.compile(r"\.(isra|constprop|part|lto_priv)\.\d+")
# The number that GCC gives to a static variable of a function, or to a label.
SERIAL = re.compile(r"\.\d+$")


class Section:
    """A section header and the content."""

    def __init__(self, name, kind, flags, address, content, link, info):
        self.name, self.kind, self.flags, self.address = name, kind, flags, address
        self.content, self.link, self.info = content, link, info
        self.relocations = []	# (offset, type, Symbol, addend)


class Symbol:
    """A symbol; section is a number of Object.sections, or 0 when undefined."""

    def __init__(self, name, info, section, value, size):
        self.name, self.section, self.value, self.size = name, section, value, size
        self.kind, self.is_global = info & 15, info >> 4 != 0

    @property
    def is_function(self):
        """A function defined here."""
        return self.kind == STT_FUNC and self.section != 0


def c_string(table, offset):
    """The string at an offset of a string table."""
    return table[offset:table.index(b"\0", offset)].decode("utf-8", "replace")


class Object:
    """An object file, or a linked program: a kernel's many relocations can be left out."""

    def __init__(self, path, relocations=True):
        with open(path, "rb") as stream:
            self.data = stream.read()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: no 64-bit little-endian ELF file")
        self.path = path
        self.sections = self._read_sections()
        self.symbols = self._read_symbols()
        if relocations:
            self._read_relocations()

    def _read_sections(self):
        offset, = struct.unpack_from("<Q", self.data, 40)
        size, number, names = struct.unpack_from("<HHH", self.data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + size * index)
                   for index in range(number)]
        if not number or names == 0xffff:	# kept in section 0 when there are many
            first = struct.unpack_from("<IIQQQQIIQQ", self.data, offset)
            number, names = number or first[5], first[6] if names == 0xffff else names
            headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, offset + size * index)
                       for index in range(number)]
        contents = [b"" if head[1] == SHT_NOBITS else self.data[head[4]:head[4] + head[5]]
                    for head in headers]
        return [Section(c_string(contents[names], head[0]), head[1], head[2], head[3], content,
                        head[6], head[7]) for head, content in zip(headers, contents)]

    def _read_symbols(self):
        for section in self.sections:
            if section.kind == SHT_SYMTAB:
                strings = self.sections[section.link].content
                return [Symbol(c_string(strings, name), info, where, value, size)
                        for name, info, _, where, value, size
                        in struct.iter_unpack("<IBBHQQ", section.content)]
        return []

    def _read_relocations(self):
        for section in self.sections:
            if section.kind == SHT_RELA:
                target = self.sections[section.info].relocations
                for offset, info, addend in struct.iter_unpack("<QQq", section.content):
                    target.append((offset, info & 0xffffffff, self.symbols[info >> 32], addend))

    @functools.cached_property
    def _functions(self):
        return {symbol.name: symbol for symbol in self.symbols if symbol.is_function}

    def functions(self):
        """{name: Symbol} of the functions defined here."""
        return self._functions

    def clones_of(self, name):
        """Symbols NAME.isra.N and the like, without their .cold parts."""
        return sorted(have for have in self.functions() if have.startswith(name + ".") and
                      CLONE.match(have[len(name):]) and not have.endswith(".cold"))

    def section(self, name):
        """The first section of that name, or None."""
        return next((section for section in self.sections if section.name == name), None)

    def at(self, address, size):
        """The bytes at an address of a linked program."""
        for section in self.sections:
            offset = address - section.address
            if section.address and 0 <= offset and offset + size <= len(section.content):
                return section.content[offset:offset + size]
        raise ValueError(f"{self.path}: nothing of {size} bytes at {address:#x}")

    def _target(self, symbol, addend):
        """What a relocation points to, by a name that other code does not change."""
        if symbol.kind != STT_SECTION and not symbol.name.startswith(".L"):
            return SERIAL.sub("", symbol.name), addend
        section, addend = self.sections[symbol.section], addend + symbol.value
        if section.flags & SHF_EXECINSTR:
            return self._function_at(symbol.section, addend) or (section.name, addend)
        if section.flags & SHF_MERGE and section.flags & SHF_STRINGS:
            return self._string_at(section, addend) or (section.name, addend)
        return section.name, addend

    # On x86 the addend of a pc-relative operand is 4 short of its target.

    def _function_at(self, number, addend):
        for symbol in self.functions().values():
            if symbol.section == number and addend in (symbol.value, symbol.value - 4):
                return symbol.name, addend - symbol.value
        for symbol in self.functions().values():
            if symbol.section == number and symbol.value <= addend < symbol.value + symbol.size:
                return symbol.name, addend - symbol.value
        return None

    @staticmethod
    def _string_at(section, addend):
        starts = {0} | {match.end() for match in re.finditer(b"\0", section.content)}
        start = addend + 4 if addend + 4 in starts else addend
        if 0 <= start < len(section.content):
            return c_string(section.content, start), 0
        return None

    def code(self, symbol):
        """A function's bytes and relocations, comparable between objects."""
        section = self.sections[symbol.section]
        end = symbol.value + symbol.size
        moved = [(offset - symbol.value, kind, *self._target(target, addend))
                 for offset, kind, target, addend in section.relocations
                 if symbol.value <= offset < end]
        return section.content[symbol.value:end], sorted(moved)

    def section_code(self, name):
        """Bytes and relocations of all sections of that name; None: no such section."""
        found = [section for section in self.sections if section.name == name]
        return [(section.content, sorted((offset, kind, *self._target(target, addend)) for
                 offset, kind, target, addend in section.relocations))
                for section in found] or None
