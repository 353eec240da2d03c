#!/usr/bin/env python3
"""Warnings: scripts/warnings reads what has not been built, and not what was built; where they stop a build."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts" / "warnings"
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(small C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-Wall -Werror)
add_custom_command(OUTPUT generated.c COMMAND ${CMAKE_COMMAND} -E echo "int generated(void);" > generated.c VERBATIM)
add_library(built STATIC built.c)
add_library(rest STATIC rest.c generated.c)
add_library(another STATIC EXCLUDE_FROM_ALL another.c)
"""


def warnings(folder):
    return subprocess.run([sys.executable, SCRIPT, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Warnings(unittest.TestCase):
    def test_the_rest_of_a_build(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "CMakeLists.txt").write_text(PROJECT)
            for file in ("built", "rest", "another"):
                (folder / f"{file}.c").write_text(f"int {file};\n")
            subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build"], check=True,
                           stdout=subprocess.DEVNULL)
            subprocess.run(["ninja", "-C", folder / "build", "built"], check=True,
                           stdout=subprocess.DEVNULL)
            for file in ("built", "another"):
                (folder / f"{file}.c").write_text("not read\n")
            result = warnings(folder / "build")
            self.assertEqual((result.returncode, result.stdout), (0, "2 more files read\n"))
            (folder / "rest.c").write_text("int *pointer = 1;\n")
            result = warnings(folder / "build")
            self.assertEqual(result.returncode, 1)
            self.assertIn("rest.c", result.stdout)
            self.assertIn("int-conversion", result.stdout)

    def test_no_folder_of_a_build(self):
        with tempfile.TemporaryDirectory() as name:
            result = warnings(name)
        self.assertEqual(result.returncode, 1)
        self.assertIn("FOLDER is a build folder", result.stdout)

    def test_stop_the_build_only_where_asked_for(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "scripts").symlink_to(ROOT / "scripts")
            (folder / "unused.c").write_text("static int unused;\n")
            (folder / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.20)
project(small C CXX)
include({ROOT}/cmake/BanyanBuild.cmake)
add_library(unused STATIC unused.c)
""")
            for option, is_good in (([], True), (["-DCMAKE_COMPILE_WARNING_AS_ERROR=ON"], False)):
                subprocess.run(["cmake", "-S", folder, "-B", folder / "build", *option], check=True,
                               stdout=subprocess.DEVNULL)
                result = subprocess.run(["cmake", "--build", folder / "build"], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
                self.assertIn("-Wunused-variable" if is_good else "-Werror=unused-variable", result.stdout)
                self.assertEqual(result.returncode == 0, is_good, result.stdout)


if __name__ == "__main__":
    unittest.main()
