#!/usr/bin/env python3
"""What configuring refuses.  Nothing is built."""

import os
import platform
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


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


if __name__ == "__main__":
    unittest.main()
