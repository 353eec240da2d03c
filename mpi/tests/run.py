#!/usr/bin/env python3
"""Runs random collectives over each MPI that is installed, without and with Banyan, and compares with a model.

    mpi/tests/run.py [--cases N] [--seed S] [--mpi PREFIX]... [--only WORDS] [--build FOLDER] [--list]
                     [--sanitize address|thread] [--jobs J] [--ways FILE]

The number of cases is that of all runs together.  Processes of a run mostly wait for each other, so several runs at a
time (--jobs) take little longer than one.  A failed run prints the command that repeats it.  In runs of "every way",
each call of the engine uses a randomly chosen way, and the report says how many of the ways were used.  With --ways
FILE they are added to those of earlier runs, and whoever reads FILE judges them (soak.py).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import harness   # noqa: E402
import sanitize   # noqa: E402
import systems   # noqa: E402

LIMIT_S = 150    # of a case in the tester: one that takes that long hangs, however busy the machine is
NOBODY = 65534
ALL_WAYS_CASES = 10000   # of "every way", enough that each way is drawn
ONLY_SMALL = ["--large", "0"]   # MPICH 4.0 alone fails, now and then, in long messages of several threads.


class Way:
    """A variation of a job: words before the launcher and before the program, or why it is not possible."""

    def __init__(self, name, outer=(), inner=(), tester=(), is_alone=False):
        self.name, self.outer, self.inner, self.tester = name, list(outer), list(inner), list(tester)
        self.is_alone = is_alone   # Banyan cannot carry out any call


def with_shm(options, way):
    """A way with a private /dev/shm, in a mount namespace; None where that is not permitted"""
    words = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o %s none /dev/shm && exec "$@"' % options, "sh"]
    possible = subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    return Way(way.name, words, way.inner, way.tester, way.is_alone) if possible else None


def shm_ways(forbid, folder):
    """A /dev/shm of 64 MB, as in containers; then the substitutes for an anonymous file: a file there, a file in
    $TMPDIR, and nothing.  MPICH's UCX needs System V shared memory if /dev/shm cannot be written."""
    no_files = ["env", "UCX_TLS=sysv,self", "TMPDIR=%s" % folder, str(forbid), "memfd_create"]
    nowhere = ["env", "TMPDIR=%s/none" % folder, *no_files[:2], *no_files[3:]]
    return [with_shm("size=64m", Way("64 MB of /dev/shm")),
            with_shm("size=1g", Way("a file in /dev/shm", inner=[str(forbid), "memfd_create"])),
            with_shm("ro", Way("a file in $TMPDIR", inner=no_files)),
            with_shm("ro", Way("no shared memory", inner=nowhere, is_alone=True))]


def other_user(folder):
    """An unprivileged user"""
    words = ["setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups", "env", "HOME=" + folder,
             "TMPDIR=" + folder]
    possible = shutil.which("setpriv") and subprocess.run([*words, "true"], capture_output=True,
                                                          check=False).returncode == 0
    return Way("other user", words) if possible else None


class Job:
    """One start of the tester."""

    def __init__(self, system, n, library, mode, way, share):
        self.system, self.n, self.library, self.mode, self.way = system, n, library, mode, way
        self.share = share   # share of all cases
        self.sanitizer = None
        words = ["every way" if self.goes_all_ways() else "", way.name]
        self.name = ", ".join([system.name, "n = %d" % n, "Banyan " + mode if library else "alone"]
                              + [word for word in words if word])

    def goes_all_ways(self):
        return self.library is not None and "-ways-" in self.library.name

    def command(self, programs, cases, seed):
        libraries = [sanitize.preload(self.sanitizer)] if self.sanitizer else []
        words = self.system.preloading(*libraries, *([self.library] if self.library else []))
        words += ["BANYAN_MPI=" + self.mode] if self.library else []
        words += ["TESTED_WAYS=%d" % seed] if self.goes_all_ways() else []
        return [*self.way.outer, *self.system.start(self.n), *(["env", *words] if words else []), *self.way.inner,
                str(programs[self.system.name]), "--seed", str(seed), "--cases", str(cases), "--limit", str(LIMIT_S),
                *self.system.tester, *self.way.tester]


