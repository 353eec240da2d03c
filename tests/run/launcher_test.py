#!/usr/bin/env python3
"""The command line of upcrun, and that of a program that is started directly."""

import os
import re
import subprocess
import sys
import unittest

import jobs
from jobs import FOLDER, UPCRUN, JobTest


def upcrun(*arguments, **more):
    more = {"env": jobs.environment(), "cwd": FOLDER, **more}
    return subprocess.run([UPCRUN, *arguments], capture_output=True, text=True, timeout=jobs.LIMIT, **more)


class Options(JobTest):
    def assert_threads(self, done, count):
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), count)

    def test_forms_of_the_thread_count(self):
        for form in (["-n", "3"], ["-n3"], ["-n=3"], ["--n", "3"], ["--n=3"], ["-np", "3"], ["-np3"], ["--np=3"]):
            self.assert_threads(upcrun(*form, "victim", "hello"), 3)

    def test_the_last_count_wins_and_flags_come_first(self):
        self.assert_threads(upcrun("-n", "5", "-n", "2", "victim", "hello"), 2)
        env = jobs.environment(UPCRUN_FLAGS="-n 4 -label")
        done = upcrun("victim", "hello", env=env)
        self.assert_threads(done, 4)
        self.assertIn("[3] thread 3 of 4", done.stdout)
        self.assert_threads(upcrun("-n2", "victim", "hello", env=env), 2)

    def test_options_end_at_the_program(self):
        done = upcrun("-n", "2", "victim", "args", "-n", "7", "--", "-label", "")
        self.assertEqual(done.stdout, "[args][-n][7][--][-label][]")
        done = upcrun("--", "victim", "args", "x")
        self.assertEqual(done.stdout, "[args][x]")

    def test_what_other_upc_systems_accept(self):
        for form in (["-localhost"], ["-N", "1"], ["-nodes=1"], ["-network=smp"], ["-norc"], ["-bind-threads"],
                     ["-polite-sync"], ["-heap", "16"], ["-shared-heap=64MB"], ["-q"], ["-bind", "none"],
                     ["-bind=numa"], ["-nobacktrace"]):
            self.assert_threads(upcrun("-n", "2", *form, "victim", "hello"), 2)

    def test_what_has_no_effect_is_said(self):
        for form in (["-c", "4"], ["-cpus-per-node=4"], ["-pshm-width", "2"],
                     ["-heap-offset", "5"], ["-encode-args"]):
            done = upcrun("-n", "2", *form, "victim", "hello")
            self.assertEqual(len(done.stdout.splitlines()), 2)
            self.assertIn("has no effect", done.stderr)

    def test_what_has_no_effect_is_not_said_quietly(self):
        for words, variables in ((["-q", "-c", "4"], {}), (["-c", "4", "-quiet"], {}), (["-c4"], {"BANYAN_QUIET": "1"}),
                                 (["-c4"], {"UPC_QUIET": "yes"}), (["-c4"], {"UPC_NO_WARN": "yes"})):
            done = upcrun("-n", "2", *words, "victim", "hello", env=jobs.environment(**variables))
            self.assertEqual((len(done.stdout.splitlines()), done.stderr), (2, ""), (words, variables))
        done = upcrun("-n", "2", "-c4", "victim", "hello", env=jobs.environment(BANYAN_QUIET="no"))
        self.assertIn("-c4 has no effect", done.stderr)

    def test_pthreads_of_a_program_that_has_none(self):
        for form in (["-p4"], ["-pthreads", "2"]):
            done = upcrun("-n", "2", *form, "victim", "hello")
            self.assertEqual(len(done.stdout.splitlines()), 2)
            self.assertIn("-pthreads has no effect: this program was compiled without it", done.stderr)

    def test_what_is_refused(self):
        for form, part in ((["-traceall"], "use -trace"), (["-tracefile", "x"], "use -trace=perfetto:FILE"),
                           (["-conf=x"], "not supported"),
                           (["-N", "2"], "one machine"), (["-N", "x"], "not a number"),
                           (["-hosts", "a,b"], "one machine"),
                           (["-network=shmem"], "compiled for the network smp"),
                           (["-network=udp"], "no such network"), (["-nothing"], "not an option"),
                           (["-n", "x"], "not a number"), (["-n", "0"], "1 to 1024"),
                           (["-bind", "socket"], "auto|none|core|numa"), (["-timeout", "0"], "time"),
                           (["-shared-heap", "lots"], "size"), (["-label=3"], "takes no value")):
            done = upcrun(*form, "victim", "hello")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn(part, done.stderr)
        for form in (["-n"], ["-timeout"], []):
            done = upcrun(*form)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))

    def test_show_prints_what_a_shell_understands(self):
        done = upcrun("-show", "-n", "2", "victim", "args", "a b", "it's", "")
        self.assertEqual(done.returncode, 0)
        self.assertIn("BANYAN_THREADS=2", done.stdout)
        again = subprocess.run(["sh", "-c", done.stdout], capture_output=True, text=True, cwd=FOLDER,
                               env=jobs.environment())
        self.assertEqual(again.stdout, "[args][a b][it's][]")

    def test_help_version_info(self):
        self.assertIn("-shared-heap", upcrun("-help").stdout)
        self.assertIn("Banyan", upcrun("--version").stdout)
        self.assertIn("victim.upc", upcrun("-i", "victim").stdout)
        self.assertIn("3, fixed", upcrun("-i", "./victim_static").stdout)

    def test_info_that_cannot_be_written(self):
        for action in ("-info", "-show"):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([jobs.UPCRUN, action, "./victim"], stdout=full, stderr=subprocess.PIPE, text=True,
                                      cwd=FOLDER, env=jobs.environment(), timeout=jobs.LIMIT, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (1, "banyan: standard output cannot be written: No space left on device\n"), action)


