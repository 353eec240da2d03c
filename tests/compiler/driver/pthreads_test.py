#!/usr/bin/env python3
"""-pthreads: what it goes with, what it refuses, whose objects are whose, and how the threads share processes."""

import os
import resource
import shutil
import subprocess

import driver_case

PROGRAM = """#include <stdio.h>
#include <unistd.h>
#include <upc.h>
#include "count.h"
int own = 1, *to_own = &own;
static shared long process[THREADS];
int main(void)
{
    own += MYTHREAD;
    process[MYTHREAD] = getpid();
    upc_barrier;
    int own_are_own = *to_own == 1 + MYTHREAD, processes = 0;
    for (int t = 0; t < THREADS; t++) {
        int seen = 0;
        for (int before = 0; before < t; before++)
            seen |= process[before] == process[t];
        processes += !seen;
    }
    add_one();
    upc_barrier;
    printf("%d %d %d %d\\n", MYTHREAD, own_are_own, processes, count_of());
    return 0;
}
"""
OF_C = "static int count;\nvoid add_one(void) { __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST); }\n" \
       "int count_of(void) { return count; }\n"

# Own objects whose declarations begin with various words; C90, but for the first
FORMS = """#if __STDC_VERSION__ > 201710L
[[gnu::unused]] static int c23 = 1;
[[gnu::unused]] extern int c23_too; int c23_too = 1;
#endif
#define CHECK(e) ((e) ? 0 : 1)
__extension__ static long long k[2] = {1, 2};
__extension__ union forms { double d; struct { long long l; } s; } u = { 0.25 };
__extension__ __attribute__((__unused__)) struct { __extension__ long long q; } w[3];
__attribute__((aligned(64))) int aligned = 4;
__attribute__((__unused__)) static const char *text = "a";
__extension__ extern int e;
__extension__ int e = 3;
static const int constant = 5;
static int n = 1, *p = &n, f(int);
int *const q = &n;
static int f(int by)
{
    __extension__ static long long calls
#if __STDC_VERSION__ <= 201710L
        = 3;
#else
        = 3; [[gnu::unused]] static long local = 3;
#endif
    static int *r = &n;
    extern int e;
    calls += by;
    return (int)calls + *r + e;
}
int main(void)
{
    return CHECK(f(MYTHREAD) == 7 + MYTHREAD && f(0) == 7 + MYTHREAD && k[1] + w[0].q == 2 && u.d > 0 && aligned == 4 &&
                 *text == 'a' && constant == 5 && *p + *q == 2);
}
"""


