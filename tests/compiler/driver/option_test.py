#!/usr/bin/env python3
"""What each option of upcc means: those of its own, and those of other UPC compilers."""

import os
import re
import shlex
import shutil
import subprocess

import driver_case
from driver_case import BACK_ENDS, HELLO, PART, DriverCase, harness

COUNT = "#ifdef THREADS\nint count = THREADS;\n#else\nint count = 0;\n#endif\nint main(void) { return count; }\n"


class Threads(DriverCase):
    def test_every_spelling(self):
        self.write("count.upc", COUNT)
        for flags in (["-T", "3"], ["-T3"], ["-T=3"], ["-fupc-threads-3"], ["-fupc-threads=3"], ["-fupc-threads", "3"],
                      ["-fthreads-3"], ["-fthreads=3"], ["-fthreads", "3"], ["-T3", "-T", "3"]):
            macros = self.upcc("-E", "-dM", *flags, "count.upc").splitlines()
            self.assertIn("#define THREADS 3", macros, flags)
            self.assertIn("#define __UPC_STATIC_THREADS__ 1", macros, flags)

    def test_program_has_that_many(self):
        self.write("hello.upc", HELLO)
        self.upcc("-T", "3", "hello.upc", "-o", "hello")
        self.assertEqual(self.program("./hello").count("of 3"), 3)

    def test_contradiction(self):
        self.write("count.upc", COUNT)
        self.assertEqual(self.refused("-T", "3", "-fupc-threads-4", "count.upc"),
                         "upcc: error: '-fupc-threads-4' contradicts '-T 3'\n")

    def test_invalid(self):
        self.write("count.upc", COUNT)
        for flag in ("-T0", "-T-1", "-Tx", "-T=", "-T3x", "-Tscript.ld", "-fthreads-", "-T99999999999999999999"):
            self.assertIn("invalid number of threads in '%s'" % flag, self.refused(flag, "count.upc"))
        self.assertIn("at most 1024 threads", self.refused("-T1025", "count.upc"))
        self.upcc("-T1024", "-c", "count.upc")


class Macros(DriverCase):
    def macros(self, *flags):
        self.write("empty.upc", "")
        lines = self.upcc("-E", "-dM", *flags, "empty.upc").splitlines()
        return dict((line.split(" ", 2) + [""])[1:3] for line in lines)

    def test_predefined(self):
        macros = self.macros()
        self.assertEqual(macros["__UPC__"], "1")
        self.assertEqual(macros["__UPC_VERSION__"], "201311L")
        self.assertEqual(macros["__UPC_DYNAMIC_THREADS__"], "1")
        self.assertNotIn("__UPC_STATIC_THREADS__", macros)
        self.assertNotIn("THREADS", macros)
        self.assertNotIn("MYTHREAD", macros)
        self.assertNotIn("__UPC_DYNAMIC_THREADS__", self.macros("-T4"))

    def test_largest_block_size_is_a_constant_of_the_preprocessor(self):
        self.write("block.upc", "#if UPC_MAX_BLOCK_SIZE < 1000000\n#error small\n#endif\n"
                                "shared [UPC_MAX_BLOCK_SIZE] int *p;\n")
        self.upcc("-c", "block.upc")
        self.write("block.upc", "shared [UPC_MAX_BLOCK_SIZE + 1u] int *p;\n")
        self.refused("-c", "block.upc")

    def test_libraries_that_are_there_have_their_macro(self):
        folder = self.upcc("-print-include-dir").strip()
        macros = self.macros()
        for header, macro in (("upc_collective.h", "__UPC_COLLECTIVE__"), ("upc_tick.h", "__UPC_TICK__"),
                              ("upc_castable.h", "__UPC_CASTABLE__"), ("upc_atomic.h", "__UPC_ATOMIC__"),
                              ("upc_nb.h", "__UPC_NB__"), ("upc_io.h", "__UPC_IO__")):
            self.assertEqual(os.path.exists(os.path.join(folder, header)), macro in macros, header)

    def test_plain_c_has_none(self):
        self.write("empty.c", "")
        self.assertNotIn("__UPC", self.upcc("-E", "-dM", "-x", "c", "empty.c"))

    def test_defined_and_undefined(self):
        self.assertEqual(self.macros("-DA=1", "-D", "B=2", "-DC", "-DD", "-UD")["B"], "2")
        self.assertNotIn("D", self.macros("-DD", "-U", "D"))
        self.assertEqual(self.macros("-DQ=\"a b\"")["Q"], '"a b"')


