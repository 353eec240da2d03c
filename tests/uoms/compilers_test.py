#!/usr/bin/env python3
"""The suite builds without warnings and gives right results with another back end, in the static environment, and
without any optional library, as for an older UPC compiler."""

import os

import suite


class Compilers(suite.Test):
    def build(self, flags, **more):
        result = suite.run(
            [
                "make",
                "--silent",
                "-j2",
                "-C",
                suite.ROOT / "bench" / "uoms",
                f"UPCC={suite.UPCC}",
                f"BUILD={self.folder}",
                f"UPCFLAGS=-O2 -Wall -Wextra -Werror {flags}",
            ],
            timeout=1200,
            **more,
        )
        self.assertEqual(result.status, 0, result.err[-3000:])
        return self.folder / "uoms"

    def check(self, program, threads):
        self.uoms(threads, "-verify=only", "-quiet", "-minsize", "16", "-maxsize", "256", program=program)

    def test_clang(self):
        if suite.has("clang"):
            self.skipTest("clang is not installed")
        self.check(self.build("", CC="clang"), 3)

    def test_static_threads(self):
        self.check(self.build("-T 2"), 2)

    def test_without_optional_libraries(self):
        program = self.build("-U__UPC_NB__ -U__UPC_ATOMIC__ -U__UPC_TICK__ -DUOMS_NO_EXTENSIONS")
        listed = self.uoms(2, "-list", program=program).out
        for name in ("upc_memget_nb", "upc_memput_async", "upc_atomic_add", "upc_ticks_now", "bupc_all_reduce_allD"):
            self.assertRegex(listed, rf"(?m)^{name} .*MISSING: this compiler has no")
        result = self.uoms(2, "upc_atomic_add", program=program, status=2)
        self.assertEqual(result.err, "uoms: upc_atomic_add cannot be run: this compiler has no upc_atomic.h\n")
        self.check(program, 2)


if __name__ == "__main__":
    os.environ.pop("CC", None)
    suite.main()
