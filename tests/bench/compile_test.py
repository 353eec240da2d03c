#!/usr/bin/env python3
"""Programs of bench that other tests do not compile: each compiles as it is, without a message."""

import os
import shutil
import unittest

import common

# The other folders' programs are compiled by their own tests.
FOLDERS = ("clusters", "language", "libraries", "sim", "threads")
UPCC = common.BUILD / "bin" / "upcc"


class Compile(common.Test):
    def compile(self, *command):
        self.assertEqual(self.run_command(*command, "-O0", "-o", self.folder / "program.o").err, "")

    def test_upc(self):
        for folder in FOLDERS:
            for source in sorted((common.BENCH / folder).glob("*.upc")):
                with self.subTest(source=source.name):
                    self.compile(UPCC, "-I", common.BENCH / "language", "-c", source)

    def test_c(self):
        sources = [source for folder in FOLDERS for source in sorted((common.BENCH / folder).glob("*.c"))]
        for source in sources:
            needs_mpi = "#include <mpi.h>" in source.read_text(encoding="utf-8")
            compiler = shutil.which("mpicc") if needs_mpi else os.environ.get("CC", "cc")
            with self.subTest(source=source.name):
                if compiler:
                    self.compile(compiler, "-std=gnu11", "-fopenmp", "-c", source)


if __name__ == "__main__":
    unittest.main()
