#!/usr/bin/env python3
"""scripts/deps: its reaction to the compilers and libraries that it finds.  Nothing is installed."""

import os
import shutil
import subprocess
import tempfile
import unittest

DEPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "deps")


class Deps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="banyan-deps-")
        self.addCleanup(shutil.rmtree, self.folder)

    def stand_in(self, name, text):
        """Makes a command that prints what another machine's would"""
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n%s\n" % text)
        os.chmod(path, 0o755)

    def missing(self, level="build", deps=DEPS):
        done = subprocess.run(["sh", deps, level, "--print"], capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, "PATH": self.folder + os.pathsep + os.environ["PATH"]})
        self.assertNotIn("llegal number", done.stderr)
        return done.stdout + done.stderr

    def test_versions_of_hwloc(self):
        for number, verdict in (("0x00010b06", "1.11 is too old"), ("0x00020000", None), ("0x00020900", None),
                                ("0x00020c00", None), ("0x00030100", None)):
            self.stand_in("g++", "case $1 in -dump*) echo 14.2.0 ;; *) echo 'hwloc.h: %s' ;; esac" % number)
            said = self.missing()
            if verdict:
                self.assertIn("hwloc.h: version " + verdict, said)
            else:
                self.assertNotIn("hwloc", said)

    def test_versions_of_commands(self):
        for version, verdict in (("3.19.9", "3.19.9 is too old, at least 3.20"), ("3.20", None), ("4.0.1", None)):
            self.stand_in("cmake", "echo cmake version " + version)
            said = self.missing()
            if verdict:
                self.assertIn("cmake: version " + verdict, said)
            else:
                self.assertNotIn("cmake", said)

    def test_modules_of_python(self):
        for status, verdict in ((1, True), (0, False)):
            self.stand_in("python3", "case $1 in --version) echo Python 3.11.2 ;; *) exit %d ;; esac" % status)
            self.assertEqual("python3:ensurepip: missing" in self.missing("check"), verdict)

    def test_stubs_of_snaps(self):
        """As Ubuntu's chromium: a name that another package provides, whose version says that it is a stub"""
        shutil.copy(DEPS, self.folder)
        with open(os.path.join(self.folder, "requirements"), "w", encoding="utf-8") as file:
            file.write("banyan-no-browser more - browser browser browser\n"
                       "banyan-no-editor more - editor,editor-data editor editor\n")
        self.stand_in("apt-get", "exit 1")
        self.stand_in("apt-cache", "[ $2 = browser ] && printf 'Package: browser\\nVersions: \\n\\n"
                                   "Reverse Provides: \\nbrowser-next 2:1snap1-0ubuntu4 (= )\\n'")
        said = self.missing("check", os.path.join(self.folder, "deps"))
        self.assertIn("banyan-no-browser: missing, and only a snap here", said)
        self.assertIn("install -y --no-install-recommends editor editor-data\n", said)


if __name__ == "__main__":
    unittest.main()
