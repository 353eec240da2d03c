#!/usr/bin/env python3
"""banyan-sim: it counts the transfers that the algorithms make, its times depend on the machine as they should, and
impossible requests are refused with the reason.

    TESTED_BUILD=<build folder> sim_test.py
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "multihost"))
import hosts as multihost  # noqa: E402

BIN = os.path.join(os.environ.get("TESTED_BUILD", "build"), "bin")
NODE = "pack:2 [numa] l3:1 core:4 pu:1"  # 8 threads, two memory regions
KIB = 1024


class Sim(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}
        self.env.update(HOME=self.folder.name)
        self.env.pop("XDG_CONFIG_HOME", None)

    def call(self, *words, **variables):
        return subprocess.run([os.path.join(BIN, "banyan-sim"), *map(str, words)], capture_output=True, text=True,
                              timeout=120, env=dict(self.env, **variables), check=False)

    def test_a_file_that_cannot_be_written_stays_as_it_was(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

        path = os.path.join(self.folder.name, "result")
        command = [os.path.join(BIN, "banyan-sim"), "barrier", "--threads", "4", "--machine", NODE]
        subprocess.run([*command, "--table", path], check=True, capture_output=True, env=self.env)
        with open(path, encoding="utf-8") as stream:
            before = stream.read()
        files = os.listdir(self.folder.name)
        for option in "--table", "--svg":
            done = subprocess.run([*command, option, path], capture_output=True, text=True, timeout=120, env=self.env,
                                  check=False, preexec_fn=limit)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (1, "", f"banyan-sim: {path} cannot be written: File too large\n"))
            with open(path, encoding="utf-8") as stream:
                self.assertEqual(stream.read(), before)
            self.assertEqual(os.listdir(self.folder.name), files)

    def cells(self, *words):
        done = self.call(*words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["cells"]

    def run_of(self, *words, way):
        return self.cells(*words, "--way", way)[0]["runs"][0]

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        return path

    def cluster(self, network, more=""):
        return self.file("cluster", f"# of a test\nnode {NODE}\nnetwork {network}\n{more}")

    def refused(self, message, *words, status=1):
        done = self.call(*words)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stdout, "")


def far(run, what):
    """Counts what crosses between nodes"""
    return sum(run["levels"].get(level, {}).get(what, 0) for level in ("switch", "cluster"))


def near(run, what):
    return sum(level[what] for name, level in run["levels"].items() if name not in ("switch", "cluster"))


class Names(Sim):
    def test_machines_have_names(self):
        for name in os.listdir(os.path.join(BIN, os.pardir, "share", "banyan", "machines")):
            self.assertIn(f"({name})", self.call("barrier", "-threads", 64, "-machine", name).stdout)
        for unknown in ("nosuch", "../machines/ig", "."):
            self.refused("the machines that have names are blue-gene, ", "barrier", "-machine", unknown)
        self.assertNotIn("have names", self.call("barrier", "-machine", self.file("bad", "node nosuch\n")).stderr)


class Traffic(Sim):
    def test_a_tree_over_nodes_enters_each_node_once(self):
        machine = self.cluster("flat")
        for nodes in (2, 3, 8):
            run = self.run_of("broadcast", "-threads", 8 * nodes, "-size", "64K", "-machine", machine,
                              way="pull/binomial.binomial.binomial/whole")
            self.assertEqual(far(run, "copies"), nodes - 1)
            self.assertEqual(far(run, "bytes"), (nodes - 1) * 64 * KIB)
            # Within nodes all others copy, and the root copies from src to dst
            self.assertEqual(near(run, "bytes"), (7 * nodes + 1) * 64 * KIB)

    def test_a_flat_way_enters_a_node_for_each_thread(self):
        run = self.run_of("broadcast", "-threads", 32, "-size", "64K", "-machine", self.cluster("flat"),
                          way="pull/flat/whole")
        self.assertEqual(far(run, "bytes"), 24 * 64 * KIB)

    def test_threads_fill_nodes_unless_their_number_is_said(self):
        for more, nodes in (("", 1), ("nodes 4\n", 4), ("nodes 16\n", 8)):
            run = self.run_of("broadcast", "-threads", 8, "-size", 64, "-machine", self.cluster("flat", more),
                              way="push-pull/binomial.flat/whole")
            self.assertEqual(far(run, "copies"), nodes - 1)

    def test_chunks_are_as_the_option_says(self):
        words = ("broadcast", "-threads", 16, "-size", "256K", "-machine", self.cluster("flat"))
        self.assertEqual(far(self.run_of(*words, way="pull/binomial.binomial.flat/chunks"), "copies"), 8)
        self.env["BANYAN_COLL_CHUNK"] = "64K"
        self.assertEqual(far(self.run_of(*words, way="pull/binomial.binomial.flat/chunks"), "copies"), 4)

    def test_every_way_moves_every_block(self):
        least = {"broadcast": lambda n: n, "scatter": lambda n: n, "gather": lambda n: n, "permute": lambda n: n,
                 "gather_all": lambda n: n * n, "exchange": lambda n: n * n}
        for threads, nodes, order, root in ((7, 1, "block", 3), (13, 3, "cyclic", 5), (24, 2, "random:7", 0)):
            for operation, blocks in least.items():
                cell, = self.cells(operation, "-threads", threads, "-nodes", nodes, "-order", order, "-size", 512,
                                   "-root", root, "-machine", NODE, "-best")
                for run in cell["runs"]:
                    if "ns" not in run or run["way"].endswith(("/room", "/inline", "/mail")):
                        continue  # they move some of the data along with flags
                    moved = sum(level["bytes"] for level in run["levels"].values())
                    self.assertGreaterEqual(moved, 512 * blocks(threads), (operation, run["way"], threads))

    def test_nobody_synchronises_in_no_mode(self):
        words = ("broadcast", "-threads", 8, "-size", "4K", "-machine", NODE)
        run = self.run_of(*words, "-sync", "no", way="pull/flat/whole")
        self.assertEqual(near(run, "flags"), 0)
        run = self.run_of(*words, "-sync", "my", way="pull/flat/whole")
        self.assertEqual(near(run, "flags"), 14)  # each hears the root, and the root each

    def test_reductions_and_barriers(self):
        for operation in ("reduce", "reduce_all", "prefix", "barrier"):
            for threads in (2, 5, 40):
                cell, = self.cells(operation, "-threads", threads, "-machine", NODE, "-best")
                self.assertGreater(cell["runs"][0]["ns"], 0)


class Times(Sim):
    def test_trees_win_over_flat_ways_on_many_nodes(self):
        cell, = self.cells("broadcast", "-threads", 512, "-size", "1M", "-machine", self.cluster("tree 16"), "-way",
                           "pull/flat/whole,pull/binomial.binomial.flat/chunks")
        self.assertEqual([run["way"] for run in cell["runs"]],
                         ["pull/binomial.binomial.flat/chunks", "pull/flat/whole"])
        self.assertGreater(cell["runs"][1]["ns"], 10 * cell["runs"][0]["ns"])

    def test_the_usual_way_without_mail_is_a_tree(self):
        """From 1,025 threads on, where teams have no mail, each operation may take a few times as long, but not
        hundreds of times."""
        machine = self.file("wide", "node core:64 pu:1\nnetwork tree 32\n")
        for operation, *size in (("broadcast", "-size", "64K"), ("reduce",), ("reduce_all",), ("scatter", "-size", 8),
                                 ("gather", "-size", 8)):
            before, after = (self.cells(operation, "-threads", threads, "-machine", machine, *size)[0]["runs"][0]["ns"]
                             for threads in (1024, 1025))
            self.assertLess(after, 4 * before, operation)

    def test_parameters_count(self):
        words = ("broadcast", "-threads", 16, "-size", "1M")
        way = "pull/binomial.binomial.flat/whole"
        slow = self.run_of(*words, "-machine", self.cluster("flat", "nic bandwidth=100M latency=5us\n"), way=way)
        self.assertGreater(slow["ns"], 2**20 / 0.1)  # its bytes through the link
        self.assertIn("node 0 to the network", slow["busiest"]["name"])
        fast = self.run_of(*words, "-machine", self.cluster("flat", "nic bandwidth=100G latency=5us\n"), way=way)
        self.assertLess(fast["ns"], slow["ns"] / 4)
        near_by = self.run_of("reduce", "-threads", 2, "-machine", NODE, way="pull/flat/whole")
        self.assertLess(near_by["ns"], self.run_of("reduce", "-threads", 2, "-machine", self.file(
            "slow", f"node {NODE}\nline cache=5us\n"), way="pull/flat/whole")["ns"])

    def test_messages_wait_for_each_other_as_in_programs(self):
        """Times in multiples of a message between nodes, which takes 1 ms here"""
        machine = self.cluster("flat", "nic latency=1ms overhead=0ns gap=0ns\nlink hop=0ns\n")
        words = ("-threads", 4, "-nodes", 2, "-size", 8, "-machine", machine)
        for operation, way, steps in (
                ("barrier", "central", 1),
                ("broadcast", "pull/flat/whole", 4),          # barrier, request, answer, barrier
                ("broadcast", "push-pull/flat.flat/mail", 3),  # data in one message, which its receiver waits for
                ("broadcast", "pull/binomial.binomial.flat/inline", 6),  # the flag, then the data next to it
                ("permute", "push/flat/whole", 4),            # data are confirmed before the barrier
                ("permute", "pull/flat/whole", 8)):           # two words of the permutation are fetched first
            ns = self.run_of(operation, *(words if operation != "barrier" else words[:4] + words[6:]), way=way)["ns"]
            self.assertEqual(round(ns / 1e6, 1), steps, (operation, way))

    def test_caches_of_others_count(self):
        """If the description says so: writing what another thread has read takes longer, as long as that one's cache
        holds it."""
        lines = ["node l3:1 core:2 pu:1", "copy self 64K=1us 1M=16us", "copy cache 64K=2us 1M=32us",
                 "bring cache 64K=3us 1M=48us", "bring cache to=read 64K=50us 1M=800us",
                 "memory bandwidth=1000G cached=1000G"]
        machine = self.file("plain", "\n".join(lines))
        forgets = self.file("forgets", "\n".join(lines + ["held 16K=100% 64K=0%"]))
        permute = ("permute", "-threads", 2, "-size", "64K", "-machine", machine)
        push, pull = (self.run_of(*permute, way=f"{way}/flat/whole")["ns"] for way in ("push", "pull"))
        self.assertAlmostEqual(push - pull, 48e3, delta=1e3)
        # The receiver has read the data, and then written as many of its own.
        push = self.run_of(*permute[:-1], forgets, way="push/flat/whole")["ns"]
        self.assertLess(push - pull, 1e3)
        # In a ring of two, each reads what the other has copied to its own memory.
        ring = ("gather_all", "-threads", 2, "-size", "64K", "-machine", machine)
        flat, ring = (self.run_of(*ring, way=f"pull/{way}/whole")["ns"] for way in ("flat", "ring"))
        self.assertGreater(ring - flat, 40e3)

    def test_links_of_networks_are_busy(self):
        for network, name in (("tree 2", "up from switch 0"), ("torus 4x4", "of place"),
                              ("dragonfly 4x2x2", "from router 0")):
            machine = self.cluster(network, "link bandwidth=10M\nnic bandwidth=100G\n")
            run = self.run_of("broadcast", "-threads", 128, "-size", "64K", "-machine", machine,
                              way="pull/flat/whole")
            self.assertIn(name, run["busiest"]["name"])

    def test_links_between_parts_of_a_node_are_busy(self):
        """Each socket's link is used once by data for one other socket, and not by data that stay inside."""
        machine = self.file("sockets", f"node {NODE}\nbetween socket=100M\n")
        for more in ((), ("-fluid",)):
            words = ("broadcast", "-size", "64K", "-machine", machine, *more)
            ns = {}
            for threads, order in ((2, "block"), (2, "cyclic"), (8, "block")):
                run = self.run_or_skip(*words, "-threads", threads, "-order", order)
                ns[threads, order] = run["ns"]
                if not more and (threads, order) != (2, "block"):
                    self.assertRegex(run["busiest"]["name"], "links (out of|into) socket")
            self.assertLess(ns[2, "block"], 100e3)
            for case, copies in (((2, "cyclic"), 1), ((8, "block"), 4)):
                self.assertAlmostEqual(ns[case], copies * 65536 / 0.1, delta=0.02 * ns[case])
        self.refused("between node: the parts are core", "gather", "-machine", self.file("nodes", "between node=1G\n"))
        self.refused("is not a bandwidth", "gather", "-machine", self.file("none", "between socket=8\n"))

    def run_or_skip(self, *words):
        done = self.call(*words, "-way", "pull/flat/whole", "-json")
        if "without SimGrid" in done.stderr:
            self.skipTest("banyan-sim was built without SimGrid")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["cells"][0]["runs"][0]

    def test_threads_that_share_a_core_take_turns(self):
        machine = self.file("small", "node core:2 pu:1\nswitch 1ms\n")
        run = self.run_of("barrier", "-threads", 8, "-nodes", 1, "-machine", machine, way="central")
        self.assertGreater(run["ns"], 3e6)  # four threads on each core
        self.assertLess(self.run_of("barrier", "-threads", 2, "-machine", machine, way="central")["ns"], 1e6)

    def test_placement_counts_for_what_knows_nothing_of_it(self):
        words = ("gather_all", "-threads", 48, "-nodes", 6, "-size", "16K", "-machine", self.cluster("flat"))
        for way, is_blind in (("pull/ring/whole", False), ("pull/ring-by-rank/whole", True),
                              ("pull/neighbours-by-rank/whole", True), ("pull/doubling/whole", True)):
            block, cyclic = (far(self.run_of(*words, "-order", order, way=way), "bytes") for order in
                             ("block", "cyclic"))
            self.assertEqual(cyclic > block, is_blind, way)

    def test_it_is_the_same_each_time(self):
        words = ("gather", "-threads", 100, "-size", "4K", "-order", "random:5", "-machine", self.cluster("tree 4"),
                 "-best")
        cells = [self.cells(*words) for _ in range(2)]
        for cell in cells[0] + cells[1]:
            for run in cell["runs"]:
                run.pop("simulation_s", None)
        self.assertEqual(cells[0], cells[1])