class Headers(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("sub/own.h", "#define OWN 7\n")
        self.write("sub/main.upc", "#include <own.h>\nint main(void) { return OWN; }\n")

    def test_beside_the_source_by_brackets(self):
        self.upcc("sub/main.upc", "-o", "main")
        self.program("./main", "-n", "1", status=7)

    def test_in_the_current_directory_by_brackets(self):
        self.write("here.h", "#define OWN 8\n")
        self.write("sub/main.upc", "#include <here.h>\nint main(void) { return OWN; }\n")
        self.upcc("sub/main.upc", "-o", "main")
        self.program("./main", "-n", "1", status=8)

    def test_system_headers_come_first(self):
        self.write("sub/stdio.h", "#error not this one\n")
        self.write("sub/main.upc", "#include <stdio.h>\nint main(void) { return 0; }\n")
        self.upcc("sub/main.upc", "-o", "main")

    def test_named_folders(self):
        self.write("a/deep.h", "#define DEEP 1\n")
        self.write("m.upc", "#include <deep.h>\nint main(void) { return DEEP; }\n")
        for flags in (["-Ia"], ["-I", "a"], ["-isystem", "a"], ["-idirafter", "a"]):
            self.upcc(*flags, "-c", "m.upc")
        self.write("m.upc", '#include "deep.h"\nint main(void) { return DEEP; }\n')
        self.upcc("-iquote", "a", "-c", "m.upc")
        self.write("m.upc", "int main(void) { return DEEP; }\n")
        self.upcc("-include", "a/deep.h", "-c", "m.upc")
        self.upcc("-imacros", "a/deep.h", "-c", "m.upc")

    def test_headers_of_upc_in_any_folder(self):
        header = ("#ifndef H\n#define H\nshared int x[THREADS];\nextern shared [2] double y[2 * THREADS];\n"
                  "static inline int get(void) { return x[MYTHREAD] + THREADS; }\n#endif\n")
        library = ("struct state { int shared, strict; };\nint lib(int strict, int relaxed);\n"
                   "static inline int is_shared(struct state *s) { return s->shared; }\n")
        for folder in ("sub", "other"):
            self.write(folder + "/words.h", header)
            self.write(folder + "/library.h", library)
        self.write("sub/main.upc", "#include <words.h>\n#include <library.h>\nint main(void)\n"
                                   "{ struct state s = {3, 4}; x[MYTHREAD] = is_shared(&s); return get() - THREADS - "
                                   "3; }\n")
        self.write("main.upc", self.read("sub/main.upc"))
        for source, flags, env in (("sub/main.upc", [], {}), ("main.upc", ["-isystem", "other"], {}),
                                   ("main.upc", ["-idirafter", "other"], {}),
                                   ("main.upc", [], {"C_INCLUDE_PATH": "other"}),
                                   ("main.upc", ["-Iother"], {})):
            for more in ([], ["-T", "2"], ["-fcheck"]):
                with self.subTest(source=source, flags=flags, env=env, more=more):
                    self.upcc(*flags, *more, source, "-o", "main", env=env)
                    self.program("./main", "-n", "2")
        self.write("other/words.h", "shared int *f(void) { return nothing; }\n")
        self.assertIn("other/words.h:1:", self.refused("-isystem", "other", "-c", "main.upc"))

    def test_headers_of_the_program_in_place_of_the_system(self):
        """cc ignores -I of a folder that it is told to search behind the system's, too."""
        self.write("fcntl.h", "#define OWN 1\n#include_next <fcntl.h>\n")
        for name in ("main.upc", "sub/main.upc"):
            self.write(name, "#include <fcntl.h>\nshared int s[OWN * THREADS];\nint flags = O_RDONLY;\n")
        self.write("sub/fcntl.h", self.read("fcntl.h"))
        for flags in (["-I."], ["-I", "."], ["-Isub/.."], ["-I", self.folder]):
            self.upcc(*flags, "-c", "main.upc")
            self.upcc(*flags, "-c", "sub/main.upc")
        self.upcc("-Isub", "-c", "sub/main.upc")
        for variable, path in (("CPATH", "."), ("CPATH", ":/nowhere"), ("CPATH", "/nowhere:"),
                               ("CPATH", "/nowhere:sub/.."),
                               ("C_INCLUDE_PATH", ".")):
            for compiler in BACK_ENDS:
                self.upcc("-c", "main.upc", env={variable: path, "CC": compiler})
        self.upcc("-c", "sub/main.upc", env={"CPATH": "/nowhere:sub"})
        self.refused("-c", "main.upc", env={"CPATH": ""})

    def test_included_first_may_be_upc(self):
        self.write("first.h", "extern shared int *first;\nstatic inline int get(void) { return first[3]; }\n")
        self.write("m.upc", "shared int *first;\nint f(void) { return get(); }\n")
        for compiler in BACK_ENDS:
            self.upcc("-include", "first.h", "-c", "m.upc", env={"CC": compiler})

    def test_upc_headers_are_found_without_the_standard_ones(self):
        self.write("m.upc", "#include <upc_types.h>\nint x;\n")
        self.upcc("-E", "-nostdinc", "-isystem", "/usr/include", "m.upc", "-o", "m.upci")

    def test_print_include_dir(self):
        for flag in ("-print-include-dir", "--print-include-dir"):
            folder = self.upcc(flag).strip()
            self.assertTrue(os.path.isfile(os.path.join(folder, "upc.h")))


class SharedHeap(DriverCase):
    def test_sizes(self):
        self.write("part.upc", PART)
        for size in ("64", "64MB", "64M", "1GB", "512KB", "512k", "2g"):
            for flags in (["-shared-heap=" + size], ["-shared-heap", size], ["--shared-heap=" + size]):
                self.upcc(*flags, "-c", "part.upc")
        for size in ("", "0", "x", "64XB", "-1", "99999999999999GB"):
            self.assertIn("invalid size", self.refused("-shared-heap=" + size, "part.upc"), size)
        for size in ("65GB", "1TB"):
            self.assertIn("at most 64GB", self.refused("-shared-heap=" + size, "part.upc"))

    def test_sizes_are_those_of_upcrun(self):
        upcrun = os.path.join(os.path.dirname(driver_case.UPCC), "upcrun")
        for size in ("64", "64MB", "1g", "512k", "1.5GB", "0.001TiB", "4096 b", " 64 MiB ", "1.", "65536M", "64.5G", "1T",
                     "", "0", "0.1B", "x", ".5G", "-1", "+1", "1e3", "0x10", "64XB", "64BB", "64IB", "64BiB", "MB", "64KM"):
            runs = harness.run([upcrun, "-show", "-n", "1", "-shared-heap", size, "true"], env=self.env)
            links = self.run_upcc("-###", "-shared-heap=" + size, "-lx")
            self.assertEqual("is not a size" in runs.err, links.status != 0, size + ": " + runs.err + links.err)

    def test_program_knows_its_limit(self):
        self.write("heap.upc", "#include <upc.h>\nint main(void) { return upc_alloc(8 << 20) ? 0 : 3; }\n")
        self.upcc("heap.upc", "-shared-heap=64MB", "-o", "heap")
        self.program("./heap", "-n", "1")
        self.upcc("heap.upc", "-shared-heap=1MB", "-o", "heap")
        result = harness.run([self.path("heap"), "-n", "1"], env=self.env)
        self.assertNotEqual(result.status, 0)

    def test_compiling_only_says_so(self):
        self.write("part.upc", PART)
        result = self.run_upcc("-v", "-shared-heap=1GB", "-c", "part.upc")
        self.assertIn("upcc: note: -shared-heap only affects the link\n", result.err)


class OtherCompilers(DriverCase):
    """Every option of Berkeley UPC, GNU UPC and Clang UPC is accepted or refused, none is ignored in silence."""

    accepted = ["-trace", "-opt", "-opt-enable=x", "-opt-enable", "-opt-disable=x", "-lines", "-norc",
                "-allow-deprecated", "-require-size", "-norequire-size", "-no-require-size", "-size-warn",
                "-nosize-warn", "-no-size-warn", "-heap-offset=1", "-shared-heap-max=1", "-fast-symptr",
                "-fupc-pts=struct", "-fupc-inline-lib", "-fupc-pre-include", "-fupc-debug", "-fno-upc-debug",
                "--opt", "--norc", "-extern-main", "-hupc", "-qupc", "-smp", "-smp_local"]
    warned = ["-nolines", "-tv", "-inst-functions",
              "-smart-output", "-show-sizes", "-Wu,x", "-Ww,x", "-fupc-pts=packed", "-fupc-packed-bits=20,12,32",
              "-fupc-pts-vaddr-order=first", "-fno-upc-inline-lib", "-fno-upc-pre-include",
              "-fupc-instrument-functions"]
    refused_ones = ["-conf=x", "-translator=x"]

    def setUp(self):
        super().setUp()
        self.write("part.upc", PART)

    def test_accepted(self):
        for flag in self.accepted:
            self.upcc(flag, "-c", "part.upc")
            self.assertIn("upcc: note: %s: " % flag, self.run_upcc("-v", flag, "-c", "part.upc").err)

    def test_warned(self):
        for flag in self.warned:
            result = self.run_upcc(flag, "-c", "part.upc")
            self.assertEqual(result.status, 0, flag)
            self.assertTrue(result.err.startswith("upcc: warning: %s has no effect: " % flag), result.err)
            self.assertEqual(result.err.count("\n"), 1)
            self.upcc(flag, "-w", "-c", "part.upc")

    def test_refused(self):
        for flag in self.refused_ones:
            self.assertTrue(self.refused(flag, "-c", "part.upc").startswith("upcc: error: %s: " % flag), flag)

    def test_threads_as_others_write_them(self):
        for flags in (["-X", "3"], ["-X3"], ["-qupc=threads=3"], ["-threads", "3"], ["-fthreads", "3"],
                      ["-h", "upc", "-X", "3"]):
            self.assertIn("#define THREADS 3\n", self.upcc(*flags, "-E", "-dM", "part.upc"))
        for flag in ("-n", "-np"):
            self.assertTrue(self.refused(flag, "4", "-c", "part.upc").startswith("upcc: error: %s: upcrun has" % flag))

    def test_networks(self):
        for flags in (["-network=smp"], ["--network=smp"], ["-network", "smp"], ["--network", "smp"]):
            self.upcc(*flags, "-c", "part.upc")
        for name in ("udp", "mpi", "ibv", "aries"):
            self.assertEqual(self.refused("-network=" + name, "-c", "part.upc"),
                             "upcc: error: '-network=%s': there is -network=smp, for one machine, and -network=shmem, "
                             "for several by OpenSHMEM; with -compat=bupc it means smp\n" % name)
            for flags in (["-network=" + name, "-compat=bupc"], ["-compat=bupc", "--network", name]):
                result = self.run_upcc(*flags, "-c", "part.upc")
                self.assertEqual((result.status, result.err), (
                    0, "upcc: warning: '-network=%s' has no effect: all threads run on one machine, as with "
                       "-network=smp\n"
                    % name))
                self.upcc(*flags, "-w", "-c", "part.upc")
            self.upcc("-network=" + name, "-network=smp", "-c", "part.upc")
        for name in ("", "udpp"):
            self.assertEqual(self.refused("-network=" + name, "-c", "part.upc"),
                             "upcc: error: unknown network '%s'; use -network=smp or -network=shmem\n" % name)

    def test_network_shmem(self):
        self.upcc("-network=shmem", "-c", "part.upc")
        self.upcc("-network=shmem", "-fcheck", "-c", "part.upc")
        self.assertIn("upcc: error: -uses-mpi is not supported with -network=shmem: the ranks of MPI are the threads",
                      self.refused("-network=shmem", "-uses-mpi", "-c", "part.upc"))
        for network in ("smp", "shmem"):
            self.write("library.upc", "#include <upc_io.h>\n#include <bupc.h>\n#if !__UPC_IO__ || !__UPC_COLLECTIVE__\n"
                       "#error no\n#endif\n")
            self.upcc("-network=" + network, "-c", "library.upc")

    def test_network_shmem_without_what_makes_its_library(self):
        bin_folder = os.path.dirname(driver_case.UPCC)
        os.mkdir(self.path("bin"))
        shutil.copy(os.path.join(bin_folder, "upcc"), self.path("bin"))
        os.symlink(os.path.join(bin_folder, "..", "include"), self.path("include"))
        done = subprocess.run([self.path("bin/upcc"), "-network=shmem", "part.upc"], cwd=self.folder, env=self.env,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("share/banyan/shmem-library'; install upcc together with its share folder", done.stderr)

    def test_mpi(self):
        self.write("hello.upc", HELLO)
        script = self.path("mpicc.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho \"$OMPI_CC: $*\" >>" + self.path("said") + "\nexec $OMPI_CC \"$@\"\n")
        os.chmod(script, 0o755)
        self.assertEqual(self.run_upcc("-print-mpicc", env={"MPICC": "my mpicc"}).out, "my mpicc\n")
        for flag in ("-print-mpicc", "--print-mpicc"):
            self.assertEqual(self.run_upcc(flag).out, "mpicc\n")
        self.assertEqual(self.run_upcc("-uses-mpi", "hello.upc", env={"MPICC": script, "CC": "gcc -O1"}).status, 0)
        said = self.read("said").splitlines()
        self.assertTrue(all(line.startswith("gcc -O1: ") for line in said), said)
        self.assertIn("-lbanyan", said[-1])
        # The program knows that mpirun is to start it.
        result = harness.run([self.path("a.out"), "-n", "2"], env={**self.env, "OMPI_COMM_WORLD_SIZE": ""})
        self.assertEqual(result.status, 1)
        self.assertIn("mpirun -n 2", result.err)

    def test_variables(self):
        version = re.search(r"upcc \(Banyan\) (\S+)", self.upcc("--version")).group(1)
        for form in ("--echo-var VERSION", "--echo-var=VERSION", "-echo-var VERSION", "-echo-var=VERSION"):
            self.assertEqual(self.upcc(*form.split()), version + "\n")
        env = {"CC": "gcc 'an option'", "MPICC": "my mpicc"}
        self.assertEqual(self.upcc("--echo-var", "CC", env=env), "gcc 'an option'\n")
        self.assertEqual(self.upcc("--echo-var", "CC", "-uses-mpi", env=env), "my mpicc\n")
        self.assertEqual(self.upcc("--echo-var", "MPICC", env=env), "my mpicc\n")
        self.assertEqual(self.upcc("--echo-var", "INCLUDE_DIR"), self.upcc("-print-include-dir"))
        self.assertEqual(self.upcc("--echo-var", "MAX_BLOCK_SIZE"), "2147483647\n")
        threads = self.upcc("--echo-var", "MAX_THREADS").strip()
        self.assertIn("at most %s threads" % threads, self.refused("-T", "99999999", "-E", "-"))
        self.write("hello.upc", HELLO)
        for network in self.upcc("--echo-var", "NETWORKS").split():
            self.upcc("-E", "-network=" + network, "hello.upc")

    def test_variables_compile_c(self):
        self.write("main.c", "#include <bupc_extern.h>\n#include <banyan/access.h>\n"
                             "int main(void) { return bupc_extern_threads() != 2; }\n")
        flags = [shlex.split(self.upcc("--echo-var", name)) for name in ("CC", "CFLAGS", "LIBS")]
        result = harness.run([*flags[0], *flags[1], "main.c", *flags[2], "-o", "main"], cwd=self.folder, env=self.env)
        self.assertEqual((result.status, result.err), (0, ""))
        self.program("./main", "-n", "2")

    def test_unknown_variables_are_errors(self):
        names = "VERSION, CC, MPICC, CFLAGS, LIBS, INCLUDE_DIR, LIB_DIR, NETWORKS, MAX_THREADS, MAX_BLOCK_SIZE"
        for name in ("version", "CONDUITS", ""):
            self.assertEqual(self.refused("--echo-var=" + name), "upcc: error: -echo-var: there is no variable '%s'; "
                             "there are %s\n" % (name, names))
        self.assertIn("missing argument", self.refused("--echo-var"))
        self.assertIn(names, " ".join(self.upcc("--help").split()))

    def test_link_with(self):
        self.write("hello.upc", HELLO)
        script = self.path("linker.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "linking $1" >&2\nshift\nexec cc "$@"\n')
        os.chmod(script, 0o755)
        for flags in (["-link-with=" + script + " first"], ["--link-with", script + " first"]):
            result = self.run_upcc(*flags, "hello.upc", "-o", "hello")
            self.assertEqual((result.status, result.err), (0, "linking first\n"))
            self.program("./hello", "-n", "2")
        self.assertIn("needs the name of a program", self.refused("-link-with=", "hello.upc"))

    def test_uses_threads(self):
        self.write("hello.upc", HELLO)
        self.assertIn("_REENTRANT", self.upcc("-uses-threads", "-E", "-dM", "hello.upc"))


if __name__ == "__main__":
    driver_case.main()
