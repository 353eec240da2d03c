#!/usr/bin/env python3
"""Runs random collectives over several hosts, over each MPI that is installed, without and with Banyan.

    mpi/tests/hosts_run.py [--hosts N]... [--per-host K[,K...]]... [--placement P]... [--rate R] [--delay T] [--loss L]
                           [--switches N] [--leaders OF] [--between WHAT]... [--cases N] [--seed S]
                           [--mpi PREFIX]... [--only WORDS] [--list] [-- TESTER'S OPTIONS]

Hosts are namespaces of this machine (tests/multihost).  --per-host 1,3 means 1 process on the first host and 3 on the
second; a single number is for all hosts.  The number of cases is per run.  A failed run prints the command that repeats
it.
"""

import argparse
import itertools
import os
import pathlib
import random
import shlex
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts as multihost   # noqa: E402
import mpirun   # noqa: E402
import run   # noqa: E402
import systems   # noqa: E402

LIMIT_S = 100    # of a case in the tester, even over a lossy link on a busy machine
JOB_LIMIT_S = 600
# Over several hosts, Open MPI 5.0 itself gathers wrong data when datatypes differ (gather, allgather).  The cause is
# its component HAN, which is on by default there; without it the results are correct.
WITHOUT_HAN = ["--mca", "coll", "^han"]


def own_environment(system):
    """Variables for its processes over hosts, except those of plm, which say that there are no other hosts"""
    return ["%s=%s" % pair for pair in system.environment.items() if "plm" not in pair[0]]


def own_words(system):
    """The variables of its launcher over hosts"""
    name, version = mpirun.kind(system.launcher)
    return WITHOUT_HAN if name == "openmpi" and version >= 5 else []


class Job:
    """One start of the tester: an MPI, the host of each process, and the preloaded library, if any."""

    def __init__(self, system, per_host, placement, library, mode, settings=(), between=None):
        self.settings, self.between = list(settings), between   # NAME=value, for Banyan
        if between:
            self.settings.append("BANYAN_MPI_BETWEEN=" + between)
        self.system, self.per_host, self.placement, self.library, self.mode = system, per_host, placement, library, mode
        words = ["Banyan " + mode, *([between] if between else [])] if library else ["alone"]
        self.name = "%s, %s processes, %s, %s" % (system.name, "+".join(map(str, per_host)), placement,
                                                   ", ".join(words))

    def command(self, hosts, program, seed, arguments):
        """The command.  A random placement is derived from the seed, too."""
        preload = ["LD_PRELOAD=%s" % self.library, "BANYAN_MPI=" + self.mode, *self.settings] if self.library else []
        order = mpirun.places(self.per_host, self.placement, seed)
        return mpirun.command(hosts, self.system.launcher, order, [str(program), "--seed", str(seed), *arguments],
                              [*own_environment(self.system), *preload], own_words(self.system))


def plan(found, build, layouts, placements, modes, settings=(), between=()):
    """Jobs, and (name, reason) of those that cannot run here.  Libraries alone show that the model is right.  Jobs with
    Banyan take turns in the values of BANYAN_MPI_BETWEEN."""
    jobs, left_out = [], []
    turns = itertools.cycle(between or [None])
    for system in found:
        reason = mpirun.why_not(system.launcher)
        library = systems.library(build, system)
        if not reason and library is None:
            reason = "libbanyan-mpi-%s is not built" % system.abi
        if reason:
            left_out.append((system.name, reason))
            continue
        for per_host in layouts:
            # With one process on each host, placement in blocks and in turns is the same.
            for placement in placements if max(per_host) > 1 else placements[:1]:
                jobs += [Job(system, per_host, placement, None, mode) if mode == "alone" else
                         Job(system, per_host, placement, library, mode, settings, next(turns)) for mode in modes]
    return jobs, left_out


