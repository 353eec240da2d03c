#!/usr/bin/env python3
"""A process on one of two hosts leaves in the middle, in every possible way: the job ends as it does without Banyan.

If the job ends without Banyan, with an error or without one, it ends in the same way with Banyan.  If it goes on
without Banyan (MPICH 5.0: processes of the other host are not told that one has exited), it may also end with an error
because a connection breaks.
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts_run   # noqa: E402

LIMIT_S = 120   # a job that ends takes only seconds
GOES_ON, FAILS = "goes on", "ends with an error"
WAYS = [("exit:0",), ("exit:1",), ("_exit:0",), ("return:3",), ("abort",), ("MPI_Abort",)]


def end_of(job, hosts, program, way):
    ended = harness.run(job.command(hosts, program, 1, [way, "1"]), timeout=LIMIT_S, cwd=tempfile.gettempdir(),
                        env=harness.environment())
    if ended.status is None:
        return GOES_ON
    return "ends without an error" if ended.status == 0 else FAILS


def run(job, hosts, program, way):
    """Returns what is wrong, or None."""
    alone = end_of(hosts_run.Job(job.system, job.per_host, job.placement, None, ""), hosts, program, way)
    ours = end_of(job, hosts, program, way)
    is_right = ours == alone or (alone, ours) == (GOES_ON, FAILS)
    return None if is_right else "alone it %s, with Banyan it %s" % (alone, ours)


if __name__ == "__main__":
    sys.exit(hosts_run.run_cases((2, 2), HERE / "misuse" / "leaves.c", WAYS, run, lambda case: case[0]))
