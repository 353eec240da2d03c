"""What the comparisons of random programs share: tools, a folder for each program, options, and the course of a run."""

import argparse
import os
import random
import shutil
import sys
import tempfile

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "multihost"))
import hosts as multihost  # noqa: E402

THREADS = (1, 2, 3, 4, 7, 8)
STARTS = 2           # of a program with -network=shmem, each of which takes a second
ALL_FAR = {"UCX_TLS": "tcp,self"}  # as if each process were on a host of its own


def parser(description):
    """The options that every comparison has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("count", type=int, metavar="N", help="how many programs")
    made.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED", help="seed of the first one")
    made.add_argument("--one-way", action="store_true",
                      help="compile each program in one way, which changes with the seed")
    made.add_argument("--keep", metavar="FOLDER", help="copy the programs that fail there")
    made.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    made.add_argument("--upcrun", help="the launcher (default: beside upcc)")
    made.add_argument("--network", choices=("smp", "shmem"), default="smp",
                      help="the network to compile for (default smp)")
    made.add_argument("--threads", type=int, nargs="+", default=THREADS, metavar="N",
                      help="only these numbers of threads")
    made.add_argument("--far", action="store_true", help="no thread shares memory with another one; for shmem")
    made.add_argument("--hosts", type=int, default=0, metavar="N", help="run on N hosts that are namespaces; for shmem")
    made.add_argument("-j", type=int, default=os.cpu_count() or 2, metavar="JOBS", help="jobs at a time")
    return made


class Comparison:
    """A derived class defines compare(seed, directory), which returns "pass" or "fail", and a detail."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.upcc = harness.find_tool(options.upcc, "upcc")
        self.upcrun = harness.find_tool(options.upcrun or os.path.join(os.path.dirname(self.upcc), "upcrun"), "upcrun")
        self.backends = [cc for cc in ("gcc", "clang") if shutil.which(cc)]
        self.is_smp = options.network == "smp"
        self.threads = [count for count in options.threads if count % (options.hosts or 1) == 0]
        self.hosts = None   # while they exist

    def some_threads(self, rng, most):
        """Some numbers of threads to run a program with."""
        return rng.sample(self.threads, min(len(self.threads), most if self.is_smp else STARTS))

    def compile(self, cc, flags, source, executable):
        """Returns None if compilation succeeded without a warning, otherwise what went wrong."""
        network = [] if self.is_smp else ["-network=" + self.options.network]
        compiled = harness.run([self.upcc] + network + flags + [source, "-o", executable],
                               env=harness.environment(CC=cc))
        if compiled.status != 0 or "warning:" in compiled.err:
            return "%s: exit status %s\n%s" % (way(cc, network + flags), compiled.status, compiled.err)
        return None

    def execute(self, executable, threads):
        command = [self.upcrun, "-n", str(threads), executable]
        if self.hosts:
            command = self.hosts.upcrun(self.upcrun, threads // self.hosts.count, [executable])
        return harness.run(command, env=harness.environment(**ALL_FAR if self.options.far else {}))

    def say_ok(self, cc, flags, source, executable, counts):
        """The result for compare() of a program that prints "ok" on each thread, run with each of these numbers of
        threads."""
        fault = self.compile(cc, flags, source, executable)
        if fault:
            return "fail", fault
        for n in counts:
            result = self.execute(executable, n)
            if result.status != 0 or result.out != "ok\n" * n:
                return "fail", "%s, %d threads: exit status %s, printed\n%s%s" % (
                    way(cc, flags), n, result.status, result.out, result.err)
        return "pass", ""

    def _work(self, workdir, seed):
        directory = os.path.join(workdir, str(seed))
        os.mkdir(directory)
        try:
            outcome, detail = self.compare(seed, directory)
            if outcome == "fail" and self.options.keep:
                shutil.copytree(directory, os.path.join(self.options.keep, str(seed)), dirs_exist_ok=True)
            yield "%s, seed %d" % (self.name, seed), outcome, detail
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def run(self):
        """Compares all seeds and ends the program."""
        reason = self._why_not()
        if reason:
            print("skipped: " + reason)
            sys.exit(harness.SKIP)
        if not self.options.hosts:
            sys.exit(self._run())
        with multihost.Hosts(self.options.hosts) as self.hosts:
            sys.exit(self._run())

    def _why_not(self):
        if self.is_smp:
            if self.options.far or self.options.hosts:
                sys.exit("%s: --far and --hosts are for --network shmem" % sys.argv[0])
            return None
        library = os.path.join(os.path.dirname(os.path.dirname(self.upcc)), "lib", "libbanyan-shmem.a")
        if not os.path.exists(library):
            return "this Banyan was built without OpenSHMEM"
        return multihost.why_not() or multihost.why_no_oshrun() if self.options.hosts else None

    def _run(self):
        options = self.options
        with tempfile.TemporaryDirectory(prefix="banyan-random-") as workdir:
            seeds = range(options.seed, options.seed + options.count)
            return harness.run_jobs(seeds, lambda seed: self._work(workdir, seed), harness.Report(options.count),
                                    options.j)


class LoopComparison(Comparison):
    """For programs whose text write(seed) returns, which compare loops with the same in C and print "ok".  They are
    compiled with and without optimisation, and with THREADS known or not."""

    def __init__(self, name, options, write):
        super().__init__(name, options)
        self.write = write

    def compare(self, seed, directory):
        source = os.path.join(directory, "program.upc")
        with open(source, "w") as file:
            file.write(self.write(seed))
        rng = random.Random(seed + 1000000)
        count = rng.choice(self.threads)
        ways = ((0, "-O2"), (count, rng.choice(("-O1", "-O3"))), (0, "-O2 -fno-upc-opt"))
        for threads, opt in [rng.choice(ways)] if self.options.one_way else ways:
            flags = opt.split() + ["-w", "-fwrapv"] + (["-T", str(threads)] if threads else [])
            counts = [threads] if threads else self.some_threads(rng, 3)
            outcome = self.say_ok(rng.choice(self.backends), flags, source, os.path.join(directory, "program"), counts)
            if outcome[0] != "pass":
                return outcome
        return outcome


def way(cc, flags):
    """The command that repeats a compilation."""
    return "CC=%s upcc %s" % (cc, " ".join(flags))
