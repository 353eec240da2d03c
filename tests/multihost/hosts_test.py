#!/usr/bin/env python3
"""Tests the harness of hosts itself: hosts are separate, reach each other, can be killed and disconnected, and leave
nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import hosts as multihost
import mpirun

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(FOLDER))
from harness import is_alive  # noqa: E402  (found only with the path above)

LIMIT = 120  # seconds: whatever takes longer hangs
# A server that prints the port on which it listens, and ends by itself, since nsenter does not pass on the signal that
# would end it.
SERVER = """
import socket
server = socket.create_server(("", 0))
server.settimeout(10)
print(server.getsockname()[1], flush=True)
server.accept()[0].sendall(b"hello")
"""
CLIENT = """
import socket, sys
print(socket.create_connection(("h0", int(sys.argv[1])), 3).recv(9).decode())
"""


class Made(unittest.TestCase):
    settings = {"rate": "1gbit"}

    @classmethod
    def setUpClass(cls):
        cls.hosts = multihost.Hosts(3, shared_memory="8m", **cls.settings)
        cls.hosts.__enter__()
        cls.addClassCleanup(cls.hosts.close)

    def said(self, host, *command):
        done = self.hosts.run(host, list(command), capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def test_names_and_processes_are_their_own(self):
        self.assertEqual([self.said(i, "hostname") for i in range(3)], ["h0", "h1", "h2"])
        for host in range(3):
            self.assertEqual(self.said(host, "cat", "/proc/1/cmdline").split("\0")[4:6],
                             ["h%d" % host, self.hosts.folder])

    def test_shared_memory_is_their_own(self):
        self.said(0, "touch", "/dev/shm/only-here")
        self.assertEqual(self.said(1, "ls", "/dev/shm"), "")
        self.assertEqual(self.said(0, "stat", "-f", "-c", "%b", "/dev/shm"),
                         str((8 << 20) // os.sysconf("SC_PAGESIZE")))

    def connect(self):
        with subprocess.Popen(self.hosts.inside(0, [sys.executable, "-c", SERVER]), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as server:
            port = server.stdout.readline().strip()
            return self.hosts.run(2, [sys.executable, "-c", CLIENT, port], capture_output=True, text=True,
                                  timeout=LIMIT)

    def test_hosts_reach_each_other_until_the_link_is_pulled(self):
        self.assertEqual(self.connect().stdout, "hello\n")
        self.hosts.link(0, False)
        self.assertNotEqual(self.connect().returncode, 0)
        self.hosts.link(0, True)
        self.assertEqual(self.connect().stdout, "hello\n")

    def test_links_are_shaped(self):
        self.assertIn("tbf", self.said(1, "tc", "qdisc", "show", "dev", "eth0"))
        self.assertIn("rate 1Gbit", self.said(1, "tc", "qdisc", "show", "dev", "eth0"))


# Sends back what it receives, and then sends a lot at once.
ECHO_SERVER = """
import socket
server = socket.create_server(("", 0))
server.settimeout(20)
print(server.getsockname()[1], flush=True)
peer = server.accept()[0]
peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
for _ in range(%d):
    peer.sendall(peer.recv(1))
peer.sendall(bytes(%d))
"""
# Prints the shortest round trip, and how long the rest took, in seconds.
ECHO_CLIENT = """
import socket, sys, time
peer = socket.create_connection(("h0", int(sys.argv[1])), 10)
peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
trips = []
for _ in range(%d):
    begin = time.perf_counter()
    peer.sendall(b"x")
    peer.recv(1)
    trips.append(time.perf_counter() - begin)
begin, left = time.perf_counter(), %d
while left:
    left -= len(peer.recv(left))
print(min(trips), time.perf_counter() - begin)
"""
ROUNDS, MANY = 30, 1 << 21
# Prints the number of datagrams received until none came for a while
COUNTER = """
import socket
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("", 0))
print(server.getsockname()[1], flush=True)
came = 0
server.settimeout(20)
try:
    while server.recv(9) != b"end":
        came += 1
