# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the record of a compile, .NAME.o.kiln: include/kiln/record.h and decisions.h."""

import collections
import os
import re

Copy = collections.namedtuple("Copy", "body callee line early")
Code = collections.namedtuple("Code", "frame how section")


def path_of(output):
    """The record of an object."""
    directory, name = os.path.split(output)
    return os.path.join(directory, f".{name}.kiln")


def lines_of(path):
    """[fields] of each line; the last must be there."""
    with open(path, encoding="utf-8") as stream:
        lines = [line.split("\t") for line in stream.read().split("\n")]
    if lines[-2:] != [["end"], [""]]:
        raise ValueError(f"{path}: the last line is not 'end'")
    return lines[:-1]


def differ(one, two):
    """Do the records differ, but for the object's name?"""
    return ([fields for fields in lines_of(one) if fields[0] != "unit"]
            != [fields for fields in lines_of(two) if fields[0] != "unit"])


class Record:
    """names: of functions and None for copies, by number."""

    def __init__(self, path):
        self.names, self.copies, self.reasons = [], {}, []
        self.how = {}	# the letters, by the name of a function in the source
        self.early = collections.defaultdict(list)	# body -> [(callee, line)]
        self.inside = collections.defaultdict(list)	# body -> [copy]
        self.refused = []	# (body, reason, callee, line)
        self.size, self.code, self.origins, self.kinds = {}, {}, {}, {}
        self.merged, self.limits, self.ruled, self.flags = [], [], [], ""
        for fields in lines_of(path):
            see = getattr(self, "_see_" + re.sub(r"\W", "_", fields[0]), None)
            if see:
                see(*fields[1:])

    @staticmethod
    def _calls(text):
        return [tuple(map(int, call.split(":")[:2])) for call in text.split(" ")]

    def _see_function(self, name, _="0", how="-", *__):
        self.names.append(name)
        self.how[name] = how

    def _see_name(self, name):
        self.names.append(name)

    def _see_flags(self, flags):
        self.flags = flags

    def _see_merged(self, function, into):
        self.merged.append((int(function), int(into)))

    def _see_reason(self, name, limit):
        self.reasons.append(name)
        self.limits.append(limit)

    def _see_early(self, body, calls):
        self.early[int(body)] += self._calls(calls)

    def _see_copy(self, body, call, early):
        (callee, line), = self._calls(call)
        self.copies[len(self.names)] = Copy(int(body), callee, line, early)
        self.inside[int(body)].append(len(self.names))
        self.names.append(None)

    def _see_within(self, body, call):
        self._see_copy(body, call, True)

    def _see_inlined(self, body, call):
        self._see_copy(body, call, False)

    def _see_refused(self, body, reason, calls):
        self.refused += [(int(body), int(reason), *call) for call in self._calls(calls)]

    def _see_clone(self, clone, origin, kind):
        self.origins[int(clone)], self.kinds[int(clone)] = int(origin), kind

    def _see_ruled(self, caller, callee, word, why=None):
        self.ruled.append((int(caller), int(callee), word, why))

    def _see_size(self, function, size, time, *after):
        self.size[int(function)] = tuple(map(int, (size, time, *after)))

    def _see_code(self, function, frame, how="-", section="-"):
        self.code[int(function)] = Code(int(frame), how, section)

    def _ipa_path(self, body):
        """Numbers from the function to the callee of the copy, over the IPA inliner's copies."""
        if body not in self.copies:
            return [body]
        copy = self.copies[body]
        return self._ipa_path(copy.body) + ([] if copy.early else [copy.callee])

    def _spell(self, body):
        """f, or f/g for a copy of g in f."""
        if body not in self.copies:
            return self.names[body]
        return f"{self._spell(self.copies[body].body)}/{self.names[self.copies[body].callee]}"

    def sentences(self):
        """The decisions, with names in place of numbers."""
        yield f"flags {self.flags}"
        for body, calls in self.early.items():
            yield from (f"{self._spell(body)} early {self.names[callee]}:{line}" for callee, line in calls)
        for copy in self.copies.values():
            if not copy.early:
                yield f"{self._spell(copy.body)} inlined {self.names[copy.callee]}:{copy.line}"
        for body, reason, callee, line in self.refused:
            yield (f"{self._spell(body)} refused {self.names[callee]}:{line} {self.reasons[reason]} "
                   f"{self.limits[reason]}")
        for function, size in self.size.items():
            yield f"{self.names[function]} size {size[0]} {size[2] if len(size) == 4 else 'gone'}"
        for function, code in self.code.items():
            yield f"{self.names[function]} code {code.frame} {code.how} {code.section}"
        for clone, origin in self.origins.items():
            yield f"{self.names[clone]} {self.kinds[clone]} {self.names[origin]}"
        for function, into in self.merged:
            yield f"{self.names[function]} merged {self.names[into]}"

        for caller, callee, word, why in self.ruled:
            yield f"{self.names[caller]} ruled {self.names[callee]} {word}" + (f": {why}" if why else "")

    def _function_of(self, body):
        return self._ipa_path(body)[0]

    def ipa_edges(self, plain):
        """Counter of ((function, ..., callee), "inlined" or the reason)."""
        edges = collections.Counter()
        for number, copy in self.copies.items():
            if not copy.early:
                edges[tuple(plain(self.names[step]) for step in self._ipa_path(number)), "inlined"] += 1
        for body, reason, callee, _ in self.refused:
            path = self._ipa_path(body) + [callee]
            edges[tuple(plain(self.names[step]) for step in path), self.reasons[reason]] += 1
        return edges

    def early_edges(self, plain):
        """Counter of (function, callee)."""
        return collections.Counter((plain(self.names[self._function_of(body)]), plain(self.names[callee]))
                                   for body, calls in self.early.items() for callee, _ in calls)

    def clones(self):
        """{(clone, origin, kind)}"""
        return {(self.names[clone], self.names[origin], self.kinds[clone])
                for clone, origin in self.origins.items()}

    def frames(self, plain):
        """Counter of (function, bytes, kind)."""
        kinds = {(False, False): "static", (True, False): "dynamic", (True, True): "dynamic,bounded"}
        return collections.Counter((plain(self.names[number]), code.frame,
                                    kinds["d" in code.how, "b" in code.how])
                                   for number, code in self.code.items())

    def sizes(self, plain):
        """Counter of (function, size before, size after) of what is left after inlining."""
        return collections.Counter((plain(self.names[number]), size[0], size[2])
                                   for number, size in self.size.items() if len(size) == 4)

    def places(self):
        """{function: section} of what was put out."""
        return {self.names[number]: ".text" if code.section == "-" else code.section
                for number, code in self.code.items()}

    def cold(self):
        """{function} of those with a .cold part."""
        return {self.names[number] for number, code in self.code.items() if "c" in code.how}

    def _of_function(self, number):
        """The bodies in which a copy of the function has its copies: its own, and a clone's origin's."""
        bodies = [number]
        while number in self.origins:
            number = self.origins[number]
            bodies.append(number)
        return bodies

    def _copies_in(self, bodies, name, line):
        """
        The bodies that a call of that name and line in one of these may be. The call of a
        part that was split off has no line; DWARF shows that of the function there.
        """
        found = []
        for body in bodies:
            for callee, at in self.early[body]:
                if at in (line, 0) and self._is_named(callee, name):
                    found += self._of_function(callee)
            for number in self.inside[body]:
                copy = self.copies[number]
                if copy.line in (line, 0) and self._is_named(copy.callee, name):
                    found += [number] + self._of_function(copy.callee)
        return found

    def _is_named(self, number, name):
        return self.names[number].split(".")[0] == name

    def has_copy(self, path):
        """Is there a copy (function, (callee, line), (callee, line)...)?"""
        bodies = [body for number, name in enumerate(self.names)
                  if name and name.split(".")[0] == path[0] for body in self._of_function(number)]
        for name, line in path[1:]:
            bodies = self._copies_in(bodies, name, line)
        return bool(bodies)
