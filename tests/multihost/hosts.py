#!/usr/bin/env python3
"""Several hosts on one machine, for tests of clusters.

    hosts.py [--hosts N] [--rate RATE] [--delay TIME] --each COMMAND...      runs COMMAND on each host in turn
    hosts.py [--hosts N] [--per-host K] ... --oshrun PROGRAM...              runs N*K processes of PROGRAM by oshrun
    hosts.py [--hosts N] [--per-host K] ... --mpirun LAUNCHER PROGRAM...     or by mpirun of an MPI (mpirun.py)

A host is a set of namespaces (network, names, mounts, IPC, processes) that a sleeping process holds open.  Hosts h0,
h1, ... have the addresses 10.77.0.1, 10.77.0.2, ... on a bridge; the launcher runs on the bridge's side, as host
"head", and enters hosts by nsenter instead of ssh.  With a delay, a program replaces the bridge (switch.c), since many
kernels have no netem.  The files are those of the machine, except for /proc, /dev/shm and /etc/hosts.

The holders die with the process that made them (PR_SET_PDEATHSIG), and namespaces, links and mounts with the holders:
after a kill nothing is left but a folder banyan-hosts-* with a few small files in TMPDIR.  As a module: `with Hosts(2)
as hosts: hosts.run(0, ["hostname"])`.
"""

import argparse
import ctypes
import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import mpirun

SKIP = 77
NETWORK = "10.77.0"
LOGIN_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
HEAD = 254  # last part of the address of the launcher's host
PR_SET_PDEATHSIG = 1
NAMESPACES = ["-n", "-u", "-i", "-m", "-p"]
SECONDS_TO_START = 120  # whatever takes longer hangs
UCX_SETTINGS = ("UCX_TLS=tcp,posix,sysv,cma,self", "UCX_NET_DEVICES=eth0")
SWITCH_SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "switch.c")
SHAPE = "tc qdisc add dev %s root tbf rate %s burst 256kb latency 200ms"
UNITS = {"us": 1, "ms": 1000, "s": 1000000, "kbit": 0.001, "mbit": 1, "gbit": 1000, "%": 1}  # us, Mbit/s, per cent
PPM_PER_PERCENT = 10000

