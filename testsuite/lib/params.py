# SPDX-License-Identifier: GPL-2.0-or-later
"""GCC 12's inliner, IPA-SRA, IPA-CP and splitting params that vary per function."""

# name: (value at -O2, lowest, highest)
ANY = 10 ** 6
PARAMS = {
    "comdat-sharing-probability": (20, 0, ANY),
    "early-inlining-insns": (6, 0, ANY),
    "inline-heuristics-hint-percent": (200, 100, ANY),
    "inline-min-speedup": (30, 0, 100),
    "inline-unit-growth": (40, 0, ANY),
    "ipa-cp-eval-threshold": (500, 0, ANY),
    "ipa-cp-loop-hint-bonus": (64, 0, ANY),
    "ipa-cp-unit-growth": (10, 0, ANY),
    "ipa-cp-value-list-size": (8, 0, ANY),
    "ipa-max-agg-items": (16, 0, ANY),
    "ipa-sra-max-replacements": (8, 0, 16),
    "ipa-sra-ptr-growth-factor": (2, 0, ANY),
    "large-function-growth": (100, 0, ANY),
    "large-function-insns": (2700, 0, ANY),
    "large-stack-frame": (256, 0, ANY),
    "large-stack-frame-growth": (1000, 0, ANY),
    "large-unit-insns": (10000, 0, ANY),
    "max-early-inliner-iterations": (1, 0, ANY),
    "max-inline-insns-auto": (15, 0, ANY),
    "max-inline-insns-recursive": (450, 0, ANY),
    "max-inline-insns-recursive-auto": (450, 0, ANY),
    "max-inline-insns-single": (70, 0, ANY),
    "max-inline-insns-size": (0, 0, ANY),
    "max-inline-insns-small": (0, 0, ANY),
    "max-inline-recursive-depth": (8, 0, ANY),
    "max-inline-recursive-depth-auto": (8, 0, ANY),
    "min-inline-recursive-probability": (10, 0, ANY),
    "partial-inlining-entry-probability": (70, 0, 100),
    "uninlined-function-insns": (2, 0, ANY),
    "uninlined-function-time": (0, 0, ANY),
}


def scaled(factor):
    """The params at FACTOR times their defaults, as far as their ranges go."""
    return {name: min(max(value * factor, low), high)
            for name, (value, low, high) in PARAMS.items()}
