#!/usr/bin/env python3
"""What configuring refuses, and does without.  Nothing is built."""

import os
import platform
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

# What leaves out the libraries that Banyan can do without: the one that other parts are most entangled with, and all
OPTIONAL = ("-DJANSSON_LIBRARY=0",
            "-DHWLOC_INCLUDE_DIR=0 -DHWLOC_LIBRARY=0 -DCLI11_INCLUDE_DIR=0 -DJSON_INCLUDE_DIR=0 -DSIMGRID_LIBRARY=0 "
            "-DFFTW_HEADERS=0 -DBANYAN_SHMEM=OFF -DBANYAN_MPI_MPICH=0 -DBANYAN_MPI_OPENMPI=0 -DBANYAN_MPICC=0 "
            "-DBANYAN_MPI_ABI=0 -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DJANSSON_LIBRARY=0")


class Configure(unittest.TestCase):
    @unittest.skipUnless(platform.machine() == "x86_64", "-m32 is x86's")
    def test_processors_of_32_bits(self):
        with tempfile.TemporaryDirectory(prefix="banyan-configure-") as folder:
            # Without libraries of 32 bits, CMake can compile its trial programs, but not link them.
            done = subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_C_FLAGS=-m32", "-DCMAKE_CXX_FLAGS=-m32",
                                   "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"],
                                  capture_output=True, text=True, timeout=900, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Banyan needs pointers of 64 bits, as on x86-64 and aarch64", " ".join(done.stderr.split()))

    def test_optional_libraries_missing(self):
        """Its users are left out, and the rest is configured; which takes the checks of compilers only once"""
        with tempfile.TemporaryDirectory(prefix="banyan-configure-") as folder:
            back = []
            for options in ("", *OPTIONAL):
                changes = options.split()
                done = subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *back, *changes],
                                      capture_output=True, text=True, timeout=900, check=False)
                self.assertEqual(done.returncode, 0, options + "\n" + done.stderr)
                back = ["-U" + change[2:].split("=", maxsplit=1)[0] for change in changes]

    def test_no_python(self):
        with tempfile.TemporaryDirectory(prefix="banyan-configure-") as folder:
            done = subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON"],
                                  capture_output=True, text=True, timeout=900, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("which is missing; 'make deps' installs it", " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
