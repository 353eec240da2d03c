#!/usr/bin/env python3
"""Runs MPICH's own tests without and with Banyan, and reports which of them end differently with it.

    mpi/tests/mpich_suite.py [SOURCE] [--work FOLDER] [--mpi PREFIX]... [--folders coll ...] [--filter REGEX]
                         [--hosts N] [--limit SECONDS]

SOURCE is an unpacked source tree of MPICH ('apt-get source mpich'; its test/mpi is used), or $TESTED_MPICH_SOURCE.  No
part of it is in this project.

The tests are built in FOLDER for each MPI that is installed, and each program of the testlists is run.  A test that
ends differently is run once more without and with Banyan, and counts if it differs again.  The exit status is 0 if
nothing is worse with Banyan.  With --hosts, processes are spread in blocks over N hosts in namespaces
(tests/multihost).
"""

import argparse
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts as multihost   # noqa: E402
import hosts_run   # noqa: E402
import mpirun   # noqa: E402
import systems   # noqa: E402

FOLDERS = ["coll", "comm", "datatype", "init", "attr", "errhan", "errors", "topo", "group", "spawn",
           "threads", "f77", "f90", "f08"]
# Open MPI's library still has what MPI 3.0 removed, but its header declares it only on request.
REMOVED = """#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#define OMPI_REMOVED_USE_STATIC_ASSERT 0
#define __mpi_interface_removed__(old, new)
"""
WRAPPERS = ("mpicc", "mpicxx", "mpif77", "mpif90", "mpifort")


class Test:
    """A line of a testlist: program, processes, and settings as name=value"""

    def __init__(self, folder, line):
        self.folder, words = folder, line.split()
        self.program, self.n = words[0], int(words[1])
        options = [word.split("=", 1) for word in words[2:] if "=" in word]
        self.arguments = [value for name, value in options if name == "arg"]
        self.environment = [value for name, value in options if name == "env"]
        self.fails = any(name == "resultTest" and value == "TestErrFatal" for name, value in options)
        self.name = "%s/%s" % (folder, " ".join(words))


def testlist(work, source, folder):
    """The lines of a testlist, which configure generates or leaves in the source tree."""
    path = next((place / folder / "testlist" for place in (work, source) if (place / folder / "testlist").exists()),
                work / folder / "testlist")
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def with_parts(work, source, folders):
    """Folders; one whose testlist names other folders is replaced by these"""
    found = []
    for folder in folders:
        named = [line.strip() for line in testlist(work, source, folder) if re.fullmatch(r"\w+\s*", line)]
        found += with_parts(work, source, [folder + "/" + name for name in named]) if named else [folder]
    return found


def tests_of(work, source, folder, chosen):
    tests = [Test(folder, line) for line in testlist(work, source, folder) if re.match(r"\w+\s+\d+", line)]
    return [test for test in tests if re.search(chosen, test.name)]


def wrappers(system, work):
    """A folder bin with wrappers under the names that configure looks for"""
    found = work / "wrappers" / "bin"
    found.mkdir(parents=True, exist_ok=True)
    suffix = "." + system.name if system.mpicc == "mpicc." + system.name else ""
    where = "" if suffix else str(pathlib.Path(system.mpicc).parent) + "/"
    for name in WRAPPERS:
        (found / name).write_text('#!/bin/sh\nexec %s%s%s "$@"\n' % (where, name, suffix), encoding="utf-8")
        (found / name).chmod(0o755)
    (found / "mpiexec").write_text('#!/bin/sh\nexec %s "$@"\n' % system.launcher, encoding="utf-8")
    (found / "mpiexec").chmod(0o755)
    return found.parent


def configure(system, source, work):
    """Configures the tests, once."""
    work.mkdir(parents=True, exist_ok=True)
    header = work / "removed.h"
    header.write_text(REMOVED, encoding="utf-8")
    flags = "-fallow-argument-mismatch"   # configure requires this
    if (work / "Makefile").exists():
        return
    with open(work / "configure.log", "w", encoding="utf-8") as log:
        done = subprocess.run([source / "configure", "--disable-cxx", "--with-mpi=%s" % wrappers(system, work)],
                              cwd=work, stdout=log, stderr=log, check=False,
                              env={**os.environ, **system.environment, "CFLAGS": "-O1 -include %s" % header,
                                   "FFLAGS": flags, "FCFLAGS": flags})
    if done.returncode != 0:
        raise systems.BuildError("%s: configure failed: %s" % (system.name, work / "configure.log"))


def build(system, work, folders):
    """Builds the tests.  A program that cannot be built is missing both without and with Banyan.  If configure was not
    called by MPICH's own, it leaves out the object that tests of f08 share, so that is named here."""
    make = ["make", "-k", "-j%d" % len(os.sched_getaffinity(0))]
    shared = [("dtpools", []), ("util", []), ("util", ["libmtest_f08.la", "am_libmtest_f08_la_OBJECTS=mtest_f08.lo"])]
    with open(work / "build.log", "w", encoding="utf-8") as log:
        for folder, words in [*shared, *((folder, []) for folder in folders)]:
            if (work / folder / "Makefile").exists():
                subprocess.run([*make, *words], cwd=work / folder, stdout=log, stderr=log, check=False,
                               env={**os.environ, **system.environment})