class Fluid(Sim):
    def test_simgrid_agrees(self):
        words = ("-threads", 64, "-size", "64K", "-machine", self.cluster("tree 4"))
        for operation, way in (("broadcast", "pull/binomial.binomial.flat/chunks"), ("broadcast", "pull/flat/whole"),
                               ("gather", "push/binomial.binomial.binomial/whole"), ("gather_all", "pull/ring/whole"),
                               ("exchange", "push/nodes/whole")):
            done = self.call(operation, *words, "-way", way, "-fluid", "-json")
            if "without SimGrid" in done.stderr:
                self.assertEqual(done.returncode, 1)
                self.assertIn("libsimgrid-dev", done.stderr)
                self.skipTest("banyan-sim was built without SimGrid")
            self.assertEqual(done.returncode, 0, done.stderr)
            fluid = json.loads(done.stdout)["cells"][0]["runs"][0]
            own = self.run_of(operation, *words, way=way)
            self.assertEqual(fluid["levels"], own["levels"])
            self.assertLess(abs(fluid["ns"] / own["ns"] - 1), 0.3, (operation, way))
        self.refused("--fluid needs a core for each thread", "barrier", "-threads", 64, "-nodes", 1, "-machine", NODE,
                     "-fluid")
        self.refused("512 nodes", "barrier", "-threads", 8192, "-machine", NODE, "-fluid")
        self.refused("start takes", "start", "-fluid", status=2)


