#!/usr/bin/env python3
"""-fcheck is free when off: C emitted without it knows nothing of it."""

import glob
import os
import unittest

import driver_case
from driver_case import DriverCase, harness

PROGRAMS = sorted(glob.glob(os.path.join(harness.ROOT, "tests", "programs", "[a-eg-z]*.upc")))
SHARE = 8  # of the programs, one in so many


class Check(DriverCase):
    def c_of(self, source, *options):
        self.upcc("-trans", "-I", os.path.dirname(source), *options, source, "-o", "out.c")
        return self.read("out.c")

    def test_emitted_c_without_it_has_no_checks(self):
        for source in PROGRAMS[::SHARE]:
            with open(source, encoding="utf-8") as file:
                text = file.read()
            if "// flags:" in text or "// static: only" in text:
                continue
            with self.subTest(source=os.path.basename(source)):
                self.assertNotIn("bn_check", self.c_of(source))
                self.assertIn("bn_check", self.c_of(source, "-fcheck"))

    def test_code_without_upc_stays_as_it_is(self):
        self.write("plain.c", "int square(int x) { return x * x; }\n")
        function = "int square(int x) { return x * x; }"
        self.assertIn(function, self.c_of("plain.c"))
        self.assertIn(function, self.c_of("plain.c", "-fcheck"))

    def test_works_in_steps(self):
        self.write("prog.upc", "shared int a[THREADS];\nint main(void) { return a[THREADS]; }\n")
        self.upcc("-fcheck", "-E", "prog.upc", "-o", "prog.upci")
        self.upcc("-fcheck", "-c", "prog.upci", "-o", "prog.o")
        self.upcc("prog.o", "-o", "prog")
        result = harness.run(["./prog", "-n", "1"], cwd=self.folder, env=self.env)
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^banyan: thread 0: prog\.upc:2: index 1 is outside of 'a'")

    def test_preprocessed_text_needs_no_preparation(self):
        self.write("prog.upc", "shared int a[THREADS];\nint main(void) { return a[THREADS]; }\n")
        self.upcc("-E", "prog.upc", "-o", "prog.upci")
        self.upcc("-fcheck", "prog.upci", "-o", "prog")
        self.assertEqual(harness.run(["./prog", "-n", "1"], cwd=self.folder, env=self.env).status, 1)

    def test_kept_text_was_prepared_without_it(self):
        self.write("prog.upc", "shared int a[THREADS];\nint main(void) { return a[0]; }\n")
        self.upcc("-save-temps", "-c", "prog.upc")
        said = self.refused("-fcheck", "-c", "prog.i")
        self.assertIn("prog.i: preprocessed without -fcheck; use it in both steps", said)


if __name__ == "__main__":
    driver_case.main()
