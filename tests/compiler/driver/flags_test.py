#!/usr/bin/env python3
"""What the options of cc mean to upcc: those of each step, of optimisation, and those that ask a question."""

import os
import platform
import re
import shutil
import subprocess
import unittest

import driver_case
from driver_case import BACK_ENDS, HELLO, PART, DriverCase, harness


class BackEnd(DriverCase):
    """Options of gcc that must reach the right step, with gcc and with clang."""

    def test_macros_draw_no_warnings(self):
        """What preprocessed text does not tell: that the programmer did not write this."""
        text = """
            #include <sys/select.h>
            #define ID(x) (x)
            #define SUM(a, b) ({ __typeof__(a + b) sum = (a) + (b); sum; })
            #define NEVER 0
            int f(int n)
            {
                fd_set set;
                FD_ZERO(&set);
                FD_SET(0, &set);
                SUM(n, 1);
                n = ID(n);
                while (ID(NEVER)) ;
                return ID(n == 1) && FD_ISSET(0, &set) ? n : 0;
            }
            int g(int n)
            {
                if (ID(n == 1)) n++;
                return n;
            }
            """
        self.write("plain.c", text)
        self.write("shared.upc", text.replace("int n)", "int n, shared int *p)").replace("n == 1", "*p == n"))
        for source in ("plain.c", "shared.upc"):
            self.upcc("-Wall", "-c", source, env={"CC": BACK_ENDS[-1]})

    def check_flags(self, *lines):
        self.write("hello.upc", HELLO)
        for compiler in BACK_ENDS:
            for flags in lines:
                result = self.run_upcc(*flags.split(), "hello.upc", "-o", "hello", env={"CC": compiler})
                self.assertEqual((result.status, result.err), (0, ""), (compiler, flags))
                self.assertEqual(self.program("./hello", "-n", "2").count("of 2"), 2, (compiler, flags))

    def test_flags_of_the_preprocessor(self):
        self.check_flags("-I/nowhere -Wp,-DX -Xpreprocessor -DX -trigraphs -DA -U A -isystem /nowhere -iquote /nowhere")

    def test_flags_of_the_compiler(self):
        self.check_flags("-O2 -g -Wall -Wextra -std=c11 -pthread -pipe -fno-strict-aliasing -m64 -fvisibility=hidden "
                         "-Wc,-O1 -Wa,--noexecstack -Xassembler --noexecstack -fdata-sections -ffunction-sections",
                         "-O3 -march=native -g3 -std=gnu17", "-Os -ggdb -w -std=c99 -pedantic", "-g0 -O0")

    def test_flags_of_the_linker(self):
        self.check_flags("-Wl,-O1 -Wl,-z,now -Xlinker -O1 -z now -lm -L/nowhere -s -rdynamic -u main -B /usr/bin "
                         "-Wl,--gc-sections",
                         "-static", "-fuse-ld=bfd")

    def test_linkers_that_drop_unused_sections(self):
        """Only __start_NAME refers to the records of static objects, and nothing to the types for gdb."""
        self.write("static.upc", """#include <upc.h>
shared int a[THREADS];
static shared int b = 7;
int main(void)
{
    a[MYTHREAD] = b;
    return a[MYTHREAD] != 7;
}
""")
        linkers = ["-Wl,-z,start-stop-gc", *(["-fuse-ld=lld"] if shutil.which("ld.lld") else [])]
        for compiler in BACK_ENDS:
            for flags in ((), ("-pthreads",), ("-fcheck", "-T", "2"), ("-O2", "-flto")):
                for linker in linkers if "-flto" not in flags else linkers[:1]:
                    with self.subTest(compiler=compiler, flags=flags, linker=linker):
                        self.upcc("-g", "-Wall", "-fdata-sections", "-Wl,--gc-sections", linker, *flags, "static.upc",
                                  "-o", "static", env={"CC": compiler})
                        self.program("./static", "-n", "2")
                        with open(self.path("static"), "rb") as file:
                            self.assertTrue(b"v\tstatic.upc\t2\ta\tshared int[" in file.read())

    def test_flags_of_all_steps(self):
        self.check_flags("-fPIC -pie", "-fno-pie -no-pie", "-fsanitize=undefined", "-flto -O2")

    def test_address_sanitizer(self):
        self.write("array.upc", "int main(int argc, char **argv)\n{\n    int a[2] = {0};\n    return a[argc + 1];\n}\n")
        for compiler in BACK_ENDS:
            self.upcc("-fsanitize=address,undefined", "-g", "array.upc", "-o", "array", env={"CC": compiler})
            result = harness.run([self.path("array"), "-n", "1"], cwd=self.folder, env=self.env)
            self.assertIn("array.upc:4", result.err)

    def test_sanitizers_see_no_arithmetic_that_the_program_does_not_reach(self):
        self.write("guards.upc", "#include <stdlib.h>\nshared [8] int a[4*THREADS][8];\n"
                   "int main(int argc, char **argv)\n{\n    int k = atoi(argv[argc - 1]);\n"
                   "    for (int j = 0; j < 8; j++) {\n        if (k < 32) a[(1 << k) & 3][j] += 1;\n"
                   "        if (k < 3) a[k * 1000000000 & 3][j] += 1;\n"
                   "    }\n    return 0;\n}\n")
        for compiler in BACK_ENDS:
            self.upcc("-O2", "-fsanitize=undefined", "-fno-sanitize-recover=all", "guards.upc", "-o", "guards",
                      env={"CC": compiler})
            self.program("./guards", "-n", "1", "40")

    def test_compile_step_sees_the_flags(self):
        self.write("flags.upc", "int square(int x) { return x * x; }\n")
        plain = self.upcc("-S", "flags.upc", "-o", "-")
        self.assertNotEqual(plain, self.upcc("-S", "-O2", "flags.upc", "-o", "-"))
        self.assertIn(".debug_info", self.upcc("-S", "-g", "flags.upc", "-o", "-"))
        self.assertEqual(plain, self.upcc("-S", "-O2", "-Wc,-O0", "flags.upc", "-o", "-"))

    def test_functions_of_upcc_are_not_instrumented(self):
        """The hooks use a shared object, so a call from upcc's constructor or accesses would end the program or recur."""
        self.write("a.upc", """#include <stdio.h>
#include <upc.h>
#define NO __attribute__((no_instrument_function))
shared int x[THREADS];
shared int *to_x = &x[0];
strict shared int calls[THREADS];
NO void __cyg_profile_func_enter(void *f, void *from) { (void)f; (void)from; calls[MYTHREAD]++; }
NO void __cyg_profile_func_exit(void *f, void *from) { (void)f; (void)from; calls[MYTHREAD]++; }
__attribute__((noinline)) int twice(int i) { return 2 * x[i]; }
int main(void)
{
    twice(MYTHREAD);
    twice((int)(to_x - x));
    printf("%d\\n", calls[MYTHREAD]);
    return 0;
}
""")
        self.env["BANYAN_THREADS"] = "1"
        for compiler in driver_case.BACK_ENDS:
            for flags in (("-O0",), ("-O2",), ("-O0", "-fcheck"), ("-pthreads",)):
                with self.subTest(compiler=compiler, flags=flags):
                    self.upcc("-finstrument-functions", *flags, "a.upc", "-o", "a", env={"CC": compiler})
                    self.assertEqual(self.program("./a"), "5\n")

    def test_coverage(self):
        self.write("hello.upc", HELLO)
        self.upcc("--coverage", "-c", "hello.upc")
        self.assertTrue(self.exists("hello.gcno"))

    def test_debug_information_names_source_and_folder(self):
        self.write("sub/hello.upc", HELLO)
        for compiler in BACK_ENDS:
            for level in ("-g", "-g3", "-gdwarf-4"):
                self.upcc(level, "-c", "sub/hello.upc", "-o", "hello.o", env={"CC": compiler})
                dump = subprocess.run(["readelf", "--debug-dump=info", "hello.o"], cwd=self.folder, capture_output=True,
                                      text=True, check=True).stdout
                name = re.search(r"DW_AT_name .*: (.*)", dump).group(1).strip()
                folder = re.search(r"DW_AT_comp_dir .*: (.*)", dump).group(1).strip()
                self.assertEqual((name, folder), ("sub/hello.upc", os.path.realpath(self.folder)), (compiler, level))

    @unittest.skipUnless(platform.machine() == "x86_64", "-m32 is x86's")
    def test_pointers_of_32_bits(self):
        self.write("part.upc", PART)
        self.assertEqual(self.refused("-m32", "-c", "part.upc"),
                         "upcc: error: part.upc: UPC needs pointers of 64 bits, as on x86-64 and aarch64; "
                         "do not use -m32 and similar options\n")
        self.write("plain.c", "int size = sizeof(void *);\n")
        self.upcc("-m32", "-c", "plain.c")

    def test_macros_that_the_compiler_predefines(self):
        self.write("part.upc", PART)
        self.write("plain.c", "int x;\n")
        for compiler in BACK_ENDS:
            env = {"CC": compiler}
            self.upcc("-O2", "-U__GNUC__", "-U__clang__", "-c", "part.upc", env=env)
            self.upcc("-undef", "-c", "plain.c", env=env)
            for flags in (["-undef", "part.upc"], ["-Wp,-undef", "part.upc"], ["-undef", "-save-temps", "plain.c"]):
                self.assertEqual(self.refused(*flags, "-c", env=env), "upcc: error: " + flags[-1] + ": the headers of "
                                 "UPC need macros that the C compiler predefines, such as __SIZEOF_POINTER__; do not "
                                 "use -undef\n")

    def test_gnu_keywords_follow_the_standard(self):
        self.write("words.upc", "int asm, typeof;\nshared int s;\nint f(void) { return asm + typeof + s; }\n")
        for flag in ("-std=c11", "-std=c99", "-ansi", "-fno-asm"):
            self.upcc(flag, "-c", "words.upc")
        self.refused("-std=gnu11", "-c", "words.upc")
        self.refused("-std=c11", "-fasm", "-c", "words.upc")

    def test_programs_are_not_of_the_newest_c_unless_they_say_so(self):
        """A back end whose default is C23 would not know f() with an argument, nor a type named bool."""
        version = "#if !defined __STDC_VERSION__ || __STDC_VERSION__ != %s\n#error another C\n#endif\n"
        self.write("old.upc", version % "201710L" + "typedef enum { false, true } bool;\nint f();\n"
                   "int g(void) { return f(MYTHREAD); }\n")
        self.write("plain.upc", version % "201710L" + "int f(a) int a; { return a; }\n")
        self.write("c11.upc", version % "201112L" + "shared int x;\n")
        self.write("newest.upc", "#if __STDC_VERSION__ <= 201710L\n#error old\n#endif\nshared int x[2'0 * THREADS];\n"
                   "[[maybe_unused]] static int y;\n")
        for arguments in (["-c", "old.upc"], ["-c", "plain.upc"], ["-E", "old.upc"], ["-std=c11", "-c", "c11.upc"],
                          ["-std=gnu2x", "-c", "newest.upc"], ["-fasm", "-c", "old.upc"]):
            self.upcc(*arguments)
        self.upcc("-c", "c11.upc", env={"CC": "gcc -std=c11"})
        # What may be C is C as the C compiler has it.
        self.write("default.c", "int x;\n")
        self.assertNotIn("-std=", self.run_upcc("-v", "-c", "default.c").err.splitlines()[-1])

    def test_compiler_with_options_of_its_own(self):
        self.write("hello.upc", HELLO)
        self.upcc("hello.upc", "-o", "hello", env={"CC": "gcc -DUNUSED='a b' -O1"})
        self.program("./hello", "-n", "2")
        self.assertIn("UNUSED a b", self.upcc("-E", "-dM", "hello.upc", env={"CC": "gcc -DUNUSED='a b'"}))

    def test_intended_falls_are_no_warning(self):
        self.write("fall.upc", "int f(int x)\n{\n    switch (x) {\n    case 1:\n        ++x; /* fall through */\n"
                               "    case 2:\n        return x;\n    }\n    return 0;\n}\nshared int of_upc;\n")
        self.upcc("-Wall", "-Wextra", "-Werror", "-c", "fall.upc")
        self.assertIn("implicit-fallthrough", self.run_upcc("-Wimplicit-fallthrough", "-c", "fall.upc").err)

    def test_warnings_of_the_preprocessor(self):
        self.write("warn.upc", "#if UNKNOWN\n#endif\n#warning careful\nint x;\n")
        self.assertIn("careful", self.run_upcc("-c", "warn.upc").err)
        self.assertIn("UNKNOWN", self.run_upcc("-Wundef", "-c", "warn.upc").err)
        self.assertIn("careful", self.refused("-Werror", "-c", "warn.upc"))
        self.upcc("-w", "-c", "warn.upc")

    def test_bidirectional_text_is_warned_of_once(self):
        """gcc reads literals twice, as the preprocessor and as the compiler; clang does not know the warning."""
        self.write("bidi.upc", "shared int x;\nconst char *s = \"a \u202e b\";\n")
        for flag in ("-fdiagnostics-show-option", "-fno-diagnostics-show-option"):
            told = self.run_upcc(flag, "-c", "bidi.upc", env={"CC": driver_case.BACK_ENDS[0]}).err
            self.assertLessEqual(told.count("warning"), 1, told)
            if flag.startswith("-fno-"):
                self.assertNotIn("[-W", told)

    def test_main_may_be_in_a_library(self):
        self.write("main.c", "int part(void);\nint main(void) { return part(); }\n")
        self.write("part.upc", "int part(void) { return MYTHREAD; }\n")
        for flags in ([], ["-pthreads"]):
            self.upcc(*flags, "-c", "main.c")
            self.program("ar", "rcs", "libmain.a", "main.o")
            self.upcc(*flags, "part.upc", "-L.", "-lmain", "-o", "p")
            self.program("./p", status=1)
        self.upcc("-c", "-pthreads", "part.upc")
        self.program("ar", "rcs", "libwhole.a", "main.o", "part.o")
        self.upcc("-pthreads", "-L.", "-lwhole", "-o", "q")  # a library is an input
        self.program("./q", status=1)
        self.assertIn("no input files", self.refused("-L."))

    def test_pedantic_is_not_about_line_markers(self):
        self.write("hello.upc", HELLO)
        for cc in BACK_ENDS + list(filter(shutil.which, ["clang-%d" % version for version in range(14, 24)])):
            for flags in (["-Wpedantic", "-Werror"], ["-pedantic-errors"]):
                self.upcc(*flags, "-c", "hello.upc", env={"CC": cc})

    def test_precompiled_headers(self):
        self.write("of_upc.h", "#include <upc.h>\nshared int x;\nstatic inline int zero(void) { return x; }\n")
        self.write("of_c.h", "#include <upc_types.h>\nstatic inline int zero(void) { return 0; }\n")
        self.write("of_upc.upc", '#include "of_upc.h"\nint main(void) { return zero(); }\n')
        self.write("of_c.c", '#include "of_c.h"\nint main(void) { return zero(); }\n')
        self.write("both.upc", '#include "of_c.h"\nshared int x;\nint main(void) { return zero() + x; }\n')
        for cc in filter(shutil.which, ("gcc", "clang")):
            env = {"CC": cc}
            self.upcc("-x", "c-header", "of_upc.h", "-o", "of_upc.h.gch", env=env)
            self.upcc("-c", "-x", "c-header", "of_c.h", env=env)  # makes of_c.h.gch
            for words in (["of_c.h"], ["-c", "of_c.h", "-o", "of_c.h.gch"]):
                os.unlink(self.path("of_c.h.gch"))
                self.upcc(*words, env=env)
                self.assertGreater(os.path.getsize(self.path("of_c.h.gch")), 1000)
            for source in ("of_upc.upc", "of_c.c", "both.upc"):
                self.upcc("-Winvalid-pch", source, "-o", "program", env=env)
                self.program("./program")
        self.write("wrong.h", "shared int y = undeclared;\n")
        self.assertIn("undeclared", self.refused("-x", "c-header", "wrong.h"))

    def test_specs(self):
        self.write("hello.upc", HELLO)
        self.write("empty.specs", "")
        for words in (["-specs=empty.specs"], ["--specs=empty.specs"], ["-specs", "empty.specs"],
                      ["--specs", "empty.specs"]):
            self.upcc(*words, "-c", "hello.upc", env={"CC": "gcc"})


