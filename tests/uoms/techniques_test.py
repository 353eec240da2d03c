#!/usr/bin/env python3
"""bench/techniques/run: rows compare what they claim, shared variants are measured once, missing ways are named."""

import json
import types

import suite

from uoms import stats

RUN = suite.ROOT / "bench" / "techniques" / "run"


command = suite.harness.load("bench", "techniques", "run")
techniques = command.techniques


class Interrupted(suite.Test):
    def test_it_ends_as_other_commands_do(self):
        self.assertEqual(suite.interrupted(RUN), (130, "stopped\n"))


class Rows(suite.Test):
    def test_each_row_differs_in_one_thing(self):
        for regions in (1, 4):
            for technique in techniques.every(regions, 8, "table.json"):
                having, lacking = technique.having, technique.lacking
                self.assertEqual(having.operation, lacking.operation)
                differing = set(having.environment) ^ set(lacking.environment)
                self.assertLessEqual(len({name for name, _ in differing}), 1, technique.text)
                self.assertNotEqual(having.key, lacking.key)
                self.assertTrue(bool(differing) != (having.arguments != lacking.arguments))

    def test_hierarchy_is_made_up_only_where_there_is_none(self):
        for regions, made_up in ((1, 2), (4, 1)):
            row = next(iter(techniques.hierarchy(regions, 8)))
            topologies = [
                value for name, value in row.having.environment + row.lacking.environment if "TOPOLOGY" in name
            ]
            self.assertEqual(len(topologies), made_up)
            self.assertIn("core:4" if made_up == 2 else "core:8", topologies[0])

    def test_ratio_is_time_without_over_time_with(self):
        technique = techniques.Technique(
            "g", "t", techniques.Variant("broadcast"), techniques.Variant("x"), ("8", "4K")
        )
        worth = command.Worth(technique, 2, {8: [100.0, 101, 99], 4096: [5.0]}, {8: [250.0, 252, 248], 4096: []})
        self.assertEqual(list(worth.numbers), [8])
        worth.verdicts[8] = True
        self.assertEqual(worth.cell(8), "**2.50** (100 ns)")
        self.assertEqual(worth.cell(4096), "")


class Course(suite.Test):
    def made(self, known):
        run = command.Run.__new__(command.Run)
        run.options = types.SimpleNamespace(turns=2, only=None, quick=True, table=None)
        run.regions, run.counts, run.left_out, run.times, run.log = 1, [2], [], {}, []
        run.ways = lambda operation: known[operation]
        run.launch = lambda threads, variant, sizes: run.log.append((variant.key, tuple(sizes))) or {8: 1.0}
        return run

    def test_missing_ways_are_named_and_equal_variants_measured_once(self):
        forced = [way for row in techniques.every(1, 2, None) for way in row.having.ways + row.lacking.ways]
        known = {}
        for operation, way in forced:
            known.setdefault(operation, set()).add(way)
        known["exchange"].remove("pull/bruck/whole")
        run = self.made(known)
        chosen = run.choose()
        self.assertEqual(run.left_out, ["exchange has no way pull/bruck/whole"])
        self.assertNotIn("few messages", {technique.group for _, technique in chosen})
        run.measure(chosen)
        first, second = run.log[: len(run.log) // 2], run.log[len(run.log) // 2 :]
        self.assertEqual(first, second[::-1])
        self.assertEqual(len(first), len({key for key, _ in first}))
        sizes = dict(first)
        whole = next(
            row.lacking for _, row in chosen if row.group == "pipelining" and row.having.operation == "broadcast"
        )
        self.assertEqual(sizes[whole.key], ("8", "4K", "64K", "1M", "4M"), "sizes of all rows that need it, in order")

    def test_a_short_run(self):
        page, numbers = self.folder / "page.md", self.folder / "numbers.json"
        result = suite.run(
            [
                RUN,
                "--quick",
                "--only",
                "payload in the flag",
                "--only",
                "waiting for partners only",
                "-n",
                "2",
                "--time",
                "0.001",
                "--build",
                suite.BUILD,
                "--markdown",
                page,
                "--json",
                numbers,
            ],
        )
        self.assertEqual(result.status, 0, result.err[-2000:])
        self.assertRegex(
            page.read_text(),
            r"\| payload in the flag \| `pull/flat/room` for `pull/flat/whole` \| broadcast \| 2 \| ",
        )
        self.assertEqual({row["threads"] for row in json.loads(numbers.read_text())}, {2})

    def test_faults_are_said(self):
        result = suite.run([RUN, "--build", self.folder])
        self.assertEqual((result.status, "'make' builds it" in result.err), (2, True))
        result = suite.run([RUN, "--quick", "--only", "nothing", "--build", suite.BUILD])
        self.assertEqual((result.status, "no such technique" in result.err), (2, True))


if __name__ == "__main__":
    suite.main(load=stats.library)
