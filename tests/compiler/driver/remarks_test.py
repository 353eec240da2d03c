#!/usr/bin/env python3
"""-Rupc=json: each line fits docs/remarks.schema.json, and says what -Rupc says in words."""

import json
import os
import re
import unittest

import driver_case
from driver_case import DriverCase
import json_schema

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
APPS = os.path.join(ROOT, "apps")
SOURCE = """shared int a[9*THREADS], b[9*THREADS];
int here(int);
void f(int n)
{
    upc_forall (int i = 0; i < n; i++; &a[i])
        a[i] = b[n - i];
    upc_forall (int i = 0; i < n; i++; here(i))
        a[i] = 0;
}
"""


class Remarks(DriverCase):
    def setUp(self):
        super().setUp()
        self.schema = json_schema.read("remarks.schema.json")

    def remarks(self, source):
        """The remarks as JSON, after they were checked"""
        result = self.run_upcc("-O2", "-Rupc=json", "-c", source, "-o", "out.o")
        self.assertEqual(result.status, 0, result.err)
        found = [json.loads(line) for line in result.err.splitlines()]
        for remark in found:
            self.assertEqual(json_schema.faults(remark, self.schema, "line"), [])
        return found

    def test_schema_finds_faults(self):
        good = {"kind": "missed", "file": "a.upc", "line": 1, "column": 1, "message": "m"}
        self.assertEqual(json_schema.faults(good, self.schema, "line"), [])
        for change in ({"kind": "other"}, {"line": 0}, {"line": "1"}, {"message": ""}, {"more": 1}, {"column": True}):
            self.assertNotEqual(json_schema.faults({**good, **change}, self.schema, "line"), [], change)
        self.assertNotEqual(json_schema.faults({"kind": "missed"}, self.schema, "line"), [])
        self.assertNotEqual(json_schema.faults([], self.schema, "line"), [])

    def test_same_as_in_words(self):
        self.write("loops.upc", SOURCE)
        in_words = self.run_upcc("-O2", "-Rupc", "-c", "loops.upc", "-o", "out.o").err
        words = re.findall(r"^(.*?):(\d+):(\d+): (optimized|missed): (.*)$", in_words, re.MULTILINE)
        found = [(r["file"], str(r["line"]), str(r["column"]), r["kind"], r["message"])
                 for r in self.remarks("loops.upc")]
        self.assertEqual(found, words)
        self.assertEqual([(r[1], r[3]) for r in found], [("5", "optimized"), ("6", "missed"), ("7", "missed")])

    def test_names_that_need_quoting(self):
        name = "a \"name\" with \\ and \u00e9.upc"
        self.write(name, SOURCE)
        self.assertEqual({remark["file"] for remark in self.remarks(name)}, {name})

    def test_nothing_without_passes(self):
        self.write("loops.upc", SOURCE)
        for flags in (["-O0"], ["-O2", "-fno-upc-opt"]):
            self.assertEqual(self.run_upcc(*flags, "-Rupc=json", "-c", "loops.upc", "-o", "out.o").err, "")

    def test_words_say_why_there_is_nothing(self):
        self.write("loops.upc", SOURCE)
        self.write("part.c", "int here(int i) { return i; }\n")
        for flags, reason in (([], "no loop is optimised at -O0 or -Og; add -O2"),
                              (["-O2", "-O0"], "no loop is optimised at -O0 or -Og; add -O2"),
                              (["-O2", "-fno-upc-opt"], "-fno-upc-opt turns off all that it could report; leave it out"),
                              (["-O2", "-fcheck"], "no loop is optimised with -fcheck or -inst, which need each access "
                                                   "as it is written")):
            result = self.run_upcc(*flags, "-Rupc", "-c", "loops.upc", "-o", "out.o")
            self.assertEqual((result.status, result.err), (0, f"upcc: note: -Rupc: {reason}\n"), flags)
        for words in (["-O2", "-fno-upc-opt-loops", "-c", "loops.upc"], ["-E", "loops.upc"], ["-c", "-x", "c", "part.c"]):
            self.assertNotIn("note: -Rupc", self.run_upcc("-Rupc", *words, "-o", "out.o").err, words)

    def test_apps(self):
        """Every upc_forall of the programs that people know is dealt out, but for one whose affinity is what a function
        returns."""
        missed = []
        for name in sorted(os.listdir(APPS)):
            if name.endswith(".upc"):
                missed += [(name, r["message"]) for r in self.remarks(os.path.join(APPS, name))
                           if r["message"].startswith("each iteration")]
        self.assertEqual([name for name, _ in missed], ["sobel.upc"])
        self.assertIn("the affinity calls a function; name the element itself, as in &a[y], or its number",
                      missed[0][1])


if __name__ == "__main__":
    driver_case.main()
