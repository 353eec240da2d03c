#!/usr/bin/env python3
"""How jobs over the network shmem end on this machine: signals, keys, output, and threads that have ended.  Skipped if
Banyan was built without OpenSHMEM.
"""

import glob
import os
import pty
import signal
import subprocess
import sys
import time

import jobs
import mpi_test
import shmem

RAISES = """
#include <signal.h>
#include <stdlib.h>
#include <upc.h>
int main(int argc, char **argv)
{
    struct sigaction present;
    int number = atoi(argv[1]);
    sigaction(number, NULL, &present);
    if (present.sa_handler != SIG_DFL)
        return 3;
    upc_barrier;
    if (MYTHREAD == 1)
        raise(number);
    upc_barrier;
    return 0;
}
"""

# Jumps to where no code is, by a call, which the stack tells of, or by a return, after which it tells nothing.
LEAPS = """
#include <stdlib.h>
#include <upc.h>
static void *volatile nowhere = (void *)0x555500001234;
__attribute__((noinline)) static void spoil(void **frame)
{
    for (int i = 1; i < 6; i++)
        frame[i] = nowhere;
}
__attribute__((noinline)) static void come_back(void)
{
    spoil(__builtin_frame_address(0));
}
int main(int argc, char **argv)
{
    upc_barrier;
    if (MYTHREAD == 1 && atoi(argv[1]) == 1)
        ((void (*)(void))nowhere)();
    if (MYTHREAD == 1)
        come_back();
    upc_barrier;
    return 0;
}
"""

ENDED = """
#include <stdlib.h>
#include <upc.h>
#include <upc_atomic.h>
int main(int argc, char **argv)
{
    shared void *memory = upc_all_alloc(THREADS, 4);
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    upc_barrier;
    if (MYTHREAD == 1)
        return 3;
    switch (atoi(argv[1])) {
    case 0: upc_all_alloc(THREADS, 4); break;
    case 1: upc_all_free(memory); break;
    case 2: upc_all_lock_alloc(); break;
    case 3: upc_all_lock_free(lock); break;
    case 4: upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0); break;
    case 5: upc_all_atomicdomain_free(domain); break;
    }
    return 0;
}
"""

PRINTS = """
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
int main(int argc, char **argv)
{
    char name[40];
    for (int i = 0; i < atoi(argv[1]); i++)
        printf("thread %d, line %d\\n", MYTHREAD, i);
    if (atoi(argv[1]) == 0 && MYTHREAD == 0) {
        printf("name? ");
        fflush(stdout);
        if (fgets(name, sizeof name, stdin))
            printf("hello %s", name);
    }
    upc_barrier;
    return 0;
}
"""

