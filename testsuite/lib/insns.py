# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds instructions in a disassembly that kernel code cannot use on its own.

kbuild/policies/deny.policy says why for each class. What objdump has no name for
is a class too, "undecoded": an encoding that is newer than binutils must not pass
for an ordinary one.
"""

import re

import asm

UNDECODED = "undecoded"
ASKED = "asked for"

# What objdump prints before a mnemonic.
PREFIX = re.compile(r"^(?:(?:lock|repn?z|rep|bnd|notrack|data16|addr32|xacquire|xrelease|"
                    r"[cdefgs]s|rex(?:\.[WRXB]+)?)\s+)+(?=\S)")
SYMBOL = re.compile(r"<[^<>]*>")
COMMENT = re.compile(r"\s+(?://|#).*")

X86_XOP = (r"vfrcz[ps][sd]|vpcmov|vpcomu?[bwdq]|vpcom(?:lt|le|gt|ge|eq|neq|true|false)u?[bwdq]|"
           r"vphaddu?(?:b[wdq]|w[dq]|dq)|vphsub(?:bw|wd|dq)|vpmacss?(?:w[wd]|d[dq][lh]?|dd)|"
           r"vpmadcss?wd|vpperm|vprot[bwdq]|vpsha[bwdq]|vpshl[bwdq]|vpermil2p[sd]")

# Architecture: ((class, pattern of a whole instruction)...), the first that
# matches counts. Symbols and comments have been taken out.
CLASSES = {
    "x86_64": (
        (UNDECODED, r"\(bad\)"),
        ("AMX", r"%tmm|^(?:ldtilecfg|sttilecfg|tile\w+|tdp\w+|tcmm\w+|ttd\w+|ttcmm\w+)\b"),
        ("APX", r"%r(?:1[6-9]|2\d|3[01])[bwd]?\b|^\{(?:evex|nf|rex2)\}\s+[^v]|\{dfv="
                r"|^(?:jmpabs|push2p?|pop2p?|pushp|popp|ccmp\w+|ctest\w+|cfcmov\w+|setzu\w+)\b"),
        ("XOP", rf"^(?:{X86_XOP})\b"),
        ("FMA4", r"^vfn?m(?:add|sub)(?:sub|add)?[ps][sd]\b"),
        ("TBM", r"^(?:bextr[lq]?\s+\$|(?:blcfill|blcic?|blcmsk|blcs|blsfill|blsic|t1mskc|tzmsk)[lq]?\b)"),
        ("SSE4A", r"^(?:extrq|insertq|movnts[sd])\b"),
        ("LWP", r"^(?:llwpcb|slwpcb|lwpins|lwpval)\b"),
        ("AVX-512", r"%zmm|%[xyz]mm(?:1[6-9]|2\d|3[01])\b|%k[0-7]\b|^\{evex\}"),
        ("AVX", r"^(?:\{vex3?\}\s+)?v\w+\s.*%[xy]mm|^v(?:zeroall|zeroupper|ldmxcsr|stmxcsr)\b"),
    ),
    "arm64": (
        (UNDECODED, r"^\.inst\b|\bundefined\b"),
        ("MOPS", r"^(?:cpyf?[pme]|setg?[pme])[a-z]*\s+\["),
        ("SME", r"^(?:smstart|smstop|rdsvl|adds[vp]l|[fbsu]\w*mop[as])\b|\bza(?:\d+[hv]?)?\b"),
        ("SVE", r"\bz(?:\d|[12]\d|3[01])\b|\bp(?:\d|1[0-5])(?:\.[bhsd]|/[mz])?(?=[\s,}]|$)"
                r"|^(?:ptrues?|pfalse|while\w+|cnt[bhwd]|(?:[us]?q?)(?:inc|dec)[bhwdp]|"
                r"add[vp]l|rdvl|rdffrs?|setffr|wrffr|cterm\w+)\b"),
    ),
}


def compiled(arch):
    """(pattern that any class matches, [(class, pattern)...])"""
    table = [(name, re.compile(pattern)) for name, pattern in CLASSES[arch]]
    return re.compile("|".join(pattern for _, pattern in CLASSES[arch])), table


PATTERNS = {arch: compiled(arch) for arch in CLASSES}


def bare(instruction):
    """The instruction without prefixes, symbols and comments."""
    return PREFIX.sub("", COMMENT.sub("", SYMBOL.sub("", instruction)).strip())


def classify(arch, instruction):
    """Name of the class that the instruction, as objdump prints it, is of; None: an ordinary one."""
    either, table = PATTERNS[arch]
    text = bare(instruction)
    if not either.search(text):
        return None
    return next(name for name, pattern in table if pattern.search(text))


def scan(arch, path, pattern=None):
    """
    (number of instructions, {class: ["function: instruction"...]}) of an object file. Class ASKED has
    those that are of no class and match the PATTERN.
    """
    found, function, number = {}, "?", 0
    asked = re.compile(pattern) if pattern else None
    for line in asm.tool(asm.MACHINES[arch], "objdump", "-d", "--no-show-raw-insn", path).splitlines():
        header = asm.HEADER.match(line)
        if header:
            function = header.group(1)
            continue
        match = asm.INSTRUCTION.match(line)
        if not match:
            continue
        number += 1
        name = classify(arch, match.group(1))
        if asked and not name and asked.search(bare(match.group(1))):
            name = ASKED
        if name:
            found.setdefault(name, []).append(f"{function}: {' '.join(match.group(1).split())}")
    return number, found


def counted(found):
    """A short text of scan()'s classes: "TBM 11, AVX 2"."""
    return ", ".join(f"{name} {len(lines)}" for name, lines in sorted(found.items())) or "none"
