#!/usr/bin/env python3
"""README.md: its programs compile and agree with each other, its commands work, its numbers are in docs/tuning."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jobs

ROOT = os.path.abspath(os.path.join(jobs.TESTS, ".."))
MPI = next(((cc, run) for cc, run in (("mpicc.mpich", "mpirun.mpich"), ("mpicc", "mpirun"))
            if shutil.which(cc) and shutil.which(run)), None)
MANY = ["--allow-run-as-root", "--oversubscribe"]   # options that Open MPI requires; MPICH does not accept them


class ReadmeTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="banyan-readme-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        with open(os.path.join(ROOT, "README.md")) as file:
            self.text = file.read()

    def run_it(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=jobs.environment(), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=jobs.LIMIT, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def test_the_programs_print_the_same(self):
        upc, mpi = re.findall(r"^```c\n(.*?)^```$", self.text, re.M | re.S)
        self.write("neighbours.upc", upc)
        upcc = os.path.join(jobs.BIN, "upcc")
        self.run_it(upcc, "-O2", "-Wall", "-Wextra", "-Werror", "neighbours.upc", "-o", "ours")
        expected = {n: "%g\n" % (sum((n * 500 + k) % 7 for k in (-1, 0, 1)) / 3) for n in (1, 2, 3, 4, 5)}
        self.assertEqual({n: self.run_it(jobs.UPCRUN, "-n", str(n), "./ours") for n in expected}, expected)
        if MPI is None:
            self.skipTest("the program in MPI: there is no mpicc (Debian: mpich)")
        self.write("neighbours.c", mpi)
        self.run_it(MPI[0], "-O2", "-Wall", "-Wextra", "-Werror", "neighbours.c", "-o", "theirs")
        options = [] if MPI[1] == "mpirun.mpich" else MANY
        self.assertEqual({n: self.run_it(MPI[1], *options, "-n", str(n), "./theirs") for n in (1, 4, 5)},
                         {n: expected[n] for n in (1, 4, 5)})

    def test_the_commands_can_be_pasted(self):
        self.assertNotRegex(self.text, r"<[a-z]+ [a-z ]+>")   # it would be a redirection if the name is not replaced
        hello = re.search(r"^    cat > hello\.upc.*?(?=^$)", self.text, re.M | re.S)[0]
        os.symlink(os.path.dirname(jobs.BIN), os.path.join(self.folder, "build"))
        said = self.run_it("sh", "-euc", re.sub(r"^    ", "", hello, flags=re.M))
        self.assertEqual(sorted(said.splitlines()), ["thread %d of 4" % thread for thread in range(4)])

    def test_the_numbers_are_those_that_were_measured(self):
        self.run_it(sys.executable, os.path.join(ROOT, "scripts", "readme"), "--check")

    def test_it_is_short(self):
        self.assertLess(self.text.count("\n"), 150)


if __name__ == "__main__":
    unittest.main()
