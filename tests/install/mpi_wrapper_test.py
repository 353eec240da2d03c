#!/usr/bin/env python3
"""cmake/BanyanMpiWrapper.cmake finds out which MPI a compiler wrapper belongs to, whatever the wrapper's name."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
include("%s/cmake/BanyanMpiWrapper.cmake")
banyan_mpi_abi_of(${WRAPPER} abi)
banyan_mpi_flags(${WRAPPER} flags)
message("${abi}|${flags}")
"""


class Wrapper(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="banyan-wrapper-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "script.cmake").write_text(SCRIPT % ROOT)

    def told(self, switch, header):
        """(ABI, flags) found for a wrapper that knows only this switch, and whose library has this header"""
        include = self.folder / "include of mpi"
        include.mkdir(exist_ok=True)
        (include / "mpi.h").write_text(header)
        wrapper = self.folder / "mpicc"
        wrapper.write_text(f'#!/bin/sh\n[ "$1" = {switch} ] && echo "gcc \\"-I{include}\\" -pthread -L/lib -lmpi"\n')
        wrapper.chmod(0o755)
        done = subprocess.run(["cmake", "-DCMAKE_C_COMPILER=" + os.environ.get("CC", "cc"), f"-DWRAPPER={wrapper}",
                               "-P", self.folder / "script.cmake"],
                              capture_output=True, text=True, check=True, timeout=60)
        abi, flags = done.stderr.strip().split("|")
        self.assertEqual(flags, f"-isystem{include}")
        return abi

    def test_by_what_the_header_says(self):
        for switch in ("-show", "--showme:compile"):
            self.assertEqual(self.told(switch, "#define OPEN_MPI 1\n"), "OPENMPI")
            self.assertEqual(self.told(switch, '#define MPICH_VERSION "4.2"\n'), "MPICH")
            self.assertEqual(self.told(switch, '#define I_MPI_VERSION "2021.14"\n'), "MPICH")
            self.assertEqual(self.told(switch, "#define MPI_VERSION 4\n"), "")
            self.assertEqual(self.told(switch, "#error not for C\n"), "")


if __name__ == "__main__":
    unittest.main()
