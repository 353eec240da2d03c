#!/usr/bin/env python3
"""uoms-compare, uoms-guidelines and uoms-launches: their statistics, on known numbers, and their verdicts, on made-up
samples."""

import contextlib
import copy
import io
import json
import math
import os
import random
import resource
import signal
import statistics
import sys
import tempfile
import traceback

import suite

from uoms import collectives, compare, content, files, guidelines, launches, profile, report, runs, stats


def row(operation, size, median, spread=0.02, threads=4, **more):
    return {
        "name": "upc_" + operation,
        "operation": operation,
        "group": "collective",
        "threads": threads,
        "bytes": size,
        "sized": True,
        "median": median,
        "ci_low": median * (1 - spread),
        "ci_high": median * (1 + spread),
        "t_min": median * 0.9,
        "t_max": median * 2,
        "t_avg": median * 1.1,
        "repetitions": 100,
        "imb": {"t_min": median, "t_max": median, "t_avg": median},
        **more,
    }


def document(rows):
    return {"format": files.ONE, "context": {"threads": 4}, "results": rows}


# A file with everything that a report uses
WHOLE = {
    **document([row("gather", 8, 100), row("broadcast", 8, 100, sync_mode="UPC_IN_MYSYNC|UPC_OUT_MYSYNC")]),
    "context": {
        "date": "2026-11-28T12:00:00Z",
        "threads": 4,
        "build": {"parallel_system": "Banyan", "flags": "-O2", "commit": "abc"},
        "options": {"command": "uoms", "cache": "hot", "sync": "barrier", "sync_mode": "all", "reduce_op": "UPC_ADD",
                    "outliers": "report"},
        "system": {"system": "Linux", "release": "6"},
        "clock": {"step_ns": 1},
        "affinity": ["0", "1", "0-1", "0-1"],
        "machine": {"tree": {"type": "Machine", "memory": [{"index": 0, "bytes": 1024}],
                             "children": [{"type": "PU", "index": 0}, {"type": "PU", "index": 1}]},
                    "processors": []},
    },
}


class Statistics(suite.Test):
    def test_t_distribution_is_the_tabulated_one(self):
        for degrees, confidence, quantile in ((1, 0.95, 12.7062), (2, 0.95, 4.30265), (6, 0.95, 2.44691),
                                              (30, 0.95, 2.04227), (1000, 0.95, 1.96234), (9, 0.99, 3.24984)):
            values = [float(i) for i in range(degrees + 1)]
            unit = statistics.stdev(values) / len(values) ** 0.5
            mean, low, high = stats.mean_interval(values, confidence)
            self.assertAlmostEqual((high - mean) / unit, quantile, places=4)
            self.assertAlmostEqual((mean - low) / unit, quantile, places=4)
            if degrees < 1000:  # the exponential function ends there
                moved = [math.exp(value - mean + quantile * unit) for value in values]
                self.assertAlmostEqual(stats.compare_pairs([1] * len(moved), moved)[3], 1 - confidence, places=5)
        self.assertEqual(stats.mean_interval([7]), (7, None, None))

    def test_median_of_launches(self):
        self.assertEqual(stats.median_of_launches([5]), (5, None, None), "one launch has no interval")
        self.assertEqual(stats.median_of_launches([0, 1]), (0.5, None, None), "nor have logarithms of 0")
        middle, low, high = stats.median_of_launches([8.0, 8.0, 8.0])
        self.assertEqual(middle, 8)
        self.assertAlmostEqual(low, 8)
        self.assertAlmostEqual(high, 8)
        middle, low, high = stats.median_of_launches([math.exp(i) for i in range(1, 6)])
        self.assertAlmostEqual(middle, math.exp(3))
        self.assertAlmostEqual(math.log(high) - 3, 2.776445 * (2.5**0.5) / 5**0.5, places=5)
        self.assertAlmostEqual(3 - math.log(low), math.log(high) - 3)
        with self.assertRaises(statistics.StatisticsError):
            stats.median_of_launches([])

    def test_pairs_that_student_published(self):
        """Hours of sleep gained by two drugs (Biometrika 6, 1908): 1.58 more for the second, t = 4.06 with 9 degrees of
        freedom"""
        first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
        second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
        ratio, low, high, p = stats.compare_pairs([math.exp(each) for each in first],
                                                  [math.exp(each) for each in second])
        self.assertAlmostEqual(math.log(ratio), 1.58)
        self.assertAlmostEqual(math.log(low), 0.7001, places=4)
        self.assertAlmostEqual(math.log(high), 2.4599, places=4)
        self.assertAlmostEqual(p, 0.002833, places=6)

    def test_ratio_of_pairs(self):
        self.assertEqual(stats.compare_pairs([2], [4]), (2, None, None, 1.0))
        ratio, low, high, p = stats.compare_pairs([100, 200, 400], [110, 220, 440])
        self.assertAlmostEqual(ratio, 1.1)
        self.assertEqual(p, 0)
        ratio, low, high, p = stats.compare_pairs([100, 200, 400], [100, 200, 400])
        self.assertEqual((ratio, p), (1, 1))
        ratio, low, high, p = stats.compare_pairs([100, 100, 100], [90, 110, 101])
        self.assertLess(low, 1)
        self.assertGreater(high, 1)
        self.assertGreater(p, 0.5)

    def test_interval_of_a_proportion_is_the_tabulated_one(self):
        for hits, count, low, high in ((0, 10, 0, 0.3085), (5, 100, 0.0164, 0.1128), (3, 10, 0.0667, 0.6525),
                                       (4, 4, 0.3976, 1), (0, 0, 0, 1)):
            found = stats.proportion_interval(hits, count)
            self.assertAlmostEqual(found[0], low, places=4)
            self.assertAlmostEqual(found[1], high, places=4)

    def test_many_tests_after_benjamini_and_hochberg(self):
        self.assertEqual(stats.significant([0.04]), [True])
        self.assertEqual(stats.significant([0.04, 0.9]), [False, False])
        self.assertEqual(stats.significant([0.01, 0.04, 0.04, 0.045]), [True] * 4)
        self.assertEqual(stats.significant([0.9, 0.001, 0.02, 0.8]), [False, True, True, False])
        self.assertEqual(stats.significant([]), [])
        # The 15 of their paper (Journal of the Royal Statistical Society B 57, 1995): four are significant.
        published = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
                     0.6528, 0.7590, 1.0]
        self.assertEqual(stats.significant(published), [True] * 4 + [False] * 11)


