#!/usr/bin/env python3
"""Kills a process, a host, the launcher or its daemon on a host, or pulls a link, while an MPI program runs over hosts.

The job must end, or go on, as it does without Banyan, and must leave no process and no file behind.

    hosts_kill_test.py [--rounds N] [--seed S] [--forever SECONDS]

Each event happens to one job with Banyan and one with the library alone; if the latter has a fault, nothing is
compared.  With --forever a link stays pulled for SECONDS, and by then either both jobs or none must have ended.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts as multihost   # noqa: E402
import hosts_run   # noqa: E402
import kill_test   # noqa: E402
import systems   # noqa: E402

HOSTS, PER_HOST = 2, 2
LIMIT_S = 120     # for everything that ends by itself
PULLED_S = 2      # until the link is back; TCP retransmits what was lost
MANY_CASES, SOME_CASES = 100000000, 150


class Wrong(Exception):
    """An event had a consequence that it must not have."""


class Trial:
    """One job over its own hosts, with a folder for its temporary files."""

    def __init__(self, job, program, choice, cases):
        self.job, self.program, self.choice, self.cases = job, program, choice, cases
        self.begin = self.seconds = 0   # time of the event, and how long its processes go on after it

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="banyan-hosts-kill-")
        self.before = kill_test.files(self.folder.name)
        self.hosts = multihost.Hosts(HOSTS)
        self.hosts.__enter__()
        command = self.job.command(self.hosts, self.program, self.choice.randrange(1 << 30),
                                   ["--cases", str(self.cases), "--limit", "200"])
        self.output = open(os.path.join(self.folder.name, "ompi-output"), "w+b")
        self.launcher = subprocess.Popen(command, stdout=self.output, stderr=self.output, stdin=subprocess.DEVNULL,
                                         start_new_session=True, cwd=self.folder.name,
                                         env=harness.environment(TMPDIR=self.folder.name))
        return self

    def __exit__(self, *_):
        if self.launcher.poll() is None:
            os.killpg(self.launcher.pid, signal.SIGKILL)
            self.launcher.wait()
        self.hosts.close()
        kill_test.wait_until(lambda: not self.processes())
        self.output.close()
        self.folder.cleanup()

    def processes(self):
        return kill_test.processes(self.program)

    def await_start(self):
        """Returns some time after all processes have started."""
        kill_test.wait_until(lambda: len(self.processes()) == HOSTS * PER_HOST or self.has_ended(), LIMIT_S)
        if self.has_ended():
            raise Wrong("it does not start: " + self.said())
        time.sleep(self.choice.random() * 0.5 + 0.2)
        self.begin = time.monotonic()

    def has_ended(self):
        return self.launcher.poll() is not None

    def ends(self, limit_s):
        """Whether its processes end, which is all that a library in them can achieve: after that, Open MPI 4.1's mpirun
        sometimes deadlocks (kill_test.py), with and without Banyan; after the death of a host in every second job."""
        if not kill_test.wait_until(lambda: self.has_ended() or not self.processes(), limit_s):
            return False
        self.seconds = time.monotonic() - self.begin
        kill_test.end(self.launcher, "%s: the launcher goes on after its processes ended" % self.job.name)
        return True

    def processes_end(self):
        """The fate of the processes if the launcher may be gone"""
        if not kill_test.wait_until(lambda: not self.processes(), LIMIT_S):
            return "goes on"
        self.seconds = time.monotonic() - self.begin
        self.expect_nothing_left()
        return "ends"

    def said(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")[-600:]

    def expect_failure(self):
        if self.launcher.returncode == 0:
            raise Wrong("it ends as if nothing had happened")
        self.expect_nothing_left()

    def expect_nothing_left(self):
        if not kill_test.wait_until(lambda: not self.processes(), LIMIT_S):
            raise Wrong("%d processes are left" % len(self.processes()))
        left = kill_test.files(self.folder.name) - self.before
        for host in range(HOSTS):
            listed = subprocess.run(["nsenter", "-t", self.hosts.first[host], "-m", "--", "ls", "/dev/shm"], text=True,
                                    capture_output=True, check=False)
            left |= {"h%d:%s" % (host, name) for name in listed.stdout.split() if not kill_test.OF_OTHERS.search(name)}
        if left:
            raise Wrong("left behind: %s" % sorted(left))


def kill_a_process(trial):
    """The job ends with a status other than 0."""
    trial.await_start()
    os.kill(trial.choice.choice(trial.processes()), signal.SIGKILL)
    if not trial.ends(LIMIT_S):
        return "goes on"
    trial.expect_failure()
    return "ends"


def kill_a_host(trial):
    trial.await_start()
    trial.hosts.kill(1)
    if not trial.ends(LIMIT_S):
        return "goes on"
    trial.expect_failure()
    return "ends"


def kill_the_launcher(trial):
    trial.await_start()
    trial.launcher.kill()
    trial.launcher.wait()
    return trial.processes_end()


def kill_a_daemon(trial):
    """Kills the process that the launcher runs on a host to start processes there."""
    trial.await_start()
    stat = pathlib.Path("/proc/%d/stat" % trial.choice.choice(trial.processes())).read_text(encoding="utf-8")
    os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
    return trial.processes_end()


def pull_a_link(trial):
    """The link comes back, and the job goes on as if nothing had happened."""
    trial.await_start()
    trial.hosts.link(1, False)
    time.sleep(PULLED_S)
    trial.hosts.link(1, True)
    if not trial.ends(LIMIT_S):
        return "goes on"
    trial.expect_nothing_left()
    return "ends with %d" % trial.launcher.returncode


def pull_a_link_for(seconds):
    def event(trial):
        trial.await_start()
        trial.hosts.link(1, False)
        return "ends" if trial.ends(seconds) else "goes on"
    event.__name__ = "pull_a_link_for_good"
    return event


def compare(event, system, program, library, choice):
    """Returns what was wrong, or None"""
    cases = SOME_CASES if event is pull_a_link else MANY_CASES
    outcomes, seconds = [], []
    for used, mode in ((None, ""), (library, "on")):
        job = hosts_run.Job(system, (PER_HOST,) * HOSTS, "block", used, mode)
        with Trial(job, program, choice, cases) as trial:
            try:
                outcomes.append(event(trial))
            except Wrong as wrong:
                said = "%s, %s: %s" % (event.__name__, job.name, wrong)
                if used:
                    return said
                print(said, flush=True)   # a fault of the library: Open MPI 5.0 ends with 0 after losing a host
                return None
            seconds.append(trial.seconds)
    print("%s, %s: alone it %s (after %.1f s), with Banyan it %s (after %.1f s)" % (
        event.__name__, system.name, outcomes[0], seconds[0], outcomes[1], seconds[1]), flush=True)
    # MPICH 5.0 goes on without one of its daemons until it uses a broken connection, which may be sooner with Banyan.
    is_ended_by = (event, *outcomes) == (kill_a_daemon, "goes on", "ends")
    return None if outcomes[0] == outcomes[1] or is_ended_by else "%s, %s: not the same" % (event.__name__, system.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--forever", type=int, metavar="SECONDS", help="a link that stays pulled, too")
    parser.add_argument("--build", default=os.environ.get("TESTED_BUILD", str(ROOT / "build")))
    options = parser.parse_args()
    reason = multihost.why_not()
    found = [system for system in systems.find() if systems.library(options.build, system) and
             not hosts_run.mpirun.why_not(system.launcher)]
    if reason or not found:
        print("skipped: " + (reason or "no MPI is installed whose jobs can run over hosts"))
        return harness.SKIP
    folder = pathlib.Path(options.build).absolute() / "mpi" / "tests"
    sources = sorted([*(HERE / "tester").glob("*.c"), *(HERE / "tester").glob("*.h")])
    # The program has a unique name, so that processes of other tests are not mistaken for its own.
    programs = {system.name: system.build(folder, "far-victim", sources).resolve() for system in found}
    print("%d rounds, seed %d" % (options.rounds, options.seed), flush=True)
    choice, wrong = random.Random(options.seed), []
    events = [kill_a_process, kill_a_host, kill_the_launcher, kill_a_daemon, pull_a_link]
    if options.forever:
        events.append(pull_a_link_for(options.forever))
    for _ in range(options.rounds):
        for event in events:
            for system in found:
                said = compare(event, system, programs[system.name], systems.library(options.build, system), choice)
                if said:
                    wrong.append(said)
                    print(said, flush=True)
    print("%d failed" % len(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
