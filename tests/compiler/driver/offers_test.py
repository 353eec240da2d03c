#!/usr/bin/env python3
"""What Berkeley UPC has beyond the specification is there with <upc.h> alone, and is in nobody's way."""

import re

import driver_case


NAME = re.compile(r"\b(b?upc_\w+)(?= __asm__\(|;|\()")


class Offers(driver_case.DriverCase):
    def offered(self):
        """Names that our headers offer, from what they are to the preprocessor"""
        self.write("all.upc", "#include <upc.h>\n")
        regions = re.findall(r"#pragma banyan offer\n(.*?)#pragma banyan end\n", self.upcc("-E", "all.upc"), re.DOTALL)
        names = set()
        for declaration in " ".join(re.sub(r"(?m)^#.*$", "", region) for region in regions).split(";"):
            declaration = re.sub(r"__typeof__\(\w+\)|\{[^}]*\}", "", declaration)
            found = NAME.search(declaration + ";")
            if found:
                names.add(found.group(1))
        self.assertGreater(len(names), 650)
        return sorted(names)

    def test_functions_of_a_program(self):
        names = self.offered()
        functions = "".join("long %s(long x) { return x + 1; }\n" % name for name in names)
        sum_of = " + ".join("%s(%d)" % (name, i) for i, name in enumerate(names))
        expected = sum(i + 1 for i in range(len(names)))
        main = "int main(void) { return %s == %d && MYTHREAD < THREADS ? 0 : 1; }\n" % (sum_of, expected)
        self.write("functions.upc", "#include <upc.h>\n" + functions + main)
        self.upcc("functions.upc", "-o", "functions")
        self.program("./functions", "-n", "2")

    def test_variables_and_types_of_a_program(self):
        for form in ("static double %s;", "shared int %s[THREADS];", "int %s[3] = {1, 2, 3};",
                     "extern int %s, other_%s;",
                     "typedef struct { int x; } %s;", "char %s __attribute__((aligned(8)));"):
            with self.subTest(form=form):
                lines = "".join(form.replace("%s", name) + "\n" for name in self.offered())
                self.write("names.upc", "#include <upc.h>\nshared int x;\n" + lines)
                self.upcc("-c", "names.upc")

    def test_names_of_a_program_before_the_header(self):
        lines = "".join("static int %s(void) { return 0; }\n" % name for name in self.offered())
        self.write("before.upc", lines + "#include <upc.h>\nshared int x;\n")
        self.upcc("-c", "before.upc")

    def test_what_is_not_used_is_not_there(self):
        self.write("plain.upc", '#include <upc.h>\nshared int x;\nconst char *text = "bupc_poll upc_sem_t";\n')
        self.upcc("-trans", "plain.upc")
        code = re.sub(r"(?m)^#.*$", "", self.read("plain.trans.c"))
        self.assertEqual(re.findall(r"bupc_poll \w+|bupc_\w+", code), ["bupc_poll upc_sem_t"])
        self.assertNotIn("#pragma banyan", self.read("plain.trans.c"))

    def test_what_is_used_brings_what_it_is_made_of(self):
        self.write("one.upc", "#include <upc.h>\nshared int x;\n"
                              "void f(void) { upc_memput_vlist_async(0, 0, 0, 0); }\n")
        self.upcc("-trans", "one.upc")
        words = set(re.findall(r"\bb?upc_\w+", self.read("one.trans.c")))
        self.assertLessEqual({"upc_memput_vlist_async", "bupc_memput_vlist_async", "bupc_handle_t", "upc_handle_t",
                              "bupc_smemvec_t", "bupc_pmemvec_t"}, words)
        self.assertNotIn("bupc_memget_vlist_async", words)

    def test_one_of_a_program_and_one_of_ours(self):
        self.write("mixed.upc", "#include <upc.h>\nstatic int bupc_thread_distance(int a, int b) { return a - b; }\n"
                                "typedef bupc_tick_t (*clock_of)(void);\n"
                                "static const clock_of clock = bupc_ticks_now;\nstatic bupc_tick_t then;\n"
                                "int main(void) { int upc_waitsync = 3; then = clock();\n"
                                "    return bupc_thread_distance(5, 2) == upc_waitsync && clock() >= then ? 0 : 1; }\n")
        self.upcc("mixed.upc", "-o", "mixed")
        self.program("./mixed", "-n", "2")

    def test_preprocessed_first(self):
        self.write("two.upc", "#include <upc.h>\nstatic void bupc_poll(int n) { (void)n; }\n"
                              "int main(void) { bupc_poll(1); upc_sem_free(upc_sem_alloc(0)); return 0; }\n")
        for flags in ((), ("-C",)):
            with self.subTest(flags=flags):
                self.upcc("-E", *flags, "two.upc", "-o", "two.upci")
                self.upcc("two.upci", "-o", "two")
                self.program("./two", "-n", "2")

    def test_messages_name_lines_behind_the_headers(self):
        self.write("wrong.upc", "#include <upc.h>\nbupc_tick_t t;\nint f(void) { return nothing; }\n")
        self.assertIn("wrong.upc:3:", self.refused("-c", "wrong.upc"))

    def test_names_asked_for_after_the_header(self):
        self.write("late.upc", "#include <upc.h>\n#define BUPC_USE_UPC_NAMESPACE\n#include <upc.h>\n"
                               "int f(void) { upc_trace_printf((\"x\")); return UPC_SEM_BOOLEAN + "
                               "UPC_THREADS_NEAR; }\n")
        self.upcc("-c", "late.upc")

    def test_headers_bring_what_programs_get_from_them(self):
        uses = {"upc_io.h": "upc_free(upc_all_alloc(1, 1)); if (0) upc_global_exit(1);",
                "upc_collective.h": "upc_lock(upc_all_lock_alloc());", "upc_atomic.h": "upc_free(upc_alloc(1));",
                "upc_castable.h": "upc_free(upc_alloc(1));",
                "upc_nb.h": "upc_sync(upc_memcpy_async(0, 0, 0)); upc_poll();",
                "bupc_collectivev.h": "size_t n = strlen(\"x\"); printf(\"%zu\", n); upc_free(upc_alloc(1));"
                                      "upc_all_broadcast(0, 0, 0, 0);"}
        for header, statements in uses.items():
            with self.subTest(header=header):
                self.write("one.upc", "#include <%s>\nvoid f(void) { %s }\n" % (header, statements))
                self.upcc("-c", "one.upc", "-Wall", "-Werror")

    def test_a_program_brings_bupc_collectivev_h(self):
        self.write("sub/bupc_collectivev.h", "#define FOUND 1\n")
        self.write("sub/main.upc", "#include <bupc_collectivev.h>\n#if !FOUND\n#error\n#endif\nshared int x;\n")
        self.upcc("-c", "sub/main.upc")
        self.write("ours.upc",
                   "#include <bupc_collectivev.h>\nint f(int x) { return bupc_allv_broadcast(int, x, 0); }\n")
        self.upcc("-c", "ours.upc")


if __name__ == "__main__":
    driver_case.main()
