#!/usr/bin/env python3
"""Programs run as usual where the system's pages are larger than those of the heap (large_pages.c)."""

import os
import subprocess
import unittest

import jobs

SHIM = os.path.join(jobs.BIN, "large_pages.so")
PROGRAMS = os.path.join(jobs.TESTS, "programs")
SOURCE = """\
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <upc.h>

/* Blocks of 5 pages of 4 KiB lie among those of 257 pages, which are freed and together more than a heap keeps. */
enum { BLOCKS = 200, SMALL_BYTES = 5 << 12, LARGE_BYTES = 257 << 12 };
static shared [] unsigned char *large[BLOCKS], *small[BLOCKS];

int main(void)
{
    int changed = 0;
    for (int i = 0; i < BLOCKS; i++) {
        large[i] = upc_alloc(LARGE_BYTES);
        small[i] = upc_alloc(SMALL_BYTES);
        memset((unsigned char *)large[i], 255, LARGE_BYTES);
        memset((unsigned char *)small[i], i, SMALL_BYTES);
    }
    for (int i = 0; i < BLOCKS; i++)
        upc_free(large[i]);
    for (int i = 0; i < BLOCKS; i++)
        for (int k = 0; k < SMALL_BYTES; k++)
            changed += small[i][k] != i;
    printf("%d bytes changed, pages of %ld KiB\\n", changed, sysconf(_SC_PAGESIZE) >> 10);
    return 0;
}
"""


class LargePages(jobs.JobTest):
    def compiled(self, source, *flags):
        program = os.path.join(jobs.FOLDER, "large")
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-O1", *flags, source, "-o", program], check=True,
                       timeout=jobs.LIMIT)
        return program

    def lines(self, program):
        ended = jobs.run(3, program=program, env=jobs.environment(LD_PRELOAD=SHIM))
        self.assertEqual((ended.status, ended.err), (0, ""))
        return ended.lines

    def test_freeing_leaves_neighbours_alone(self):
        path = os.path.join(jobs.FOLDER, "large.upc")
        with open(path, "w") as file:
            file.write(SOURCE)
        for flags in ([], ["-pthreads"]):
            self.assertEqual(self.lines(self.compiled(path, *flags)), ["0 bytes changed, pages of 64 KiB"] * 3)

    def test_programs(self):
        for name in ("all_alloc", "alloc_and_free_at_random", "alloc_of_nothing", "alignment_of_statics"):
            with self.subTest(name):
                self.assertEqual(self.lines(self.compiled(os.path.join(PROGRAMS, name + ".upc"))), ["ok"] * 3)


if __name__ == "__main__":
    jobs.main()
