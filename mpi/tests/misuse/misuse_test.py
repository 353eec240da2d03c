#!/usr/bin/env python3
"""Programs that use MPI in unusual or wrong ways end with Banyan as they do without it, over each MPI that is found.

    misuse_test.py [--all] [--mpi PREFIX]... [--only NAME] [--build FOLDER]

lives.c starts and ends MPI in every way, including sessions.  wrong.c makes calls with a wrong argument on only one
process: each process that returns without Banyan returns with it, with the same class of error.  If counts differ, all
processes return, and with an error if there is no room for the data.  In order.c they make different calls.  --all:
every operation with every fault over each MPI, instead of a selection that is dealt to them.
"""

import argparse
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(HERE.parent)]
import harness   # noqa: E402
import systems   # noqa: E402

N = 3
SOME_LIVES = ["session", "multiple", "begun_twice", "after_the_end", "used_while_freed", "revoked"]
# Operation, fault, process (-1: all), ints
SOME_FAULTS = [("bcast", "c", 2, 1), ("gather", "t", 2, 20000), ("allreduce", "u", -1, 100), ("gather", "s", 0, 100),
               ("reduce", "a", 0, 100), ("allreduce", "f", 2, 100), ("bcast", "d", 0, 100), ("bcast", "d", 2, 100),
               ("gather", "d", 0, 100), ("reduce_scatter", "l", -1, 100), ("alltoallv", "m", -1, 100)]
# With different counts, members may choose algorithms that do not match; each must return nevertheless.
SOME_DIFFERENCES = [("bcast", "z", 0, 100), ("bcast", "d", 2, 20000), ("alltoall", "d", 0, 3000),
                    ("gatherv", "d", 0, 20000), ("reduce_scatter", "p", 0, 20000),
                    ("reduce_scatter", "p", 0, 2)]
# The calls of each process (order.c): cases that end with an error, and that do not, although processes are late
DIFFERENT_ORDERS = {2: ["b,a", "ab,ra", "b,r", "lb,bl"], 3: ["b,a,b", "ab,rab,rab"]}
SAME_ORDERS = {2: ["zba,ba"], 3: ["ba,zba,ba"]}
OF_PARTS = ["scatterv", "gatherv", "allgatherv", "alltoallv", "alltoallw"]
DIFFERENT = ["bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce", "reduce_scatter",
             "reduce_scatter_block", "scan", "exscan", *OF_PARTS]
# Cases without an error: a process gives less than the others have room for, or, with a count of 0, nobody checks
# whether a part arrives.
GIVES_LESS = {("bcast", "d", 0), ("scatter", "d", 0), ("gather", "d", N - 1), ("reduce", "d", N - 1), ("scan", "d", 0),
              ("exscan", "d", 0), ("scatterv", "d", 0), ("gatherv", "d", N - 1), ("bcast", "z", N - 1),
              ("scatter", "z", N - 1), ("gather", "z", 0), ("reduce", "z", 0), ("scan", "z", N - 1),
              ("exscan", "z", N - 1),
              *((operation, "z", who) for operation in OF_PARTS for who in (0, N - 1))}
# Libraries may choose which processes wait for which.  Here all members move long vectors and blocks together, while in
# Open MPI each pair of processes moves its own (docs/design/012-mpi.md).
WAITS_FOR_ALL = {("scatter", 20000), ("scan", 20000), ("exscan", 20000)}
ALLOCATIONS_AT_START = range(1, 9)
SOME_ALLOCATIONS = (3, 6)
SURELY_ENDED_S = 60
LEARNS_S = 20   # a process in the library below may wait there forever
# After this many calls of a size the library below is tried (20 calls are not timed, 4 are Banyan's), while a process
# that calls with another size begins with Banyan.
TRIED_BELOW = 25
SEEN_ALONE_S = 1.5   # a process that has not returned without Banyan by then need not return: only less is tested then


class Programs:
    """The programs of a system, without and with Banyan"""

    def __init__(self, system, build, mode="on"):
        self.build, self.mode = build, mode
        folder = pathlib.Path(build) / "mpi" / "tests"
        self.system, self.library = system, systems.library(build, system)
        self.lives, self.wrong, self.order = (system.build(folder, name, [HERE / (name + ".c")])
                                              for name in ("lives", "wrong", "order"))
        self.no_memory = system.build(folder, "no_memory.so", [HERE / "no_memory.c"], "-shared", "-fPIC")

    def command(self, with_banyan, *words, processes=N):
        preload = ([*self.system.preloading(self.library), "BANYAN_MPI=" + self.mode] if with_banyan
                   else self.system.preloading())
        return [*self.system.start(processes), "env", *preload, *map(str, words)]

    def environment(self):
        return harness.environment(**self.system.environment)

    def said_of(self, program):
        return subprocess.run([program, *(["list"] if program == self.wrong else [])], capture_output=True, text=True,
                              check=True, env=self.environment()).stdout.splitlines()


