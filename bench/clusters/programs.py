"""STREAM, RandomAccess and cpi over several hosts, compared with the same number of threads on one host."""

import os
import re
import subprocess
import time

import systems
from uoms import runs

# Arguments, and the rates in a program's output.  A loop of stream takes 10 ms or more, so that its two barriers matter
# little.  Each remote update of a random entry is a message, so that table is small.
PROGRAMS = {
    "stream": (["10000000", "5"], {"stream triad": r"^Triad +([0-9.]+)"}),
    "randomaccess": (["12", "1"], {"randomaccess": r"([0-9.]+) million updates per second"}),
    "cpi": (["200000000", "50000000"], {"cpi integration": r"([0-9.]+) million intervals per second",
                                     "cpi Monte Carlo": r"([0-9.]+) million darts per second"}),
}


class Programs:
    """The programs of apps/, compiled for OpenSHMEM and for one machine."""

    def __init__(self, build, work, hosts):
        self.hosts, self.build, self.folder = hosts, build, work / "programs"
        self.folder.mkdir(exist_ok=True)
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps")
        for name in PROGRAMS:
            for network in ("smp", "shmem"):
                result = runs.run([build / "bin" / "upcc", f"-network={network}", "-O2",
                                   os.path.join(source, name + ".upc"), "-o", self.path(name, network), "-lm"])
                if result.returncode != 0:
                    raise systems.SystemFault(f"{name}.upc: {result.stderr.strip()[-600:]}")

    def path(self, name, network):
        return self.folder / f"{name}-{network}"

    def turn(self, turn, counts, host_count):
        """((program, threads, where), command) of a turn, in reverse order in every second turn"""
        found = []
        for name, (arguments, _) in PROGRAMS.items():
            for count in counts:
                threads = count * host_count
                alone = self.hosts.inside(0, [str(self.build / "bin" / "upcrun"), "-n", str(threads),
                                              str(self.path(name, "smp"))])
                found.append(((name, threads, "one host"), [*alone, *arguments]))
                found.append(((name, threads, "hosts"),
                              self.hosts.oshrun(count, [str(self.path(name, "shmem")), *arguments])))
        return found if turn % 2 == 0 else found[::-1]


def rates_of(name, text):
    """{rate's name: number}; empty if the output lacks one of them"""
    found = {what: re.search(pattern, text, re.MULTILINE) for what, pattern in PROGRAMS[name][1].items()}
    return {what: float(match[1]) for what, match in found.items()} if all(found.values()) else {}


def execute(name, command, limit_s):
    """{"rates": {name: number}} or {"error": ...}; "seconds" is the duration."""
    return _execute(lambda text: rates_of(name, text), command, limit_s)


def execute_with(pattern, command, limit_s):
    """As execute, for a program whose numbers are the groups of a pattern: {"rates": [number, ...]}"""
    def numbers(text):
        found = pattern.search(text)
        return [float(each) for each in found.groups()] if found else []
    return _execute(numbers, command, limit_s)


def _execute(rates_of_text, command, limit_s):
    start = time.monotonic()
    try:
        done = runs.run(command, limit_s)
        rates = rates_of_text(done.stdout)
        is_good = done.returncode == 0 and rates
        said = f"{done.stdout[-200:]}{done.stderr[-300:]}"
        document = {"rates": rates} if is_good else {"error": f"status {done.returncode}: {said}"}
    except subprocess.TimeoutExpired:
        document = {"error": f"not finished after {limit_s:g} s"}
    document["seconds"] = time.monotonic() - start
    return document
