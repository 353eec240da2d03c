#!/usr/bin/env python3
"""bench/threads/run: what is left if it is interrupted."""

import contextlib
import io
import json
import signal
import sys
import types
import unittest
import unittest.mock

import common


class Interrupted(common.Test):
    def test_rows_that_are_measured_are_kept(self):
        command, path = common.harness.load("bench", "threads", "run"), self.folder / "rows.json"
        programs = {"first": "echo put 8 5.0", "second": "kill -TERM $PPID; sleep 300"}
        bench = types.SimpleNamespace(name="some MPI", ways=lambda _: list(programs),
                                      command=lambda way, *_: (["sh", "-c", programs[way]], {}))
        words = ["run", "--threads", "2", "--bytes", "8", "--operations", "put", "--json", str(path)]
        self.addCleanup(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, signal.SIG_DFL))
        with unittest.mock.patch.object(command, "benches", lambda *_: [bench]), \
                unittest.mock.patch.object(sys, "argv", words), \
                contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(command.main(), 128 + signal.SIGTERM)
        self.assertEqual(errors.getvalue(), "some MPI, first, 2 threads: put, 8 bytes: 5\nstopped\n")
        self.assertEqual([(row["way"], row["value"]) for row in json.loads(path.read_text())["rows"]], [("first", 5.0)])


if __name__ == "__main__":
    unittest.main()
