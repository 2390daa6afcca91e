# SPDX-License-Identifier: GPL-2.0-or-later
"""Test Anything Protocol output, for programs that prove(1) runs."""

import sys


class Tap:
    """Numbers tests, prints them as they come, and the plan at the end."""

    def __init__(self):
        self.number = self.failed = self.skipped = 0

    def note(self, text):
        """Lines for the reader, no test."""
        for line in str(text).splitlines():
            print(f"# {line}", flush=True)

    def ok(self, passed, name, why=()):
        """One test; the lines of `why` are printed when it failed. Returns passed."""
        self.number += 1
        print(f"{'ok' if passed else 'not ok'} {self.number} - {name}", flush=True)
        if not passed:
            self.failed += 1
            for line in [why] if isinstance(why, str) else why:
                self.note(line)
        return passed

    def attempt(self, name, errors, function, *arguments):
        """Runs a part of a test; one of the errors makes it a failed test, and the rest goes on."""
        try:
            function(self, *arguments)
        except errors as error:
            self.ok(False, name, str(error))

    def skip(self, name, reason):
        """A test that cannot be run here, counted with its reason."""
        self.number += 1
        self.skipped += 1
        print(f"ok {self.number} - {name} # SKIP {reason}", flush=True)

    def done(self):
        """The plan; returns the exit status. No test at all is a failure."""
        print(f"1..{self.number}", flush=True)
        if self.skipped:
            self.note(f"{self.skipped} skipped, with the reasons above")
        if self.failed:
            self.note(f"{self.failed} of {self.number} failed")
        return 1 if self.failed or not self.number else 0


def run(main, arguments, expected_errors):
    """
    Runs main (Tap, arguments) and exits. One of the expected errors ends the test
    with "Bail out!", any other exception with its traceback: never with a pass.
    """
    tap = Tap()
    try:
        main(tap, arguments)
    except KeyboardInterrupt:
        print("Bail out! interrupted", flush=True)
        sys.exit(130)
    except expected_errors as error:
        print(f"Bail out! {error}", flush=True)
        sys.exit(1)
    sys.exit(tap.done())
