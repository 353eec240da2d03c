"""MPI jobs over hosts that are namespaces (hosts.py), started by mpirun of Open MPI 4 and 5 and by mpiexec of MPICH 5,
with any process on any host.

    order = places((1, 3), "cyclic")                       # the host of each process
    subprocess.run(command(hosts, "mpirun.openmpi", order, ["./program"], ["NAME=value"]))
"""

import functools
import os
import random
import re
import subprocess

PLACEMENTS = ("block", "cyclic", "random")
ROOT = ("OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "PRTE_ALLOW_RUN_AS_ROOT=1",
        "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1")
OLDEST_MPICH = 5


class Unable(Exception):
    """Why a launcher cannot be used over hosts, in a few words."""


def places(per_host, placement, seed=0):
    """The host of each process: host by host, over the hosts in turn, or at random. per_host: the number of processes
    on each host"""
    block = [host for host, count in enumerate(per_host) for _ in range(count)]
    if placement == "block":
        return block
    if placement == "cyclic":
        turns = [(turn, host) for host, count in enumerate(per_host) for turn in range(count)]
        return [host for _, host in sorted(turns)]
    random.Random(seed).shuffle(block)
    return block


@functools.lru_cache(None)
def kind(launcher):
    """("openmpi" or "mpich", the first number of its version), from its version message"""
    said = subprocess.run([launcher, "--version"], capture_output=True, text=True, check=False,
                          env={**os.environ, **dict(word.split("=") for word in ROOT)}).stdout
    openmpi, hydra = re.search(r"\(Open(?: MPI|RTE)\) (\d+)\.", said), re.search(r"Version:\s+(\d+)\.", said)
    if openmpi:
        return "openmpi", int(openmpi[1])
    if hydra and "HYDRA" in said:
        return "mpich", int(hydra[1])
    raise Unable("%s is neither of Open MPI nor of MPICH" % launcher)


def why_not(launcher):
    """The reason why this launcher cannot start jobs over hosts; None if it can."""
    try:
        name, version = kind(launcher)
    except (Unable, OSError) as error:
        return str(error)
    if name == "mpich" and version < OLDEST_MPICH:
        # Observed in 4.0.2 over UCX 1.13, in most jobs of 2 processes on each of 2 hosts: a process waits in PMI's
        # barrier while another waits for its answer to end a connection. Nor can this version assign processes to
        # hosts.
        return "MPICH %d hangs in MPI_Finalize over TCP" % version
    return None


def _openmpi(order):
    return ["-H", ",".join("h%d" % host for host in order), "--map-by", "seq:OVERSUBSCRIBE", "--bind-to", "none"]


def _mpich(hosts, order):
    """MPICH numbers its hosts in the order of their list, and starts as many processes on each as the map says."""
    used = sorted(set(order))
    names = ",".join("h%d:%d" % (host, order.count(host)) for host in used)
    return ["-launcher", "ssh", "-launcher-exec", hosts.agent, "-iface", hosts.head_device, "-hosts", names,
            "-rankmap", ",".join(str(used.index(host)) for host in order)]


def command(hosts, launcher, order, program, environment=(), words=()):
    """The command that runs a process of the program on each of the hosts in `order`; to be run where the hosts were
    made.

    environment: NAME=value of the processes; words: more arguments for the launcher.
    """
    reason = why_not(launcher)
    if reason:
        raise Unable(reason)
    given = _openmpi(order) if kind(launcher)[0] == "openmpi" else _mpich(hosts, order)
    return hosts.beside_hosts(["env", *ROOT, *hosts.settings(), launcher, *given, *words, "-n", str(len(order)), "env",
                               *hosts.ucx_settings, *environment, *program])