def command(system, hosts, test, program, environment):
    """The command that starts a test, on this machine or on hosts"""
    words = [str(program), *test.arguments]
    if hosts is None:
        return [*system.start(test.n), "env", *environment, *words]
    counts = [len(range(host, test.n, hosts.count)) for host in range(hosts.count)]
    return mpirun.command(hosts, system.launcher, mpirun.places(counts, "block"), words,
                          [*hosts_run.own_environment(system), *environment], hosts_run.own_words(system))


def run(system, hosts, work, test, words, limit):
    """How a test ends with the given words for env: ok, or what was wrong"""
    program = work / test.folder / test.program
    if not program.exists():
        return "not built"
    ended = harness.run(command(system, hosts, test, program, [*words, *test.environment]), timeout=limit,
                        cwd=program.parent, env=harness.environment(**system.environment))
    if ended.status is None:
        return "too slow"
    if test.fails:
        return "ok" if ended.status != 0 else "status 0"
    if ended.status != 0:
        return "status %d" % ended.status
    return "ok" if re.search(r"no errors", ended.out, re.I) else "found errors"


def both_ways(system, options):
    """Words for env, for the library alone and with Banyan preloaded; None if that was not built"""
    libraries = [systems.library(options.build, system)]
    if options.threads:
        libraries.append(systems.threads_library(options.build, system))
    if None in libraries:
        return None
    return system.preloading(), [*system.preloading(*libraries), "BANYAN_MPI=" + options.mode,
                                 *(["BANYAN_MPI_THREADS=arbitrate"] if options.threads else [])]


def compare(system, hosts, options):
    """Runs all tests with a system; returns how many are worse with Banyan."""
    work = pathlib.Path(options.work).absolute() / system.name
    ways = both_ways(system, options)
    if ways is None:
        print("%s: skipped, libbanyan-mpi-%s is not built" % (system.name, system.abi))
        return 0
    source = pathlib.Path(options.source).absolute() / "test" / "mpi"
    configure(system, source, work)
    folders = with_parts(work, source, options.folders)
    build(system, work, folders)
    worse, counts = 0, {}
    for test in (test for folder in folders for test in tests_of(work, source, folder, options.filter)):
        for attempt in range(2):
            alone, ours = (run(system, hosts, work, test, words, options.limit) for words in ways)
            if alone == ours:
                break
        counts[(alone == "ok", ours == "ok")] = counts.get((alone == "ok", ours == "ok"), 0) + 1
        if alone != ours:
            worse += alone == "ok"
            print("%s: %s: alone %s, with Banyan %s" % (system.name, test.name, alone, ours), flush=True)
        elif options.verbose and (alone != "ok" or attempt):
            print("%s: %s: %s both ways" % (system.name, test.name, alone), flush=True)
    if not counts.get((True, True)):
        raise systems.BuildError("%s: no test passes; see %s" % (system.name, work / "build.log"))
    print("%s: %d tests: %d pass both ways, %d fail both ways, %d only alone, %d only with Banyan"
          % (system.name, sum(counts.values()), counts.get((True, True), 0), counts.get((False, False), 0),
             counts.get((True, False), 0), counts.get((False, True), 0)), flush=True)
    return worse


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="?", default=os.environ.get("TESTED_MPICH_SOURCE"))
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "banyan-mpich-suite"))
    parser.add_argument("--mpi", metavar="PREFIX", action="append", default=[])
    parser.add_argument("--only", metavar="NAME", help="one of the systems")
    parser.add_argument("--folders", nargs="+", default=FOLDERS,
                        help="of its tests, those of errors, threads, f77, f90, f08 by one name (default: %(default)s)")
    parser.add_argument("--filter", metavar="REGEX", default="", help="tests whose line with its folder matches")
    parser.add_argument("--mode", default="on", help="BANYAN_MPI")
    parser.add_argument("--threads", action="store_true", help="with threads arbitrated (docs/threads.md)")
    parser.add_argument("--hosts", type=int, metavar="N", help="over so many hosts")
    parser.add_argument("--limit", type=float, default=180, help="seconds for one run")
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--verbose", action="store_true", help="also what fails both ways")
    options = parser.parse_args()
    harness.end_at_sigterm()
    if not options.source:
        print("skipped: TESTED_MPICH_SOURCE is not a source of MPICH ('apt-get source mpich')")
        return harness.SKIP
    found = [system for system in systems.find(options.mpi) if options.only in (None, system.name) and
             not (options.hosts and mpirun.why_not(system.launcher))]
    reason = options.hosts and multihost.why_not()
    if reason or not found:
        print("skipped: " + (reason or "no MPI is installed" + (" that runs over hosts" if options.hosts else "")))
        return harness.SKIP
    try:
        systems.let_give_way(found, pathlib.Path(options.build) / "mpi" / "tests")
        with multihost.Hosts(options.hosts) if options.hosts else contextlib.nullcontext() as hosts:
            return 1 if sum([compare(system, hosts, options) for system in found]) else 0
    except systems.BuildError as error:
        print(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