# Ends main by pthread_exit, with N POSIX threads that have not ended and a destructor of main's data.
LEAVES = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>
static int ends[2];
static pthread_key_t key;
static void *work(void *nothing)
{
    char byte;
    if (read(ends[0], &byte, 1) == 1)
        printf("thread %d works\\n", MYTHREAD);
    return nothing;
}
static void leave(void *nothing)
{
    (void)nothing;
    (void)!write(ends[1], "x", 1);
}
int main(int argc, char **argv)
{
    pthread_t other;
    if (pipe(ends) != 0 || pthread_key_create(&key, leave) != 0 || pthread_setspecific(key, ends) != 0)
        return 3;
    for (int i = 0; i < atoi(argv[argc - 1]); i++)
        pthread_create(&other, NULL, work, NULL);
    upc_barrier;
    printf("thread %d leaves\\n", MYTHREAD);
    pthread_exit(NULL);
}
"""

WAITS = """
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
int main(void)
{
    upc_barrier;
    printf("%d\\n", (int)getpid());
    fflush(stdout);
    for (;;)
        pause();
}
"""


def child_of(job):
    with open("/proc/%d/task/%d/children" % (job.pid, job.pid), encoding="ascii") as file:
        return int(file.read())


class Ends(shmem.Test):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.write("waits.upc", WAITS)
        cls.build("waits", "-network=shmem", "waits.upc")

    def test_signals_reach_the_launcher_and_it_does_not_outlive_upcrun(self):
        for sent, expected in ((signal.SIGTERM, 5), (signal.SIGKILL, -signal.SIGKILL)):
            told = os.path.join(self.folder, "told")
            path = self.script("waiting", "trap 'mkdir told; exit 5' INT\necho begun\nwhile :; do sleep 0.1; done\n")
            with subprocess.Popen([jobs.UPCRUN, "-n", "2", "./hello"], cwd=self.folder,
                                  env={**jobs.environment(), "OSHRUN": path},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                  preexec_fn=jobs.harness.default_signals) as job:
                self.assertEqual(job.stdout.readline(), "begun\n")
                job.send_signal(sent)
                self.assertEqual((job.stdout.read(), job.wait()), ("", expected))
                self.assertTrue(jobs.wait_until(lambda path=told: os.path.isdir(path)))
                os.rmdir(told)

    def test_a_signal_that_ends_the_job_shows_in_its_status(self):
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen([jobs.UPCRUN, "-n", "2", "./waits"], cwd=self.folder, env=jobs.environment(),
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as job:
                for _ in range(2):
                    job.stdout.readline()
                job.send_signal(sent)
                self.assertEqual((job.communicate()[1], job.returncode), ("", -sent))

    def test_signals_that_the_library_would_take_kill_a_thread(self):
        self.write("raises.upc", RAISES)
        for flags in ([], ["-pthreads=1"]):
            self.build("raises", "-network=shmem", *flags, "raises.upc")
            for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP):
                done = self.run_it(jobs.UPCRUN, "-n", "2", "./raises", str(int(number)))
                self.assertEqual(done.returncode, 128 + number, done.stderr)
                self.assertRegex(done.stderr, r"^banyan: thread 1 \(pid \d+ on \S+\) was killed by signal %d \(.*\); "
                                 r"the job is ended\n$" % number)

    def test_a_jump_to_where_no_code_is(self):
        self.write("leaps.upc", LEAPS)
        self.build("leaps", "-network=shmem", "-g", "-fno-stack-protector", "leaps.upc")
        for how, where in (("1", r"leaps\.upc:\d+ in main\(\)"), ("2", "")):
            done = self.run_it(jobs.UPCRUN, "-n", "2", "./leaps", how)
            self.assertEqual(done.returncode, 128 + signal.SIGSEGV, done.stderr)
            self.assertRegex(done.stderr, r"^banyan: thread 1 of 2 \(pid \d+\) was killed by signal 11 .*%s.*, "
                             r"jumping to address 0x555500001234.*; the job is ended\n$" % where)

    def test_a_thread_that_is_killed_from_outside_ends_the_job(self):
        with self.start("./waits") as job:
            threads = [int(job.stdout.readline()) for _ in range(2)]
            os.kill(threads[0], signal.SIGTERM)
            self.assertRegex(job.communicate(timeout=jobs.LIMIT)[1], "was killed by signal 15 ")
            self.assertEqual(job.returncode, 128 + signal.SIGTERM)

    def test_after_pthread_exit_in_main_the_last_posix_thread_ends_the_process(self):
        self.write("leaves.upc", LEAVES)
        for network in ("smp", "shmem"):
            self.build("leaves", "-network=" + network, "leaves.upc")
            for others in (0, 1):
                done = self.run_it(jobs.UPCRUN, "-n", "2", "./leaves", str(others))
                expected = ["thread %d %s" % (thread, what) for thread in range(2)
                            for what in ["leaves", "works"][:1 + others]]
                self.assertEqual((done.returncode, sorted(done.stdout.splitlines()), done.stderr), (0, expected, ""))

    def are_waiting(self, is_stopped):
        """Whether the two threads of ./waits, and the process that watches each, are all stopped, or none is"""
        states = [jobs.state_of(process) for process in jobs.processes(os.path.join(self.folder, "waits"))]
        return len(states) == 4 and {state == "T" for state in states} == {is_stopped}

    def wait_for_waiting(self, is_stopped):
        self.assertTrue(jobs.wait_until(lambda: self.are_waiting(is_stopped)))

    def test_stop_and_go_on(self):
        for has_shell in (True, False):  # without one nothing may stop, because nothing would continue it
            with self.start("./waits", preexec_fn=os.setpgrp if has_shell else os.setsid) as job:
                for _ in range(2):
                    job.stdout.readline()
                job.send_signal(signal.SIGTSTP)
                if has_shell:
                    self.wait_for_waiting(is_stopped=True)
                    self.assertTrue(jobs.wait_until(lambda number=job.pid: jobs.state_of(number) == "T"))
                    job.send_signal(signal.SIGCONT)
                self.wait_for_waiting(is_stopped=False)
                job.send_signal(signal.SIGTERM)
                self.assertEqual((job.communicate(timeout=jobs.LIMIT)[1], job.returncode), ("", -signal.SIGTERM))

    def test_what_is_for_threads_waits_until_they_have_begun(self):
        begun = "told=; trap 'told=told' USR1\necho starting\n"
        path = self.script("starting", begun + "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; echo waiting$told; done\n"
                           "echo banyan-begun >&2\nwhile [ ! $told ]; do sleep 0.1; done\necho $told\n")
        with self.start("./hello", OSHRUN=path) as job:
            self.assertEqual(job.stdout.readline(), "starting\n")
            job.send_signal(signal.SIGUSR1)
            out, said = job.communicate(timeout=jobs.LIMIT)
        self.assertEqual((out.split(), said, job.returncode), (["waiting"] * 10 + ["told"], "", 0))

    def start_shell(self):
        """Starts a shell on a terminal of its own: returns its process and our end of the terminal."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            jobs.harness.default_signals()
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], jobs.environment(PS1="# "))
        self.addCleanup(os.waitpid, process, 0)
        self.addCleanup(os.close, terminal)
        return process, terminal

    def type_until(self, terminal, keys, expected):
        os.write(terminal, keys.encode())
        text = ""
        while expected not in text:
            text += os.read(terminal, 4096).decode()
        self.assertNotIn("Forwarding", text)

    def test_keys_that_stop_continue_and_end_a_job(self):
        shell, terminal = self.start_shell()
        self.type_until(terminal, jobs.UPCRUN + " -n 2 ./waits\n", "./waits")
        self.wait_for_waiting(is_stopped=False)
        for command in ("fg", "bg"):
            self.type_until(terminal, "\x1a", "Stopped")
            self.wait_for_waiting(is_stopped=True)
            self.type_until(terminal, command + "\n", "./waits")
            self.wait_for_waiting(is_stopped=False)
        self.type_until(terminal, "fg\n", "./waits")
        self.assertTrue(jobs.wait_until(lambda: os.tcgetpgrp(terminal) != shell))
        self.type_until(terminal, "\x03", "# ")  # the prompt
        self.type_until(terminal, "echo status $?\n", "status %d" % (128 + signal.SIGINT))

    def need_prompts(self):
        """PRRTE 3.0.13 of Ubuntu 26.04 does not pass on what is not yet a whole line."""
        with subprocess.Popen(["oshrun", "-n", "1", "sh", "-c", "printf prompt; sleep 2; echo"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=mpi_test.environment()) as job:
            first = os.read(job.stdout.fileno(), 100)
            job.communicate(timeout=jobs.LIMIT)
        if first != b"prompt":
            self.skipTest("the launcher holds prompts back")

    def test_a_job_reads_the_terminal_once_in_the_foreground(self):
        self.need_prompts()
        self.write("prints.upc", PRINTS)
        self.build("prints", "-network=shmem", "prints.upc")
        _, terminal = self.start_shell()
        self.type_until(terminal, jobs.UPCRUN + " -n 2 ./prints 0 &\n", "name? ")
        self.type_until(terminal, "fg\n", "./prints 0")
        self.type_until(terminal, "Ada\n", "hello Ada")

    def test_signals_that_were_ignored_stay_ignored(self):
        path = os.path.join(self.folder, "slow")
        with open(path, "w", encoding="ascii") as file:
            file.write("#!%s\nimport os, signal\nsignal.signal(signal.SIGINT, lambda *_: os._exit(5))\n"
                       "print('begun', flush=True)\nopen('fifo').read()\n" % sys.executable)
        os.chmod(path, 0o755)
        os.mkfifo(os.path.join(self.folder, "fifo"))
        with subprocess.Popen([jobs.UPCRUN, "-n", "2", "./hello"], cwd=self.folder,
                              env={**jobs.environment(), "OSHRUN": path},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                              preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as job:
            self.assertEqual(job.stdout.readline(), "begun\n")
            job.send_signal(signal.SIGHUP)  # as with nohup
            with open(os.path.join(self.folder, "fifo"), "w", encoding="ascii") as fifo:
                fifo.write("go\n")
            self.assertEqual(job.wait(), 0)

    def test_the_launcher_is_asked_for_the_end_once(self):
        """A second signal within 5 s would make it leave its files in /dev/shm."""
        path = os.path.join(self.folder, "asked")
        with open(path, "w", encoding="ascii") as file:
            # The launcher sleeps in short intervals: a signal just before an endless sleep would not be handled.
            file.write("#!%s\nimport os, signal, sys, time\n"
                       "for one in signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP:\n"
                       "    signal.signal(one, lambda number, _: os.write(1, b'%%d\\n' %% number))\n"
                       "print('begun', flush=True)\n"
                       "while not os.path.exists('may_end'):\n    time.sleep(0.01)\n"
                       "sys.exit(1)\n" % sys.executable)
        os.chmod(path, 0o755)
        may_end = os.path.join(self.folder, "may_end")
        for sent in signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP:
            with subprocess.Popen([jobs.UPCRUN, "-n", "2", "./hello"], cwd=self.folder, start_new_session=True,
                                  env={**jobs.environment(), "OSHRUN": path}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, text=True, preexec_fn=jobs.harness.default_signals) as job:
                self.assertEqual(job.stdout.readline(), "begun\n")
                job.send_signal(sent)
                os.killpg(job.pid, sent)  # as timeout does
                self.assertEqual(job.stdout.readline(), "%d\n" % signal.SIGINT)
                os.mkdir(may_end)
                self.assertEqual((job.stdout.read(), job.wait()), ("", -sent))
                os.rmdir(may_end)

    def test_a_launcher_that_ends_without_a_reason(self):
        rule, begin = "-" * 70 + "--", "echo banyan-begun >&2\n"
        known = "echo '%s\nwith a non-zero status: SHMEM_ABORT was invoked\n%s' >&2\n" % (rule, rule)
        no_reason = "banyan: the launcher ./ends ended with status 4 and gave no reason\n"
        for text, status, said in ((begin + "exit 4\n", 4, no_reason),
                                   (begin + known + "exit 4\n", 4, ""),
                                   (begin + "echo banyan-ended >&2\nexit 4\n", 4, ""),
                                   ("echo 'a warning' >&2\n" + begin + "exit 4\n", 4, "a warning\n" + no_reason),
                                   ("echo 'no such host' >&2\nexit 4\n", 4, "no such host\n"),
                                   (begin + "kill -SEGV $$\n", 128 + signal.SIGSEGV,
                                    "banyan: the launcher ./ends was killed by signal 11 (segmentation fault); the "
                                    "job is ended\n")):
            self.script("ends", text)
            done = self.run_it(jobs.UPCRUN, "-n", "2", "./hello", OSHRUN="./ends")
            self.assertEqual((done.returncode, done.stderr), (status, said), text)

    def test_a_launcher_that_somebody_ends(self):
        for sent, said in ((signal.SIGTERM, r"ended with status \d+ and gave no reason"),
                           (signal.SIGKILL, r"was killed by signal 9 \(kill\).*; the job is ended")):
            with self.start("./waits") as job:
                for _ in range(2):
                    job.stdout.readline()
                os.kill(child_of(job), sent)
                self.assertRegex(job.communicate(timeout=jobs.LIMIT)[1], "banyan: the launcher oshrun %s\n$" % said)
            self.assertNotEqual(job.returncode, 0)

    def test_a_launcher_that_dies_of_the_request_to_end(self):
        self.script("early", "echo begun\nexec sleep 1000\n")
        for sent in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.start("./hello", OSHRUN="./early") as job:
                self.assertEqual(job.stdout.readline(), "begun\n")
                job.send_signal(sent)
                self.assertEqual((job.communicate(timeout=jobs.LIMIT)[1], job.returncode), ("", -sent))

    def test_a_launcher_that_does_not_end_is_killed(self):
        deaf = "trap '' INT\necho begun\n%s\nwhile :; do sleep 0.1; done\n"
        self.script("asked", deaf % "")
        self.script("over", deaf % "echo banyan-ended >&2")
        with self.start("./hello", OSHRUN="./asked") as asked, self.start("./hello", OSHRUN="./over") as over:
            self.assertEqual(asked.stdout.readline(), "begun\n")
            asked.send_signal(signal.SIGTERM)
            self.assertEqual((asked.communicate(timeout=jobs.LIMIT)[1], asked.returncode),
                             ("banyan: the launcher ./asked has not ended 10 s after it was asked to; it is killed\n",
                              -signal.SIGTERM))
            self.assertEqual((over.communicate(timeout=jobs.LIMIT)[1], over.returncode),
                             ("banyan: the launcher ./over has not ended 10 s after the end of the job; it is "
                              "killed\n", 1))

    def test_a_launcher_that_gives_up_leaves_no_files(self):
        temporary = os.path.join(self.folder, "given-up")
        os.mkdir(temporary)
        path = self.script("gives-up", 'own=$TMPDIR/ompi.%s.%d/pid.$$\nmkdir -p $own/store && : > $own/store/file\n'
                                       "exit 3\n" % (os.uname().nodename.split(".")[0], os.geteuid()))
        with self.start("./hello", OSHRUN=path, TMPDIR=temporary) as job:
            said = job.communicate(timeout=jobs.LIMIT)[1]
        self.assertEqual((job.returncode, os.listdir(temporary)), (3, []), said)

    def test_who_asks_again_is_not_kept_waiting(self):
        """A launcher that is stopped does not end, and leaves files when it is killed."""
        temporary = os.path.join(self.folder, "temporary")
        os.mkdir(temporary)
        with self.start("./waits", TMPDIR=temporary) as job:
            for _ in range(2):
                job.stdout.readline()
            os.kill(child_of(job), signal.SIGSTOP)
            segments = []
            for contact in glob.glob(temporary + "/ompi.*/pid.*/contact.txt"):  # Open MPI 4
                with open(contact, encoding="ascii") as file:
                    segments += glob.glob("/dev/shm/vader_segment.*.%x????.*" % (int(file.read().split(".")[0]) >> 16))
            while job.poll() is None:
                job.send_signal(signal.SIGTERM)
                time.sleep(0.1)
            self.assertEqual((job.stderr.read(), job.returncode), (
                "banyan: the launcher oshrun has not ended and is asked to again; it is killed\n", -signal.SIGTERM))
        self.assertTrue(jobs.wait_until(lambda: not jobs.processes(os.path.join(self.folder, "waits"))))
        self.assertEqual(([name for name in segments if os.path.exists(name)], glob.glob(temporary + "/ompi.*")),
                         ([], []))

    def test_output_that_nobody_takes_ends_the_job(self):
        self.write("prints.upc", PRINTS)
        self.build("prints", "-network=shmem", "prints.upc")
        for lines, target, why in (("1", "/dev/full", "No space left on device"),
                                   ("20000", "/dev/full", "No space left on device"),
                                   ("1", "/proc/self/mem", "Input/output error")):   # nothing is at its address 0
            with open(target, "wb") as file:
                done = self.start("./prints", lines, stdout=file)
                self.assertEqual(done.communicate(timeout=jobs.LIMIT)[1], "banyan: the output of the program cannot "
                                 f"be written: {why}\n")
            self.assertEqual(done.returncode, 1)
        with self.start("./prints", "100000") as job:
            self.assertRegex(job.stdout.readline(), "^thread ., line 0$")
            job.stdout.close()
            self.assertEqual((job.stderr.read(), job.wait(jobs.LIMIT)), ("", -signal.SIGPIPE))

    def test_parent_that_ignores_how_children_end(self):
        def ignore():
            jobs.harness.default_signals()
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        self.script("three", "exit 3\n")
        silent = "banyan: the launcher ./three ended with status 3 and gave no reason\n"
        for variables, said, status in ({}, "", 0), ({"OSHRUN": "./three"}, silent, 3):
            with self.start("./hello", preexec_fn=ignore, **variables) as job:
                self.assertEqual((job.stderr.read(), job.wait(jobs.LIMIT)), (said, status))

    def test_a_prompt_is_shown_before_the_answer(self):
        self.need_prompts()
        self.write("prints.upc", PRINTS)
        self.build("prints", "-network=shmem", "prints.upc")
        with self.start("./prints", "0", stdin=subprocess.PIPE) as job:
            self.assertEqual(jobs.read_until(job.stdout, b"? "), b"name? ")
            self.assertEqual(job.communicate("Ada\n", timeout=jobs.LIMIT), ("hello Ada\n", ""))

    def test_who_reads_one_file_slowly_gets_the_other(self):
        self.script("both", "head -c 120000 /dev/zero\necho said >&2\n")
        with self.start("./hello", OSHRUN="./both") as job:
            self.assertEqual(job.stderr.readline(), "said\n")
            self.assertEqual(len(job.stdout.read()), 120000)

    def test_closed_files(self):
        for closed in ("<&-", ">&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
            done = self.run_it("sh", "-c", f"{jobs.UPCRUN} -n 2 ./hello {closed}")
            self.assertEqual((done.returncode, done.stderr), (0, ""), closed)

    def test_threads_that_wait_for_one_that_has_ended(self):
        calls = ("alloc", "free", "lock_alloc", "lock_free", "atomicdomain_alloc", "atomicdomain_free")
        self.write("ended.upc", ENDED)
        for flags in ([], ["-pthreads=2"]):
            self.build("ended", "-network=shmem", *flags, "ended.upc")
            for number, call in enumerate(calls):
                done = self.run_it(jobs.UPCRUN, "-n", "2", "./ended", str(number))
                self.assertEqual((done.returncode, done.stderr), (
                    1, f"banyan: thread 0: upc_all_{call}: thread 1 has ended and will never come to this call; "
                    "let all threads call the same collective functions\n"))

    def test_a_launcher_that_is_killed_takes_its_threads_along(self):
        env = {**jobs.environment(), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_btl": "self,tcp"}  # vader would leave its files in /dev/shm
        with subprocess.Popen(["oshrun", "--oversubscribe", "-n", "2", "./waits"], cwd=self.folder, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as job:
            pids = [int(job.stdout.readline()) for _ in range(2)]
            job.kill()
        end = time.monotonic() + jobs.LIMIT
        while any(os.path.exists("/proc/%d" % pid) for pid in pids):
            self.assertLess(time.monotonic(), end, "threads are left")
            time.sleep(0.05)

    def test_upc_global_exit_ends_all(self):
        self.assertEqual(self.run_it(jobs.UPCRUN, "-n", "3", "./hello", "7").returncode, 7)


if __name__ == "__main__":
    shmem.main()
