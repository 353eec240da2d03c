#!/usr/bin/env python3
"""The recipes for Spack and conda, as far as they can be tested without either: they are read with stand-ins for the
Spack modules that they use, and must require what scripts/requirements says."""
import re
import runpy
import sys
import types
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPACK = ROOT / "packaging/spack/spack_repo/banyan"
CONDA = ROOT / "packaging/conda/recipe.yaml"
WORDS = ("license", "version", "variant", "depends_on", "conflicts", "generator")


def required():
    """{name: oldest version} from scripts/requirements"""
    rows = [line.split() for line in (ROOT / "scripts/requirements").read_text().splitlines() if line[:1] not in "#"]
    return {row[0]: row[2] for row in rows if row}


class CMakePackage:
    """The part of Spack's class that the recipe calls"""

    def __init__(self, variants, mpi):
        self.variants, self.mpi = variants, mpi
        self.spec = self

    def __getitem__(self, name):
        assert name == "mpi"
        return types.SimpleNamespace(mpicc=f"/{self.mpi}/bin/mpicc")

    def satisfies(self, condition):
        known = {f"+{name}" for name in self.variants} | ({f"^{self.mpi}"} if "mpi" in self.variants else set())
        return set(condition.split()) <= known

    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return self.define(name, "ON" if variant in self.variants else "OFF")


def read_by_spack():
    """The recipe's class, and [(word, arguments)] of the directives in its body"""
    said = []
    for name in ("spack", "spack.package", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems",
                 "spack_repo.builtin.build_systems.cmake"):
        sys.modules[name] = types.ModuleType(name)
    for word in WORDS:
        home = "spack_repo.builtin.build_systems.cmake" if word == "generator" else "spack.package"
        setattr(sys.modules[home], word, lambda *words, word=word, **more: said.append((word, words, more)))
    sys.modules["spack_repo.builtin.build_systems.cmake"].CMakePackage = CMakePackage
    return runpy.run_path(str(SPACK / "packages/banyan/package.py"))["Banyan"], said


def options_of_cmake():
    folders = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(("build", "."))]
    files = [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake")]
    files += [path for folder in folders for path in folder.rglob("CMakeLists.txt")]
    texts = [path.read_text() for path in files]
    found = "|".join((r"option\((\w+)", r"find_program\((\w+)", r"set\((\w+)[^)]*\bCACHE\b"))
    return {name for text in texts for names in re.findall(found, text) for name in names if name}


class Spack(unittest.TestCase):
    def test_the_repository_is_where_its_namespace_says(self):
        """Package API 2: spack_repo/NAMESPACE/packages/NAME/package.py"""
        said = dict(re.findall(r"^  (\w+): (\S+)$", (SPACK / "repo.yaml").read_text(), re.M))
        self.assertEqual(said, {"namespace": SPACK.name, "api": "v2.0"})
        self.assertEqual(SPACK.parent.name, "spack_repo")

    def test_versions_are_those_that_are_required(self):
        _, said = read_by_spack()
        asked = dict(re.fullmatch(r"([\w-]+)(?:@(.*):)?", words[0]).groups() for word, words, _ in said
                     if word == "depends_on")
        self.assertEqual((asked["cmake"], asked["hwloc"]), (required()["cmake"], required()["hwloc.h"]))
        newest_refused = next(words[0] for word, words, _ in said if word == "conflicts" and "gcc" in words[0])
        self.assertEqual(newest_refused, f"%gcc@:{int(required()['gcc']) - 1}")

    def test_cmake_is_asked_for_what_it_knows(self):
        recipe, _ = read_by_spack()
        for variants, mpi, mpis in (((), None, ("OFF", "OFF")), (("mpi",), "mpich", ("OFF", "/mpich/bin/mpicc")),
                                    (("mpi", "shmem"), "openmpi", ("/openmpi/bin/mpicc", "OFF"))):
            settings = dict(word[2:].split("=") for word in recipe(variants, mpi).cmake_args())
            self.assertEqual((settings["BANYAN_MPI_OPENMPI"], settings["BANYAN_MPI_MPICH"]), mpis)
            self.assertEqual(settings["BANYAN_SHMEM"], "ON" if "shmem" in variants else "OFF")
            self.assertLessEqual(set(settings), options_of_cmake())


class Conda(unittest.TestCase):
    def test_cmake_is_asked_for_what_it_knows(self):
        asked = set(re.findall(r"-D(BANYAN_\w+)=", CONDA.read_text()))
        self.assertTrue(asked)
        self.assertLessEqual(asked, options_of_cmake())

    def test_versions_are_those_that_are_required(self):
        text = CONDA.read_text()
        self.assertEqual(re.search(r"cmake >=(\S+)", text)[1], required()["cmake"])
        version = re.search(r"project\(banyan VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(re.search(r"^  version: (\S+)", text, re.M)[1], version)


if __name__ == "__main__":
    unittest.main()
