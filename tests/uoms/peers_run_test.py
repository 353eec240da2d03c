#!/usr/bin/env python3
"""bench/peers/run: what it compares, in which order, the limit of copying, the table; a real short run."""

import json
import sys
import types
import unittest.mock

import suite

sys.path.insert(0, str(suite.ROOT / "bench" / "peers"))

import cells  # noqa: E402  (found only with the path above)
import launches  # noqa: E402
import systems  # noqa: E402
import table  # noqa: E402
from uoms import markdown, stats  # noqa: E402

RUN = suite.ROOT / "bench" / "peers" / "run"
KIB = 1024


class Made(suite.Test):
    """A plan for fictitious systems, with made-up times: 2 processes, hot, one operation at a time."""

    def setUp(self):
        super().setUp()
        program = self.folder / "program"
        program.write_text("a program")
        names = [*systems.BANYAN, systems.LIMIT, "one", "other"]
        found = [systems.System(name, name, program, ["launcher"]) for name in names]
        options = types.SimpleNamespace(
            turns=4, n=[2, 8], time=0.01, quick=False, operations=None, sync="barrier", mpi=False
        )
        self.plan = launches.Plan(found, options, 2)

    def turn(self, number):
        return list(self.plan.turn(number, lambda system, operation: operation != "exchange" or system.name != "one"))

    def documents(self, times, sleepers=(), operation="broadcast", size=64 * KIB):
        """A reader of launches in which each system took the given time for an operation, in nanoseconds; the mean of
        sleepers is ten times as much."""

        def read(name):
            words = name.split("-", 4)
            if words[1:4] != ["2", "hot", "small"]:
                return None
            what = "memcpy_all" if words[4] == systems.LIMIT else operation
            value = times[words[4]] * (1 + 0.01 * ((int(words[0]) * 7) % 5))
            mean = value * (10 if words[4] in sleepers else 1)
            return {"results": [{"operation": what, "bytes": size, "median": value, "t_avg": mean}]}

        return read


class Find(suite.Test):
    def test_unknown_systems_are_refused_before_anything_is_built(self):
        (self.folder / "bin").mkdir()
        for name in ("uoms", "upcrun"):
            (self.folder / "bin" / name).touch()
        with unittest.mock.patch.object(systems, "debian", lambda work, wanted: []), \
                unittest.mock.patch.object(systems, "_python", lambda work, wanted: []), \
                self.assertRaisesRegex(systems.SystemFault, "^--only nosuch: no such system was found; .*openmpi"):
            systems.find(self.folder, self.folder, print, ["nosuch"])


class Interrupted(suite.Test):
    def test_it_ends_as_other_commands_do(self):
        self.assertEqual(suite.interrupted(RUN), (130, "stopped; the same command goes on from here\n"))


class Plan(Made):
    def test_systems_take_turns_in_alternating_order(self):
        names = [[launch.system.name for launch in self.turn(turn)[:5]] for turn in (0, 1, 2)]
        self.assertEqual(names[0], ["banyan", "banyan-mysync", "limit", "one", "other"])
        self.assertEqual(names[1], names[0][::-1])
        self.assertEqual(names[2], names[0])

    def test_what_is_launched(self):
        first = {launch.name: launch for launch in self.turn(0)}
        self.assertEqual({launch.n for launch in first.values()}, {2, 8})
        self.assertNotIn("exchange", first["0-2-hot-small-one"].operations)
        small, large = first["0-8-modified-small-other"], first["0-8-modified-large-other"]
        self.assertIn("exchange", small.operations)
        self.assertNotIn("exchange", large.operations)
        self.assertEqual((small.sizes[0], small.sizes[-1], large.sizes[-1]), ("8", "1M", "16M"))
        self.assertEqual(first["0-8-hot-small-limit"].processes, 2)
        words = self.plan.arguments(first["0-8-modified-small-banyan-mysync"], "sizes")
        self.assertIn("UPC_IN_MYSYNC|UPC_OUT_MYSYNC", words)
        self.assertEqual(words[words.index("-cache") + 1], "modified")
        self.assertIn("-verify=on", words)
        self.assertIn("-verify=off", self.plan.arguments(self.turn(1)[0], "sizes"))

    def test_environment_and_words_of_settings_reach_the_launcher(self):
        system = systems.System("x", "X", "p", ["mpirun"], {"A": "1"}, ["--always"])
        self.assertEqual(
            system.start(3, ("yield", {"B": "2"}, ("--yield",))),
            ["env", "A=1", "B=2", "mpirun", "--always", "--yield", "-n", "3", "p"],
        )

    def test_results_of_other_programs_are_refused(self):
        folder = self.folder / "results"
        store = launches.Store(folder, self.plan.fingerprint(), False)
        store.write("0-2-hot-small-one", {"seconds": 1})
        self.assertEqual(
            launches.Store(folder, self.plan.fingerprint(), False).read("0-2-hot-small-one"), {"seconds": 1}
        )
        (self.folder / "program").write_text("another program")
        with self.assertRaises(systems.SystemFault):
            launches.Store(folder, self.plan.fingerprint(), False)
        self.assertIsNone(launches.Store(folder, self.plan.fingerprint(), True).read("0-2-hot-small-one"))

    def test_damaged_results_are_named(self):
        folder = self.folder / "results"
        launches.Store(folder, self.plan.fingerprint(), False).write("one", {"seconds": 1})
        (folder / "one.json").write_text("")
        store = launches.Store(folder, self.plan.fingerprint(), False)
        with self.assertRaisesRegex(systems.SystemFault, f"{folder}/one.json is damaged; .* --fresh"):
            store.read("one")
        (folder / "plan.json").write_text("")
        with self.assertRaisesRegex(systems.SystemFault, f"{folder}/plan.json is damaged; .* --fresh"):
            launches.Store(folder, self.plan.fingerprint(), False)
        launches.Store(folder, self.plan.fingerprint(), True)
        self.assertEqual([path.name for path in folder.iterdir()], ["plan.json"])

    def test_the_estimate_learns(self):
        estimate, todo = launches.Estimate(self.plan), self.turn(0)
        before = estimate.left(todo)
        estimate.learn(todo[0], 2 * estimate.guess(todo[0]))
        self.assertAlmostEqual(estimate.left(todo), 2 * before)
        self.assertEqual(estimate.left([self.turn(1)[-1]]), estimate.left([todo[-1]]))