class Optimisation(DriverCase):
    def test_loops_over_own_elements_are_vectorised(self):
        self.write("own.upc", "shared double a[100*THREADS];\nvoid f(void)\n{\n    int i;\n"
                   "    upc_forall (i = 0; i < 100*THREADS; i++; &a[i]) a[i] = i;\n}\n")
        self.write("none.upc", PART)
        flag = "-fvect-cost-model=dynamic"
        takes = subprocess.run(["gcc", flag, "-dumpversion"], capture_output=True, text=True, check=True).stdout >= "12"
        for source, flags, is_given in (("own.upc", ["-O2"], takes), ("own.upc", ["-O0"], False),
                                        ("none.upc", ["-O2"], False),
                                        ("own.upc", ["-O2", "-fno-upc-opt"], False)):
            result = self.run_upcc("-v", *flags, "-c", source, env={"CC": "gcc"})
            self.assertEqual((result.status, flag in result.err), (0, is_given), (source, flags))
        result = self.run_upcc("-v", "-O2", "-fvect-cost-model=cheap", "-c", "own.upc", env={"CC": "gcc"})
        self.assertGreater(result.err.rfind("model=cheap"), result.err.rfind("model=dynamic"))
        if shutil.which("clang"):
            result = self.run_upcc("-v", "-O2", "-c", "own.upc", env={"CC": "clang"})
            self.assertEqual((result.status, flag in result.err), (0, False))

    def test_addresses_outside_of_loops_are_calls(self):
        self.write("outside.upc",
                   "shared [4] int b[40*THREADS];\nint f(int n)\n{\n    upc_barrier;\n    return b[n];\n}\n")
        for flags, is_call in ((["-O1"], True), (["-Og"], False), (["-O1", "-fno-upc-opt-outline"], False),
                               (["-O1", "-fno-upc-opt", "-fupc-opt-outline"], True), (["-O1", "-fcheck"], False)):
            self.upcc(*flags, "-trans", "outside.upc", "-o", "outside.c")
            self.assertEqual("(int *)bn_outlined_elem_block(" in self.read("outside.c"), is_call, flags)

    def test_addresses_in_loops_of_a_few_turns_are_calls(self):
        """A loop of at most 16 turns, alone or with those around it, is no reason to inline."""
        walk = "s += *p + b[i]"
        for loop, is_call in ((f"for (p = b, i = 0; i < 16; i++, p++) {walk};", True),
                              (f"for (int i = 1; i <= 16; p++, ++i) {walk};", True),
                              (f"for (k = 0; k < 4; k++) for (i = 0; i < 4; i++, p++) {walk};", True),
                              (f"for (k = 0; k < 4; k++) for (i = 0; i < 5; i++, p++) {walk};", False),
                              (f"for (k = 0; k < n; k++) for (i = 0; i < 4; i++, p++) {walk};", False),
                              (f"for (i = 0; i < 17; i++, p++) {walk};", False),
                              (f"for (i = 0; i < n; i++, p++) {walk};", False),
                              (f"for (i = n; i < 4; i++, p++) {walk};", False),
                              (f"for (i = 0; i < 4; p++) {walk};", False)):
            self.write("walk.upc", "shared [4] int b[40*THREADS], *p;\nint f(int n)\n{\n    int i = 0, k, s = 0;\n"
                       f"    upc_barrier;\n    {loop}\n    return s;\n}}\n")
            self.upcc("-O1", "-trans", "walk.upc", "-o", "walk.c")
            body = self.read("walk.c")
            body = body[body.index("int f(int n)"):]
            for call, inline in (("bn_outlined_elem_block(", "bn_elem_block("),
                                 ("bn_outlined_add_block(p, 1, ", "bn_next_block(p, ")):
                self.assertEqual((call in body, inline in body), (is_call, not is_call), loop)

    def test_strict_aliasing(self):
        """The last option about it decides whether a store as double may change a limit that is a long."""
        self.write("limit.upc", "#include <upc.h>\nshared double x[9*THREADS];\nvoid f(const long *n)\n{\n"
                   "    upc_forall (int i = 0; i < *n; i++; i) x[i] = 0;\n}\n")
        off, on = "-fno-strict-aliasing", "-fstrict-aliasing"
        for compiler, flags, is_once in (("gcc", [], True), ("gcc", [off], False), ("gcc", [off, on], True),
                                         ("gcc", [on, off], False), ("gcc", ["-Wc," + off], False),
                                         ("gcc " + off, [], False), ("gcc " + off, [on], True)):
            self.upcc("-O2", *flags, "-trans", "limit.upc", "-o", "limit.c", env={"CC": compiler})
            self.assertEqual("= (bn_i64)(*n);" in self.read("limit.c"), is_once, (compiler, flags))

    def test_addresses_are_calls_without_optimisation(self):
        """gcc takes time that grows with the square of what one function inlines."""
        accesses = "".join(f"    a[n + {i}] += b[n * {i}] + p[n] + upc_threadof(&a[n]) + q[{i}];\n    p++;\n"
                           for i in range(50))
        self.write("many.upc",
                   "#include <upc.h>\nshared int a[99*THREADS];\nshared [4] int b[99*THREADS], *p;\nshared [] int *q;\n"
                   "void f(int n)\n{\n" + accesses + "}\n")
        for flags, is_inline in (([], False), (["-O0"], False), (["-O2", "-O0", "-fcheck"], False),
                                 (["-O0", "-T", "3"], False), (["-O0", "-O1"], True)):
            self.upcc(*flags, "-trans", "many.upc", "-o", "many.c")
            text = self.read("many.c")
            self.assertEqual(len(re.findall(r"static __inline__ __attribute__\(\(always_inline", text)) > 0, is_inline,
                             flags)
            self.assertEqual(len(re.findall(r"\bbn_(elem|add)_(cyclic|block)\(",
                                            text[text.index("void f(int n)"):])) > 0, is_inline, flags)

    def test_loops_by_index_take_several_elements_in_a_turn(self):
        self.write("index.upc", "shared double x[9*THREADS];\ndouble f(const int *col, int n)\n{\n    double sum = 0;\n"
                   "    for (int k = 0; k < n; k++) sum += x[col[k]];\n    return sum;\n}\n")
        is_new = int(subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True,
                                    check=True).stdout.split(".")[0]) >= 12
        for flags, is_told in ((["-O2"], is_new), (["-O0"], False), (["-Os"], False), (["-Os", "-O2"], is_new),
                               (["-O2", "-fcheck"], False), (["-O2", "-fsanitize=undefined"], False),
                               (["-O2", "-fno-upc-opt-unroll"], False),
                               (["-O2", "-fno-upc-opt", "-fupc-opt-unroll"], is_new)):
            self.assertEqual(self.run_upcc(*flags, "-trans", "index.upc", "-o", "index.c", env={"CC": "gcc"}).status, 0)
            self.assertEqual("#pragma GCC unroll 4" in self.read("index.c"), is_told, flags)
        if shutil.which("clang"):
            self.assertEqual(self.run_upcc("-O2", "-trans", "index.upc", "-o", "index.c", env={"CC": "clang"}).status,
                             0)
            self.assertNotIn("#pragma GCC unroll", self.read("index.c"))

    def test_stencils_over_blocks_are_vectorised(self):
        self.write("stencil.upc", "shared [512] double a[5120*THREADS], b[5120*THREADS];\nvoid f(void)\n{\n    int i;\n"
                   "    upc_forall (i = 1; i < 5120*THREADS - 1; i++; &b[i]) b[i] = a[i - 1] + a[i] + a[i + 1];\n}\n")
        for cc, level in (("gcc", "-O2"), ("gcc", "-O3"), ("clang", "-O2")):
            if not shutil.which(cc) or (cc, level) == ("gcc", "-O2") and int(subprocess.run(
                    ["gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0]) < 12:
                continue
            result = self.run_upcc(level, "-S", "stencil.upc", "-o", "stencil.s", env={"CC": cc})
            self.assertEqual(result.status, 0, result.err)
            with open(os.path.join(self.folder, "stencil.s")) as file:
                self.assertRegex(file.read(), r"\bv?addpd\b|\bfadd\s+v\d+\.2d", (cc, level))


class Information(DriverCase):
    def test_version(self):
        for flag in ("--version", "-version", "-V"):
            text = self.upcc(flag)
            self.assertRegex(text, r"^upcc \(Banyan\) \d+\.\d+\.\d+\n")
            self.assertIn("C compiler: ", text)
        for compiler in BACK_ENDS:
            text = self.upcc("--version", env={"CC": compiler})
            self.assertIn(compiler, text.lower())
            own = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
            self.assertTrue(text.endswith("C compiler: " + own), text)

    def test_linker_is_named(self):
        """By these, and --version, Meson finds out what it has."""
        for compiler in BACK_ENDS:
            for flags in (["-Wl,--version"], ["-Wl,--version", "-Wl,-O1"], ["-Xlinker", "--help"]):
                result = self.run_upcc(*flags, env={"CC": compiler})
                own = subprocess.run([compiler, *flags], capture_output=True, text=True, cwd=self.folder,
                                     check=True).stdout
                self.assertEqual((result.status, result.out), (0, own))
        self.assertIn("no input files", self.refused("-Wl,-O1"))

    def test_help(self):
        text = self.upcc("--help")
        self.assertEqual(text, self.upcc("-help"))
        for word in ("Usage: upcc", "-T N", "-network=smp", "-save-temps", "upcrun -n 4"):
            self.assertIn(word, text)
        self.assertTrue(all(len(line) <= 120 for line in text.splitlines()))

    def test_help_reaches_its_reader_or_fails(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([driver_case.UPCC, "--help"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "upcc: error: cannot write to standard output: No space left on device\n"))

    def test_questions_to_the_compiler(self):
        for flag in ("-dumpmachine", "-dumpversion", "-print-search-dirs", "-print-file-name=crt1.o",
                     "--print-prog-name=ld"):
            expected = subprocess.run(["gcc", flag], capture_output=True, text=True, check=True).stdout
            self.assertEqual(self.upcc(flag, env={"CC": "gcc"}), expected)

    def test_verbose_prints_commands_that_work(self):
        self.write("my hello.upc", HELLO)
        result = self.run_upcc("-v", "my hello.upc", "-o", "hello")
        commands = [line for line in result.err.splitlines() if line.startswith(" ")]
        self.assertEqual(len(commands), 3)
        again = subprocess.run(["sh", "-c", commands[0]], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertIn("MYTHREAD", again.stdout)
        self.assertIn("--wrap=main,-u,main", commands[2])

    def test_more_verbose_asks_the_compiler_too(self):
        self.write("hello.upc", HELLO)
        self.assertIn("COLLECT_GCC", self.run_upcc("-vv", "hello.upc", "-o", "hello", env={"CC": "gcc"}).err)

    def test_verbose_alone_is_a_question(self):
        result = self.run_upcc("-v", env={"CC": "gcc"})
        self.assertEqual(result.status, 0)
        self.assertIn("upcc (Banyan)", result.err)
        self.assertIn("gcc version", result.err)

    def test_dry_run(self):
        self.write("hello.upc", HELLO)
        result = self.run_upcc("-###", "hello.upc", "-shared-heap=1GB", "-save-temps", "-o", "hello")
        self.assertEqual(result.status, 0)
        self.assertIn("-E -x c hello.upc", result.err)
        self.assertEqual(self.made(), ["hello.upc"])

    def test_manual_knows_every_option(self):
        manual = os.path.join(harness.ROOT, "docs", "man", "upcc.1")
        with open(manual, encoding="utf-8") as file:
            text = re.sub(r"\\f[BIR]", "", file.read().replace("\\-", "-"))
        words = set(re.split(r"[\n ,]+", text)) | set(re.split(r"\n|, ", text))
        for line in self.upcc("--help").splitlines():
            for option in re.findall(r"(?:^|  )(-[^ ]+)", line) if line.startswith("  -") else []:
                self.assertIn(option, words)


if __name__ == "__main__":
    driver_case.main()
