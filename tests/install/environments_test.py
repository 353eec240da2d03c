#!/usr/bin/env python3
"""make lsp-env and its like: an environment counts as complete only when pip has filled it.  Nothing is downloaded."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = {"format-env": "tests/lint/format.lock", "lsp-env": "tests/lsp/client.lock",
         "site-env": "docs/site/requirements.lock"}
# In place of python3: python3 -m venv --clear FOLDER, with a pip that does what is asked
PYTHON = """#!/bin/sh
rm -rf "$4" && mkdir -p "$4/bin" && touch "$4/pyvenv.cfg"
printf '#!/bin/sh\\necho "$@"\\nexec sh -c "$PIP"\\n' > "$4/bin/pip" && chmod +x "$4/bin/pip"
"""


class Environments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="banyan-environments-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "python3").write_text(PYTHON)
        (self.folder / "python3").chmod(0o755)

    def make(self, target, pip):
        """Runs make with a pip that does this; returns its exit status and what it prints"""
        ours = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        done = subprocess.run(["make", "--no-print-directory", "-C", ROOT, f"BUILD={self.folder}/build", target],
                              capture_output=True, text=True, timeout=300, check=False,
                              env={**ours, "PIP": pip, "PATH": f"{self.folder}:{os.environ['PATH']}"})
        return done.returncode, done.stdout

    def test_what_pip_has_not_filled_is_made_anew(self):
        for target, lock in PARTS.items():
            for pip in ("exit 1", "kill -KILL $PPID"):   # make itself
                with self.subTest(target=target, pip=pip):
                    self.assertNotEqual(self.make(target, pip)[0], 0)
            status, said = self.make(target, "exit 0")
            self.assertEqual(status, 0)
            self.assertRegex(said, f"^install .*-r {lock}\n")
            self.assertEqual(self.make(target, "exit 1"), (0, f"make: Nothing to be done for '{target}'.\n"))


if __name__ == "__main__":
    unittest.main()
