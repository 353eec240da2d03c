#!/usr/bin/env python3
"""What commands need beyond Python: messages say how to get it, it is installed where they look for it, and they
continue with it; commands that do not need it work without."""

import functools
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import unittest

import suite

PACKAGE = suite.ROOT / "bench" / "report" / "uoms"
# Replaces a package of the environment: reports that it was found there.
STAND_IN = "import sys\nprint('the environment is in use', *sys.argv[1:])\nsys.exit(7)\n"
ROW = {"name": "upc_barrier", "operation": "barrier", "group": "barrier", "threads": 2, "bytes": 0, "median": 5.0,
       "ci_low": 4.0, "ci_high": 6.0, "t_min": 3.0, "t_max": 9.0, "t_avg": 5.5, "repetitions": 10,
       "imb": {"t_min": 3.0, "t_max": 9.0, "t_avg": 5.5}}


class SetUp(suite.Test):
    @classmethod
    def setUpClass(cls):
        """Provides an interpreter with nothing but the standard library, whatever the machine has"""
        folder = tempfile.TemporaryDirectory(prefix="uoms-test-")
        cls.addClassCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        cls.bare = pathlib.Path(folder.name) / "bare"
        suite.run([sys.executable, "-m", "venv", "--without-pip", cls.bare])

    @classmethod
    @functools.cache
    def made(cls):
        """A folder where --setup has replaced an old environment, and how it ended.  Made once, since installing pip
        takes seconds."""
        folder = cls.bare.parent / "made"
        cls.grow(folder / "tree")
        old = folder / "tree/share/banyan/report-env"
        old.mkdir()
        (old / "old").touch()
        return folder, suite.run([cls.bare / "bin/python", folder / "tree/bin/uoms-report", "--setup"],
                                 XDG_CACHE_HOME=str(folder / "cache"))

    def quick_venv(self):
        """Variables with which Python's venv copies that environment instead of installing pip anew"""
        (self.folder / "quick").mkdir()
        (self.folder / "quick/venv.py").write_text(
            "import shutil, sys\n"
            f"shutil.copytree({str(self.made()[0] / 'tree/share/banyan/report-env')!r}, sys.argv[1], symlinks=True, "
            "dirs_exist_ok=True)\n")
        return {"PYTHONPATH": str(self.folder / "quick")}

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.tree = self.folder / "tree"
        self.grow(self.tree)
        self.environment = self.tree / "share" / "banyan" / "report-env"
        self.cache = self.folder / "cache"

    @staticmethod
    def grow(tree):
        """Makes a tree as if installed, with nothing in its lock file"""
        (tree / "bin").mkdir(parents=True)
        text = (suite.ROOT / "bench/report/command.py.in").read_text()
        for command in ("compare", "guidelines", "launches", "report"):
            (tree / f"bin/uoms-{command}").write_text(text.replace("@command@", command))
        shutil.copytree(PACKAGE, tree / "share/banyan/python/uoms", ignore=shutil.ignore_patterns("__pycache__"))
        (tree / "share/banyan/python/uoms/requirements.lock").write_text("# nothing\n")

    def command(self, name, *words, tree=None, **more):
        return suite.run(
            [self.bare / "bin/python", (tree or self.tree) / "bin" / name, *words],
            XDG_CACHE_HOME=str(self.cache),
            **more,
        )

    def report(self, *words, **more):
        return self.command("uoms-report", *words, **more)

    def fill(self, environment, name="matplotlib.py", text=STAND_IN):
        """Makes an environment, if it does not exist, with a stand-in for the first package that is looked for, or
        another"""
        if not environment.exists():
            suite.run([sys.executable, "-m", "venv", "--without-pip", environment])
        module = next((environment / "lib").glob("python3*/site-packages")) / name
        module.parent.mkdir(exist_ok=True)
        module.write_text(text)

    def result(self, name="one.json"):
        path = self.folder / name
        path.write_text(json.dumps({"format": "uoms-2", "context": {"threads": 2}, "results": [ROW]}))
        return path

    def program(self):
        """Replaces uoms: records its environment, and writes a result"""
        path = self.folder / "program.py"
        path.write_text(f"import os, sys\nopen({str(self.folder / 'log')!r}, 'a').write(repr(sorted(os.environ)))\n"
                        f"open(sys.argv[-1], 'w').write({self.result().read_text()!r})\n")
        return f"{sys.executable} {path}"

    def test_what_is_missing_is_named_with_the_command_that_brings_it(self):
        result = self.report("x.json")
        self.assertEqual(result.status, 2)
        self.assertIn(f"matplotlib is missing; '{self.tree}/bin/uoms-report --setup' brings it", result.err)

    def test_what_compares_says_so_before_it_measures(self):
        result = self.command("uoms-compare", f"a={self.program()}", f"b={self.program()}")
        self.assertEqual(result.status, 2)
        self.assertIn(f"scipy is missing; '{self.tree}/bin/uoms-report --setup' brings it", result.err)
        self.assertFalse((self.folder / "log").exists())

    def test_the_command_of_the_sources_is_that_of_make(self):
        sources = self.folder / "sources"
        shutil.copytree(PACKAGE, sources / "bench/report/uoms", ignore=shutil.ignore_patterns("__pycache__"))
        for here, command in ((sources, "make report-env"), (self.folder, f"make -C {sources} report-env")):
            result = suite.run(["env", "-C", here, self.bare / "bin/python", "-m", "uoms.compare", "a=true", "b=true"],
                               PYTHONPATH=str(sources / "bench/report"), XDG_CACHE_HOME=str(self.cache))
            self.assertEqual(result.status, 2)
            self.assertIn(f"scipy is missing; '{command}' brings it", result.err)
        self.fill(sources / "build/share/banyan/report-env", "scipy/__init__.py")
        result = suite.run([self.bare / "bin/python", "-m", "uoms.compare", "a=true", "b=true"],
                           PYTHONPATH=str(sources / "bench/report"), XDG_CACHE_HOME=str(self.cache))
        self.assertEqual((result.status, result.out), (7, "the environment is in use a=true b=true\n"))

    def test_what_needs_no_library_goes_without(self):
        one, more = self.result(), self.result("two.json")
        for name in ("uoms-compare", "uoms-guidelines", "uoms-launches", "uoms-report"):
            self.assertEqual(self.command(name, "--version").status, 0)
            self.assertEqual(self.command(name, "--help").status, 0)
        self.assertEqual(self.command("uoms-guidelines", one).out, "0 guidelines checked, 0 broken\n")
        result = self.command("uoms-guidelines", one, more)
        self.assertEqual((result.status, result.out), (2, ""))
        self.assertIn("scipy is missing; ", result.err)

    def test_launches_are_collected_without_intervals(self):
        both = self.folder / "both.json"
        for count, limits in (("1", r"4\.00 +6\.00"), ("2", "- +-")):
            result = self.command("uoms-launches", "--quiet", "-n", count, "--json", both, self.program())
            self.assertEqual(result.status, 0, result.err)
            self.assertRegex(result.out, rf"5\.00 +{limits}\n$")
            self.assertEqual("medians without their intervals over launches: scipy is missing; " in result.err,
                             count == "2")
            self.assertEqual(len(json.loads(both.read_text()).get("launches", [])), int(count))

    def test_pages_of_profiles_need_templates_alone(self):
        path = self.folder / "p.json"
        path.write_text('{"schema": "banyan-profile-1", "threads": 1, "operations": [], "moved_bytes": [[0]]}')
        self.assertIn(f"jinja2 is missing; '{self.tree}/bin/uoms-report --setup' brings it", self.report(path).err)
        self.fill(self.environment, "jinja2.py")
        self.assertEqual(self.report(path).out, f"the environment is in use {path}\n")

    def test_an_old_library_does_not_do(self):
        for name in ("__init__.py", "stats.py"):
            self.fill(self.environment, f"scipy/{name}", "")
        result = self.command("uoms-compare", "a=true", "b=true")
        self.assertIn("scipy 1.11 or newer is missing; ", result.err)

    def test_what_is_measured_does_not_see_where_the_library_came_from(self):
        self.fill(self.environment, "scipy/__init__.py", "")
        self.fill(self.environment, "scipy/stats.py", "import sys\nprint(sys.prefix)\nfalse_discovery_control = None\n"
                  "class t:\n    ppf = staticmethod(lambda *_: 2)\n")
        result = self.command("uoms-launches", "--quiet", "-n", "2", self.program())
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertEqual(result.out.splitlines()[0], str(self.environment))
        self.assertNotIn("PYTHONPATH", (self.folder / "log").read_text())

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
        self.assertIn("matplotlib is missing", result.err)

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is missing")
    def test_setup_makes_it_in_the_tree_and_replaces_an_old_one(self):
        folder, result = self.made()
        environment = folder / "tree/share/banyan/report-env"
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertIn(str(environment), result.out)
        self.assertTrue((environment / "bin/python").exists())
        self.assertFalse((environment / "old").exists())
        self.assertEqual([path.name for path in environment.parent.glob("report-env*")], ["report-env"])

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is missing")
    def test_setup_makes_it_in_the_cache_where_the_tree_is_not_to_be_written(self):
        (self.tree / "share/banyan").chmod(0o555)
        self.addCleanup((self.tree / "share/banyan").chmod, 0o755)
        # Root may write where the mode forbids it, unless a capability is dropped.
        root = ["setpriv", "--bounding-set=-dac_override"] if os.getuid() == 0 else []
        if root and suite.has("setpriv"):
            self.skipTest("setpriv is missing")
        command = [*root, self.bare / "bin/python", self.tree / "bin/uoms-report", "--setup"]
        result = suite.run(command, XDG_CACHE_HOME=str(self.cache), **self.quick_venv())
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertTrue((self.cache / "banyan/report-env/bin/python").exists())
        self.assertFalse(self.environment.exists())

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is missing")
    def test_what_cannot_be_installed_is_told_and_leaves_nothing(self):
        (self.tree / "share/banyan/python/uoms/requirements.lock").write_text("pandas==2.0\n")
        result = self.report("--setup", PIP_NO_INDEX="1", **self.quick_venv())
        self.assertEqual(result.status, 2)
        self.assertIn("No matching distribution found for pandas==2.0", result.err)
        self.assertEqual(list(self.environment.parent.glob("report-env*")), [])

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is missing")
    def test_an_interruption_leaves_nothing_and_leftovers_of_the_killed_are_removed(self):
        leftovers = [self.environment.with_name(f"report-env{what}.{2 ** 22 + 1}") for what in ("", ".old")]
        for path in leftovers:   # no process has that number
            path.mkdir()
        (self.folder / "stops").mkdir()
        (self.folder / "stops/venv.py").write_text(
            "import os, time\nos.kill(os.getppid(), int(os.environ['SIGNAL']))\ntime.sleep(300)\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            result = self.report("--setup", PYTHONPATH=str(self.folder / "stops"), SIGNAL=str(int(number)))
            self.assertEqual(result.status, 128 + number)
            self.assertRegex(result.err, "^uoms-report: (interrupted|ended by SIG(TERM|HUP))\n$")
            self.assertEqual(list(self.environment.parent.glob("report-env*")), [])

    def test_make_puts_it_where_the_command_looks(self):
        result = suite.run(["make", "-n", "-C", suite.ROOT, "report-env", "BUILD=elsewhere"])
        self.assertIn("-m uoms.environment elsewhere/share/banyan/report-env\n", result.out)
        sys.path.insert(0, str(PACKAGE.parent))
        from uoms import environment

        places = environment.places()
        self.assertEqual(places[0], suite.ROOT / "build/share/banyan/report-env")
        result = suite.run(["make", "-n", "-B", "-C", suite.ROOT, "report-env"])
        self.assertIn("-m uoms.environment build/share/banyan/report-env\n", result.out)
        self.assertEqual(pathlib.Path(environment.__file__).absolute().parent, PACKAGE)

    def test_the_lock_has_all_that_the_package_names(self):
        named = (suite.ROOT / "bench/report/pyproject.toml").read_text().split("dependencies = [")[1].split("]")[0]
        lock = (PACKAGE / "requirements.lock").read_text()
        names = [word.strip(' "').split(">=")[0] for word in named.split(",")]
        self.assertLessEqual({"pandas", "scipy"}, set(names))
        for name in names:
            self.assertRegex(lock, rf"(?m)^{name}==")


if __name__ == "__main__":
    suite.main()