# The first process of a host: mounts the host's own file systems, reports that, and sleeps until it is killed.
HOLDER = """
hostname "$1" && mount -t proc proc /proc && mount -t tmpfs -o size="$3" tmpfs /dev/shm &&
mount --bind "$2/hosts" /etc/hosts && ip link set lo up && : > "$2/$1.ready" || exit 1
trap : TERM
while :; do sleep 3600 & wait $!; done
"""


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def why_not():
    """The reason why hosts cannot be made here, in a few words; None if they can."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for tool in ("ip", "tc", "nsenter", "unshare"):
        if not shutil.which(tool):
            return "there is no %s (Debian: iproute2, util-linux)" % tool
    made = subprocess.run(["unshare", *NAMESPACES, "-f", "sh", "-c",
                           "mount -t proc proc /proc && ip link add type veth"],
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return "namespaces cannot be made: " + (made.stderr.strip().splitlines() or ["status %d" % made.returncode])[-1]
    return None


def why_no_oshrun():
    return None if shutil.which("oshrun") else "there is no oshrun (Debian: openmpi-bin)"


def why_no_delay():
    """The reason why links cannot have a delay and a rate here; None if they can."""
    if not os.path.exists("/dev/net/tun"):
        return "there is no /dev/net/tun (modprobe tun; in a container: --device /dev/net/tun)"
    if subprocess.run(["unshare", "-n", "sh", "-c", SHAPE % ("lo", "1gbit")], capture_output=True,
                      check=False).returncode != 0:
        return "the kernel has no tbf to bound what a host sends (modprobe sch_tbf)"
    return None if shutil.which("cc") else "there is no cc to compile the switch with"


class HostsError(Exception):
    """A host could not be made."""


def measure(text, units):
    """The number in a text such as 200us or 1gbit, in the unit whose factor is 1."""
    match = re.fullmatch(r"([0-9.]+)([a-z%]+)", text)
    if not match or match[2] not in units:
        raise HostsError("%r is none: a number and one of %s" % (text, ", ".join(units)))
    return float(match[1]) * UNITS[match[2]]


class Hosts:
    """Hosts h0 .. h<count-1>, which exist during a `with` statement.

    rate is a bandwidth in tc's notation ("1gbit"), for each link and direction; delay is the time that a frame takes
    from host to host ("200us"); loss is the fraction of frames that get lost ("0.1%"); shared_memory is the size of
    each /dev/shm.
    """

    network, ucx_settings = NETWORK + ".0/24", UCX_SETTINGS

    def __init__(self, count, rate=None, shared_memory="1g", delay=None, loss=None):
        self.count, self.rate, self.shared_memory, self.loss = count, rate, shared_memory, loss
        self.delay = delay or ("0us" if loss else None)   # the bridge loses nothing, so the switch is needed
        self.holders = []  # processes that die with this one
        self.first = []    # the first process of each host, numbered as in this process's namespace
        self.folder = None
        self.switch = None
        self.head_device = "eth0" if self.delay else "br0"   # of the launcher's host

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="banyan-hosts-")
        try:
            self._make()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for holder in self.holders:
            holder.kill()
        for holder in self.holders:
            holder.wait()
        self.holders.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- Making ----

    def _hold(self, command):
        holder = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, preexec_fn=die_with_parent, start_new_session=True)
        self.holders.append(holder)
        return holder

    def _await(self, holder, what, condition):
        end = time.monotonic() + SECONDS_TO_START
        while not condition():
            if holder.poll() is not None or time.monotonic() > end:
                raise HostsError("%s does not start" % what)
            time.sleep(0.01)

    @staticmethod
    def _configure(prefix, *commands):
        for command in commands:
            done = subprocess.run(prefix + shlex.split(command), capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise HostsError("%s: %s" % (command, done.stderr.strip()))

    def _make(self):
        with open(os.path.join(self.folder, "hosts"), "w", encoding="ascii") as file:
            file.write("127.0.0.1 localhost\n%s.%d head\n" % (NETWORK, HEAD))
            file.writelines("%s.%d h%d\n" % (NETWORK, i + 1, i) for i in range(self.count))
        holder = self._hold(["unshare", "-n", "sleep", "infinity"])
        own = os.readlink("/proc/self/ns/net")
        self._await(holder, "the switch", lambda: os.readlink("/proc/%d/ns/net" % holder.pid) != own)
        self.switch = ["nsenter", "-t", str(holder.pid), "-n", "--"]
        self._configure(self.switch, "ip link set lo up")
        for index in range(self.count):
            self._make_host(index)
        if self.delay:
            self._make_slow_links(str(holder.pid))
        else:
            self._make_links()
        self._write_agent()

    def _make_host(self, index):
        name = "h%d" % index
        holder = self._hold(["unshare", *NAMESPACES, "-f", "--propagation", "private", "--kill-child",
                             "sh", "-c", HOLDER, "holder", name, self.folder, self.shared_memory])
        ready = os.path.join(self.folder, name + ".ready")
        self._await(holder, name, lambda: os.path.exists(ready))
        with open("/proc/%d/task/%d/children" % (holder.pid, holder.pid), encoding="ascii") as file:
            first = file.read().split()[0]
        self.first.append(first)

    def _network_of(self, host):
        return ["nsenter", "-t", self.first[host], "-n", "--"]

    def _give_address(self, prefix, device, number):
        self._configure(prefix, "ip addr add %s.%d/24 dev %s" % (NETWORK, number, device), "ip link set %s up" % device)

    def _shape(self, prefix, device):
        """Limits the rate of sending, as a network card does: sockets, each with a short queue, wait until the card has
        room."""
        self._configure(prefix, SHAPE % (device, self.rate))

    def _make_links(self):
        self._configure(self.switch, "ip link add br0 type bridge")
        self._give_address(self.switch, "br0", HEAD)
        for index, first in enumerate(self.first):
            self._configure(self.switch, "ip link add v%d type veth peer name eth0 netns %s" % (index, first),
                            "ip link set v%d master br0 up" % index)
            self._give_address(self._network_of(index), "eth0", index + 1)
            if self.rate:
                self._shape(self._network_of(index), "eth0")
                self._shape(self.switch, "v%d" % index)

    def _make_slow_links(self, switch_pid):
        program = os.path.join(self.folder, "switch")
        delay_us = measure(self.delay, ("us", "ms", "s"))
        rate_mbit = measure(self.rate, ("mbit", "gbit", "kbit")) if self.rate else 0
        if self.rate and rate_mbit < 1:
            raise HostsError("with a delay, the rate is 1mbit at least")
        loss_percent = measure(self.loss, ("%",)) if self.loss else 0
        if not 0 <= loss_percent < 100:
            raise HostsError("%s is not a part of the frames that may be lost: 0%% to less than 100%%" % self.loss)
        self._configure([], "cc -D_GNU_SOURCE -O2 -o %s %s" % (program, SWITCH_SOURCE))
        holder = self._hold([program, "%d" % delay_us, "%d" % rate_mbit, "%d" % (loss_percent * PPM_PER_PERCENT),
                             *self.first, switch_pid])
        prefixes = [(self._network_of(index), index + 1) for index in range(self.count)] + [(self.switch, HEAD)]
        for prefix, number in prefixes:
            self._await(holder, "the slow switch", lambda prefix=prefix: subprocess.run(
                prefix + ["ip", "link", "show", "eth0"], capture_output=True, check=False).returncode == 0)
            self._give_address(prefix, "eth0", number)
        # With the switch alone, hosts could send everything at once, and acknowledgements would wait behind 10 to 50 ms
        # of data.
        for index in range(self.count if self.rate else 0):
            self._shape(self._network_of(index), "eth0")

    def _write_agent(self):
        """Writes the program that launchers call instead of ssh: agent [-OPTION]... HOST COMMAND...

        As with ssh, the command gets the environment and the folder of a login, nothing of the caller's.  Hosts have
        separate folders for temporary files: daemons of Open MPI 5 name theirs after their process number, which is the
        same on hosts where equally many processes have been started."""
        user = pwd.getpwuid(os.getuid())
        login = {"PATH": LOGIN_PATH, "HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name,
                 "SHELL": user.pw_shell}
        cases = ""
        for host, first in enumerate(self.first):
            temporary = os.path.join(self.folder, "tmp%d" % host)
            os.mkdir(temporary)
            cases += "h%d) pid=%s temporary=%s ;;\n" % (host, first, shlex.quote(temporary))
        with open(self.agent, "w", encoding="ascii") as file:
            file.write('#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\n'
                       "case $1 in\n%s*) exit 255 ;;\nesac\nshift\n"
                       'exec nsenter -t "$pid" %s --wd=%s -- env -i %s TMPDIR="$temporary" sh -c "$*"\n'
                       % (cases, " ".join(NAMESPACES), shlex.quote(user.pw_dir),
                          shlex.join("%s=%s" % variable for variable in login.items())))
        os.chmod(self.agent, 0o755)

    # ---- Using ----

    @property
    def agent(self):
        """The program with which launchers enter a host"""
        return os.path.join(self.folder, "agent")

    def inside(self, host, command):
        """The command line that runs a command on a host; working directory and environment pass through."""
        return ["nsenter", "-t", self.first[host], *NAMESPACES, "--", *command]

    def run(self, host, command, **more):
        """subprocess.run on a host."""
        return subprocess.run(self.inside(host, command), check=False, **more)

    def doing(self):
        """What all processes of the hosts are waiting for: their threads, and the stacks if there is a gdb. For
        messages about jobs that hang."""
        text = ""
        for host in range(self.count):
            listed = self.run(host, ["ps", "-eLo", "pid,lwp,stat,wchan:24,args"], capture_output=True, text=True)
            text += "h%d:\n%s" % (host, listed.stdout)
            for process in sorted({line.split()[0] for line in listed.stdout.splitlines()[1:]} - {"1"}, key=int):
                if shutil.which("gdb"):
                    stacks = self.run(host, ["timeout", "20", "gdb", "-batch", "-p", process, "-ex",
                                             "thread apply all backtrace 12"], capture_output=True, text=True)
                    text += "".join(line + "\n" for line in stacks.stdout.splitlines()
                                    if line.startswith(("#", "Thread")))
        return text

    def kill(self, host):
        """Power failure of a host: all of its processes are killed at once."""
        os.kill(int(self.first[host]), signal.SIGKILL)

    def link(self, host, is_up):
        """Disconnects a host from the network, or reconnects it."""
        state = "up" if is_up else "down"
        if self.delay:
            self._configure(self._network_of(host), "ip link set eth0 " + state)
        else:
            self._configure(self.switch, "ip link set v%d %s" % (host, state))

    def oshrun(self, per_host, program, by_node=False, options=(), environment=(), order=None):
        """The command that runs per_host processes of a program on each host by Open MPI's oshrun.

        Processes are numbered host by host or, with by_node, over the hosts in turn; or `order` has the host of each
        process, and per_host is ignored.
        """
        if order:
            names, mapping, processes = ",".join("h%d" % host for host in order), "seq", len(order)
        else:
            names = ",".join("h%d:%d" % (host, per_host) for host in range(self.count))
            mapping, processes = "node" if by_node else "slot", self.count * per_host
        command = ["env", *mpirun.ROOT, *self.settings(), "oshrun", "-H", names, "--bind-to", "none",
                   "--map-by", mapping + ":OVERSUBSCRIBE", "-np", str(processes)]
        for setting in (*UCX_SETTINGS, "UCX_MEM_EVENTS=no", *environment):   # as upcrun does: docs/clusters.md
            command += ["-x", setting]
        return self.beside_hosts([*command, *options, *program])

    def upcrun(self, upcrun, per_host, program, options=(), environment=()):
        """The command that runs per_host threads of a UPC program on each host by upcrun."""
        names = ",".join("h%d" % host for host in range(self.count))
        return self.with_settings([upcrun, "-n", str(self.count * per_host), "-hosts", names, *options, *program],
                                  environment)

    def with_settings(self, command, environment=()):
        """Wraps a command that enters hosts by upcrun, so that it runs on the launcher's host."""
        return self.beside_hosts(["env", *mpirun.ROOT, *self.settings(), *UCX_SETTINGS, *environment, *command])

    def settings(self):
        """Variables by which Open MPI 4 (OMPI_MCA_plm_rsh) and 5 (PRTE_MCA) enter hosts and reach them"""
        return ["OMPI_MCA_plm_rsh_agent=" + self.agent, "PRTE_MCA_plm_ssh_agent=" + self.agent,
                "OMPI_MCA_plm_rsh_no_tree_spawn=1", "PRTE_MCA_plm_ssh_no_tree_spawn=1", *self.network_settings()]

    def network_settings(self):
        """Variables for the network of the hosts, which a scheduler that starts processes there needs, too"""
        return ["OMPI_MCA_oob_tcp_if_include=" + self.network, "PRTE_MCA_prte_if_include=" + self.network,
                "OMPI_MCA_btl_tcp_if_include=" + self.network, "OMPI_MCA_btl=self,vader,tcp", "OMPI_MCA_osc=^ucx",
                "OMPI_MCA_mpi_yield_when_idle=1", "OMPI_MCA_opal_common_ucx_opal_mem_hooks=0"]

    def beside_hosts(self, command):
        """Wraps a command so that it runs on the launcher's host."""
        enter = 'hostname head && mount --bind "$0/hosts" /etc/hosts && exec "$@"'
        return [*self.switch, "unshare", "-u", "-m", "--propagation", "private", "sh", "-c", enter, self.folder,
                *command]


