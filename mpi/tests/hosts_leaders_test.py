#!/usr/bin/env python3
"""For which processes of a host one of them speaks to the other host, as BANYAN_MPI_LEADERS says: the parts of
MPI_COMM_WORLD that Banyan's timelines name, on two hosts of two sockets of two memory regions each.
"""

import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts as multihost   # noqa: E402
import hosts_run   # noqa: E402
import systems   # noqa: E402

MACHINE = "pack:2 numa:2 core:1 pu:1"
PARTS = {
    "machine": [0, 0, 0, 0, 1, 1, 1, 1],
    "socket": [0, 0, 1, 1, 2, 2, 3, 3],
    "region": [0, 1, 2, 3, 4, 5, 6, 7],
}


def parts_of(timelines, size):
    """By rank: the part of the communicators with all processes"""
    parts = [None] * size
    for path in timelines:
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["size"] == size:
                parts[entry["rank"]] = entry["node"]
    return parts


def run(job, hosts, program, leaders):
    """What is wrong, or None"""
    with tempfile.TemporaryDirectory(prefix="banyan-leaders-") as folder:
        timeline = pathlib.Path(folder) / "timeline"
        job.settings = ["BANYAN_TOPOLOGY=" + MACHINE, "BANYAN_MPI_LEADERS=" + leaders,
                        "BANYAN_MPI_TIMELINE=%s" % timeline]
        ended = harness.run(job.command(hosts, program, 1, ["--cases", "20", "--limit", "60"]), timeout=120,
                            cwd=folder, env=harness.environment())
        if ended.status != 0:
            return "status %s: %s" % (ended.status, (ended.out + ended.err)[-2000:])
        found = parts_of(pathlib.Path(folder).glob("timeline.*"), len(PARTS[leaders]))
        return None if found == PARTS[leaders] else "parts %s, not %s" % (found, PARTS[leaders])


def main():
    """The command."""
    reason = multihost.why_not()
    if reason:
        print("skipped: " + reason)
        return harness.SKIP
    build = os.environ.get("TESTED_BUILD", str(ROOT / "build"))
    jobs, _ = hosts_run.plan(systems.find([]), build, [(4, 4)], ["block"], ["on"])
    if not jobs:
        print("skipped: no MPI is installed that runs over hosts (openmpi-bin and libopenmpi-dev)")
        return harness.SKIP
    sources = sorted([*(HERE / "tester").glob("*.c"), *(HERE / "tester").glob("*.h")])
    report = harness.Report(len(jobs) * len(PARTS))
    with multihost.Hosts(2) as hosts:
        for job in jobs:
            program = job.system.build(pathlib.Path(build).absolute() / "mpi" / "tests", "tester", sources)
            for leaders in PARTS:
                wrong = run(job, hosts, program, leaders)
                report.add("%s, %s" % (job.system.name, leaders), "fail" if wrong else "pass", wrong or "")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
