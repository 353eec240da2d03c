#!/usr/bin/env python3
"""The harness over MPI and OpenSHMEM, where they are installed: it builds, results are right, and they can be compared
with UPC's."""

import concurrent.futures
import contextlib
import io
import json

import suite

from uoms import compare, files, stats

# (target, variable, compiler, command that starts 2 processes)
PEERS = [
    ("mpi", "MPICC", "mpicc.mpich", ["mpirun.mpich", "-n", "2"]),
    (
        "mpi",
        "MPICC",
        "mpicc.openmpi",
        ["mpirun.openmpi", "--mca", "mpi_yield_when_idle", "1", "--mca", "osc", "^rdma", "-n", "2"],
    ),
    (
        "shmem",
        "OSHCC",
        "oshcc",
        ["oshrun", "--mca", "mpi_yield_when_idle", "1", "--mca", "opal_common_ucx_opal_mem_hooks", "0", "-n", "2"],
    ),
]

# Unsigned operators are wrong in some versions of Open MPI, so they are left to users who measure them.
CHOSEN = [
    "broadcast",
    "scatter",
    "gather",
    "gather_all",
    "exchange",
    "permute",
    "*reduce*_D",
    "*reduce*_I",
    "get",
    "put",
    "atomic_add",
    "atomic_cswap",
    "barrier",
]


class Peers(suite.Test):
    def build(self, target, variable, compiler, _):
        return suite.run(
            [
                "make",
                "--silent",
                "-C",
                suite.ROOT / "bench" / "peers",
                target,
                f"{variable}={compiler}",
                f"BUILD={self.folder}/{compiler}",
                "CFLAGS=-O1 -Wall -Wextra",  # it is not about speed
            ]
        )

    def check(self, target, compiler, start):
        program = self.folder / compiler / f"uoms-{target}"
        listed = suite.run([*start, program, "-list"]).out
        names = [
            name
            for name in CHOSEN
            if f" {name} " in listed or ("*" in name and name.rsplit("_", 1)[1].strip("*") + " " in listed)
        ]
        path = self.folder / "peer.json"
        result = suite.run(
            [*start, program, "-minsize", "16", "-maxsize", "1K", "-time", "0.001", "-quiet", "-json", path, *names]
        )
        self.assertEqual(result.status, 0, result.err[-3000:])
        document = json.loads(path.read_text())
        self.assertTrue(all(row.get("verified", True) for row in document["results"]))
        self.assertEqual(document["context"]["threads"], 2)
        self.assertNotIn("RANK", " ".join(document["context"]["environment"]))  # variables that identify processes
        self.assertEqual(len(document["results"][0]["raw"]), 2)
        return document

    def assert_same_batches(self, *documents):
        """Comparing samples of single calls with samples of many calls would be meaningless."""
        batches = [{(row["operation"], row["bytes"]): row["batch"] for row in each["results"]} for each in documents]
        common = set(batches[0]) & set(batches[1])
        self.assertLessEqual({("barrier", 0), ("broadcast", 16), ("get", 16), ("put", 16)}, common)
        for key in common:
            self.assertEqual(batches[0][key], batches[1][key], key)

    def test_each(self):
        installed = [peer for peer in PEERS if not suite.has(peer[2], peer[3][0])]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            built = list(pool.map(lambda peer: self.build(*peer), installed))
        for (target, _, compiler, start), result in zip(installed, built):
            with self.subTest(compiler):
                self.assertEqual(result.status, 0, result.err)
                peers = [self.check(target, compiler, start)] * 2
                common = ("broadcast", "exchange", "barrier", "get", "put", "atomic_add")
                upc = [self.results(2, *common, "-minsize", "16", "-maxsize", "64", "-time", "0.001")] * 2
                self.assert_same_batches(peers[0], upc[0])
                (self.folder / "peer.json").write_text(files.launches_text(peers))
                (self.folder / "upc.json").write_text(files.launches_text(upc))
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    compare.main(["--files", f"upc={self.folder}/upc.json", f"peer={self.folder}/peer.json"])
                self.assertRegex(out.getvalue(), r"(?m)^exchange +2 +32 ")


if __name__ == "__main__":
    suite.main("neither MPI nor OpenSHMEM is installed" if all(suite.has(peer[2]) for peer in PEERS) else None,
               stats.library)
