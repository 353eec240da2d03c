#!/usr/bin/env python3
"""The program: its messages, its table, its files, and that every benchmark gives right results."""

import csv
import json
import os
import re
import unittest

import suite

SHORT = ("-time", "0.001", "-repetitions", "6", "-progress=off")
HEADER = (
    "Version",
    "Date",
    "Machine",
    "System",
    "Release",
    "Cache invalidation",
    "Warm-up",
    "Problem sizes",
    "Synchronization mode",
    "Reduce operation",
    "CPU masks",
    "List of benchmarks",
)


def parse_table(text):
    """{benchmark: (processes, [names of columns], [[numbers of a row]])} of the classic table, as scripts read it."""
    tables = {}
    name = processes = columns = None
    for line in text.splitlines():
        if line.startswith("# Benchmarking "):
            name = line.split()[2]
        elif line.startswith("# #processes = "):
            processes = int(line.split("=")[1])
        elif re.match(r"\s*#bytes\s+#repetitions\s", line):
            columns = line.split()
            tables.setdefault(name, (processes, columns, []))
        elif line.strip() and not line.startswith("#"):
            tables[name][2].append([float("nan") if word == "-" else float(word) for word in line.split()])
    return tables


class Messages(suite.Test):
    def refused(self, *arguments):
        result = self.uoms(2, *arguments, status=2)
        self.assertEqual(result.out, "")
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 1, result.err)
        return lines[0]

    def test_nothing_runs_after_a_wrong_word(self):
        self.assertEqual(self.refused("-bogus"), "uoms: there is no option '-bogus'; -help lists them")
        self.assertIn("is it upc_all_broadcast?", self.refused("upc_all_brodcast"))
        self.assertIn("No such file", self.refused("-input", "/nonexistent/x"))
        self.assertIn("cannot write", self.refused("-json", "/nonexistent/x", "upc_barrier"))
        self.assertIn("there are 2 threads", self.refused("-root", "2"))

    def test_too_much_memory_says_what_would_fit(self):
        line = self.refused("-maxsize", "1T", "upc_all_exchange")
        self.assertRegex(
            line, r"upc_all_exchange with \d+ bytes takes \d+ MiB on each of 2 threads, and \d+ MiB are available"
        )
        size = re.search(r"-maxsize (\d+) would fit", line).group(1)
        self.assertGreater(int(size), 1 << 20)
        line = self.refused("-minsize", "4194304T", "-maxsize", "4194304T", "upc_all_exchange", "upc_all_gather")
        self.assertIn("takes more than can be addressed", line)

    def test_help_version_list(self):
        self.assertIn("usage: uoms", self.uoms(2, "-help").out)
        self.assertRegex(self.uoms(2, "--version").out, r"^uoms [0-9.]+ over UPC: upcc \(Banyan\) [0-9.]+\n$")
        listed = self.uoms(2, "-list").out
        for name in (
            "upc_forall_read",
            "for_readwrite",
            "upc_barrier",
            "upc_all_permute",
            "upc_all_reduceLD",
            "upc_all_prefix_reduceUC",
            "local_upc_memcpy",
            "memmove",
            "upc_memget_nbi",
            "upc_memput_async",
            "upc_memcpy_asynci",
            "upc_all_alloc",
            "upc_free",
            "upc_lock",
            "upc_atomic_xor",
            "upc_notify_wait_overlap",
            "strict_read",
            "relaxed_write",
            "upc_ticks_now",
        ):
            self.assertRegex(listed, rf"(?m)^{name} ")

    def test_output_that_cannot_be_written(self):
        for words in ("-help", "-list", "--version", "-time 0.001 upc_barrier"):
            for threads in (1, 2):
                command = [suite.UOMS, "-n", threads, *words.split()]
                done = suite.run(["sh", "-c", 'exec "$@" >/dev/full', "sh", *command])
                self.assertEqual(done.status, 1, (words, threads))
                self.assertRegex(done.err, r"^[^\n]+ cannot be written: No space left on device\n$")
        done = suite.run(["sh", "-c", 'exec "$@" >&-', "sh", suite.UOMS, "-n", 1, "-list"])
        self.assertEqual((done.status, done.err), (1, "uoms: standard output cannot be written: Bad file descriptor\n"))
        done = suite.run([suite.UOMS, "-n", 2, "-quiet", "-time", "0.001", "-json", "/dev/full", "upc_barrier"])
        self.assertEqual((done.status, done.err), (1, "uoms: /dev/full cannot be written: No space left on device\n"))


