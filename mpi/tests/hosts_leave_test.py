#!/usr/bin/env python3
"""A process on one of two hosts that leaves in the middle, in each way that there is: the job ends if it does so
without Banyan, with an error or without, as there.  Where it goes on there (MPICH 5.0: processes of the other host are
not told that one has exited), it may end with an error, by a connection that breaks.
"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts_run   # noqa: E402

LIMIT_S = 120   # what ends does so in seconds
GOES_ON, FAILS = "goes on", "ends with an error"
WAYS = [("exit:0",), ("exit:1",), ("_exit:0",), ("return:3",), ("abort",), ("MPI_Abort",)]


def end_of(job, hosts, program, way):
    ended = harness.run(job.command(hosts, program, 1, [way, "1"]), timeout=LIMIT_S, cwd=tempfile.gettempdir(),
                        env=harness.environment())
    if ended.status is None:
        return GOES_ON
    return "ends without an error" if ended.status == 0 else FAILS


def run(job, hosts, program, way):
    """What is wrong, or None"""
    alone = end_of(hosts_run.Job(job.system, job.per_host, job.placement, None, ""), hosts, program, way)
    ours = end_of(job, hosts, program, way)
    is_right = ours == alone or (alone, ours) == (GOES_ON, FAILS)
    return None if is_right else "alone it %s, with Banyan it %s" % (alone, ours)


if __name__ == "__main__":
    sys.exit(hosts_run.run_cases((2, 2), HERE / "misuse" / "leaves.c", WAYS, run, lambda case: case[0]))
