#!/usr/bin/env python3
"""What scripts/check counts: tests within a test that passed, and those that were skipped, with the reason."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import harness  # noqa: E402

check = harness.load("scripts", "check")
TESTS = """import unittest

class Some(unittest.TestCase):
    def test_passes(self):
        self.assertTrue(__file__.endswith("some_test.py"))

    def test_is_skipped(self):
        self.skipTest("no\\nGPU")

    @unittest.skip("no GPU")
    def test_is_left_out(self):
        pass

@unittest.skip("no MPI")
class Others(unittest.TestCase):
    def test_is_left_out(self):
        pass

class Late(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest("no host")

    def test_is_left_out(self):
        pass

class Parts(unittest.TestCase):
    def test_with_parts(self):
        for part in range(3):
            with self.subTest(part=part):
                FAILS

if __name__ == "__main__":
    unittest.main()
"""


def run_tests(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some_test.py"
        path.write_text(text)
        return subprocess.run([sys.executable, ROOT / "tests" / "reasons.py", path], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Counts(unittest.TestCase):
    def counts(self, output):
        return check.passed_within(output), sorted(check.skipped_within(output))

    def test_of_unittest_with_reasons(self):
        done = run_tests(TESTS.replace("FAILS", "pass"))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.counts(done.stdout),
                         (2, [(1, "no MPI", ""), (1, "no host", ""), (2, "no GPU", "")]), done.stdout)

    def test_of_unittest_that_fails(self):
        done = run_tests(TESTS.replace("FAILS", "self.assertEqual(part, 1)"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, "(?m)^1 passed, 2 failed, 4 skipped$")

    def test_of_unittest_with_expected_failures(self):
        expected = TESTS.replace("    def test_with_parts", "    @unittest.expectedFailure\n    def test_with_parts")
        for body, counts in (("self.fail()", "2 passed, 0 failed"), ("pass", "1 passed, 1 failed")):
            done = run_tests(expected.replace("FAILS", body))
            self.assertRegex(done.stdout, f"(?m)^{counts}, 4 skipped$")

    def test_of_unittest_as_it_is(self):
        ends = "-----\nRan %d tests in 0.1s\n\n%s\n"
        self.assertEqual(self.counts(ends % (2, "OK (skipped=1)")), (1, [(1, "no reason given", "")]))
        self.assertEqual(self.counts(ends % (3, "OK (expected failures=1, skipped=2)"))[0], 1)
        self.assertEqual(self.counts(ends % (0, "OK (skipped=1)")), (0, [(1, "no reason given", "")]))
        self.assertEqual(self.counts(ends % (2, "OK")), (2, []))

    def test_of_runners(self):
        self.assertEqual(self.counts("skipped 3: no MPI\n17 passed, 0 failed, 3 skipped in 2 s\n"),
                         (17, [(3, "no MPI", "")]))

    def test_of_googletest(self):
        self.assertEqual(self.counts("a.cc:3: Skipped\nno GPU\n\n[  SKIPPED ] A.b (0 ms)\n[  PASSED  ] 5 tests.\n"),
                         (5, [(1, "no GPU", "/A.b")]))

    def test_of_what_says_nothing(self):
        self.assertEqual(self.counts("fine\n"), (1, []))


if __name__ == "__main__":
    unittest.main()