# Names that UPC 1.3 and its libraries declare, as far as the suite uses them; names of reductions are formed by
# appending a type's letters.
STANDARD = set(
    """upc_forall upc_barrier upc_notify upc_wait upc_fence upc_relaxed upc_strict upc_collective upc_tick upc_nb
    upc_atomic upc_castable upc_thread_info upc_all_alloc upc_global_alloc upc_alloc upc_free upc_all_free
    upc_global_exit upc_memget upc_memput upc_memcpy upc_lock_t upc_lock upc_unlock upc_lock_attempt upc_lock_free
    upc_all_lock_alloc upc_ticks_now upc_tick_t upc_ticks_to_ns upc_memget_nb upc_memput_nb upc_memcpy_nb
    upc_memget_nbi upc_memput_nbi upc_memcpy_nbi upc_sync upc_synci upc_handle_t upc_cast upc_atomicdomain_t
    upc_all_atomicdomain_alloc upc_all_atomicdomain_free upc_atomic_relaxed upc_atomic_strict upc_all_broadcast
    upc_all_scatter upc_all_gather upc_all_gather_all upc_all_exchange upc_all_permute upc_all_reduce
    upc_all_prefix_reduce upc_op_t upc_type_t upc_flag_t UPC_ADD UPC_MULT UPC_AND UPC_OR UPC_XOR UPC_LOGAND UPC_LOGOR
    UPC_MIN UPC_MAX UPC_GET UPC_SET UPC_CSWAP UPC_SUB UPC_INC UPC_DEC UPC_LONG UPC_ATOMIC_HINT_DEFAULT UPC_IN_ALLSYNC
    UPC_IN_MYSYNC UPC_IN_NOSYNC UPC_OUT_ALLSYNC UPC_OUT_MYSYNC UPC_OUT_NOSYNC""".split()
)
# Conditions around optional features beyond that (libraries.h)
EXTENDED = re.compile(r"\b(HAS_ASYNC|HAS_REDUCE_ALL|HAS_BANYAN_COLL|NEEDS_BUPC_\w+)\b")


class Sources(suite.Test):
    def test_any_compiler_of_upc_has_the_names_that_are_used(self):
        """Outside these conditions, only names of UPC 1.3 occur."""
        for path in sorted((suite.ROOT / "bench" / "uoms").glob("*.upc")):
            text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", " ", path.read_text(), flags=re.S)
            depth, plain = 0, []
            for line in text.splitlines():
                words = line.split()
                if depth and words[:1] in (["#if"], ["#ifdef"], ["#ifndef"]):
                    depth += 1
                elif depth and words[:1] == ["#endif"]:
                    depth -= 1
                elif depth == 1 and words[:1] == ["#else"]:
                    depth = 0
                elif words[:1] == ["#if"] and EXTENDED.search(line):
                    depth = 1
                elif not depth:
                    plain.append(line)
            names = set(re.findall(r"\b(?:b?upc|UPC|BUPC|bn|BN)_\w+", "\n".join(plain)))
            self.assertLessEqual(names, STANDARD, f"{path.name} uses {names - STANDARD}")


class Results(suite.Test):
    def test_every_benchmark_is_right(self):
        for threads in (1, 2, 3):
            self.uoms(threads, "-verify=only", "-quiet", "-minsize", "16", "-maxsize", "1K")

    def test_every_operator_root_and_mode_is_right(self):
        for operator in ("MULT", "AND", "OR", "XOR", "LOGAND", "LOGOR", "MIN", "MAX"):
            self.uoms(
                3,
                "-verify=only",
                "-quiet",
                "-minsize",
                "32",
                "-maxsize",
                "64",
                "-reduce_op",
                operator,
                "*reduce*",
                "-root",
                "rotate",
            )
        for mode in ("MYSYNC_MYSYNC", "NOSYNC_NOSYNC", "ALLSYNC_NOSYNC", "NOSYNC_MYSYNC"):
            self.uoms(
                3,
                "-verify=only",
                "-quiet",
                "-minsize",
                "4K",
                "-maxsize",
                "16K",
                "-sync_mode",
                mode,
                "upc_all_*",
                "-root",
                "rotate",
            )

    def test_odd_sizes(self):
        sizes = self.folder / "sizes"
        sizes.write_text("1 3 24 1000 48000\n")
        document = self.results(3, "-msglen", sizes, "broadcast", "reduce_D", "get", *SHORT)
        found = {(row["operation"], row["bytes"]) for row in document["results"]}
        self.assertIn(("broadcast", 3), found)
        self.assertIn(("reduce_D", 24), found)
        self.assertNotIn(("reduce_D", 3), found)
        self.assertTrue(all(row["verified"] for row in document["results"]))


