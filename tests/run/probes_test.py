#!/usr/bin/env python3
"""Programs on the network shmem in containers that restrict something: each restriction is made in namespaces, or by a
filter of system calls, and either does no harm or is reported in one line that says what to do.  Skipped if Banyan was
built without OpenSHMEM.
"""

import ctypes
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import jobs

SKIP = 77
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
EPERM = 1
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06  # BPF instructions
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | EPERM
READ_OTHERS = {"x86_64": (310, 311), "aarch64": (270, 271)}  # process_vm_readv, process_vm_writev
BYTES = 100000

PROGRAM = """
#include <stdio.h>
#include <upc.h>
#include <upc_collective.h>
shared [%d] char from[%d * THREADS], to[%d * THREADS];
int main(void)
{
    for (int i = 0; i < %d; i++)
        from[i] = (char)i;
    upc_barrier;
    upc_all_broadcast(to, from, %d, 0);
    for (int i = 0; i < %d; i += 997) {
        if (to[(size_t)MYTHREAD * %d + (size_t)i] != (char)i)
            return 1;
    }
    printf("%%d is there\\n", MYTHREAD);
    return 0;
}
""" % ((BYTES,) * 7)


def refuse_calls(numbers):
    """Makes system calls with these numbers fail with EPERM for the calling process and its children."""
    steps = [(LOAD, 0, 0, 0)]
    steps += [(JUMP_IF_EQUAL, len(numbers) - index, 0, number) for index, number in enumerate(numbers)]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    place = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(place))
    libc = ctypes.CDLL(None, use_errno=True)
    if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(program, len(program)), 0,
                       0) != 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def refuse_reading_others():
    refuse_calls(READ_OTHERS[platform.machine()])


def may(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Probes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-probes-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with open(os.path.join(cls.folder, "there.upc"), "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-network=shmem", "there.upc", "-o", "there"], cwd=cls.folder,
                       check=True)

    def run_it(self, *command, **more):
        env = {name: value for name,
               value in jobs.environment().items() if not name.startswith(("OMPI_", "PMI", "UCX_"))}
        env.update(more.pop("env", {}))
        return subprocess.run(command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True,
                              timeout=jobs.LIMIT, check=False, **more)

    def assert_there(self, done, count):
        self.assertEqual((done.returncode, done.stderr, sorted(done.stdout.splitlines())),
                         (0, "", ["%d is there" % thread for thread in range(count)]))

    def in_namespaces(self, which, first, count=2):
        if not may("unshare", *which, "true"):
            self.skipTest("namespaces cannot be made")
        script = "set -e; %s; exec %s -n %d ./there" % (first, jobs.UPCRUN, count)
        return self.run_it("unshare", *which, "--propagation", "private", "sh", "-c", script)

    def test_a_host_whose_name_nobody_knows(self):
        self.assert_there(self.in_namespaces(["-u", "-m"], "hostname nobody-knows-this-name"), 2)

    def test_small_shared_memory_folder(self):
        """/dev/shm with the size usual in containers: all threads together need 16 times as much."""
        self.assert_there(self.in_namespaces(["-m"], "mount -t tmpfs -o size=64m tmpfs /dev/shm", 4), 4)

    def test_more_threads_than_cores(self):
        cores = len(os.sched_getaffinity(0))
        done = self.run_it("taskset", "-c", str(min(os.sched_getaffinity(0))), jobs.UPCRUN, "-n",
                           str(min(cores, 4) + 1), "./there",
                           env={"BANYAN_SHARED_HEAP": "8M"})
        self.assert_there(done, min(cores, 4) + 1)

    def test_no_network_interface(self):
        done = self.in_namespaces(["-n", "-m"], "true")
        self.assertNotEqual(done.returncode, 0)
        said = [line for line in done.stderr.splitlines() if line.startswith("banyan: ")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn("no network interface that is up", said[0])
        self.assertIn("ip link set lo up", said[0])

    def test_the_loopback_interface_is_enough(self):
        if not shutil.which("ip", path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            self.skipTest("there is no ip")
        self.assert_there(self.in_namespaces(["-n", "-m"], "PATH=$PATH:/usr/sbin:/sbin ip link set lo up"), 2)

    @unittest.skipUnless(platform.machine() in READ_OTHERS, "system calls of this processor are not known here")
    def test_memory_of_other_processes_cannot_be_read(self):
        """As without CAP_SYS_PTRACE: Open MPI would complain at each large message."""
        for way in ("native", ""):
            env = {"BANYAN_COLL_BROADCAST": way} if way else {}
            self.assert_there(self.run_it(jobs.UPCRUN, "-n", "3", "./there", env=env, preexec_fn=refuse_reading_others),
                              3)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(jobs.BIN, "..", "lib", "libbanyan-shmem.a")) or not shutil.which("oshrun"):
        print("skipped: this Banyan was built without OpenSHMEM, or there is no oshrun")
        sys.exit(SKIP)
    unittest.main()
