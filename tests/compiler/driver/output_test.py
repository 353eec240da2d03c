#!/usr/bin/env python3
"""What upcc produces, and where: modes, names of results, several inputs, kept files, dependency files."""

import json
import os
import re
import shutil
import unittest

import driver_case
from driver_case import BACK_ENDS, BROKEN, HELLO, MAIN, PART, DriverCase, harness

STACK = '.section .note.GNU-stack,"",@progbits\n'  # without it the linker warns


class Modes(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("hello.upc", HELLO)

    def test_program(self):
        self.upcc("hello.upc")
        self.assertEqual(self.made(), ["a.out", "hello.upc"])
        self.assertEqual(sorted(self.program("./a.out", "-n", "2").split("\n")),
                         ["", "hello from 0 of 2", "hello from 1 of 2"])

    def test_named_program(self):
        self.upcc("hello.upc", "-o", "joined to")
        self.upcc("-ohello", "hello.upc")
        self.assertEqual(self.program("./hello", "-n", "1"), self.program("./joined to", "-n", "1"))

    def test_without_proc(self):
        """As in a bare chroot"""
        hidden = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if harness.run([*hidden, "true"], cwd=self.folder, env=self.env).status != 0:
            self.skipTest("there are no namespaces here")
        for words in ([driver_case.UPCC], [os.path.basename(driver_case.UPCC)]):
            path = os.path.dirname(driver_case.UPCC) + ":" + os.environ["PATH"]
            done = harness.run([*hidden, *words, "hello.upc"], cwd=self.folder,
                               env={**self.env, "PATH": path, "CC": "upcc"})
            self.assertEqual((done.status, done.err), (0, ""), words)

    def test_object(self):
        self.upcc("-c", "hello.upc")
        self.assertEqual(self.made(), ["hello.o", "hello.upc"])
        self.upcc("hello.o", "-o", "hello")
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")

    def test_object_of_source_elsewhere_is_here(self):
        self.write("sub/part.upc", PART)
        self.upcc("-c", "sub/part.upc")
        self.assertTrue(self.exists("part.o"))
        self.upcc("-c", "sub/part.upc", "-o", "sub/other.o")
        self.assertTrue(self.exists("sub/other.o"))

    def test_assembly(self):
        self.upcc("-S", "hello.upc")
        self.assertIn("main", self.read("hello.s"))
        self.upcc("hello.s", "-o", "hello")
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")

    def test_assembly_to_standard_output(self):
        self.assertIn("main", self.upcc("-S", "hello.upc", "-o", "-"))

    def test_preprocessed_can_be_compiled(self):
        text = self.upcc("-E", "hello.upc")
        self.assertIn('printf("hello from %d of %d\\n", MYTHREAD, THREADS)', text)
        self.assertNotIn("bn_", text)
        for name in ("hello.upci", "hello.i"):
            self.upcc("-E", "hello.upc", "-o", name)
            self.assertEqual(self.read(name), text)
            self.upcc(name, "-o", "hello")
            self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")

    def test_preprocessed_by_an_option(self):
        self.write("plain.c", "int x;\n")
        for compiler in BACK_ENDS:
            env = {"CC": compiler}
            text = self.upcc("-E", "hello.upc", env=env)
            self.write("text.upc", text)
            self.upcc("-fpreprocessed", "text.upc", "-o", "hello", env=env)
            for source in ("plain.c", "text.upc"):
                self.upcc("-fpreprocessed", "-MD", "-MF", "rule.d", "-c", source, "-o", "hello.o", env=env)
                self.assertEqual(self.read("rule.d"), f"hello.o: {source}\n")
                self.upcc("-fpreprocessed", "-MD", "-MF", "other.d", "-MT", "x", "-E", source, "-o", "x.i", env=env)
                self.assertEqual(self.read("other.d"), f"x: {source}\n")
                rule = self.upcc("-fpreprocessed", "-M", source, env=env)
                self.assertEqual(rule, source.split(".")[0] + ".o: " + source + "\n")
            self.upcc("-fpreprocessed", "-fno-preprocessed", "-fsyntax-only", "hello.upc", env=env)
            self.upcc("-fno-preprocessed", "-c", "plain.c", env=env)
            self.assertEqual(self.upcc("-fno-preprocessed", "-E", "hello.upc", env=env), text)
            self.assertIn("MYTHREAD", self.upcc("-E", "-fpreprocessed", "text.upc", env=env))
            self.assertIn("hello.upc:1:", self.refused("-fpreprocessed", "-c", "hello.upc", env=env))
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")
        self.assertIn("text.upc: -fpreprocessed with -fdirectives-only is not supported in UPC",
                      self.refused("-fpreprocessed", "-fdirectives-only", "-c", "text.upc"))

    def test_preprocessed_for_a_number_of_threads(self):
        """The text no longer contains THREADS, so it cannot be compiled for another number."""
        self.write("four.upc", "#include <upc.h>\nshared int a[40];\nint f(void)\n{\n    return THREADS;\n}\n")
        self.upcc("-E", "-T", "4", "four.upc", "-o", "four.upci")
        self.upcc("-save-temps", "-T", "4", "-c", "four.upc")
        self.write("alone.upc", "shared int a[40];\nint f(void)\n{\n    return THREADS;\n}\n")
        self.write("bare.upci", self.upcc("-E", "-P", "-T", "4", "alone.upc"))
        self.upcc("-E", "-P", "-T4", "alone.upc", "-o", "too.upci")
        self.assertEqual(self.read("too.upci"), self.read("bare.upci"))
        for name in ("four.upci", "four.i", "bare.upci"):
            self.upcc("-T", "4", "-c", name)
            for flags in ([], ["-T", "3"]):
                self.assertIn(name + ": preprocessed with -T 4; use it in both steps",
                              self.refused(*flags, "-c", name))
        self.upcc("-E", "four.upc", "-o", "any.upci")  # THREADS is still in there
        self.upcc("-T", "4", "-c", "any.upci")
        self.assertNotIn("static_threads.h", self.upcc("-M", "-T", "4", "four.upc"))

    def test_errors_in_preprocessed_text_name_the_source(self):
        self.write("bad.upc", "\nshared int f(void) { }\n")
        self.upcc("-E", "bad.upc", "-o", "bad.upci")
        self.assertTrue(self.refused("-c", "bad.upci").startswith("bad.upc:2:"))

    def test_preprocessed_text_without_markers_is_named(self):
        self.write("bare.upci", "shared int a;\nint f(void) { shared int b; return 0; }\n")
        self.assertTrue(self.refused("-c", "bare.upci").startswith("bare.upci:2:"))
        self.write("bad.upc", "shared int a;\nint f(void) { shared int b; return THREADS; }\n")
        self.upcc("-E", "-P", "-T", "4", "bad.upc", "-o", "bare.upci")
        lines = self.read("bare.upci").splitlines()
        at = next(number for number, line in enumerate(lines, 1) if "shared int b" in line)
        self.assertTrue(self.refused("-T", "4", "-c", "bare.upci").startswith("bare.upci:%d:" % at))
        self.assertIn("THREADS", self.upcc("-E", "-P", "bad.upc"))
        self.assertTrue(self.upcc("-E", "-P", "-dM", "-T", "4", "bad.upc").startswith("#define"))

    def test_macros_are_printed(self):
        macros = self.upcc("-E", "-dM", "-T3", "hello.upc").splitlines()
        self.assertIn("#define THREADS 3", macros)

    def test_preprocessor_dumps_do_not_disturb_compilation(self):
        for flag in ("-P", "-C", "-CC", "-dD", "-dM", "-dI", "-fdirectives-only"):
            self.upcc(flag, "hello.upc", "-o", "hello")
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")

    def test_translation(self):
        self.upcc("-trans", "hello.upc")
        self.assertEqual(self.made(), ["hello.trans.c", "hello.upc"])
        self.assertIn("bn_mythread()", self.read("hello.trans.c"))
        self.upcc("-trans", "hello.upc", "-o", "named.c")
        self.assertEqual(self.read("named.c"), self.read("hello.trans.c"))
        self.assertEqual(self.upcc("-trans", "hello.upc", "-o", "-"), self.read("named.c"))

    def test_translation_of_what_is_not_upc(self):
        self.write("other.s", "")
        result = self.run_upcc("-trans", "other.s")
        self.assertEqual(result.err, "upcc: warning: other.s: is not UPC; there is nothing to translate\n")

    def test_check_only(self):
        self.upcc("-fsyntax-only", "hello.upc")
        self.assertEqual(self.made(), ["hello.upc"])
        self.write("bad.upc", BROKEN)
        self.refused("-fsyntax-only", "bad.upc")

    def test_earliest_step_wins(self):
        self.upcc("-c", "-S", "hello.upc")
        self.upcc("-trans", "-c", "hello.upc")
        self.assertIn("MYTHREAD", self.upcc("-E", "-c", "hello.upc"))
        self.assertEqual(self.made(), ["hello.s", "hello.trans.c", "hello.upc"])

    def test_standard_input(self):
        self.upcc("-x", "upc", "-", "-o", "hello", stdin=HELLO)
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")
        self.assertIn("MYTHREAD", self.upcc("-E", "-", stdin=HELLO))
        text = self.upcc("-E", "-", stdin=HELLO)
        self.upcc("-x", "upc-cpp-output", "-", "-o", "hello", stdin=text)

    def test_shared_library(self):
        self.write("part.upc", PART)
        self.write("main.upc", MAIN)
        self.upcc("-shared", "-fPIC", "part.upc", "-o", "libpart.so")
        self.upcc("main.upc", "-L.", "-lpart", "-Wl,-rpath," + self.folder, "-o", "main")
        self.program("./main", "-n", "2")

    def test_relocatable_object(self):
        self.write("part.upc", PART)
        self.write("main.upc", MAIN)
        self.upcc("-c", "part.upc", "main.upc")
        self.upcc("-r", "-nostdlib", "part.o", "main.o", "-o", "both.o")
        for cc in filter(shutil.which, ("gcc", "clang")):  # clang would warn of libraries
            self.upcc("-r", "part.o", "main.o", "-o", "both.o", env={"CC": cc})
        self.upcc("both.o", "-o", "main")
        self.program("./main", "-n", "2")


class Languages(DriverCase):
    def test_folders_that_are_searched_are_shown(self):
        """Meson reads them from what -E -v prints."""
        for words in (["-x", "c"], []):
            said = self.run_upcc(*words, "-E", "-v", "-", stdin="").err
            self.assertRegex(said, r"(?s)#include <\.\.\.> search starts here:\n.*End of search list")

    def test_c_files_are_upc(self):
        self.write("hello.c", HELLO)
        self.upcc("hello.c", "-o", "hello")
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")

    def test_c_without_upc_runs_as_c(self):
        """Tools that a build makes and runs must print once, and see all of their arguments."""
        self.write("tool.c", "#include <stdio.h>\nint main(int argc, char **argv) { return puts(argv[argc - 1]) < 0; "
                             "}\n")
        self.upcc("tool.c", "-o", "tool")
        self.assertEqual(self.program("./tool", "--", "-n", "3"), "3\n")
        self.assertEqual(self.program("./tool", "-n"), "-n\n")
        self.env["BANYAN_THREADS"] = "3"
        self.assertEqual(self.program("./tool", "x"), "x\nx\nx\n")

    def test_c_without_upc_draws_the_warnings_of_c(self):
        """The back end reads such a source itself: what it says depends on macros and comments."""
        plain = ("#include <stddef.h>\n#define IS_SET(p) ((p) != NULL ? 1 : 0)\n#warning once\n"
                 "int f(int n) { int a[3]; switch (n) { case 1: n = 2; /* fall through */\n case 2: n++; }\n"
                 " return IS_SET(a) + n; }\n")
        self.write("plain.c", plain)
        said = self.run_upcc("-Wall", "-Wextra", "-c", "plain.c")
        self.assertEqual((said.status, said.err.count("warning: ")), (0, 1), said.err)
        self.write("both.upc", plain + "shared int x;\n")
        said = self.run_upcc("-Wall", "-Wextra", "-c", "both.upc")
        self.assertRegex(said.err, r"both.upc:3:2: warning: (#warning )?\"?once")
        self.assertEqual(len(re.findall(r"warning: (?:#warning )?\"?once", said.err)), 1, said.err)
        self.write("missing.c", '#include "nothing_like_it.h"\n')
        self.assertIn("missing.c:1:10: fatal error", self.refused("-c", "missing.c"))

    def test_plain_c_on_request(self):
        self.write("shared.i", "int shared(int strict) { return strict; }\nint THREADS;\n")
        self.upcc("-x", "c", "-c", "shared.i")
        self.refused("-x", "upc", "-c", "shared.i")

    def test_upc_is_upc_by_its_suffix(self):
        """CMake gives -x c to all sources whose LANGUAGE is C."""
        self.write("hello.upc", HELLO)
        self.upcc("-x", "c", "hello.upc", "-o", "hello")
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")

    def test_compiler_of_the_command_line(self):
        """-cc COMPILER, as CMake's launchers write it, wins over CC."""
        self.write("hello.upc", HELLO)
        for words in (["-cc", "cc"], ["-cc=cc -O1"]):
            said = self.run_upcc(*words, "-v", "-c", "hello.upc", env={"CC": "no-such-compiler"})
            self.assertEqual(said.status, 0, said.err)
            self.assertIn("\n cc ", "\n" + said.err)
        os.makedirs(self.path("with blanks"))
        os.symlink(shutil.which("cc"), self.path("with blanks/cc"))
        self.upcc("-c", "hello.upc", env={"CC": self.path("with blanks/cc")})
        self.upcc("-cc", self.path("with blanks/cc"), "-c", "hello.upc")
        self.assertIn("-cc needs the name of a C compiler", self.refused("-cc=", "-c", "hello.upc"))

    def test_language_holds_until_the_next(self):
        self.write("plain", "int shared(void) { return 0; }\n")
        self.write("hello.txt", HELLO)
        self.write("part.upc", PART)
        self.upcc("-x", "c", "plain", "-x", "upc", "hello.txt", "-x", "none", "part.upc", "-o", "hello")
        self.assertEqual(self.program("./hello", "-n", "1"), "hello from 0 of 1\n")

    def test_assembly_and_objects_and_archives_mix(self):
        self.write("one.s", ".globl one\n.data\none: .long 1\n" + STACK)
        self.write("two.S", "#define TWO two\n.globl TWO\n.data\nTWO: .long 2\n" + STACK)
        self.write("three.c", "int three = 3;\n")
        self.write("main.upc", "extern int one, two, three;\nint main(void) { return one + two + three; }\n")
        self.upcc("-c", "three.c")
        harness.run(["ar", "rcs", "libthree.a", "three.o"], cwd=self.folder)
        self.upcc("main.upc", "one.s", "two.S", "-L.", "-lthree", "-o", "main")
        self.program("./main", "-n", "1", status=6)

    def test_suffixes_of_other_languages(self):
        sources = [self.write("x" + suffix, "") for suffix in (".f08", ".FOR", ".mm", ".adb", ".upc")]
        said = self.run_upcc("-###", "-c", *sources).err
        for source in sources[:-1]:
            self.assertIn(" -c %s -o x.o\n" % source, said)
        self.write("x.hpp", "")
        self.assertIn("x.hpp: is a header", self.refused("-c", "x.hpp"))
        self.assertIn(" -MM -E x.hpp\n", self.run_upcc("-###", "-MM", "x.hpp").err)

    def test_unknown_language_is_refused_by_the_compiler(self):
        self.write("hello.upc", HELLO)
        self.assertIn("klingon", self.refused("-x", "klingon", "-c", "hello.upc"))


class SharedLibraries(DriverCase):
    LOADS = ("#include <dlfcn.h>\n#include <stdio.h>\n#include <upc.h>\nint first(void);\nint main(int count, char **words) {\n"
             "#ifdef LINKED\n    first();\n#endif\n"
             "    for (int i = 1; i < count; i++) {\n"
             "        void *library = dlopen(words[i], RTLD_NOW);\n"
             "        if (!library)\n            puts(dlerror());\n"
             "        int (*f)(void) = (int (*)(void))dlsym(library, \"f\");\n"
             "        if (f() != 1)\n            return i;\n        dlclose(library);\n    }\n    return 0;\n}\n")

    def setUp(self):
        super().setUp()
        self.write("own.upc", "shared int own[THREADS];\nint f(void) { return ++own[MYTHREAD]; }\n"
                              "int first(void) { own[0] = 0; return THREADS; }\n")
        self.write("none.upc", "#include <upc.h>\nint f(void) { shared int *p = upc_all_alloc(THREADS, sizeof *p);\n"
                               "    p[MYTHREAD] = 1; upc_barrier; return p[(MYTHREAD + 1) % THREADS]; }\n")
        self.write("main.upc", self.LOADS)

    def library(self, name, *flags):
        self.upcc("-fPIC", "-shared", *flags, name + ".upc", "-o", name + ".so")

    def refused_at_run_time(self, library):
        """Each thread may say it before the job ends."""
        result = harness.run(["./main", "-n", "2", library], cwd=self.folder, env=self.env)
        self.assertEqual(result.status, 1, result.err)
        return result.err

    def test_loaded_late(self):
        """A library with shared objects must be there at the start; one without need not, and may go again."""
        self.library("own")
        self.library("none")
        self.write("other.upc", "static char room[1 << 20];\nint f(void) { return room[MYTHREAD] + 1; }\n")
        self.library("other", "-T", "2")
        self.upcc("main.upc", "-rdynamic", "-ldl", "-o", "main")
        self.program("./main", "-n", "2", "./none.so", "./none.so", "./other.so", "./none.so")
        self.assertIn("dlopen: the library with own.upc has shared objects", self.refused_at_run_time("./own.so"))
        self.library("none", "-fcheck")
        self.assertIn("dlopen: a library compiled with -fcheck was loaded", self.refused_at_run_time("./none.so"))
        for flags, text in ((["-T", "3"], "for 3 threads, but this program runs with 2; compile it with -T 2, or with"),
                            (["-pthreads"], "with -pthreads, unlike this program"),
                            (["-network=shmem"], "for another network than this program was linked for")):
            self.library("other", *flags)
            said = self.refused_at_run_time("./other.so")
            self.assertIn("other.upc was compiled " + text, said)
            self.assertIn("with other.upc was loaded after the start, but does not belong to this program", said)

    def test_loaded_late_with_values_to_compute(self):
        """They are there before the library's constructors, and again after it was unloaded."""
        self.write("host.upc", "shared int host[2 * THREADS] = {1, 1};\n" + self.LOADS)
        self.write("values.upc", "extern shared int host[2 * THREADS];\n"
                   "static shared int *next = &host[2], *first = &host[0];\n"
                   "__attribute__((constructor)) static void step(void) { next--; }\n"
                   "int f(void) { first = 0; return *next; }\n")
        self.write("more.upc", "int more;\n__attribute__((constructor)) static void begin(void) { more = THREADS; }\n")
        self.upcc("-fPIC", "-shared", "values.upc", "more.upc", "-o", "values.so")
        self.upcc("host.upc", "-rdynamic", "-ldl", "-o", "main")
        self.program("./main", "-n", "2", "./values.so", "./values.so")
        # the earliest constructors that a program can have, and what a unit's does before the next one is entered
        for name, places in (("values", "&host[2], *first = &host[0]"), ("later", "&host[4]")):
            self.write(name + ".upc", f"extern shared int host[2 * THREADS];\nstatic shared int *next = {places};\n"
                       "__attribute__((constructor(101))) static void step(void) { next -= 2; }\n"
                       f"int {name}(void) {{ return next == &host[{0 if name == 'values' else 2}]; }}\n")
        self.write("f.upc", "int values(void), later(void);\nint f(void) { return values() && later(); }\n")
        for compiler in BACK_ENDS:
            self.upcc("-fPIC", "-shared", "values.upc", "later.upc", "f.upc", "-o", "values.so", env={"CC": compiler})
            self.program("./main", "-n", "3", "./values.so", "./values.so")

    def test_loaded_late_by_threads_of_one_process(self):
        """Only one of the threads would compute its values, or call the constructors."""
        self.library("none", "-pthreads")
        self.upcc("-pthreads", "main.upc", "-Wl,--export-dynamic", "-ldl", "-o", "main")
        self.program("./main", "-n", "2", "./none.so", "./none.so")
        self.write("plain.c", "static int k = 1, *at = &k;\nint f(void) { return *at; }\n"
                   "__attribute__((constructor)) static void begin(void) { *at = 2; }\n")
        self.upcc("-pthreads", "-fPIC", "-shared", "plain.c", "-o", "plain.so")
        self.assertIn("dlopen: the library with plain.c was loaded after the start, when it is too late for each thread "
                      "to compute the initial value of 'at'", self.refused_at_run_time("./plain.so"))

    def test_names_of_files_outlive_a_checked_library(self):
        self.write("none.upc", "#include <upc_nb.h>\nint f(void) {\n"
                   "    shared int *p = upc_all_alloc(THREADS, sizeof *p);\n    int one = 1;\n"
                   "    upc_memput_nb(&p[MYTHREAD], &one, sizeof one);\n    return p[MYTHREAD];\n}\n")
        self.library("none", "-fcheck")
        self.upcc("-fcheck", "main.upc", "-rdynamic", "-ldl", "-o", "main")
        self.assertIn("none.upc:5: upc_memput_nb: the transfer that was started here was never synchronised",
                      self.refused_at_run_time("./none.so"))

    def test_a_library_of_the_start_stays(self):
        """The host closes it before the threads start, and again afterwards."""
        self.library("own")
        self.write("host.c", "#include <dlfcn.h>\n#include <stdlib.h>\n"
                   "static void *in(void *library, const char *name) { return library ? dlsym(library, name) : NULL; }\n"
                   "int main(int count, char **words) {\n"
                   "    dlclose(dlopen(\"./own.so\", RTLD_NOW));\n"
                   "    void *library = dlopen(\"./own.so\", RTLD_NOW);\n"
                   "    void (*init)(int *, char ***) = (void (*)(int *, char ***))in(library, \"bupc_init\");\n"
                   "    init(&count, &words);\n"
                   "    for (int i = 1; i <= 2; i++) {\n"
                   "        if (((int (*)(void))in(library, \"f\"))() != i)\n            return i;\n"
                   "        dlclose(library);\n        library = dlopen(\"./own.so\", RTLD_NOW);\n    }\n"
                   "    return 0;\n}\n")
        harness.run([driver_case.BACK_ENDS[0], "host.c", "-ldl", "-o", "main"], cwd=self.folder)
        self.env["BANYAN_THREADS"] = "2"
        self.program("./main")

    def test_a_program_has_one_runtime(self):
        """The library names the shared runtime, too; what would call into both is refused."""
        self.library("own")
        self.library("none")
        self.upcc("main.upc", "-ldl", "-o", "main")
        self.assertIn("dlopen: a UPC program loads a UPC library, but does not share its runtime with it; link the "
                      "program with upcc -rdynamic", self.refused_at_run_time("./none.so"))
        self.upcc("-DLINKED", "main.upc", "./own.so", "-ldl", "-Wl,-rpath," + self.folder, "-o", "main")
        self.assertIn("the library with none.upc was loaded after the start, and may call functions of the runtime that "
                      "this program lacks", self.refused_at_run_time("./none.so"))
        self.program("./main", "-n", "2", "./own.so")
        self.write("dies.upc", "int first(void);\nint main(void) { volatile int *p = 0; first(); return *p; }\n")
        self.upcc("dies.upc", "./own.so", "-Wl,-rpath," + self.folder, "-o", "main")
        result = harness.run(["./main", "-n", "1"], cwd=self.folder, env=self.env)
        self.assertRegex(result.err, "banyan: thread 0 of 1 .* killed by signal 11 .*a null pointer")

    def test_names_what_it_needs(self):
        """libbanyan.so, unless nothing of it is called or threads start before main."""
        self.write("plain.c", "int f(void) { return 3; }\n")
        self.upcc("-fPIC", "-shared", "plain.c", "-o", "plain.so")
        self.library("own", "-T", "2")
        for name, needs in (("own", True), ("plain", False)):
            said = harness.run(["readelf", "-d", name + ".so"], cwd=self.folder).out
            self.assertEqual("[libbanyan.so]" in said, needs, said)
        for flags in (["-shared", "-nodefaultlibs"], ["-shared", "-pthreads"], ["-shared", "-network=shmem"], ["-r"]):
            said = self.run_upcc("-###", "-fPIC", *flags, "own.upc", "-o", "own.so")
            self.assertEqual((said.status, "libbanyan" in said.err), (0, False), said.err)


class SeveralInputs(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("part.upc", PART)
        self.write("main.upc", MAIN)

    def test_linked(self):
        self.upcc("part.upc", "main.upc", "-o", "main")
        self.program("./main", "-n", "2")
        self.assertEqual(self.made(), ["main", "main.upc", "part.upc"])

    def test_compiled(self):
        self.upcc("-c", "part.upc", "main.upc")
        self.assertEqual(self.made(), ["main.o", "main.upc", "part.o", "part.upc"])

    def test_others_are_compiled_after_an_error(self):
        self.write("bad.upc", BROKEN)
        self.assertIn("undeclared_name", self.refused("-c", "bad.upc", "part.upc"))
        self.assertEqual(self.made(), ["bad.upc", "main.upc", "part.o", "part.upc"])

    def test_nothing_is_linked_after_an_error(self):
        self.write("bad.upc", BROKEN)
        self.refused("bad.upc", "part.upc", "-o", "main")
        self.assertFalse(self.exists("main"))

    def test_start_of_the_runtime(self):
        """What every program needs of the library is one file, unless all members of the library are linked, or none is
        needed."""
        with open(driver_case.UPCC, "rb") as file:
            is_sanitized = re.search(b"__(asan|tsan|ubsan)_", file.read())
        library = os.path.join(os.path.dirname(os.path.dirname(driver_case.UPCC)), "lib", "banyan", "libbanyan.o")
        self.assertTrue(is_sanitized or os.path.exists(library))
        for flags, is_one in (((), os.path.exists(library)), (("-rdynamic",), False)):
            map_of_link = self.upcc("main.upc", "part.upc", "-Wl,-M", *flags, "-o", "main")
            self.assertEqual("libbanyan.a(main.c.o)" not in map_of_link, is_one, flags)
            self.program("./main", "-n", "2")
        self.write("start.c", "void _start(void) { for (;;) ; }\n")
        self.upcc("-nostartfiles", "start.c", "-o", "start")

    def test_order_of_libraries_is_kept(self):
        self.upcc("-c", "part.upc")
        harness.run(["ar", "rcs", "libpart.a", "part.o"], cwd=self.folder)
        self.upcc("main.upc", "-L.", "-Wl,--as-needed", "-lpart", "-o", "main")
        self.assertIn("part", self.refused("-L.", "-lpart", "main.upc", "-o", "other"))


class Names(DriverCase):
    # Few names, each with several signs, since all of this is compiled for each of them
    ODD = ("-dash with space gr\u00fc\u00dfe.b.c", "@at hash#:per%cent", "quote'\"$x;back\\slash\\n",
           "tab\tnew\nline", "(a)[b]{c}*?~!`&|<>=,")

    def test_odd_names(self):
        for name in self.ODD + (".",):
            with self.subTest(name=name):
                source = "./" + name + ".upc"
                self.write(name + ".upc", HELLO)
                self.upcc(source, "-o", "./program")
                self.assertEqual(self.program("./program", "-n", "1"), "hello from 0 of 1\n", name)
                self.upcc("-c", source, "-MMD")

    def test_odd_names_of_what_is_made(self):
        for name in self.ODD:
            with self.subTest(name=name):
                source = "./" + name + ".upc"
                self.write(name + ".upc", "#include <stdio.h>\nshared int x;\n"
                                          "int main(void)\n{\n    puts(__FILE__);\n    return x;\n}\n")
                for times in range(2):   # a second time, when there is a file of that name already
                    self.upcc("-c", source, "-MMD")
                    self.assertTrue(self.exists(name + ".o") and self.exists(name + ".d"), name)
                self.upcc("-save-temps", source, "-o", "./" + name)
                self.assertEqual(self.program("./" + name, "-n", "1"), source + "\n")
                for suffix in (".i", ".trans.c", ".s", ".o"):
                    self.assertTrue(self.exists(name + suffix), name + suffix)
                self.upcc("-E", source, "-o", "./" + name + ".i")
                self.upcc("-g", "./" + name + ".i", "-o", "./" + name)
                self.assertEqual(self.program("./" + name, "-n", "1"), source + "\n")
                self.upcc("-trans", source)
                self.upcc("-c", "-x", "c", "./" + name + ".trans.c", "-o", "translated.o")

    def test_odd_names_in_messages(self):
        for name in self.ODD:
            with self.subTest(name=name):
                source = "./" + name + ".upc"
                self.write(name + ".upc", "shared int x;\nint *p = &x;\n")
                said = self.refused("-c", source)
                self.assertTrue(said.startswith(source + ":2:10: error: initialisation converts"), said)
                self.assertIn("2 | int *p = &x;", said)
                self.write(name + ".upc", "shared int *p;\nint main(void)\n{\n    return *p;\n}\n")
                self.upcc("-fcheck", source, "-o", "./program")
                crash = harness.run(["./program", "-n", "1"], cwd=self.folder, env=self.env)
                self.assertIn(source + ":4", crash.err)

    def test_odd_names_in_rules(self):
        compiler = os.environ.get("CC", "cc")
        for name in self.ODD:
            with self.subTest(name=name):
                source = "./" + name + ".c"
                header = "plain" if set(name) & set('"\n\\') else name
                self.write(header + ".h", "extern int x;\n")
                self.write(name + ".c", '#include "%s.h"\nint f(void) { return x; }\n' % header)
                for flags in (["-MM"], ["-MM", "-MP"], ["-MM", "-MT", "a b$#"], ["-MM", "-MQ", "a b$#"],
                              ["-MM", "-MT", "x", "-MQ", "y z"]):
                    of_cc = harness.run([compiler, *flags, source], cwd=self.folder, env=self.env)
                    self.assertEqual(self.upcc(*flags, source), of_cc.out, flags)
                self.upcc("-c", "-MMD", "-MP", source)
                of_cc = harness.run([compiler, "-c", "-MMD", "-MP", "-MF", "of_cc.d", source], cwd=self.folder,
                                    env=self.env)
                self.assertEqual(of_cc.status, 0)
                self.assertEqual(self.read(name + ".d"), self.read("of_cc.d"))

    def test_make_follows_the_rules(self):
        if shutil.which("make") is None:
            self.skipTest("there is no make")
        self.write("my $file.upc", '#include "its #header.h"\nshared int x;\nint main(void) { return x + ZERO; }\n')
        self.write("its #header.h", "#define ZERO 0\n")
        self.write("Makefile", "my\\ $$file.o: my\\ $$file.upc\n\t'%s' -c -MMD -MP -MF deps.d './my $$file.upc'\n"
                   "\techo made\n-include deps.d\n"
                   % driver_case.UPCC)
        target = ["make", "-s", "my $file.o"]
        made = [harness.run(target, cwd=self.folder, env=self.env).out for times in range(2)]
        os.utime(self.path("its #header.h"), (2**31 - 1, 2**31 - 1))
        made.append(harness.run(target, cwd=self.folder, env=self.env).out)
        self.assertEqual([out.count("made") for out in made], [1, 0, 1], made)

    def test_errors_name_the_file_as_given(self):
        self.write("sub/bad file.upc", "shared int a[3] = b c;\n")
        self.assertTrue(self.refused("-c", "sub/bad file.upc").startswith("sub/bad file.upc:1:"))

    def test_long_name(self):
        name = "n" * 200 + ".upc"
        self.write(name, HELLO)
        self.upcc("-c", name)
        self.assertTrue(self.exists("n" * 200 + ".o"))


class BesideObjects(DriverCase):
    """What the C compiler names after an object lies beside the program when there is no object to see."""

    def setUp(self):
        super().setUp()
        for name in ("main.c", "x/part.upc", "y/part.upc"):
            self.write(name, HELLO.replace("main", "main" if name == "main.c" else "unused_" + name[0]))

    def test_coverage(self):
        self.upcc("--coverage", "main.c", "x/part.upc", "y/part.upc", "-o", "x/all")
        self.program("x/all", "-n", "2")
        notes = ["all-main.gcno", "all-part-2.gcno", "all-part.gcno"]
        found = sorted(os.listdir(self.path("x")))
        self.assertEqual([name for name in found if name.endswith(".gcno")], notes)
        self.assertLessEqual({"all", "all-main.gcda", "part.upc"}, set(found))
        self.assertEqual([name for name in found if ".o" in name], [])

    def test_default_name(self):
        self.upcc("-ftest-coverage", "main.c")
        self.assertEqual(self.made(), ["a-main.gcno", "a.out", "main.c", "x", "y"])

    def test_objects_of_others_stay(self):
        """Such as those that -save-temps has kept"""
        self.write("all-main.o", "mine")
        for compiler in driver_case.BACK_ENDS:
            self.upcc("-g", "-gsplit-dwarf", "main.c", "-o", "all", env={"CC": compiler})
            self.assertEqual(self.read("all-main.o"), "mine")
            self.assertEqual(self.made(), ["all", "all-main.dwo", "all-main.o", "main.c", "x", "y"])

    def test_folder_that_cannot_be_written(self):
        said = self.refused("--coverage", "main.c", "-o", "none/all")
        self.assertIn("cannot make 'none/all-main.oXXXXXX': No such file or directory", said)

    @unittest.skipUnless(shutil.which("gcc"), "gcc is not here")
    def test_profile_is_found(self):
        self.upcc("-O2", "-fprofile-generate", "x/part.upc", "main.c", "-o", "p", env={"CC": "gcc"})
        self.program("./p", "-n", "1")
        self.upcc("-O2", "-fprofile-use", "-Wmissing-profile", "-Werror", "x/part.upc", "main.c", "-o", "p",
                  env={"CC": "gcc"})


class KeptFiles(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("sub/hello.upc", HELLO)
        os.mkdir(self.path("out"))

    def kept(self, folder):
        return sorted(name for name in os.listdir(self.path(folder)) if name.startswith("hello"))

    def test_in_the_current_directory(self):
        self.upcc("-save-temps=cwd", "-g", "-O1", "sub/hello.upc", "-o", "out/hello")
        self.assertEqual(self.kept("."), ["hello.i", "hello.o", "hello.s", "hello.trans.c"])
        self.assertEqual(self.program("out/hello", "-n", "1"), "hello from 0 of 1\n")

    def test_beside_the_output(self):
        """Named after it, so that other compilations of this source do not write the same files"""
        self.upcc("-save-temps=obj", "sub/hello.upc", "-o", "out/hello-2")
        self.assertEqual(self.kept("out"), ["hello-2", "hello-2-hello.i", "hello-2-hello.o", "hello-2-hello.s",
                                            "hello-2-hello.trans.c"])
        self.assertEqual(self.kept("."), [])

    def test_with_an_object(self):
        self.upcc("-save-temps", "-c", "sub/hello.upc", "-o", "out/hello.upc.o", "-flto")
        self.assertEqual(self.kept("out"), ["hello.upc.i", "hello.upc.o", "hello.upc.s", "hello.upc.trans.c"])
        self.assertEqual(self.kept("."), [])

    def test_kept_text_compiles(self):
        self.upcc("-save-temps", "-c", "sub/hello.upc")
        self.upcc("-c", "hello.i", "-o", "again.o")
        self.assertTrue(self.exists("again.o"))

    def test_wrong_place(self):
        self.assertIn("use cwd or obj", self.refused("-save-temps=here", "sub/hello.upc"))


class DependencyFiles(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("part.h", "#define PART 1\n")
        self.write("main.upc", '#include <stdio.h>\n#include "part.h"\nint main(void) { return PART - 1; }\n')

    def rule(self, name):
        target, _, sources = self.read(name).replace("\\\n", " ").partition(":")
        return target, sources.split()

    def test_beside_the_object(self):
        self.upcc("-MMD", "-c", "main.upc")
        self.assertEqual(self.rule("main.d"), ("main.o", ["main.upc", "part.h"]))

    def test_named_by_the_output(self):
        os.mkdir(self.path("out"))
        self.upcc("-MMD", "-c", "main.upc", "-o", "out/other.o")
        self.assertEqual(self.rule("out/other.d"), ("out/other.o", ["main.upc", "part.h"]))

    def test_with_system_headers(self):
        self.upcc("-MD", "-c", "main.upc")
        target, sources = self.rule("main.d")
        self.assertEqual(target, "main.o")
        self.assertTrue(any(name.endswith("/stdio.h") for name in sources))
        self.assertTrue(any(name.endswith("/banyan/access.h") for name in sources))

    def test_named_file_and_targets(self):
        self.upcc("-MMD", "-MF", "deps", "-MT", "a", "-MT", "b", "-MP", "-c", "main.upc")
        self.assertEqual(self.read("deps").splitlines()[0], "a b: main.upc part.h")
        self.assertIn("part.h:", self.read("deps").splitlines())

    def test_to_standard_output(self):
        self.write("plain.c", '#include "part.h"\nint f(void) { return 1; }\n')
        for source in ("main.upc", "plain.c"):
            object_name = source.split(".")[0] + ".o"
            for output in ("-", "/dev/stdout"):
                rule = self.upcc("-MMD", "-MF", output, "-c", source)
                self.assertEqual(rule, "%s: %s part.h\n" % (object_name, source))
                self.assertTrue(self.exists(object_name))

    def test_removes_only_its_own_file_after_an_error(self):
        self.write("broken.upc", driver_case.BROKEN)
        self.write("theirs", "")
        os.symlink("theirs", self.path("link"))
        os.mkfifo(self.path("pipe"))
        reader = os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        for name in ("link", "pipe", "own"):
            self.refused("-MMD", "-MF", name, "-c", "broken.upc")
            self.assertEqual(os.path.lexists(self.path(name)), name != "own", name)

    def test_quoted_target(self):
        self.upcc("-MMD", "-MFdeps", "-MQ", "$(x)", "-c", "main.upc")
        self.assertTrue(self.read("deps").startswith("$$(x):"))

    def entries(self, name):
        """Those of -MJ, as compile_commands.json would have them"""
        return json.loads("[" + self.read(name).rstrip().rstrip(",") + "]")

    def test_compile_entries(self):
        self.write("part.upc", PART)
        self.upcc("-MJ", "a.json", "-c", "main.upc", "-DNAME=\"a b\"", "-o", "main.o")
        self.upcc("-MJa.json", "-O1", "main.upc", "part.upc", "-o", "program")
        entries = self.entries("a.json")
        self.assertEqual([entry["file"] for entry in entries], ["main.upc", "main.upc", "part.upc"])
        self.assertEqual({entry["directory"] for entry in entries}, {os.path.realpath(self.folder)})
        program, *options = entries[0]["arguments"]
        self.assertTrue(os.path.samefile(program, driver_case.UPCC))
        self.assertEqual(options, ["-c", "main.upc", "-DNAME=\"a b\"", "-o", "main.o"])
        self.assertEqual(entries[0]["output"], "main.o")
        self.assertEqual(entries[2]["arguments"][1:], ["-O1", "part.upc", "-o", "program"])
        # An entry is a command that works.
        harness.run(entries[0]["arguments"], cwd=entries[0]["directory"], env=self.env)

    def test_compile_entry_of_a_program_with_errors(self):
        self.write("main.upc", driver_case.BROKEN)
        self.refused("-MJ", "a.json", "-c", "main.upc")
        self.assertEqual(self.entries("a.json")[0]["file"], "main.upc")

    def test_compile_entry_that_cannot_be_written(self):
        self.assertIn("cannot write 'none/a.json': No such file", self.refused("-MJ", "none/a.json", "-c", "main.upc"))

    def test_while_linking(self):
        self.upcc("-MMD", "main.upc", "-o", "program")
        self.assertEqual(self.rule("program.d"), ("program", ["main.upc", "part.h"]))

    def test_while_linking_several(self):
        self.write("part.upc", PART)
        self.upcc("-MMD", "main.upc", "part.upc", "-o", "program")
        self.assertEqual(self.rule("program-main.d"), ("program", ["main.upc", "part.h"]))
        self.assertEqual(self.rule("program-part.d"), ("program", ["part.upc"]))

    def test_rule_only(self):
        self.assertEqual(self.upcc("-MM", "main.upc"), "main.o: main.upc part.h\n")
        self.assertIn("stdio.h", self.upcc("-M", "main.upc"))
        self.upcc("-MM", "main.upc", "-o", "rule")
        self.assertEqual(self.read("rule"), "main.o: main.upc part.h\n")
        self.assertEqual(self.upcc("-MM", "-MT", "x", "main.upc"), "x: main.upc part.h\n")
        self.assertEqual(self.made(), ["main.upc", "part.h", "rule"])

    def test_rule_only_for_other_languages(self):
        self.write("other.c", '#include "part.h"\n')
        self.assertEqual(self.upcc("-MM", "-x", "c", "other.c"), "other.o: other.c part.h\n")
        self.upcc("-MM", "-MF", "rule", "-MT", "x", "-x", "c++", "other.c")
        self.assertEqual(self.read("rule"), "x: other.c part.h\n")

    def test_missing_headers_can_be_listed(self):
        self.write("main.upc", '#include "generated.h"\n')
        self.assertEqual(self.upcc("-MM", "-MG", "main.upc"), "main.o: main.upc generated.h\n")

    def test_none_after_an_error(self):
        self.write("bad.upc", "shared int f(void) { shared int x; }\n")
        self.refused("-MMD", "-c", "bad.upc")
        self.assertEqual(self.made(), ["bad.upc", "main.upc", "part.h"])

    @unittest.skipUnless(shutil.which("gcc"), "gcc is not here")
    def test_asked_for_by_the_environment(self):
        self.write("plain.c", '#include "part.h"\n')
        self.upcc("-c", "main.upc", "plain.c", env={"CC": "gcc", "DEPENDENCIES_OUTPUT": "rules"})
        self.assertEqual(self.read("rules"), "main.o: main.upc part.h\nplain.o: plain.c part.h\n")

    def test_asked_of_the_preprocessor(self):
        """The compiler reads plain C twice, and may write the rule again."""
        self.write("plain.c", '#include "part.h"\n')
        for source in ("main.upc", "plain.c"):
            self.upcc("-Wp,-MMD,rule", "-MP", "-MT", "foo", "-c", source)
            self.assertEqual(self.read("rule").split(), ["foo:", source, "part.h", "part.h:"])

    def test_for_plain_c(self):
        self.write("plain.c", self.read("main.upc"))
        self.upcc("-MMD", "-x", "c", "-c", "plain.c")
        self.assertEqual(self.rule("plain.d"), ("plain.o", ["plain.c", "part.h"]))


class Reproducible(DriverCase):
    """The folder of the sources leaves no trace where options give it another name."""

    SOURCE = """#include "part.h"
shared int a[THREADS];
extern shared int b[THREADS];
int main(void)
{
    static shared int c[THREADS];
    a[MYTHREAD] = b[MYTHREAD] + c[MYTHREAD] + part(&a[0]);
    return a[MYTHREAD];
}
"""

    def made_in(self, folder, *flags, **more):
        self.write(folder + "/part.h", "static inline int part(shared int *p) { return p[MYTHREAD]; }\n")
        self.write(folder + "/main.upc", self.SOURCE)
        self.write(folder + "/other.upc", "shared int b[THREADS];\n")
        root = self.path(folder)
        maps = [flag.replace("ROOT", root) for flag in flags]
        self.upcc(*maps, "-shared", "-fPIC", root + "/main.upc", root + "/other.upc", "-o", folder + "/made", **more)
        with open(self.path(folder + "/made"), "rb") as file:
            return file.read()

    def test_same_bytes_from_two_folders(self):
        for compiler in driver_case.BACK_ENDS:
            for flags in (("-g", "-ffile-prefix-map=ROOT=."), ("-fcheck", "-ffile-prefix-map=ROOT=/src"),
                          ("-g", "-fcheck", "-O2", "-fmacro-prefix-map=ROOT=.", "-fdebug-prefix-map=ROOT=/src")):
                with self.subTest(compiler=compiler, flags=flags):
                    one, two = (self.made_in(folder, *flags, env={"CC": compiler}) for folder in ("one", "two"))
                    self.assertFalse(self.folder.encode() + b"/one" in one)
                    self.assertTrue(one == two)

    def test_each_map_is_for_its_names(self):
        made = self.made_in("one", "-g", "-fcheck", "-fmacro-prefix-map=ROOT=/m", "-fdebug-prefix-map=ROOT=/d")
        self.assertTrue(b"\0/m/main.upc\0" in made)
        self.assertTrue(b"v\t/d/main.upc\t2\ta\t" in made)
        made = self.made_in("one", "-fcheck", "-fmacro-prefix-map=ROOT=/m", "-ffile-prefix-map=ROOT=/last")
        self.assertTrue(b"\0/last/main.upc\0" in made)


if __name__ == "__main__":
    driver_case.main()