def start(job, hosts, program, seed, arguments):
    """Returns the command, how it ended, what was wrong or None, and the number of calls that Banyan carried out."""
    with tempfile.TemporaryDirectory(prefix="banyan-mpi-report-") as folder:
        report = pathlib.Path(folder) / "report"
        command = job.command(hosts, program, seed, arguments)
        place = command.index(str(program))
        ended = harness.run([*command[:place], "env", "BANYAN_MPI_REPORT=json:%s" % report, *command[place:]],
                            timeout=JOB_LIMIT_S, cwd=tempfile.gettempdir(), env=harness.environment())
        calls = run.calls_of_banyan(report) if job.library else 0
        together = run.calls_by(report, "both") if job.library else 0
    if ended.status is None:
        return command, ended, "it ran out of time", calls
    if ended.status != 0 or "cases passed" not in ended.out:
        return command, ended, "status %d" % ended.status, calls
    if (job.between, together > 0) in (("messages", True), ("collectives", False)):
        return command, ended, "%d calls by collectives between hosts" % together, calls
    return command, ended, None, calls


def outcome(job, hosts, program, seed, arguments):
    """Outcome and detail of a job; a fault that also occurs with the library alone is not Banyan's."""
    command, ended, wrong, calls = start(job, hosts, program, seed, arguments)
    if not wrong:
        return "pass", "", calls
    said = [line for line in (ended.out + ended.err).splitlines() if line.strip()]
    said = [line for line in said if "tester:" in line or line.startswith("  ")] or said
    detail = "%s\n%s\n%s" % ("\n".join(said[:12]), wrong, shlex.join(command))
    alone = Job(job.system, job.per_host, job.placement, None, "")
    if job.library and start(alone, hosts, program, seed, arguments)[2]:
        print("%s\n%s" % (job.name, detail), flush=True)
        return "skip", "%s fails there without Banyan, too" % job.system.name, calls
    return "fail", detail, calls


def run_cases(counts, source, cases, run_case, name_of):
    """Runs a program on two hosts with given numbers of processes, over each MPI, in each case:
    run_case(job, hosts, program, *case) returns what is wrong, or nothing.  Returns the exit status."""
    reason = multihost.why_not()
    build = os.environ.get("TESTED_BUILD", str(ROOT / "build"))
    jobs = [] if reason else plan(systems.find([]), build, [counts], ["block"], ["on"])[0]
    if not jobs:
        print("skipped: " + (reason or "no MPI is installed that runs over hosts (openmpi-bin and libopenmpi-dev)"))
        return harness.SKIP
    report = harness.Report(len(jobs) * len(cases))
    with multihost.Hosts(2) as hosts:
        for job in jobs:
            program = job.system.build(pathlib.Path(build).absolute() / "mpi" / "tests", source.stem, [source])
            for case in cases:
                wrong = run_case(job, hosts, program, *case)
                report.add("%s, %s" % (job.system.name, name_of(case)), "fail" if wrong else "pass", wrong or "")
    return report.finish()


def per_host(text):
    counts = tuple(map(int, text.split(",")))
    if min(counts) < 1:
        raise argparse.ArgumentTypeError("at least 1 process on each host")
    return counts


def layouts_of(hosts, given):
    """The given lists that fit the number of hosts; a list of one number is for all of them."""
    return [counts * hosts if len(counts) == 1 else counts for counts in given if len(counts) in (1, hosts)]


def networks_of(options):
    """(rate, delay, loss) of each network"""
    if options.networks:
        return [(None, None, None), ("1gbit", "200us", None), ("1gbit", "200us", "0.1%")]
    return [(options.rate, options.delay, options.loss)]


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hosts", type=int, action="append", metavar="N", help="how many hosts (default: 2)")
    parser.add_argument("--per-host", type=per_host, action="append", metavar="K[,K...]",
                        help="processes on each host (default: 2)")
    parser.add_argument("--placement", action="append", choices=mpirun.PLACEMENTS, help="default: all")
    parser.add_argument("--rate", help="of links: 1gbit")
    parser.add_argument("--delay", help="of links: 200us")
    parser.add_argument("--loss", help="frames that never arrive: 0.1%%")
    parser.add_argument("--networks", action="store_true",
                        help="unshaped, 1 Gbit/s with 200 us, and that with a loss of 0.1 %%, one after the other")
    parser.add_argument("--switches", type=int, metavar="N", help="Banyan takes hosts to hang on N switches in turn")
    parser.add_argument("--leaders", choices=("socket", "region", "learn"),
                        help="one for each, of two on each host that Banyan takes to be there, or what is faster")
    parser.add_argument("--between", choices=("learn", "messages", "collectives"), action="append", default=[],
                        help="what of the MPI library goes between hosts, in turn")
    parser.add_argument("--mode", action="append", choices=("alone", "on", "learn"), help="default: alone and on")
    parser.add_argument("--cases", type=int, default=300, help="of each run")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--mpi", metavar="PREFIX", action="append", default=[], help="further MPI libraries")
    parser.add_argument("--only", metavar="WORDS", help="runs whose name has these words")
    parser.add_argument("--build", default=os.environ.get("TESTED_BUILD", str(ROOT / "build")))
    parser.add_argument("--list", action="store_true", help="says what would run")
    parser.add_argument("--verbose", action="store_true", help="each run prints a line")
    parser.add_argument("tester", nargs="*", help="after --: further options of the tester")
    options = parser.parse_args(words)
    options.hosts = options.hosts or [2]
    options.per_host = options.per_host or [(2,)]
    for count in options.hosts:
        if not layouts_of(count, options.per_host):
            parser.error("--per-host has no layout for %d hosts" % count)
    return options