class Table(suite.Test):
    def test_header(self):
        out = self.uoms(2, "upc_barrier", *SHORT).out
        for name in HEADER:
            self.assertRegex(out, rf"(?m)^# {re.escape(name)} +:")
        self.assertIn("#     upc_barrier\n", out)

    def test_rows_and_bandwidth_factors(self):
        sizes = ("-minsize", "8", "-maxsize", "32")
        out = self.uoms(
            3, "broadcast", "gather_all", "exchange", "reduce_D", "get", "barrier", "forall_read", *sizes, *SHORT
        ).out
        tables = parse_table(out)
        factors = {
            "upc_all_broadcast": 3,
            "upc_all_gather_all": 9,
            "upc_all_exchange": 9,
            "upc_memget": 1,
            "upc_forall_read": 3,
        }
        self.assertEqual(set(tables), set(factors) | {"upc_all_reduceD", "upc_barrier"})
        for name, (processes, columns, rows) in tables.items():
            self.assertEqual(processes, 3)
            self.assertEqual(columns[:5], ["#bytes", "#repetitions", "t_min[nsec]", "t_max[nsec]", "t_avg[nsec]"])
            self.assertEqual([row[0] for row in rows], [0] if name == "upc_barrier" else [8, 16, 32])
            self.assertEqual("BW_aggregated[MB/sec]" in columns, name in factors)
            for row in rows:
                self.assertEqual(len(row), len(columns))
                self.assertLessEqual(row[2], row[4])
                self.assertLessEqual(row[4], row[3])
                if name in factors and row[2] >= 100:
                    expected = row[0] * factors[name] * 1e3 / row[2]
                    self.assertLess(abs(row[5] - expected), 0.02 * expected + 0.02)
                    self.assertGreaterEqual(row[5] + 0.01, row[7])
                    self.assertGreaterEqual(row[7] + 0.01, row[6])

    def test_stats_and_labels(self):
        out = self.uoms(2, "broadcast", "-stats", "-outliers", "discard", "-maxsize", "8", *SHORT).out
        self.assertIn("# Outliers              : DISCARDED", out)
        columns = parse_table(out)["upc_all_broadcast"][1]
        for name in (
            "t_median[nsec]",
            "CI_low[nsec]",
            "CI_high[nsec]",
            "t_p95[nsec]",
            "t_p99[nsec]",
            "skew[nsec]",
            "outliers",
        ):
            self.assertIn(name, columns)

    def test_quiet_and_progress(self):
        result = self.uoms(2, "barrier", "-quiet", "-progress=on")
        self.assertEqual(result.out, "")
        self.assertRegex(result.err, r"\[ *0 %, 0 of 1, about [0-9]+ s left\] upc_barrier")
        result = self.uoms(2, "get", "broadcast", "-algorithm", "all", "-maxsize", "64", "-quiet", "-progress=on",
                           "-time", "0.001", "-repetitions", "6", "-verify=off")
        counts = [tuple(map(int, pair)) for pair in re.findall(r"%, (\d+) of (\d+), about \d+ s", result.err)]
        self.assertEqual(counts, [(done, len(counts)) for done in range(len(counts))])


