#!/usr/bin/env python3
"""Kills a process or the launcher of MPI jobs with Banyan at random moments.

The job must end, and Banyan must leave no process and no file behind.

    kill_test.py [--rounds N] [--seed S] [--alone]

--alone: without Banyan, to see what the library below leaves behind by itself.
"""

import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import harness   # noqa: E402
import systems   # noqa: E402

PRIVATE = "BANYAN_TEST_PRIVATE_SHM"
LIMIT_S = 120
# Time for a launcher to print its messages once all its processes have ended.  Open MPI 4.1's mpirun sometimes
# deadlocks at its end (PMIx_server_finalize, in one of a hundred such kills, with and without Banyan); then nothing of
# the program is left, and the round counts.
LAUNCHER_S = 10
# Files that the libraries below leave behind when they are killed
OF_OTHERS = re.compile(r"vader_segment|sm_segment|mpich_sh(?:ar|m)|ucx_shm|ompi|pmix|prte|open_?mpi|dstore|gds_"
                       r"|Intel_MPI|hydra|shm-col-space|\.?sysv")


def run_privately():
    """Restarts with a private, temporary /dev/shm, where that is permitted."""
    words = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /dev/shm && exec "$@"', "sh"]
    if PRIVATE in os.environ or subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        return
    os.environ[PRIVATE] = "1"
    os.execvp(words[0], [*words, sys.executable, *sys.argv])


def processes(program):
    """The processes that run a program"""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink("/proc/%s/exe" % entry) == str(program):
                found.append(int(entry))
        except OSError:
            pass
    return found


def have_begun(found):
    """The processes that have mapped Banyan's memory.  One that has not may wait forever for an mpirun of Open MPI 4.1
    that was killed during its start (PMIx_Get in MPI_Init), in one of forty such kills, with and without Banyan."""
    begun = []
    for process in found:
        try:
            if "memfd:banyan" in pathlib.Path("/proc/%d/maps" % process).read_text(encoding="utf-8"):
                begun.append(process)
        except OSError:
            pass
    return begun


def wait_until(what, limit_s=LIMIT_S):
    end = time.monotonic() + limit_s
    while not what() and time.monotonic() < end:
        time.sleep(0.01)
    return what()


def files(folder):
    """The files in a folder for temporary files and in shared memory"""
    names = {os.path.join(place, name) for place, _, names in os.walk(folder) for name in names}
    return {name for name in names | {"/dev/shm/" + name for name in os.listdir("/dev/shm")}
            if not OF_OTHERS.search(name)}


def kill_one(choice, job, program, n):
    """Kills a process of the job while it runs or starts, or the launcher; returns which."""
    if choice.random() < 0.7:
        wait_until(lambda: len(processes(program)) == n or job.poll() is not None)
    time.sleep(choice.random() * 0.3)
    found = processes(program)
    is_launcher = not found or choice.random() < 0.15
    victim = job.pid if is_launcher else choice.choice(found)
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return "the launcher" if is_launcher else "a process"


def end(job, what):
    """Waits for a launcher; if that takes long, prints a message and kills it."""
    try:
        job.wait(LAUNCHER_S)
    except subprocess.TimeoutExpired:
        print(what, flush=True)
        job.kill()
        job.wait()


def one_round(choice, system, program, library, number):
    """Returns what was wrong, or None."""
    n = choice.choice((2, 3, 4))
    preload = [*system.preloading(library), "BANYAN_MPI=on"] if library else system.preloading()
    with tempfile.TemporaryDirectory(prefix="banyan-mpi-kill-") as folder:
        before = files(folder)
        with open(os.path.join(folder, "ompi-output"), "wb") as output:
            job = subprocess.Popen(
                [*system.start(n), "env", *preload, str(program), "--cases", "100000000", "--seed",
                 str(choice.randrange(1 << 30)), "--limit", "200"],
                stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True,
                env=harness.environment(TMPDIR=folder, **system.environment))
        killed = kill_one(choice, job, program, n)
        goes_on = not wait_until(lambda: job.poll() is not None or not processes(program))
        end(job, "round %d: %s, n = %d: the launcher goes on after its processes ended" % (number, system.name, n))
        if goes_on or not wait_until(lambda: not processes(program)):
            all_left = processes(program)
            left = have_begun(all_left)
            for process in all_left:
                os.kill(process, signal.SIGKILL)
            if not left:
                print("round %d: %s: in MPI_Init when %s was killed" % (number, system.name, killed), flush=True)
                return None
            return "round %d: %s, n = %d: %d processes are left after %s was killed" % (number, system.name, n,
                                                                                       len(left), killed)
        left = files(folder) - before
    if left:
        return "round %d: %s, n = %d: left after %s was killed: %s" % (number, system.name, n, killed, sorted(left))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--build", default=os.environ.get("TESTED_BUILD", str(ROOT / "build")))
    options = parser.parse_args()
    run_privately()
    found = [system for system in systems.find() if systems.library(options.build, system)]
    if not found:
        print("no MPI is installed with which libbanyan-mpi was built")
        return harness.SKIP
    folder = pathlib.Path(options.build).absolute() / "mpi" / "tests"
    sources = sorted([*(HERE / "tester").glob("*.c"), *(HERE / "tester").glob("*.h")])
    # The program has a unique name, so that processes of other tests are not mistaken for its own.
    programs = {system.name: system.build(folder, "victim", sources).resolve() for system in found}
    systems.let_give_way(found, folder)
    print("%d rounds, seed %d" % (options.rounds, options.seed), flush=True)
    choice, wrong = random.Random(options.seed), []
    for number in range(options.rounds):
        system = choice.choice(found)
        library = None if options.alone else systems.library(options.build, system)
        said = one_round(choice, system, programs[system.name], library, number)
        if said:
            wrong.append(said)
            print(said, flush=True)
    print("%d passed, %d failed" % (options.rounds - len(wrong), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
