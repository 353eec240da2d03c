#!/usr/bin/env python3
"""Runs every_way.upc with each way of each collective, which banyan-info lists, on 1 to 8 threads.

    BANYAN_BUILD=<build folder> every_way_test.py [ROUNDS]
"""
import json
import os
import subprocess
import sys
import tempfile

BIN = os.path.join(os.environ.get("BANYAN_BUILD", "build"), "bin")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "every_way.upc")
OPERATIONS = ("broadcast", "scatter", "gather", "gather_all", "exchange", "permute", "reduce", "reduce_all", "prefix",
              "barrier")
THREADS = (1, 2, 3, 5, 8)
# Threads are in the regions of machines that are not there, too: without them all trees have one level.
MACHINES = ("", "pack:2 [numa] core:2 pu:1", "pack:3 [numa] l3:2 core:1 pu:1")
# What a way can carry, where that is limited; a test of the runtime keeps this true.
LIMITS = {"inline": 64, "bruck": 1024}
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}


def ways_of(operation):
    done = subprocess.run([os.path.join(BIN, "banyan-info"), "--explain", operation, "--json"], capture_output=True,
                          text=True, check=True, timeout=60, env=ENVIRONMENT)
    return json.loads(done.stdout)["collective"]["ways"]


def limit_of(way):
    return min([limit for word, limit in LIMITS.items() if word in way.split("/")] or [1 << 20])


def run(program, operation, way, threads, rounds, seed):
    """Why it failed, or nothing."""
    variables = {"BANYAN_COLL_" + operation.upper(): way, "BANYAN_COLL_CHUNK": "4K", "BANYAN_COLL_HALVES": "1K",
                 "BANYAN_COLL_TREES": "64" if seed % 2 else "0", "BANYAN_COLL_TABLE": "none"}
    if MACHINES[seed % len(MACHINES)]:
        variables["BANYAN_TOPOLOGY"] = MACHINES[seed % len(MACHINES)]
    command = [program, "-n", str(threads), operation, str(limit_of(way)), str(rounds), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                          env=dict(ENVIRONMENT, **variables))
    if done.returncode == 0 and done.stdout == "ok\n" * threads and done.stderr == "":
        return ""
    return f"{operation} {way}: {' '.join(command[1:])}: status {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    if not os.path.exists(os.path.join(BIN, "banyan-info")):
        print("banyan-info, which knows the ways, is left out of this build")
        return 77
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "every_way")
        subprocess.run([os.path.join(BIN, "upcc"), "-O2", SOURCE, "-o", program], check=True, timeout=300,
                       env=ENVIRONMENT)
        for operation in OPERATIONS:
            for way in ways_of(operation):
                for threads in THREADS:
                    count += 1
                    failures += filter(None, [run(program, operation, way, threads, rounds, count)])
    print("\n".join(failures[:5]))
    print(f"{count} runs of {rounds} calls, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
