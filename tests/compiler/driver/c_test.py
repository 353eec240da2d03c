#!/usr/bin/env python3
"""C beside UPC: files of C that have words of UPC as names, and parts of C in files of UPC."""

import driver_case

NAMES = """#include <stdio.h>
struct shared { int strict; };
enum { THREADS = 7 };
static int upc_wait(int MYTHREAD) { return MYTHREAD; }
int main(void)
{
    struct shared relaxed = { .strict = upc_wait(3) };
    printf("%d %d\\n", relaxed.strict, THREADS); /* upc_barrier; */
    return 0;
}
"""

PARTS = """#include <stdio.h>
#pragma upc c_code
static int shared = 40;
static int c_thread(void) { return MYTHREAD; }
static int c_threads(void) { return THREADS + shared; }
static int c_own(int relaxed) { int strict = relaxed; return strict; }
#pragma upc upc_code
shared int x[THREADS];
int main(void)
{
    x[MYTHREAD] = c_own(c_thread());
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d %d\\n", x[THREADS - 1], c_threads());
    return 0;
}
"""

BOTH = """#ifndef BOTH_H
#define BOTH_H
extern shared int both[];
static inline int both_of(int i) { return both[i]; }
#endif
"""


class C(driver_case.DriverCase):
    def test_words_of_upc_are_names_in_c(self):
        self.write("names.c", NAMES)
        for options in ([], ["-T", "2"], ["-T", "2", "-save-temps"], ["-g", "-O2"], ["-fupc-full-parse"]):
            with self.subTest(options=options):
                self.upcc(*options, "names.c", "-o", "names")
                count = "2" if "-T" in options else "1"
                self.assertEqual(self.program("./names", "-n", count).splitlines()[0], "3 7")

    def test_verbose_says_so(self):
        self.write("names.c", NAMES)
        for options in ([], ["-T", "2"]):
            said = self.run_upcc("-v", *options, "-c", "names.c").err
            self.assertIn("note: names.c: nothing here is UPC; names of C: 'MYTHREAD', 'THREADS', 'relaxed', "
                          "'shared', 'strict' and 'upc_wait'\n", said)
        self.write("flag.c", "int f(int strict) { return strict; }\n")
        self.assertIn("flag.c: nothing here is UPC; names of C: 'strict'\n", self.run_upcc("-v", "-c", "flag.c").err)
        self.write("hello.c", driver_case.HELLO)
        self.assertNotIn("names of C", self.run_upcc("-v", "-c", "hello.c").err)

    def test_a_file_that_uses_upc_is_never_c(self):
        for text in ("int upc_wait(int x);\nint f(void) { return MYTHREAD; }\n",
                     "struct s { int shared; };\nshared int x;\n", "int strict;\nshared int x;\n",
                     "void upc_wait(int);\nvoid f(void) { upc_notify(1); upc_wait(1); }\n",
                     "#include <upc.h>\nint THREADS;\n", "int MYTHREAD;\n#pragma upc strict\n"):
            self.write("both.c", text)
            for options in ([], ["-T", "2"]):
                with self.subTest(text=text, options=options):
                    said = self.refused("-v", *options, "-c", "both.c")
                    self.assertIn("error:", said)
                    self.assertNotIn("nothing here is UPC", said)

    def test_the_name_of_a_file_counts(self):
        self.write("names.upc", NAMES)
        self.assertIn("expected", self.refused("-c", "names.upc"))
        self.write("names.c", NAMES)
        self.assertIn("expected", self.refused("-x", "upc", "-c", "names.c"))

    def test_headers_of_c_in_a_program_of_upc(self):
        self.write("pool.h", "struct pool { int THREADS, shared; };\nint pool_new(struct pool *p, int MYTHREAD);\n")
        self.write("user.upc", '#include "pool.h"\nshared int x[THREADS];\nint main(void) { return x[MYTHREAD]; }\n')
        self.upcc("user.upc", "-o", "user")
        self.program("./user", "-n", "2")

    def test_parts_of_c(self):
        self.write("parts.upc", PARTS)
        self.write("parts.c", PARTS)
        for source in ("parts.upc", "parts.c"):
            for options in ([], ["-T", "2"]):
                with self.subTest(source=source, options=options):
                    self.upcc(*options, source, "-o", "parts")
                    self.assertEqual(self.program("./parts", "-n", "2"), "1 42\n")

    def test_a_file_of_c_that_asks_for_its_thread(self):
        self.write("c.c", "#pragma upc c_code\nint shared;\nint me(void) { return MYTHREAD + 10 * THREADS; }\n")
        self.write("main.upc", "int me(void);\nint main(void) { return me() != MYTHREAD + 10 * THREADS; }\n")
        for options in ([], ["-T", "2"]):
            self.upcc(*options, "main.upc", "c.c", "-o", "main")
            self.program("./main", "-n", "2")

    def test_a_header_of_both_parts(self):
        self.write("both.h", BOTH)
        c_part = '#pragma upc c_code\n#include "both.h"\nint strict;\nint c(void) { return strict; }\n' \
                 "#pragma upc upc_code\n"
        main = "shared int both[THREADS];\nint main(void) { return both_of(0) + c(); }\n"
        self.write("first_c.upc", c_part + '#include "both.h"\n' + main)
        self.write("first_upc.upc", '#include "both.h"\n' + c_part + main)
        for source in ("first_c.upc", "first_upc.upc"):
            for options in ([], ["-T", "2"]):
                with self.subTest(source=source, options=options):
                    self.upcc(*options, source, "-o", "both")
                    self.program("./both", "-n", "2")


if __name__ == "__main__":
    driver_case.main()
