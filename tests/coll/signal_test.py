#!/usr/bin/env python3
"""Put-with-signal: CMake looks for it, and the runtime calls it where there is OpenSHMEM 1.5
(tests/fixtures/openshmem_1_5).

    TESTED_BUILD=<build folder> signal_test.py
"""
import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.environ.get("TESTED_BUILD", os.path.join(ROOT, "build"))
FIXTURE = os.path.join(ROOT, "tests", "fixtures", "openshmem_1_5")

PROGRAM = r"""
#include "transport/signal.h"
#include <shmem.h>
#include <stdio.h>
#include <string.h>
static int fences, calls, last_op, last_pe;
void shmem_fence(void) { fences++; }
void shmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,
                         int pe)
{
    memcpy(dest, source, nelems);
    *sig_addr = signal;
    calls += fences; /* what is signalled again comes behind */
    last_op = sig_op;
    last_pe = pe;
}
int main(void)
{
    char dst[8] = "-------";
    uint64_t word = 5;
    bn_shmem_put_signal(dst, "abc", 3, &word, 7, 2);
    printf("%d %d %d %s %d\n", calls, last_op == SHMEM_SIGNAL_SET, last_pe, dst, (int)word);
}
"""


PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(asks C)
include(%s/cmake/BanyanShmem.cmake)
message("has signal: '${BANYAN_SHMEM_HAS_SIGNAL}'")
""" % ROOT


class Signal(unittest.TestCase):
    def found_by_cmake(self, *flags):
        """What CMake finds in the header of the fixture; functions need not be in a library"""
        with tempfile.TemporaryDirectory(prefix="banyan-signal-") as folder:
            with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="ascii") as file:
                file.write(PROJECT)
            done = subprocess.run(["cmake", folder, "-DBANYAN_OSHCC=false",
                                   "-DBANYAN_SHMEM_LINK_FLAGS=-Wl,--unresolved-symbols=ignore-all",
                                   "-DCMAKE_C_FLAGS=" + " ".join(("-I" + FIXTURE, *flags))], cwd=folder,
                                  capture_output=True, text=True, check=True)
        return re.search("has signal: '(.*)'", done.stderr)[1]

    def test_found_in_openshmem_1_5(self):
        self.assertEqual(self.found_by_cmake(), "1")

    def test_not_that_of_open_mpi_which_may_do_nothing(self):
        self.assertEqual(self.found_by_cmake("-DOSHMEM_MAJOR_VERSION=5"), "")

    def test_one_call_where_there_is_openshmem_1_5(self):
        with tempfile.TemporaryDirectory(prefix="banyan-signal-") as folder:
            source, program = os.path.join(folder, "main.c"), os.path.join(folder, "main")
            with open(source, "w", encoding="ascii") as file:
                file.write(PROGRAM)
            runtime = os.path.join(ROOT, "runtime")
            subprocess.run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", FIXTURE, "-I", runtime, source,
                            os.path.join(runtime, "transport", "signal_put.c"), "-o", program], check=True)
            done = subprocess.run([program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "1 1 2 abc---- 7\n")

    def test_what_was_found_is_what_is_built(self):
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
            found = re.search(r"^BANYAN_SHMEM_HAS_SIGNAL:INTERNAL=(.*)$", file.read(), re.MULTILINE)
        library = os.path.join(BUILD, "lib", "libbanyan-shmem.a")
        if not os.path.exists(library):
            self.skipTest("this Banyan was built without OpenSHMEM")
        self.assertIsNotNone(found, "CMake has not asked")
        members = subprocess.run(["ar", "t", library], capture_output=True, text=True, check=True).stdout.split()
        built = {name.split(".")[0] for name in members if name.startswith("signal_")}
        self.assertEqual(built, {"signal_put" if found[1] == "1" else "signal_fence"})


if __name__ == "__main__":
    unittest.main()
