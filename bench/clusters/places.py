"""What is compared on several hosts: the systems of bench/peers, started by oshrun on hosts that are namespaces, and
the launches of a run: numbers of threads, placements, parts, in turns."""

import hashlib
import os
import pathlib

import launches
import systems
from uoms import runs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLACEMENTS = ("block", "cyclic")
AGAIN = "again"  # block placement once more, to show the spread between launches
OPERATIONS = ("put", "get", *(name for name in launches.OPERATIONS if name not in ("permute", "prefix_reduce_D")))
PAIRS = ("put", "get")  # between the first and the last thread, so placement and number do not matter
SIZES = ("8", "512", "4K", "16K", "64K", "256K", "1M")
QUICK_SIZES = ("8", "32K")
FORMAT = "uoms-clusters-1"


class HostSystem(systems.System):
    """A system of bench/peers on hosts: the number of processes is per host, and the settings are a placement."""

    def __init__(self, name, title, program, hosts, environment=None, words=()):
        super().__init__(name, title, program, [], environment, words)
        self.hosts = hosts

    def start(self, n, settings="block"):
        given = [f"{name}={value}" for name, value in self.environment.items()]
        return self.hosts.oshrun(n, [str(self.program)], settings == "cyclic", self.words, given)


def _build_uoms(build, work):
    """uoms over OpenSHMEM, built by the Makefile for any UPC compiler"""
    upcc = build / "bin" / "upcc"
    if not upcc.exists() or not (build / "lib" / "libbanyan-shmem.a").exists():
        raise systems.SystemFault(f"{build} has no upcc with -network=shmem; 'make' builds it, --build names another "
                                  "folder")
    library = build / "lib" / "libbanyan-shmem.a"
    words = ["make", "--silent", "-C", ROOT / "bench" / "uoms", f"UPCC={upcc}",
             "UPCFLAGS=-network=shmem -O2",
             f"BUILD={work / 'banyan'}", f"UPCC_LIBRARY={library}", f"UPCC_FILES={upcc}"]
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    result = runs.run(words, env=environment)
    if result.returncode != 0:
        raise systems.SystemFault(f"uoms over OpenSHMEM: {result.stderr.strip()[-600:]}")
    return work / "banyan" / "uoms"


# The systems that each library of systems.debian gives here
OF_LIBRARY = {"openmpi": ("openmpi", "openmpi-ucx"), "oshmem": ("oshmem",)}
NAMES = (*systems.BANYAN, *(name for names in OF_LIBRARY.values() for name in names))


def why_unknown(only):
    """What is wrong with the names of --only, found out before anything is built; None if nothing is"""
    return next((f"--only {name}: there is no such system; there are {', '.join(NAMES)}" for name in only or ()
                 if name not in NAMES), None)


def find(build, work, hosts, only=None):
    """Banyan in both modes, Open MPI over its own TCP and over UCX, and OpenSHMEM, all built; with `only`, just the
    libraries that it names"""
    program = _build_uoms(build, work)
    yield HostSystem(systems.BANYAN[0], "Banyan, ALLSYNC on both sides", program, hosts)
    yield HostSystem(systems.BANYAN[1], "Banyan, MYSYNC on both sides", program, hosts)
    for system in systems.debian(work, lambda name: name in OF_LIBRARY and
                                 (not only or set(only) & set(OF_LIBRARY[name]))):
        if system.name == "openmpi":
            yield HostSystem("openmpi", system.title, system.program, hosts)
            yield HostSystem("openmpi-ucx", system.title + " over UCX", system.program, hosts,
                             words=["--mca", "pml", "ucx", "--mca", "pml_ucx_tls", "any", "--mca", "pml_ucx_devices",
                                    "any"])
        elif system.name == "oshmem":
            yield HostSystem("oshmem", system.title, system.program, hosts, {"SHMEM_SYMMETRIC_HEAP_SIZE": "128M"})


def chosen(found, only):
    """All systems; Banyan and those that are named; or, if variants of Banyan are named, only what is named."""
    absent = sorted(set(only or ()) - {system.name for system in found})
    if absent:
        raise systems.SystemFault(f"--only {absent[0]}: there is none on this machine")
    names = set(only or ())
    if not names & set(systems.BANYAN):
        names |= set(systems.BANYAN)
    return [system for system in found if not only or system.name in names]


class Plan:
    """Everything that is to be launched.  A launch's n is the number of threads per host, its buffers a placement."""

    def __init__(self, found, options, host_count):
        self.found, self.host_count, self.turns, self.time_s = found, host_count, options.turns, options.time
        self.sync = options.sync
        self.counts, self.placements = options.threads, options.placement
        self.cores = len(os.sched_getaffinity(0))
        self.sizes = list(options.sizes or (QUICK_SIZES if options.quick else SIZES))
        self.operations = [name for name in OPERATIONS if name in (options.operations or OPERATIONS)]
        self.network = f"{options.rate or 'as fast as it goes'}, {options.delay or 'no'} delay"

    def fingerprint(self):
        programs = {system.name: hashlib.sha256(b"".join(path.read_bytes() for path in system.files)).hexdigest()
                    for system in self.found}
        return {"format": FORMAT, "hosts": self.host_count, "network": self.network, "sizes": self.sizes,
                "operations": self.operations, "time_s": self.time_s, "sync": self.sync, "programs": programs}

    def _operations(self, n, placement):
        """Operations between one pair depend only on the network, so they are measured once."""
        is_first = n == self.counts[0] and placement == self.placements[0]
        return [name for name in self.operations if is_first or name not in PAIRS]

    def turn(self, turn, has):
        """Launches of a turn, in reverse order in every second turn. has(system, operation) tells whether the system
        has it."""
        order = self.found if turn % 2 == 0 else self.found[::-1]
        for n in self.counts:
            # With one thread per host all placements are the same.
            for placement in self.placements if n > 1 else self.placements[:1]:
                for system in order:
                    able = [name for name in self._operations(n, placement) if has(system, name)]
                    if able:
                        yield launches.Launch(system, n, n, placement, "all", turn, self.sizes, able)

    def arguments(self, launch, size_file):
        words = [*launch.operations, "-msglen", size_file, "-time", str(self.time_s), "-sync", self.sync, "-warmup",
                 "-batch", "1",   # a message takes a thousand times as long as reading the clock
                 "-verify=on" if launch.turn == 0 else "-verify=off"]
        if launch.system.name == systems.BANYAN[1]:
            words += ["-sync_mode", "UPC_IN_MYSYNC|UPC_OUT_MYSYNC"]
        return words