except TimeoutError:
    pass
print(came)
"""
DATAGRAMS = """
import socket, sys, time
peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for word in [b"one"] * %d + [b"end"] * 50:
    peer.sendto(word, ("h0", int(sys.argv[1])))
    time.sleep(0.001)
"""
MANY_DATAGRAMS = 600


@unittest.skipIf(multihost.why_no_delay(), "links cannot be delayed: %s" % multihost.why_no_delay())
class MadeSlow(Made):
    settings = {"rate": "1gbit", "delay": "1ms"}


@unittest.skipIf(multihost.why_no_delay(), "links cannot be delayed: %s" % multihost.why_no_delay())
class Delayed(unittest.TestCase):
    """Lower bounds of times, since slowed links cannot be faster; there are no upper bounds, since the machine may be
    busy."""

    def test_frames_take_their_time_and_links_have_their_rate(self):
        with multihost.Hosts(4, rate="80mbit", delay="5ms") as hosts:
            with subprocess.Popen(hosts.inside(0, [sys.executable, "-c", ECHO_SERVER % (ROUNDS, MANY)]),
                                  stdout=subprocess.PIPE, text=True) as server:
                port = server.stdout.readline().strip()
                said = hosts.run(3, [sys.executable, "-c", ECHO_CLIENT % (ROUNDS, MANY), port], capture_output=True,
                                 text=True,
                                 timeout=LIMIT).stdout
            may_go_first = subprocess.run(["chrt", "-f", "1", "true"], capture_output=True, check=False).returncode == 0
            self.assertEqual(os.sched_getscheduler(hosts.holders[-1].pid),
                             os.SCHED_FIFO if may_go_first else os.SCHED_OTHER)
            trip, rest = map(float, said.split())
            self.assertGreaterEqual(trip, 0.010)
            self.assertGreaterEqual(rest, 0.5 * MANY * 8 / 80e6)  # a part may have come before the clock was started

    def test_frames_are_lost(self):
        with multihost.Hosts(2, loss="30%") as hosts:
            with subprocess.Popen(hosts.inside(0, [sys.executable, "-c", COUNTER]), stdout=subprocess.PIPE,
                                  text=True) as counter:
                port = counter.stdout.readline().strip()
                hosts.run(1, [sys.executable, "-c", DATAGRAMS % MANY_DATAGRAMS, port])
                came = int(counter.stdout.readline())
        # Datagrams are sent a millisecond apart, and a receiver that does not get a core loses more of them.
        self.assertTrue(MANY_DATAGRAMS // 10 < came < MANY_DATAGRAMS * 9 // 10, came)

    def test_nonsense_is_refused(self):
        for wrong in ({"loss": "100%"}, {"loss": "1"},
                      {"delay": "5"}, {"delay": "1gbit"}, {"delay": "1ms", "rate": "3us"}):
            with self.assertRaises(multihost.HostsError):
                multihost.Hosts(1, **wrong).__enter__()


class Ends(unittest.TestCase):
    def test_a_host_that_is_killed_is_gone_and_the_others_are_not(self):
        with multihost.Hosts(2) as hosts:
            with subprocess.Popen(hosts.inside(1, ["sleep", "1000"]), stderr=subprocess.DEVNULL) as sleeper:
                hosts.kill(1)
                self.assertNotEqual(sleeper.wait(LIMIT), 0)
            self.assertNotEqual(hosts.run(1, ["true"], stderr=subprocess.DEVNULL).returncode, 0)
            self.assertEqual(hosts.run(0, ["true"]).returncode, 0)

    def test_nothing_is_left_when_the_harness_is_killed(self):
        code = ("import sys, time; sys.path.insert(0, %r); import hosts\n"
                "with hosts.Hosts(2) as made: print(*made.first, flush=True); time.sleep(1000)" % FOLDER)
        folder = tempfile.mkdtemp(prefix="banyan-hosts-test-")
        self.addCleanup(shutil.rmtree, folder)
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "TMPDIR": folder}) as harness:
            first = [int(word) for word in harness.stdout.readline().split()]
            self.assertEqual([is_alive(process) for process in first], [True, True])
            harness.send_signal(signal.SIGKILL)
            harness.wait()
        end = time.monotonic() + LIMIT
        while any(map(is_alive, first)):
            self.assertLess(time.monotonic(), end, "processes of hosts are left")
            time.sleep(0.02)

    def test_nothing_is_left_when_a_host_cannot_be_made(self):
        hosts = multihost.Hosts(2, rate="nonsense")
        with self.assertRaises(multihost.HostsError):
            hosts.__enter__()
        self.assertEqual(hosts.holders, [])
        self.assertFalse(os.path.exists(hosts.folder))


@unittest.skipIf(multihost.why_no_oshrun() or not shutil.which("oshcc"), "there is no oshrun")
class OpenShmem(unittest.TestCase):
    def test_processes_of_a_host_share_memory_and_hosts_do_not(self):
        folder = tempfile.mkdtemp(prefix="banyan-hosts-test-")
        self.addCleanup(shutil.rmtree, folder)
        program = os.path.join(folder, "near_and_far")
        subprocess.run(["oshcc", "-o", program, os.path.join(FOLDER, "near_and_far.c")], check=True)
        with multihost.Hosts(2) as hosts:
            commands = ((hosts.oshrun(2, [program]), [{0, 1}, {2, 3}]),
                        (hosts.oshrun(2, [program], True), [{0, 2}, {1, 3}]),
                        (hosts.oshrun(0, [program], order=(1, 0, 1, 1)), [{1}, {0, 2, 3}]))
            for command, near in commands:
                done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
                                      check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                expected = ["%d of 4 on h%d: near %s" % (pe, host, " ".join(map(str, sorted(near[host]))))
                            for host in range(2) for pe in near[host]]
                self.assertEqual(sorted(done.stdout.splitlines()), sorted(expected))

LAUNCHERS = [found for found in map(shutil.which, ("mpirun.openmpi", "mpirun.mpich", "mpirun")) if found]


class Mpi(unittest.TestCase):
    def test_processes_have_their_places(self):
        uneven = (1, 3, 2)
        self.assertEqual(mpirun.places(uneven, "block"), [0, 1, 1, 1, 2, 2])
        self.assertEqual(mpirun.places(uneven, "cyclic"), [0, 1, 2, 1, 2, 1])
        self.assertEqual(sorted(mpirun.places(uneven, "random", 3)), [0, 1, 1, 1, 2, 2])
        self.assertGreater(len({tuple(mpirun.places(uneven, "random", seed)) for seed in range(9)}), 3)

    def test_launchers_put_them_there(self):
        usable = [launcher for launcher in LAUNCHERS if not mpirun.why_not(launcher)]
        if not usable:
            self.skipTest("; ".join(map(str, map(mpirun.why_not, LAUNCHERS))) or "no launcher is installed")
        said = "import os, socket; names = 'OMPI_COMM_WORLD_RANK', 'PMI_RANK'; " \
               "os.write(1, b'%s %s\\n' % ([os.environb[name.encode()] for name in names if name in os.environ][0], " \
               "socket.gethostname().encode()))"
        with multihost.Hosts(3) as hosts:
            for launcher in usable:
                for placement in mpirun.PLACEMENTS:
                    order = mpirun.places((1, 3, 2), placement, 7)
                    done = subprocess.run(mpirun.command(hosts, launcher, order, [sys.executable, "-c", said]),
                                          capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
                                          check=False)
                    self.assertEqual((done.returncode, sorted(done.stdout.splitlines())),
                                     (0, ["%d h%d" % pair for pair in enumerate(order)]), done.stderr)


if __name__ == "__main__":
    REASON = multihost.why_not()
    if REASON:
        print("skipped: " + REASON)
        sys.exit(multihost.SKIP)
    unittest.main()
