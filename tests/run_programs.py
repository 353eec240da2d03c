#!/usr/bin/env python3
"""Compiles and runs the programs of tests/programs and apps.

A test is a file tests/programs/NAME.upc, or a directory tests/programs/NAME with a script `build.sh`, or a line of
apps/tests.txt.  Comments at the top of the file (of build.sh, after #) say how to run it; a directive ends at the end
of its line:

    // threads: 1 2 3 4 7 8     numbers of threads (these are the default)
    // static: yes|no|only      also, never, or only with the number of threads fixed at compile time (default yes)
    // args: WORDS              command line of the program
    // run-options: WORDS       options of upcrun
    // flags: WORDS             options of upcc
    // quick: -O1               takes so long to compile that a quick run has only a dynamic variant with this level of
                                optimisation (default: one by the name, and maybe other variants)
    // env: NAME=VALUE ...      environment of the program
    // stdin: TEXT              one line of input
    // fcheck: no               not to be compiled with -fcheck (it does what that reports, or counts messages)
    // races: no, WHY           not to be run under ThreadSanitizer, which would report its races
    // sanitize: no             not to be run under sanitizers (it is about running out of memory or crashing)
    // network: smp             relies on what -network=shmem does not promise
    // pthreads: no             relies on what -pthreads does not promise
    // needs: MACRO             a predefined macro of upcc that must be non-zero, or the test is skipped
    // expect-exit: N|nonzero   exit status (default 0)
    // expect-stdout: REGEX     must be found in the output; several are possible
    // expect-stderr: REGEX     must be found in the error output; without it there must be none

A program without expect-exit and expect-stdout must print "ok" on each thread, on a line of its own, when it has
checked itself; see tests/programs/check.h.

build.sh runs in an empty directory with SOURCE (its own directory), UPCC (with the options of the variant), CC and
PLAIN_UPCC (without -T, if the variant has one) in the environment, and makes the executable `program`.
"""

import argparse
import os
import re
import shlex
import shutil
import sys
import tempfile
import zlib

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests", "multihost"))
import hosts as multihost  # noqa: E402

PROGRAMS = os.path.join(harness.ROOT, "tests", "programs")
APPS = os.path.join(harness.ROOT, "apps")
DIRECTIVE = re.compile(r"^\s*(?://|#)\s*([a-z-]+):[ \t]*(.*?)\s*$")
# upcc's messages about a program that needs what -network=shmem does not have
NOT_THERE = re.compile(r"built without OpenSHMEM|is not supported with -network=shmem")
# Messages of Open MPI's launcher besides the program's: under nsenter, and about exit statuses
NOISE = re.compile(r"^\[.*plm:[rs]sh: Warning: setpgid.*\n|^-{70,}\n(?:.*\n)*?-{70,}\n", re.MULTILINE)
# What upcrun says of a job that has not begun, and the seconds after which a job over hosts hangs, busy or not
NOT_BEGUN = "the threads have not begun"
HOSTS_HANG = 150
ALL_FAR = {"UCX_TLS": "tcp,self"}  # as if each process were on a host of its own
REPEATED = ("expect-stdout", "expect-stderr")


class Test:
    def __init__(self, name, path, kind, directives):
        self.name = name
        self.path = path
        self.kind = kind  # "file", "directory" or "app"
        self.threads = [int(word) for word in directives.get("threads", "1 2 3 4 7 8").split()]
        self.static = directives.get("static", "yes")
        self.args = shlex.split(directives.get("args", ""))
        self.run_options = shlex.split(directives.get("run-options", ""))
        self.flags = shlex.split(directives.get("flags", ""))
        self.quick = directives.get("quick")
        self.env = dict(word.split("=", 1) for word in shlex.split(directives.get("env", "")))
        self.stdin = directives.get("stdin")
        self.sanitize = directives.get("sanitize", "yes") == "yes"
        self.fcheck = directives.get("fcheck", "yes") == "yes" and "-fcheck" not in self.flags
        self.needs = directives.get("needs")
        self.network = directives.get("network")
        self.pthreads = directives.get("pthreads", "yes") == "yes"
        self.races = not directives.get("races", "yes").startswith("no")
        self.exit = directives.get("expect-exit", "0")
        self.stdout = directives.get("expect-stdout", [])
        self.stderr = directives.get("expect-stderr", [])
        self.prints_ok = kind != "app" and "expect-exit" not in directives and not self.stdout


