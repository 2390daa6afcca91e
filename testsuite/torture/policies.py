# SPDX-License-Identifier: GPL-2.0-or-later
"""What a torture test is compiled with: policies, and the flags that ask GCC itself for the like.

A policy is made for one file at one level: from the names of its functions and from what GCC did with
their calls without a policy, as the plugin's record tells it.
"""

import random

import params
import records

# How far a random value may be from GCC's own. More makes single files take hours.
FACTORS = (0, 0.1, 0.5, 2, 10, 100)
# What else a function may be given, and how often.
WORDS = ("keep", "noinline", "inline", "-fno-tree-sra", "-fno-ipa-cp-clone", "-funroll-loops")
WORDS_PART = 0.3
PARAMS_OF_ONE = 6
FORBID = ["-fno-inline", "-fno-early-inlining", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-partial-inlining",
          "-fno-ipa-icf", "-fno-ipa-pure-const", "-fno-ipa-modref", "-fno-ipa-ra", "-fno-ipa-reference"]


def flags_of(values):
    """["--param=NAME=VALUE"...]"""
    return [f"--param={name}={value}" for name, value in values.items()]


TEN_TIMES, NONE = flags_of(params.scaled(10)), flags_of(params.scaled(0))
FORCE = ["-finline-functions"] + flags_of({
    name: params.ANY for name in params.PARAMS if name.startswith(("max-inline-insns-", "large-", "inline-unit"))}
    | {"inline-min-speedup": 0, "early-inlining-insns": params.ANY})


def plain_name(name):
    """Without what a clone's name ends with."""
    return name.split(".")[0]


class Facts:
    """What the record of a compile without rules tells."""

    def __init__(self, path):
        record = records.Record(path)
        self.functions = sorted(record.how)
        self.calls = {}	# (caller, callee) in their source: is it inlined anywhere?

        def see(body, callee, inlined):
            copy = record.copies.get(body)
            call = (plain_name(record.names[copy.callee if copy else body]), plain_name(record.names[callee]))
            self.calls[call] = self.calls.get(call) or inlined

        for body, calls in record.early.items():
            for callee, _ in calls:
                see(body, callee, True)
        for copy in record.copies.values():
            see(copy.body, copy.callee, True)
        for body, _, callee, _ in record.refused:
            see(body, callee, False)


def contrary(facts, _):
    """Each call as GCC did not have it."""
    return [f"func {caller} call {callee} {'noinline' if inlined else 'inline'}"
            for (caller, callee), inlined in sorted(facts.calls.items())]


def random_value(chance, name):
    """A value of the param, within its range."""
    value, low, high = params.PARAMS[name]
    return min(max(int(max(value, 1) * chance.choice(FACTORS)), low), high)


def random_rules(facts, chance):
    """Some params, and at times a word or a flag, for each function."""
    rules = []
    for function in facts.functions:
        names = chance.sample(sorted(params.PARAMS), PARAMS_OF_ONE)
        rules.append(" ".join([f"func {function}"] + flags_of({name: random_value(chance, name) for name in names})))
        if chance.random() < WORDS_PART:
            rules.append(f"func {function} {chance.choice(WORDS)}")
    return rules


# name: (the rules, flags of which one set does to the whole unit what the rules may do to parts of it)
POLICIES = {
    "none": (lambda *_: ["# nothing"], []),
    "x10": (lambda *_: ["func * " + " ".join(TEN_TIMES)], [TEN_TIMES]),
    "zero": (lambda *_: ["func * " + " ".join(NONE)], [NONE]),
    "keep": (lambda *_: ["func * keep"], [FORBID]),
    "inline": (lambda *_: ["func * inline"], [FORCE]),
    "calls": (lambda *_: ["func * call * inline"], [FORCE]),
    "contrary": (contrary, [FORBID, FORCE]),
    "random": (random_rules, [FORBID, FORCE, NONE, TEN_TIMES]),
}


def text(policy, facts, seed):
    """The policy file's text. SEED: of this file at this level."""
    return "".join(rule + "\n" for rule in POLICIES[policy][0](facts, random.Random(seed)))