HEAD = '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
CLUSTER = '<cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="1GBps" lat="2us" {}/>'
ZONE = """<zone id="z" routing="{}"> <host id="a" speed="1Gf"/> <host id="b" speed="1Gf"/> <host id="c" speed="1Gf"/>
    <link id="first" bandwidth="1GBps" latency="20us"/> <link id="second" bandwidth="1GBps" latency="20us"/>
    <route src="a" dst="b"> <link_ctn id="first"/> </route> <route src="b" dst="c"> <link_ctn id="second"/> </route>
    {}</zone>"""
DIRECT = '<route src="a" dst="c"> <link_ctn id="first"/> <link_ctn id="second"/> </route>'


class Platforms(Sim):
    def setUp(self):
        super().setUp()
        if "without which" in self.call("barrier", "-platform", self.platform("x")).stderr:
            self.skipTest("banyan-sim was built without SimGrid")

    def platform(self, text):
        return self.file("platform.xml", f"{HEAD}{text}</platform>")

    def test_clusters(self):
        words = ("broadcast", "-threads", 128, "-size", "64K", "-machine", NODE, "-platform")
        for network, link in (("", "c_link_0_UP"), ('bb_bw="100MBps" bb_lat="1us"', "c_backbone"),
                              ('topology="TORUS" topo_parameters="4,2,2"', "c_link_from_"),
                              ('topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2"', "link_from_0_"),
                              ('topology="DRAGONFLY" topo_parameters="2,1;2,1;2,1;2"', "link_")):
            # SimGrid 4.1 ends with signal 11 on topologies outside of a zone.
            path = self.platform(f'<zone id="world" routing="Full">{CLUSTER.format(network)}</zone>')
            own, fluid = (self.run_of(*words, path, *more, way="pull/binomial.binomial.flat/whole")
                          for more in ((), ("-fluid",)))
            self.assertEqual(far(own, "bytes"), 15 * 64 * KIB)
            self.assertIn(link, own["busiest"]["name"])
            # At most 1.19 with SimGrid 3.32, and 1.34 with 4.1, where the ways through a torus are others
            self.assertLess(abs(fluid["ns"] / own["ns"] - 1), 0.4, network)

    def test_routes_are_found(self):
        for routing, more in (("Full", DIRECT), ("Floyd", ""), ("Dijkstra", ""), ("DijkstraCache", "")):
            run = self.run_of("reduce", "-threads", 3, "-nodes", 3, "-machine", NODE, "-platform",
                              self.platform(ZONE.format(routing, more)), way="push-pull/flat.flat/whole")
            self.assertGreater(run["ns"], 40e3, routing)  # by two links of 20 us

    def test_all_hosts_are_nodes(self):
        machine = self.file("cluster", f"node {NODE}\nnetwork platform platform.xml\nnic overhead=1us\n")
        self.platform(CLUSTER.format(""))
        self.assertIn("among 128 threads", self.call("barrier", "-machine", machine).stdout)
        self.refused("has room for 16 nodes", "barrier", "-threads", 136, "-machine", machine)
        text = self.call("start", "-machine", machine).stdout
        self.assertIn("128 threads on 16 nodes", text)
        self.assertIn("2 threads on 1 node (", self.call("start", "-threads", 2, "-machine", NODE).stdout)

    def test_what_cannot_be_taken(self):
        words = ("broadcast", "-threads", 24, "-size", 8, "-machine", NODE, "-platform")
        for text, message in ((ZONE.format("Full", ""), "has no route from host"), ("<zone", "Invalid XML"),
                              (ZONE.format("Fool", ""), "Not a valid model"),
                              (ZONE.format("Full", '<route src="a" dst="c"> <link_ctn id="x"/> </route>'),
                               "Link not found: x"), ('<zone id="z" routing="Full"/>', "it has no hosts")):
            for more in ((), ("-fluid",)):
                self.refused(message, *words, self.platform(text), "-way", "pull/flat/whole", *more)
        self.refused("cannot be read: No such file", *words, os.path.join(self.folder.name, "nosuch.xml"))
        for line in ("nic latency=1us", "link hop=1us"):
            path = self.file("wrong", f"{line}\nnetwork platform platform.xml\n")
            self.platform(CLUSTER.format(""))
            self.refused(f"{path}:1: latency and bandwidth of links come from the platform file", "barrier", "-machine",
                         path)