def live(programs, with_banyan, name):
    ended = harness.run(programs.command(with_banyan, programs.lives, name), timeout=SURELY_ENDED_S,
                        env=programs.environment())
    return ended, ended.status == 0 and ended.out.count("right") == N


def check_life(programs, name):
    """Runs it without Banyan only if it does not end well with Banyan."""
    ended, is_right = live(programs, True, name)
    if "skipped: " in ended.out:
        return "skip", ended.out.split("skipped: ")[1].splitlines()[0]
    if is_right:
        return "pass", ""
    if ended.status is None:
        return "fail", "it hangs"
    alone, is_right_alone = live(programs, False, name)
    said = "status %s, alone %s\n%s" % (ended.status, alone.status, ended.err[-2000:])
    return ("fail" if is_right_alone else "pass"), said


def check_lonely(programs):
    for with_banyan in (True, False):
        ended = harness.run(programs.command(with_banyan, programs.wrong, "lonely"), timeout=SURELY_ENDED_S,
                            env=programs.environment())
        if ended.status == 0 and ended.out.count("right") == N:
            return ("pass", "") if with_banyan else ("fail", said)
        said = ended.out[-1000:] + ended.err[-1000:]
    return "skip", "%s fails there without Banyan, too" % programs.system.name


def returned(programs, with_banyan, words, wanted, limit_s):
    """Lines "RANK CLASS" of the processes that have returned, once the wanted ones or all have, or time is up"""
    with tempfile.TemporaryDirectory(prefix="banyan-misuse-") as folder:
        stop, output = os.path.join(folder, "stop"), pathlib.Path(folder) / "output"
        with open(output, "wb") as file:
            job = subprocess.Popen(programs.command(with_banyan, programs.wrong, *words[:4], stop, *words[4:]),
                                   stdout=file, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                   env=programs.environment(), start_new_session=True)
        end, lines = time.monotonic() + limit_s, set()
        while time.monotonic() < end and len(lines) < N and not (wanted and wanted <= lines):
            has_ended = job.poll() is not None
            lines = set(re.findall(r"^\d+ \d+$", output.read_text(encoding="utf-8", errors="replace"), re.M))
            if has_ended:
                break
            time.sleep(0.01)
        pathlib.Path(stop).touch()
        try:
            job.wait(SURELY_ENDED_S)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, 9)
            job.wait()
    return lines


def check_wrong(programs, *words):
    alone = returned(programs, False, words, None, SEEN_ALONE_S)
    ours = returned(programs, True, words, alone, SURELY_ENDED_S) if alone else alone
    if alone <= ours:
        return "pass", ""
    return "fail", "alone %s return, with Banyan %s" % (sorted(alone), sorted(ours))


def check_difference(programs, operation, fault, who, elements):
    """Nobody waits forever, and a process that receives more than it has room for reports an error."""
    lines = returned(programs, True, (operation, fault, who, elements), None, SURELY_ENDED_S)
    said = "returned: %s" % sorted(lines)
    is_told = (operation, fault, who) in GIVES_LESS or any(not line.endswith(" 0") for line in lines)
    return ("pass" if len(lines) == N and is_told else "fail"), said


def check_orders(programs, processes):
    """Processes that would wait for each other in different calls get an error, and those that are only late do not."""
    wrong, right = DIFFERENT_ORDERS[processes], SAME_ORDERS[processes]
    ended = harness.run(programs.command(True, programs.order, *wrong, *right, processes=processes),
                        timeout=SURELY_ENDED_S, env=programs.environment())
    lines = re.findall(r"^\d+ ([01]+)$", ended.out, re.M)
    has_errors = ["1" in marks for marks in zip(*lines)]
    is_right = len(lines) == processes and has_errors == [True] * len(wrong) + [False] * len(right)
    said = "status %s: %s of %s\n%s" % (ended.status, sorted(lines), [*wrong, *right], ended.err[-2000:])
    return ("pass" if is_right and ended.status == 0 else "fail"), said