def switches_file(folder, switches, hosts):
    """A file for BANYAN_MPI_SWITCHES"""
    path = pathlib.Path(folder) / "switches"
    path.write_text("".join("SwitchName=s%d Nodes=%s\n" % (switch, ",".join(
        "h%d" % host for host in range(switch, hosts, switches))) for switch in range(min(switches, hosts))))
    return path


def main(words):
    options = parse(words)
    with tempfile.TemporaryDirectory(prefix="banyan-switches-") as folder:
        settings = []
        if options.switches:
            settings += ["BANYAN_MPI_SWITCHES=%s" % switches_file(folder, options.switches, max(options.hosts))]
        if options.leaders:
            settings += ["BANYAN_MPI_LEADERS=" + options.leaders, "BANYAN_TOPOLOGY=pack:2 numa:1 core:2 pu:1"]
        return run_all(options, settings)


def run_all(options, settings):
    networks = networks_of(options)
    reason = multihost.why_not() or (any(delay or loss for _, delay, loss in networks) and multihost.why_no_delay())
    found = systems.find(options.mpi)
    if reason or not found:
        print("skipped: " + (reason or "no MPI is installed (openmpi-bin and libopenmpi-dev)"))
        return harness.SKIP
    sources = sorted([*(HERE / "tester").glob("*.c"), *(HERE / "tester").glob("*.h")])
    planned = {count: plan(found, options.build, layouts_of(count, options.per_host),
                           options.placement or list(mpirun.PLACEMENTS), options.mode or ["alone", "on"], settings,
                           options.between)
               for count in options.hosts}
    chosen = {count: [job for job in jobs if not options.only or options.only in job.name]
              for count, (jobs, _) in planned.items()}
    left_out = planned[options.hosts[0]][1]
    total = len(networks) * sum(map(len, chosen.values()))
    if options.list or not total:
        print("\n".join([job.name for jobs in chosen.values() for job in jobs] or map(": ".join, left_out)))
        return 0 if options.list else harness.SKIP
    used = {job.system.name: job.system for jobs in chosen.values() for job in jobs}
    programs = {name: system.build(pathlib.Path(options.build).absolute() / "mpi" / "tests", "tester", sources)
                for name, system in used.items()}
    report, carried, seed = harness.Report(total + len(left_out), options.verbose), 0, options.seed
    print("seed %d" % seed, flush=True)
    for name, reason in left_out:
        report.add(name, "skip", reason)
    for network in networks:
        for count, jobs in chosen.items():
            with multihost.Hosts(count, network[0], delay=network[1], loss=network[2]) as hosts:
                for job in jobs:
                    arguments = ["--cases", str(options.cases), "--limit", str(LIMIT_S), *options.tester]
                    result, detail, calls = outcome(job, hosts, programs[job.system.name], seed, arguments)
                    carried, seed = carried + calls, seed + 1
                    shown = ", ".join(filter(None, network)) or "unshaped"
                    report.add("%s, %s, seed %d" % (job.name, shown, seed - 1), result, detail)
    print("Banyan carried out %d calls" % carried)
    return report.finish()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (systems.BuildError, multihost.HostsError) as error:
        sys.exit(str(error))
