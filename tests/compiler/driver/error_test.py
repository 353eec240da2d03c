#!/usr/bin/env python3
"""What upcc says when something is wrong, its exit status, and that nothing half-made is left."""

import os
import platform
import re
import shutil
import signal
import subprocess
import time
import unittest

import driver_case
from driver_case import BROKEN, HELLO, MAIN, PART, DriverCase, harness


class CommandLine(DriverCase):
    def test_no_input(self):
        self.assertEqual(self.refused(), "upcc: error: no input files; 'upcc --help' shows how to begin\n")
        self.assertIn("no input files", self.refused("-O2", "-o", "x"))

    def test_misspelt_option(self):
        self.write("part.upc", PART)
        for wrong, right in (("-netwrok=smp", "-network"), ("-pthreds", "-pthreads"), ("--hlep", "--help"),
                             ("-trasn", "-trans"), ("-save-temp", "-save-temps"), ("--verison", "--version"),
                             ("-fupc-thread-4", "-fupc-threads-"), ("-sahred-heap=1", "-shared-heap")):
            self.assertEqual(self.refused(wrong, "-c", "part.upc"),
                             "upcc: error: unrecognized option '%s'; did you mean '%s'?\n" % (wrong, right))

    def test_unknown_option(self):
        self.write("part.upc", PART)
        self.assertEqual(self.refused("-qqqqqq", "-c", "part.upc"),
                         "upcc: error: unrecognized option '-qqqqqq'; 'upcc --help' lists the options, "
                         "-Wc,OPTION reaches the C compiler\n")

    def test_threads_of_what(self):
        """Options that no compiler has, and no bad numbers of threads"""
        self.write("part.upc", PART)
        for flag in ("-fupc-threads-per-node", "-fupc-threads-per-node=3", "-fthreads-model"):
            self.assertIn("unrecognized option '%s'" % flag, self.refused(flag, "-c", "part.upc"))

    def test_unknown_option_of_the_compiler(self):
        self.write("part.upc", PART)
        self.assertIn("-fno-such-thing-here", self.refused("-fno-such-thing-here=3", "-c", "part.upc"))

    def test_every_error_is_told(self):
        text = self.refused("-T0", "-network=nosuch", "-qqqqqq", "missing.upc")
        self.assertEqual(text.count("upcc: error: "), 4)

    def test_missing_argument(self):
        self.write("part.upc", PART)
        for flag in ("-o", "-T", "-x", "-I", "-network", "-Xlinker", "-MF", "-shared-heap"):
            self.assertIn("missing argument after '%s'" % flag, self.refused("part.upc", flag))

    def test_one_output_for_several_files(self):
        self.write("a.upc", PART)
        self.write("b.upc", PART)
        for flag in ("-c", "-S", "-E", "-trans"):
            self.assertIn("cannot specify -o with", self.refused(flag, "a.upc", "b.upc", "-o", "x"))

    def test_thread_sanitizer(self):
        self.write("part.upc", PART)
        for flag in ("-fsanitize=thread", "-fsanitize=undefined,thread"):
            self.assertEqual(self.refused(flag, "-c", "part.upc"),
                             "upcc: error: -fsanitize=thread works with -pthreads on one machine only: it does not see "
                             "other processes; add -pthreads, or use address or undefined\n")
        self.assertIn("on one machine only", self.refused("-fsanitize=thread", "-pthreads", "-network=shmem", "-c",
                                                          "part.upc"))

    OF_X86 = (("-mabi=ms", "is called otherwise"), ("-fpcc-struct-return", "in registers")) \
        if platform.machine() == "x86_64" else ()

    def test_code_that_would_not_fit_the_library(self):
        self.write("part.upc", PART)
        self.write("part.c", PART)
        self.write("plain.c", "struct pair { char a; int b; };\nint size(void) { return sizeof(struct pair); }\n")
        for flag, reason in (("-fpack-struct", "use #pragma pack"), ("-fpack-struct=2", "C library"),
                             ("-fsso-struct=big-endian", "scalar_storage_order"),
                             ("-fleading-underscore", "no such underscore")) + self.OF_X86:
            with self.subTest(flag=flag):
                for source in ("part.upc", "part.c"):
                    text = self.refused(flag, "-c", source)
                    self.assertIn("upcc: error: %s: %s is not supported in UPC: " % (source, flag), text)
                    self.assertIn(reason, text)
                self.assertIn("not supported in UPC", self.refused("-Wc," + flag, "-c", "part.upc"))
        self.upcc("-fpack-struct", "-fno-pack-struct", "-c", "part.upc")
        self.upcc("-fpack-struct", "-c", "plain.c")


