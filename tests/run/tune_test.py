#!/usr/bin/env python3
"""banyan-tune writes rules that programs use; unsuitable rules are refused or ignored.

    TESTED_BUILD=<build folder> tune_test.py
"""
import contextlib
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness  # noqa: E402
import json_schema  # noqa: E402

BIN = os.path.join(os.environ.get("TESTED_BUILD", "build"), "bin")
PROGRAM = """
#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
shared [64] char src[64 * THREADS], dst[64 * THREADS];
int main(void) { upc_all_broadcast(dst, src, 64, 0); if (!MYTHREAD) printf("ok\\n"); return 0; }
"""


class Tune(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tune = os.path.join(BIN, "banyan-tune")
        if not os.path.exists(tune):
            print("banyan-tune is left out of this build")
            sys.exit(77)
        cls.folder = tempfile.TemporaryDirectory()
        cls.table = os.path.join(cls.folder.name, "new", "table.json")
        cls.env = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}
        cls.env["HOME"] = cls.folder.name
        cls.env.pop("XDG_CONFIG_HOME", None)
        os.mkdir(os.path.dirname(cls.table))
        cls.leave(cls.table, {"machine": "another", "version": "0", "groups": []})
        cls.tuned = cls.tune("--quick", "-n", "2", "-o", cls.table)
        source = os.path.join(cls.folder.name, "program.upc")
        cls.program = os.path.join(cls.folder.name, "program")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(PROGRAM)
        subprocess.run([os.path.join(BIN, "upcc"), source, "-o", cls.program], check=True, timeout=120)

    # Runs it as programs do that ignore how their children end, which those inherit.
    @classmethod
    def tune(cls, *words):
        return subprocess.run([os.path.join(BIN, "banyan-tune"), *words], capture_output=True, text=True, timeout=600,
                              env=cls.env, check=False,
                              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))

    # Makes the file that an interrupted run would have left
    @staticmethod
    def leave(table, part):
        with open(table + ".quick-part", "w", encoding="utf-8") as stream:
            json.dump(part, stream)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_program(self, **variables):
        return subprocess.run([self.program, "-n", "2"], capture_output=True, text=True, timeout=60, check=False,
                              env=dict(self.env, **variables))

    def read_table(self):
        with open(self.table, encoding="utf-8") as stream:
            return json.load(stream)

    def write_table(self, name, change):
        table = self.read_table()
        change(table)
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(table, stream)
        return path

    def test_writes_rules_with_evidence(self):
        self.assertEqual(self.tuned.returncode, 0, self.tuned.stderr)
        self.assertEqual(self.tuned.stdout, self.table + "\n")
        self.assertEqual(os.listdir(os.path.dirname(self.table)), ["table.json"])
        table = self.read_table()
        schema = json_schema.read("collectives.schema.json")
        self.assertEqual(json_schema.faults(table, schema, "table"), [])
        table["rules"]["broadcast"][0]["sync"] = ["my,your"]
        self.assertEqual(len(json_schema.faults(table, schema, "table")), 1)
        self.assertGreaterEqual(len(table["rules"]), 9)
        for rules in table["rules"].values():
            self.assertEqual(rules[-1]["max_bytes"], 0)
            for rule in rules:
                self.assertRegex(rule["evidence"], r"^\d+ bytes: [0-9.]+ us")

    def test_what_another_machine_has_left_is_measured_again(self):
        self.assertIn(f"{self.table}.quick-part is of another version, machine or number of cores", self.tuned.stderr)

    def test_what_is_left_on_this_machine_is_taken(self):
        table = self.read_table()
        version = self.tune("--version").stdout.split()[-1]
        groups = [{"operation": operation, "sync": sync, "threads": 2,
                   "medians_us": [[8, "is no way", 1], [8, rules[-1]["entry"], 1.25]]}
                  for operation, rules in table["rules"].items() for sync in ("all", "partners", "none")]
        path = os.path.join(self.folder.name, "resumed.json")
        self.leave(path, {"machine": table["machine"], "version": version, "groups": groups})
        done = self.tune("--quick", "-n", "2", "-o", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(path, encoding="utf-8") as stream:
            self.assertIn("8 bytes: 1.25 us", json.load(stream)["rules"]["broadcast"][0]["evidence"])

    def test_resumption_that_will_be_impossible_is_said_once(self):
        path = os.path.join(self.folder.name, "whole.json")
        os.mkdir(path + ".quick-part")
        done = self.tune("--quick", "-n", "2", "-o", path)
        self.assertEqual((done.returncode, done.stdout), (0, path + "\n"))
        self.assertEqual(done.stderr.count(f"{path}.quick-part cannot be written: Is a directory; if this run is "
                                           "interrupted, the next one starts from the beginning\n"), 1)

    @unittest.skipUnless(os.geteuid() == 0, "only root can run it as a user who has no other processes")
    def test_threads_that_cannot_be_started(self):
        def limit(processes):
            resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
            os.setgroups([])
            os.setuid(54321)

        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            for processes, what in (1, "a job of 4 threads"), (3, "thread 1 of 4"):
                try:
                    done = subprocess.run([os.path.join(BIN, "banyan-tune"), "--quick", "-n", "4", "-o", folder + "/t"],
                                          capture_output=True, text=True, timeout=harness.HANGS, check=False,
                                          env=dict(self.env, HOME=folder), preexec_fn=lambda n=processes: limit(n))
                except PermissionError:
                    self.skipTest("other users may not run what is in this build")
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, f"^banyan: cannot start {what}: Resource temporarily unavailable; .*\n$")

    def test_where_it_cannot_write_nothing_is_measured(self):
        for words in (("-o", self.folder.name), ("--calibrate", "-o", "/dev/null", "--times", self.folder.name)):
            done = self.tune(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"{self.folder.name} cannot be written: Is a directory", done.stderr)

    def test_a_file_that_is_no_table_stays(self):
        path = os.path.join(self.folder.name, "letter")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("Dear reader\n")
        done = self.tune("--quick", "-n", "2", "-o", path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"{path} exists and is not a table of rules; name another file\n", done.stderr)
        with open(path, encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "Dear reader\n")

    def explain(self, path, *options, **variables):
        return subprocess.run([os.path.join(BIN, "banyan-info"), "--explain", "broadcast", "1M", *options], timeout=60,
                              capture_output=True, text=True, check=True,
                              env=dict(self.env, BANYAN_COLL_TABLE=path, **variables)).stdout

    def sizes(self, path, **variables):
        return json.loads(self.explain(path, "--json", **variables))["collective"]["sizes"]

    def test_evidence_is_shown_whole_behind_a_long_path(self):
        def change(table):
            for rule in table["rules"]["broadcast"]:
                rule["evidence"] = "measured" + 30 * " again"

        path = self.write_table("/".join(6 * ["n" * 150] + ["long.json"]), change)
        lines = self.explain(path).splitlines()
        place = next(number for number, line in enumerate(lines) if line.startswith("  ALLSYNC  "))
        self.assertRegex(lines[place + 1], "^ {11}.*n/long.json: measured( again){30}$")

    def test_measures_the_size_of_chunks(self):
        sizes = self.read_table()["sizes"]
        self.assertIn(sizes["chunk_bytes"], [1024 << i for i in range(3, 9)])
        self.assertRegex(sizes["evidence"]["chunk_bytes"], r"^\d+ bytes: [0-9.]+ us; 32768 bytes: [0-9.]+ us$")

    def test_sizes_are_taken_unless_somebody_sets_them(self):
        path = self.write_table("sizes.json", lambda table: table.update(sizes={"chunk_bytes": 12288}))
        self.assertEqual(self.sizes(path), {"chunk": {"bytes": 12288, "origin": path},
                                            "halves from": {"bytes": 8192, "origin": "built in"}})
        self.assertEqual(self.sizes(path, BANYAN_COLL_CHUNK="16K")["chunk"],
                         {"bytes": 16384, "origin": "BANYAN_COLL_CHUNK"})
        path = self.write_table("none.json", lambda table: table.update(sizes={"chunk_bytes": 0}))
        done = self.run_program(BANYAN_COLL_TABLE=path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("wrong value of chunk_bytes", done.stderr)

    def test_programs_take_it(self):
        done = self.run_program(BANYAN_COLL_TABLE=self.table)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ok\n", ""))

    def test_of_another_machine_is_left_alone(self):
        path = self.write_table("other.json", lambda table: table.update(machine="another"))
        done = self.run_program(BANYAN_COLL_TABLE=path)
        self.assertEqual((done.returncode, done.stdout), (0, "ok\n"))
        self.assertIn("was measured on another machine", done.stderr)

    def test_wrong_way_is_refused_at_the_usual_place_too(self):
        self.write_table(".config/banyan/collectives.json",
                         lambda table: table["rules"]["broadcast"][0].update(entry="pull/nothing"))
        done = self.run_program()
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no such way: pull/nothing", done.stderr)
        self.assertEqual(self.run_program(BANYAN_COLL_TABLE="none").returncode, 0)


class Network(unittest.TestCase):
    """A copy of banyan-tune beside an upcc and an upcrun that only pretend"""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = os.path.join(folder.name, "bin")
        os.mkdir(self.bin)
        shutil.copy(os.path.join(BIN, "banyan-tune"), self.bin)
        self.stand_in("upcc", 'for file; do :; done; touch "$file"')
        self.result = os.path.join(folder.name, "result", "machine")
        os.mkdir(os.path.dirname(self.result))
        with open(self.result, "w", encoding="utf-8") as stream:
            stream.write("old\n")

    def stand_in(self, name, commands):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(f"#!/bin/sh\n{commands}\n")
        os.chmod(path, 0o755)

    def start(self):
        tune = subprocess.Popen([os.path.join(self.bin, "banyan-tune"), "--calibrate", "--hosts", "a,b", "-o",
                                 self.result], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(tune.communicate)
        self.addCleanup(tune.kill)
        return tune

    def check_that_all_is_as_before(self):
        self.assertEqual(os.listdir(os.path.dirname(self.result)), ["machine"])
        with open(self.result, encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "old\n")

    def test_what_cannot_be_is_refused(self):
        for bandwidth in ("inf", "-nan", "-3", "0"):
            said = f"told 9 sent 1 fetched 9 gap 1 bandwidth {bandwidth}"
            self.stand_in("upcrun", f"echo {said}")
            tune = self.start()
            self.assertEqual(tune.communicate(timeout=harness.HANGS),
                             ("", f"banyan: the network between a and b cannot be as it was measured: {said}; measure "
                                  "it again while nothing else runs on the hosts\n"))
            self.assertEqual(tune.returncode, 1)
            self.check_that_all_is_as_before()

    def test_interrupted_it_ends_the_program_and_removes_it(self):
        ready = os.path.join(self.bin, "ready")
        self.stand_in("upcrun", f"touch {ready}; exec sleep 10000")
        for number in (signal.SIGINT, signal.SIGTERM):
            tune = self.start()
            wait_until(lambda: os.path.exists(ready))
            os.unlink(ready)
            tune.send_signal(number)
            self.assertEqual(tune.communicate(timeout=harness.HANGS), ("", ""))   # sleep has closed them, too
            self.assertEqual(tune.returncode, -number)
            self.check_that_all_is_as_before()


def children(process):
    with contextlib.suppress(FileNotFoundError):
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as stream:
            return [int(word) for word in stream.read().split()]
    return []


def has_worked(process):
    """Whether a process has used processor time, and so is past what it begins with"""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        with open(f"/proc/{process}/stat", encoding="ascii") as stream:
            return any(int(ticks) for ticks in stream.read().rpartition(")")[2].split()[11:13])
    return False


def wait_until(is_so):
    end = time.monotonic() + harness.HANGS
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.01)


@unittest.skipUnless(os.path.exists("/proc/self/task/%d/children" % os.getpid()), "this kernel lists no children")
class Interruption(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.part = os.path.join(folder.name, "table.json.quick-part")
        self.tune = subprocess.Popen([os.path.join(BIN, "banyan-tune"), "--quick", "-n", "2", "-o",
                                      self.part.removesuffix(".quick-part")], stderr=subprocess.PIPE, text=True,
                                     start_new_session=True)
        self.addCleanup(self.tune.communicate)
        self.addCleanup(self.tune.kill)

    def descriptor(self, process):
        """Of a process; unlike its number, no other process can have it later"""
        found = os.pidfd_open(process)
        self.addCleanup(os.close, found)
        self.addCleanup(self.send, found, signal.SIGKILL)
        return found

    @staticmethod
    def send(process, number):
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(process, number)

    def stop_job(self):
        """Stops a job that has threads, so that none of its processes ends by itself; returns their descriptors."""
        found = []

        def is_found():
            for job in children(self.tune.pid):
                with contextlib.suppress(ProcessLookupError):
                    found[:] = [self.descriptor(job)]
                    self.send(found[0], signal.SIGSTOP)
                    threads = children(job)
                    if len(threads) == 2 and all(map(has_worked, threads)):
                        found.extend(map(self.descriptor, threads))
                        return True
                    self.send(found[0], signal.SIGCONT)
            return False

        wait_until(is_found)
        for thread in found[1:]:
            self.send(thread, signal.SIGSTOP)
        return found

    def test_threads_die_with_the_command(self):
        processes = self.stop_job()
        self.tune.send_signal(signal.SIGTERM)
        self.assertEqual(self.tune.wait(harness.HANGS), -signal.SIGTERM)
        for process in processes:
            self.assertTrue(select.select([process], [], [], harness.HANGS)[0])

    def test_a_thread_that_dies_ends_the_command(self):
        job, one, other = self.stop_job()
        self.send(one, signal.SIGKILL)
        self.send(other, signal.SIGCONT)
        self.send(job, signal.SIGCONT)
        said = self.tune.communicate(timeout=harness.HANGS)[1]
        self.assertEqual(self.tune.returncode, 1)
        self.assertRegex(said, r"^banyan: thread [01] of 2 was killed by signal 9 \(kill\), by a person or .*\n$")
        self.assertTrue(select.select([other], [], [], harness.HANGS)[0])

    def test_says_once_that_the_next_run_resumes(self):
        wait_until(lambda: os.path.exists(self.part))
        wait_until(lambda: any(map(children, children(self.tune.pid))))
        os.killpg(self.tune.pid, signal.SIGINT)   # as at Ctrl-C
        said = self.tune.communicate(timeout=harness.HANGS)[1]
        self.assertEqual(self.tune.returncode, -signal.SIGINT)
        self.assertEqual(said, f"banyan-tune: interrupted; the same command resumes from {self.part}\n")


if __name__ == "__main__":
    unittest.main()
