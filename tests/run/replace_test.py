#!/usr/bin/env python3
"""Programs may define functions of UPC's libraries themselves, as reference implementations do: each of them, under the
names that the headers declare, and the library continues to call its own (runtime/upc/own.h)."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

import jobs

LIB = os.path.join(jobs.BIN, "..", "lib")
UPCC = os.path.join(jobs.BIN, "upcc")
HEADERS = ("upc.h", "upc_atomic.h", "upc_castable.h", "upc_collective.h", "upc_io.h", "upc_nb.h", "upc_tick.h",
           "bupc.h", "pupc.h",
           "bupc_extern.h")
PUBLIC = re.compile(r"^[bp]?upc_(?!tentative_)\w+$")
LIBRARIES = {"smp": "libbanyan.a", "shmem": "libbanyan-shmem.a"}


def output(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=jobs.LIMIT, **more).stdout


def archives():
    paths = {network: os.path.join(LIB, name) for network, name in LIBRARIES.items()}
    return {network: path for network, path in paths.items() if os.path.exists(path)}


def declared():
    """Functions declared in the headers; those renamed by __asm__ are not in the library."""
    text = "".join("#include <%s>\n" % header for header in HEADERS)
    text = output(UPCC, "-E", "-P", "-", input=text, env=jobs.environment())
    text = re.sub(r'__typeof__\(\w+\) \w+ __asm__\("\w+"\);', "", text)
    return {name for name in re.findall(r"\b(\w+)\s*\(", text) if PUBLIC.match(name)}


def defined(archive):
    """Functions that an archive defines: name -> letter of nm"""
    lines = (line.split() for line in output("nm", archive).splitlines())
    return {words[-1]: words[-2] for words in lines
            if len(words) == 3 and words[1] in "TWVDB" and PUBLIC.match(words[2])}


class Replace(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="banyan-replace-")
        self.addCleanup(shutil.rmtree, self.folder)

    def test_headers_and_libraries_have_the_same_functions(self):
        names = declared()
        self.assertGreater(len(names), 400)
        for network, archive in archives().items():
            with self.subTest(network=network):
                self.assertEqual(sorted(names ^ set(defined(archive))), [])

    def test_all_of_them_are_weak(self):
        for network, archive in archives().items():
            with self.subTest(network=network):
                self.assertEqual([name for name, letter in defined(archive).items() if letter != "W"], [])

    def test_the_library_calls_its_own(self):
        for network, archive in archives().items():
            with self.subTest(network=network):
                wanted = re.findall(r"R_\w+\s+(b?upc_\w+)", output("objdump", "-r", archive))
                calls = {name for name in wanted if PUBLIC.match(name)} & set(defined(archive))
                self.assertEqual(sorted(calls), [])

    def run_with(self, *names):
        """Tests a program that defines functions of these names and calls them from main; returns what went wrong, or
        None"""
        base = os.path.join(self.folder, names[0])
        program = "".join(f"long {name}(void) {{ return {at}; }}\n" for at, name in enumerate(names))
        program += "int main(void) { return %s ? 0 : 1; }\n" % " && ".join(
            f"{name}() == {at}" for at, name in enumerate(names))
        with open(base + ".c", "w", encoding="utf-8") as file:
            file.write(program)
        for command in (["cc", "-O0", "-c", base + ".c", "-o", base + ".o"],
                        [UPCC, base + ".o", "-o", base], [base, "-n", "2"]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=jobs.LIMIT, env=jobs.environment())
            if done.returncode != 0:
                return "%s: %s" % (names[0], done.stderr.strip() or done.returncode)
        return None

    def test_what_is_done_in_place_elsewhere(self):
        """Atomic operations that upcc expands inline (compiler/lower/atomic.cc) become calls if the program defines
        them, even in another unit; the domain and the target are the library's."""
        own = """#include <upc_relaxed.h>
            #include <upc_atomic.h>
            int calls;
            void upc_atomic_%s(upc_atomicdomain_t *d, void *__restrict__ f, upc_op_t op, shared void *__restrict__ p,
                               const void *__restrict__ a, const void *__restrict__ b)
            { calls += op == UPC_ADD && *(const int *)a == 4; }
            int bupc_atomicI_fetchadd_%s(shared void *p, int v) { return 7 + v; }"""
        user = """#include <upc_relaxed.h>
            #include <upc_atomic.h>
            #include <bupc.h>
            extern int calls;
            shared int cells[THREADS];
            int main(void)
            {
                upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
                int four = 4, *volatile unknown = &four;
                upc_atomic_%s(d, NULL, UPC_ADD, &cells[MYTHREAD], &four, NULL);
                upc_atomic_%s(d, NULL, UPC_ADD, &cells[MYTHREAD], unknown, NULL);
                int got = bupc_atomicI_fetchadd_%s(&cells[MYTHREAD], 5);
                return calls == 2 && got == 12 && cells[MYTHREAD] == 0 ? 0 : 1;
            }"""
        for order in ("relaxed", "strict"):
            paths = {}
            for name, text in (("own", own), ("user", user)):
                paths[name] = os.path.join(self.folder, name + ".upc")
                with open(paths[name], "w", encoding="utf-8") as file:
                    file.write(text.replace("%s", order))
            program = os.path.join(self.folder, order)
            output(UPCC, "-O2", paths["own"], paths["user"], "-o", program, env=jobs.environment())
            output(program, "-n", "2", env=jobs.environment())

    def test_each(self):
        """Many in one program, since a program refers to no other function than those it defines; one by one only where
        that goes wrong, to name them"""
        names = sorted(declared())
        for first in range(0, len(names), 40):
            some = names[first:first + 40]
            wrong = self.run_with(*some)
            self.assertIsNone(wrong, wrong and list(filter(None, map(self.run_with, some))))


if __name__ == "__main__":
    unittest.main()
