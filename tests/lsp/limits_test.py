#!/usr/bin/env python3
"""upc-language-server where the system refuses something: it says so, with what to do, and stays.

    limits_test.py SERVER
"""

import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from client import Client

SERVER = None


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="lsp-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def told(self, before, text):
        """The only diagnostic of a text if the server starts after these words of the shell"""
        script = self.folder / "server"
        script.write_text("#!/bin/sh\n%s %s\n" % (before, shlex.quote(str(SERVER))))
        script.chmod(0o700)
        client = Client(script, self.folder)
        self.addCleanup(client.close)
        client.initialize()
        client.open("a.upc", text)
        found = client.diagnostics("a.upc", bool)
        client.request("shutdown")
        client.notify("exit")
        self.assertEqual(client.process.wait(), 0)
        self.assertEqual(len(found), 1, found)
        return found[0]["message"]

    def test_files_in_memory_are_refused(self):
        forbid = SERVER.parent / "forbid"
        if not forbid.exists() or subprocess.run([forbid, "memfd_create", "true"]).returncode != 0:
            self.skipTest("nothing can be refused here")
        message = self.told("exec %s memfd_create" % shlex.quote(str(forbid)), "shared int a;\n")
        self.assertEqual(message, "the preprocessor failed: the text cannot be passed on: Operation not permitted; the "
                                  "container or sandbox must allow the system call memfd_create")

    def test_files_are_limited(self):
        message = self.told("ulimit -f 100; exec", "shared int a;\n//" + 200000 * "-" + "\n")
        self.assertEqual(message, "the preprocessor failed: the text cannot be passed on: File too large; lift the "
                                  "limit on the size of files with 'ulimit -f unlimited'")

    def test_translation_is_longer_than_files_may_be(self):
        text = "shared int a[THREADS];\n" + "".join("int f%d(void) { return a[%d]; }\n" % (i, i) for i in range(999))
        message = self.told("ulimit -f 100; exec", text)
        self.assertEqual(message, "the C compiler failed: the text cannot be passed on: File too large; lift the "
                                  "limit on the size of files with 'ulimit -f unlimited'")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    SERVER = Path(sys.argv.pop(1)).resolve()
    unittest.main()
