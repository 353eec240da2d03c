"""What the tests of upcc's command line share: a folder for each test, sources to write, and upcc to run there.

Each *_test.py takes the path of upcc as its first argument, or finds it as the other runners do.
"""

import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
import harness  # noqa: E402  (tests/harness.py)

UPCC = None
BACK_ENDS = [name for name in ("gcc", "clang") if shutil.which(name)]  # upcc needs one

HELLO = """#include <stdio.h>
int main(void)
{
    printf("hello from %d of %d\\n", MYTHREAD, THREADS);
    return 0;
}
"""
BROKEN = "int main(void) { return undeclared_name; }\n"
PART = "shared int counter;\nint part(void) { return (int)sizeof counter; }\n"
MAIN = "int part(void);\nint main(void) { return part() == sizeof(int) ? 0 : 1; }\n"


class DriverCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="driver-")
        self.temporaries = os.path.join(self.folder, "tmp")
        os.mkdir(self.temporaries)
        self.addCleanup(shutil.rmtree, self.folder)
        self.env = harness.environment(TMPDIR=self.temporaries)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def exists(self, name):
        return os.path.exists(self.path(name))

    def made(self):
        """Names of the files in the test's folder"""
        return sorted(name for name in os.listdir(self.folder) if name != "tmp")

    def run_upcc(self, *arguments, stdin=None, env=None):
        result = harness.run([UPCC, *arguments], cwd=self.folder, env={**self.env, **(env or {})}, stdin=stdin)
        self.assertEqual(os.listdir(self.temporaries), [], "temporary files were left")
        return result

    def upcc(self, *arguments, **more):
        """Runs upcc, which must succeed and be silent on standard error; returns standard output."""
        result = self.run_upcc(*arguments, **more)
        self.assertEqual((result.status, result.err), (0, ""), " ".join(arguments))
        return result.out

    def refused(self, *arguments, **more):
        """Runs upcc, which must fail; returns standard error."""
        result = self.run_upcc(*arguments, **more)
        self.assertEqual(result.status, 1, "%s: %s" % (" ".join(arguments), result.err))
        return result.err

    def program(self, *arguments, status=0):
        """Runs a program that upcc made; returns its output."""
        result = harness.run(list(arguments), cwd=self.folder, env=self.env)
        self.assertEqual(result.status, status, result.err)
        return result.out


def main():
    global UPCC
    given = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
    UPCC = harness.find_tool(given, "upcc")
    unittest.main()