def plan(found, build, forbid, folder, sizes):
    """Jobs, and (name, reason) of those that cannot run here.  Libraries alone show that the model is right."""
    jobs, left_out = [], []
    plain = Way("")
    for system in found:
        threads = Way("3 threads", tester=["--threads", "3", *(ONLY_SMALL if system.abi == "mpich" else [])])
        # UCX hangs in MPI_Finalize if it falls back to TCP.  MPICH 5 delivers wrong data where process_vm_readv fails.
        no_peers = Way("no memory of peers", inner=["env", "UCX_TLS=posix,sysv,self", "MPIR_CVAR_CH4_CMA_ENABLE=0",
                                                    str(forbid), "copies"])
        jobs.append(Job(system, 2, None, "", plain, 1))
        library = systems.library(build, system)
        if library is None:
            left_out.append((system.name, "libbanyan-mpi-%s is not built" % system.abi))
            continue
        for n in sizes:
            jobs.append(Job(system, n, library, "on", plain, 2 if n <= 4 else 1))
        all_ways = systems.ways_library(build, system)
        if all_ways:
            jobs += [Job(system, n, all_ways, "on", plain, 1) for n in sizes if n > 2]
            jobs += [Job(system, 3, all_ways, "on", way, 1) for way in (threads, no_peers)]
        else:
            left_out.append((system.name, "libbanyan-mpi-ways-%s is not built: target tests" % system.abi))
        jobs += [Job(system, 3, library, "learn", plain, 2), Job(system, 2, library, "on", threads, 1),
                 Job(system, 3, library, "on", no_peers, 1)]
        ways = [(way, "no right to mount") for way in shm_ways(forbid, folder)]
        for way, reason in (*ways, (other_user(folder), "no right to be another user")):
            if way:
                jobs.append(Job(system, 2, library, "on", way, 1))
            else:
                left_out.append((system.name, reason))
    return jobs, left_out


def sanitized_plan(found, build, sanitizer):
    """Jobs under a sanitizer: races are between threads."""
    plain = Way("", inner=["env", *("%s=%s" % pair for pair in sanitize.VARIABLES[sanitizer].items())])
    threads = Way("3 threads", inner=plain.inner, tester=["--threads", "3", *ONLY_SMALL])
    jobs = []
    for system in found:
        library, ways = systems.library(build, system), systems.ways_library(build, system)
        jobs += [Job(system, 3, ways, "on", threads, 2), Job(system, 2, library, "learn", threads, 1)]
        if sanitizer == "address":
            jobs += [Job(system, 4, ways, "on", plain, 3), Job(system, 3, library, "learn", plain, 2)]
    for job in jobs:
        job.sanitizer = sanitizer
    return jobs


