#!/usr/bin/env python3
"""scripts/demo: what is left of it if it is interrupted."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import jobs
from jobs import harness

# Instead of upcc or upcrun: has a child, writes its number to a file, and has the demo interrupted
INTERRUPTS = '#!/bin/sh\nsleep 300 & echo $! > "$CHILD"; kill -"$SIGNAL" $PPID; wait\n'


class Interrupted(unittest.TestCase):
    def test_nothing_is_left(self):
        for tool, before in (("upcc", ()), ("upcrun", ("upcc",))):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(tool=tool, signal=number.name), tempfile.TemporaryDirectory() as folder:
                    self.interrupt(pathlib.Path(folder), tool, before, number)

    def interrupt(self, folder, tool, before, number):
        scratch, build, child = (folder / name for name in ("scratch", "build", "child"))
        scratch.mkdir()
        (build / "bin").mkdir(parents=True)
        for name in ("upcc", "upcrun"):
            path = build / "bin" / name
            path.write_text("#!/bin/sh\n" if name in before else INTERRUPTS)
            path.chmod(0o755)
        done = subprocess.run([sys.executable, os.path.join(harness.ROOT, "scripts", "demo"), build],
                              env=jobs.environment(TMPDIR=str(scratch), CHILD=str(child),
                                                   SIGNAL=number.name.removeprefix("SIG")),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              timeout=jobs.LIMIT, preexec_fn=harness.default_signals)
        self.assertEqual((done.returncode, done.stderr), (128 + number, "stopped\n"), done.stdout)
        self.assertFalse(harness.is_alive(child.read_text().strip()))
        self.assertEqual(list(scratch.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
