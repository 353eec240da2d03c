#!/usr/bin/env python3
"""Runs programs of apps in C, with OpenMP and over MPI: results are right with several numbers of threads or processes.

Small sizes; with --long the usual ones, also in UPC.  The small runs in UPC are in apps/tests.txt.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import jobs

APPS = os.path.abspath(os.path.join(jobs.TESTS, "..", "apps"))
LONG = "--long" in sys.argv
COUNTS = (1, 2, 3, 4, 7, 8) if LONG else (1, 3)
MPI = next((name for name in ("openmpi", "mpich") if shutil.which("mpicc." + name)), None)
# Program: arguments, and those with --long.  The ending names the form: _seq, _omp, _mpi, or UPC.
RUNS = {
    "uts_seq": (["G6"], ["T1"], ["T3"]),
    "uts_omp": (["G6"], ["T1"], ["T3"]),
    "uts": ((), ["T1"], ["T3"]),
    "bfs_seq": (["7", "4"], ["16", "16"]),
    "bfs_hybrid": (["7", "2", "--lazy", "--barrier"], *(["12", "8", *more] for more in ((), ("--lazy",), ("--barrier",),
                                                                                       ("--lazy", "--barrier")))),
    "bfs": ((), ["15", "8"]),
    "genome": ((), ["100000"]),
    "genome_hybrid": (["250"], ["1000"]),  # each question waits for a core, which takes long on a busy machine
    "stencil_seq": (["9", "5"], ["64", "20"]),
    "stencil_hybrid": (["5", "7"], ["5", "7", "--funnelled"], ["64", "20"], ["64", "20", "--funnelled"]),
    "stencil": ((), ["64", "20"]),
    "histogram": ((), ["300000"]),
    "gather": ((), ["300000"]),
    "permute": ((), ["100000"]),
    "hash": ((), ["100000"]),
    "toposort": ((), ["20000"]),
}

# Numbers of processes without --long, for programs where each question and answer waits for a core
FEW = {"genome_hybrid": (1, 2)}

# Finds the tree of a graph level by level, and prints the check's verdict when the tree is damaged
TREES = """
static int tree[1 << 10], queue[1 << 10], copy[1 << 10];
static int told(const struct graph *graph, int root, int vertex, int parent)
{
    for (int v = 0; v < 1 << 10; v++)
        copy[v] = v == vertex ? parent : tree[v];
    return graph_is_wrong(graph, root, copy);
}
int main(void)
{
    struct graph graph = graph_make(10, 1, 0, graph_deal_alone);
    int root = graph_root(&graph, 0, graph_any_alone), head = 0, tail = 0;
    for (int v = 0; v < 1 << 10; v++)
        tree[v] = GRAPH_NOBODY;
    tree[root] = root;
    for (queue[tail++] = root; head < tail; head++)
        for (long e = graph.first[queue[head]]; e < graph.first[queue[head] + 1]; e++)
            if (tree[graph.neighbours[e]] == GRAPH_NOBODY) {
                tree[graph.neighbours[e]] = queue[head];
                queue[tail++] = graph.neighbours[e];
            }
    int last = queue[tail - 1], stranger = 0;
    while (graph_is_joined(&graph, stranger))
        stranger++;
    /* right; a cycle; a vertex left out; one too many; a parent outside the tree; a child as parent */
    int child = 0;
    for (long e = graph.first[queue[1]]; e < graph.first[queue[1] + 1]; e++)
        if (tree[graph.neighbours[e]] == queue[1])
            child = graph.neighbours[e];
    printf("%d %d %d %d %d %d\\n", told(&graph, root, root, root), told(&graph, root, tree[last], last),
           told(&graph, root, last, GRAPH_NOBODY), told(&graph, root, stranger, root),
           told(&graph, root, last, stranger), told(&graph, root, queue[1], child));
    return 0;
}
"""


def run(command, **more):
    # Settings that Open MPI needs for more processes than cores, and for root in a container
    env = jobs.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                           **jobs.harness.OVERSUBSCRIBE, OMPI_MCA_mpi_yield_when_idle="1",
                           OMPI_MCA_plm_rsh_agent="false", MPIR_CVAR_POLLS_BEFORE_YIELD="1", **more)
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=jobs.LIMIT, env=env, check=False)


def is_over_mpi(program):
    return program.endswith(("_mpi", "_hybrid"))


class Forms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-forms-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.runs = {name: [words for words in sizes[1 if LONG else 0:][:None if LONG else 1] if words]
                    for name, sizes in RUNS.items() if MPI or not is_over_mpi(name)}
        made = run(["make", "--silent", "-C", APPS, f"BUILD={cls.folder}", f"UPCC={jobs.BIN}/upcc", "CFLAGS=-O2",
                    *(cls.path(name) for name, sizes in cls.runs.items() if sizes)])
        if made.returncode != 0 or made.stderr:
            raise AssertionError(made.stdout + made.stderr)

    @classmethod
    def path(cls, program):
        return os.path.join(cls.folder, MPI if is_over_mpi(program) else "", program)

    def test_all_forms(self):
        for program, sizes in self.runs.items():
            for words in sizes:
                for n in (1,) if program.endswith("_seq") else COUNTS if LONG else FEW.get(program, COUNTS):
                    with self.subTest(program=program, arguments=words, n=n):
                        self.is_right(program, words, n)

    def is_right(self, program, words, n):
        before, more = [], {}
        if program.endswith("_omp"):
            more = {"OMP_NUM_THREADS": str(n)}
        elif is_over_mpi(program):
            before = [f"mpirun.{MPI}", "-n", n]
            more = {"OMP_NUM_THREADS": "2"}
        elif not program.endswith("_seq"):
            before = [jobs.UPCRUN, "-n", n]
        done = run([*before, self.path(program), *words], **more)
        what = f"status {done.returncode}\n{done.stdout}{done.stderr}"
        self.assertEqual((done.returncode, done.stderr), (0, ""), what)
        self.assertNotIn("WRONG", done.stdout, what)
        self.assertRegex(done.stdout, rf"\bn {n}, [0-9.]+ s, .*: right\n", what)

    @unittest.skipUnless(os.path.exists(os.path.join(jobs.BIN, "..", "lib", "banyan", f"libbanyan-mpi-{MPI}.so")),
                         "no library for an MPI that is installed")
    def test_bench_has_threads(self):
        """The threads of hybrid programs are made safe by the library and by Banyan; a library that does not finish is
        shown and is no failure."""
        bench = os.path.join(APPS, "..", "bench", "apps", "run")
        done = run([bench, "--build", os.path.dirname(jobs.BIN), "--quick", "--kernels", "genome", "--threads", 2,
                    "--library-limit", "1e-6"])
        what = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, what)
        self.assertRegex(done.stdout, r"\| program \| n \| processes x threads \|.*"
                                      rf" {MPI}, threads \| {MPI}, arbitrated \| {MPI}, mutex \|", what)
        self.assertRegex(done.stdout, r"\| GENOME \| 2 \| 1 x 2 \|.*"
                                      r" not finished after 1e-06 s \| [0-9.]+ s \| [0-9.]+ s \|", what)

    def test_wrong_trees_are_told(self):
        """graph500.h: each of the specification's checks finds the errors that it is for."""
        source = os.path.join(self.folder, "trees.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(f'#include "{APPS}/bfs/graph500.h"\n' + TREES)
        made = run(["cc", "-O1", "-Wall", "-Wextra", source, "-o", source[:-2], "-lm"])
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertEqual(run([source[:-2]]).stdout, "0 1 1 1 1 1\n")

    def test_wrong_arguments_are_told(self):
        for program, sizes in self.runs.items():
            if sizes and program.endswith(("_seq", "_omp")):
                done = run([self.path(program), "nonsense"])
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("usage: ", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--long"])