def check_learning(programs, operation, who, elements):
    """A process with another size class may choose another carrier than the others during trials.  The processes that
    wait for it return with an error."""
    learning = Programs(programs.system, programs.build, "learn")
    lines = returned(learning, True, (operation, "e", who, elements, TRIED_BELOW), None, LEARNS_S)
    others = [line for line in lines if not line.startswith("%d " % who)]
    is_told = len(others) == N - 1 and any(not line.endswith(" 0") for line in others)
    return ("pass" if is_told else "fail"), "returned: %s" % sorted(lines)


def check_no_memory(programs, number):
    """If a process cannot allocate something when MPI starts, all go on without Banyan."""
    command = programs.command(True, "env", *programs.system.preloading(programs.no_memory, programs.library),
                               "NO_MEMORY_AT=%s" % number, programs.lives, "multiple")
    ended = harness.run(command, timeout=SURELY_ENDED_S, env=programs.environment())
    is_right = ended.status == 0 and ended.out.count("right") == N
    return ("pass" if is_right else "fail"), "status %s: %s" % (ended.status, (ended.out + ended.err)[-2000:])


def check_fatal(programs):
    """The default error handler ends the job."""
    with tempfile.TemporaryDirectory(prefix="banyan-misuse-") as folder:
        ended = harness.run(programs.command(True, programs.wrong, "bcast", "r", 1, 100, folder + "/stop", "fatal"),
                            timeout=SURELY_ENDED_S, env=programs.environment())
    return ("pass", "") if ended.status not in (0, None) else ("fail", "status %s" % ended.status)


def all_faults(programs):
    """Each fault on the first process, on the last one, and on all; with short and with long data"""
    for operation, faults in (line.split() for line in programs.said_of(programs.wrong)):
        for fault in faults:
            for elements in (2, 20000):   # not 1: libraries disagree on whether room for nothing is too short
                for who in (0, N - 1, -1):
                    if who < 0 or (operation, elements) not in WAITS_FOR_ALL:
                        yield operation, fault, who, elements


def all_differences():
    """Different counts, for blocks moved through rooms, through stages, and directly"""
    return [*((operation, fault, who, elements) for operation in DIFFERENT for fault in "dz"
              for elements in (100, 3000, 20000, 500000) for who in (0, N - 1)),
            *(("reduce_scatter", "p", who, elements) for elements in (2, 100, 3000, 20000, 500000)
              for who in (0, N - 1))]


def checks(programs, is_all, place, places):
    """Name, function, arguments; for the system in this place of all"""
    lives = programs.said_of(programs.lives)
    for each in lives if is_all else [each for each in lives if each in SOME_LIVES]:
        yield each, check_life, each
    yield "wrong calls that others do not make", check_lonely
    yield "a wrong call with the default handler", check_fatal
    if platform.libc_ver()[0] == "glibc":   # see no_memory.c
        for number in ALLOCATIONS_AT_START if is_all else SOME_ALLOCATIONS[place::places]:
            yield "no memory at the start: %s" % number, check_no_memory, number
    for processes in DIFFERENT_ORDERS:
        yield "different calls of %d processes" % processes, check_orders, processes
    for operation, who in [("bcast", 0)] + [("allreduce", 0), ("allreduce", N - 1)] * is_all:
        yield "sizes learned apart: %s %d" % (operation, who), check_learning, operation, who, 8000
    for words in all_faults(programs) if is_all else SOME_FAULTS[place::places]:
        yield "wrong " + " ".join(map(str, words)), check_wrong, *words
    for words in all_differences() if is_all else SOME_DIFFERENCES[place::places]:
        yield "different counts: " + " ".join(map(str, words)), check_difference, *words


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--mpi", metavar="PREFIX", action="append", default=[], help="further MPI libraries")
    parser.add_argument("--only", metavar="NAME", help="one of the systems")
    parser.add_argument("--build", default=os.environ.get("TESTED_BUILD", str(ROOT / "build")))
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    found = [system for system in systems.find(options.mpi)
             if options.only in (None, system.name) and systems.library(build, system)]
    if not found:
        print("no MPI is installed with which libbanyan-mpi was built")
        return harness.SKIP
    systems.let_give_way(found, pathlib.Path(build) / "mpi" / "tests")
    jobs = [(programs, *check) for place, programs in enumerate(Programs(system, build) for system in found)
            for check in checks(programs, options.all, place, len(found))]
    report = harness.Report(len(jobs))
    for programs, name, check, *words in jobs:
        report.add("%s, %s" % (programs.system.name, name), *check(programs, *words))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
