"""libbanyan-mpi and the tester under a sanitizer: how to build and run them, and how to read a sanitizer's output."""

import os
import pathlib
import re
import subprocess

import systems

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUNTIMES = {"address": "libasan.so", "thread": "libtsan.so"}

# The MPI libraries are compiled without sanitizers and do not free everything at their end, so a leak is not a fault in
# itself (exitcode); one with a function of Banyan among its callers is.  Errors abort. Code that is not instrumented
# passes data between threads with atomics that ThreadSanitizer does not see, so calls from there do not count
# (ignore_noninstrumented_modules).  MPICH's UCX watches memory that threads free when they end, and takes a lock then,
# which ThreadSanitizer does not survive.
VARIABLES = {
    "address": {"ASAN_OPTIONS": "detect_leaks=1:exitcode=0:abort_on_error=1"},
    "thread": {"TSAN_OPTIONS": "exitcode=66:ignore_noninstrumented_modules=1", "UCX_MEM_EVENTS": "no"},
}
ERROR = re.compile(r"(ERROR: AddressSanitizer|WARNING: ThreadSanitizer|FATAL: ThreadSanitizer|ThreadSanitizer: \w+ at)")
# A frame with a function name: a frame without one may belong to a component that Open MPI has unloaded, for which
# AddressSanitizer then names a wrong library.
OURS = re.compile(r"^ *#\d+ \w+ in .*(\bbn_|libbanyan)", re.M)


def flags(sanitizer):
    """Compiler flags for a program"""
    return ["-fsanitize=" + sanitizer, "-fno-omit-frame-pointer", "-O1"]


def build(folder, sanitizer, found):
    """Builds the libraries for the systems, including those with all ways; returns the folder of the build."""
    where = pathlib.Path(folder) / "mpi" / "tests" / sanitizer
    names = ["banyan-mpi-%s%s" % (kind, system.abi) for system in found for kind in ("", "ways-")]
    for command in (["cmake", "-S", str(ROOT), "-B", str(where), "-DBANYAN_SANITIZE=" + sanitizer,
                     "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 -g"],
                    ["cmake", "--build", str(where), "-j", str(len(os.sched_getaffinity(0))), "--target",
                     *sorted(set(names))]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise systems.BuildError("%s: %s" % (" ".join(command), (done.stdout + done.stderr).strip()[-2000:]))
    return where


def preload(sanitizer):
    """The sanitizer's library, which must be loaded before everything else"""
    return subprocess.run(["gcc", "-print-file-name=" + RUNTIMES[sanitizer]], capture_output=True, text=True,
                          check=True).stdout.strip()


def complaint(said):
    """The error that a sanitizer found in the program or Banyan, or None"""
    error = ERROR.search(said)
    if error:
        return said[error.start():error.start() + 3000]
    leaks = [part for part in said.split("\n\n") if "leak of" in part and OURS.search(part)]
    return leaks[0] if leaks else None