def main():
    parser = argparse.ArgumentParser(description="runs commands on several hosts that are namespaces of this machine")
    parser.add_argument("--hosts", type=int, default=2, metavar="N")
    parser.add_argument("--per-host", type=int, default=2, metavar="K", help="processes on each host (default 2)")
    parser.add_argument("--by-node", action="store_true", help="number processes over the hosts in turn")
    parser.add_argument("--rate", metavar="RATE", help="bandwidth of each link, as tc has it: 1gbit")
    parser.add_argument("--delay", metavar="TIME", help="from host to host: 200us")
    parser.add_argument("--loss", metavar="PART", help="frames that never arrive: 0.1%%")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--each", action="store_true", help="run the command on each host")
    what.add_argument("--oshrun", action="store_true", help="run the program by oshrun")
    what.add_argument("--mpirun", metavar="LAUNCHER", help="run the program by this launcher of Open MPI or MPICH 5")
    parser.add_argument("--placement", choices=mpirun.PLACEMENTS, default="block", help="of the processes of --mpirun")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    reason = why_not() or (options.oshrun and why_no_oshrun()) or (
        options.mpirun and mpirun.why_not(options.mpirun)) or ((options.delay or options.loss) and why_no_delay())
    if reason:
        print("hosts.py: " + reason)
        return SKIP
    with Hosts(options.hosts, options.rate, delay=options.delay, loss=options.loss) as hosts:
        if options.oshrun:
            return subprocess.run(hosts.oshrun(options.per_host, options.command, options.by_node),
                                  check=False, stdin=subprocess.DEVNULL).returncode
        if options.mpirun:
            order = mpirun.places([options.per_host] * options.hosts, options.placement)
            return subprocess.run(mpirun.command(hosts, options.mpirun, order, options.command), check=False,
                                  stdin=subprocess.DEVNULL).returncode
        return max(hosts.run(host, options.command).returncode for host in range(options.hosts))


if __name__ == "__main__":
    sys.exit(main())
