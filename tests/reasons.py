#!/usr/bin/env python3
"""Runs a test in Python, as if it were run directly, so that unittest says how many tests passed and why others did not
run, in the form of harness.Report.

    reasons.py TEST [ARGUMENT]...
"""
import runpy
import sys
import unittest
from pathlib import Path

import harness


class Result(unittest.TextTestResult):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def printErrors(self):
        super().printErrors()
        for line in [*harness.lines_of_skipped(self.skipped),
                     harness.line_of_counts(self.passed + len(self.expectedFailures),
                                            len(self.failures) + len(self.errors) + len(self.unexpectedSuccesses),
                                            len(self.skipped))]:
            self.stream.writeln(line)


if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    unittest.TextTestRunner.resultclass = Result
    runpy.run_path(sys.argv[0], run_name="__main__")
