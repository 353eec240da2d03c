"""The MPI libraries that tests use: finds installed ones, and starts programs with what each of them needs."""

import fcntl
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
CFLAGS = ["-std=gnu11", "-O2", "-g", "-pthread"]

# Open MPI refuses to run as root unless it is told twice; oversubscribed processes must yield.
OPENMPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_ALLOW_RUN_AS_ROOT": "1",
           "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "true",
           "OMPI_MCA_plm_rsh_agent": "false"}
MPICH = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
         "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "100"}
# Faults of Intel MPI 2021.18 alone, without Banyan.  It mixes up data or crashes in an allgather of some kilobytes in
# which one process has N elements of a type and another one element of N times that, with its fifth algorithm but not
# with its second.  It crashes in a gather with its second algorithm, but not with its first (tester --seed 2088 --case
# 30, 2 processes).  It hangs in collectives on inter-communicators and in MPI_Intercomm_merge, with 7 and 8 processes
# on two cores (hence --no-inter).
INTEL = {"I_MPI_FABRICS": "shm", "I_MPI_THREAD_YIELD": "2", "I_MPI_SHM_RECV_SPIN_COUNT": "1",
         "I_MPI_ADJUST_ALLGATHER": "2", "I_MPI_ADJUST_GATHER": "1"}


class BuildError(Exception):
    """A message for the user about what could not be built."""


class System:
    """One MPI: its compiler and launcher, the ABI of its programs, and the environment that it needs."""

    def __init__(self, name, mpicc, launcher, abi, environment, words=()):
        self.name, self.mpicc, self.launcher, self.abi = name, str(mpicc), str(launcher), abi
        self.environment, self.words = environment, list(words)
        self.preload = []   # libraries that its programs need between Banyan and the MPI library
        self.tester = []    # options for the tester of random collectives

    def start(self, n):
        """The words of the launcher, before the program"""
        return [self.launcher, *self.words, "-n", str(n)]

    def preloading(self, *libraries):
        """Words for env: preloads libraries, before those that its programs need anyway"""
        names = [*libraries, *self.preload]
        return ["LD_PRELOAD=" + ":".join(map(str, names))] if names else []

    def build(self, folder, name, sources, *flags):
        """Compiles a program once; several tests may ask for it at the same time."""
        folder = folder / self.name
        folder.mkdir(parents=True, exist_ok=True)
        program = folder / name
        newest = max(source.stat().st_mtime for source in sources)
        with open(folder / (name + ".lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if program.exists() and program.stat().st_mtime > newest:
                return program
            command = [self.mpicc, *CFLAGS, *flags, *(str(path) for path in sources if path.suffix != ".h"),
                       "-o", str(program) + ".new"]
            done = subprocess.run(command, capture_output=True, text=True, check=False,
                                  env={**os.environ, **self.environment})
            if done.returncode != 0:
                raise BuildError("%s: %s" % (" ".join(command[:3]), done.stderr.strip()[-2000:]))
            os.rename(str(program) + ".new", program)
        return program


def _openmpi(name, mpicc, launcher):
    return System(name, mpicc, launcher, "openmpi", OPENMPI, ["--oversubscribe"])


def _of_prefix(prefix):
    """An MPI in a folder with bin/mpicc and bin/mpirun, such as a virtual environment with a package of PyPI"""
    folder = pathlib.Path(prefix).absolute() / "bin"
    name = pathlib.Path(prefix).name
    if (folder / "impi_info").exists():
        root = str(folder.parent)
        where = {"I_MPI_ROOT": root, "FI_PROVIDER_PATH": root + "/lib"}
        system = System(name, folder / "mpigcc", folder / "mpiexec.hydra", "mpich", {**INTEL, **where})
        system.tester = ["--no-inter"]
        return system
    if not (folder / "mpicc").exists():
        raise BuildError("%s has no bin/mpicc" % prefix)
    if (folder / "ompi_info").exists():
        return _openmpi(name, folder / "mpicc", folder / "mpirun")
    return System(name, folder / "mpicc", folder / "mpiexec", "mpich", MPICH)


def find(prefixes=()):
    """The MPIs of installed Debian packages, and those in given folders and in $TESTED_MPI (separated by :)"""
    prefixes = [*prefixes, *(prefix for prefix in os.environ.get("TESTED_MPI", "").split(":") if prefix)]
    found = []
    if shutil.which("mpicc.openmpi") and shutil.which("mpirun.openmpi"):
        found.append(_openmpi("openmpi", "mpicc.openmpi", "mpirun.openmpi"))
    if shutil.which("mpicc.mpich") and shutil.which("mpirun.mpich"):
        found.append(System("mpich", "mpicc.mpich", "mpirun.mpich", "mpich", MPICH))
    return _with_own_names(found + [_of_prefix(prefix) for prefix in prefixes])


def _with_own_names(found):
    """Makes names unique, since built programs are kept by them, and a folder may have the name of a package or of
    another folder."""
    names = [system.name for system in found]
    for i, system in enumerate(found):
        before = names[:i].count(system.name)
        system.name += "-%d" % (before + 1) if before else ""
    return found


def let_give_way(found, folder):
    """Builds the library that makes processes yield, for each MPI that does not do so itself (give_way.c)."""
    for system in found:
        if system.environment is MPICH:
            system.preload = [system.build(folder, "give_way.so", [HERE / "give_way.c"], "-shared", "-fPIC")]


def library(build, system):
    """The library to preload, or None if it was not built"""
    return _existing(pathlib.Path(build) / "lib" / "banyan" / ("libbanyan-mpi-%s.so" % system.abi))


def threads_library(build, system):
    """The library behind it that lets threads in one at a time"""
    return _existing(pathlib.Path(build) / "lib" / "banyan" / ("libbanyan-mpi-threads-%s.so" % system.abi))


def ways_library(build, system):
    """The library to preload in which calls use all ways (ways/ways.c)"""
    return _existing(pathlib.Path(build) / "mpi" / "tests" / "lib" / ("libbanyan-mpi-ways-%s.so" % system.abi))


def _existing(path):
    return path if path.exists() else None