class Variant:
    """One configuration to compile: static thread count (0 is dynamic), back end, optimisation, sanitizers, -fcheck,
    races."""

    def __init__(self, threads, cc, opt, sanitize=False, fcheck=False, races=False):
        self.threads = threads
        self.cc = cc
        self.opt = opt
        self.sanitize = sanitize
        self.fcheck = fcheck
        self.races = races

    def __str__(self):
        parts = ["static %d" % self.threads if self.threads else "dynamic", self.cc, self.opt]
        return ", ".join(parts + ["sanitized"] * self.sanitize + ["-fcheck"] * self.fcheck +
                         ["races"] * self.races)

    def flags(self):
        flags = [self.opt]
        if self.sanitize:
            flags += ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        if self.races:
            flags += ["-g", "-fsanitize=thread"]
        return flags + ["-fcheck"] * self.fcheck

    def thread_flags(self):
        return ["-T", str(self.threads)] if self.threads else []


def read_directives(path):
    directives = {}
    with open(path) as file:
        for line in file:
            match = DIRECTIVE.match(line)
            if not line.startswith(("//", "# ", "#!")):
                break
            if match and match[1] in REPEATED:
                directives.setdefault(match[1], []).append(match[2])
            elif match:
                directives[match[1]] = match[2]
    return directives


