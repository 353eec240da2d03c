#!/usr/bin/env python3
"""banyan-mpi in front of launchers that start processes on two hosts: each process must get Banyan and its variables.

The job is one program, several programs on the command line, or several in a file (Open MPI)."""

import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts_run   # noqa: E402
import mpirun   # noqa: E402

LIMIT_S = 60
BANYAN_MPI = os.path.join(os.environ.get("TESTED_BUILD", str(ROOT / "build")), "bin", "banyan-mpi")
PROGRAM = ["BANYAN_WAIT", "yield"]   # what launched.c checks
LIST = "OMPI_MCA_mca_base_env_list=OTHER=1"
ONE, SEVERAL, FILE = "one program", "several programs", "programs of a file"
CASES = [(ONE,), (ONE, LIST), (SEVERAL,), (SEVERAL, LIST), (FILE,)]


def command(job, hosts, program, folder, shape, *settings):
    """The command with which banyan-mpi starts one process per host, or two, of two programs"""
    order = (0, 1)
    started = mpirun.command(hosts, job.system.launcher, order, [str(program), *PROGRAM], (),
                             hosts_run.own_words(job.system))
    at = started.index(job.system.launcher)
    begin, launcher = started[:at], started[at:]
    part = launcher[launcher.index("-n"):]
    another = ["-H", ",".join("h%d" % host for host in order), *part]
    if shape == SEVERAL:
        launcher += [":", *another]
    elif shape == FILE:
        path = pathlib.Path(folder) / "programs"
        path.write_text(2 * (" ".join(another) + "\n"), encoding="utf-8")
        launcher[-len(part):] = ["--app", str(path)]
    return [*begin, *hosts_run.own_environment(job.system), "=".join(PROGRAM), *settings, BANYAN_MPI, "--on", *launcher]


def run(job, hosts, program, *case):
    """Returns what is wrong, or None."""
    if case != (ONE,) and job.system.abi != "openmpi":
        return None
    with tempfile.TemporaryDirectory(prefix="banyan-launch-") as folder:
        ended = harness.run(command(job, hosts, program, folder, *case), timeout=LIMIT_S, cwd=folder,
                            env=harness.environment())
    said = (ended.out + ended.err)[-1000:]
    if ended.status is None:
        return "it hangs: " + said
    return None if ended.status == 0 else "status %d: %s" % (ended.status, said)


if __name__ == "__main__":
    sys.exit(hosts_run.run_cases((1, 1), HERE / "launched.c", CASES, run, ", ".join))
