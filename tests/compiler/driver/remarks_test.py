#!/usr/bin/env python3
"""-Rupc=json: each line fits docs/remarks.schema.json, and says what -Rupc says in words."""

import json
import os
import re
import unittest

import driver_case
from driver_case import DriverCase

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
APPS = os.path.join(ROOT, "apps")
TYPES = {"string": str, "integer": int, "object": dict}
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


def faults(value, schema, where="line"):
    """What is against the schema; of JSON Schema it knows what ours uses, and fails on all else."""
    known = {"$schema", "title", "type", "properties", "required", "additionalProperties", "enum", "minimum", "minLength"}
    assert set(schema) <= known, set(schema) - known
    if not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool):
        return ["%s is no %s" % (where, schema["type"])]
    found = ["%s: %r is not in %s" % (where, value, schema["enum"])] if value not in schema.get("enum", [value]) else []
    if schema["type"] == "integer" and value < schema.get("minimum", value):
        found.append("%s: %d is too small" % (where, value))
    if schema["type"] == "string" and len(value) < schema.get("minLength", 0):
        found.append("%s is too short" % where)
    if schema["type"] == "object":
        properties = schema["properties"]
        assert schema["additionalProperties"] is False
        found += ["%s has no %s" % (where, name) for name in schema["required"] if name not in value]
        found += ["%s has a %s" % (where, name) for name in value if name not in properties]
        for name in set(value) & set(properties):
            found += faults(value[name], properties[name], "%s.%s" % (where, name))
    return found


class Remarks(DriverCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(ROOT, "docs", "remarks.schema.json"), encoding="utf-8") as file:
            self.schema = json.load(file)

    def remarks(self, source):
        """The remarks as JSON, after they were checked"""
        result = self.run_upcc("-O2", "-Rupc=json", "-c", source, "-o", "out.o")
        self.assertEqual(result.status, 0, result.err)
        found = [json.loads(line) for line in result.err.splitlines()]
        for remark in found:
            self.assertEqual(faults(remark, self.schema), [])
        return found

    def test_schema_finds_faults(self):
        good = {"kind": "missed", "file": "a.upc", "line": 1, "column": 1, "message": "m"}
        self.assertEqual(faults(good, self.schema), [])
        for change in ({"kind": "other"}, {"line": 0}, {"line": "1"}, {"message": ""}, {"more": 1}, {"column": True}):
            self.assertNotEqual(faults({**good, **change}, self.schema), [], change)
        self.assertNotEqual(faults({"kind": "missed"}, self.schema), [])
        self.assertNotEqual(faults([], self.schema), [])

    def test_same_as_in_words(self):
        self.write("loops.upc", SOURCE)
        in_words = self.run_upcc("-O2", "-Rupc", "-c", "loops.upc", "-o", "out.o").err
        words = re.findall(r"^(.*?):(\d+):(\d+): (optimized|missed): (.*)$", in_words, re.MULTILINE)
        found = [(r["file"], str(r["line"]), str(r["column"]), r["kind"], r["message"]) for r in self.remarks("loops.upc")]
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

    def test_apps(self):
        """Every upc_forall of the programs that people know is dealt out, but for one whose affinity is what a function returns."""
        missed = []
        for name in sorted(os.listdir(APPS)):
            if name.endswith(".upc"):
                missed += [(name, r["message"]) for r in self.remarks(os.path.join(APPS, name)) if r["message"].startswith("each iteration")]
        self.assertEqual([name for name, _ in missed], ["sobel.upc"])
        self.assertIn("the affinity calls a function; name the element itself, as in &a[y], or its number", missed[0][1])


if __name__ == "__main__":
    driver_case.main()