def find_tests():
    tests = []
    for entry in sorted(os.listdir(PROGRAMS)):
        path = os.path.join(PROGRAMS, entry)
        if entry.endswith(".upc"):
            tests.append(Test(entry[:-4], path, "file", read_directives(path)))
        elif os.path.exists(os.path.join(path, "build.sh")):
            tests.append(Test(entry, path, "directory", read_directives(os.path.join(path, "build.sh"))))
    with open(os.path.join(APPS, "tests.txt")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                app, args, *more = re.split(": | // races: ", line.strip())
                name = " ".join(["apps/" + app] + args.split())
                tests.append(Test(name, os.path.join(APPS, app + ".upc"), "app",
                                  {"args": args, "races": (more + ["yes"])[0]}))
    return tests


def all_variants(test, backends):
    """All configurations of a test."""
    counts = [0] if test.static != "only" else []
    if test.static != "no":
        counts += test.threads
    variants = []
    for count in counts:
        for cc in backends:
            for opt in ("-O0", "-O3"):
                variants.append(Variant(count, cc, opt))
            if test.sanitize:
                variants.append(Variant(count, cc, "-O1", sanitize=True))
    return variants


def checked_variants(test, backends):
    """The configurations with -fcheck: dynamic for each back end, and one for each number of threads."""
    if not test.fcheck:
        return []
    variants = [Variant(0, cc, "-O2", fcheck=True) for cc in backends] if test.static != "only" else []
    if test.static != "no":
        variants += [Variant(count, backends[count % len(backends)], "-O1", fcheck=True) for count in test.threads]
    return variants


def quick_variants(test, backends, rotation):
    """The dynamic environment (or the largest static one) with the default back end, and for a third of the tests one
    more configuration: for half of them with -fcheck.  A third is compiled at each of -O2, -O1 and -O0, of which the
    last two take 3/4 and 2/5 of the time.  The choice depends only on the name, so that a run can fail only because of
    a change."""
    number = zlib.crc32(test.name.encode()) + rotation
    level = test.quick or ("-O2", "-O1", "-O0")[number // 6 % 3]
    base = Variant(0 if test.static != "only" else test.threads[-1], backends[0], level)
    if test.quick:
        return [base]
    others = all_variants(test, backends)
    checked = checked_variants(test, backends) if number % 6 == 0 else []
    other = [others[number // 6 % len(others)]] if number % 6 == 1 else []
    return [base] + other + ([checked[number // 6 % len(checked)]] if checked else [])


def some_counts(test, rotation):
    """Up to three numbers of threads: the least, and of the others an odd and an even one by the test's name"""
    number = zlib.crc32(test.name.encode()) + rotation
    least, *others = test.threads
    parts = [[count for count in others if count % 2 == rest] for rest in (1, 0)]
    return sorted([least] + [part[number % len(part)] for part in parts if part])


def select_variants(options, test, backends):
    if options.pthreads is not None:
        counts = test.threads[-1:] if test.static == "only" else [0]
        if options.races:
            return [Variant(counts[0], cc, "-O1", races=True) for cc in (backends if options.all else backends[:1])]
        found = [Variant(counts[0], cc, "-O2") for cc in backends] + [Variant(counts[0], backends[0], "-O0")]
        if test.fcheck:
            found.append(Variant(counts[0], backends[0], "-O1", fcheck=True))
        return found if options.all else found[:1]
    if options.network == "shmem":   # which has no sanitizer handlers
        threads = 0 if test.static != "only" else test.threads[-1]
        plain, checked = (Variant(threads, backends[0], "-O2", fcheck=fcheck) for fcheck in (False, True))
        if options.fcheck:
            return [checked] if test.fcheck else []
        return [plain, checked] if options.all and test.fcheck else [plain]
    if options.fcheck:
        return checked_variants(test, backends)
    if options.all:
        return all_variants(test, backends) + checked_variants(test, backends)
    return quick_variants(test, backends, options.rotation)[:1 if options.base else None]


class Runner:
    def __init__(self, upcc, upcrun, workdir, network="smp", hosts=None, by_node=False, far=False, pthreads=None):
        self.upcc = upcc
        self.pthreads = pthreads  # threads per process, 0 for all; None: each thread is a process
        self.upcrun = upcrun
        self.network = network
        self.hosts = hosts      # to run on, or None for this machine
        self.by_node = by_node
        self.settings = ALL_FAR if far else {}
        self.workdir = workdir
        self.macros = {}

    def has_macro(self, macro):
        if macro not in self.macros:
            source = os.path.join(self.workdir, "macro.upc")
            with open(source, "w") as file:
                file.write("#if !%s\n#error no\n#endif\n" % macro)
            self.macros[macro] = harness.run([self.upcc, "-E", source], env=harness.environment()).status == 0
        return self.macros[macro]

    def compile(self, test, variant, directory):
        """Returns (path of the executable or None, messages of the compiler)."""
        env = harness.environment(CC=variant.cc)
        program = os.path.join(directory, "program")
        upcc = [self.upcc] + ["-network=shmem"] * (self.network == "shmem") + variant.flags() + test.flags
        if self.pthreads is not None:
            upcc.append("-pthreads=%d" % self.pthreads if self.pthreads else "-pthreads")
        if test.kind == "directory":
            env.update(SOURCE=test.path, UPCC=shlex.join(upcc + variant.thread_flags()), PLAIN_UPCC=shlex.join(upcc),
                       THREADS=str(variant.threads), UPCRUN=self.upcrun)
            command = ["sh", "-e", os.path.join(test.path, "build.sh")]
        else:
            command = upcc + variant.thread_flags() + [test.path, "-o", program, "-lm"]
        result = harness.run(command, cwd=directory, env=env)
        said = result.out + result.err
        if result.status != 0 or not os.path.exists(program):
            return None, "%s\nexit status %s\n%s" % (shlex.join(command), result.status, said)
        return program, said

    def command(self, test, program, threads):
        if not self.hosts:
            return [self.upcrun, "-n", str(threads)] + test.run_options + [program] + test.args
        settings = ["%s=%s" % setting for setting in test.env.items()]
        per_host = threads // self.hosts.count
        if self.by_node:   # for which upcrun has no option; "--" ends the runtime's options
            return self.hosts.oshrun(per_host, [program, "--"] + test.args, by_node=True, environment=settings)
        return self.hosts.upcrun(self.upcrun, per_host, [program] + test.args, test.run_options, settings)

    def start(self, command, **more):
        """Runs a job.  Over hosts, a job of Open MPI 4.1.4 very rarely does not start (seen once among ten thousand).
        Such a job is started once more, and what its processes were doing is printed."""
        if not self.hosts:
            return harness.run(command, **more)
        doing = []
        result = harness.run(command, at_timeout=lambda: doing.append(self.hosts.doing()), timeout=HOSTS_HANG, **more)
        if result.status is None and NOT_BEGUN in result.err:
            print("skipped 1: a job over hosts did not start, and was started once more\n%s" % doing[0], flush=True)
            result = harness.run(command, **more)
        elif doing:
            result.err += doing[0]
        return result

    def run_once(self, test, variant, program, threads):
        env = harness.environment(**self.settings, **test.env)
        if variant.sanitize:
            env["ASAN_OPTIONS"] = "detect_leaks=0"
            env["UBSAN_OPTIONS"] = "print_stacktrace=1"
        if variant.races:
            env["TSAN_OPTIONS"] = "exitcode=66"
        command = self.command(test, program, threads)
        stdin = test.stdin + "\n" if test.stdin is not None else None
        result = self.start(command, cwd=os.path.dirname(program), env=env, stdin=stdin)
        result.err = NOISE.sub("", result.err)
        wrong = self.complaints(test, result, threads)
        return wrong and "%s\nthreads: %d, after %.1f s\nstdout:\n%s\nstderr:\n%s" % (
            wrong, threads, result.seconds, tail(result.out), tail(result.err))

    @staticmethod
    def complaints(test, result, threads):
        if result.status is None:
            return "did not end within %.0f s" % result.seconds
        # A single thread is the process itself, and dies of the signal; shells and upcrun turn that into 128 + signal.
        status = result.status if result.status >= 0 else 128 - result.status
        if (status == 0) if test.exit == "nonzero" else (status != int(test.exit)):
            return "exit status %d instead of %s" % (status, test.exit)
        if test.prints_ok and result.out.splitlines().count("ok") != threads:
            return 'not every thread printed "ok"'
        for pattern in test.stdout:
            if not re.search(pattern, result.out, re.MULTILINE):
                return "the output lacks " + pattern
        for pattern in test.stderr:
            if not re.search(pattern, result.err, re.MULTILINE):
                return "the error output lacks " + pattern
        if result.err and not test.stderr:
            return "there is error output"
        return None

    def work(self, job):
        """Compiles one variant of a program, and runs each of its tests with each number of threads."""
        tests, variant, key = job
        test = tests[0]   # they differ only in names and arguments
        name = "%s (%s)" % (test.name, variant)
        if test.needs and not self.has_macro(test.needs):
            yield name, "skip", "upcc does not provide " + test.needs
            return
        if test.network and test.network != self.network:
            yield name, "skip", "is about -network=" + test.network
            return
        if self.pthreads is not None and not test.pthreads:
            yield name, "skip", "does what -pthreads does not promise"
            return
        if variant.races and not (test.races and test.sanitize):
            yield name, "skip", "is not for ThreadSanitizer"
            return
        if self.by_node and test.run_options:
            yield name, "skip", "has options of upcrun, which does not number threads by node"
            return
        directory = os.path.join(self.workdir, key)
        os.mkdir(directory)
        try:
            program, said = self.compile(test, variant, directory)
            if self.network == "shmem" and NOT_THERE.search(said):
                yield name, "skip", "not there with -network=shmem"
                return
            if program is None or said:
                yield name, "fail", "compilation: " + said
                if program is None:
                    return
            for test in tests:
                for threads in [variant.threads] if variant.threads else test.threads:
                    if self.hosts and threads % self.hosts.count != 0:
                        continue
                    wrong = self.run_once(test, variant, program, threads)
                    yield "%s (%s) on %d" % (test.name, variant, threads), "fail" if wrong else "pass", wrong or ""
        finally:
            shutil.rmtree(directory, ignore_errors=True)


def tail(text):
    lines = text.splitlines()
    return "\n".join(["..."] + lines[-20:] if len(lines) > 20 else lines)


def main():
    parser = argparse.ArgumentParser(description="compiles and runs tests/programs and apps")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", action="store_true", help="one variant for all, another for some, and without "
                       "--threads up to three numbers of threads (default for smp)")
    which.add_argument("--base", action="store_true", help="just one variant for all")
    which.add_argument("--all", action="store_true", help="all variants")
    which.add_argument("--fcheck", action="store_true", help="all variants with -fcheck; over shmem one")
    parser.add_argument("--rotation", type=int, default=0, metavar="N",
                        help="take the N-th next variant as the other one (default 0)")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only tests whose names match")
    parser.add_argument("--upcc", help="the compiler (default: build/bin/upcc)")
    parser.add_argument("--upcrun", help="the launcher (default: beside upcc)")
    parser.add_argument("--cc", choices=("gcc", "clang"), help="compile with this one alone")
    parser.add_argument("--network", choices=("smp", "shmem"), default="smp",
                        help="the network to compile for (default smp)")
    parser.add_argument("--pthreads", type=int, nargs="?", const=0, metavar="N",
                        help="threads are POSIX threads, N in each process, or all in one")
    parser.add_argument("--races", action="store_true", help="under ThreadSanitizer; for --pthreads in one process")
    parser.add_argument("--hosts", type=int, default=0, metavar="N",
                        help="run on N hosts that are namespaces; for shmem")
    parser.add_argument("--by-node", action="store_true", help="number threads over the hosts in turn")
    parser.add_argument("--threads", type=int, nargs="+", metavar="N", help="only these numbers of threads")
    parser.add_argument("--one-count", action="store_true", help="just one number of threads, by the program's name")
    parser.add_argument("--rate", metavar="RATE", help="bandwidth of each link between hosts: 1gbit")
    parser.add_argument("--delay", metavar="TIME", help="delay from host to host: 200us")
    parser.add_argument("--far", action="store_true", help="no thread shares memory with another one; for shmem")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 2, metavar="N", help="jobs at a time")
    parser.add_argument("-v", action="store_true", help="name each run")
    options = parser.parse_args()
    options.is_quick = not (options.base or options.all or options.fcheck or options.threads or
                            options.network != "smp" or options.pthreads is not None)

    upcc = harness.find_tool(options.upcc, "upcc")
    upcrun = harness.find_tool(options.upcrun or os.path.join(os.path.dirname(upcc), "upcrun"), "upcrun")
    backends = [cc for cc in ("gcc", "clang") if shutil.which(cc) and options.cc in (None, cc)]
    if options.cc and not backends:
        print("skipped: there is no " + options.cc)
        sys.exit(harness.SKIP)
    if not backends:
        sys.exit("run_programs.py: neither gcc nor clang is installed")

    if options.races and (options.pthreads != 0 or options.network != "smp"):
        sys.exit("run_programs.py: --races needs --pthreads, without a number")
    reason = options.hosts and (multihost.why_not() or multihost.why_no_oshrun() or
                                (options.delay and multihost.why_no_delay()))
    if reason:
        print("skipped: " + reason)
        sys.exit(harness.SKIP)
    if options.hosts:
        with multihost.Hosts(options.hosts, options.rate, delay=options.delay) as hosts:
            sys.exit(run_tests(options, upcc, upcrun, backends, hosts))
    sys.exit(run_tests(options, upcc, upcrun, backends))


def find_jobs(options, backends):
    """[([test, ...], variant)]: tests of one app that differ only in their arguments share the compiled program."""
    jobs = {}
    for test in find_tests():
        if not re.search(options.filter, test.name):
            continue
        if options.threads:
            test.threads = [count for count in test.threads if count in options.threads]
            if not test.threads:
                continue
        if options.one_count:
            test.threads = [test.threads[zlib.crc32(test.name.encode()) % len(test.threads)]]
        variants = select_variants(options, test, backends)
        if options.is_quick:
            test.threads = some_counts(test, options.rotation)
        for variant in variants:
            program = (test.path, str(variant), test.races)
            jobs.setdefault(program, ([], variant))[0].append(test)
    return list(jobs.values())


def run_tests(options, upcc, upcrun, backends, hosts=None):
    with tempfile.TemporaryDirectory(prefix="banyan-programs-") as workdir:
        jobs = [(tests, variant, str(number))
                for number, (tests, variant) in enumerate(find_jobs(options, backends))]
        total = sum(len(test.threads) if not variant.threads else 1 for tests, variant, _ in jobs for test in tests)
        print("programs: %d compilations, %d runs%s" % (
            len(jobs), total, "" if options.all or options.base else " (rotation %d)" % options.rotation), flush=True)
        runner = Runner(upcc, upcrun, workdir, options.network, hosts, options.by_node, options.far,
                        options.pthreads)
        return harness.run_jobs(jobs, runner.work, harness.Report(total, options.v), options.j)


if __name__ == "__main__":
    main()