class Files(suite.Test):
    def test_json_has_samples_and_context(self):
        document = self.results(3, "broadcast", "upc_lock", "-maxsize", "8", "-label", "mine", *SHORT)
        self.assertEqual(document["format"], "uoms-2")
        context = document["context"]
        self.assertEqual(context["threads"], 3)
        self.assertEqual(context["options"]["label"], "mine")
        self.assertEqual(len(context["affinity"]), 3)
        for name in ("commit", "flags", "compiler", "back_end"):
            self.assertTrue(context["build"][name], name)
        for name in ("release", "processor", "load_at_start", "limits", "governor"):
            self.assertIn(name, context["system"])
        self.assertTrue(context["machine"]["processors"])
        for row in document["results"]:
            self.assertEqual(len(row["raw"]), 3)
            self.assertTrue(all(len(samples) == row["repetitions"] for samples in row["raw"]))
        row = document["results"][0]
        slowest = [max(times) for times in zip(*row["raw"])]
        self.assertAlmostEqual(row["t_min"], min(slowest), delta=1 + 1e-5 * row["t_min"])
        self.assertAlmostEqual(row["t_max"], max(slowest), delta=1 + 1e-5 * row["t_max"])
        means = [sum(samples) / len(samples) for samples in row["raw"]]
        self.assertAlmostEqual(row["imb"]["t_max"], max(means), delta=1 + 1e-5 * max(means))
        alone = [each for each in document["results"] if each["operation"] == "upc_lock"][0]
        self.assertEqual(set(alone["raw"][1]), {None})

    def test_csv_says_the_same(self):
        path, table = self.folder / "a.json", self.folder / "a.csv"
        self.uoms(2, "broadcast", "barrier", "-maxsize", "16", "-quiet", "-json", path, "-csv", table, *SHORT)
        rows = json.loads(path.read_text())["results"]
        with open(table, newline="") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([line["benchmark"] for line in lines], [row["name"] for row in rows])
        for line, row in zip(lines, rows):
            self.assertAlmostEqual(float(line["t_median_ns"]), row["median"], delta=1e-4 * row["median"])


class Clock(suite.Test):
    def test_cost_of_a_reading_is_that_of_a_reading(self):
        """The cheapest of twenty rows: some 20 ns, where system calls would take 200."""
        clock = self.results(1, "barrier", *SHORT)["context"]["clock"]
        self.assertGreater(clock["cost_ns"], 1)
        self.assertLess(clock["cost_ns"], 1000)


# Each thread contributes the number of the round, and must see that of all others; ports as far as meetings need them
MEETINGS = """
#include "meeting.h"
#include "port.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
static shared [PORT_LARGEST] char room[THREADS][PORT_LARGEST];
static strict shared int rounds[THREADS];
int port_thread(void) { return MYTHREAD; }
int port_threads(void) { return THREADS; }
int port_threads_on_node(void) { return THREADS; }
void port_progress(void) { }
void port_abort(int status) { upc_global_exit(status); }
void port_broadcast(void *data, size_t bytes)
{
    if (MYTHREAD == 0)
        memcpy((char *)room[0], data, bytes);
    upc_barrier;
    upc_memget(data, room[0], bytes);
    upc_barrier;
}
void port_gather(const void *mine, size_t bytes, void *all)
{
    memcpy((char *)room[MYTHREAD], mine, bytes);
    upc_barrier;
    for (int t = 0; MYTHREAD == 0 && t < THREADS; t++)
        upc_memget((char *)all + t * bytes, room[t], bytes);
    upc_barrier;
}
int main(void)
{
    struct uoms_meeting meeting;
    if (uoms_meeting_open(&meeting, 1))
        return 1;
    for (int round = 1; round <= 1000; round++) {
        rounds[MYTHREAD] = round;
        uoms_meet(&meeting);
        for (int t = 0; t < THREADS; t++) {
            if (rounds[t] != round)
                upc_global_exit(2);
        }
        uoms_meet(&meeting);
    }
    uoms_meeting_close(&meeting);
    if (MYTHREAD == 0)
        printf("2000 meetings\\n");
    return 0;
}
"""


