#!/usr/bin/env python3
"""Messages of the C compiler about what UPC became are told in terms of the source: gcc's and clang's, errors and warnings."""

import re
import shutil
import unittest

import driver_case
from driver_case import BACK_ENDS, DriverCase

HEAD = """#include <upc.h>
#include <stdio.h>
#include <string.h>
#define TWICE(x) ((x) * 2)
struct cell { int n; double d; };
shared int count, a[THREADS], b[THREADS];
shared [4] double grid[4 * THREADS];
shared struct cell cells[THREADS];
shared int *p;
strict shared int flag;
int one(int q);
int known(unsigned u, int k, int *q)
{
    int local[4] = {0};
    (void)u, (void)k, (void)q, (void)local;
"""
TAIL = "\n    return 0;\n}\n"

# A statement, and a part of gcc's and of clang's message about it.  The caret stands at '@', which is left out; clang's at '#' if it has
# another place.  None: that compiler is silent.
STATEMENTS = [
    ('@int unused = a[1];', "unused variable", "unused variable"),
    ('if (b[k] < a[k]) { printf(@"%d", #grid[3]); }', "has type", "argument has type 'double'"),
    ('a[0] = 1, printf(@"%d\\n", MYTHREAD, #b[0]);', "too many arguments", "not used by format"),
    ('printf(@"%s %d\\n", #cells[2].n, 1);', "expects argument of type", "argument has type 'int'"),
    ('a[0] = k, printf(@"%d %d\\n", b[0]);', "expects a matching", "more '%' conversions"),
    ('if (a[k] @< u) b[k] = 1;', "different signedness", "different signs"),
    ('a[0] = b[0]; a[1] @== 3;', "value computed is not used", None),
    ('if (a[0] #= b[0]) @count++;', None, "without parentheses"),
    ('if (@a[0] = b[0]) count++;', "suggest parentheses", None),
    ('b[0] = a[0], q @= count;', "pointer from integer", "integer to pointer"),
    ('a[1] = 0; double *d = @local; (void)d;', "incompatible pointer type", None),
    ('char c = a[0]; c = @1000; b[0] = c;', "overflow in conversion", "changes value from 1000"),
    ('k = a[0] + (b[0] @<< 40);', "left shift count", "shift count"),
    ('k = a[0] + b[1] @/ 0;', "division by zero", "division by zero"),
    ('a[0] = 3; float f = @grid[2]; (void)f;', "conversion from", "implicit conversion loses"),
    ('a[0] = TWICE(b[0]) + @nowhere;', "undeclared", "undeclared identifier"),
    ('a[0] = @one(b[0], #b[1]);', "too many arguments to function", "too many arguments to function call"),
    ('@unknown(a[1]);', "implicit declaration", "implicit declaration|undeclared function"),
    ('a[0] = 1; cells[0].d #= @"text";', "incompatible types", "incompatible type"),
    ('const int c = 3; c @= a[0];', "assignment of read-only", "const-qualified"),
    ('memset(q, a[0], 4); strcpy(@a[0], "x");', "pointer from integer", "integer to pointer"),
    ('switch (a[0]) { case 1: break; @case 1: break; }', "duplicate case", None),
    ('if (a[0] == 1) @; b[0] = 1;', "empty body", None),
    ('b[0] = a[0] @== 3 & a[1];', "suggest parentheses", None),
    ('@upc_forall (int i = 0; i < THREADS; i++; &a[i]) { a[i] = b[i] + q; }', "incompatible|makes integer", "incompatible"),
    ('upc_forall (int i = 0; i < THREADS; i++; &a[i]) { a[i] = b[i] @< u; }', "different signedness", "different signs"),
    ('flag = flag @< u;', "different signedness", "different signs"),
    ('p = &a[k]; *p = *p @< u;', "different signedness", "different signs"),
    ('if (a[0]) printf(@"%p\\n", #p);', "has type", "argument has type"),
]
FLAGS = ["-Wall", "-Wextra", "-Wconversion", "-fsyntax-only"]