class Scale(Sim):
    def test_memory_grows_with_the_logarithm(self):
        words = ("broadcast", "-size", 8, "-machine", self.cluster("flat"))
        trees = [self.run_of(*words, "-threads", 1 << k, way="pull/binomial.binomial.binomial/whole")["memory_bytes"]
                 for k in (10, 13, 16)]
        steps = [after["trees"] - before["trees"] for before, after in zip(trees, trees[1:])]
        self.assertGreater(steps[0], 0)
        self.assertEqual(steps[0], steps[1])
        self.assertEqual(trees[0]["plans"], trees[2]["plans"])

    def test_memory_that_ends(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (15 << 20, 15 << 20))

        done = subprocess.run([os.path.join(BIN, "banyan-sim"), "broadcast", "--threads", str(1 << 20)], check=False,
                              capture_output=True, text=True, timeout=120, env=self.env, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertRegex(done.stderr, "^banyan: (banyan-sim: there is not enough memory; lift limits on it|no memory)")

    def test_start(self):
        done = self.call("start", "-threads", "64,4096", "-machine", self.cluster("tree 8"), "-json")
        self.assertEqual(done.returncode, 0, done.stderr)
        small, large = json.loads(done.stdout)
        told = [next(step for step in job["steps"] if step["name"] == "who is on which node") for job in (small, large)]
        self.assertIn("12 rounds, in the last one 8 KiB to each thread", told[1]["how"])
        self.assertGreater(told[1]["ns"], told[0]["ns"])
        self.assertLess(told[1]["ns"], 20 * told[0]["ns"])  # with 64 times as many threads
        self.assertIn("measured on this computer", self.call("start", "-threads", 16, "-machine", NODE).stdout)
        self.refused("start takes", "start", "-size", 8, status=2)
        self.refused("start is simulated for up to 131,072 threads, but there are 262,144", "start", "-threads", 262144,
                     "-machine", NODE)


class Messages(Sim):
    def test_messages_of_a_search(self):
        program = os.path.join(self.folder.name, "bfs_messages")
        source = os.path.join(HERE, "..", "..", "bench", "sim", "bfs_messages.c")
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", program, "-lm"], check=True)
        done = subprocess.run([program, "1", "256", "2", "4096"], check=True, capture_output=True, text=True)
        walked = json.loads(done.stdout)
        few, many = walked["machines"]
        self.assertLess(abs(few["full"] * 256 / 2**20 - 1), 0.02)  # half of 2^21 visits go to the other process
        for machine in (few, many):
            self.assertEqual(machine["empty"], walked["levels"] * (machine["cores"] - 1))
        self.assertLess(many["full"] * 256, 0.6 * 2**21)  # the rest is sent in buffers that are not full
        self.assertGreater(many["incomplete"], 1000 * few["incomplete"])


class Output(Sim):
    def test_text(self):
        text = self.call("broadcast", "-threads", 1024, "-size", "64K", "-machine", self.cluster("torus 16x8")).stdout
        for words in ("broadcast of 64 KiB among 1,024 threads",
                      "on 128 nodes of 8 processing units, at a torus of 16 x 8", "(the usual one)", "busiest",
                      "control memory", "both ends share"):
            self.assertIn(words, text)

    def test_svg(self):
        path = os.path.join(self.folder.name, "out.svg")
        for words in (("-threads", "8,16,32", "-size", "4K"), ("-size", "8,4K,64K"), ("-size", "8")):
            done = self.call("broadcast", "-machine", NODE, "-best", "-svg", path, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            texts = [node.firstChild.data for node in xml.dom.minidom.parse(path).getElementsByTagName("text")]
            self.assertTrue(any(text.endswith(" *") for text in texts), texts)  # the default way
        done = self.call("barrier", "-machine", self.file("this<&that", f"node {NODE}\n"), "-best", "-svg", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("this<&that", "".join(node.firstChild.data for node in
                                            xml.dom.minidom.parse(path).getElementsByTagName("text")))

    def drawn(self, *words):
        """The texts of a drawing, and the number of points of each curve"""
        path = os.path.join(self.folder.name, "out.svg")
        done = self.call("broadcast", "-svg", path, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        drawing = xml.dom.minidom.parse(path)
        curves = [node for node in drawing.getElementsByTagName("path") if node.getAttribute("fill") == "none"]
        colours = [node.getAttribute("stroke") for node in curves]
        self.assertEqual(len(set(colours)), len(colours))
        return ([node.firstChild.data for node in drawing.getElementsByTagName("text")],
                [len(node.getAttribute("d").split("L")) for node in curves])

    def test_svg_of_the_usual_way_which_changes(self):
        texts, points = self.drawn("-machine", "million", "-threads", "2,64,1024,16384", "-size", "64K")
        self.assertIn("usual *", texts)
        self.assertEqual(points, [4])
        self.assertEqual(self.drawn("-machine", NODE, "-threads", 8)[1], [4])
        texts, points = self.drawn("-machine", "million", "-threads", "2,64,1024", "-size", "64,64K,1M")
        self.assertLessEqual({"64 bytes", "64 KiB", "1 MiB", "2", "64", "1,024"}, set(texts))
        self.assertEqual(points, [3, 3, 3])
        self.refused("--svg draws several ways over numbers of threads or over sizes", "broadcast", "-machine", NODE,
                     "-threads", "2,8", "-best", "-svg", os.path.join(self.folder.name, "none"), status=2)

    def test_svg_has_all_ticks(self):
        texts, points = self.drawn("-machine", "million", "-threads", "8,64,512", "-size", "1M", "-best")
        self.assertLessEqual({"8", "64", "512", "usual *"}, set(texts))
        self.assertLessEqual(len(points), 11)
        texts, _ = self.drawn("-machine", NODE, "-threads", "7,8", "-size", "1M", "-way", "pull/flat/whole")
        self.assertGreaterEqual(sum(re.fullmatch(r"\S+ [mu]s", text) is not None for text in texts), 2, texts)

    def test_svg_of_sizes_in_any_order(self):
        drawings = []
        for sizes in ("8,64K,1M", "1M,64K,8"):
            path = os.path.join(self.folder.name, sizes)
            self.call("broadcast", "-machine", NODE, "-best", "-svg", path, "-size", sizes)
            with open(path, encoding="utf-8") as stream:
                drawings.append(stream.read())
        self.assertEqual(*drawings)

    def test_svg_of_times_of_nothing(self):
        path = os.path.join(self.folder.name, "out.svg")
        machine = self.file("free", "node core:2 pu:1\nline self=0ns core=0ns\nturn 0ns\ncall 0ns\n")
        for threads in ("2,4", "2"):
            done = self.call("barrier", "-machine", machine, "-threads", threads, "-svg", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(path, encoding="utf-8") as stream:
                self.assertNotRegex(stream.read(), '"-?(nan|inf)')

    def test_names_in_no_utf8(self):
        name = os.path.join(self.folder.name, "b\udcff")
        with open(name, "w", encoding="utf-8") as stream:
            stream.write(f"node {NODE}\n")
        self.assertIn("b\ufffd", json.loads(self.call("barrier", "-machine", name, "-json").stdout)["machine"])
        path, other = (os.path.join(self.folder.name, name) for name in ("out.svg", "\x1b\udcff\uffff" + 179 * "n"))
        os.link(name, other)
        self.assertEqual(self.call("barrier", "-machine", other, "-json", "-svg", path).returncode, 0)
        self.assertIn("\ufffd\ufffd\ufffdnnn", "".join(node.firstChild.data for node in
                                                      xml.dom.minidom.parse(path).getElementsByTagName("text")))
        done = subprocess.run([os.path.join(BIN, "banyan-info"), "--json", "--options"], capture_output=True, text=True,
                              errors="replace", timeout=60, env=dict(self.env, BANYAN_COLL_TABLE=name), check=False)
        self.assertIn("b\ufffd", done.stdout)

    def test_a_table_is_followed(self):
        table = os.path.join(self.folder.name, "table.json")
        done = self.call("broadcast", "-threads", 8, "-size", "8,64K", "-machine", NODE, "-table", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(table, encoding="utf-8") as stream:
            rules = json.load(stream)["rules"]["broadcast"]
        self.assertIn("simulated", rules[0]["evidence"])
        last = rules[-1]["entry"]
        explained = self.explained(table, "64K")
        self.assertIn(f"{last}", explained)
        self.assertIn("table.json", explained)
        self.check_a_program_follows(table)
        self.call("broadcast", "-threads", 8, "-size", 8, "-machine", NODE, "-table", table, "-for", "Another, 8 cores")
        with open(table, encoding="utf-8") as stream:
            self.assertEqual(json.load(stream)["machine"], "Another, 8 cores")
        # Operations and kinds of synchronisation are merged into one table for a machine.
        for words in (("gather", "-size", 8), ("gather", "-size", 8, "-sync", "my"), ("gather", "-size", "64K")):
            done = self.call(*words, "-threads", 8, "-machine", NODE, "-table", table, "-for", "Another, 8 cores")
            self.assertEqual(done.returncode, 0, done.stderr)
        with open(table, encoding="utf-8") as stream:
            rules = json.load(stream)["rules"]
        self.assertEqual(set(rules), {"broadcast", "gather"})
        self.assertEqual(["all,all" in rule["sync"] for rule in rules["gather"]], [True, False])
        others = [self.folder.name, self.file("notes", "{}")]
        for rules in (5, {"gather": 5}, {"gather": [1, 2]}):
            text = json.dumps({"schema": "banyan-collectives-1", "rules": rules})
            others.append(self.file(f"rules{len(others)}", text))
        for other in others:
            self.refused("exists and is not a table of rules", "gather", "-machine", NODE, "-table", other)

    def test_a_table_of_several_nodes_has_rules_for_them(self):
        """The rules for one node stay; each number of nodes stands for all up to it."""
        table = os.path.join(self.folder.name, "nodes.json")
        machine = self.file("four", "node core:2 pu:1\nnodes 4\n")
        for counts in (("2", "-nodes", "1"), ("2,8",)):
            done = self.call("broadcast", "-size", "8,64K", "-machine", machine, "-table", table, "-threads", *counts)
            self.assertEqual(done.returncode, 0, done.stderr)
        with open(table, encoding="utf-8") as stream:
            rules = json.load(stream)["rules"]["broadcast"]
        self.assertEqual({(rule.get("min_nodes"), rule.get("max_nodes")) for rule in rules},
                         {(None, None), (2, 2), (3, 0)})
        self.refused("barriers between nodes have only one way", "barrier", "-threads", 4, "-machine", machine,
                     "-table", table)
        for nodes, least in (("2", 2), ("4", 3)):
            said = self.explained(table, "8", "--nodes", nodes).split("on nodes", 1)[1].split("MPI")[0]
            self.assertIn(next(rule["entry"] for rule in rules if rule.get("min_nodes") == least), said)
            self.assertIn("nodes.json: simulated", said)
        self.assertNotIn("on nodes", self.explained(table, "8", "--nodes", "1"))

    def explained(self, table, nbytes, *more):
        return subprocess.run([os.path.join(BIN, "banyan-info"), "--explain", "broadcast", nbytes, "-n", "8", *more],
                              env=dict(self.env, BANYAN_COLL_TABLE=table), capture_output=True, text=True, timeout=60,
                              check=True).stdout

    def check_a_program_follows(self, table):
        """Runs a program with a table that names a way which is not the built-in choice"""
        with open(table, encoding="utf-8") as stream:
            text = json.load(stream)
        for rule in text["rules"]["broadcast"]:
            rule["entry"] = "pull/chain/chunks"
        with open(table, "w", encoding="utf-8") as stream:
            json.dump(text, stream)
        source = self.file("way.upc", """#include <banyan/coll.h>
            #include <stdio.h>
            #include <upc.h>
            #include <upc_collective.h>
            static shared [64] char a[64 * THREADS], b[64 * THREADS];
            int main(void)
            {
                upc_all_broadcast(b, a, 64, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
                if (MYTHREAD == 0)
                    puts(bn_coll_way("broadcast", 64, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC));
            }
            """)
        program = os.path.join(self.folder.name, "way")
        subprocess.run([os.path.join(BIN, "upcc"), source, "-o", program], env=self.env, timeout=60, check=True)
        done = subprocess.run([os.path.join(BIN, "upcrun"), "-n", "2", program], timeout=60, capture_output=True,
                              text=True, env=dict(self.env, BANYAN_COLL_TABLE=table), check=True)
        self.assertEqual(done.stdout.strip(), "pull/chain/chunks", done.stderr)

    def test_a_node_of_lstopo(self):
        path = os.path.join(HERE, "..", "fixtures", "machines", "laptop.xml")
        self.assertEqual(self.call("barrier", "-machine", path).returncode, 0)


class Refusals(Sim):
    def test_command_line(self):
        self.refused("is not an operation; there are broadcast", "bradcast", status=2)
        self.refused("is not a way of gather; there are all, push/flat/whole", "gather", "-way", "nosuch", status=2)
        self.refused("is not a number of bytes", "gather", "-size", "many", status=2)
        self.refused("moves one value", "reduce", "-size", 8, status=2)
        self.refused("--order sideways is none of", "gather", "-order", "sideways", status=2)
        self.refused("--sync half is none of", "gather", "-sync", "half", status=2)
        self.refused("--root: there is no thread 8", "gather", "-root", 8, "-machine", NODE, status=2)
        self.refused("--nodes 3 is more than the 2 threads", "gather", "-nodes", 3, "-threads", 2, status=2)
        self.refused("is neither a file nor a description", "gather", "-machine", "nosuch")
        self.refused("--machine has no value", "gather", "-machine", "", status=2)
        self.assertEqual(self.call("gather", "-threads", 2000000).returncode, 2)
        self.assertEqual(self.call("gather", "--nosuch").returncode, 2)

    def test_ways_that_cannot_be_taken(self):
        words = ("-threads", 8, "-machine", NODE, "-size", "64K", "-way")
        self.refused("the algorithm of the library below is not known", "broadcast", *words, "native")
        self.refused("stages belong to MPI", "broadcast", *words, "push-pull/flat/stage")
        self.refused("mail is there over several nodes", "broadcast", *words, "push-pull/flat.flat/mail")
        self.refused("carries 8 KiB at most", "broadcast", *words, "pull/flat/room")
        self.refused("there is no room for blocks of so many", "gather", "-threads", 1040, "-machine", NODE, "-size", 8,
                     "-way", "pull/flat/room")
        self.refused("more than 100,000,000 steps", "exchange", "-threads", 65536, "-size", 8, "-machine", NODE,
                     "-way", "pull/flat/whole")

    def test_files_without_end(self):
        self.refused("/dev/full exists and is not a table of rules", "barrier", "-machine", NODE, "-table", "/dev/full")
        self.refused('machine "/dev/zero": is a device', "barrier", "-machine", "/dev/zero")
        path = os.path.join(self.folder.name, "vast")
        with open(path, "wb") as vast:
            os.truncate(vast.fileno(), 1 << 40)
        self.refused(f"{path} cannot be read", "barrier", "-machine", path)
        with open(path, "wb") as vast:
            vast.write(b"<")
            os.truncate(vast.fileno(), 1 << 40)
        self.refused(f"{path} cannot be read", "barrier", "-machine", path)

    def test_descriptions(self):
        for line, message in (("nodez 3", '"nodez" is not a keyword of machine descriptions'),
                              ("nodes many", "is not a number from 1"),
                              ("network ring 4", "a network is flat, tree"),
                              ("network torus 4x", "has too few or too many numbers"),
                              ("nic speed=3", '"nic" has no speed'), ("nic latency=3", '"3" is not a time'),
                              ("nic bandwidth=fast", "does not begin with a number"),
                              ("link bandwidth=3", "is not a bandwidth"),
                              ("line moon=3us", '"moon" is not a distance'), ("copy cache", "copy takes a distance"),
                              ("copy cache 4K", "is not of the form"), ("switch", "switch takes one value"),
                              ("copy cache to=lent 4K=1us", "is neither to=read nor to=written"),
                              ("copy cache 4K=0us", "the time must be above 0"),
                              ("copy cache 4K=1us 4K=2us", "two times for the same size"), ("node", "node takes"),
                              ("turn nanns", "does not begin with a number"), ("turn 1e300s", "too large a number"),
                              ("turn 0x1us", "is not a time"), ("nic latency=infs", "does not begin with a number"),
                              ("held 1M", "is not of the form"),
                              ("node pack:1", '"node" is given twice'),
                              ("line self=1ns self=2ns", '"line self" is given twice'),
                              ("held", "held takes BYTES=PART"), ("held 1M=200%", "is not a percentage")):
            path = self.file("wrong", f"node {NODE}\n\n{line}\n")
            self.refused(f"{path}:3: ", "barrier", "-machine", path)
            self.refused(message, "barrier", "-machine", path)
        self.refused('"copy cache to=read" is given twice', "barrier", "-machine", self.file(
            "twice", "copy cache 4K=1us\ncopy cache to=read 4K=1us\ncopy core 4K=1us\ncopy cache to=read 8K=1us\n"))
        path = self.file("wrong", "\nnode nosuch:1\n")
        self.refused(f"{path}:2: this is no node", "barrier", "-machine", path)
        for network in ("torus 65536x65536", "torus 2048x1024x512", "torus " + "x".join(["1048576"] * 6),
                        "dragonfly 2x65536x1", "dragonfly 100000x2x2", "dragonfly 16x1024x1048576"):
            self.refused("has more than 16777216 nodes or links", "barrier", "-machine", self.cluster(network))
        self.refused("there would be 4,294,967,296 threads", "barrier", "-machine",
                     self.file("vast", "node pack:64 core:64 pu:1\nnodes 1048576\n"))
        self.refused("the network has room for 4 nodes", "barrier", "-threads", 64, "-machine",
                     self.cluster("torus 2x2"))


class Calibration(Sim):
    def tune(self, *words, beside=lambda command: command):
        command = beside([os.path.abspath(os.path.join(BIN, "banyan-tune")), "--calibrate", *words])
        return subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=240, check=False)

    # With the network, if there can be hosts
    def measured(self):
        if multihost.why_not() or multihost.why_no_oshrun() or multihost.why_no_delay():
            return self.tune(), False
        with multihost.Hosts(2, "1gbit", delay="5ms") as hosts:
            done = self.tune("--hosts", "h0,h1", beside=hosts.with_settings)
        return done, True

    def test_what_is_measured_is_read(self):
        for name in ("banyan-tune", "banyan-sim"):
            self.assertTrue(os.path.exists(os.path.join(BIN, name)))
        done, has_network = self.measured()
        self.assertEqual(done.returncode, 0, done.stderr)
        path = os.path.join(self.folder.name, ".config", "banyan", "machine")
        self.assertEqual(done.stdout.strip(), path)
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        for word in ("copy    self", "memory  bandwidth=", "switch ", "call "):
            self.assertIn(word, text)
        self.assertIn(path, self.call("barrier", "-threads", 4, "-nodes", 1).stdout)
        self.assertEqual(self.tune("--quick").returncode, 2)
        if has_network:
            self.assertIn("Of the network between h0 and h1", text)
            latency = re.search(r"^nic +latency=([0-9.e+]+)us overhead=.*us gap=.*us bandwidth=.*M$", text, re.M)
            self.assertGreater(float(latency[1]), 4500)
            self.assertEqual(os.listdir(os.path.dirname(path)), ["machine"])  # the program has been removed

    def test_hosts_that_are_none(self):
        self.assertIn("--hosts takes two names", self.tune("--hosts", "one").stderr)
        self.assertEqual(self.tune("--hosts", "one").returncode, 2)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(BIN, "banyan-sim")):
        print("banyan-sim is left out of this build")
        sys.exit(77)
    unittest.main()
