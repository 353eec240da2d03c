#!/usr/bin/env python3
"""How jobs over the network shmem start on this machine: what starts them, the machines and the number of threads,
and programs that do not fit.  Skipped if Banyan was built without OpenSHMEM.
"""

import concurrent.futures
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import unittest

import jobs
import mpi_test
import shmem

ARGUMENTS = """
#include <stdio.h>
#include <upc.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < argc && MYTHREAD == 0; i++)
        puts(argv[i]);
    return 0;
}
"""

MESSAGES = """
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
int main(void)
{
    if (MYTHREAD == 0)
        printf("%s %s\\n", getenv("UCX_TCP_TX_SEG_SIZE"), getenv("UCX_TCP_RX_SEG_SIZE"));
    return 0;
}
"""


class Starts(shmem.Test):
    def test_upcrun_finds_out_what_starts_it(self):
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "3", "./hello"), 3, 3)
        refused = self.run_it(jobs.UPCRUN, "-show", "-gdb", "./hello")
        self.assertEqual((refused.returncode, refused.stdout), (126, ""))
        shown = self.run_it(jobs.UPCRUN, "-show", "-n", "3", "./hello", "a b").stdout
        self.assertRegex(shown, r"^BANYAN_THREADS=3 .* oshrun .* -n 3 .*-x BANYAN_THREADS.* ./hello 'a b'$")
        self.assertIn("network shmem", self.run_it(jobs.UPCRUN, "-info", "./hello").stdout)

    def test_a_start_succeeds_and_says_nothing(self):
        """With Open MPI 5.0.10 and UCX 1.20 one in four crashed, and each warned of variables."""
        for _ in range(8):
            done = self.run_it(jobs.UPCRUN, "-n", "2", "./hello")
            self.assert_hello(done, 2, 2)
            self.assertEqual(done.stderr, "")

    def test_threads_are_shared_out_over_machines(self):
        for places, words in ((["-N", "2"], "-n 5 --map-by ppr:3:node "),
                              (["-hosts", "a,b"], "-n 5 --map-by slot -H a:3,b:2 "),
                              (["-N1", "-hosts=a,b"], "-n 5 --map-by slot -H a:5 "), (["-network=shmem"], "-n 5 -x")):
            self.assertIn(words, self.run_it(jobs.UPCRUN, "-show", "-n", "5", *places, "./hello").stdout)
        for places, part in ((["-N", "3", "-hosts", "a,b"], "-hosts names 2"),
                             (["-N", "6"], "5 threads do not fill 6 machines"),
                             (["-hosts", "a,,b"], '-hosts: "a,,b" has an empty name'),
                             (["-hosts", "a,"], "an empty name"),
                             (["-hosts", "a, b"], "a character that names of machines do not have"),
                             (["-hosts", "h[0-1]"], "a character that names of machines do not have"),
                             (["-hosts", "a,me@b"], '-hosts: "a,me@b" has the name of a user; set the user in'),
                             (["-hosts", "a:3,b:1"], "a number of threads after a name; leave it out"),
                             (["-network=smp"], "compiled for the network shmem")):
            done = self.run_it(jobs.UPCRUN, "-n", "5", *places, "./hello")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(part, done.stderr)
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "3", "-N", "1", "./hello"), 3, 3)
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "2", "-hosts", "localhost", "./hello"), 2, 2)

    def test_machines_of_a_batch_system(self):
        """PBS, LSF and Flux are simulated by files, variables and a command, according to their manuals; none of them
        is installed."""
        nodes = os.path.join(self.folder, "nodes")
        with open(nodes, "w", encoding="ascii") as file:
            file.write("a\na\nb\nb\nb\na\n")
        commands = os.path.join(self.folder, "flux-bin")
        os.makedirs(commands)
        with open(os.path.join(commands, "flux"), "w", encoding="ascii") as file:
            file.write('#!/bin/sh\n[ "$*" = "hostlist --expand --delimiter=, local" ] && echo "$HOSTS"\n')
        os.chmod(file.name, 0o755)
        flux = {"FLUX_URI": "local:///nowhere", "PATH": commands + ":" + os.environ["PATH"], "HOSTS": "c,d,e"}
        show = [jobs.UPCRUN, "-show", "-n", "5"]
        for options, variables, words in (
                ([], {"PBS_NODEFILE": nodes}, "-n 5 --map-by slot -H a:3,b:2 "),
                (["-N1"], {"PBS_NODEFILE": nodes}, "-n 5 --map-by slot -H a:5 "),
                (["-hosts=x,y"], {"PBS_NODEFILE": nodes}, "-H x:3,y:2 "),
                ([], flux, "-n 5 --map-by slot -H c:2,d:2,e:1 "),
                ([], {"LSB_DJOB_HOSTFILE": nodes, "LSB_HOSTS": "x y"}, "-n 5 --map-by slot -H a:3,b:2 "),
                ([], {"LSB_MCPU_HOSTS": "a 2 b 3"}, "-n 5 --map-by slot -H a:3,b:2 "),
                ([], {"LSB_HOSTS": "a a b b b"}, "-n 5 --map-by slot -H a:3,b:2 "),
                ([], {"LSB_MCPU_HOSTS": "a 5 "}, "-n 5 -x"),
                (["-n2"], flux, "-n 2 --map-by slot -H c:1,d:1 "),
                ([], {**flux, "HOSTS": "here"}, "-n 5 -x")):
            self.assertIn(words, self.run_it(*show, *options, "./hello", **variables).stdout)
        for options, variables, part in (
                (["-N3"], {"PBS_NODEFILE": nodes}, "-N asks for 3 machines, but PBS_NODEFILE names 2"),
                ([], {"PBS_NODEFILE": "no/such"}, "PBS_NODEFILE: no/such cannot be read"),
                ([], {"PBS_NODEFILE": "."}, "PBS_NODEFILE: . cannot be read: Is a directory"),
                ([], {"LSB_DJOB_HOSTFILE": "no/such"}, "LSB_DJOB_HOSTFILE: no/such cannot be read"),
                ([], {**flux, "HOSTS": ""}, "`flux hostlist local` does not list its machines")):
            done = self.run_it(jobs.UPCRUN, "-n", "5", *options, "./hello", **variables)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(part, done.stderr)

    def test_arguments_that_the_launcher_would_take(self):
        self.write("arguments.upc", ARGUMENTS)
        self.build("arguments", "-network=shmem", "arguments.upc")
        for arguments in (["a", ":", "echo", "injected"], [":"], ["-mca", "spml", "none"],
                          ["it's", "--gmca", "", "$0 *"], ["-x", "A", "-np", "3", "--", "a:"]):
            done = self.run_it(jobs.UPCRUN, "-n", "2", "./arguments", *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.splitlines(), ["./arguments", *arguments])

    def test_oshrun_alone_is_enough(self):
        done = self.run_it("oshrun", "--oversubscribe", "-n", "2", "./hello", OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.assert_hello(done, 2, 2)

    def test_a_process_alone_is_no_job(self):
        done = self.run_it("./hello")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("its threads are started by upcrun -n N ./hello", done.stderr)

    def test_a_launcher_that_is_missing_is_named(self):
        done = self.run_it(jobs.UPCRUN, "-n", "2", "./hello", OSHRUN="no-such-launcher")
        self.assertEqual(done.returncode, 126)
        self.assertIn("its launcher no-such-launcher cannot be run", done.stderr)

    def launched_by(self, script, *options, name="launcher", **more):
        """Runs a script instead of the launcher, to see how its output and status are handled."""
        return self.run_it(jobs.UPCRUN, "-n", "2", *options, "./hello", OSHRUN=self.script(name, script), **more)

    def test_messages_over_tcp_are_large_unless_the_user_says_how_large(self):
        with open(os.path.join(self.folder, "messages.upc"), "w", encoding="ascii") as file:
            file.write(MESSAGES)
        self.build("messages", "-network=shmem", "messages.upc")
        for given, expected in (({}, "128k 256k\n"), ({"UCX_TCP_TX_SEG_SIZE": "16k"}, "16k 256k\n")):
            self.assertEqual(self.run_it(jobs.UPCRUN, "-n", "2", "./messages", **given).stdout, expected)

    def test_a_job_that_has_lost_a_host_fails_whatever_the_launcher_says(self):
        rule = "-" * 74
        for where, status in (("  Remote daemon: [prterun-one-7@0,2] on node two", 1), ("nowhere", 0)):
            done = self.launched_by("cat >&2 <<'end'\n%s\nPRTE has lost communication with a remote daemon.\n%s\n%s\n"
                                    "end\n" % (rule, where, rule))
            self.assertEqual(done.returncode, status, done.stderr)

    def test_what_the_launcher_says_is_passed_on_once(self):
        rule = "-" * 74
        status = (rule + "\nPrimary job  terminated normally, but 1 process returned\na non-zero exit code. Done.\n" +
                  rule + "\n")
        death = (rule + "\nmpirun noticed that process rank 1 with PID 7 on node two exited on signal 9 (Killed).\n" +
                 rule + "\n")
        five = (rule + "\nprterun noticed that process rank 1 with PID 7 on node two exited on\nsignal 9 (Killed).\n" +
                rule + "\n")
        left = (rule + "\noshrun has exited due to process rank 0 with PID 0 on\nnode one exiting improperly.\n" +
                rule + "\n")
        abort = (rule + "\nprterun has exited due to process rank 0 with PID 0 on node one calling\n\"abort\". This "
                 "may have caused other processes.\n" + rule + "\n")
        lost = (rule + "\nORTE has lost communication with a remote daemon.\n\n  HNP daemon   : [[1,0],0] on node one\n"
                "  Remote daemon: [[1,0],2] on node two\n\nWe cannot recover.\n" + rule + "\n")
        killed = "banyan: thread 1 (pid 7 on two) was killed by signal 9; the job is ended\n"
        forgotten = death.replace("PID 7", "PID 0")
        other = rule + "\nThere are not enough slots.\n" + rule + "\n"
        said = "thread 0 has a prompt>banyan: thread 1 was killed\n"
        cautions = "banyan: warning: no limit\n> banyan: thread 1023: warning: it is slow\n"
        gone = ("banyan: host two was lost: it is down, its processes were killed, or the network to it failed; "
                "the job is ended\n")
        fault = "[one][[61209,1],0][pshmem_p.c:152:pshmem_ulong_p] Internal error is appeared rc = -1\n"
        brackets = "[y/n]? \n[one][two]\n[one][[61209,1],0] said\n[\n"
        daemons = rule + "\nORTE was unable to reliably start one or more daemons.\n" + rule + "\n"
        route = rule + "\nORTE does not know how to route a message to the specified daemon\n" + rule + "\n"
        entered = ("banyan: cannot log in to a host: ssh HOST true must work without a password for each, and Open "
                   "MPI must be installed there, in the same folder\n")
        end = "[one:7] [[INVALID],INVALID] FORCE-TERMINATE AT Not found:-13 - error plm_rsh_component.c(335)\n"
        missing = (rule + "\noshrun was unable to launch the specified application as it could not access\n"
                   "or execute an executable:\n\nExecutable: /data/heat\nNode: two\n\n"
                   "while attempting to start process rank 0.\n" + rule + "\n")
        copy = ("banyan: /data/heat cannot be run on host two: the program must be there under the same path as here; "
                "a file system that all machines have does that\n")
        few = (rule + "\nYour job has requested more processes than the ppr for\nthis topology can support:\n" +
               rule + "\n")
        name_them = ("banyan: there are fewer machines than -N asks for: name them with -hosts, "
                     "or have the batch system give them\n")
        errors = ("[one:7] [[16431,0],0] ORTE_ERROR_LOG: Error in file ../../../orte/util/session_dir.c at line 107\n"
                  "[one:7] PMIX ERROR: ERROR in file ../../../src/client/pmix_client.c at line 665\n"
                  "[one:7] OPAL ERROR: Error in file ext3x_client.c at line 112\n"
                  "[one:7] PRTE ERROR: Not found in file plm_base_receive.c at line 532\n")
        init = rule + "\nIt looks like %s_init failed for some reason;\n\n  %s failed\n" + rule + "\n"
        folder = (rule + "\nA call to mkdir was unable to create the desired directory:\n\n  Directory: /tmp/ompi\n" +
                  rule + "\n" + errors + init % ("orte", "orte_session_dir"))
        name_one = ("banyan: the launcher cannot make its folder for temporary files: the folder that TMPDIR names, "
                    "else /tmp, must be writable and have room; name another one in TMPDIR\n")
        limit = (rule + "\nError: system limit exceeded on number of processes that can be started\nNode: one\n" +
                 rule + "\n")
        raise_it = ("banyan: a limit of processes is reached: raise it (ulimit -u, or pids.max of the control group), "
                    "or start fewer threads\n")
        full = (rule + "\nIt appears as if there is not enough space for /dev/shm/vader_segment.one.0 (the\n"
                "shared-memory backing file).\n" + rule + "\n" + rule + "\nNo available spml components were found!\n" +
                rule + "\n")
        make_room = ("banyan: OpenSHMEM does not start, most often because /dev/shm is full, too small or not "
                     "writable: remove unused files there, make it larger (mount -o remount,size=1G /dev/shm; of a "
                     "container: --shm-size 1g), or writable for all (chmod 1777 /dev/shm)\n")
        begun = "banyan-begun\n"
        warning = "[head:7] plm:rsh: Warning: setpgid(77,77) failed in parent with errno=Permission denied(13)\n"
        peer = (rule + "\nAn MPI communication peer process has unexpectedly disconnected.  This\nusually indicates\n" +
                rule + "\n")
        way = ("[one][[61209,1],0][btl_tcp_proc.c:266:create] "
               "Unable to find reachable pairing between local and remote interfaces\n")
        untold = (rule + "\nSorry!  You were supposed to get help about:\n    prun:%s\n"
                  "But I couldn't open the help file:\n"
                  "    /usr/share/prte/help-prun.txt: No such file or directory.\nSorry!\n" + rule + "\n\0")
        store = ("[one:7] PMIX ERROR: OUT-OF-RESOURCE in file ../src/mca/common/dstore/dstore_segment.c at line 208\n"
                 "[one:7] OPAL ERROR: Error in file ext3x_client.c at line 112\n")
        in_vain = ("banyan: OpenSHMEM does not start, most often because there is no room for the launcher's temporary "
                   "files: it needs some 5 MB in the folder that TMPDIR names, else /tmp, and files of that size "
                   "(ulimit -f); name another folder in TMPDIR\n")
        pipes = ("[one:7] [[27899,0],0] ORTE_ERROR_LOG: The system limit on number of pipes a process can open was "
                 "reached in file iof_base_setup.c at line 116\n")
        raise_files = "banyan: a limit of open files is reached: raise it (ulimit -n)\n"
        aborted, unknown = untold % "proc-aborted-strsignal", untold % "no-such-topic"
        closed = ("[one:00000] *** An error occurred in Socket closed\n"
                  "[one:00000] ***    and MPI will try to terminate your MPI job as well)\n\0")
        forwarded = "oshrun: Forwarding signal 20 to job\noshrun: Forwarding signal 18 to job\n"
        for text, expected in ((begun, ""), (begun + "a line\n" + begun + "banyan-beg\nban", "a line\nbanyan-beg\nban"),
                               (daemons + route + end, entered), (route + end, route + end), (missing, copy),
                               (few, name_them), (folder, name_one), (errors + limit, raise_it), (errors, errors),
                               (errors + init % ("pmix", "pmix_progress_thread_start"), raise_it), (full, make_room),
                               (store + said, said + in_vain), (store + begun, ""), (begun + store, store),
                               (store + init % ("ess", "getting local rank"), in_vain),
                               (pipes + pipes, raise_files), (limit.replace("processes that can be started",
                                                                            "pipes that can be open"), raise_files),
                               (init % ("orte", "other"), init % ("orte", "other")),
                               (forgotten, killed.replace("pid 7 ", "")),
                               (status, ""), (abort, ""), (death + fault, killed), (said + death, said), (five, killed),
                               (cautions + death, cautions + killed), (cautions + said + death, cautions + said),
                               (said + five, said), (said + aborted + "more", said + "more"), (aborted, aborted[:-1]),
                               (untold % "non-zero-exit" + "\0", "\0"), (unknown, unknown[:-1]),
                               (said + left, said), (left, left), (warning + said, said),
                               (warning.replace("rsh", "ssh") + said, said),
                               (said + peer, said), (peer, peer), (lost, gone),
                               (closed + lost, gone), (closed, closed[:-1]),
                               (lost + death + lost, gone), (way, way), (way + begun + way + way[way.index("U"):], ""),
                               (begun + fault, fault), (said + forwarded + "oshrun: For", said + "oshrun: For"),
                               (fault + lost, gone), (lost + fault + fault, gone), (fault, fault), (brackets, brackets),
                               (other, other), (status + "a line\n" + other + "no end", "a line\n" + other + "no end"),
                               (rule, rule), (rule + "\nno end\n", rule + "\nno end\n"), ("-- x\n--", "-- x\n--"),
                               (rule + "\n" + "long\n" * 2000, rule + "\n" + "long\n" * 2000)):
            with open(os.path.join(self.folder, "text"), "w", encoding="ascii") as file:
                file.write(text)
            for say in ("cat text >&2", "dd if=text bs=7 status=none >&2"):
                done = self.launched_by(say + "; echo out\n")
                outcome = (done.returncode, done.stdout, done.stderr)
                self.assertEqual(outcome, (int(expected == gone), "out\n", expected))

    def test_a_start_that_takes_long_is_told_of(self):
        wait = "sleep 32\n"   # longer than upcrun's patience
        scripts = {"late": wait, "begun": "echo banyan-begun >&2\n" + wait, "full": wait}
        folders = {"full": {"TMPDIR": "/proc"}}  # which has no room
        with concurrent.futures.ThreadPoolExecutor() as pool:
            late, begun, full = pool.map(
                lambda name: self.launched_by(scripts[name], name=name, **folders.get(name, {})), scripts)
        self.assertRegex(late.stderr, r"^banyan: warning: the threads have not begun after 30 s\. If there .*\n$")
        self.assertRegex(full.stderr, r"^banyan: warning: the threads have not begun after 30 s\. There is little room "
                         r"in /proc: Open MPI needs some 5 MB there; .*\n$")
        self.assertEqual(begun.stderr, "")

    def test_the_launcher_hands_on_what_the_user_has_set(self):
        done = self.launched_by('echo "$@"\n', BANYAN_WAIT="yield", UCX_TLS="tcp,self")
        self.assertIn(" -x BANYAN_WAIT ", done.stdout)
        self.assertIn(" -x UCX_TLS ", done.stdout)
        self.assertEqual(self.launched_by('kill -KILL $$\n').returncode, 128 + signal.SIGKILL)

    def test_the_launcher_hands_on_variables_of_other_systems_and_a_prefix(self):
        for name, is_given in (("UPC_QUIET", True), ("GASNET_FREEZE", True), ("MINE", True), ("OTHER", False)):
            words = self.launched_by('echo "$@"\n', UPC_ENVPREFIX="MIN", **{name: "no"}).stdout
            self.assertEqual(" -x %s " % name in words, is_given)
        self.assertNotIn(" -x OTHER ", self.launched_by('echo "$@"\n', UPC_ENVPREFIX="", OTHER="1").stdout)

    def test_many_variables_are_handed_on(self):
        names = ["UCX_X%d" % i for i in range(300)]
        words = self.launched_by('echo "$@"\n', **dict.fromkeys(names, "1")).stdout.split()
        self.assertEqual(set(names) - set(words), set())

    def test_the_launcher_gets_one_list_where_the_user_has_one(self):
        name = "OMPI_MCA_mca_base_env_list"
        for more, begin, end in (({name: "A=1;B"}, "A=1;B;", ";UPC_QUIET"), ({name: ""}, "BANYAN_", ";UPC_QUIET"),
                                 ({name: "A=1", name + "_delimiter": ","}, "A=1,", ",UPC_QUIET")):
            words = self.launched_by('printf "%s\\n" "$@"\n', UPC_QUIET="no", **more).stdout.splitlines()
            self.assertNotIn("-x", words)
            names = words[words.index("mca_base_env_list") + 1]
            self.assertEqual((words[words.index("mca_base_env_list") - 1], names[:len(begin)]), ("--mca", begin))
            self.assertIn(end, names)

    def test_ucx_leaves_the_functions_that_map_memory(self):
        cards = "/sys/class/infiniband"
        has_cards = os.path.isdir(cards) and os.listdir(cards)
        words = self.launched_by('echo "$@"\n').stdout
        self.assertEqual(" -x UCX_MEM_EVENTS=no " in words, not has_cards)
        self.assertIn(" -x UCX_MEM_EVENTS ", self.launched_by('echo "$@"\n', UCX_MEM_EVENTS="yes").stdout)

    def test_a_job_in_a_job(self):
        outer = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_UNIVERSE_SIZE": "2", "PMIX_RANK": "1", "PMIX_NAMESPACE": "7",
                 "OMPI_MCA_ess": "pmi", "OMPI_MCA_orte_hnp_uri": "7.0"}
        user = {"OMPI_MCA_btl": "self,tcp", "OMPI_ALLOW_RUN_AS_ROOT": "1"}
        seen = set(self.launched_by("env\n", **outer, **user).stdout.splitlines())
        self.assertFalse(seen & {"%s=%s" % item for item in outer.items()})
        self.assertLessEqual({"%s=%s" % item for item in user.items()}, seen)
        alone = {name: value for name, value in outer.items() if name != "OMPI_COMM_WORLD_RANK"}
        seen = set(self.launched_by("env\n", **alone).stdout.splitlines())
        self.assertLessEqual({"%s=%s" % item for item in alone.items()}, seen)
        self.script("outer", jobs.UPCRUN + " -n 2 ./hello\n")
        done = self.run_it("oshrun", "-n", "1", "./outer", OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.assert_hello(done, 2, 2)

    def with_files(self, soft, hard):
        """Runs two threads with these limits of open files"""
        with self.start("./hello",
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))) as job:
            out, err = job.communicate(timeout=jobs.LIMIT)
            return job.returncode, out, err

    def test_a_limit_of_files_that_may_be_raised_is_raised(self):
        status, out, err = self.with_files(16, 256)
        self.assertEqual((status, len(out.splitlines()), err), (0, 2, ""))

    def test_what_the_launcher_lacks_is_said_before_it_starts(self):
        for files in (16, 26, 35):
            self.assertEqual(self.with_files(files, files), (
                126, "", "banyan: a limit of open files is reached: raise it (ulimit -n)\n"))
        done = self.run_it("sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", jobs.UPCRUN, "-n",
                           "2", os.path.join(self.folder, "hello"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            126, "", "banyan: the working folder has been deleted; cd to another one\n"))

    def test_a_limit_of_address_space_is_said_before_the_library_crashes(self):
        limited = ["sh", "-c", 'ulimit -v 1000000 && exec "$@"', "sh", jobs.UPCRUN]
        if self.run_it(*limited, "-version").returncode != 0:
            self.skipTest("upcrun needs more address space, as with AddressSanitizer")
        done = self.run_it(*limited, "-n", "3", "./hello")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (
            126, "", "banyan: cannot reserve 192 GiB of address space for shared memory (Cannot allocate memory); "
            "lift the limit with 'ulimit -v unlimited', or run fewer threads\n"))
        self.script("begun", "echo begun\n")
        for options, variables in ((["-hosts", "one"], {}), ([], {"SLURM_JOB_ID": "7"}),
                                   ([], {"OMPI_MCA_orte_default_hostfile": "hosts"}),
                                   ([], {"OMPI_MCA_rmaps_rank_file_path": "ranks"})):
            done = self.run_it(*limited, "-n", "3", *options, "./hello", OSHRUN="./begun", **variables)
            self.assertEqual((done.stdout, done.stderr), ("begun\n", ""), variables)

    @unittest.skipIf(resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY, "the stack has a limit")
    def test_a_stack_without_a_limit(self):
        def lift():
            resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

        for _ in range(3):
            with self.start("./hello", preexec_fn=lift) as job:
                out, err = job.communicate(timeout=jobs.LIMIT)
                self.assert_hello(subprocess.CompletedProcess([], job.returncode, out, err), 2, 2)
        self.script("limits", "ulimit -Ss; ulimit -Hs\n")
        with self.start("./hello", OSHRUN="./limits", preexec_fn=lift) as job:
            self.assertEqual(job.communicate(timeout=jobs.LIMIT), ("4194304\nunlimited\n", ""))

    def test_the_older_layout_of_memory(self):
        older = ["setarch", os.uname().machine, "-L"]
        if not shutil.which("setarch") or subprocess.run([*older, "true"], capture_output=True).returncode != 0:
            self.skipTest("the layout of memory cannot be chosen here")
        self.script("personality", "cat /proc/self/personality\n")
        done = self.run_it(*older, jobs.UPCRUN, "-n", "2", "./hello", OSHRUN="./personality")
        self.assertEqual(int(done.stdout, 16) & 0x200000, 0, done.stderr)
        self.assert_hello(self.run_it(*older, jobs.UPCRUN, "-n", "2", "./hello"), 2, 2)

    def test_processes_that_do_not_know_of_each_other_are_no_job(self):
        done = self.run_it("oshrun", "-n", "1", "sh", "-c", "OMPI_COMM_WORLD_SIZE=8 exec ./hello",
                           OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("8 processes were started together, but OpenSHMEM knows of 1", done.stderr)
        done = self.run_it("./hello", SLURM_PROCID="0")  # as in the script of a job of Slurm
        self.assertIn("its threads are started by upcrun -n N ./hello", done.stderr)

    def test_the_count_is_that_of_the_program(self):
        self.build("two", "-network=shmem", "-T", "2", "hello.upc")
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "2", "./two"), 2, 2)
        self.assert_hello(self.run_it(jobs.UPCRUN, "./two"), 2, 2)
        done = self.run_it(jobs.UPCRUN, "./two", UPC_THREADS="3")
        self.assertIn("BANYAN_THREADS=3 has no effect: hello.upc was compiled for 2 threads", done.stderr)
        self.assert_hello(done, 2, 2)
        shown = self.run_it(jobs.UPCRUN, "-show", "-hosts", "a,b", "./two").stdout
        self.assertIn("-n 2 --map-by slot -H a:1,b:1 ", shown)
        done = self.run_it(jobs.UPCRUN, "-n", "3", "./two")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("-n asks for 3 threads, but hello.upc was compiled for 2", done.stderr)

    def test_the_count_is_that_of_the_unit(self):
        self.build("two.o", "-network=shmem", "-T", "2", "-c", "hello.upc")
        self.build("linked", "-network=shmem", "two.o")
        self.assert_hello(self.run_it(jobs.UPCRUN, "./linked"), 2, 2)

    def test_the_count_of_the_environment(self):
        for name in ("BANYAN_THREADS", "UPC_THREADS"):
            self.assert_hello(self.run_it(jobs.UPCRUN, "./hello", **{name: "3"}), 3, 3)
        self.assert_hello(self.run_it(jobs.UPCRUN, "-n", "1", "./hello", BANYAN_THREADS="3"), 1, 1)
        done = self.run_it(jobs.UPCRUN, "./hello", BANYAN_THREADS="three")
        self.assertEqual(done.returncode, 2)
        self.assertIn('BANYAN_THREADS: "three" is not a number from 1 to 1024', done.stderr)

    def test_a_program_of_another_kind_does_not_start(self):
        """As on a host with an older program under the same path"""
        shown = self.run_it(jobs.UPCRUN, "-show", "-n", "2", "./hello").stdout
        variables = dict(word.split("=", 1) for word in shlex.split(shown.split(" oshrun ")[0]))
        for flags, kind in (["-network=smp"], "smp, without"), (["-network=smp", "-pthreads"], "smp, with"):
            self.build("other", *flags, "hello.upc")
            done = self.run_it("./other", **variables)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, "^banyan: host %s runs another program than upcrun has found under this "
                             "path: one with interface .*, for the network %s -pthreads; copy" %
                             (re.escape(os.uname().nodename), kind))

    def test_a_folder_that_a_host_does_not_have_is_named(self):
        done = self.run_it("oshrun", "--allow-run-as-root", "--oversubscribe", "-n", "2", "./hello",
                           BANYAN_FOLDER="/not/there")
        self.assertEqual(done.stderr, "banyan: thread 0: warning: host %s cannot enter the folder /not/there: No such "
                         "file or directory; its threads run in %s\n" %
                         (os.uname().nodename, os.path.realpath(self.folder)))

    def test_all_threads_run_one_program(self):
        self.build("fixed", "-network=shmem", "-T", "3", "hello.upc")
        with open(os.path.join(self.folder, "older.upc"), "w", encoding="ascii") as file:
            file.write(shmem.HELLO.replace("shared int counts", "shared long counts"))
        self.build("older", "-network=shmem", "older.upc")
        launcher = ("oshrun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none")
        if not jobs.starts_two_programs("oshrun", mpi_test.environment()):
            self.skipTest("oshrun cannot start two programs")
        for other in ("./fixed", "./older"):
            for settings in ({}, shmem.FAR):
                done = self.run_it(*launcher, "-np", "2", "./hello", ":", "-np", "2", other, **settings)
                self.assertNotEqual(done.returncode, 0, other)
                said = re.findall("^banyan: .*", done.stderr, re.MULTILINE)
                self.assertEqual(len(said), 1, done.stderr)
                self.assertRegex(said[0], "thread 2: host .* runs another program than thread 0: ")
        self.assert_hello(self.run_it(*launcher, "-np", "1", "./hello", ":", "-np", "1", "./hello"), 2, 2)

    def test_units_for_one_machine_do_not_start(self):
        self.build("one.o", "-network=smp", "-c", "hello.upc")
        self.build("mixed", "-network=shmem", "one.o")
        done = self.run_it(jobs.UPCRUN, "-n", "2", "./mixed")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("hello.upc was compiled for another network than this program was linked for", done.stderr)

    def test_switches_without_effect_are_said(self):
        done = self.run_it(jobs.UPCRUN, "-n", "2", "-label", "./hello", BANYAN_HUGE_PAGES="all")
        self.assertIn("-label has no effect with -network=shmem", done.stderr)
        self.assertIn("BANYAN_HUGE_PAGES has no effect with -network=shmem: the shared memory is", done.stderr)
        self.assert_hello(done, 2, 2)


if __name__ == "__main__":
    shmem.main()