class Pthreads(driver_case.DriverCase):
    def setUp(self):
        super().setUp()
        self.write("count.h", "void add_one(void);\nint count_of(void);\n")
        self.write("count.c", OF_C)
        self.program("cc", "-c", "count.c")  # by the C compiler: a library
        self.write("a.upc", PROGRAM)

    def run_it(self, **settings):
        return driver_case.harness.run([self.path("a")], cwd=self.folder, env={**self.env, **settings})

    def lines(self, **settings):
        done = self.run_it(**{"BANYAN_THREADS": "5", **settings})
        self.assertEqual((done.status, done.err), (0, ""))
        return sorted(done.out.splitlines())

    def test_objects_and_processes(self):
        for option, each in (("-pthreads", (5,) * 5), ("-pthreads=2", (2, 2, 2, 2, 1)), ("-fupc-pthreads", (5,) * 5),
                             ("-fupc-pthreads-per-process-3", (3, 3, 3, 2, 2)), ("-nopthreads", (1,) * 5)):
            with self.subTest(option=option):
                self.upcc(option, "a.upc", "count.o", "-o", "a")
                processes = {(5,) * 5: 1, (2, 2, 2, 2, 1): 3, (3, 3, 3, 2, 2): 2, (1,) * 5: 5}[each]
                self.assertEqual(self.lines(), ["%d 1 %d %d" % (t, processes, each[t]) for t in range(5)])

    def test_the_number_may_be_said_at_the_start(self):
        self.upcc("-pthreads=2", "a.upc", "count.o", "-o", "a")
        for name in ("BANYAN_PTHREADS", "UPC_PTHREADS_PER_PROC"):
            self.assertEqual([line.split()[2] for line in self.lines(**{name: "4"})], ["2"] * 5)

    def test_debugging_and_checks(self):
        self.upcc("-g", "-O0", "-fcheck", "-pthreads", "a.upc", "count.o", "-o", "a")
        self.assertEqual(len(self.lines()), 5)

    def test_files_of_c_that_upcc_compiles_are_of_the_program(self):
        self.write("part.c", "extern int count;\nint *to_count = &count, count = 1;\n"
                   "int next(void)\n{\n    static int calls;\n    *to_count += 1;\n"
                   "    return 10 * count + ++calls;\n}\n")
        self.write("b.upc", "#include <stdio.h>\n#include <upc.h>\nextern int count;\nint next(void);\n"
                   "int main(void)\n{\n    count += MYTHREAD;\n    upc_barrier;\n    int first = next();\n"
                   "    printf(\"%d %d\\n\", first, next());\n}\n")
        self.upcc("-pthreads", "b.upc", "part.c", "-o", "a")
        self.assertEqual(self.lines(BANYAN_THREADS="3"), ["21 32", "31 42", "41 52"])

    def test_variables_of_the_c_library_may_be_declared_by_hand(self):
        names = ("long timezone, __timezone", "int daylight, __daylight, signgam, optind, opterr, optopt, getdate_err",
                 "char **environ, **__environ, **_environ", "char *tzname[2], *__tzname[2], *optarg",
                 "char *program_invocation_name, *program_invocation_short_name", "char *__progname, *__progname_full",
                 "struct _IO_FILE *stdin, *stdout, *stderr")
        objects = [word.strip("*").split("[")[0] for line in names for word in line.replace(",", "").split()
                   if word not in ("long", "int", "char", "struct", "_IO_FILE")]
        self.write("b.upc", "#include <upc.h>\n" + "".join(f"extern {line};\n" for line in names) +
                   "int main(void)\n{\n    static void *shared [] first[%d];\n    void *const all[] = {&%s};\n"
                   % (len(objects), ", &".join(objects)) +
                   "    for (int i = 0; i < %d; i++)\n        if (MYTHREAD == 0)\n            first[i] = all[i];\n"
                   "    upc_barrier;\n    int others = 0;\n    for (int i = 0; i < %d; i++)\n"
                   "        others += first[i] != all[i];\n    return others;\n}\n" % ((len(objects),) * 2))
        self.upcc("-pthreads", "b.upc", "-lm", "-o", "a")
        self.lines()

    def test_variables_that_a_header_declares_may_be_defined(self):
        self.write("system/version.h", "#pragma GCC system_header\nextern const char *program_version;\n"
                   "const char *version_of_library(void);\n")
        self.write("library.c", "extern const char *program_version;\n"
                   "const char *version_of_library(void) { return program_version; }\n")
        self.program("cc", "-c", "library.c")
        self.write("b.upc", "#include <stdio.h>\n#include <upc.h>\n#include <version.h>\n"
                   "const char *program_version = \"1.0\";\nint main(void)\n{\n"
                   "    static int program_version;\n    program_version++;\n"
                   "    printf(\"%s %d\\n\", version_of_library(), program_version);\n    return 0;\n}\n")
        self.upcc("-pthreads", "-isystem", "system", "b.upc", "library.o", "-o", "a")
        self.assertEqual(self.lines(BANYAN_THREADS="2"), ["1.0 1", "1.0 1"])

    def test_a_program_of_c_stays_one(self):
        self.write("b.c", "#include <stdio.h>\nstatic int x = 3, *p = &x;\n"
                   "int main(int argc, char **argv)\n{\n    printf(\"%d %s\\n\", *p, argv[argc - 1]);\n}\n")
        self.upcc("-pthreads", "b.c", "-o", "a")
        self.assertEqual(self.program("./a", "-n", "4"), "3 4\n")

    def test_pthread_exit_ends_a_thread(self):
        self.write("b.upc", "#include <pthread.h>\n#include <stdio.h>\n#include <upc.h>\nint main(void)\n{\n"
                   "    printf(\"%d\\n\", MYTHREAD);\n    if (MYTHREAD != 2)\n        pthread_exit(NULL);\n"
                   "    return 0;\n}\n")
        for option in ("-pthreads", "-pthreads=2"):
            self.upcc(option, "b.upc", "-o", "a")
            self.assertEqual(self.lines(), ["0", "1", "2", "3", "4"])

    def test_objects_that_say_so_themselves(self):
        self.write("b.upc", "#include <stdio.h>\n#include <upc.h>\nshared int x[THREADS];\n"
                   "static _Thread_local shared int *p = &x[1];\n__thread int own = 3;\n"
                   "int main(void)\n{\n    own += MYTHREAD;\n    upc_barrier;\n"
                   "    printf(\"%d %d\\n\", (int)upc_threadof(p), own);\n}\n")
        self.upcc("-pthreads", "b.upc", "-o", "a")
        self.assertEqual(self.lines(BANYAN_THREADS="2"), ["1 3", "1 4"])

    def test_declarations_of_every_form_and_standard(self):
        self.write("b.upc", FORMS)
        for compiler in driver_case.BACK_ENDS:
            for standard in ("c90", "c99", "c11", "c17", "gnu2x"):
                with self.subTest(compiler=compiler, standard=standard):
                    self.upcc("-pthreads", "-std=" + standard, "-Wall", "-Wextra", "-pedantic-errors", "b.upc", "-o",
                              "a", env={"CC": compiler})
                    self.lines(BANYAN_THREADS="2")

    def test_words_that_upcc_adds_draw_no_warnings(self):
        """gcc warns of a storage class behind other words; so it would of __thread."""
        source = "int static x;\nint f(void) { volatile int static y; return y + x; }\n"
        self.write("late.c", source)
        self.write("late.upc", "shared int s;\n" + source)
        self.write("own.upc", "int __thread own;\n" + source)
        for options in ((), ("-fno-diagnostics-show-option",)):
            with self.subTest(options=options):
                for name in ("late.c", "late.upc"):
                    said = self.run_upcc("-pthreads", "-Wextra", *options, "-c", name, env={"CC": "gcc"}).err
                    self.assertEqual(said.count("warning:"), 2, said)
                    self.assertNotIn("__thread", said)
                self.assertIn("__thread", self.run_upcc("-Wextra", *options, "-c", "own.upc", env={"CC": "gcc"}).err)

    def test_nopthreads_undoes_it(self):
        self.upcc("-pthreads=2", "-nopthreads", "a.upc", "count.o", "-o", "a")
        self.assertEqual([line.split()[2] for line in self.lines()], ["5"] * 5)

    def test_static_objects_in_loops_are_what_they_are_elsewhere(self):
        """C23 allows them, and C17 does not; the C compiler decides."""
        self.write("b.upc", "int main(void) { for (static int i = 0; i < 3; i++) { } return 0; }\n")
        for option in ("-std=gnu17", "-std=gnu2x"):
            with self.subTest(option=option):
                plain = self.run_upcc(option, "-c", "b.upc")
                self.assertEqual(self.run_upcc(option, "-pthreads", "-c", "b.upc").status, plain.status)

    def test_what_it_does_not_go_with(self):
        self.assertIn("is not supported with -uses-mpi", self.refused("-pthreads", "-uses-mpi", "a.upc"))
        for option in ("-pthreads=0", "-pthreads=x", "-pthreads=5000"):
            self.assertIn("invalid number of threads in '%s'" % option, self.refused(option, "a.upc"))

    def test_threads_of_openmp_are_none_of_upc(self):
        for options, is_warned in ((("-pthreads",), True), ((), False), (("-pthreads", "-nopthreads"), False),
                                   (("-pthreads", "-w"), False)):
            said = self.run_upcc("-fopenmp", "-fsyntax-only", *options, "a.upc")
            self.assertEqual(said.status, 0, said.err)
            self.assertEqual("threads that OpenMP starts are not UPC threads" in said.err, is_warned, said.err)

    def test_a_stack_without_a_limit_has_one_in_a_thread(self):
        if resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
            self.skipTest("stacks have a hard limit here")
        self.write("deep.upc", "int deep(int n) { volatile char x[1 << 20]; x[0] = n;\n"
                               "    return n > 0 ? deep(n - 1) + x[0] * 0 : 0; }\n"
                               "int main(void) { return MYTHREAD == 1 ? deep(20) : 0; }\n")
        self.upcc("-pthreads", "deep.upc", "-o", "deep")
        says = {"unlimited": "set ulimit -s to a number", "1024": "or raise ulimit -s)", "40960": None}
        for limit, text in says.items():
            done = driver_case.harness.run(["sh", "-c", "ulimit -s %s; exec ./deep" % limit], cwd=self.folder,
                                           env={**self.env, "BANYAN_THREADS": "2"})
            self.assertEqual(text is None, done.status == 0, done.err)
            self.assertIn(text or "", done.err)

    def test_an_address_that_a_shared_object_cannot_begin_with(self):
        self.write("b.upc", "void f(void)\n{\n    static int x;\n    static shared struct { int *p; } s = { &x };\n"
                   "    s.p = 0;\n}\n")
        self.assertIn("b.upc:4:44: error: with -pthreads each thread has its own 'x', whose address is not supported yet "
                      "in the initial value of a shared object", self.refused("-pthreads", "-c", "b.upc"))
        self.upcc("-c", "b.upc")

    def test_threads_unlock_only_what_they_have_locked(self):
        """ThreadSanitizer reports it otherwise.  The rule holds, too, where a constructor ends the thread."""
        self.write("locks.c", "#include <pthread.h>\n#include <unistd.h>\nstatic _Thread_local int held;\n"
                   "int __real_pthread_mutex_lock(pthread_mutex_t *);\n"
                   "int __real_pthread_mutex_unlock(pthread_mutex_t *);\n"
                   "int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)\n{\n"
                   "    held++;\n    return __real_pthread_mutex_lock(mutex);\n}\n"
                   "int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)\n{\n"
                   "    if (held-- == 0)\n        _exit(66);\n    return __real_pthread_mutex_unlock(mutex);\n}\n")
        self.write("b.upc", "#include <stdlib.h>\n#include <upc.h>\n"
                   "__attribute__((constructor)) static void end(void)\n{\n"
                   "    if (getenv(\"ENDS\"))\n        exit(MYTHREAD);\n}\n"
                   "int main(void)\n{\n    upc_barrier;\n    return 0;\n}\n")
        self.upcc("-pthreads", "b.upc", "locks.c", "-Wl,--wrap=pthread_mutex_lock,--wrap=pthread_mutex_unlock", "-o", "a")
        for settings, status in (({}, 0), ({"ENDS": "1"}, 1)):
            done = self.run_it(BANYAN_THREADS="3", **settings)
            self.assertEqual(done.status, status, done.err)

    def test_thread_sanitizer(self):
        self.write("b.upc", "#include <upc.h>\nshared int x;\nstrict shared int y;\nint main(void)\n{\n"
                   "    if (MYTHREAD == 0) {\n        x = 1;\n        y = 2;\n    }\n"
                   "    while (y != 2)\n        ;\n    return x - 1 + (RACE ? (x = 1) - 1 : 0);\n}\n")
        library = os.path.join(os.path.dirname(os.path.dirname(driver_case.UPCC)), "lib", "libbanyan-pthreads-tsan.a")
        build = ("-g", "-pthreads", "-fsanitize=thread", "b.upc", "-o", "a")
        if not os.path.exists(library):
            self.assertIn("--target banyan-pthreads-tsan", self.refused("-DRACE=0", *build))
            return
        for race in (0, 1):
            self.upcc("-DRACE=%d" % race, *build)
            done = self.run_it(BANYAN_THREADS="3")
            self.assertEqual((done.status, "data race" in done.err), (66 * race, bool(race)), done.err)

    def test_thread_sanitizer_where_upcc_is_installed(self):
        """There is no build folder then: the message names a command for the sources, and where its library goes."""
        build = os.path.dirname(os.path.dirname(driver_case.UPCC))
        os.makedirs(self.path("tree/lib"))
        os.makedirs(self.path("tree/bin"))
        shutil.copy(driver_case.UPCC, self.path("tree/bin/upcc"))
        os.symlink(os.path.join(build, "include"), self.path("tree/include"))
        os.symlink(os.path.join(build, "lib", "libbanyan.a"), self.path("tree/lib/libbanyan.a"))
        done = subprocess.run(["tree/bin/upcc", "-pthreads", "-fsanitize=thread", "a.upc"], cwd=self.path("."),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"in the sources of Banyan [0-9.]+, 'cmake -B build && cmake --build build "
                         r"--target banyan-pthreads-tsan && cp build/lib/libbanyan-pthreads-tsan.a /.*/tree/lib' makes")

    def test_labels_cannot_tell_threads(self):
        self.upcc("-pthreads", "a.upc", "count.o", "-o", "a")
        done = self.run_it(BANYAN_THREADS="2", BANYAN_LABEL="yes")
        self.assertEqual(done.status, 1)
        self.assertIn("-label cannot tell threads that share a process", done.err)


if __name__ == "__main__":
    driver_case.main()