class Headers(DriverCase):
    def test_what_included_a_header_is_told_once(self):
        self.write("inner.h", "shared [-1] int x;\nshared [-2] int y;\n")
        self.write("outer.h", "#include <stddef.h>\n\n#include \"inner.h\"\n")
        self.write("main.upc", "#include <upc.h>\n#include \"outer.h\"\nshared [-3] int z;\n")
        lines = [line.replace("./", "") for line in self.refused("-c", "main.upc").split("\n")
                 if not line.startswith("  ")]
        self.assertEqual(lines[0], "In file included from outer.h:3,")
        self.assertEqual([line.split(" error:")[0] for line in lines[1:]],
                         ["inner.h:1:9:", "inner.h:2:9:", "main.upc:3:9:", ""])


class Files(DriverCase):
    def test_missing(self):
        self.assertEqual(self.refused("nowhere.upc"), "upcc: error: nowhere.upc: No such file or directory\n")
        self.assertEqual(self.refused("nowhere.o"), "upcc: error: nowhere.o: No such file or directory\n")

    def test_directory(self):
        os.mkdir(self.path("folder.upc"))
        self.assertEqual(self.refused("-c", "folder.upc"), "upcc: error: folder.upc: is a directory\n")

    def test_header(self):
        self.write("part.h", PART)
        self.write("main.upc", MAIN)
        for mode in (("-S", "part.h"), ("-trans", "part.h"), ("main.upc", "part.h")):
            self.assertIn("is a header; compile a file that includes it", self.refused(*mode))
        self.upcc("-fsyntax-only", "part.h")
        self.upcc("-x", "upc", "-c", "part.h")

    def test_standard_input_without_language(self):
        self.assertEqual(self.refused("-c", "-", stdin=HELLO),
                         "upcc: error: -E or -x is required when the input is standard input\n")

    def test_object_without_link(self):
        self.write("hello.upc", HELLO)
        self.upcc("-c", "hello.upc")
        result = self.run_upcc("-c", "hello.o")
        self.assertEqual((result.status, result.err),
                         (0, "upcc: warning: hello.o: linker input file unused because linking not done\n"))

    def test_output_that_is_the_input(self):
        self.write("hello.upc", HELLO)
        for name in ("hello.upc", "./hello.upc"):
            for option in ("-o", "-MF", "-MJ"):
                self.assertIn("same as the output file", self.refused("-MD", "-c", "hello.upc", option, name))
        self.assertEqual(self.read("hello.upc"), HELLO)

    def test_output_of_its_own_that_is_the_input(self):
        for suffix, flag in ((".o", "-c"), (".s", "-S"), (".d", "-MMD"), (".i", "-save-temps")):
            name = self.write("hello" + suffix, HELLO)
            self.assertEqual(self.refused(flag, "-x", "upc", name, *(["-c"] if suffix == ".i" else [])),
                             "upcc: error: input file '%s' is the same as the output file\n" % name)
            self.assertEqual(self.read(name), HELLO)

    def test_unwritable_output(self):
        self.write("hello.upc", HELLO)
        for flags in ([], ["-c"], ["-S"], ["-E"]):
            self.assertIn("none/x", self.refused(*flags, "hello.upc", "-o", "none/x"))
        self.assertEqual(self.refused("-trans", "hello.upc", "-o", "none/x"),
                         "upcc: error: cannot write 'none/x': No such file or directory\n")

    def test_full_disk(self):
        self.write("hello.upc", HELLO)
        self.assertEqual(self.refused("-trans", "hello.upc", "-o", "/dev/full"),
                         "upcc: error: cannot write '/dev/full': No space left on device\n")

    def test_limit_of_file_size(self):
        self.write("hello.upc", HELLO)
        for flags, name in (([], r"\S+\.i"), (["-trans"], r"hello\.trans\.c")):
            ended = driver_case.harness.run(["sh", "-c", 'ulimit -f 4; exec "$@"', "sh", driver_case.UPCC, *flags,
                                             "hello.upc"], cwd=self.folder, env=self.env)
            self.assertEqual(ended.status, 1)
            self.assertRegex(ended.err, rf"\Aupcc: error: cannot write '{name}': File too large\n\Z")
            self.assertEqual((self.made(), os.listdir(self.temporaries)), (["hello.upc"], []))

    def test_memory_that_ends(self):
        functions = "".join("int f%d(int x) { return a[x] + %d; }\n" % (i, i) for i in range(20000))
        self.write("long.upc", "shared int a[THREADS];\n" + functions)
        ended = driver_case.harness.run(["sh", "-c", 'ulimit -d 30000; exec "$@"', "sh", driver_case.UPCC, "-c",
                                         "long.upc"], cwd=self.folder, env=self.env)
        self.assertEqual((ended.status, ended.err),
                         (1, "upcc: error: there is not enough memory; lift limits on it ('ulimit -v', 'ulimit -d')\n"))
        self.assertEqual((self.made(), os.listdir(self.temporaries)), (["long.upc"], []))

    def test_no_folder_for_temporaries(self):
        self.write("hello.upc", HELLO)
        self.assertEqual(self.refused("hello.upc", env={"TMPDIR": "/nowhere"}),
                         "upcc: error: cannot make a temporary file: No such file or directory; set TMPDIR to choose another folder\n")

    def test_missing_include(self):
        self.write("hello.upc", '#include "nowhere.h"\n')
        self.assertIn("hello.upc:1:10: fatal error: nowhere.h", self.refused("-c", "hello.upc"))


