#!/usr/bin/env python3
"""Runs every_way.upc with each way of each collective listed by banyan-info, on 1 to 8 threads.  The k-th ways of all
operations share a job, since most of a job's time is its start.

    TESTED_BUILD=<build folder> every_way_test.py [--rounds N] [--operation NAME] [--way NAME] [--far | --hosts N]

--far: on this machine over OpenSHMEM, where no thread can access another's memory. --hosts N: on hosts that are
namespaces, with threads numbered alternately host by host and over the hosts.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "multihost"))
import hosts as multihost  # noqa: E402

BIN = os.path.join(os.environ.get("TESTED_BUILD", "build"), "bin")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "every_way.upc")
OPERATIONS = ("broadcast", "scatter", "gather", "gather_all", "exchange", "permute", "reduce", "reduce_all", "prefix",
              "barrier")
THREADS = (1, 2, 3, 5, 8)
FAR_THREADS = (2, 3, 5, 4)      # in turns: a job over OpenSHMEM takes a second to start, one over hosts some seconds
PER_HOST = (2, 1, 3)
# Some simulated machines have several memory regions: without them all trees would have one level.
MACHINES = ("", "pack:2 [numa] core:2 pu:1", "pack:3 [numa] l3:2 core:1 pu:1")
# The sizes that ways are limited to; a test of the runtime keeps this up to date.  A library below transfers whole
# words.
LIMITS = {"inline": 64, "room": 512, "bruck": 1024, "mail": 512}
LIMITS_OF_WAYS = {("scatter", "push/flat/mail"): 65536, ("gather", "push-pull/nodes/mail"): 32768,
                  ("gather_all", "push-pull/nodes/mail"): 32768, ("exchange", "push/nodes/mail"): 16384,
                  ("broadcast", "pull/flat/room"): 8192,
                  ("gather", "pull/flat/room"): 8192, ("gather_all", "pull/flat/room"): 8192}
NATIVE, NATIVE_WORD_BYTES = "native", 4
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}


def ways_of(operation, over_openshmem, only_over_nodes=False):
    done = subprocess.run([os.path.join(BIN, "banyan-info"), "--explain", operation, "--json"], capture_output=True,
                          text=True, check=True, timeout=60, env=ENVIRONMENT)
    facts = json.loads(done.stdout)["collective"]
    others = facts["ways_of_mpi"] + ([] if over_openshmem else facts["ways_over_openshmem"])
    knows_nodes = {*facts["ways_over_openshmem"], *(way for way in facts["ways"] if way.startswith("push-pull/"))}
    return [way for way in facts["ways"] if way not in others and (way in knows_nodes or not only_over_nodes)]


def limit_of(operation, way):
    limits = [limit for word, limit in LIMITS.items() if word in way.split("/")]
    return LIMITS_OF_WAYS.get((operation, way), min(limits or [1 << 20]))


def batches(ways):
    """From {operation: its ways} the first way of each operation, then the second: [{operation: way}, ...]"""
    return [{operation: names[k] for operation, names in ways.items() if k < len(names)}
            for k in range(max(map(len, ways.values()), default=0))]


def variables_for(batch, seed):
    variables = {"BANYAN_COLL_CHUNK": "4K", "BANYAN_COLL_HALVES": "1K", "BANYAN_COLL_TREES": "64" if seed % 2 else "0",
                 "BANYAN_COLL_TABLE": "none"}
    variables.update(("BANYAN_COLL_" + operation.upper(), way) for operation, way in batch.items())
    if MACHINES[seed % len(MACHINES)]:
        variables["BANYAN_TOPOLOGY"] = MACHINES[seed % len(MACHINES)]
    return variables


class Local:
    """Processes of this machine; far: each of them as if on a node of its own"""
    may_say_more = False

    def __init__(self, far=False):
        self.far = far

    def threads(self, count):
        return [FAR_THREADS[count % len(FAR_THREADS)]] if self.far else THREADS

    def command(self, program, threads, seed, variables):
        launcher = [os.path.join(BIN, "upcrun")] if self.far else []
        options = ["-n", str(threads)]
        environment = dict(ENVIRONMENT, **variables)
        if self.far:
            environment["UCX_TLS"] = "tcp,self"
            return launcher + options + [program], environment
        return [program] + options, environment


class OverHosts:
    may_say_more = True  # messages of the launcher about hosts

    def __init__(self, hosts):
        self.hosts = hosts

    def threads(self, count):
        return [self.hosts.count * PER_HOST[count % len(PER_HOST)]]

    def command(self, program, threads, seed, variables):
        return self.hosts.oshrun(threads // self.hosts.count, [program], by_node=seed % 2 == 1,
                                 environment=["%s=%s" % item for item in variables.items()]), ENVIRONMENT


def run(place, program, batch, threads, rounds, seed):
    """Why the run failed, or nothing."""
    command, environment = place.command(program, threads, seed, variables_for(batch, seed))
    arguments = [str(rounds), str(seed)]
    for operation, way in batch.items():
        unit = NATIVE_WORD_BYTES if way == NATIVE and seed % 4 else 1
        arguments += [operation, str(limit_of(operation, way)), str(unit)]
    done = subprocess.run(command + arguments, capture_output=True, text=True, timeout=300, check=False,
                          env=environment)
    is_quiet = not done.stderr or place.may_say_more
    if done.returncode == 0 and done.stdout == "ok\n" * threads and is_quiet:
        return ""
    what = "%s: %d threads, %s" % (", ".join(map(" ".join, batch.items())), threads, " ".join(arguments))
    return f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}"


def run_all(place, options):
    failures, count, calls = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "every_way")
        is_over_openshmem = not isinstance(place, Local) or place.far
        network = ["-network=shmem"] if is_over_openshmem else []
        subprocess.run([os.path.join(BIN, "upcc"), *network, "-O2", SOURCE, "-o", program], check=True, timeout=300,
                       env=ENVIRONMENT)
        ways = {}
        for operation in [options.operation] if options.operation else OPERATIONS:
            if operation == "barrier" and is_over_openshmem:
                continue  # all ways are the same there, and have tests of their own
            ways[operation] = [way for way in ways_of(operation, is_over_openshmem, options.only_over_nodes)
                               if options.way in (None, way)]
        for batch in batches(ways):
            for threads in place.threads(count):
                count += 1
                calls += len(batch)
                failures += filter(None, [run(place, program, batch, threads, options.rounds, count)])
    print("\n".join(failures[:5]))
    print(f"{count} runs, {calls} times a way with {options.rounds} calls, {len(failures)} failed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="every way of every collective, in processes")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--operation", choices=OPERATIONS)
    parser.add_argument("--way", metavar="NAME", help="only this one")
    parser.add_argument("--far", action="store_true", help="over OpenSHMEM on this machine, without shared memory")
    parser.add_argument("--only-over-nodes", action="store_true", help="only ways that tell nodes apart")
    parser.add_argument("--hosts", type=int, default=0, metavar="N", help="over OpenSHMEM on N hosts in namespaces")
    options = parser.parse_args()
    reason = None
    if not os.path.exists(os.path.join(BIN, "banyan-info")):
        reason = "banyan-info, which knows the ways, is left out of this build"
    elif (options.far or options.hosts) and not os.path.exists(os.path.join(BIN, "..", "lib", "libbanyan-shmem.a")):
        reason = "this Banyan was built without OpenSHMEM"
    elif options.far or options.hosts:
        reason = multihost.why_no_oshrun() or (options.hosts and multihost.why_not())
    if reason:
        print("skipped: " + reason)
        return 77
    if options.hosts:
        with multihost.Hosts(options.hosts) as hosts:
            return run_all(OverHosts(hosts), options)
    return run_all(Local(options.far), options)


if __name__ == "__main__":
    sys.exit(main())
