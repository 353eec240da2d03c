#!/usr/bin/env python3
"""What uoms-report needs: it is said how to get it, it is put where the command looks, and the command goes on with
it."""

import importlib.util
import os
import pathlib
import shutil
import sys
import unittest

import suite

PACKAGE = suite.ROOT / "bench" / "report" / "uoms"
# In place of a package of the environment: tells that it was looked for there.
STAND_IN = "import sys\nprint('the environment is in use', *sys.argv[1:])\nsys.exit(7)\n"


class SetUp(suite.Test):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.tree = self.folder / "tree"
        self.grow(self.tree)
        self.environment = self.tree / "share" / "banyan" / "report-env"
        self.cache = self.folder / "cache"
        # An interpreter without anything beyond the standard library, whatever the machine has
        self.bare = self.folder / "bare"
        suite.run([sys.executable, "-m", "venv", "--without-pip", self.bare])

    def grow(self, tree):
        """A tree as installed, with nothing in its lock file"""
        (tree / "bin").mkdir(parents=True)
        text = (suite.ROOT / "bench/report/command.py.in").read_text()
        (tree / "bin/uoms-report").write_text(text.replace("@command@", "report"))
        shutil.copytree(PACKAGE, tree / "share/banyan/python/uoms", ignore=shutil.ignore_patterns("__pycache__"))
        (tree / "share/banyan/python/uoms/requirements.lock").write_text("# nothing\n")

    def report(self, *words, tree=None, **more):
        return suite.run(
            [self.bare / "bin/python", (tree or self.tree) / "bin/uoms-report", *words],
            XDG_CACHE_HOME=str(self.cache),
            **more,
        )

    def fill(self, environment):
        """An environment with a stand-in for the first package that is looked for"""
        suite.run([sys.executable, "-m", "venv", "--without-pip", environment])
        packages = next((environment / "lib").glob("python3*/site-packages"))
        (packages / "pandas.py").write_text(STAND_IN)

    def test_what_is_missing_is_named_with_the_command_that_brings_it(self):
        result = self.report("x.json")
        self.assertEqual(result.status, 2)
        self.assertIn(f"pandas is missing; '{self.tree}/bin/uoms-report --setup' brings it", result.err)

    def test_the_environment_of_the_tree_is_used_also_when_the_tree_was_moved(self):
        self.fill(self.environment)
        self.assertEqual(self.report("x.json", "-o", "y").out, "the environment is in use x.json -o y\n")
        self.tree.rename(self.folder / "moved")
        result = self.report("x.json", tree=self.folder / "moved")
        self.assertEqual((result.status, result.out), (7, "the environment is in use x.json\n"))

    def test_the_environment_in_the_cache_is_used(self):
        self.fill(self.cache / "banyan" / "report-env")
        self.assertEqual(self.report("x.json").status, 7)

    def test_an_environment_that_lacks_something_says_so_and_does_not_run_itself_for_ever(self):
        suite.run([sys.executable, "-m", "venv", "--without-pip", self.environment])
        result = self.report("x.json")
        self.assertEqual(result.status, 2)
        self.assertIn("pandas is missing", result.err)

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is missing")
    def test_setup_makes_it_in_the_tree_and_replaces_an_old_one(self):
        self.environment.mkdir()
        (self.environment / "old").touch()
        result = self.report("--setup")
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertIn(str(self.environment), result.out)
        self.assertTrue((self.environment / "bin/python").exists())
        self.assertFalse((self.environment / "old").exists())
        self.assertEqual([path.name for path in self.environment.parent.glob("report-env*")], ["report-env"])

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is missing")
    def test_setup_makes_it_in_the_cache_where_the_tree_is_not_to_be_written(self):
        (self.tree / "share/banyan").chmod(0o555)
        self.addCleanup((self.tree / "share/banyan").chmod, 0o755)
        # Root may write where the mode forbids it, but for a capability.
        root = ["setpriv", "--bounding-set=-dac_override"] if os.getuid() == 0 else []
        if root and suite.has("setpriv"):
            self.skipTest("setpriv is missing")
        command = [*root, self.bare / "bin/python", self.tree / "bin/uoms-report", "--setup"]
        result = suite.run(command, XDG_CACHE_HOME=str(self.cache))
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertTrue((self.cache / "banyan/report-env/bin/python").exists())
        self.assertFalse(self.environment.exists())

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is missing")
    def test_what_cannot_be_installed_is_told_and_leaves_nothing(self):
        (self.tree / "share/banyan/python/uoms/requirements.lock").write_text("pandas==2.0\n")
        result = self.report("--setup", PIP_NO_INDEX="1")
        self.assertEqual(result.status, 2)
        self.assertIn("No matching distribution found for pandas==2.0", result.err)
        self.assertEqual(list(self.environment.parent.glob("report-env*")), [])

    def test_make_puts_it_where_the_command_looks(self):
        result = suite.run(["make", "-n", "-C", suite.ROOT, "report-env", "BUILD=elsewhere"])
        self.assertIn("environment.py elsewhere/share/banyan/report-env\n", result.out)
        sys.path.insert(0, str(PACKAGE.parent))
        from uoms import environment

        places = environment.places()
        self.assertEqual(places[0], pathlib.Path(environment.__file__).absolute().parents[2] / "report-env")

    def test_the_lock_has_all_that_the_package_names(self):
        named = (suite.ROOT / "bench/report/pyproject.toml").read_text().split("dependencies = [")[1].split("]")[0]
        lock = (PACKAGE / "requirements.lock").read_text()
        names = [word.strip(' "').split(">=")[0] for word in named.split(",")]
        self.assertIn("pandas", names)
        for name in names:
            self.assertRegex(lock, rf"(?m)^{name}==")


if __name__ == "__main__":
    suite.main()