def launched(folder, at, then):
    """The command of a program like uoms, whose launch number `at` does something else."""
    program, count = folder / "program.py", folder / "count"
    count.write_text("")
    program.write_text(
        "import json, os, pathlib, signal, sys, time\n"
        f"count = pathlib.Path({str(count)!r})\n"
        "count.write_text(count.read_text() + '.')\n"
        f"if len(count.read_text()) == {at}:\n    {then}\n"
        f"json.dump(json.loads({json.dumps(json.dumps(document([row('broadcast', 8, 100)])))}), "
        "open(sys.argv[-1], 'w'))\n"
    )
    return f"{sys.executable} {program}"


class Ends(suite.Test):
    """The user stops a command, or the disk is full"""

    INTERRUPTS = "os.kill(os.getppid(), signal.SIGINT); time.sleep(60)"

    def ended(self, command, words, output=os.devnull, **more):
        """Its status and messages, in a copy of this process, since each new one would load the libraries for two
        seconds; output: where its standard output goes; more: for its environment."""
        said = self.folder / "said"
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            status = None
            try:
                for path, descriptor in ((output, 1), (said, 2)):
                    os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
                os.environ.update(suite.environment(**more))
                tempfile.tempdir = None
                status = sys.modules[f"uoms.{command}"].main([str(word) for word in words])
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(70 if status is None else status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status, said.read_text()

    def test_an_interruption_leaves_what_is_measured(self):
        path, prefix = self.folder / "all.json", self.folder / "kept"
        program = launched(self.folder, 3, self.INTERRUPTS)
        self.assertEqual(self.ended("launches", ["--quiet", "--json", path, program]),
                         (130, "uoms-launches: interrupted\nuoms-launches: what is written is of 2 of 5 launches\n"))
        self.assertEqual(len(files.read(path)), 2)
        for more, said in (([], "the launches so far are lost; --keep would have kept them\nuoms-compare: interrupted"),
                           (["--keep", prefix], "interrupted")):
            program = launched(self.folder, 3, self.INTERRUPTS)
            self.assertEqual(self.ended("compare", ["--quiet", *more, f"a={program}", f"b={program}"]),
                             (130, f"uoms-compare: {said}\n"))
        self.assertEqual([len(files.read(f"{prefix}-{label}.json")) for label in "ab"], [1, 1])
        program = launched(self.folder, 1, self.INTERRUPTS)
        self.assertEqual(self.ended("launches", ["--quiet", "--json", self.folder / "none.json", program]),
                         (130, "uoms-launches: interrupted\n"))
        self.assertFalse((self.folder / "none.json").exists())

    def test_a_signal_ends_what_was_started(self):
        """Sent twice, as timeout(1) does: to the command, and to its group."""
        path, last = self.folder / "all.json", self.folder / "last"
        for number in (signal.SIGTERM, signal.SIGHUP):
            program = launched(self.folder, 3, f"open({str(last)!r}, 'w').write(str(os.getpid())); " +
                               2 * f"os.kill(os.getppid(), {number:d}); " + "time.sleep(60)")
            self.assertEqual(
                self.ended("launches", ["--quiet", "--json", path, program], TMPDIR=str(self.folder)),
                (128 + number, f"uoms-launches: ended by {number.name}\n"
                               "uoms-launches: what is written is of 2 of 5 launches\n"))
            self.assertEqual(len(files.read(path)), 2)
            with self.assertRaises(ProcessLookupError):
                os.kill(int(last.read_text()), 0)
            self.assertEqual(list(self.folder.glob("uoms-*")), [], "its folder is left")

    def test_a_full_disk_takes_no_more_than_its_file(self):
        path, table = self.folder / "all.json", self.folder / "table.csv"
        program = launched(self.folder, 0, "pass")
        words = ["--quiet", "-n", "2", program]
        full = "No space left on device\n"
        self.assertEqual(self.ended("launches", ["--json", path, "--csv", table, *words], "/dev/full"),
                         (3, f"uoms-launches: cannot write: {full}"))
        self.assertEqual(len(files.read(path)), 2)
        self.assertIn("upc_broadcast", table.read_text())
        table.unlink()
        self.assertEqual(self.ended("launches", ["--json", "/dev/full", "--csv", table, *words],
                                    self.folder / "out"), (3, f"uoms-launches: cannot write /dev/full: {full}"))
        self.assertIn("upc_broadcast", table.read_text())
        self.assertIn("# 2 launches", (self.folder / "out").read_text())
        self.assertEqual(self.ended("compare", ["--files", "--json", "/dev/full", f"a={path}", f"b={path}"],
                                    self.folder / "out"), (3, f"uoms-compare: cannot write /dev/full: {full}"))
        self.assertIn("verdict", (self.folder / "out").read_text())
        for command, words in (("compare", ["--files", f"a={path}", f"b={path}"]), ("guidelines", [path])):
            self.assertEqual(self.ended(command, words, "/dev/full"), (3, f"uoms-{command}: cannot write: {full}"))

    def test_old_results_stay_if_there_is_no_room_for_new_ones(self):
        kept, path, table = self.folder / "kept", self.folder / "kept-a.json", self.folder / "table.csv"
        program = launched(self.folder, 0, "pass")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        for command, words in ((launches, ["-n", "3", "--json", path, "--csv", table, program]),
                               (compare, ["--keep", kept, "--pairs", "3", f"a={program}", f"b={program}"])):
            path.write_text("old")
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
                self.assertEqual(command.main(["--quiet", *map(str, words)]), 3)
            self.assertIn(f"cannot write {path}: File too large", errors.getvalue())
            self.assertEqual(path.read_text(), "old")
        self.assertIn("upc_broadcast", table.read_text(), "what there is room for is written")

    def test_help_that_cannot_be_written(self):
        for command in ("report", "launches", "compare", "guidelines"):
            start = f"exec {sys.executable} -m uoms.{command} --help"
            for output, why in (("/dev/full", "No space left on device"), ("&-", "Bad file descriptor")):
                for is_unbuffered in ("", "1"):
                    done = suite.run(["sh", "-c", f"{start} >{output}"], PYTHONUNBUFFERED=is_unbuffered,
                                     PYTHONPATH=str(suite.ROOT / "bench" / "report"))
                    self.assertEqual((done.status, done.err), (3, f"uoms-{command}: cannot write: {why}\n"))


class MadeLaunches:
    """Launches whose medians differ by a factor common to a launch and one for each row, as real ones do."""

    def __init__(self, seed, row_count, factor=1.0):
        self.random, self.row_count, self.factor = random.Random(seed), row_count, factor

    def one(self):
        common = self.random.lognormvariate(0, 0.02)
        return document(
            [
                row(f"operation{i}", 4, 1000 * (i + 1) * self.factor * common * self.random.lognormvariate(0, 0.03))
                for i in range(self.row_count)
            ]
        )

    def several(self, count):
        return [self.one() for _ in range(count)]


class Comparison(suite.Test):
    def test_equal_programs_show_no_difference_in_95_of_100(self):
        wrong = 0
        for seed in range(100):
            made = MadeLaunches(seed, 12)
            rows = compare.compare(made.several(7), made.several(7))
            wrong += any(each.verdict != compare.NONE for each in rows)
        self.assertLessEqual(wrong, 5)

    def test_a_slower_and_a_faster_program_are_found(self):
        for factor, verdict in ((1.25, compare.SLOWER), (0.8, compare.FASTER)):
            found = 0
            for seed in range(20):
                rows = compare.compare(
                    MadeLaunches(seed, 5).several(7), MadeLaunches(1000 + seed, 5, factor).several(7)
                )
                found += sum(each.verdict == verdict for each in rows)
                self.assertTrue(all(each.verdict in (verdict, compare.NONE) for each in rows))
            self.assertGreater(found, 95)

    def test_what_is_within_the_margin_does_not_count(self):
        base, other = MadeLaunches(1, 4).several(9), MadeLaunches(2, 4, 1.3).several(9)
        self.assertTrue(any(each.verdict == compare.SLOWER for each in compare.compare(base, other)))
        self.assertTrue(all(each.verdict == compare.NONE for each in compare.compare(base, other, margin=0.5)))

    def test_launches_that_lack_a_row_have_no_pair(self):
        """Launches get slower, base and other alike; pairs of other launches would differ."""
        whole = [document([row("broadcast", 8, median), row("get", 8, 1)]) for median in (100, 200, 400, 800)]
        late = {**row("broadcast", 8, 1), "median": None}
        for lack in (document([row("get", 8, 1)]), document([late, row("get", 8, 1)])):
            for base, other in (([lack, *whole[1:]], whole), (whole, [*whole[:1], lack, *whole[2:]])):
                found = {each.key[0]: each for each in compare.compare(base, other)}
                self.assertEqual((found["broadcast"].ratio, found["broadcast"].pairs), (1, 3))
                self.assertEqual(found["broadcast"].base_median, found["broadcast"].other_median)
                self.assertEqual(found["get"].pairs, 4)
        found = compare.compare([lack, whole[1]], [whole[0], lack])
        self.assertEqual([(each.key[0], each.pairs) for each in found], [("get", 2)], "no launch has both")

    def test_a_time_of_0_has_no_ratio(self):
        paths = [self.folder / "none.json", self.folder / "some.json"]
        for path, median in zip(paths, (0, 100)):
            path.write_text(json.dumps(document([row("get", 8, median), row("put", 8, 100)])))
        left_out = "uoms-compare: a and b: 1 row left out, as a time of 0 has no ratio\n"
        for words, status, said in (([], 0, left_out), (["--value", "t_min"], 0, left_out)):
            for base, other in (paths, paths[::-1]):
                with contextlib.redirect_stderr(io.StringIO()) as errors, \
                        contextlib.redirect_stdout(io.StringIO()) as out:
                    self.assertEqual(compare.main(["--files", *words, f"a={base}", f"b={other}"]), status)
                self.assertEqual(errors.getvalue(), said)
                self.assertIn("1 no difference shown", out.getvalue())
        paths[1].write_text(json.dumps(document([row("get", 8, 100)])))
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(compare.main(["--files", f"a={paths[0]}", f"b={paths[1]}"]), 2)
        self.assertEqual(errors.getvalue(), left_out + "uoms-compare: a and b have nothing in common but that\n")

    def test_systems_without_modes_and_operators_are_matched(self):
        upc = document(
            [
                row("broadcast", 8, 100, sync_mode="UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC", algorithm="pull"),
                row("reduce_D", 8, 100, reduce_op="UPC_ADD"),
                row("only_here", 8, 1),
            ]
        )
        mpi = document([row("broadcast", 8, 200), row("reduce_D", 8, 50, reduce_op="UPC_ADD")])
        rows = compare.compare([upc] * 3, [mpi] * 3)
        self.assertEqual(
            [(each.key[0], round(each.ratio, 3), each.verdict) for each in rows],
            [("broadcast", 2.0, compare.SLOWER), ("reduce_D", 0.5, compare.FASTER)],
        )

    def test_command_line_runs_in_alternation_and_tells_by_its_status(self):
        log = self.folder / "log"
        program = self.folder / "program.py"
        program.write_text(
            f"import json, sys\nopen({str(log)!r}, 'a').write(sys.argv[1] + ' ')\n"
            f"rows = json.loads({json.dumps(json.dumps([row('broadcast', 8, 100)]))})\n"
            "rows[0]['median'] *= float(sys.argv[2])\n"
            "json.dump({'format': 'uoms-2', 'context': {'threads': 4}, 'results': rows}, open(sys.argv[-1], 'w'))\n"
        )
        start = f"{sys.executable} {program}"
        kept = self.folder / "kept"
        for factor, status in ((1, 0), (2, 1), (0.5, 0)):
            log.write_text("")
            words = [
                "--pairs",
                "4",
                "--quiet",
                "--keep",
                str(kept),
                f"a={start} A 1",
                f"b={start} B {factor}",
                "--",
                "-maxsize",
                "8",
            ]
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(compare.main(words), status)
            self.assertEqual(log.read_text().split(), ["A", "B", "B", "A"] * 2)
            self.assertIn("verdict", out.getvalue())
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(compare.main(["--files", f"a={kept}-a.json", f"b={kept}-b.json"]), 0)
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(compare.main(["--quiet", "a=false", "b=false"]), 3)
            self.assertEqual(compare.main(["--files", "a=/nonexistent", "b=/nonexistent"]), 2)
            log.write_text("")
            for option in ("--json", "--keep"):
                self.assertEqual(compare.main([option, "/nonexistent/x", f"a={start} A 1", f"b={start} B 1"]), 2)
            self.assertEqual(log.read_text(), "", "nothing is measured that cannot be written")
        self.assertIn("exit status 1", errors.getvalue())
        self.assertIn("No such file", errors.getvalue())
        self.assertIn("cannot write /nonexistent/x-a.json: No such file", errors.getvalue())

    def test_repeated_comparisons_are_counted(self):
        program = self.folder / "program.py"
        program.write_text(
            f"import json, random, sys\nrows = json.loads({json.dumps(json.dumps([row('broadcast', 8, 100)]))})\n"
            "rows[0]['median'] *= float(sys.argv[1]) * random.lognormvariate(0, 0.01)\n"
            "json.dump({'format': 'uoms-2', 'context': {'threads': 4}, 'results': rows}, open(sys.argv[-1], 'w'))\n"
        )
        start = f"{sys.executable} {program}"
        for factor, count, status in ((2, 3, 1), (1, 1, 0)):
            words = ["--repeat", str(count), "--pairs", "4", "--quiet"]
            with contextlib.redirect_stdout(io.StringIO()) as out:
                # Equal programs: with a margin of 5 times the difference, chance does not matter.
                self.assertEqual(
                    compare.main([*words, "--margin", "0.05", f"a={start} 1", f"b={start} {factor}"]), status
                )
            self.assertIn(f"a difference was shown in {count * status} of {count} comparisons", out.getvalue())


class Guidelines(suite.Test):
    def broken(self, *rows, margin=0.1):
        table = guidelines.check(files.combine([document(list(rows))]), margin)
        return [
            (each.row["operation"], each.row["bytes"], each.rule.split(",")[0]) for each in table.broken
        ], table.checked

    def test_gather_all_against_gather_and_broadcast(self):
        stand_ins = (row("gather", 8, 100), row("broadcast", 32, 100))
        self.assertEqual(self.broken(row("gather_all", 8, 205), *stand_ins)[0], [])
        found, _ = self.broken(row("gather_all", 8, 300), *stand_ins)
        self.assertEqual(found, [("gather_all", 8, "slower than gather and broadcast of the result")])

    def test_broadcast_against_scatter_and_gather_all(self):
        stand_ins = (row("scatter", 1024, 100), row("gather_all", 1024, 100))
        self.assertEqual(
            self.broken(row("broadcast", 4096, 400), *stand_ins)[0],
            [("broadcast", 4096, "slower than scatter and gather_all of pieces")],
        )
        self.assertEqual(self.broken(row("broadcast", 4096, 190), *stand_ins)[0], [])

    def test_reduce_all_against_reduce_and_broadcast(self):
        found, _ = self.broken(row("reduce_all_D", 64, 900), row("reduce_D", 64, 100), row("broadcast", 8, 100))
        self.assertIn(("reduce_all_D", 64, "slower than reduce and broadcast of the result"), found)

    def test_larger_is_not_cheaper(self):
        self.assertEqual(
            self.broken(row("permute", 8, 500), row("permute", 16, 100), row("permute", 32, 120))[0],
            [("permute", 8, "slower than with 16")],
        )

    def test_looser_modes_are_not_slower(self):
        strict, loose = "UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC", "UPC_IN_NOSYNC|UPC_OUT_MYSYNC"
        found, _ = self.broken(row("permute", 8, 100, sync_mode=strict), row("permute", 8, 300, sync_mode=loose))
        self.assertEqual(found, [("permute", 8, "slower than with UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC")])
        self.assertEqual(
            self.broken(row("permute", 8, 300, sync_mode=strict), row("permute", 8, 100, sync_mode=loose))[0], []
        )

    def test_the_choice_is_compared_with_what_was_tried(self):
        tried = [
            row("permute", 8, median, algorithm=name, forced=True) for name, median in (("ring", 100), ("flat", 900))
        ]
        self.assertEqual(
            self.broken(row("permute", 8, 300, algorithm="flat"), *tried)[0], [("permute", 8, "slower than ring")]
        )
        self.assertEqual(self.broken(row("permute", 8, 101, algorithm="ring"), *tried)[0], [])

    def test_overlapping_intervals_show_nothing(self):
        self.assertEqual(self.broken(row("permute", 8, 150, spread=0.5), row("permute", 16, 100, spread=0.5))[0], [])

    def test_what_cannot_be_told_apart_is_no_violation(self):
        rows = [row("permute", 8, 1.1, spread=0.01), row("permute", 16, 0.9, spread=0.01)]
        self.assertEqual(self.broken(*rows)[0], [], "less than a cycle")
        rows = [row("permute", 8, 130, spread=0.01), row("permute", 16, 111, spread=0.01)]
        self.assertEqual(len(self.broken(*rows)[0]), 1)
        made = document(rows)
        made["context"]["clock"] = {"step_ns": 20}
        self.assertEqual(guidelines.check(files.combine([made])).broken, [], "less than a step of the clock")
        for each in made["results"]:
            each["batch"] = 100
        self.assertEqual(len(guidelines.check(files.combine([made])).broken), 1, "which many calls in a sample share")

    def test_what_takes_no_time_is_no_error(self):
        """With -skew, what ends before the last thread comes takes none."""
        table = guidelines.check(files.combine([document([row("permute", 8, 500), row("permute", 16, 0)])]))
        self.assertEqual([str(each) for each in table.broken],
                         ["upc_permute, 8, 4 threads: slower than with 16; 500 ns against 0 ns"])

    def test_command_line(self):
        path = self.folder / "a.json"
        path.write_text(
            json.dumps(document([row("gather_all", 8, 300), row("gather", 8, 100), row("broadcast", 32, 100)]))
        )
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(guidelines.main([str(path)]), 1)
        self.assertIn("upc_gather_all, 8, 4 threads: slower than gather and broadcast", out.getvalue())
        path.write_text('{"format": "uoms-2", "results": [')
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(guidelines.main([str(path)]), 2)
        self.assertIn("was the run cut short?", errors.getvalue())

    def test_other_conditions_are_not_mixed(self):
        paths = []
        for name, options in (("hot", {"cache": "hot", "batch": None}), ("cold", {"cache": "cold", "batch": None}),
                              ("single", {"cache": "hot", "batch": 1}),
                              ("warm", {"cache": "hot", "warmup": True}), ("cool", {"cache": "hot", "warmup": False}),
                              ("discard", {"cache": "hot", "outliers": "discard"}), ("old", {})):
            paths.append(self.folder / f"{name}.json")
            made = copy.deepcopy(WHOLE)
            made["context"]["options"] = {**WHOLE["context"]["options"], **options}
            paths[-1].write_text(json.dumps(made))
        hot, cold, single, warm, cool, discard, old = map(str, paths)
        for others, difference in (((hot, cold), "cache: hot, cold"), ((hot, single), "batch: null, 1"),
                                   ((warm, cool), "warmup: true, false"),
                                   ((hot, discard), "outliers: report, discard"),
                                   ((old, cold, single), "cache: hot, cold")):
            for command, words in ((guidelines, others), (report, others), (report, [f"A={','.join(others)}"]),
                                   (compare, ["--files", f"a={','.join(others)}", f"b={hot}"])):
                with contextlib.redirect_stderr(io.StringIO()) as errors:
                    self.assertEqual(command.main(list(words)), 2)
                self.assertIn(f"launches under different conditions ({difference})", errors.getvalue())
        for command, words in ((guidelines, [hot, old]), (compare, ["--files", f"a={hot}", f"b={cold}"])):
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(command.main(words), 0)

    def refusal(self, damage, with_context=False):
        """The message about a file after damage(its content)"""
        made = copy.deepcopy(WHOLE)
        damage(made)
        path = self.folder / "damaged.json"
        path.write_text(json.dumps(made))
        with self.assertRaises(files.FileError) as caught:
            files.read(path, with_context)
        said = str(caught.exception).removeprefix(f"{path}: damaged: ")
        return said.removesuffix("; measure again, or mend the file")

    def test_damaged_results_are_told_of(self):
        for name, value, sentence in (
            ("threads", "x", 'is "x", not a whole number from 1 on, of 63 bits'),
            ("bytes", True, "is true, not a whole number from 0 on, of 63 bits"),
            ("sync_mode", {}, "is {}, not like UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC"),
            ("t_min", "x", 'is "x", not a finite number from 0 on'),
            ("t_min", None, "is null, not a finite number from 0 on"),
            ("median", -5, "is -5, not a finite number from 0 on"),
            ("median", math.nan, "is NaN, not a finite number from 0 on"),
            ("ci_high", math.inf, "is Infinity, not a finite number from 0 on"),
            ("skew", -math.inf, "is -Infinity, not a finite number"),
            ("repetitions", 1 << 63, f"is {1 << 63}, not a whole number from 0 on, of 63 bits"),
            ("pair", [], "is not an object"),
        ):
            said = self.refusal(lambda made, name=name, value=value: made["results"][1].update({name: value}))
            self.assertEqual(said, f"the file.results[1].{name} {sentence}")
        for name in ("median", "ci_low", "ci_high", "t_min", "t_max", "t_avg"):
            self.assertIsNone(content.fault({**WHOLE, "results": [{**WHOLE["results"][1], name: 0}]}, "", True))
        self.assertEqual(self.refusal(lambda made: made["results"][1].pop("median")),
                         "the file.results[1].median is missing")
        self.assertEqual(self.refusal(lambda made: made.update(results=7)), "the file.results is not a list")
        self.assertEqual(self.refusal(lambda made: made.update(format=files.SEVERAL, launches=[{}])),
                         "launches[0].results is missing")
        self.assertEqual(self.refusal(lambda made: made.update(format=files.SEVERAL, launches=[])),
                         "there are no launches in it; measure again")

    def test_numbers_and_depths_that_json_cannot_read(self):
        path = self.folder / "odd.json"
        for text in ("9" * 5000, "[" * 100000):
            path.write_text(f'{{"format": "uoms-2", "results": {text}')
            with self.assertRaisesRegex(files.FileError, "no JSON of uoms"):
                files.read(path)

    def test_a_device_without_end_is_refused(self):
        with self.assertRaisesRegex(files.FileError, "/dev/zero: File too large"):
            files.read("/dev/zero")
        for kind in profile, collectives:
            with self.assertRaisesRegex(profile.ProfileError, "/dev/zero: no .*File too large"):
                kind.read("/dev/zero")

    def test_damaged_contexts_are_told_of(self):
        tree = WHOLE["context"]["machine"]["tree"]
        for damage, sentence in (
            (lambda made: made["context"]["build"].pop("flags"), ".build.flags is missing"),
            (lambda made: made["context"]["machine"]["tree"]["children"].insert(0, [None]),
             ".machine.tree.children[0] is not an object"),
            (lambda made: made["context"]["machine"]["tree"]["memory"][0].update(bytes="x"),
             '.machine.tree.memory[0].bytes is "x", not a whole number from 0 on, of 63 bits'),
            (lambda made: made["context"]["machine"]["tree"].update(memory="x"), ".machine.tree.memory is not a list"),
            (lambda made: made.update(context=[]), " is not an object"),
        ):
            self.assertEqual(self.refusal(damage, with_context=True), "the file.context" + sentence)
        path = self.folder / "whole.json"
        path.write_text(json.dumps(WHOLE))
        self.assertEqual(files.read(path, with_context=True)[0]["context"]["machine"]["tree"], tree)

    def test_a_damaged_file_ends_the_commands(self):
        path = self.folder / "damaged.json"
        path.write_text(json.dumps({**WHOLE, "results": [{**WHOLE["results"][0], "threads": "x"}]}))
        for command in (guidelines, report):
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                self.assertEqual(command.main([str(path)]), 2)
            self.assertIn(f'{path}: damaged: the file.results[0].threads is "x"', errors.getvalue())


class Launches(suite.Test):
    def test_combined_rows(self):
        group = [
            document([row("broadcast", 8, median, bw_max=10.0, bw_min=1.0, bw_avg=5.0)])
            for median in (100, 110, 90, 105)
        ]
        combined = next(iter(files.combine(group).values()))
        self.assertEqual(combined["median"], 102.5)
        self.assertEqual(combined["launches"], 4)
        self.assertEqual(combined["repetitions"], 400)
        self.assertAlmostEqual(combined["t_min"], 81)
        self.assertLess(combined["ci_low"], 95)
        self.assertGreater(combined["ci_high"], 105)

    def test_what_a_launch_measured_twice_counts_once(self):
        launch = document([row("broadcast", 8, 100), row("broadcast", 8, 300)])
        self.assertEqual(next(iter(files.combine([launch]).values()))["launches"], 1)
        self.assertEqual([each.pairs for each in compare.compare([launch], [launch])], [1])

    def test_times_in_words(self):
        for nanoseconds, words in ((0.276, "0.276 ns"), (999.4, "999 ns"), (999.5, "1 us"), (999.99e3, "1 ms"),
                                   (12345, "12.3 us"), (5e12, "5000 s")):
            self.assertEqual(files.time_text(nanoseconds), words)
        self.assertEqual(files.with_unit(1010, ("B", "KiB"), 1024), "1010 B")
        self.assertEqual([files.ratio_text(ratio) for ratio in (0.5, 99.96, 12345)], ["0.5", "100", "12,345"])

    def test_real_launches(self):
        path = self.folder / "all.json"
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(
                launches.main(
                    [
                        "-n",
                        "3",
                        "--quiet",
                        "--json",
                        str(path),
                        f"{suite.UOMS} -n 2",
                        "--",
                        "broadcast",
                        "-maxsize",
                        "8",
                        "-time",
                        "0.001",
                    ]
                ),
                0,
            )
        self.assertIn("# Benchmarking upc_all_broadcast", out.getvalue())
        self.assertEqual(len(files.read(path)), 3)
        with self.assertRaises(runs.RunError):
            runs.launch(f"{suite.UOMS} -n 2", ["nothing_like_this"], 60)

    def test_a_launch_that_fails_leaves_those_before(self):
        path = self.folder / "all.json"
        program = launched(self.folder, at=3, then="sys.exit('no third one')")
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(launches.main(["--quiet", "--json", str(path), program]), 3)
            self.assertEqual(len(files.read(path)), 2)
            self.assertEqual(launches.main(["--quiet", "--json", str(self.folder / "none.json"), "false"]), 3)
        self.assertIn("# 2 launches", out.getvalue())
        self.assertIn("no third one\nuoms-launches: what is written is of 2 of 5 launches", errors.getvalue())
        self.assertFalse((self.folder / "none.json").exists())

    def test_commands_that_cannot_be_meant(self):
        for words, status, said in (
            (["-n", "1", "upcrun", "-n", "2", "uoms"], 2, "uoms: the command is one word, 'upcrun -n 2 uoms'"),
            (["--quiet", "echo hello"], 3, "echo hello: ended well, but took no notice of -json; is it uoms?"),
            (["--quiet", "upcrun -n 2 'uoms"], 3, "upcrun -n 2 'uoms: No closing quotation"),
            (["--json", "/nonexistent/x", "true"], 2, "cannot write /nonexistent/x: No such file or directory"),
            (["--csv", str(self.folder), "true"], 2, f"cannot write {self.folder}: Is a directory"),
        ):
            self.refused(launches, words, status, said)
        path, link = self.folder / "kept-a.json", self.folder / "link"
        path.write_text("old")
        link.symlink_to(path)
        for command, words in ((launches, ["--json", path, "--csv", link, "true"]),
                               (compare, ["--json", path, "--keep", self.folder / "kept", "a=true", "b=true"])):
            self.refused(command, [str(word) for word in words], 2, "are one file; give each a file of its own")
        self.assertEqual(path.read_text(), "old")

    def test_arguments_that_cannot_be_meant_for_every_launch(self):
        pair = ["a=true", "b=true"]
        for command, words, said in (
            (launches, ["true", "--", "barrier", "-json", "x"], "its own; use --json FILE of uoms-launches"),
            (launches, ["true", "--", "--csv=x"], "its own; use --csv FILE of uoms-launches"),
            (launches, ["true", "--", "-list"], "-list behind --: with it, nothing is measured"),
            (compare, [*pair, "--", "-json=x"], "its own; use --keep PREFIX of uoms-compare"),
            (compare, [*pair, "--", "-csv", "x"], "its own; uoms-launches --csv FILE combines"),
            (compare, [*pair, "--", "--help"], "-help behind --: with it, nothing is measured"),
        ):
            self.refused(command, words, 2, said)

    def test_numbers_that_cannot_be_meant(self):
        for number in ("nan", "inf", "-1", "x"):
            for command, option, words in (
                (launches, "--limit", ["true"]),
                (compare, "--limit", ["a=true", "b=true"]),
                (compare, "--margin", ["a=true", "b=true"]),
                (guidelines, "--margin", ["none.json"]),
            ):
                self.refused(command, [option, number, *words], 2, f"argument {option}: {number} is not a")
        self.refused(launches, ["--limit", "1e7", "true"], 2, "1e7 is not a number of seconds above 0, up to 1000000")

    def refused(self, command, words, status, said):
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            try:
                self.assertEqual(command.main(words), status)
            except SystemExit as end:
                self.assertEqual(end.code, status)
        self.assertIn(said, errors.getvalue())


if __name__ == "__main__":
    suite.main(load=stats.library)
