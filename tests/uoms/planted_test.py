#!/usr/bin/env python3
"""Planted faults are found: a wrong broadcast by -verify, a slow gather_all by uoms-guidelines."""

import json

import suite

from uoms import files, guidelines

WRONG = """
#include <upc_collective.h>
#include <upc_relaxed.h>
void wrong_broadcast(shared void *dst, shared const void *src, size_t nbytes, upc_flag_t flags)
{
    upc_all_broadcast(dst, src, nbytes, flags);
    upc_barrier;
    if (MYTHREAD == THREADS - 1 && nbytes >= 64)
        ((unsigned char *)((shared unsigned char *)dst + MYTHREAD))[nbytes - 3] ^= 4;
    upc_barrier;
}
"""

SLOW = """
#include <unistd.h>
#include <upc_collective.h>
#include <upc_relaxed.h>
void slow_gather_all(shared void *dst, shared const void *src, size_t nbytes, upc_flag_t flags)
{
    usleep(400000);
    upc_all_gather_all(dst, src, nbytes, flags);
}
"""


class Planted(suite.Test):
    def program(self, source, function, stand_in):
        """Builds uoms with one function of the collective library replaced."""
        objects = [path for path in suite.OBJECTS.rglob("*.o") if path.name != "collective.upc.o"]
        self.assertTrue(objects, f"no objects in {suite.OBJECTS}")
        (self.folder / "planted.upc").write_text(source)
        uoms = suite.ROOT / "bench" / "uoms"
        for file, more in ((uoms / "collective.upc", [f"-D{function}={stand_in}"]), (self.folder / "planted.upc", [])):
            result = suite.run(
                [
                    suite.UPCC,
                    "-O2",
                    "-D_GNU_SOURCE",
                    f"-I{uoms}",
                    *more,
                    "-c",
                    file,
                    "-o",
                    self.folder / (file.name + ".o"),
                ]
            )
            self.assertEqual(result.status, 0, result.err)
        result = suite.run(
            [
                suite.UPCC,
                *objects,
                self.folder / "collective.upc.o",
                self.folder / "planted.upc.o",
                "-o",
                self.folder / "uoms",
                "-ljansson",
                "-lm",
            ]
            + self.libraries()
        )
        self.assertEqual(result.status, 0, result.err)
        return self.folder / "uoms"

    @staticmethod
    def libraries():
        """hwloc, if the program was built with it"""
        result = suite.run(["ldd", suite.UOMS])
        return ["-lhwloc"] if "libhwloc" in result.out else []

    def test_a_wrong_result_is_found(self):
        program = self.program(WRONG, "upc_all_broadcast", "wrong_broadcast")
        result = self.uoms(
            3,
            "-verify=only",
            "-quiet",
            "-minsize",
            "32",
            "-maxsize",
            "64",
            "upc_all_*ast",
            "upc_all_gather",
            program=program,
            status=1,
        )
        self.assertRegex(
            result.err,
            r"uoms: wrong result: upc_all_broadcast, 64 bytes, root 0: thread 2 has 1 wrong bytes, "
            r"the first at 61: 0x[0-9a-f]{2} in place of 0x[0-9a-f]{2}",
        )
        self.assertIn("uoms: 1 results are WRONG", result.err)
        table = self.uoms(
            3, "-time", "0.001", "-minsize", "32", "-maxsize", "64", "upc_all_broadcast", program=program, status=1
        )
        self.assertEqual(table.out.count("# WRONG RESULT"), 1)
        document = self.results(
            3, "-time", "0.001", "-minsize", "32", "-maxsize", "64", "upc_all_broadcast", program=program, status=1
        )
        self.assertEqual([row["verified"] for row in document["results"]], [True, False])

    def test_a_slow_algorithm_is_found(self):
        program = self.program(SLOW, "upc_all_gather_all", "slow_gather_all")
        document = self.results(
            2,
            "-verify=off",
            "-repetitions",
            "6",
            "-minsize",
            "8",
            "-maxsize",
            "16",
            "-time",
            "0.01",
            "upc_all_gather*",
            "upc_all_broadcast",
            program=program,
        )
        table = guidelines.check(files.combine([document]))
        self.assertIn(
            ("gather_all", 8, "slower than gather and broadcast of the result"),
            [(each.row["operation"], each.row["bytes"], each.rule) for each in table.broken],
            json.dumps(document)[:3000],
        )


if __name__ == "__main__":
    suite.main()
