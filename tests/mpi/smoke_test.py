#!/usr/bin/env python3
"""libbanyan-mpi under an MPI program, and in processes that have nothing to do with MPI.

    smoke_test.py MPICC LIBRARY [TEST...]
"""
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import harness  # noqa: E402  (found only with the path above)

LIMIT = 120
MPICC, LIBRARY = sys.argv[1:3]
THREADS = LIBRARY.replace("libbanyan-mpi-", "libbanyan-mpi-threads-")


def launcher():
    """mpirun of the same library: mpicc.openmpi has mpirun.openmpi beside it, mpicc_abi mpirun."""
    folder, name = os.path.split(MPICC)
    for candidate in (name.replace("mpicc", "mpirun"), "mpirun"):
        if os.path.exists(os.path.join(folder, candidate)):
            return os.path.join(folder, candidate)
    print(f"there is no mpirun beside {MPICC}")
    sys.exit(77)


def environment(*preload, **variables):
    """Open MPI runs as root, and with more processes than cores, if it is told so; others do not care."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}
    return {**kept, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
            **({"LD_PRELOAD": ":".join(preload)} if preload else {}), **variables}


class Smoke(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        programs = [os.path.join(cls.folder.name, name) for name in ("smoke", "buffered", "gaps", "edges", "habits")]
        cls.program, cls.buffered, cls.gaps, cls.edges, cls.habits = programs
        for program in programs:
            source = os.path.join(HERE, os.path.basename(program) + ".c")
            subprocess.run([MPICC, "-O1", source, "-o", program], check=True)
        # Waiting processes of MPICH keep their cores, so jobs with more processes take several times as long without it
        cls.give_way = []
        if "mpich" in os.path.basename(LIBRARY):
            cls.give_way = [os.path.join(cls.folder.name, "give_way.so")]
            source = os.path.join(HERE, "../../mpi/tests/give_way.c")
            subprocess.run([MPICC, "-shared", "-fPIC", source, "-o", *cls.give_way], check=True)

    def run_program(self, count, program=None, preload=(LIBRARY,), **variables):
        return self.run_command([launcher(), "-n", str(count), program or self.program], preload, **variables)

    def run_command(self, command, preload=(LIBRARY,), **variables):
        return subprocess.run(command, env=environment(*preload, *self.give_way, **variables), capture_output=True,
                              text=True, timeout=LIMIT, check=False)

    def check(self, done, stderr=""):
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:], done.stderr), (0, ["ok"], stderr))

    def test_results_are_right(self):
        for count in (1, 2, 3, 4):   # more of them (mpi/tests) keep MPICH, which does not sleep, busy for long
            with self.subTest(processes=count):
                self.check(self.run_program(count))

    def test_it_can_be_switched_off(self):
        self.check(self.run_program(2, BANYAN_MPI="off"))
        self.check(self.run_program(2, BANYAN_MPI_BCAST="off"))

    def test_a_barrier_drives_the_library(self):
        self.check(self.run_program(2, self.buffered, BANYAN_MPI="on"))

    def test_types_of_every_kind(self):
        for count in (2, 3):
            with self.subTest(processes=count):
                self.check(self.run_program(count, self.gaps, BANYAN_MPI="on"))

    def test_calls_at_the_edge(self):
        for mode in ("on", "learn"):
            with self.subTest(mode=mode):
                done = self.run_program(3, self.edges, BANYAN_MPI=mode)
                done.stderr = "".join(sorted(done.stderr.splitlines(keepends=True)))
                self.check(done, "".join(f"banyan: MPI_BCAST on a communicator of 3: rank {rank} asked for less data "
                                         "than it was sent; let all ranks call with counts that match\n"
                                         for rank in (1, 2)))

    def test_a_limit_on_the_size_of_files(self):
        # Of KiB: less than a gibibyte for each process, and room for what the MPI library itself makes
        command = f"ulimit -f 500000; exec {launcher()} -n 3 {self.program}"
        self.check(self.run_command(["bash", "-c", command], BANYAN_MPI="on"))

    def test_a_limit_on_address_space_is_named(self):
        # Of KiB: too little for a gibibyte for each process, and room for the MPI library
        command = f"ulimit -v 2500000; exec {launcher()} -n 3 {self.program}"
        done = self.run_command(["bash", "-c", command], BANYAN_MPI="on")
        self.check(done, "banyan: warning: libbanyan-mpi is not used: the limit on the address space of a process is "
                         "too low for the 4 GiB that the processes of this machine share; lift it with 'ulimit -v "
                         "unlimited'\n")

    def test_a_way_that_cannot_carry_a_call_says_so(self):
        for way, reason in (("push-pull/flat.flat/mail", "is only for programs over OpenSHMEM"),
                            ("pull/flat/room", "cannot carry more than 8192 bytes")):
            with self.subTest(way=way):
                done = self.run_program(2, BANYAN_MPI="on", BANYAN_COLL_BROADCAST=way)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn('broadcast "%s", which is requested, %s' % (way, reason), done.stderr)

    def report(self, count, program=None, **variables):
        path = os.path.join(self.folder.name, "report.json")
        self.check(self.run_program(count, program, BANYAN_MPI_REPORT="json:" + path, **variables))
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["schema"], report["processes"]), ("banyan-mpi-report-1", count))
        return {(part["name"], part["processes"], row["operation"], row.get("up_to_bytes")): row
                for part in report["communicators"] for row in part["operations"]}

    def test_the_report_says_who_carried_out_what(self):
        rows = self.report(3, BANYAN_MPI="on")
        everybody = {key: row for key, row in rows.items() if key[:2] == ("MPI_COMM_WORLD", 3)}
        self.assertEqual(everybody["MPI_COMM_WORLD", 3, "BARRIER", 1]["banyan"]["calls"], 200)
        for (_, _, operation, size), row in everybody.items():
            wrong = row["why_mpi"].get("wrong argument", 0)
            self.assertEqual((row["mpi"]["calls"], len(row["why_mpi"])), (wrong, 1 if wrong else 0), (operation, size))
        self.assertEqual({operation for _, _, operation, _ in everybody}, {
            "BARRIER", "BCAST", "SCATTER", "SCATTERV", "GATHER", "GATHERV", "ALLGATHER", "ALLGATHERV", "ALLTOALL",
            "ALLTOALLV", "REDUCE", "ALLREDUCE", "REDUCE_SCATTER", "SCAN", "EXSCAN"})
        for operation in ("SCATTERV", "GATHERV", "ALLTOALLV"): # whose bytes no process knows of all
            carried = everybody["MPI_COMM_WORLD", 3, operation, None]["banyan"]
            self.assertGreater(carried["bytes"], 4 * carried["calls"], operation)
        self.assertEqual(rows["unnamed communicators", 2, "BARRIER", 1]["banyan"]["calls"], 50)
        self.assertEqual(rows["unnamed communicators", 1, "BARRIER", None]["why_mpi"], {"one process": 50})

    def spawning(self):
        program = self.compile("spawn", "spawn.c")
        alone = self.run_program(2, program, preload=())
        if alone.returncode != 0:
            self.skipTest("MPI_Comm_spawn fails here without Banyan, too")
        return program

    def test_spawned_processes_may_run_without_it(self):
        self.check(self.run_command([launcher(), "-n", "2", self.spawning(), "without"], BANYAN_MPI="on"))

    def test_spawned_processes_have_a_report_of_their_own(self):
        program = self.spawning()
        path, threads = (os.path.join(self.folder.name, name) for name in ("spawn.json", "spawn.threads"))
        self.check(self.run_program(2, program, (LIBRARY, THREADS), BANYAN_MPI="on", BANYAN_MPI_REPORT="json:" + path,
                                    BANYAN_MPI_THREADS="count", BANYAN_MPI_THREADS_REPORT="json:" + threads))
        counts, endings = {}, set()
        for name in glob.glob(path + "*"):
            endings.add(name.removeprefix(path))
            with open(name, encoding="utf-8") as file:
                counts[name == path] = sum(row["banyan"]["calls"] for part in json.load(file)["communicators"]
                                           for row in part["operations"] if row["operation"] == "BARRIER")
        self.assertEqual(counts, {True: 70, False: 50})
        self.assertEqual({name.removeprefix(threads) for name in glob.glob(threads + "*")}, endings)

    def test_numbers_have_a_point_in_any_locale(self):
        variables = harness.comma_locale(self.folder.name)
        if not variables:
            self.skipTest("localedef makes no locale de_DE here")
        self.assertGreater(len(self.report(2, **variables)), 0)
        done = self.run_program(2, BANYAN_MPI_REPORT="1", **variables)
        self.assertRegex(done.stderr, r"BARRIER .* \d+\.\d{3} ")
        path = os.path.join(self.folder.name, "threads.json")
        self.check(self.run_program(2, preload=(THREADS,), BANYAN_MPI_THREADS="arbitrate",
                                    BANYAN_MPI_THREADS_REPORT="json:" + path, **variables))
        with open(path, encoding="utf-8") as file:
            self.assertIn("contended", json.load(file))

    def test_what_is_learned_is_kept_to(self):
        row = self.report(2)["MPI_COMM_WORLD", 2, "BARRIER", 1]
        self.assertGreater(row["banyan"]["trial_us"], 0)
        self.assertGreater(row["mpi"]["trial_us"], 0)
        self.assertEqual(row["banyan"]["calls"] + row["mpi"]["calls"], 200)
        kept, left = ("banyan", "mpi") if row["banyan"]["calls"] > row["mpi"]["calls"] else ("mpi", "banyan")
        self.assertLessEqual(row[kept]["trial_us"], row[left]["trial_us"])
        # Two blocks of four that are tried; calls that warm up are no part of them (mpi/host/ledger.h).
        self.assertLessEqual(row[left]["calls"], 8 + 20)

    def test_sizes_that_no_process_knows_all_of_are_learned_apart(self):
        rows = self.report(2, BANYAN_MPI="learn")
        nbytes = 0
        for size in (8, 32768):
            row = rows["MPI_COMM_WORLD", 2, "ALLTOALLV", size]
            self.assertGreaterEqual(row["banyan"]["calls"] + row["mpi"]["calls"], 12, size)
            nbytes += row["banyan"]["bytes"] + row["mpi"]["bytes"]
        # The rows are those that the processes have agreed on, sixteen calls behind (runtime/node/agree.h).
        self.assertGreater(nbytes, 12 * (8 + 20000))

    def test_what_is_learned_is_there_for_the_next_run(self):
        table = os.path.join(self.folder.name, "table.json")
        first = self.report(2, BANYAN_MPI_TABLE=table)["MPI_COMM_WORLD", 2, "BARRIER", 1]
        with open(table, encoding="utf-8") as file:
            choices = {(choice["operation"], choice["processes"], choice["up_to_bytes"]): choice["by"]
                       for choice in json.load(file)["choices"]}
        by = "banyan" if first["banyan"]["calls"] > first["mpi"]["calls"] else "mpi"
        self.assertEqual(choices["BARRIER", 2, 1], by)
        second = self.report(2, BANYAN_MPI_TABLE=table)["MPI_COMM_WORLD", 2, "BARRIER", 1]
        self.assertEqual((second[by]["calls"], sum(second["why_mpi"].values())), (200, second["mpi"]["calls"]))
        self.assertNotIn("trial", second["why_mpi"])
        with open(table, "w", encoding="utf-8") as file:
            file.write('{"schema": "banyan-mpi-choices-1", "choices": [{"operation": "TELEPORT"}]}')
        done = self.run_program(2, BANYAN_MPI_TABLE=table)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:]), (0, ["ok"]))
        self.assertIn(f"BANYAN_MPI_TABLE: {table} is not a table of choices", done.stderr)

    def test_small_calls_with_counts_that_the_library_carries_out_go_there_unseen(self):
        table = os.path.join(self.folder.name, "habits.json")
        self.check(self.run_program(2, self.habits, BANYAN_MPI_TABLE=table))
        with open(table, encoding="utf-8") as file:
            lessons = json.load(file)
        for choice in lessons["choices"]:
            choice["by"] = "mpi" if choice["up_to_bytes"] <= 4096 else "banyan"
        with open(table, "w", encoding="utf-8") as file:
            json.dump(lessons, file)
        self.check(self.run_program(2, self.habits, BANYAN_MPI_TABLE=table))
        rows = self.report(2, self.habits, BANYAN_MPI_TABLE=table)
        for operation in ("SCATTERV", "GATHERV", "ALLTOALLV"): # Calls that nobody has looked at have no size
            blind = rows["MPI_COMM_WORLD", 2, operation, None]["mpi"]["calls"]
            self.assertTrue(3800 < blind < 5000, (operation, blind))
        for operation in ("SCATTERV", "GATHERV", "ALLTOALLV", "ALLGATHERV"):
            ours = rows["MPI_COMM_WORLD", 2, operation, 32768]["banyan"]["calls"]
            self.assertTrue(700 < ours <= 1300, (operation, ours))

    def test_off_is_reported_too(self):
        rows = self.report(2, BANYAN_MPI="off")
        self.assertEqual({reason for row in rows.values() for reason in row["why_mpi"]}, {"switched off"})
        rows = self.report(2, BANYAN_MPI_BARRIER="off")
        self.assertEqual(rows["MPI_COMM_WORLD", 2, "BARRIER", 1]["why_mpi"], {"switched off": 200})

    def test_the_table_is_for_people(self):
        done = self.run_program(2, BANYAN_MPI_REPORT="1")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:]), (0, ["ok"]))
        self.assertIn("banyan: collective operations of 2 processes over ", done.stderr)
        self.assertRegex(done.stderr, r"\nMPI_COMM_WORLD, 2 processes\n  operation +up to +calls ")
        self.assertLess(max(map(len, done.stderr.splitlines())), 160)

    def test_a_wrong_option_is_said_once_and_harms_nobody(self):
        done = self.run_program(2, BANYAN_COLL_BROADCAST="teleport")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1:]), (0, ["ok"]))
        self.assertEqual(done.stderr.count('"teleport" is not a way to carry out this operation'), 1)
        for name in ("BANYAN_MPI_REPORT", "BANYAN_MPI_THREADS_REPORT"):
            done = self.run_program(2, **{name: "loud"})
            self.assertEqual(done.stderr.count(name + ': "loud" is not 1, for a table, nor json:FILE'), 1, done.stderr)
        done = self.run_program(2, BANYAN_MPI="maybe")
        self.assertEqual(done.stderr.splitlines(), [
            'banyan: BANYAN_MPI: "maybe" is not one of learn|on|off',
            "banyan: libbanyan-mpi is not used in this job, because an option has a wrong value"])

    def compile(self, name, *words):
        path = os.path.join(self.folder.name, name)
        sources = [os.path.join(HERE, word) if word.endswith(".c") else word for word in words]
        subprocess.run([MPICC, "-O1", *sources, "-o", path], check=True)
        return path

    def test_tools_see_all_calls_and_so_do_we(self):
        plain = self.compile("tooled", "tooled.c")
        tool = self.compile("tool.so", "-shared", "-fPIC", "tool.c")
        linked = self.compile("linked", "tooled.c", tool)
        inside = self.compile("inside", "tooled.c", "tool.c")
        path = os.path.join(self.folder.name, "tooled.json")
        both = (LIBRARY, THREADS)
        for preload, program in (((tool, LIBRARY), plain), ((LIBRARY, tool), plain), ((LIBRARY,), linked),
                                 ((LIBRARY,), inside), ((tool, *both), plain), ((*both, tool), plain), (both, linked)):
            with self.subTest(preload=preload, program=program):
                done = self.run_program(2, program, preload, BANYAN_MPI="on", BANYAN_MPI_REPORT="json:" + path,
                                        BANYAN_MPI_THREADS="arbitrate")
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (0, "tool: 1 starts, 10 barriers, 20 broadcasts\n", ""))
                with open(path, encoding="utf-8") as file:
                    rows = [row for part in json.load(file)["communicators"] for row in part["operations"]]
                self.assertEqual({row["operation"]: row["banyan"]["calls"] for row in rows},
                                 {"BARRIER": 10, "BCAST": 20, "ALLREDUCE": 30})

    def test_a_fault_tolerant_job_is_left_to_the_library(self):
        program = self.compile("fault_tolerant", "smoke.c", "fault_tolerant.c", "-rdynamic")
        path = os.path.join(self.folder.name, "none.json")
        warning = ("banyan: warning: libbanyan-mpi is not used: fault tolerance (ULFM) is on in this job, and Banyan "
                   "does not notice that a process has failed or that a communicator has been revoked\n")
        for mode, said in (("on", warning), ("off", "")):
            with self.subTest(mode=mode):
                self.check(self.run_program(2, program, BANYAN_MPI=mode, OMPI_MCA_mpi_ft_enable="1"), said)
        self.run_program(2, program, BANYAN_MPI_REPORT="json:" + path, OMPI_MCA_mpi_ft_enable="1")
        self.assertFalse(os.path.exists(path))

    def test_other_processes_do_not_notice_it(self):
        for command in (["/bin/true"], ["/bin/sh", "-c", "exit 0"], [sys.executable, "-c", "pass"]):
            for bind in ("", "1"):
                done = subprocess.run(command, env=environment(LIBRARY, LD_BIND_NOW=bind), capture_output=True,
                                      text=True, timeout=LIMIT, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_library_of_another_abi_says_so(self):
        folder, name = os.path.split(LIBRARY)
        all_of_them = {f"libbanyan-mpi-{abi}.so" for abi in ("openmpi", "mpich", "abi")}
        others = sorted(all_of_them.intersection(os.listdir(folder)) - {name})
        for other in others:
            done = self.run_program(1, preload=(os.path.join(folder, other),))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("the MPI library in this process has another ABI", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
