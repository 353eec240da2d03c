#!/usr/bin/env python3
"""Leaders: for which processes of a host one of them communicates with the other host, as BANYAN_MPI_LEADERS says.

Checks the parts of MPI_COMM_WORLD named in Banyan's timelines, on two hosts with two sockets of two memory regions
each; that a leader is near the network adapter; and that without the option exactly the existing parts are tried.
"""

import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "multihost")]
import harness   # noqa: E402
import hosts_run   # noqa: E402

MACHINE = "pack:2 numa:2 core:1 pu:1"
ADAPTER = str(ROOT / "tests" / "fixtures" / "machines" / "network-adapter.xml")   # near the second of two cores
# A machine, the value of BANYAN_MPI_LEADERS, and by rank: its part, and the leader of that
PARTS = [
    (MACHINE, "machine", [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 4, 4, 4, 4]),
    (MACHINE, "socket", [0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 2, 2, 4, 4, 6, 6]),
    (MACHINE, "region", [0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]),
    (ADAPTER, "machine", [0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 5, 5, 5, 5]),
]
# A machine, and what is tried on it in addition to a leader for each machine
TRIED = [
    (MACHINE, ["sockets", "regions"]),
    ("pack:2 numa:1 core:2 pu:1", ["sockets"]),
    ("pack:1 numa:2 core:2 pu:1", ["regions"]),
    ("pack:1 numa:1 core:4 pu:1", []),
]
CALLS = 60      # of each operation: 20 to warm up, and 8 for each of 4 candidates
REPEATED = 11   # operations and sizes of repeated.c


def parts_of(timelines, size):
    """By rank: its part of the communicator of all processes, and the leader of that part"""
    parts, speakers = [None] * size, [None] * size
    for path in timelines:
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["size"] == size:
                parts[entry["rank"]], speakers[entry["rank"]] = entry["node"], entry["leader"]
    return parts, speakers


def run(job, hosts, program, machine, leaders, *expected):
    """What is wrong, or None"""
    with tempfile.TemporaryDirectory(prefix="banyan-leaders-") as folder:
        timeline = pathlib.Path(folder) / "timeline"
        job.settings = ["BANYAN_TOPOLOGY=" + machine, "BANYAN_MPI_LEADERS=" + leaders,
                        "BANYAN_MPI_TIMELINE=%s" % timeline]
        ended = harness.run(job.command(hosts, program, 1, []), timeout=120,
                            cwd=folder, env=harness.environment())
        if ended.status != 0:
            return "status %s: %s" % (ended.status, (ended.out + ended.err)[-2000:])
        found = parts_of(pathlib.Path(folder).glob("timeline.*"), len(expected[0]))
        return None if found == expected else "parts and leaders %s, not %s" % (found, expected)


def parts_tried(path):
    """For each operation and size on the first communicator that was tried with parts: with which parts"""
    rows = json.loads(path.read_text(encoding="utf-8"))["communicators"][0]["operations"]
    tried = [[name for name in ("sockets", "regions") if "trial_us" in row[name]] for row in rows]
    return [names for names in tried if names]


def learn(job, hosts, program, machine, parts):
    """Returns what is wrong, or None.  The second run has too few calls to try anything: it reads the first's table."""
    with tempfile.TemporaryDirectory(prefix="banyan-leaders-") as folder:
        report, table = pathlib.Path(folder) / "report", pathlib.Path(folder) / "table"
        job.settings = ["BANYAN_TOPOLOGY=" + machine, "BANYAN_MPI_REPORT=json:%s" % report,
                        "BANYAN_MPI_TABLE=%s" % table]
        for calls in (CALLS, 2):
            ended = harness.run(job.command(hosts, program, 1, [str(calls)]), timeout=300, cwd=folder,
                                env=harness.environment())
            if ended.status != 0 or "right" not in ended.out:
                return "%d calls: status %s: %s" % (calls, ended.status, (ended.out + ended.err)[-2000:])
            tried = parts_tried(report)
            if tried != [parts] * (REPEATED if parts else 0):
                return "%d calls: tried %s" % (calls, tried)
    return None


if __name__ == "__main__":
    outcomes = [hosts_run.run_cases((4, 4), HERE / "misuse" / "wrong.c", PARTS, run, lambda case: "%s, %s" % case[:2]),
                hosts_run.run_cases((4, 4), HERE / "repeated.c", TRIED, learn, lambda case: "learned, " + case[0])]
    sys.exit(max(outcomes))