class Compilers(DriverCase):
    def told(self, compiler, text, *flags):
        self.write("w.upc", text)
        err = self.run_upcc(*flags, "w.upc", env={"CC": compiler}).err
        self.assertNotRegex(err, r"bn_|banyan/")
        return err

    def check(self, compiler, column_of, message_of):
        if shutil.which(compiler) is None:
            self.skipTest(compiler + " is not installed")
        line = HEAD.count("\n") + 1
        for row in STATEMENTS:
            statement = row[0]
            message = message_of(row)
            if message is None:
                continue
            with self.subTest(statement):
                column = column_of(statement) + len("    ") + 1
                text = statement.replace("@", "").replace("#", "")
                err = self.told(compiler, HEAD + "    " + text + TAIL, *FLAGS)
                places = [re.match(r"w.upc:(\d+):(\d+): (?:warning|error): (.*)", each) for each in err.split("\n")]
                found = [(int(each[1]), int(each[2])) for each in places if each and re.search(message, each[3])]
                self.assertIn(line, [where[0] for where in found], err)
                if not statement.startswith(("@int", "@upc_forall")):
                    self.assertEqual(found, [(line, column)], err)
                    # The line and a mark below it are the source's.
                    self.assertIn("%5d |     %s\n      | %s^" % (line, text, " " * (column - 1)), err)

    def test_gcc(self):
        self.check("gcc", lambda s: s.replace("#", "").index("@"), lambda row: row[1])

    def test_clang(self):
        def column(statement):
            return statement.replace("@", "").index("#") if "#" in statement else statement.index("@")
        self.check("clang", column, lambda row: row[2])

    def test_what_the_optimiser_finds(self):
        text = ("#include <upc.h>\n#include <string.h>\nshared int a[THREADS];\n"
                "static inline void put(char *s) { strcpy(s, \"0123456789\"); }\n"
                "int f(int k)\n{\n\tint x;\n\tif (k) x = a[k];\n\tchar small[4]; a[0] = 1; put(small);\n"
                "\ta[k] = small[a[1] & 1]; return a[0] + x;\n}\n")
        # As a default, which Ubuntu has, it wraps strcpy in a function of the header.
        err = self.told("gcc", text, "-O2", "-Wall", "-U_FORTIFY_SOURCE", "-c")
        self.assertIn("    inlined from 'f' at w.upc:9:34:\nw.upc:4:35: warning: ", err)
        self.assertRegex(err, r"w.upc:10:\d+: warning: 'x' may be used uninitialized")
        self.assertIn("w.upc: In function 'f':\n", err)

    def test_variables_named_only_for_their_types_are_used(self):
        """Much of what only these operands name is missing from emitted C."""
        self.write("w.upc", """
            #include <upc.h>
            int f(shared int *parameter, shared int *other);
            static shared [2] int *global = 0;
            int f(shared int *parameter, shared int *other)
            {
                shared int *a = 0, *b = 0, *c = 0, *d = 0, *e = 0, *g = 0;
                shared [4] int *h = 0, *i = 0, *j = 0;
                static shared int *kept = 0;
                shared int *many[3];
                __typeof__(a) same = 0;
                __typeof__(*b) *to = 0;
                return (same == 0) + (to == 0) + _Generic(c, shared int *: 1, default: 2) + _Generic(*d, int: 1, default: 2) +
                       (int)(upc_blocksizeof(*h) + upc_localsizeof(*i) + upc_elemsizeof(*j) + sizeof *e + sizeof *parameter) +
                       (int)(sizeof *many[1] + sizeof *kept + sizeof *global + __alignof__(*other)) +
                       __builtin_types_compatible_p(__typeof__(g), int *);
            }
            """)
        for compiler in BACK_ENDS:
            self.upcc("-Wall", "-Wextra", "-c", "w.upc", env={"CC": compiler})

    def test_a_loop_that_is_emitted_twice_is_warned_of_once(self):
        text = ("#include <upc.h>\nshared int a[THREADS];\nvoid f(void)\n{\n"
                "    upc_forall (int i = 0; i < THREADS; i++; &a[i]) { int unused; a[i] = i; }\n}\n")
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                err = self.told(compiler, text, "-O2", "-Wall", "-c")
                self.assertEqual(err.count("w.upc:5:59: warning: unused variable"), 1, err)
                self.assertNotIn("generated", err)

    def test_macros_of_system_headers(self):
        """gcc is told of the same as in C, in the same columns."""
        text = ("#include <limits.h>\n#include <signal.h>\n#include <stddef.h>\n#include <stdio.h>\n%s\n"
                "int g(int), h(char *);\n"
                "int f(unsigned u, char *p)\n{\n    int i = NULL;\n    i = NULL;\n    g(NULL);\n    char c = INT_MAX;\n"
                "    if (p == EOF) i++;\n    if (u == NULL) i++;\n    h(INT_MAX); h(stdout);\n"
                "    g(SIG_DFL);\n    return NULL;\n}\n"
                "int n =   NULL;\n")
        self.write("w.c", text % "")
        flags = ("-Wall", "-Wextra", "-c", "-fno-diagnostics-show-caret")
        found = [re.findall(r"w\.\w+(:\d+:\d+: (?:warning|error): .*)", err) for err in (
            driver_case.harness.run(["gcc", *flags, "w.c"], cwd=self.folder, env={**self.env, "LC_ALL": "C"}).err,
            self.told("gcc", text % "shared int s;", *flags))]
        self.assertEqual(found[1], found[0])
        self.assertGreater(len(found[0]), 8)

    def test_headers(self):
        self.write("part.h", "static inline int part(void) { return a[0] < 1u; }\n")
        err = self.told("gcc", "#include <upc.h>\nshared int a[THREADS];\n\n#include \"part.h\"\n", "-Wextra", "-c")
        self.assertIn("In file included from w.upc:4:\npart.h:1:44: warning: comparison", err.replace("./", ""))

    def test_options_of_messages(self):
        source = "#include <upc.h>\nshared int a;\nint f(void) { int x; return a + 1; }\n"
        err = self.told("gcc", source, "-Wall", "-c", "-fno-diagnostics-show-caret")
        self.assertEqual(err, "w.upc: In function 'f':\nw.upc:3:19: warning: unused variable 'x' [-Wunused-variable]\n")
        err = self.told("gcc", source, "-Wall", "-c", "-fdiagnostics-color=always")
        self.assertIn("\33[01;35m\33[Kwarning: ", err)
        self.assertIn("'\33[01m\33[Kx\33[m\33[K'", err)
        utf8 = self.run_upcc("-Wall", "-c", "-fdiagnostics-color=always", "w.upc", env={"CC": "gcc", "LC_ALL": "C.UTF-8"})
        self.assertIn("\u2018\33[01m\33[Kx\33[m\33[K\u2019", utf8.err)
        self.write("w.upc", source)
        err = self.run_upcc("-Wall", "-c", "-fdiagnostics-format=json", "w.upc", env={"CC": "gcc"}).err
        self.assertRegex(err, r'(?s)"kind": "warning".*"line": 3')

    def test_options_of_own_messages(self):
        self.write("w.upc", "#include <upc.h>\nshared int a[THREADS];\nint f(void)\n{\n    int x;\n"
                            "    upc_forall (int i = 0; i < THREADS; i++; i) break;\n    return 1;\n}\n")
        own = "w.upc:6:49: warning: 'break' leaves a upc_forall loop, which is undefined; let the loop end on all threads"
        retold = "w.upc:5:9: warning: unused variable 'x'"
        lines = "    upc_forall (int i = 0; i < THREADS; i++; i) break;\n" + " " * 49 + "^~~~~"

        def told(*options):
            err = self.run_upcc("-Wall", "-c", *options, "w.upc", env={"CC": "gcc"}).err
            return err.replace("\u2018", "'").replace("\u2019", "'")

        self.assertIn(f"{own} [-Wupc-forall]\n    6 | ", told())
        err = told("-fno-diagnostics-show-option")
        self.assertTrue(f"{own}\n" in err and f"{retold}\n" in err, err)
        err = told("-fno-diagnostics-show-line-numbers")
        self.assertIn(f"{own} [-Wupc-forall]\n {lines}\n", err)
        self.assertEqual(told("-fdiagnostics-color=always", "-fdiagnostics-plain-output"),
                         f"{own} [-Wupc-forall]\nw.upc: In function 'f':\n{retold} [-Wunused-variable]\n")
        self.assertEqual(told("-fmessage-length=0", "-fdiagnostics-column-origin=1"), told())
        for option in ("-fmessage-length=20", "-fdiagnostics-column-origin=0", "-fdiagnostics-column-unit=byte"):
            self.assertEqual(told(option), f"upcc: warning: {option} has no effect on upcc's own messages\n{told()}")

    def test_messages_about_pragmas_name_their_lines(self):
        err = self.told("gcc", "#pragma redefine_extname f g\n#pragma redefine_extname f h\nint f(int);\n"
                        "shared int x;\nint main(void)\n{\n#pragma omp single\n    {\n"
                        "    #pragma omp barrier\n        x++;\n    }\n}\n", "-fopenmp", "-c")
        self.assertRegex(err, r"w.upc:2:9: warning: '#pragma redefine_extname' ignored")
        self.assertRegex(err, r"w.upc:9:\d+: error: barrier region may not be closely nested")

    def test_what_is_missing_is_missing_behind_the_token_before(self):
        err = self.told("gcc", "#include <upc.h>\nshared int a;\nint f(void) { a = 1; f()\n    return 1; }\n", "-c")
        self.assertRegex(err, r"w.upc:3:24: error: expected ';' before 'return'")

    def test_emitted_c_draws_no_warnings_of_its_form(self):
        """Nor errors: what the C compiler has made an error cannot be left out of its output."""
        self.write("w.upc", """
            #include <upc.h>
            strict shared int flag;
            strict shared int *shared at;
            shared struct { unsigned bits : 3; } fields;
            strict shared struct { unsigned bits : 3; } steady;
            int f(int x);
            int f(int x)
            {
                flag = x;
                x = flag++ + --flag + (flag += 2);
                fields.bits = 1u;
                fields.bits++;
                x += (int)(fields.bits++ + fields.bits + steady.bits++ + (steady.bits |= 2u) + steady.bits);
                at++;
                return x && !flag && at++ != (at += 1);
            }
            """)
        flags = {"gcc": [], "clang": ["-Wno-unknown-warning-option", "-Wreserved-identifier", "-Wanon-enum-enum-conversion"]}
        for compiler in BACK_ENDS:
            for network in ("smp", "shmem"):
                self.upcc("-Wdeclaration-after-statement", *flags[compiler], "-Werror", "-fsyntax-only", "-network=" + network,
                          "w.upc", env={"CC": compiler})

    def test_kept_files(self):
        err = self.told("gcc", "#include <upc.h>\nshared int a;\nint f(unsigned u) { return a < u; }\n", "-Wextra", "-c", "-save-temps")
        self.assertIn("w.upc:3:30: warning: comparison", err)

    def test_status_and_other_lines(self):
        self.write("w.upc", "#include <upc.h>\nshared int a;\nint f(unsigned u) { return a < u; }\n")
        result = self.run_upcc("-Wextra", "-Werror", "-c", "w.upc", env={"CC": "gcc"})
        self.assertEqual(result.status, 1)
        self.assertIn("w.upc:3:30: error: comparison", result.err)
        self.assertIn("[-Werror=sign-compare]", result.err)
        self.assertIn("all warnings being treated as errors\n", result.err)

    OWN_CASTS = """
        #include <upc.h>
        shared int a[THREADS];
        int *mine(void) { return (int *)&a[MYTHREAD]; }
        int f(unsigned u) { return a[0] < u; }
        """

    def test_werror_spares_own_code(self):
        """A warning about what upcc adds is left out where -Werror makes it an error, too."""
        self.write("w.upc", self.OWN_CASTS.replace("int f", "// int f"))
        for compiler in BACK_ENDS:
            for flags in (["-Wbad-function-cast", "-Werror"], ["-Werror=bad-function-cast"]):
                with self.subTest(compiler=compiler, flags=flags):
                    self.upcc(*flags, "-c", "w.upc", "-o", "w.o", env={"CC": compiler})

    def test_werror_keeps_the_others(self):
        """The program's own warnings remain errors, even if gcc finds them only when upcc's are out of the way."""
        self.write("w.upc", self.OWN_CASTS)
        wanted = ["-Wbad-function-cast", "-Wsign-compare"]
        for compiler, flags in [*((compiler, []) for compiler in BACK_ENDS), ("gcc", ["-Wfatal-errors"])]:
            with self.subTest(compiler=compiler, flags=flags):
                err = self.refused(*wanted, *flags, "-Werror", "-c", "w.upc", env={"CC": compiler})
                self.assertIn("w.upc:5:41: error: comparison", err)
                self.assertNotIn("cast from function call", err)
                result = self.run_upcc(*wanted, "-Werror=bad-function-cast", "-c", "w.upc", env={"CC": compiler})
                self.assertEqual(result.status, 0)
                self.assertIn("w.upc:5:41: warning: comparison", result.err)

    def test_pragma_makes_errors_of_own_code(self):
        """No option takes that back, so the message is shown as it is."""
        self.write("w.upc", '#pragma GCC diagnostic error "-Wbad-function-cast"' + self.OWN_CASTS)
        self.assertIn("[-Werror=bad-function-cast]", self.refused("-c", "w.upc", env={"CC": "gcc"}))


if __name__ == "__main__":
    driver_case.main()
