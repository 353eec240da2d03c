#!/usr/bin/env python3
"""Checks the pictures that banyan-info --shape draws, and the requests that it refuses.

    drawings.py --banyan-info PROGRAM
"""
import argparse
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

SERVER = "pack:2 [numa] l3:2 core:4 pu:1"
SVG = "{http://www.w3.org/2000/svg}"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("BANYAN_")}
PROGRAM = ""


def run(*options):
    return subprocess.run([PROGRAM, *options], capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)


def draw(*options):
    done = run("--machine", SERVER, *options)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(done.stderr)
    return done.stdout


CASES = (
    # options, threads, edges
    (("--shape", "binomial.binomial.flat", "--nodes", "3", "--root", "17"), 48, 47),
    (("--shape", "distance", "--order", "random:3"), 16, 15),
    (("--shape", "chain", "--threads", "100"), 100, 99),
    (("--shape", "flat", "--threads", "1"), 1, 0),
    (("--shape", "binomial.flat", "--nodes", "64"), 1024, 1023),
    (("--shape", "ring", "--order", "cyclic"), 16, 16),
    (("--shape", "ring-by-rank", "--nodes", "20", "--order", "random:1"), 320, 320),
)


class Pictures(unittest.TestCase):
    def test_svg_shows_each_thread_once_and_all_edges(self):
        for options, threads, edges in CASES:
            with self.subTest(options=options):
                root = ElementTree.fromstring(draw(*options, "--format", "svg"))
                circles = list(root.iter(SVG + "circle"))
                names = sorted(circle.find(SVG + "title").text for circle in circles)
                self.assertEqual(names, sorted(f"thread {i}" for i in range(threads)))
                paths = [path for path in root.iter(SVG + "path") if not path.findall(SVG + "title")]
                self.assertEqual(len(paths), edges)

    def test_svg_keeps_threads_apart_and_inside(self):
        for options, _, _ in CASES:
            with self.subTest(options=options):
                root = ElementTree.fromstring(draw(*options, "--format", "svg"))
                width, height = (float(root.get(name)) for name in ("width", "height"))
                circles = sorted(tuple(float(circle.get(name)) for name in ("cx", "cy", "r"))
                                 for circle in root.iter(SVG + "circle"))
                for x, y, r in circles:
                    self.assertTrue(r <= x <= width - r and r <= y <= height - r)
                for i, (x, y, r) in enumerate(circles):
                    for other_x, other_y, other_r in circles[i + 1:]:
                        if other_x - x > 2 * r:
                            break
                        self.assertGreaterEqual((other_x - x) ** 2 + (other_y - y) ** 2, (r + other_r) ** 2)

    def test_dot_has_the_edges_of_the_text(self):
        for options, _, edges in CASES:
            with self.subTest(options=options):
                text = draw(*options, "--format", "dot")
                found = re.findall(r"^  (\d+) -> (\d+) ", text, re.M)
                self.assertEqual(len(set(found)), edges)
                self.assertEqual(text.count("{"), text.count("}"))

    def test_the_title_says_what_it_is(self):
        text = draw("--shape", "binomial", "--nodes", "2", "--nodes-per-switch", "1", "--root", "3")
        self.assertEqual(text.splitlines()[0], f"binomial: 32 threads in block order on 2 nodes of {SERVER}, "
                         "1 node at a switch, root 3, depth 5")

    def test_n_gives_the_number_of_threads_too(self):
        self.assertIn("flat: 5 threads in", draw("--shape", "flat", "-n", "5"))

    def test_this_machine(self):
        done = run("--shape", "binomial.flat", "--nodes", "2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("on 2 nodes of this machine, root 0", done.stdout)


class Refusals(unittest.TestCase):
    def refuses(self, message, *options):
        done = run("--machine", SERVER, *options)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.returncode, 1)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_wishes_that_make_no_sense(self):
        self.refuses("banyan-info: --shape tree is not a shape, which is 1 to 5 of flat, binomial", "--shape", "tree")
        self.refuses("--order backwards is none of block, cyclic, random", "--shape", "flat", "--order", "backwards")
        self.refuses("--order random:x is none of", "--shape", "flat", "--order", "random:x")
        self.refuses("--root: there is no thread 16; threads are numbered from 0 to 15",
                     "--shape", "flat", "--root", "16")
        self.refuses("--root: there is no thread -1", "--shape", "flat", "--root=-1")
        self.refuses("9 nodes need at least as many threads, but there are 8", "--shape", "flat", "--nodes", "9",
                     "-n", "8")
        self.refuses("pictures show at most 4096; use --format text", "--shape", "flat", "--threads", "5000",
                     "--format", "svg")
        self.refuses("at most 1048576 can be drawn", "--shape", "flat", "--nodes", "100000")

    def test_machines_that_there_are_not(self):
        for options in (("--shape", "flat"), ()):
            done = run("--machine", "no machine", *options)
            self.assertEqual(done.returncode, 1)
            self.assertIn('machine "no machine": is neither a file nor a description', done.stderr)

    def test_options_without_shape(self):
        done = run("--root", "3")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--shape", done.stderr)


class Facts(unittest.TestCase):
    def test_threads_that_share_a_part(self):
        done = subprocess.run([PROGRAM, "-n", "4"], capture_output=True, text=True, timeout=60, check=False,
                              env={**ENVIRONMENT, "BANYAN_TOPOLOGY": "pack:2 [numa] l3:1 core:2 pu:1"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("    node, board: 0-3\n    socket, numa, die, cache: 0 1 | 2 3\n    core: 0 | 1 | 2 | 3\n",
                      done.stdout)


def main():
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--banyan-info", required=True, metavar="PROGRAM")
    args, rest = parser.parse_known_args()
    PROGRAM = os.path.realpath(args.banyan_info)
    if not os.path.isfile(PROGRAM):
        print("banyan-info was not built")
        return 77
    if "can be read by hwloc only" in run("--machine", SERVER).stderr:
        print("libhwloc is not there")
        return 77
    return 0 if unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