class Failures(DriverCase):
    def test_nothing_is_left_after_an_error(self):
        self.write("bad.upc", BROKEN)
        self.write("worse.upc", "shared int f(void) { return }\n")
        for name in ("bad.upc", "worse.upc"):
            for flags in (["-c"], ["-S"], ["-c", "-MMD"], []):
                self.refused(*flags, name)
                self.assertEqual(self.made(), ["bad.upc", "worse.upc"], (name, flags))
        self.refused("-trans", "worse.upc")
        self.assertEqual(self.made(), ["bad.upc", "worse.upc"])

    def test_old_output_is_not_taken_for_the_new(self):
        self.write("bad.upc", BROKEN)
        self.write("bad.o", "old")
        self.refused("-c", "bad.upc")
        self.assertFalse(self.exists("bad.o") and self.read("bad.o") != "old")

    def test_messages_of_the_compiler_name_the_source(self):
        self.write("bad.upc", "\n\nint main(void) { return undeclared_name; }\n")
        self.assertIn("bad.upc:3:", self.refused("-c", "bad.upc"))

    def test_missing_symbol(self):
        self.write("main.upc", "int nowhere(void);\nint main(void) { return nowhere(); }\n")
        self.assertIn("nowhere", self.refused("main.upc"))
        self.assertFalse(self.exists("a.out"))

    def test_no_main(self):
        self.write("part.upc", PART)
        self.assertIn("main", self.refused("part.upc"))

    def test_units_for_another_library(self):
        self.write("main.upc", "int part(void);\nint main(void) { return MYTHREAD + part(); }\n")
        self.write("part.upc", "shared int x;\nint part(void) { x = 1; return x + MYTHREAD; }\n")
        for options in ((), ("-network=shmem",), ("-pthreads",)):
            self.upcc(*options, "-c", "part.upc", "-o", "part%s.o" % "".join(options))
        of_pthreads = "upcc: note: some units were compiled with -pthreads, but others, or the link, without; use it " \
                      "for all units and for the link\n"
        self.assertTrue(self.refused("main.upc", "part-pthreads.o").endswith(of_pthreads))
        self.assertTrue(self.refused("-pthreads", "main.upc", "part.o").endswith(of_pthreads))
        for linker in [name for name in ("mold", "gold") if shutil.which("ld." + name)]:
            said = self.run_upcc("-fuse-ld=" + linker, "main.upc", "part-pthreads.o").err
            self.assertTrue(said.endswith(of_pthreads), said)
        if shutil.which("ld.lld"):
            self.assertTrue(self.refused("-fuse-ld=lld", "-pthreads", "main.upc", "part.o").endswith(of_pthreads))
        self.assertTrue(self.refused("main.upc", "part-network=shmem.o").endswith(
            "upcc: note: some units were compiled with -network=shmem, but the link was not; use it for all units and for "
            "the link\n"))

    def test_missing_compiler(self):
        self.write("hello.upc", HELLO)
        self.assertEqual(self.refused("-c", "hello.upc", env={"CC": "no-such-compiler"}),
                         "upcc: error: cannot run 'no-such-compiler': No such file or directory; "
                         "CC chooses the C compiler, for example CC=gcc\n")
        for words in (["-c", "hello.upc"], ["-v"], ["--version"]):
            said = harness.run([driver_case.UPCC, "-cc=no-such-compiler", *words], cwd=self.folder, env=self.env).err
            self.assertIn("upcc: error: cannot run 'no-such-compiler': No such file or directory; "
                          "-cc chooses the C compiler, for example -cc=gcc\n", said)
        self.assertEqual(self.refused("-link-with=no-such-linker -a", "hello.upc"),
                         "upcc: error: cannot run 'no-such-linker': No such file or directory; "
                         "-link-with chooses the program that links, for example -link-with=g++\n")

    def test_missing_mpi_compiler(self):
        self.write("hello.upc", HELLO)
        for name in ("no-such-mpicc", "/no/such/mpicc -O1"):
            said = self.refused("-uses-mpi", "-c", "hello.upc", env={"MPICC": name})
            self.assertIn("-uses-mpi: cannot find the compiler of an MPI library, '%s'; install one" % name.split()[0],
                          said)

    def test_compiler_that_is_upcc(self):
        """Build systems that are told CC=upcc hand it on to upcc, which must not compile with itself."""
        self.write("hello.upc", HELLO)
        upcc = os.path.abspath(driver_case.UPCC)
        os.symlink(upcc, self.path("another-name"))
        beside = os.path.dirname(upcc) + os.pathsep + os.environ["PATH"]
        for name in (upcc, upcc + " -O2", "./another-name", "env " + upcc, "upcc"):
            self.upcc("-c", "hello.upc", env={"CC": name, "PATH": beside})
        self.assertEqual(self.refused("-c", "hello.upc", env={"CC": "sh -c '%s \"$@\"' sh" % upcc}),
                         "upcc: error: the C compiler that CC, MPICC or a variable of MPI names runs upcc again; "
                         "let it name a C compiler, for example CC=gcc\n")

    def test_upcc_that_a_server_of_the_compiler_runs(self):
        """A server inherits the mark of the upcc by whose compiler it was started, and outlives it."""
        self.write("hello.upc", HELLO)
        other = subprocess.Popen(["sleep", "600"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.upcc("-c", "hello.upc", env={"BANYAN_UPCC_IS_RUNNING": str(other.pid)})
        self.assertIn("runs upcc again", self.refused("-c", "hello.upc", env={"BANYAN_UPCC_IS_RUNNING": str(os.getpid())}))

    def test_compiler_that_fails(self):
        self.write("hello.upc", HELLO)
        self.assertEqual(self.refused("-c", "hello.upc", env={"CC": "false"}), "")

    def test_compiler_that_dies(self):
        self.write("hello.upc", HELLO)
        self.assertEqual(self.refused("-c", "hello.upc", env={"CC": "sh -c 'kill -SEGV $$'"}),
                         "upcc: error: 'sh' was killed by signal 11 (Segmentation fault)\n")

    def test_status_of_the_compiler_is_kept(self):
        self.write("hello.upc", HELLO)
        self.assertEqual(self.run_upcc("-c", "hello.upc", env={"CC": "sh -c 'exit 3'"}).status, 3)

    def test_parent_that_ignores_how_children_end(self):
        self.write("hello.upc", HELLO)
        for compiler, status in (("cc", 0), ("sh -c 'exit 3'", 3)):
            done = subprocess.run([driver_case.UPCC, "-c", "hello.upc"], cwd=self.folder, stderr=subprocess.PIPE,
                                  env={**self.env, "CC": compiler}, check=False, text=True,
                                  preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
            self.assertEqual((done.returncode, done.stderr), (status, ""), compiler)

    def test_installation_that_lacks_a_part(self):
        self.write("hello.upc", HELLO)
        os.makedirs(self.path("tree/bin"))
        os.makedirs(self.path("tree/include/banyan"))
        shutil.copy(driver_case.UPCC, self.path("tree/bin/upcc"))
        header = os.path.realpath(self.path("tree/include/banyan")) + "/access.h"
        for why, link in (("cannot find '%s'; install upcc together with its include and lib folders", ""),
                          ("cannot read '%s': Too many levels of symbolic links", header)):
            if link:
                os.symlink(link, header)
            done = subprocess.run(["tree/bin/upcc", "-c", "hello.upc"], cwd=self.folder, env=self.env, text=True,
                                  stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stderr), (1, "upcc: error: " + why % header + "\n"))

    def test_signals_end_everything(self):
        self.write("hello.upc", HELLO)
        script = self.path("slow.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho started >> started\nexec sleep 60\n')
        os.chmod(script, 0o755)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([driver_case.UPCC, "hello.upc"], cwd=self.folder, env={**self.env, "CC": script},
                                       preexec_fn=driver_case.harness.default_signals)
            while not self.exists("started"):
                time.sleep(0.01)
            self.assertEqual(len(os.listdir(self.temporaries)), 1)
            process.send_signal(number)
            self.assertEqual(process.wait(driver_case.harness.HANGS), -number)
            self.assertEqual(os.listdir(self.temporaries), [])
            os.unlink(self.path("started"))

    def test_broken_pipe_ends_quietly(self):
        self.write("hello.upc", HELLO)
        read_end, write_end = os.pipe()
        os.close(read_end)
        process = subprocess.run([driver_case.UPCC, "-trans", "hello.upc", "-o", "-"], cwd=self.folder,
                                 stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
        os.close(write_end)
        self.assertEqual((process.returncode, process.stderr), (1, "upcc: error: cannot write '-': Broken pipe\n"))


class ResponseFiles(DriverCase):
    def test_options_and_names(self):
        self.write("my hello.upc", HELLO)
        self.write("flags", "-O1  -o\n'the program'\t\"my hello.upc\"\n")
        self.upcc("@flags")
        self.assertEqual(self.program("./the program", "-n", "1"), "hello from 0 of 1\n")

    def test_quoting(self):
        self.write("hello.upc", HELLO)
        self.write("flags", "-DA=\\\"x\\ y\\\" '-DB=\"p q\"' \"-DC='r'\" -DD=''")
        macros = self.upcc("-E", "-dM", "@flags", "hello.upc").splitlines()
        for line in ('#define A "x y"', '#define B "p q"', "#define C 'r'", "#define D "):
            self.assertIn(line, macros)

    def test_nested(self):
        self.write("hello.upc", HELLO)
        self.write("inner", "-DINNER\n")
        self.write("outer", "@inner -DOUTER")
        macros = self.upcc("-E", "-dM", "@outer", "hello.upc")
        self.assertIn("INNER", macros)
        self.assertIn("OUTER", macros)

    def test_endless(self):
        self.write("loop", "@loop")
        self.assertIn("does '@loop' include itself?", self.refused("@loop"))

    def test_missing_file_is_an_input(self):
        self.assertEqual(self.refused("@nowhere"), "upcc: error: @nowhere: No such file or directory\n")

    def test_empty(self):
        self.write("hello.upc", HELLO)
        self.write("empty", "")
        self.upcc("@empty", "-c", "hello.upc")


class Diagnostics(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("bad.upc", "void f(void)\n{\n    shared int a;\n    shared int b;\n    shared int c;\n}\n")

    def test_colour_on_request_only(self):
        self.assertNotIn("\33", self.refused("-c", "bad.upc"))
        self.assertNotIn("\33", self.refused("-fdiagnostics-color=never", "-c", "bad.upc"))
        self.assertNotIn("\33", self.refused("-fdiagnostics-color=auto", "-c", "bad.upc"))
        for flag in ("-fdiagnostics-color=always", "-fdiagnostics-color"):
            self.assertIn("\33[01;31m\33[Kerror: ", self.refused(flag, "-c", "bad.upc"))
        self.assertNotIn("\33", self.refused("-fdiagnostics-color", "-fno-diagnostics-color", "-c", "bad.upc"))

    def test_limit(self):
        self.assertEqual(self.refused("-c", "bad.upc").count(" error: "), 3)
        text = self.refused("-fmax-errors=2", "-c", "bad.upc")
        self.assertEqual(text.count(" error: "), 2)
        self.assertTrue(text.endswith("compilation terminated due to -fmax-errors=2.\n"))
        self.assertEqual(self.refused("-Wfatal-errors", "-c", "bad.upc").count(" error: "), 1)
        self.assertIn("invalid number", self.refused("-fmax-errors=x", "-c", "bad.upc"))

    def test_long_chains(self):
        """As many operators in a row as generated programs have; fewer where the stack cannot grow that far"""
        start = "shared int x; int y; int f(int k, shared int *p) { "
        for chain in ("return x" + " + x" * 5000, "return y" + " * x + y" * 2500, "x++" + ", x = k" * 5000,
                      "return x" + " && x" * 5000, "return " + "k == 1 ? x : " * 5000 + "0",
                      "if (k) return x" + "; else if (x) return k" * 5000, "return *(p" + " + 1" * 5000 + ")"):
            self.write("long.upc", start + chain + "; }\n")
            self.upcc("-trans", "-O2", "-o", "long.c", "long.upc")
        self.write("long.upc", start + "return x" + " + x" * 5000 + "; }\n")
        small = harness.run(["sh", "-c", "ulimit -s 4096 && exec \"$@\"", "sh", driver_case.UPCC, "-trans", "long.upc"],
                            cwd=self.folder, env=self.env)
        self.assertEqual(small.status, 1)
        self.assertIn("is nested more than 2457 levels deep; split this construct", small.err)

    def test_long_chains_of_c(self):
        self.write("long.upc", "#pragma upc c_code\nint f(int k) { return " + "k == 1 ? 1 : " * 5000 + "THREADS; }\n")
        ended = harness.run(["sh", "-c", 'ulimit -Ss 512 && exec "$@"', "sh", driver_case.UPCC, "-c", "long.upc"],
                            cwd=self.folder, env=self.env)
        self.assertEqual((ended.status, ended.err), (0, ""))

    def test_small_stacks(self):
        """Usual programs compile, and those that need more are refused."""
        with open(driver_case.UPCC, "rb") as file:
            if re.search(b"__[at]san_", file.read()):
                self.skipTest("sanitizers take more of the stack")
        self.write("hello.upc", HELLO)
        start = "shared int x; int f(int k, shared int *p) { "
        deep = [start + "return " + "(" * 900 + "x" + " + 1)" * 900 + "; }\n",
                start + "return x" + " + x" * 1900 + "; }\n",
                start + "return " + "k == 1 ? x : " * 1900 + "0; }\n",
                start + "{" * 900 + "x = 1;" + "}" * 900 + " return 0; }\n",
                start + "if (k) {" * 900 + "x = 1;" + "}" * 900 + " return 0; }\n"]
        for kib in 1024, 512, 256, 128, 64:
            command = ["sh", "-c", f'ulimit -s {kib} && exec "$@"', "sh", driver_case.UPCC]
            ended = harness.run([*command, "hello.upc", "-o", "hello"], cwd=self.folder, env=self.env)
            self.assertEqual((ended.status, ended.err), (0, ""), kib)
            for text in deep:
                self.write("deep.upc", text)
                ended = harness.run([*command, "-trans", "deep.upc"], cwd=self.folder, env=self.env)
                self.assertEqual(ended.status, 1, (kib, ended.err))
                self.assertIn("levels deep; split this construct", ended.err)

    def test_what_is_warned_of_is_set_within_declarations(self):
        """#pragma GCC diagnostic holds where the declaration or statement that it stands in is printed anew."""
        push = '\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n'
        pop = "\n#pragma GCC diagnostic pop\n"
        start = "int old(void) __attribute__((deprecated));\n"
        for text, lines in ((f"shared int{push}b[THREADS]; int f(void) {{ return old(); }}", []),
                            (f"shared int{push}b[THREADS]; {pop}int f(void) {{ return old(); }}", [7]),
                            (f"{push}int f(void)\n{{\n static shared int c,{pop} d;\n return old(); }}", [10]),
                            (f"shared int b[{push}THREADS{pop}]; int f(void) {{ return old(); }}", [7])):
            self.write("set.upc", start + text + "\n")
            result = self.run_upcc("-c", "set.upc")
            told = [int(line.split(":")[1]) for line in result.err.splitlines() if "is deprecated" in line]
            self.assertEqual((result.status, told), (0, lines), text + result.err)

    def test_warnings(self):
        self.write("warn.upc", "#pragma upc nonsense\nint x;\n")
        self.assertIn("warning: ", self.run_upcc("-c", "warn.upc").err)
        self.upcc("-w", "-c", "warn.upc")
        self.upcc("-Wno-unknown-pragmas", "-c", "warn.upc")
        self.assertIn("[-Werror=unknown-pragmas]", self.refused("-Werror", "-c", "warn.upc"))
        self.assertIn("[-Werror=unknown-pragmas]", self.refused("-Werror=unknown-pragmas", "-c", "warn.upc"))


if __name__ == "__main__":
    driver_case.main()
