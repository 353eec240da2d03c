#!/usr/bin/env python3
"""bench/peers/run --mpi: the variants of each MPI, what is learned when, the table; a real short run."""

import json
import pathlib
import sys
import tempfile
import types

import suite

sys.path.insert(0, str(suite.ROOT / "bench" / "peers"))

import beside  # noqa: E402  (found only with the path above)
import cells  # noqa: E402
import launches  # noqa: E402
import systems  # noqa: E402
from uoms import stats  # noqa: E402

RUN = suite.ROOT / "bench" / "peers" / "run"
KIB = 1024


class Made(suite.Test):
    """The variants of a fictitious library"""

    def setUp(self):
        super().setUp()
        self.build = self.folder / "build"
        self.library = self.build / "lib" / "banyan" / "libbanyan-mpi-mpich.so"
        for path in (self.build / "bin" / "banyan-mpi", self.library, self.folder / "program"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(path.name)
        self.alone = systems.System(
            "mpich", "MPICH", self.folder / "program", ["mpirun"], {"A": "1"}, abi="mpich", best=({"B": "2"}, ["--w"])
        )

    def plan(self, **more):
        options = types.SimpleNamespace(
            turns=4, n=[2, 8], time=0.01, quick=False, operations=None, sync="barrier", mpi=True, **more
        )
        return launches.Plan(list(beside.variants(self.alone, self.build)), options, 2)


class Variants(Made):
    def test_how_each_is_started(self):
        alone, best, learned, always, heap = (made.start(2) for made in beside.variants(self.alone, self.build))
        program = str(self.folder / "program")
        self.assertEqual(alone, ["env", "A=1", "mpirun", "-n", "2", program])
        self.assertEqual(best, ["env", "A=1", "B=2", "mpirun", "--w", "-n", "2", program])
        ours = str(self.build / "bin" / "banyan-mpi")
        self.assertEqual(learned, ["env", "A=1", ours, "--learn", "--abi", "mpich", "mpirun", "-n", "2", program])
        self.assertEqual(always, ["env", "A=1", ours, "--on", "--abi", "mpich", "mpirun", "-n", "2", program])
        self.assertEqual(heap[:4], ["env", "A=1", ours, "--learn"])
        self.assertEqual(heap[4:], ["--shared-heap", "--abi", "mpich", "mpirun", "-n", "2", program])
        learns = [made.learns for made in beside.variants(self.alone, self.build)]
        self.assertEqual(learns, [False, False, True, False, True])

    def test_a_library_that_was_not_built_is_named(self):
        self.library.unlink()
        with self.assertRaisesRegex(systems.SystemFault, "libbanyan-mpi-mpich.so is not there; 'make' builds it"):
            list(beside.variants(self.alone, self.build))

    def test_results_of_another_library_are_others(self):
        before = self.plan().fingerprint()["programs"]
        self.library.write_text("another")
        after = self.plan().fingerprint()["programs"]
        self.assertEqual(
            {name for name in before if before[name] != after[name]},
            {"mpich+banyan", "mpich+banyan-on", "mpich+banyan-heap"},
        )

    def test_calls_of_mpi_are_launched_and_large_exchanges_are_not(self):
        first = {launch.name: launch for launch in self.plan().turn(0, lambda system, operation: True)}
        self.assertEqual(
            tuple(first["0-2-hot-small-mpich+banyan"].operations), launches.MPI_OPERATIONS
        )
        large = first["0-8-modified-large-mpich"].operations
        self.assertFalse({"exchange", "exchange_v", "barrier"} & set(large))
        self.assertIn("elementwise_reduce_all_D", large)

    def test_trials_are_not_measured(self):
        plan = self.plan()
        first = {launch.name: launch for launch in plan.turn(0, lambda system, operation: True)}
        words = plan.arguments(first["0-2-hot-large-mpich+banyan"], "sizes")
        self.assertEqual(words[words.index("-warmups") + 1], "32")
        self.assertNotIn("-warmup", words)
        for system in ("mpich", "mpich+banyan-on", "mpich+best"):
            self.assertIn("-warmup", plan.arguments(first[f"0-2-hot-small-{system}"], "sizes"))


class Failures(suite.Test):
    def test_the_error_of_mpi_is_named_once(self):
        error = ("[h2:{0}] *** An error occurred in MPI_Allgather\n"
                 "[h2:{0}] *** MPI_ERR_UNSUPPORTED_OPERATION: operation not supported\n"
                 "[h2:{0}] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,\n"
                 "[h2:{0}] ***    and potentially your MPI job)\n"
                 "[head:{0}] 15 more processes have sent help message help-mpi-errors.txt / mpi_errors_are_fatal\n"
                 '[head:{0}] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages\n')
        self.assertEqual({launches.why(error.format(process)) for process in (7, 8)},
                         {"MPI_ERR_UNSUPPORTED_OPERATION: operation not supported"})

    def test_else_the_last_line_counts(self):
        self.assertEqual(launches.why("begin\nuoms: error: no memory\n"), "uoms: error: no memory")
        self.assertEqual(launches.why(""), "")


class Tables(suite.Test):
    def cell(self, size=64 * KIB, n=2, operation="broadcast", **factors):
        """A cell where each variant took the given factor times 1 us, with some spread over turns"""
        cell = cells.Cell(n, "hot", operation, size)
        for name, factor in {"": 1.0, **factors}.items():
            spread = (1.0, 1.01, 0.99, 1.005) if name else (1.0, 0.995, 1.005, 1.0)
            suffixes = {"": "", "learned": beside.LEARNED, "on": beside.ON, "heap": beside.HEAP, "best": beside.BEST}
            cell.times["x" + suffixes[name]] = {
                turn: 1000 * factor * part for turn, part in enumerate(spread)
            }
        return cell

    def test_only_what_chance_does_not_explain_is_slower(self):
        slow, equal, fast = (self.cell(learned=factor, on=0.5) for factor in (1.2, 1.002, 0.5))
        falls = beside.slower([slow, equal, fast], "x", beside.LEARNED)
        self.assertEqual([cell for cell, _ in falls], [slow])
        self.assertAlmostEqual(falls[0][1][0], 1.2, 1)
        spreads = r"1\.20 \(1\.1\d to 1\.2\d\) \| 0\.50 \(0\.\d+ to 0\.5\d\)"
        self.assertRegex(
            beside.shortfalls([slow, equal, fast]), rf"\| x \| 2 \| hot \| broadcast \| 64K \| 1 \| {spreads} \|$"
        )
        self.assertEqual(beside.shortfalls([equal, fast]), "No cell is.")

    def test_means_are_of_large_sizes_and_for_each_number_of_processes(self):
        found = [
            self.cell(8, learned=2.0, on=2.0, best=2.0),
            self.cell(learned=0.5, on=0.5, best=0.8),
            self.cell(KIB * KIB, learned=0.125, on=0.5, heap=0.1, best=0.8),
            self.cell(n=8, learned=0.1, on=0.2),
        ]
        text = beside.summary_table(found)
        self.assertRegex(text, r"\| x \| 2 \| 4\.00 \| 2\.00 \| (?:10\.0|9\.9)\d \| 1\.25 \| 3\.20 \| 1 of 3 \|")
        self.assertRegex(text, r"\| x \| 8 \| 9\.9\d \| 4\.9\d \| - \| - \| - \| 0 of 1 \|")

    def test_cells_have_the_time_alone_and_all_ratios(self):
        text = beside.main_table([self.cell(8), self.cell(learned=1.5, on=0.5)], "x", [8, 64 * KIB])
        self.assertRegex(text, r"\| 2 \| hot \| broadcast \| 1 / - / - / - / - \| 1 / \*\*1\.50\*\* / 0\.50 / - / - \|")
        barrier = self.cell(0, operation="barrier", learned=0.5)
        self.assertRegex(beside.main_table([barrier], "x", [8]), r"\| barrier \| 1 / 0\.50 / - / - / - \|")

    def test_json_has_what_tables_are_made_of(self):
        document = beside.as_dict(self.cell(learned=0.5))
        self.assertEqual(len(document["ns"]["x+banyan"]), 4)
        self.assertAlmostEqual(document["against_alone"]["x+banyan"]["ratio"], 0.5, 2)
        self.assertLess(document["against_alone"]["x+banyan"]["high"], 0.6)


class Real(suite.Test):
    @classmethod
    def setUpClass(cls):
        """A folder for what is built; those who come later find there what is the same"""
        folder = tempfile.TemporaryDirectory(prefix="uoms-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name) / "work"

    def test_a_short_run(self):
        names = [name for name in ("openmpi", "mpich") if not suite.has(f"mpicc.{name}", f"mpirun.{name}")]
        if not names:
            self.skipTest("neither Open MPI nor MPICH is installed")
        path = self.folder / "result.json"
        operations = [word for name in ("broadcast", "gather_all_v", "exchange_v") for word in ("--operations", name)]
        words = ["--mpi", "--quick", "-n", "2", "--turns", "1", "--time", "0.001", *operations, "--only", names[0],
                 "--build", suite.BUILD, "--json", path]
        result = suite.run([RUN, *words, "--work", self.work])
        self.assertEqual(result.status, 0, result.err[-2000:])
        self.assertIn(f"### {names[0]}\n", result.out)
        document = json.loads(path.read_text())
        self.assertEqual({cell["operation"] for cell in document["found"]}, {"broadcast", "gather_all_v", "exchange_v"})
        for cell in document["found"]:
            suffixes = ("", beside.LEARNED, beside.ON, beside.HEAP)
            self.assertLessEqual({names[0] + suffix for suffix in suffixes}, set(cell["ns"]))

    def test_programs(self):
        names = [name for name in ("openmpi", "mpich") if not suite.has(f"mpicc.{name}", f"mpirun.{name}")]
        if not names:
            self.skipTest("neither Open MPI nor MPICH is installed")
        path = self.folder / "programs.json"
        words = ["--quick", "--turns", "1", "-n", "2", "--only", names[0], "--build", suite.BUILD, "--json", path]
        result = suite.run([RUN.parent / "programs", *words, "--work", self.work],
                           **self.not_optimising())
        self.assertEqual(result.status, 0, result.err[-2000:])
        self.assertRegex(result.out, rf"\| asp \(broadcast\) \| 2 \| {names[0]} (\| \d\.\d+ ){{6}}\| (-|-?\d+ %) \|\n")
        self.assertEqual(
            {(row["program"], row["library"]) for row in json.loads(path.read_text())},
            {(program, library) for program in ("asp", "planewave")
             for library in (names[0], names[0] + "+banyan", names[0] + "+banyan-on", "UPC")},
        )

    def test_an_mpi_that_is_not_there(self):
        result = suite.run([RUN, "--mpi", "--only", "none", "--build", suite.BUILD, "--work", self.folder])
        self.assertEqual(result.status, 2)
        self.assertIn("--only none: no such MPI was found; Debian's are called openmpi", result.err)


if __name__ == "__main__":
    suite.main(load=stats.library)
