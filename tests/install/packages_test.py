#!/usr/bin/env python3
"""Builds packages from a clean copy of the sources and uses them in a root file system that has nothing else.

    packages_test.py SOURCE

Tests whose tools this machine lacks are skipped, with the reason.  Bare roots are made by debootstrap from the source
of this machine's own packages, which needs root privileges.  The container is built from such a root, by buildah.
"""
import atexit
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
SCRATCH = Path(tempfile.mkdtemp(prefix="banyan-packages-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "BUILDAH_ISOLATION": "chroot",
         "CONTAINERS_STORAGE_CONF": str(SCRATCH / "storage.conf")}
TESTS = SOURCE / "debian/tests"
MPIS = ("openmpi-bin", "libopenmpi-dev", "mpich", "libmpich-dev")
with_roots = unittest.skipUnless(shutil.which("debootstrap") and os.geteuid() == 0, "no debootstrap, or not root")


def run(*command, seconds=3000, **more):
    """The output of a command, which must succeed"""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=seconds, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **QUIET}, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


@functools.lru_cache
def clean_tree():
    """A separate repository with all files known to git here, changes included"""
    tree = SCRATCH / "source"
    names = run("git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, names):
        if (SOURCE / name).exists():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, tree / name)
    run("git", "init", "-q", cwd=tree)
    run("git", "add", "-A", cwd=tree)
    run("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm", "all", cwd=tree)
    return tree


@functools.lru_cache
def packages(form, *options):
    """Paths of the packages of a form"""
    run(clean_tree() / "packaging/build", form, SCRATCH / form, *options, cwd=SCRATCH)
    return sorted((SCRATCH / form).iterdir())


def sources_of_packages():
    """(URL, name of the release): where this machine's own packages come from"""
    release = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())[1]
    policy = run("apt-cache", "policy", "libc6")
    return re.search(rf"(https?://\S+) {release}/main", policy)[1], release


def debs(*names):
    """The named Debian packages, or all"""
    return [path for path in packages("deb") if path.suffix == ".deb" and "dbgsym" not in path.name
            and (not names or path.name.startswith(tuple(f"{name}_" for name in names)))]


@functools.lru_cache
def bare_root():
    """A minimal installation of a distribution"""
    url, release = sources_of_packages()
    path = SCRATCH / "bare"
    run("debootstrap", "--variant=minbase", release, path, url)
    (path / "etc/apt/apt.conf.d/90lean").write_text('APT::Install-Recommends "false";\n')
    return path


class Root:
    """A copy of the bare root, and the packages installed into it"""

    def __init__(self, name):
        self.path = SCRATCH / name
        run("cp", "-a", bare_root(), self.path)

    def run(self, *command, seconds=600):
        inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
                  'mount --bind /dev "$0/dev" && mount -t proc none "$0/proc" && exec chroot "$0" "$@"', self.path]
        return run(*inside, *command, seconds=seconds)

    def install(self, *packages_or_files):
        """Installs packages of the distribution by name, others by path, as returned by copy"""
        self.run("apt-get", "install", "-y", "-qq", *packages_or_files)

    def copy(self, path):
        folder = self.path / "packages"
        folder.mkdir(exist_ok=True)
        shutil.copy(path, folder)
        return f"/packages/{path.name}"

    def left(self):
        """Files of Banyan that still exist, except for what was copied"""
        kept = {"packages", "log"}
        return [path for path in self.path.rglob("*banyan*") if kept.isdisjoint(path.parts)]


class WhatIsMissing(unittest.TestCase):
    def test_one_command_for_all(self):
        folder = SCRATCH / "stand-ins"
        folder.mkdir()
        for name in ("dpkg-buildpackage", "dpkg-checkbuilddeps"):
            (folder / name).write_text("#!/bin/sh\nexit 1\n")
            (folder / name).chmod(0o755)
        done = subprocess.run([clean_tree() / "packaging/build", "deb", SCRATCH / "none"], capture_output=True,
                              text=True, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stderr, "install what debian/control lists, by 'apt-get build-dep /")


@unittest.skipUnless(shutil.which("dpkg-buildpackage") and shutil.which("dh"), "dpkg-dev or debhelper is missing")
class Debian(unittest.TestCase):
    def test_packages_are_built(self):
        names = sorted(path.name.split("_")[0] for path in packages("deb") if path.suffix == ".deb")
        self.assertEqual([name for name in names if not name.endswith("-dbgsym")],
                         ["banyan", "banyan-doc", "banyan-mpi", "libbanyan-team0"])
        self.assertTrue([path for path in packages("deb") if path.suffix == ".dsc"])

    @unittest.skipUnless(shutil.which("lintian"), "lintian is missing")
    def test_lintian_finds_nothing(self):
        changes = [path for path in packages("deb") if path.suffix == ".changes"]
        # Banyan has neither an e-mail address nor a Debian bug that requests the package.
        said = run("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags",
                   "bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs", *changes)
        self.assertEqual(said.strip(), "")

    @with_roots
    def test_programs_run_in_a_bare_root(self):
        root = Root("debian")
        root.install(*map(root.copy, debs("banyan", "libbanyan-team0")))
        root.run("sh", root.copy(TESTS / "hello"))
        root.install(*map(root.copy, debs("banyan-mpi", "banyan-doc")), *MPIS)
        root.run("sh", root.copy(TESTS / "mpi"))
        root.run("apt-get", "purge", "-y", "-qq", "banyan", "banyan-mpi", "banyan-doc", "libbanyan-team0")
        self.assertEqual(root.left(), [])


