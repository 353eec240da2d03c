#!/usr/bin/env python3
"""mpi4py programs give correct results without and with Banyan.

    mpi4py_test.py [PYTHON]     the Python that has mpi4py and NumPy, if it is not this one
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import harness   # noqa: E402
import systems   # noqa: E402

PROGRAM = str(HERE / "collectives_mpi4py.py")


def library_of(python, system):
    """The MPI that mpi4py uses when it is started by a system's launcher, or None"""
    told = harness.run([*system.start(1), python, "-c", "import numpy; from mpi4py import MPI; "
                        "print('size', MPI.COMM_WORLD.size, MPI.Get_library_version())"], timeout=60,
                       env=harness.environment(**system.environment))
    words = told.out.lower()
    fits = ("open mpi" in words) == (system.abi == "openmpi")
    return words if told.status == 0 and "size 1" in words and fits else None


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    build = os.environ.get("TESTED_BUILD", str(ROOT / "build"))
    if subprocess.run([python, "-c", "import mpi4py, numpy"], capture_output=True, check=False).returncode != 0:
        print("mpi4py or NumPy is missing (Debian: python3-mpi4py, python3-numpy)")
        return harness.SKIP
    jobs = [(system, n, library) for system in systems.find() if library_of(python, system)
            for library in (None, systems.library(build, system)) for n in (2, 3, 4)]
    if not jobs:
        print("the MPI that mpi4py is for has no mpicc here (openmpi-bin, libopenmpi-dev)")
        return harness.SKIP
    report = harness.Report(len(jobs))
    for system, n, library in jobs:
        preload = ["env", "LD_PRELOAD=%s" % library, "BANYAN_MPI=on"] if library else []
        ended = harness.run([*system.start(n), *preload, python, PROGRAM],
                            env=harness.environment(**system.environment))
        is_right = ended.status == 0 and ended.out.count("right\n") == n
        report.add("%s, n = %d, %s" % (system.name, n, "with Banyan" if library else "alone"),
                   "pass" if is_right else "fail", ended.out[-500:] + ended.err[-2000:])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