class LeftOut(Made):
    """With more processes than cores"""

    def chosen(self, barrier_ns):
        run = object.__new__(suite.harness.load("bench", "peers", "run").Run)
        run.cores, run.settings, run.useless, run.failures = 2, {}, [], []
        run.store = launches.Store(self.folder / "results", self.plan.fingerprint(), True)
        system = systems.System("one", "One", self.folder / "program", ["launcher"])
        with unittest.mock.patch.object(run, "barrier_ns", lambda *_: barrier_ns):
            return run, run.best_settings(system, 8)

    def test_a_slow_system_is_named_and_no_failure(self):
        run, settings = self.chosen(20e6)
        self.assertIsNone(settings)
        self.assertEqual(run.useless, ["one, n = 8: a barrier takes 20 ms with more processes than cores"])
        self.assertEqual(run.failures, [])

    def test_a_system_that_does_not_end_is_a_failure(self):
        run, settings = self.chosen(float("inf"))
        self.assertIsNone(settings)
        self.assertEqual(run.failures, ["one, n = 8: a barrier does not end with more processes than cores"])
        self.assertEqual(run.useless, [])


class Cells(Made):
    def test_limit_between_and_beyond_sizes(self):
        limit = cells.Limit({1024: 100, 4096: 400, 16384: 3200})
        self.assertEqual(limit.time_ns(4096), 400)
        self.assertAlmostEqual(limit.time_ns(2048), 200)
        self.assertAlmostEqual(limit.time_ns(32768), 6400)
        self.assertIsNone(limit.time_ns(8))

    def test_bytes_that_a_core_must_copy(self):
        self.assertEqual(cells.limit_bytes("broadcast", 100, 2, 2), 100)
        self.assertEqual(cells.limit_bytes("scatter", 100, 8, 2), 400)
        self.assertEqual(cells.limit_bytes("gather_all", 100, 8, 2), 3200)
        self.assertEqual(cells.limit_bytes("exchange", 100, 2, 16), 200)
        self.assertIsNone(cells.limit_bytes("reduce_D", 100, 2, 2))

    def collect(self, sleepers=(), **times):
        times = {"banyan": 3000, "banyan-mysync": 1500, "limit": 1000, "one": 2000, "other": 4000, **times}
        return cells.collect(self.plan, self.documents(times, sleepers), "median")

    def test_best_peer_ratios_and_limit(self):
        (cell,) = self.collect()
        self.assertEqual(cell.best_peer, "one")
        self.assertAlmostEqual(cell.ratio("banyan"), 1.5)
        self.assertAlmostEqual(cell.ratio("banyan-mysync"), 0.75)
        self.assertAlmostEqual(cell.limit_ratio("banyan-mysync"), 1.5)

    def test_a_peer_whose_calls_sleep_is_best_only_if_all_do(self):
        (cell,) = self.collect(sleepers=["one"])
        self.assertEqual(cell.best_peer, "other")
        self.assertRegex(table.erratic([cell]), r"\| 2 \| one \| broadcast \| 64K: 2\.\d+ / 20\.\d+ \|")
        (cell,) = self.collect(sleepers=["one", "other"])
        self.assertEqual(cell.best_peer, "one")
        self.assertEqual(table.erratic(self.collect()), "None.")

    def test_table_and_shortfalls(self):
        found = self.collect()
        text = table.main_table(found, [64 * KIB])
        self.assertRegex(text, r"\| 2 \| hot \| broadcast \| 1\.5\d / 0\.75 / 1\.50 \|")
        self.assertRegex(text, r"\| 2 \| hot \| broadcast, ALLSYNC \| 3\.\d+ / \*\*1\.50\*\* / 3\.00 \|")
        self.assertRegex(
            table.shortfalls(found), r"\| 2 \| hot \| broadcast, ALLSYNC \| 64K: \*\*1\.50\*\* \(one 2\.\d+\) \|"
        )
        self.assertNotIn("| broadcast |", table.shortfalls(found))
        self.assertIn("| 2 | hot | broadcast | 64K: 1.50 |", table.beyond_limit(found))
        aims = table.aims(found)
        self.assertIn("| cells slower than the best peer (aim: none) | 0 of 1 | 1 of 1 |", aims)
        self.assertIn("n = 2, 16K and up (aim: 1.5) | 1.33 | 0.67 |", aims)

    def test_what_the_model_allows(self):
        found = self.collect()
        self.assertEqual(table.bound_rows(found, 2), [])
        barrier = cells.Cell(2, "hot", "barrier", 0)
        barrier.times = {"banyan": {0: 600.0}}
        (row,) = table.bound_rows([*found, barrier], 2)
        self.assertRegex(row, r"one wave of 0\.60 us: 1\.2\d\) \| 1\.33 \| \|")
        times = {"banyan": 1000, "banyan-mysync": 1000, "limit": 1000, "one": 2000, "other": 4000}
        folded = cells.collect(self.plan, self.documents(times, operation="reduce_D"), "median")
        self.assertAlmostEqual(folded[0].reading_ns, found[0].limit_ns / 3)
        self.assertIsNone(folded[0].limit_ns)
        _, row = table.bound_rows([*found, *folded, barrier], 2)
        self.assertRegex(row, r"a third of it, behind one wave of 0\.60 us: 1\.6\d\) \| 1\.63 \| \|")

    def test_nothing_falls_short(self):
        found = self.collect(**{"banyan": 1000, "banyan-mysync": 1000})
        self.assertEqual(table.shortfalls(found), "No cell is slower than the best peer.")
        self.assertEqual(table.beyond_limit(found), "No cell is.")

    def test_only_what_was_measured_is_replaced(self):
        text = f"# Title\n\nwords\n\n{markdown.BEGIN}\nold\n{markdown.END}\n\nmore\n"
        self.assertEqual(
            markdown.replace(text, "new"), f"# Title\n\nwords\n\n{markdown.BEGIN}\nnew\n{markdown.END}\n\nmore\n"
        )
        self.assertTrue(markdown.replace("# Title\n", "new").endswith(f"{markdown.BEGIN}\nnew\n{markdown.END}\n"))


