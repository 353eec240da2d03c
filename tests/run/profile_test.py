#!/usr/bin/env python3
"""upcrun -profile and -trace: what they count is what the program did, in all forms of programs; how they fail."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

import jobs
import traces

sys.path.insert(0, jobs.TESTS)
import json_schema  # noqa: E402  (found only with the path above)

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "profiled.upc")
MPI = next((name for name in ("openmpi", "mpich") if shutil.which("mpicc." + name) and os.path.exists(
    os.path.join(jobs.BIN, "..", "lib", "banyan", f"libbanyan-mpi-{name}.so"))), None)
UPCC = os.path.join(jobs.BIN, "upcc")
FAR = {"UCX_TLS": "tcp,self"}
WIDEST = 79


def line_of(words):
    """The number of the source line that contains these words"""
    with open(SOURCE, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if words in line)


# Calls and bytes per thread, whatever the number of threads
OF_EACH = {
    "put": (10, 640), "get": (20, 640), "copy": (3, 300), "set": (1, 50), "get nb": (1, 16), "put nb": (1, 8),
    "sync of nb": (2, 0), "put list/strided": (1, 24), "lock": (5, 0), "unlock": (5, 0), "barrier": (10, 0),
    "notify": (1, 0), "wait": (1, 0), "broadcast": (4, 512), "permute": (1, 10), "reduce": (1, 8), "atomic": (9, 72),
    "aggregate block": (2, 128), "aggregate end": (1, 32), "file write": (1, 256), "alloc": (1, 100),
    "file open/close": (3, 0),
}


class Profiled(jobs.JobTest):
    name, flags, options, more = "profiled", (), (), {}

    @classmethod
    def setUpClass(cls):
        cls.program = os.path.join(jobs.FOLDER, cls.name)
        done = subprocess.run([UPCC, "-O1", "-g", *cls.flags, SOURCE, "-o", cls.program], capture_output=True,
                              text=True, timeout=jobs.LIMIT, check=False)
        if "built without OpenSHMEM" in done.stderr:
            raise unittest.SkipTest("Banyan is built without OpenSHMEM")
        assert done.returncode == 0, done.stderr

    def path(self, name):
        return os.path.join(jobs.FOLDER, name)

    def start(self, count, *options, arguments=(), **variables):
        return jobs.run(count, self.path("written"), *arguments, program=self.program,
                        options=[*self.options, *options], env=jobs.environment(**{**self.more, **variables}))

    def profile(self, count, *options, arguments=(), **variables):
        """The profile of a run; its recorded status must be that of the run."""
        ended = self.start(count, "-profile=" + self.path("p.json"), *options, arguments=arguments, **variables)
        with open(self.path("p.json"), encoding="utf-8") as file:
            profile = json.load(file)
        schema = json_schema.read("profile.schema.json")
        self.assertEqual(json_schema.faults(profile, schema, "profile"), [])
        return ended, profile, {each["operation"]: each for each in profile["operations"]}

    def check_counts(self, count, operations):
        for name, (calls, size_bytes) in OF_EACH.items():
            threads = operations[name]["threads"]
            self.assertEqual((threads["calls"], threads["bytes"]), ([calls] * count, [size_bytes] * count), name)
            self.assertEqual(operations[name]["calls"], calls * count)
        self.assertEqual(operations["gather_all"]["threads"]["bytes"], [4 * count] * count)
        self.assertEqual(operations["exchange"]["threads"]["bytes"], [2 * count] * count)
        self.assertEqual(operations["broadcast"]["ways"][0]["calls"], 4 * count)
        self.assertEqual(sum(operations["lock"]["to"][distance]["calls"] for distance in ("own", "node", "far")),
                         5 * count)


class OneMachine(Profiled):
    def test_counts(self):
        for count in (1, 3):
            ended, profile, operations = self.profile(count)
            self.assertEqual((ended.status, ended.err), (0, ""))
            self.check_counts(count, operations)
            self.assertEqual((profile["threads"], profile["nodes"], profile["ended_early"]), (count, 1, False))
            near = "own" if count == 1 else "node"
            self.assertEqual(operations["put"]["to"][near], {"calls": 10 * count, "bytes": 640 * count})

    def test_matrix(self):
        """With three threads, each sends its successor 640 bytes by puts and 128 + 32 in items, and reads 640 by gets,
        300 and 16; permute moves 10; exchange, gather_all and the broadcast are as usual."""
        _, profile, _ = self.profile(3)
        for thread in range(3):
            after = (thread + 1) % 3
            broadcasts, atomics_and_reduce = 512 * (thread == 0), 72 * (thread == 0) + 8 * (after == 0)
            self.assertEqual(profile["moved_bytes"][thread][after],
                             640 + 128 + 32 + 10 + 2 + 4 + broadcasts + atomics_and_reduce, profile["moved_bytes"])

    def test_places(self):
        _, profile, _ = self.profile(2)
        places = {(each["place"].rsplit("/", 1)[-1], each["operation"]): each["calls"] for each in profile["places"]}
        self.assertEqual(places["profiled.upc:%d" % line_of("the puts"), "put"], 20)
        self.assertEqual(places["profiled.upc:%d" % line_of("the barriers"), "barrier"], 14)
        self.assertEqual(sum(each["calls"] for each in profile["places"]),
                         sum(each["calls"] for each in profile["operations"]))

    def test_table(self):
        for count in (2, 9):
            ended = self.start(count, "-profile")
            self.assertEqual((ended.status, ended.out), (0, ""))
            self.assertLessEqual(max(map(len, ended.errors)), WIDEST)
            self.assertLess(len(ended.errors), 60)
            self.assertRegex(ended.err, r"\nput +%d +" % (10 * count))
            self.assertIn("profiled.upc:", ended.err)
            self.assertRegex(ended.err, r"\n  by \S+ +%d calls" % (4 * count))
            self.assertIn("Not seen: ", ended.err)
            self.assertEqual("from\\to" in ended.err, count == 2)

    def test_table_in_a_file(self):
        ended = self.start(2, BANYAN_PROFILE=self.path("table"))
        self.assertEqual((ended.status, ended.out, ended.err), (0, "", ""))
        with open(self.path("table"), encoding="utf-8") as file:
            self.assertIn("banyan: profile of profiled: 2 threads on 1 node", file.read())

    def test_table_of_nothing(self):
        source, program = self.path("hello.upc"), self.path("hello")
        with open(source, "w", encoding="utf-8") as file:
            file.write("int main(void) { return 0; }\n")
        subprocess.run([UPCC, source, "-o", program], timeout=jobs.LIMIT, check=True)
        ended = jobs.run(2, program=program, options=["-profile"], env=jobs.environment())
        self.assertEqual((ended.status, ended.out), (0, ""))
        self.assertRegex(ended.err, "profile of hello: 2 threads on 1 node, .*\nIt came to no barrier and no lock, ")
        self.assertIn("Not seen: ", ended.err)
        self.assertNotIn("max mean", ended.err)
        self.assertLessEqual(max(map(len, ended.errors)), WIDEST)

    def test_numbers_have_a_point_in_any_locale(self):
        variables = jobs.harness.comma_locale(jobs.FOLDER)
        if not variables:
            self.skipTest("localedef makes no locale de_DE here")
        ended, profile, _ = self.profile(2, **variables)
        self.assertEqual((ended.status, ended.out, ended.err), (0, "", ""))
        self.assertEqual(len(profile["seconds"]), 2)
        self.assertRegex(self.start(2, "-profile", **variables).err, r"2 threads on 1 node, \d+\.\d+ s")

    def test_without(self):
        for variables in ({}, {"BANYAN_PROFILE": "0"}, {"BANYAN_PROFILE": "no", "BANYAN_TRACE": "no"}):
            ended = self.start(2, **variables)
            self.assertEqual((ended.status, ended.out, ended.err), (0, "", ""))

    def test_trace_has_what_the_profile_has(self):
        ended, _, operations = self.profile(3, "-trace=perfetto:" + self.path("t"))
        self.assertEqual((ended.status, ended.err), (0, ""))
        trace = traces.Trace(self.path("t"))
        self.assertEqual(set(trace.tracks.values()), {"UPC thread %d" % thread for thread in range(3)})
        self.assertEqual(list(trace.processes.values()), ["profiled, node 0"])
        counts = trace.counts()
        for name, each in operations.items():
            for thread, calls in enumerate(each["threads"]["calls"]):
                self.assertEqual(counts.pop(("UPC thread %d" % thread, name), 0), calls, name)
        self.assertEqual(sum(counts.values()), 0)
        for one in trace.slices:
            self.assertLessEqual(one.begin, one.end)
        puts = [one for one in trace.slices if one.name == "put" and one.thread == "UPC thread 1"]
        self.assertEqual([one.arguments for one in puts], [{"bytes": 64, "thread": 2}] * 10)
        self.assertEqual({one.category for one in puts}, {"copies"})
        self.assertTrue(all("way" in one.arguments for one in trace.slices if one.name == "broadcast"))

    def test_times_begin_with_the_thread_that_began_first(self):
        """Thread 0 begins only when its file is opened for reading; the others have copied data by then."""
        os.mkfifo(self.path("fifo"))
        job = jobs.start(3, self.path("written"), program=self.program,
                         options=["-trace=perfetto:" + self.path("fifo")])
        time.sleep(0.2)
        with open(os.open(self.path("fifo"), os.O_RDONLY | os.O_NONBLOCK), "rb") as fifo, \
                open(self.path("t"), "wb") as file:
            os.set_blocking(fifo.fileno(), True)
            shutil.copyfileobj(fifo, file)
        self.assertEqual(jobs.finish(job).status, 0)
        os.remove(self.path("fifo"))
        slices = traces.Trace(self.path("t")).slices
        self.assertEqual(len([one for one in slices if one.name == "put"]), 30)
        self.assertEqual([one for one in slices if one.begin == 0], [])

    def test_usual_file(self):
        ended = self.start(2, "-trace")
        self.assertEqual(ended.status, 0)
        self.assertIn("the trace is in profiled.pftrace, for https://ui.perfetto.dev\n", ended.err)
        os.remove(self.path("profiled.pftrace"))

    def test_a_file_without_room_is_not_announced(self):
        os.symlink("/dev/full", self.path("profiled.pftrace"))
        ended = self.start(2, "-trace")
        os.remove(self.path("profiled.pftrace"))
        self.assertIn("cannot write all of the file", ended.err)
        self.assertNotIn("the trace is in", ended.err)

    def test_what_finds_no_room_is_counted(self):
        ended, _, operations = self.profile(2, "-trace=perfetto:" + self.path("t"), BANYAN_TRACE_ROOM="320B")
        calls = sum(each["calls"] for each in operations.values())
        self.assertEqual(ended.status, 0)
        self.assertIn("%d later ones are not in it: raise BANYAN_TRACE_ROOM" % (calls - 20), ended.err)
        trace = traces.Trace(self.path("t"))
        self.assertEqual(len(trace.slices), 20)
        self.assertEqual({name for _, name, _ in trace.instants}, {"no room for later events"})
        self.assertEqual(sum(arguments["dropped"] for _, _, arguments in trace.instants), calls - 20)

    def test_what_is_refused(self):
        for options, words in ((["-trace=x"], "not a trace format"), (["-trace=otf2x:y"], "not a trace format"),
                               (["-trace=perfettox"], "not a trace format"),
                               (["-profile=" + self.path("no/such")], "cannot write"),
                               (["-trace=perfetto:" + self.path("no/such")], "cannot write")):
            ended = self.start(2, *options)
            self.assertEqual((ended.status, ended.out), (1, ""), ended.err)
            self.assertIn(words, ended.err)
            self.assertEqual(len(ended.errors), 1)

    def test_full_device(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        for option in "-profile=/dev/full", "-trace=perfetto:/dev/full":
            for arguments, status in ((), 1), (("end", "1"), 3):    # the program's own status if there is one
                ended = self.start(2, option, arguments=arguments)
                self.assertEqual(ended.status, status)
                self.assertIn(option.split("=")[0] + ": cannot write all of the file: No space left on device",
                              ended.err)

    def test_upc_global_exit(self):
        """The thread that calls it writes what all threads have done."""
        for thread in "0", "1":
            ended, profile, operations = self.profile(2, "-trace=perfetto:" + self.path("t"),
                                                      arguments=("end", thread))
            self.assertEqual((ended.status, ended.err), (3, ""))
            self.assertTrue(profile["ended_early"])
            self.check_counts(2, operations)
            self.assertEqual(len(traces.Trace(self.path("t")).slices),
                             sum(each["calls"] for each in operations.values()))
        ended = self.start(2, "-profile", arguments=("end", "1"))
        self.assertIn(", ended by upc_global_exit\n", ended.err)

    def test_all_call_upc_global_exit(self):
        ended, profile, _ = self.profile(5, arguments=("end", "-1"))
        self.assertEqual((ended.status, profile["ended_early"]), (3, True))

    def test_lines_are_asked_for(self):
        bare = self.path("bare")
        subprocess.run([UPCC, "-O1", SOURCE, "-o", bare], check=True, timeout=jobs.LIMIT)
        ended = jobs.run(2, self.path("written"), program=bare, options=["-profile"])
        self.assertIn("Compile with upcc -g to see lines", ended.err)
        # Only the operations that take longest are shown, which differ from run to run.
        self.assertRegex(ended.err, r"\nin function main +[a-z]")


class Instrumented(Profiled):
    """With upcc -inst: 11 reads, 11 writes, and one of whom[]."""

    name, flags = "instrumented", ("-inst",)

    def test_accesses(self):
        ended, _, operations = self.profile(3)
        self.assertEqual((ended.status, ended.err), (0, ""))
        self.check_counts(3, operations)
        access = operations["access"]
        self.assertEqual(access["threads"], {"calls": [23] * 3, "bytes": [26] * 3, "ms": [0] * 3})
        self.assertEqual(access["to"], {"own": {"calls": 36, "bytes": 45}, "node": {"calls": 33, "bytes": 33},
                                        "far": {"calls": 0, "bytes": 0}})
        self.assertNotIn("Not seen: ", self.start(2, "-profile").err)

    def test_not_in_a_trace(self):
        self.start(2, "-trace=perfetto:" + self.path("t"))
        self.assertNotIn("access", {one.name for one in traces.Trace(self.path("t")).slices})


class SharedProcess(Profiled):
    name, flags = "profiled_pthreads", ("-pthreads",)

    def test_counts(self):
        for options in ((), ("-pthreads", "2")):
            ended, _, operations = self.profile(3, *options, "-trace=perfetto:" + self.path("t"))
            self.assertEqual((ended.status, ended.err), (0, ""))
            self.check_counts(3, operations)
            self.assertEqual(len(traces.Trace(self.path("t")).slices),
                             sum(each["calls"] for each in operations.values()))


class Checked(Profiled):
    name, flags = "profiled_checked", ("-fcheck",)

    def test_counts(self):
        ended, profile, operations = self.profile(2)
        self.assertEqual((ended.status, ended.err), (0, ""))
        self.check_counts(2, operations)
        places = [each["place"].rsplit("/", 1)[-1] for each in profile["places"] if each["operation"] == "barrier"]
        self.assertIn("profiled.upc:%d" % line_of("the barriers"), places)


class SeveralNodes(Profiled):
    """Each thread is far from the others"""

    name, flags, more = "profiled_shmem", ("-network=shmem",), FAR

    def test_counts(self):
        ended, profile, operations = self.profile(2, "-trace=perfetto:" + self.path("t"))
        self.assertEqual(ended.status, 0, ended.err)
        self.check_counts(2, operations)
        self.assertEqual(profile["nodes"], 2)
        self.assertEqual(operations["put"]["to"]["far"], {"calls": 20, "bytes": 1280})
        self.assertEqual((operations["far read"]["calls"], operations["far read"]["bytes"]), (22, 22))
        self.assertGreaterEqual(profile["messages_between_nodes"]["puts"], 20)
        trace = traces.Trace(self.path("t"))
        self.assertEqual(len(trace.processes), 2)
        self.assertEqual(len(trace.slices), sum(each["calls"] for each in operations.values()))
        table = self.start(2, "-profile")
        self.assertRegex(table.err, r"messages between nodes: \d+ gets of .*, \d+ puts of ")
        self.assertLessEqual(max(map(len, table.errors)), WIDEST)


class Threads(SeveralNodes):
    """The same with threads that share a process, which are near each other"""

    name, flags = "profiled_shmem_pthreads", ("-network=shmem", "-pthreads=1")


class Report(Profiled):
    def report(self, name, *words):
        return subprocess.run([os.path.join(jobs.BIN, "uoms-report"), self.path(name), *words], capture_output=True,
                              text=True, timeout=jobs.LIMIT, check=False)

    def page(self, name):
        """The report page of a file"""
        done = self.report(name, "-o", self.path("page"))
        if "jinja2 is missing" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.path("page/index.html"), encoding="utf-8") as file:
            return file.read()

    def test_page(self):
        self.profile(3)
        page = self.page("p.json")
        self.assertEqual(page.count("<svg"), 3)
        for words in ("thread 0 to thread 1: ", "put: ", "profiled.upc:%d" % line_of("the puts"), "by "):
            self.assertIn(words, page)
        self.assertIsNone(re.search(r'(?:src|href)="http', page))

    def test_page_of_a_report_of_mpi(self):
        """The format that banyan-mpi --report=json:FILE writes (mpi/host/report.c): two sizes of one operation, and one
        without"""
        def row(operation, carriers, size=None, why=()):
            none = {"calls": 0, "bytes": 0, "ms": 0.0}
            counted = {carrier: {"calls": calls, "bytes": calls * (size or 1000), "ms": ms}
                       for carrier, (calls, ms) in carriers.items()}
            return {"operation": operation, **({"up_to_bytes": size} if size else {}),
                    **{name: counted.get(name, none) for name in ("banyan", "mpi", "both", "sockets", "regions")},
                    "why_mpi": dict.fromkeys(why, 1)}

        rows = [row("BCAST", {"banyan": (3, 1.5)}, 4096),
                row("BCAST", {"banyan": (1, 0.5), "mpi": (2, 4.0)}, 8, ["slower"]),
                row("ALLTOALLV", {"both": (5, 2.0)})]
        with open(self.path("mpi.json"), "w", encoding="utf-8") as file:
            json.dump({"schema": "banyan-mpi-report-1", "library": "Open MPI v4.1.4", "processes": 4, "communicators": [
                {"name": "MPI_COMM_WORLD", "processes": 4, "communicators": 1, "operations": rows}]}, file)
        page = self.page("mpi.json")
        self.assertEqual(page.count("<svg"), 2)
        for words in ("4 processes over Open MPI v4.1.4", "8 ms", "82 %", "17.3 kB", "4 KiB", "slower",
                      "Bcast, the MPI library: 4 ms, 2 calls", "Banyan on each machine"):
            self.assertIn(words, page)

    @unittest.skipUnless(MPI, "there is no MPI for which Banyan has a library")
    def test_page_of_a_program_of_mpi(self):
        """From a real job's report: the names that the page expects are those of the report."""
        with open(self.path("m.c"), "w", encoding="utf-8") as file:
            file.write("#include <mpi.h>\nint main(void)\n{\n    double all[1024] = {0};\n    MPI_Init(0, 0);\n"
                       "    for (int i = 0; i < 50; i++)\n"
                       "        MPI_Bcast(all, 1024, MPI_DOUBLE, 0, MPI_COMM_WORLD);\n"
                       "    MPI_Finalize();\n    return 0;\n}\n")
        subprocess.run(["mpicc." + MPI, self.path("m.c"), "-o", self.path("m")], check=True, timeout=jobs.LIMIT)
        ended = subprocess.run(
            [os.path.join(jobs.BIN, "banyan-mpi"), "--on", "--report=json:" + self.path("m.json"), "mpirun." + MPI,
             "-n", "2", self.path("m")], capture_output=True, text=True, timeout=jobs.LIMIT, check=False,
            env=jobs.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                 **jobs.harness.OVERSUBSCRIBE, OMPI_MCA_plm_rsh_agent="false"))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        page = self.page("m.json")
        for words in ("Bcast, Banyan: ", ", 50 calls", "8 KiB", "2 processes over "):
            self.assertIn(words, page)

    def test_a_page_that_cannot_be_written(self):
        self.profile(3)
        done = self.report("p.json", "-o", self.path("p.json"))
        self.assertEqual(done.returncode, 2 if "missing" in done.stderr else 3)
        self.assertRegex(done.stderr, "^uoms-report: .*(cannot write .*p.json/index.html: |jinja2 is missing).*\n$")

    def test_what_is_no_profile(self):
        with open(self.path("broken.json"), "w", encoding="utf-8") as file:
            file.write('{"schema": "banyan-profile-1", "operations": [')
        done = self.report("broken.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no profile of upcrun -profile=FILE.json", done.stderr)
        with open(self.path("part.json"), "w", encoding="utf-8") as file:
            file.write('{"schema": "banyan-profile-1", "threads": 1, "operations": [], "moved_bytes": [[0]]}')
        done = self.report("part.json")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^uoms-report: .*(part.json: not whole: KeyError|jinja2 is missing).*\n$")


if __name__ == "__main__":
    unittest.main()
