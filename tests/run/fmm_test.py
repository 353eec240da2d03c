#!/usr/bin/env python3
"""apps/fmm: errors compared with direct summation are within what the order promises, in every model; bad input is
refused.

A few thousand bodies; with --long all orders, distributions and kernels, with 1 to 5 threads.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import jobs

sys.path.insert(0, os.path.join(jobs.TESTS, "multihost"))
import hosts as multihost  # noqa: E402  (found only with the path above)

APPS = os.path.abspath(os.path.join(jobs.TESTS, "..", "apps"))
BUILT = os.path.join(jobs.BUILD, "tests", "fmm")
LIBRARIES = ["-lfftw3", "-lfftw3f", "-llapacke", "-llapack", "-lblas", "-lm", "-lgomp", "-lstdc++"]
LONG = "--long" in sys.argv
DISTRIBUTIONS = ("uniform", "ellipse", "plummer", "point", "line", "clusters")
MODELS = ["static", "dynamic", "guided", "naive-tasks", "tiled", "tiled-tasks", "subtree-tasks"]
# Makes threads yield, as there may be more of them than cores
PASSIVE = {"OMP_WAIT_POLICY": "passive", "OPENBLAS_NUM_THREADS": "1"}


def run(command, **more):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=jobs.LIMIT, env=jobs.environment(**{**PASSIVE, **more}), check=False)


class Fmm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-fmm-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def has_tbb(self):
        return "the model tbb is not there" not in self.fmm("-n", 1, "-model", "tbb").stderr

    def models(self):
        return MODELS + (["tbb"] if self.has_tbb() else [])

    def fmm(self, *arguments, threads=3):
        return run([f"{BUILT}/fmm", *arguments], OMP_NUM_THREADS=str(threads))

    def right(self, *arguments, threads=3, models=1):
        """(error of potentials, of gradients) of a run that must be right"""
        done = self.fmm(*arguments, "-check", threads=threads)
        what = " ".join(map(str, arguments)) + "\n" + done.stdout + done.stderr
        self.assertEqual((done.returncode, done.stderr), (0, ""), what)
        found = re.findall(rf"^fmm: .*, n {threads}, [0-9.]+ s, .* errors (\S+) (\S+), .*: right$", done.stdout, re.M)
        self.assertEqual(len(found), models, what)
        return tuple(map(float, found[0]))

    def test_errors_fall_with_the_order(self):
        before = (1, 1)
        for order in range(4, 11) if LONG else (4, 6):
            errors = self.right("-n", 20000 if LONG else 1000, "-leaf", 20, "-order", order)
            for now, then in zip(errors, before):
                self.assertLess(now, then / (2 if LONG else 4))
            before = errors

    def test_every_model_has_the_same_result(self):
        for distribution in DISTRIBUTIONS:
            self.right("-n", 30000 if LONG else 600, "-leaf", 10, "-order", 6 if LONG else 4, "-model", "all",
                       "-tile", 5, "-block", 3, "-distribution", distribution, models=len(self.models()))

    def test_kernels_and_precisions(self):
        # On a line and in clusters, bodies are too close together for float to represent their places well enough.
        for distribution in ("uniform", "ellipse", "plummer", "point") if LONG else ("plummer",):
            for arguments in (("-kernel", "yukawa", "-length", 0.3), ("-precision", "single"),
                              ("-kernel", "yukawa", "-precision", "single")):
                for order in (4, 6, 8, 10) if LONG else (4,):
                    self.right("-n", 8000 if LONG else 500, "-leaf", 15, "-order", order, "-distribution",
                               distribution, *arguments)

    def test_few_bodies(self):
        for count in (0, 1, 2, 8, 9):
            self.right("-n", count, "-leaf", 8, "-order", 4, "-model", "all", models=len(self.models()))

    @unittest.skipUnless(LONG, "only with --long")
    def test_numbers_of_threads(self):
        for threads in range(1, 6):
            self.right("-n", 20000, "-model", "all", "-distribution", "ellipse", threads=threads,
                       models=len(self.models()))

    def upc(self, threads, *arguments, form="fmm_upc", command=None):
        """The output of a run that must be right"""
        done = run(command or [jobs.UPCRUN, "-n", threads, f"{BUILT}/{form}", *arguments, "-check"])
        what = " ".join(map(str, arguments)) + "\n" + done.stdout + done.stderr
        # Open MPI's launcher prints this if the child was faster than it.
        said = [line for line in done.stderr.splitlines() if line and "plm:rsh: Warning: setpgid" not in line]
        self.assertEqual((done.returncode, said), (0, []), what)
        self.assertRegex(done.stdout, rf"(?m)^fmm: .*, upc, n {threads}, [0-9.]+ s, .* errors .*: right$", what)
        return done.stdout

    def test_upc(self):
        for threads, distribution in zip((1, 2, 3, 4, 8), ("uniform", "ellipse", "plummer", "line", "clusters")):
            self.upc(threads, "-n", 500, "-leaf", 7, "-order", 4, "-repeat", 2, "-distribution", distribution)
        if LONG:
            for distribution in DISTRIBUTIONS:
                for arguments in ((), ("-kernel", "yukawa", "-length", 0.3)):
                    self.upc(4, "-n", 8000, "-leaf", 15, "-distribution", distribution, *arguments)
            self.upc(3, "-n", 8000, "-precision", "single")

    def test_upc_with_threads_of_one_process(self):
        for threads in (1, 2, 3, 4, 8) if LONG else (3,):
            self.upc(threads, "-n", 500, "-leaf", 7, "-order", 4, "-distribution", "plummer", "-repeat", 2,
                     form="fmm_upc_pthreads")

    def test_upc_with_more_threads_than_bodies(self):
        for count in (0, 1, 5):
            self.upc(4, "-n", count, "-leaf", 1, "-order", 4)

    def test_upc_says_of_each_step_how_even_it_was(self):
        said = self.upc(2, "-n", 400, "-leaf", 7, "-order", 4, "-repeat", 3, "-profile")
        self.assertEqual(len(re.findall(r"^  step \d: .* most work / mean 1\.\d+$", said, re.M)), 3, said)

    @unittest.skipUnless(LONG, "only with --long")
    def test_upc_on_hosts(self):
        reason = multihost.why_no_oshrun() or multihost.why_not()
        if reason:
            self.skipTest(reason)
        program = os.path.join(self.folder, "far")
        made = run([os.path.join(jobs.BIN, "upcc"), "-network=shmem", "-O1", f"{APPS}/fmm/fmm_upc.upc",
                    f"{BUILT}/fmm.objects/request.o", f"{BUILT}/libfmm.a", "-o", program, *LIBRARIES])
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        for count in (2, 4):
            with multihost.Hosts(count) as hosts:
                arguments = [program, "-n", "8000", "-leaf", "20", "-distribution", "plummer", "-repeat", "2", "-check"]
                self.upc(2 * count, command=hosts.upcrun(jobs.UPCRUN, 2, arguments))

    def test_tuner_goes_on_where_it_was_ended_and_then_only_looks(self):
        known = os.path.join(self.folder, "known")
        command = ("-n", 300, "-order", 4, "-check", "-tune", known, "-quick")
        first = self.fmm(*command)
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertEqual(len(re.findall(r"^fmm: \d of 8: leaf ", first.stderr, re.M)), 8, first.stderr)
        with open(known, encoding="utf-8") as file:
            lines = file.read().splitlines(keepends=True)
        times = [float(re.search(r": ([0-9.]+) s$", line)[1]) for line in lines]
        best = re.search(r"; (leaf .*): ", lines[times.index(min(times))])[1]
        with open(known, "w", encoding="utf-8") as file:
            file.writelines(lines[:5])
            file.write(lines[5][:-3])  # as if interrupted while writing
        again = self.fmm(*command)
        self.assertEqual(again.stderr.count("of 8: "), 3, again.stderr)
        self.assertEqual(self.fmm(*command).stderr, "")
        with open(known, "w", encoding="utf-8") as file:
            file.writelines(lines)
        drawn = os.path.join(self.folder, "map.svg")
        last = self.fmm(*command, "-map", drawn)
        self.assertEqual((last.returncode, last.stderr), (0, ""))
        self.assertIn(f"fmm: fastest of 8: {best}: ", last.stdout)
        picture = ElementTree.parse(drawn)
        words = [text.text for text in picture.iterfind("{*}text")]
        least = min(times) * 1e3
        digits = 2 if least < 10 else 1 if least < 100 else 0
        self.assertCountEqual(words[-8 - 2 - 4:], ["tiled", "subtree-tasks", *2 * ["tile 16, block 8"],
                                                   *2 * ["tile 16, block 32"],
                                                   *(f"{time * 1e3:.{digits}f}" for time in times)])
        self.assertIn("Milliseconds of an evaluation:", words)
        framed = [square for square in picture.iterfind("{*}rect") if square.get("stroke")]
        self.assertEqual(len(framed), times.count(min(times)))
        self.assertEqual(self.fmm(*command, "-processor").stderr.count("of 8: "), 8)  # nor with another criterion
        self.assertEqual(self.fmm("-n", 301, *command[2:]).stderr.count("of 8: "), 8)  # nor with other bodies

    def test_trace_has_all_work(self):
        trace = os.path.join(self.folder, "trace.json")
        done = self.fmm("-n", 500, "-leaf", 10, "-order", 4, "-model", "tiled-tasks", "-profile", "-trace", trace)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        with open(trace, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        for stage in ("up", "transform", "v", "down", "u", "leaf"):
            pieces = int(re.search(rf"^  {stage} .* (\d+) pieces$", done.stdout, re.M)[1])
            self.assertEqual(len([event for event in events if event["name"] == stage]), pieces, stage)
        leaves = int(re.search(r", (\d+) leaves,", done.stdout)[1])
        self.assertEqual(sum(event["args"]["count"] for event in events if event["name"] == "u"), leaves)

    def test_a_model_that_is_not_there_is_refused_by_name(self):
        done = self.fmm("-n", 100, "-model", "tbb")
        all_of_them = self.fmm("-n", 100, "-order", 4, "-model", "all").stdout
        if self.has_tbb():
            self.assertIn(", tbb, n 3, ", done.stdout)
            self.assertIn(", tbb, n 3, ", all_of_them)
        else:
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("fmm: the model tbb is not there: it needs oneTBB", done.stderr)
            self.assertIn("fmm: tbb is left out: it needs oneTBB", all_of_them)

    def study(self, *arguments):
        """{title: {model: [its numbers]}}"""
        done = self.fmm("-n", 2000, "-leaf", 10, "-order", 4, "-study", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        tables = {}
        for title, body in re.findall(r"^(\S.*)\n\n((?:\|.*\n)+)", done.stdout, re.M):
            rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines()[2:]]
            tables[re.split("[:;,]", title)[0]] = {
                row[0]: [float(re.match(r"[0-9.]+", cell)[0]) for cell in row[1:]] for row in rows}
        return tables

    def test_study_says_where_the_time_went(self):
        drawn = os.path.join(self.folder, "timeline.svg")
        tables = self.study("-timeline", drawn)
        stages, inflation, simulated = (tables[title] for title in (
            "Seconds of 3 threads together", "Work-time inflation", "Seconds measured"))
        for table in (stages, inflation, simulated):
            self.assertEqual(list(table), self.models())
        for model, (wall, *parts) in stages.items():
            self.assertLessEqual(sum(parts), 3 * wall * 1.02 + 0.001, model)
        for model, (alone, processor, again, _, three, sixteen, *_) in simulated.items():
            # Work, and the model's overhead between it, add up to the time of the one thread, without what other
            # programs took.
            self.assertLessEqual(again, alone * 1.02 + 0.001, model)
            self.assertGreaterEqual(again, processor - 0.001, model)
            self.assertGreaterEqual(three, processor / 3 - 0.001, model)
            self.assertLessEqual(three, again + 0.001, model)
            self.assertGreaterEqual(sixteen, processor / 16 - 0.001, model)
        bands = ElementTree.parse(drawn).findall("{*}path")
        self.assertEqual(len(bands), 2 * len(self.models()))  # measured, and simulated

    def test_counters_are_counted_or_said_to_be_missing(self):
        done = self.fmm("-n", 500, "-order", 4, "-counters")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for counter in ("cycles", "instructions", "cache references", "cache misses", "page faults"):
            either = r"(not counted here \(perf_event_open: .+\)|up \d.* leaf \d.*)"
            self.assertRegex(done.stdout, rf"(?m)^  {counter}: {either}$")

    def test_limits_are_measured(self):
        done = self.fmm("-n", 5000, "-order", 4, "-limits", threads=1)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in ("limits, measured: [0-9.]+ Gflop/s of multiply-adds on each of 1 threads, [0-9.]+ GB/s read",
                     r"near field: \d+ operations a pair, [0-9.]+ Gflop/s, \d+ % of the limit$",
                     r"V list: [0-9.]+ Gflop/s, \d+ % of the limit; at most "):
            self.assertRegex(done.stdout, "(?m)^  " + line)

    def test_wrong_input_is_told(self):
        for arguments, status, words in (
                (("-n", -1), 1, "the number of bodies is -1; it must not be negative"),
                (("-order", 3), 1, "the order is 3; it must be 4 to 10"),
                (("-n", 9, "-tile", 0), 1, "the tile is 0 cells"),
                (("-study", "-check"), 2, "-study runs all models, so not with"),
                (("-timeline", "x"), 2, "-timeline needs -study"), (("-processor",), 2, "-processor needs -tune"),
                (("-n", 2 ** 63 - 1), 1, "9223372036854775807 bodies are more than 2147483647"),
                (("-model", "fast"), 2, "there is no model 'fast'"), (("-n", "9x"), 2, "'9x' is not a whole number"),
                (("-chekc",), 2, "'-chekc' needs a value, or is not an option")):
            done = self.fmm(*arguments)
            self.assertEqual(done.returncode, status, arguments)
            self.assertIn("fmm: " + words, done.stderr)
        for arguments, status, words in (
                (("-n", -1), 1, "fmm: thread 0: the number of bodies is negative"),
                (("-order", 3), 1, "fmm: thread 0: the order is 3; it must be 4 to 10"),
                (("-model", "tiled"), 1,
                 "fmm: thread 0: -model (but upc), -tile, -trace, -tune, -study, -counters and -limits are for the"),
                (("-chekc",), 2, "fmm: '-chekc' needs a value, or is not an option")):
            done = run([jobs.UPCRUN, "-n", 2, f"{BUILT}/fmm_upc", *arguments])
            self.assertEqual((done.returncode, done.stderr.count("fmm:")), (status, 1), done.stderr)
            self.assertIn(words, done.stderr)
        done = self.fmm("-model", "upc")
        self.assertEqual(done.returncode, 1)
        self.assertIn("fmm: the model upc is a program of its own: upcrun -n THREADS fmm_upc", done.stderr)
        done = run(["sh", "-c", 'ulimit -v 600000 && exec "$0" "$@"', f"{BUILT}/fmm", "-n", 20000, "-leaf", 1,
                    "-order", 10])
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("fmm: there is not enough memory", done.stderr)

    def test_too_little_memory_is_told(self):
        """Also if OpenBLAS has too little memory for its threads, which then wait for ever"""
        for limit, count in ((150000, 1000), (150000, 1000000), (700000, 4000000)):
            limited = ["sh", "-c", f"ulimit -v {limit}; exec \"$@\"", "sh", f"{BUILT}/fmm", "-n", count, "-leaf", 8]
            done = run(limited, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="2")
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertRegex(done.stderr, "^fmm: there is not enough memory")

    def test_output_that_cannot_be_written_is_told(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([f"{BUILT}/fmm", "-n", "9"], stdin=subprocess.DEVNULL, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=jobs.LIMIT, check=False,
                                  env=jobs.environment(**PASSIVE))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^fmm: standard output could not be written whole: ")

    def test_interface(self):
        tested = os.path.join(self.folder, "interface")
        source = os.path.join(jobs.TESTS, "run", "fmm_interface.c")
        made = run(["g++", "-fopenmp", "-x", "c", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{APPS}/fmm", source,
                    "-x", "none", f"{BUILT}/libfmm.a", "-o", tested, *LIBRARIES])
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        done = run([tested])
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    if not os.path.exists(f"{BUILT}/fmm"):
        print("skipped: apps/fmm is not built for tests: it needs gcc, FFTW and LAPACKE "
              "(Debian: libfftw3-dev liblapacke-dev libopenblas-dev)")
        sys.exit(77)
    unittest.main(argv=[argument for argument in sys.argv if argument != "--long"])
