#!/usr/bin/env python3
"""What the tester of random collectives notices, what it says then, and what it refuses; what soak.py adds up."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "tests")]
import harness   # noqa: E402
import run   # noqa: E402
import systems   # noqa: E402

FOLDER = pathlib.Path(os.environ.get("TESTED_BUILD", str(ROOT / "build"))).absolute() / "mpi" / "tests"
SYSTEM = next(iter(systems.find([])), None)   # what it notices does not depend on the MPI library
if SYSTEM is None:
    print("no MPI is installed (openmpi-bin and libopenmpi-dev, or mpich and libmpich-dev)")
    sys.exit(harness.SKIP)
NOT_CHECKED = "tester: barriers are not checked: "


class Tester(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = SYSTEM.build(FOLDER, "tester", sorted([*(HERE / "tester").glob("*.[ch]")]))
        systems.let_give_way([SYSTEM], FOLDER)

    def run_tester(self, *options, processes=None, words=()):
        start = [*SYSTEM.start(processes), "env", *words] if processes else []
        return harness.run([*start, str(self.program), *options], cwd=tempfile.gettempdir(),
                           env=harness.environment(**SYSTEM.environment))

    def test_a_barrier_that_waits_for_nobody(self):
        library = SYSTEM.build(FOLDER, "no_barrier.so", [HERE / "no_barrier.c"], "-shared", "-fPIC")
        given = ["--seed", "1", "--operations", "barrier", "--no-inter", "--no-delays", "--large", "3"]
        for form in ("blocking", "nonblocking"):
            with self.subTest(form=form):
                ended = self.run_tester(*given, processes=3,
                                        words=[*SYSTEM.preloading(library), "NO_BARRIER=" + form])
                if NOT_CHECKED in ended.out:
                    self.skipTest("no boot_id can be read")
                self.assertNotEqual(ended.status, 0)
                self.assertRegex(ended.err, r"left .* ns before the last member came\n")
                again = next(line for line in ended.err.splitlines() if line.startswith("  again: ")).split()
                self.assertEqual(again[1:5], ["-n", "3", "tester", "--case"])
                self.assertEqual(sorted(again[6:]), sorted([*given, "--threads", "0"]))

    def test_barriers_that_are_not_checked(self):
        mount = ["unshare", "--mount", "sh", "-c",
                 'mount --bind /dev/null /proc/sys/kernel/random/boot_id && exec "$@"', "sh"]
        if harness.run([*mount, "true"]).status != 0:
            self.skipTest("no right to mount")
        ended = harness.run([*mount, *SYSTEM.start(2), str(self.program), "--cases", "2"], cwd=tempfile.gettempdir(),
                            env=harness.environment(**SYSTEM.environment))
        self.assertEqual((ended.status, ended.out.count(NOT_CHECKED)), (0, 1), ended.out + ended.err)

    def test_what_it_refuses(self):
        for options, said in ((["--operations", "bcast,reduec"], "there is no operation 'reduec'"),
                              (["--operations", ""], "there is no operation ''"),
                              (["--cases", "abc"], "'abc' is not a number from 1 to "),
                              (["--cases", "0"], "'0' is not a number from 1 to "),
                              (["--large", "5%"], "'5%' is not a number from 0 to 100"),
                              (["--threads", "9"], "'9' is not a number from 0 to 8"),
                              (["bcast"], "'bcast' is no option")):
            with self.subTest(options=options):
                ended = self.run_tester(*options)
                self.assertEqual((ended.status, ended.out), (2, ""))
                self.assertIn("tester: %s" % said, ended.err)
                self.assertIn("\nOperations: barrier bcast ", ended.err)

    def test_a_way_that_no_piece_has_taken(self):
        for cases, last_calls, status in ((9999, 0, 0), (10000, 0, 1), (10000, 1, 0)):
            with self.subTest(cases=cases, last_calls=last_calls), tempfile.TemporaryDirectory() as folder:
                ways = {"cases": cases, "calls": {"bcast tree": 7, "bcast shared": last_calls}}
                (pathlib.Path(folder) / "ways.json").write_text(json.dumps(ways))
                ended = harness.run([sys.executable, str(HERE / "soak.py"), "--summary", "--folder", folder])
                self.assertEqual(ended.status, status, ended.out + ended.err)
                self.assertIn("%d of 2 ways were taken in %d cases%s\n"
                              % (1 + last_calls, cases, "; not: bcast shared" if status else ""), ended.out)

    def test_ways_of_another_version_do_not_count(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "all.json"
            for reported, cases, calls in (({"tree": 3, "old": 0}, 10, {"tree": 3, "old": 0}),
                                           ({"tree": 4, "old": 1}, 20, {"tree": 7, "old": 1}),
                                           ({"tree": 5, "new": 2}, 10, {"tree": 5, "new": 2})):
                for process in ("1", "2"):
                    (pathlib.Path(folder) / ("ways." + process)).write_text(
                        "".join("%s %d\n" % (way, count if process == "1" else 0)
                                for way, count in reported.items()))
                ways = run.Ways(path)
                ways.read(folder, 10)
                ways.save()
                self.assertEqual((run.Ways(path).cases, run.Ways(path).calls), (cases, calls))

    def test_options_that_limit_operations(self):
        for options in (["--operations", "bcast"], ["--operations=bcast"], ["--large", "3", "--op=bcast"]):
            self.assertTrue(run.has_operations(options))
        self.assertFalse(run.has_operations(["--no-inter", "--large", "3"]))


if __name__ == "__main__":
    unittest.main()
