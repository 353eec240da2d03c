#!/usr/bin/env python3
"""Macros in the place of UPC's words: what is said, where, and what is not."""

import os
import shutil

import driver_case
from driver_case import harness

SAYS = "warning: this macro replaces the UPC keyword '%s' from here on; choose another name, or " \
       "define it under '#ifndef __UPC__' [-Wupc-macros]"

hidden_macros = harness.load("scripts", "hidden-macros")


class Macros(driver_case.DriverCase):
    def said_of(self, source, *options):
        result = self.run_upcc("-c", source, *options)
        self.assertEqual(result.status, 0, result.err)
        return result.err

    def test_names_the_line(self):
        self.write("names.h", "#pragma once\n\n  #  define\tMYTHREAD 1\n")
        self.write("a.upc", '#include "names.h"\nint me(void) { return MYTHREAD; }\n')
        self.assertIn("names.h:3:3: " + SAYS % "MYTHREAD", self.said_of("a.upc"))
        self.assertIn("In file included from a.upc:1", self.said_of("a.upc"))

    def test_what_makes_a_program_private_is_told(self):
        self.write("b.upc", "#ifndef shared\n#define shared\n#endif\nshared int x[10];\n"
                   "int main(void) { return x[0]; }\n")
        self.assertIn("b.upc:2:1: " + SAYS % "shared", self.said_of("b.upc"))

    def test_of_the_command_line(self):
        self.write("c.upc", "strict shared int x;\n")
        for options in (["-Dstrict="], ["-D", "strict="]):
            self.assertIn(SAYS % "strict", self.said_of("c.upc", *options))

    def test_in_files_of_c_only_beside_upc(self):
        self.write("c.c", "#define THREADS 4\n#define shared static\nshared int x[THREADS];\n"
                   "int *f(void) { return x; }\n")
        self.upcc("-c", "c.c")
        self.write("upc.c", "#define THREADS 4\nint f(void) { return MYTHREAD % THREADS; }\n")
        self.assertIn("upc.c:1:1: " + SAYS % "THREADS", self.said_of("upc.c"))

    def test_what_is_no_harm_is_silent(self):
        for text in ("#ifndef __UPC__\n#define shared\n#define THREADS 1\n#define MYTHREAD 0\n#endif\n",
                     "#define strict strict_\nint strict;\n#undef strict\n", "#define shared shared\n",
                     "// #define shared\n/*\n#define THREADS 3\n*/\n",
                     "#define strict strict shared\nextern strict int y;\n",
                     "#if 0\n#define MYTHREAD 1\n#endif\n", "#define upc_barriers 1\n#define mythread MYTHREAD\n",
                     "#define MYTHREADS (THREADS)\n"):
            with self.subTest(text=text):
                self.write("silent.upc", text + "shared int x[4 * THREADS];\nint f(void) { return x[MYTHREAD]; }\n")
                self.upcc("-c", "silent.upc")
                self.upcc("-c", "-T", "3", "silent.upc")

    def test_threads_of_the_command_line_may_be_defined_again(self):
        self.write("same.upc", "#define THREADS 3\nint f(void) { return THREADS; }\n")
        self.upcc("-c", "-T", "3", "same.upc")
        self.assertIn("same.upc:1:1: " + SAYS % "THREADS", self.said_of("same.upc", "-T", "4"))

    def test_flags(self):
        self.write("d.upc", "#define MYTHREAD 1\nint f(void) { return MYTHREAD; }\n")
        self.upcc("-c", "-Wno-upc-macros", "d.upc")
        self.upcc("-c", "-w", "d.upc")
        self.assertIn("d.upc:1:1: error: this macro", self.refused("-c", "-Werror", "d.upc"))
        self.assertIn("d.upc:1:1: error: this macro", self.refused("-c", "-Werror=upc-macros", "d.upc"))
        self.assertFalse([name for name in self.made() if name.endswith(".i")])

    def test_operators_of_clang_may_be_macros_with_gcc(self):
        """upcc recognises clang by one of them, and gives it other options."""
        self.write("has.h", "#ifndef __has_warning\n#define __has_warning(name) 0\n#endif\n")
        self.write("has.upc", "shared int x[4 * THREADS];\nint f(void)\n{\n"
                   "    upc_forall (int i = 0; i < 4 * THREADS; i++; &x[i]) x[i] = i;\n"
                   "#if __has_warning(\"-Wno-such-warning\")\n    return 1;\n#endif\n    return 0;\n}\n")
        for compiler in driver_case.BACK_ENDS:
            self.upcc("-c", "-O2", "-imacros", "has.h", "has.upc", env={"CC": compiler})
            self.upcc("-fsyntax-only", "-Wall", "-include", "has.h", "has.upc", env={"CC": compiler})

    def test_of_the_command_line_that_upccs_headers_do_not_see(self):
        folder = os.path.join(harness.ROOT, "include", "banyan")
        for name, text in hidden_macros.texts().items():
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), text, name + ": run scripts/hidden-macros")
        # without keywords of C, which are among the names
        self.write("own.upc", "shared __typeof__(0) s_[4 * THREADS];\n"
                   "__typeof__(0) main()\n{\n"
                   "    upc_forall (__typeof__(0) j = 0; j < 4 * THREADS; j++; &s_[j]) s_[j] = n;\n"
                   "    upc_barrier;\n    s_[0] -= block_elems;\n}\n")
        known = ["-D%s=7" % name for name in hidden_macros.names()]
        for cc in filter(shutil.which, ("gcc", "clang")):
            for options in ([], ["-O2"], ["-fcheck"], ["-T", "2"], ["-pthreads"]):
                with self.subTest(cc=cc, options=options):
                    self.upcc(*known, *options, "-c", "own.upc", env={"CC": cc})
            self.upcc("-Dn=1", "-Dblock_elems=1", "-Dstatic=", "-Dextern=", "-D__attribute__(x)=", "own.upc",
                      env={"CC": cc})


if __name__ == "__main__":
    driver_case.main()