@unittest.skipUnless(shutil.which("rpmbuild"), "rpmbuild is missing")
class Rpm(unittest.TestCase):
    def setUp(self):
        # If the system's packages are Debian's, rpmbuild does not know what is installed.
        self.found = [path for path in packages("rpm", *(["--without-checks"] if shutil.which("dpkg") else []))
                      if not path.name.endswith(".src.rpm") and "debug" not in path.name]

    def test_packages_are_built(self):
        names = [run("rpm", "-qp", "--queryformat", "%{name}", path) for path in self.found]
        self.assertEqual(names, ["banyan", "banyan-mpi"])
        owned = [run("rpm", "-qp", "--queryformat", "[%{FILEMODES:perms} %{FILENAMES}\n]", path).splitlines()
                 for path in self.found]
        shared = set(owned[0]).intersection(owned[1])
        self.assertEqual([line for line in shared if not line.startswith("d")], [])

    @with_roots
    def test_programs_run_in_a_bare_root(self):
        root = Root("rpm-root")
        root.install("rpm", "gcc", "libc6-dev", "python3", "libhwloc15", "libjansson4")
        copies = [root.copy(path) for path in self.found]
        root.run("rpm", "-i", "--nodeps", copies[0])    # the dependences are installed as Debian packages
        root.run("sh", root.copy(TESTS / "hello"))
        root.install(*MPIS)
        root.run("rpm", "-i", "--nodeps", *copies[1:])
        root.run("sh", root.copy(TESTS / "mpi"))
        root.run("rpm", "-V", "--nodeps", "banyan", "banyan-mpi")
        root.run("rpm", "-e", "--nodeps", "banyan", "banyan-mpi")
        self.assertEqual(root.left(), [])


@unittest.skipUnless(shutil.which("dpkg-buildpackage") and shutil.which("dh"), "dpkg-dev or debhelper is missing")
class Python(unittest.TestCase):
    @with_roots
    def test_wheel_and_source_in_a_bare_root(self):
        """With the distribution's Python packages, so without any package index"""
        root = Root("python")
        root.install(*map(root.copy, debs("banyan", "libbanyan-team0")), "pkg-config", "python3-build", "python3-dev",
                     "python3-numpy", "python3-setuptools", "python3-venv", "python3-wheel")
        shutil.copytree(clean_tree() / "python", root.path / "packages/python")
        root.run("python3", "-m", "build", "--no-isolation", "--outdir", "/packages", "/packages/python")
        program = root.copy(SOURCE / "tests/install/allreduce.py")
        built = sorted((root.path / "packages").glob("banyan[-_]team-*"))
        self.assertEqual([path.suffix for path in built], [".gz", ".whl"])
        for path in built:
            shutil.unpack_archive(path, root.path / path.suffix, "zip" if path.suffix == ".whl" else "gztar")
            self.assertTrue(list((root.path / path.suffix).rglob("LICENSE")), path)
            root.run("python3", "-m", "venv", "--clear", "--system-site-packages", "/packages/venv")
            root.run("/packages/venv/bin/pip", "install", "--no-index", "--no-build-isolation",
                     f"/packages/{path.name}")
            self.assertEqual(root.run("/packages/venv/bin/python", program), "[6.0, 6.0, 6.0]\n")


@unittest.skipUnless(shutil.which("buildah"), "buildah is missing")
class Container(unittest.TestCase):
    @with_roots
    def test_programs_run_in_a_container(self):
        Path(QUIET["CONTAINERS_STORAGE_CONF"]).write_text(
            f'[storage]\ndriver = "vfs"\ngraphroot = "{SCRATCH}/images"\nrunroot = "{SCRATCH}/containers"\n')
        empty = run("buildah", "from", "scratch").strip()
        run("buildah", "add", "--quiet", empty, bare_root(), "/")
        run("buildah", "commit", "--quiet", empty, "bare")
        run(clean_tree() / "packaging/build", "image", "--base", "localhost/bare", cwd=SCRATCH)
        container = run("buildah", "from", "localhost/banyan").strip()
        run("buildah", "copy", "--quiet", container, TESTS, "/tests")
        run("buildah", "run", container, "--", "sh", "/tests/hello")
        run("buildah", "run", container, "--", "sh", "/tests/mpi", "openmpi")


if __name__ == "__main__":
    program = unittest.main(argv=sys.argv[:1] + sys.argv[2:], exit=False, verbosity=2)
    if program.result.skipped and len(program.result.skipped) == program.result.testsRun:
        sys.exit(77)
    sys.exit(not program.result.wasSuccessful())