class Programs(JobTest):
    def make(self, name, text, mode=0o644):
        path = os.path.join(FOLDER, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)

    def check(self, name, status, part):
        done = upcrun("-n", "2", name)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(part, done.stderr)

    def test_where_programs_are_found(self):
        self.assertEqual(upcrun("-n1", "./victim", "hello").stdout, "thread 0 of 1\n")
        self.assertEqual(upcrun("-n1", jobs.VICTIM, "hello", cwd="/").stdout, "thread 0 of 1\n")
        env = jobs.environment()
        env["PATH"] = FOLDER + ":" + env["PATH"]
        self.assertEqual(upcrun("-n1", "victim", "hello", cwd="/", env=env).stdout, "thread 0 of 1\n")

    def test_what_is_no_program(self):
        self.make("data", "text\n")
        self.make("script", "#!/bin/sh\n", 0o755)
        self.make("text", "text\n", 0o755)
        self.make("source.upc", "int main(void) { return 0; }\n")
        os.makedirs(os.path.join(FOLDER, "folder"), exist_ok=True)
        self.check("missing", 127, "no program missing")
        self.check("./missing", 127, "no program ./missing")
        self.check("source", 127, "upcc -o source source.upc")
        self.check("source.upc", 126, "is a source file")
        self.check("data", 126, "chmod +x")
        self.check("folder", 126, "is a directory")
        self.check("script", 126, "is a script")
        self.check("text", 126, "not a program")
        self.make("valgrind", "#!/bin/sh\n", 0o755)
        self.check("./valgrind", 126, "by itself: valgrind ./prog -n 2")
        self.make("strace", "text\n", 0o755)
        self.check("./strace", 126, "by itself: strace -f ./prog -n 2")
        self.check("/bin/ls", 126, "not a Banyan program")

    @unittest.skipUnless(os.statvfs("/proc").f_flag & os.ST_NOEXEC, "/proc is not mounted noexec")
    def test_a_file_system_without_programs_is_named(self):
        self.check("/proc/version", 126, "(noexec)")


