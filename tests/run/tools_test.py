#!/usr/bin/env python3
"""How banyan-info, banyan-tune and others end if their command line or machine description is wrong, or their output
cannot be written.

    TESTED_BUILD=<build folder> tools_test.py
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

BIN = os.path.join(os.environ.get("TESTED_BUILD", "build"), "bin")


class CommandLine(unittest.TestCase):
    def run_tool(self, name, *arguments, **environment):
        """Runs a tool as programs do that ignore how their children end, which those inherit."""
        return subprocess.run([os.path.join(BIN, name), *arguments], capture_output=True, text=True, timeout=60,
                              check=False, env={**os.environ, **environment},
                              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))

    def test_mistakes(self):
        for name, *arguments in (("banyan-info", "--nosuch"), ("banyan-info", "-n", "0"), ("banyan-info", "-n"),
                                 ("banyan-info", "--nodes", "2"),
                                 ("banyan-info", "--shape", "flat", "--format", "nosuch"),
                                 ("banyan-info", "--shape", "flat", "--json"),
                                 ("banyan-info", "--shape", "flat", "--options"),
                                 ("banyan-info", "--shape", "flat", "--explain", "barrier"),
                                 ("banyan-info", "--shape", "flat", "--threads", "2", "-n", "2"),
                                 ("banyan-tune", "--nosuch"), ("banyan-tune", "-n", "1")):
            done = self.run_tool(name, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("--help", done.stderr)

    def test_numbers_out_of_range(self):
        for name, option, *others in (("banyan-info", "--nodes"), ("banyan-info", "--threads", "--shape", "flat"),
                                      ("banyan-info", "--nodes-per-switch", "--shape", "flat"),
                                      ("banyan-sim", "--nodes", "barrier"), ("banyan-tune", "-n")):
            least, most = (2, 1024) if name == "banyan-tune" else (1, 1048576)
            for number in (least - 1, 2000000):
                done = self.run_tool(name, option, str(number), *others)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (name, option))
                self.assertRegex(done.stderr.splitlines()[0],   # with brackets since some version of CLI11
                                 fr"^{option}: Value {number} not in range \[?{least} (to|-) {most}\]?$")

    def test_help(self):
        for name in ("banyan-info", "banyan-tune"):
            done = self.run_tool(name, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("--help", done.stdout)

    def test_the_compiler_knows_the_limit_of_threads(self):
        compiler = self.run_tool("upcc", "-echo-var", "MAX_THREADS").stdout
        build = json.loads(self.run_tool("banyan-info", "--json").stdout)["build"]
        self.assertEqual(int(compiler), build["threads_max"])

    def test_what_is_asked_reaches_its_reader_or_fails(self):
        commands = [[name, "--help"] for name in ("upcrun", "upc-language-server", "banyan-info", "banyan-tune",
                                                  "banyan-sim", "banyan-mpi")]
        commands += [[name, "--version"] for name, *_ in commands]
        commands += [["banyan-info", "--options"], ["banyan-mpi", "--dry-run", "true"]]
        for name, *arguments in commands:
            with open("/dev/full", "wb") as full:
                done = subprocess.run([os.path.join(BIN, name), *arguments], stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1, (name, arguments))
            self.assertIn("standard output cannot be written: No space left on device", done.stderr)

    def test_how_private_memory_is_reached(self):
        done = self.run_tool("banyan-info", "--json")
        reach = json.loads(done.stdout)["machine"]["private_memory"]
        self.assertIn(reach["by"], ("process_vm_readv", "owner"))
        self.assertEqual("refusal" in reach, reach["by"] == "owner")
        self.assertGreater(reach["copy_1m_ns"], reach["copy_4k_ns"])
        self.assertRegex(self.run_tool("banyan-info").stdout,
                         r"private memory +of others (by process_vm_readv|with their help, .+): 4 KiB in .+, 1 MiB in ")

    def test_all_that_is_asked_is_shown(self):
        words = ("-n", "8", "--build", "--explain", "broadcast", "8", "--memory", "--options")
        self.assertEqual(list(json.loads(self.run_tool("banyan-info", *words, "--json").stdout)),
                         ["build", "collective", "memory", "options"])
        text = self.run_tool("banyan-info", *words).stdout
        for said in ("window  ", "broadcast", "Memory for control", "BANYAN_SHARED_HEAP"):
            self.assertIn(said, text)

    def test_long_values_are_whole(self):
        name = 300 * "n"
        self.assertIn(f" {name} ", self.run_tool("banyan-info", "--options", BANYAN_PROFILE=name).stdout)

    def test_unknown_memory(self):
        hide = ["unshare", "-r", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if not shutil.which("unshare") or subprocess.run([*hide, "true"], capture_output=True).returncode != 0:
            self.skipTest("no namespaces without the rights of root")
        info = [*hide, os.path.join(os.path.abspath(BIN), "banyan-info")]
        text, facts = (subprocess.run([*info, *more], capture_output=True, text=True, timeout=60, check=True).stdout
                       for more in ((), ("--json",)))
        self.assertRegex(text, "free memory +unknown for this process\n")
        self.assertRegex(text, "shared heap +up to an unknown size per thread, on demand")
        self.assertIsNone(json.loads(facts)["machine"]["usable"]["memory_bytes"])

    def test_for_which_mpi_there_is_a_library(self):
        mpi = json.loads(self.run_tool("banyan-info", "--json").stdout)["build"]["mpi"]
        text = self.run_tool("banyan-info").stdout
        self.assertEqual([abi["abi"] for abi in mpi], ["openmpi", "mpich", "abi"])
        for abi in mpi:
            library = os.path.join(BIN, os.pardir, "lib", "banyan", f"libbanyan-mpi-{abi['abi']}.so")
            self.assertEqual(os.path.exists(library), abi["is_built"])
            self.assertIn(abi["name"] if abi["is_built"] else f"not built in, needs {abi['missing']}", text)

    def test_whether_there_is_simgrid(self):
        simgrid = json.loads(self.run_tool("banyan-info", "--json").stdout)["build"]["simgrid"]
        text = self.run_tool("banyan-info").stdout
        missing = f"not built in, needs {simgrid['missing']}"
        self.assertIn("banyan-sim --fluid" if simgrid["is_built"] else missing, text)
        done = self.run_tool("banyan-sim", "barrier", "--fluid", "--threads", "2", "--machine", "core:2 pu:1")
        self.assertEqual(done.returncode == 0, simgrid["is_built"], done.stderr)

    def test_unknown_machine(self):
        for arguments in ([], ["-n", "2"], ["--machine", "nosuch"]):
            done = self.run_tool("banyan-info", *arguments, BANYAN_TOPOLOGY="nosuch")
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn('"nosuch": is neither a file nor a description', done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    if not os.path.exists(os.path.join(BIN, "banyan-info")):
        print("banyan-info and banyan-tune are left out of this build")
        sys.exit(77)
    unittest.main()