def shares(jobs, cases):
    """The number of cases for each job"""
    whole = sum(job.share for job in jobs)
    return [max(1, cases * job.share // whole) for job in jobs]


def calls_by(report, *names):
    """The number of calls that these carriers carried out, according to Banyan's report at the end of a program"""
    document = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {"communicators": []}
    return sum(row[name]["calls"] for group in document["communicators"] for row in group["operations"]
               for name in names)


def calls_of_banyan(report):
    """The number of calls that Banyan carried out: on one machine alone, over several with MPI's messages or
    collectives"""
    return calls_by(report, "banyan", "both")


class Ways:
    """The number of calls by each way, over all runs, and over those before whose numbers are in a file, if one is
    given.  Runs before count only if they had the same ways: they may be of another version."""

    def __init__(self, path=None):
        known = json.loads(path.read_text(encoding="utf-8")) if path and path.exists() else {"calls": {}, "cases": 0}
        self.path, self.calls, self.cases, self.lock = path, known["calls"], known["cases"], threading.Lock()

    def read(self, folder, cases):
        reports = [dict(line.rsplit(" ", 1) for line in path.read_text(encoding="utf-8").splitlines())
                   for path in pathlib.Path(folder).glob("ways.*")]
        with self.lock:
            for report in reports:
                if report.keys() != self.calls.keys():
                    self.calls, self.cases = dict.fromkeys(report, 0), 0
                for way, calls in report.items():
                    self.calls[way] += int(calls)
            self.cases += cases

    def save(self):
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps({"cases": self.cases, "calls": self.calls}, indent=1) + "\n", encoding="utf-8")
        new.replace(self.path)

    def unused(self):
        return sorted(way for way, calls in self.calls.items() if calls == 0)

    def is_fault(self):
        """Whether a way that no call has used is a fault: after so many cases, all should have been drawn."""
        return self.cases >= ALL_WAYS_CASES and bool(self.unused())

    def __str__(self):
        unused = self.unused()
        named = "; not: " + ", ".join(unused) if self.is_fault() else ""
        return "%d of %d ways were taken in %d cases%s" % (len(self.calls) - len(unused), len(self.calls), self.cases,
                                                           named)


def has_operations(options):
    """Whether options of the tester limit the operations; getopt_long also takes --operations=bcast and --op bcast."""
    return any(word.startswith("--o") for word in options)


def start(job, programs, cases, seed, options, ways):
    """Returns the command, how it ended, and what was wrong or None."""
    with tempfile.TemporaryDirectory(prefix="banyan-mpi-report-") as folder:
        os.chmod(folder, 0o777)
        report = pathlib.Path(folder) / "report"
        command = job.command(programs, cases, seed) + options
        ended = harness.run(command, timeout=max(600, cases), cwd=tempfile.gettempdir(),
                            env=harness.environment(BANYAN_MPI_REPORT="json:%s" % report,
                                                    TESTED_WAYS_FILE=folder + "/ways", **job.system.environment))
        if job.goes_all_ways() and not has_operations(options):
            ways.read(folder, cases)
        if ended.status is None:
            return command, ended, "it ran out of time"
        if job.sanitizer and sanitize.complaint(ended.out + ended.err):
            return command, ended, sanitize.complaint(ended.out + ended.err)
        if ended.status != 0 or "cases passed" not in ended.out:
            return command, ended, "status %d" % ended.status
        has_calls = calls_of_banyan(report) > 0
        if job.way.is_alone and has_calls:
            return command, ended, "Banyan carried out calls where it cannot"
        if job.mode == "on" and not job.way.is_alone and cases > 20 and not has_calls:
            return command, ended, "Banyan carried out none of the calls"
    return command, ended, None


def fails_alone(job, programs, cases, seed, options, ways):
    """The order of threads differs each time, so they get some more chances."""
    alone = Job(job.system, job.n, None, "", job.way, 0)
    attempts = 5 if "--threads" in job.way.tester else 1
    return any(start(alone, programs, cases, seed, options, ways)[2] for _ in range(attempts))


def run(job, programs, cases, seed, options, ways):
    """Outcome and detail of a job; a fault that also occurs with the library alone is not Banyan's."""
    command, ended, wrong = start(job, programs, cases, seed, options, ways)
    if not wrong:
        return "pass", ""
    if "skipped: " in ended.out:
        return "skip", ended.out.split("skipped: ")[1].splitlines()[0]
    given = ["%s=%s" % pair for pair in job.system.environment.items()]
    said = [line for line in (ended.out + ended.err).splitlines() if line.strip()]
    said = [line for line in said if "tester:" in line or line.startswith("  ")] or said
    detail = "%s\n%s\nenv %s" % ("\n".join(said[:12]), wrong, shlex.join([*given, *command]))
    if job.library and not job.sanitizer and fails_alone(job, programs, cases, seed, options, ways):
        print("%s\n%s" % (job.name, detail), flush=True)
        return "skip", "%s fails there without Banyan, too" % job.system.name
    return "fail", detail


def run_all(jobs, programs, seed, options, ways, report):
    """Runs jobs, several at a time, and reports them in their order."""
    cases = shares(jobs, options.cases)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = pool.map(lambda job, number, at: run(job, programs, number, at, options.tester, ways),
                            jobs, cases, range(seed, seed + len(jobs)))
        for job, number, outcome in zip(jobs, cases, outcomes):
            report.add("%s, %d cases" % (job.name, number), *outcome)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--mpi", metavar="PREFIX", action="append", default=[], help="further MPI libraries")
    parser.add_argument("--only", metavar="WORDS", help="runs whose name has these words")
    parser.add_argument("--n", type=int, nargs="+", default=[2, 4], help="numbers of processes")
    parser.add_argument("--build", default=os.environ.get("TESTED_BUILD", str(ROOT / "build")))
    parser.add_argument("--sanitize", choices=sorted(sanitize.RUNTIMES), help="the library and the tester under one")
    parser.add_argument("--jobs", type=int, default=4, help="so many runs at a time (default 4)")
    parser.add_argument("--ways", metavar="FILE", type=pathlib.Path, help="adds the calls by each way to those in FILE")
    parser.add_argument("--list", action="store_true", help="says what would run")
    parser.add_argument("--verbose", action="store_true", help="each run prints a line")
    parser.add_argument("tester", nargs="*", help="after --: further options of the tester")
    options = parser.parse_args()

    found = systems.find(options.mpi)
    if not found:
        print("no MPI is installed (openmpi-bin and libopenmpi-dev, or mpich and libmpich-dev)")
        return harness.SKIP
    seed = options.seed if options.seed is not None else random.randrange(1 << 30)
    options.build = os.path.abspath(options.build)
    folder = pathlib.Path(options.build) / "mpi" / "tests"
    sources = sorted([*(HERE / "tester").glob("*.c"), *(HERE / "tester").glob("*.h")])
    with tempfile.TemporaryDirectory(prefix="banyan-mpi-") as home:
        os.chmod(home, 0o777)
        try:
            build, flags = options.build, []
            if options.sanitize:
                build, flags = (sanitize.build(build, options.sanitize, found), sanitize.flags(options.sanitize))
            name = "-".join(["tester", *([options.sanitize] if options.sanitize else [])])
            programs = {system.name: system.build(folder, name, sources, *flags) for system in found}
            forbid = found[0].build(folder, "forbid",
                                    [ROOT / "tests/run/forbid.c", ROOT / "tests/unit/runtime/transport/forbid.h"])
            systems.let_give_way(found, folder)
        except systems.BuildError as error:
            print(error)
            return 1
        if options.sanitize:
            jobs, left_out = sanitized_plan(found, build, options.sanitize), []
        else:
            jobs, left_out = plan(found, build, forbid, home, options.n)
        jobs = [job for job in jobs if not options.only or options.only in job.name]
        if options.list:
            print("\n".join(job.name for job in jobs))
            return 0
        print("seed %d" % seed, flush=True)
        ways = Ways(options.ways)
        report = harness.Report(len(jobs) + len(left_out), options.verbose)
        for name, reason in left_out:
            report.add(name, "skip", reason)
        run_all(jobs, programs, seed, options, ways, report)
        if ways.cases:
            print(ways)
        if options.ways:
            ways.save()
        elif ways.is_fault():
            report.add("every way was taken", "fail", str(ways))
        return report.finish()


if __name__ == "__main__":
    sys.exit(main())