class Teams(JobTest):
    """Programs that are not UPC programs: tests/python and tests/team join them as a team; here only their processes
    matter."""
    make = Programs.make

    def test_any_program_runs_as_a_team(self):
        done = upcrun("-n", "3", "-team", "-label", "sh", "-c", "echo $BANYAN_TEAM")
        lines = sorted(done.stdout.splitlines())
        self.assertEqual(len(lines), 3, done.stderr)
        for rank, line in enumerate(lines):
            self.assertRegex(line, rf"^\[{rank}\] upcrun-\d+:{rank}:3$")

    def test_the_environment_may_say_how_many(self):
        done = upcrun("-team", "sh", "-c", "echo $BANYAN_TEAM", env=jobs.environment(UPC_THREADS="3"))
        self.assertEqual(len(done.stdout.splitlines()), 3, done.stderr)

    def test_python_does_so_by_itself(self):
        done = upcrun("-n2", sys.executable, "-c", "import os; print(os.environ['BANYAN_TEAM'][-3:])")
        self.assertEqual(sorted(done.stdout.split()), ["0:2", "1:2"], done.stderr)
        self.make("program.py", f"#!{sys.executable}\nprint(1)\n", 0o755)
        for name in ("./program.py", "program.py"):
            self.assertEqual(upcrun("-n", "2", name).stdout, "1\n1\n")

    def test_if_one_fails_the_others_are_ended(self):
        done = upcrun("-n", "3", "-team", "sh", "-c", "case $BANYAN_TEAM in *:1:3) exit 5;; esac; exec sleep 100")
        self.assertEqual(done.returncode, 5)
        self.assertRegex(done.stderr, r"^banyan: process 1 of 3 \(pid \d+\) ended with status 5; the others are ended")
        done = upcrun("-n", "2", "-team", "sh", "-c", "case $BANYAN_TEAM in *:1:2) kill -9 $$;; esac; exec sleep 100")
        self.assertEqual(done.returncode, 128 + 9)
        done = upcrun("-n", "2", "-team", "-timeout", "0.3", "sleep", "100")
        self.assertEqual(done.returncode, 124)

    def test_what_is_not_there(self):
        done = upcrun("-n", "2", "-team", "no-such-program")
        self.assertEqual(done.returncode, 127)
        self.assertEqual(done.stderr, "banyan: there is no program no-such-program, neither in this directory nor on "
                                      "PATH\n")

    def test_the_working_directory_is_searched_first(self):
        self.make("true", "echo here\n", 0o755)    # without #!
        self.addCleanup(os.unlink, os.path.join(FOLDER, "true"))
        self.assertEqual(upcrun("-n", "2", "-team", "true").stdout, "here\nhere\n")

    # Options that mean something to a team, or nothing to any program
    SUITABLE = {"n", "np", "bind", "bind-threads", "timeout", "label", "polite-sync", "team", "v", "verbose", "q",
                "quiet", "version", "V", "help", "h", "network"}
    VALUES = {"n": "2", "np": "2", "bind": "none", "timeout": "60", "network": "smp", "shared-heap": "1G", "heap": "1G",
              "pthreads": "2", "p": "2", "N": "2", "nodes": "2", "hosts": "a", "H": "a"}

    def test_all_options_of_upc_programs_are_refused(self):
        lines = re.findall(r"^  (-.*?)(?:  |\n)", upcrun("-help").stdout, re.MULTILINE)
        options = re.findall(r"(?<![\w-])-(\w[\w-]*)", " ".join(line.split("=")[0] for line in lines))
        self.assertLess({"profile", "trace", "gdb", "hosts"} | self.SUITABLE, set(options))
        for option in options + ["nobacktrace", "profile=a.json", "network shmem"]:
            words = ["-" + option] if option not in self.VALUES else ["-" + option, self.VALUES[option]]
            done = upcrun("-team", *" ".join(words).split(), "true")
            if option in self.SUITABLE:
                self.assertEqual(done.returncode, 0, (option, done.stderr))
            else:
                self.assertEqual(done.returncode, 2, (option, done.stderr))
                self.assertIn(words[0].split()[0] + " applies only to UPC programs, but true runs as a team",
                              done.stderr)


class ByItself(JobTest):
    def direct(self, *arguments, **env):
        return subprocess.run([jobs.VICTIM, *arguments], capture_output=True, text=True, timeout=jobs.LIMIT,
                              env=jobs.environment(**env))

    def test_leading_switches_are_taken_out(self):
        self.assertEqual(self.direct("-n", "2", "args", "-n", "9").stdout, "[args][-n][9]")
        self.assertEqual(self.direct("-fupc-threads-2", "-heap", "16M", "--", "-n", "9").stdout[:8], "")
        self.assertEqual(len(self.direct("-n4", "hello").stdout.splitlines()), 4)

    def test_wrong_switches(self):
        done = self.direct("-n", "many")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, 'banyan: -n: "many" is not a number from 1 to 1024\n')

    def test_unknown_variables_are_warned_about(self):
        done = self.direct("-n1", "hello", BANYAN_THREDS="2")
        self.assertEqual(done.stdout, "thread 0 of 1\n")
        self.assertIn("did you mean BANYAN_THREADS?", done.stderr)
        self.assertEqual(self.direct("-n1", "hello", BANYAN_THREDS="2", BANYAN_QUIET="yes").stderr, "")


if __name__ == "__main__":
    jobs.main()
