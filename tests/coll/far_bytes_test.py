#!/usr/bin/env python3
"""Bytes that collectives move between nodes (far_bytes.upc), with threads placed in blocks, in turn and at random;
skipped without OpenSHMEM.

    TESTED_BUILD=<build folder> far_bytes_test.py
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "multihost"))
import hosts as multihost  # noqa: E402

BUILD = os.environ.get("TESTED_BUILD", "build")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}
# Hosts, threads per host, and whether threads are numbered over the hosts in turn
PLACEMENTS = ((2, 2, False), (2, 2, True), (2, 3, True), (4, 2, False))
# Fixed random placements: the host of each thread.  Hosts have different numbers of threads.
ORDERS = ((1, 0, 0, 1, 0), (2, 0, 2, 1, 0, 2, 1, 2), (1, 3, 0, 2, 3, 0, 1))


def complaint(command, threads, nodes, what, **variables):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                          env={**ENVIRONMENT, **variables})
    if done.returncode == 0 and done.stdout == "%d nodes ok\n" % nodes * threads:
        return []
    return ["%s: status %d\n%s%s" % (what, done.returncode, done.stdout, done.stderr)]


def main():
    reason = multihost.why_no_oshrun()
    if not os.path.exists(os.path.join(BUILD, "lib", "libbanyan-shmem.a")):
        reason = "this Banyan was built without OpenSHMEM"
    if reason:
        print("skipped: " + reason)
        return multihost.SKIP
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "far_bytes")
        subprocess.run([os.path.join(BUILD, "bin", "upcc"), "-network=shmem", "-O2",
                        os.path.join(HERE, "far_bytes.upc"), "-o",
                        program], check=True, timeout=300, env=ENVIRONMENT)
        upcrun = os.path.join(BUILD, "bin", "upcrun")
        wrong += complaint([upcrun, "-n", "3", program], 3, 1, "3 threads of one node")
        wrong += complaint([upcrun, "-n", "5", program], 5, 5, "5 threads that are far", UCX_TLS="tcp,self")
        if multihost.why_not():
            print("without hosts: " + multihost.why_not())
        for count, per_host, by_node in [] if multihost.why_not() else PLACEMENTS:
            with multihost.Hosts(count) as hosts:
                wrong += complaint(hosts.oshrun(per_host, [program], by_node), count * per_host, count,
                                   "%d hosts of %d threads%s" % (count, per_host, " in turn" if by_node else ""))
        for order in [] if multihost.why_not() else ORDERS:
            with multihost.Hosts(max(order) + 1) as hosts:
                wrong += complaint(hosts.oshrun(0, [program], order=order), len(order), len(set(order)),
                                   "threads on hosts %s" % " ".join(map(str, order)))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