class Real(suite.Test):
    def run_it(self, *arguments, status=0):
        result = suite.run(
            [
                RUN,
                "--build",
                suite.BUILD,
                "--work",
                self.folder / "work",
                "--quick",
                "-n",
                "2",
                "--operations",
                "broadcast",
                "--time",
                "0.001",
                *arguments,
            ],
            **self.not_optimising(),
        )
        self.assertEqual(result.status, status, result.err[-2000:])
        return result

    def test_a_run_and_going_on_with_it(self):
        peer = "openmpi" if not suite.has("mpicc.openmpi", "mpirun.openmpi") else "mpich"
        if suite.has(f"mpicc.{peer}", f"mpirun.{peer}"):
            self.skipTest("neither Open MPI nor MPICH is installed")
        page = self.folder / "page.md"
        page.write_text(f"before\n{markdown.BEGIN}\n{markdown.END}\nafter\n")
        first = self.run_it("--only", peer, "--markdown", page, "--report", self.folder / "report")
        self.assertRegex(first.out, r"\| 2 \| modified \| broadcast \| [0-9.]+ / [*0-9.]+ / - \|")
        self.assertRegex(first.err, r"\[  0 %, about \d+ s left\] turn 1 of 2, n = 2, hot, small: Banyan")
        self.assertTrue(page.read_text().startswith("before\n") and page.read_text().endswith("after\n"))
        self.assertIn("### The table", page.read_text())
        self.assertTrue((self.folder / "report" / "hot" / f"{peer}.json").exists())
        kept = [json.loads(path.read_text()) for path in (self.folder / "work" / "results-quick").glob("0-2-*.json")]
        flags = {document["context"]["build"]["flags"] for document in kept}
        self.assertEqual(flags, {systems.CFLAGS})  # otherwise their harnesses would differ in speed
        second = self.run_it("--only", peer)
        self.assertNotIn("% about", second.err.replace("%,", "%"))
        self.assertEqual(second.out.split("### The table")[1], first.out.split("### The table")[1])

    def test_a_missing_build_is_named(self):
        result = suite.run([RUN, "--build", self.folder, "--work", self.folder])
        self.assertEqual(result.status, 2)
        self.assertIn("'make' builds it", result.err)


if __name__ == "__main__":
    suite.main(load=stats.library)
