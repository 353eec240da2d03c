#!/usr/bin/env python3
"""Calls that differ between members on two hosts: if they cannot end, the job ends with a message that says why.

In misuse/wrong.c one process calls with half the counts of the others.
"""

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
BETWEEN, HERE_TOO = "a collective operation between machines", "have called for other counts, roots or operations"
FRAGMENT = "40K"   # so that pieces of 40,000 and of 20,000 ints have the same size
# Operation, fault, process, ints, and the message.  A broadcast may be shorter than expected if it is in one piece, but
# not if it is the first of several.
CASES = [("bcast", "d", 2, 100, BETWEEN), ("bcast", "d", 2, 40000, BETWEEN), ("bcast", "d", 2, 13000, BETWEEN),
         ("gather", "d", 2, 100, BETWEEN), ("allreduce", "d", 2, 20000, HERE_TOO),
         ("allgather", "d", 3, 3000, HERE_TOO)]


def run(job, hosts, program, *case):
    """Returns what is wrong, or None."""
    *words, message = case
    with tempfile.TemporaryDirectory(prefix="banyan-misuse-") as folder:
        preload = ["LD_PRELOAD=%s" % job.library, "BANYAN_MPI=on", "BANYAN_MPI_BETWEEN=messages",
                   "BANYAN_MPI_FRAGMENT=" + FRAGMENT]
        environment = [*hosts_run.own_environment(job.system), *preload]
        command = mpirun.command(hosts, job.system.launcher, mpirun.places(job.per_host, "block", 1),
                                 [str(program), *map(str, words), folder + "/stop"], environment)
        ended = harness.run(command, timeout=LIMIT_S, cwd=folder, env=harness.environment())
    said = ended.out + ended.err
    if ended.status is None:
        return "it hangs: " + said[-1000:]
    return None if message in said and ended.status != 0 else "status %s: %s" % (ended.status, said[-1000:])


if __name__ == "__main__":
    sys.exit(hosts_run.run_cases((2, 2), HERE / "misuse" / "wrong.c", CASES, run,
                                 lambda case: " ".join(map(str, case[:-1]))))