class Ways(suite.Test):
    def test_caches_clocks_skew(self):
        for arguments in (
            ("-cache", "cold"),
            ("-cache", "modified"),
            ("-off_cache",),
            ("-sync", "clock"),
            ("-sync", "meeting"),
            ("-skew=20",),
            ("-warmup",),
        ):
            with self.subTest(arguments):
                document = self.results(2, "broadcast", "get", "-maxsize", "4K", "-minsize", "1K", *arguments, *SHORT)
                self.assertTrue(document["results"])
                for row in document["results"]:
                    self.assertGreaterEqual(row["repetitions"], 6)
                    if arguments[0] in ("-cache", "-off_cache", "-skew=20"):
                        self.assertEqual(row["batch"], 1)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one CPU makes no pair")
    def test_pairs_that_threads_cannot_be_bound_to_are_left_out(self):
        source, library, path = (self.folder / name for name in ("unbound.c", "unbound.so", "result.json"))
        source.write_text("int sched_setaffinity(void) { return -1; }\n")
        self.assertEqual(suite.run(["cc", "-shared", "-fPIC", source, "-o", library]).status, 0)
        command = [suite.BUILD / "bin" / "upcrun", "-n", "2", "-bind", "none", suite.UOMS, "get", "-maxsize", "4",
                   "-quiet", "-json", path, *SHORT]
        for more, places in (({}, {False, True}), ({"LD_PRELOAD": str(library)}, {False})):
            result = suite.harness.run([str(word) for word in command], env=suite.environment(**more))
            self.assertEqual(result.status, 0, result.err)
            self.assertEqual("cannot be bound to CPU" in result.err, places == {False})
            self.assertEqual({"pair" in row for row in json.loads(path.read_text())["results"]}, places)

    def test_nobody_leaves_a_meeting_before_all_have_come(self):
        harness = suite.ROOT / "bench" / "uoms" / "harness"
        (self.folder / "meetings.upc").write_text(MEETINGS)
        program = self.folder / "meetings"
        built = suite.run([suite.UPCC, "-D_GNU_SOURCE", "-I", harness, self.folder / "meetings.upc",
                           harness / "meeting.c", "-o", program])
        self.assertEqual(built.status, 0, built.err)
        for threads in (1, 2, 3, 8):
            result = suite.run([suite.BUILD / "bin" / "upcrun", "-n", str(threads), program])
            self.assertEqual((result.status, result.out), (0, "2000 meetings\n"), result.err)

    def test_late_windows_are_left_out_and_counted(self):
        document = self.results(4, "broadcast", "-maxsize", "4", "-sync", "clock", *SHORT)
        row = document["results"][0]
        invalid = sum(None in times for times in zip(*row["raw"]))
        self.assertEqual(row["late"], invalid)
        self.assertIsNotNone(document["context"]["clock"]["largest_offset_error_ns"])

    def test_windows_can_be_met_with_more_threads_than_cores(self):
        document = self.results(8, "broadcast", "-maxsize", "8", "-sync", "clock", "-time", "1", "-verify=off")
        for row in document["results"]:
            self.assertLess(row["late"], row["repetitions"])
            self.assertGreater(row["median"], 0)

    def test_algorithms_are_walked_and_named(self):
        document = self.results(
            3, "broadcast", "reduce_I", "barrier", "-algorithm", "all", "-minsize", "4", "-maxsize", "256", *SHORT
        )
        for operation in ("broadcast", "reduce_I"):
            rows = [row for row in document["results"] if row["operation"] == operation]
            self.assertGreater(len({row["algorithm"] for row in rows}), 2)
            self.assertTrue(all(row["forced"] and row["verified"] for row in rows))
            self.assertIn(256, [row["bytes"] for row in rows])
        barriers = {row["algorithm"] for row in document["results"] if row["operation"] == "barrier"}
        self.assertIn("central", barriers)
        self.assertNotIn(None, barriers)
        names = [
            row["algorithm"] for row in document["results"] if row["operation"] == "broadcast" and row["bytes"] == 256
        ]
        one = self.results(3, "broadcast", "-algorithm", names[-1], "-maxsize", "8", *SHORT)
        self.assertEqual({row["algorithm"] for row in one["results"]}, {names[-1]})
        chosen = self.results(3, "broadcast", "-maxsize", "8", *SHORT)["results"][0]
        self.assertTrue(chosen["algorithm"])
        self.assertFalse(chosen["forced"])
        for operation in ("reduce_LD", "reduce_C", "prefix_reduce_US"):
            row = self.results(3, operation, "-minsize", "16", "-maxsize", "16", *SHORT)["results"][0]
            self.assertIn("/", row["algorithm"] or "", operation)
        error = self.uoms(3, "broadcast", "-algorithm", "no/such/way", status=2).err
        self.assertIn("upc_all_broadcast has no algorithm 'no/such/way'", error)

    def test_precision_goes_on(self):
        document = self.results(
            2, "local_relaxed_read", "-precision", "0.0001%", "-repetitions", "50", "-time", "20", "-quiet"
        )
        self.assertEqual(document["results"][0]["repetitions"], 50)
        document = self.results(
            2, "local_relaxed_read", "-precision", "99%", "-repetitions", "5000", "-time", "20", "-quiet"
        )
        self.assertLess(document["results"][0]["repetitions"], 5000)


if __name__ == "__main__":
    suite.main()
