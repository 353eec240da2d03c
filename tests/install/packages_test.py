#!/usr/bin/env python3
"""Builds packages from a clean copy of the sources and uses them in a root that has nothing else.

    packages_test.py SOURCE

What this machine has not the tools for is skipped and named.  The bare root is made by debootstrap from where this
machine's own packages come; it needs to be root.
"""
import atexit
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
QUIET = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}


def run(*command, seconds=1200, **more):
    """What a command printed, which must succeed"""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=seconds, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **QUIET}, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


def clean_tree():
    """A repository of its own with what git knows here, changes included"""
    tree = SCRATCH / "source"
    if not tree.exists():
        names = run("git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        for name in filter(None, names):
            if (SOURCE / name).exists():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(SOURCE / name, tree / name)
        run("git", "init", "-q", cwd=tree)
        run("git", "add", "-A", cwd=tree)
        run("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm", "all", cwd=tree)
    return tree


def packages(form, *options):
    """Paths of the packages of a form, built once"""
    folder = SCRATCH / form
    if not folder.exists():
        run(clean_tree() / "packaging/build", form, folder, *options, cwd=SCRATCH)
    return sorted(folder.iterdir())


def sources_of_packages():
    """(URL, name of the release): where this machine's own packages come from"""
    release = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())[1]
    policy = run("apt-cache", "policy", "libc6")
    return re.search(rf"(https?://\S+) {release}/main", policy)[1], release


class Root:
    """A root with a distribution's least, and packages that are put into it"""

    def __init__(self):
        url, release = sources_of_packages()
        self.path = SCRATCH / "root"
        run("debootstrap", "--variant=minbase", release, self.path, url)
        (self.path / "etc/apt/apt.conf.d/90lean").write_text('APT::Install-Recommends "false";\n')

    def run(self, *command, seconds=600):
        inside = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
                  'mount --bind /dev "$0/dev" && mount -t proc none "$0/proc" && exec chroot "$0" "$@"', self.path]
        return run(*inside, *command, seconds=seconds)

    def install(self, paths):
        folder = self.path / "packages"
        folder.mkdir(exist_ok=True)
        names = [f"/packages/{shutil.copy(path, folder) and path.name}" for path in paths]
        self.run("apt-get", "install", "-y", "-qq", *names)

    def copy(self, path):
        shutil.copy(path, self.path / path.name)
        return f"/{path.name}"


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
        # Banyan has neither an address for mail nor a bug of Debian's that asks for it.
        said = run("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags",
                   "bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs", *changes)
        self.assertEqual(said.strip(), "")

    @unittest.skipUnless(shutil.which("debootstrap") and os.geteuid() == 0, "debootstrap is missing, or not root")
    def test_programs_run_in_a_bare_root(self):
        root = Root()
        debs = [path for path in packages("deb") if path.suffix == ".deb" and "dbgsym" not in path.name]
        first = [path for path in debs if path.name.startswith(("banyan_", "libbanyan-team0_"))]
        root.install(first)
        root.run("sh", root.copy(SOURCE / "debian/tests/hello"))
        root.install([path for path in debs if path not in first])
        root.run("apt-get", "install", "-y", "-qq", "openmpi-bin", "libopenmpi-dev", "mpich", "libmpich-dev")
        root.run("sh", root.copy(SOURCE / "debian/tests/mpi"))
        root.run("apt-get", "purge", "-y", "-qq", "banyan", "banyan-mpi", "banyan-doc",
                 "libbanyan-team0")
        kept = {"packages", "log"}
        left = [path for path in root.path.rglob("*banyan*") if kept.isdisjoint(path.parts)]
        self.assertEqual(left, [])


@unittest.skipUnless(shutil.which("rpmbuild") and shutil.which("rpm2cpio"), "rpmbuild is missing")
class Rpm(unittest.TestCase):
    def test_a_program_runs_from_what_is_in_it(self):
        # Where packages are Debian's, rpmbuild knows nothing of what is installed.
        found = [path for path in packages("rpm", *(["--without-checks"] if shutil.which("dpkg") else []))
                 if not path.name.endswith(".src.rpm") and "debug" not in path.name]
        self.assertEqual(len(found), 1, found)
        tree = SCRATCH / "rpm-tree"
        tree.mkdir()
        run("sh", "-c", f"rpm2cpio {found[0]} | cpio -idm --quiet", cwd=tree)
        run("sh", SOURCE / "debian/tests/hello", tree / "usr/bin")
        self.assertIn("banyan", run("rpm", "-qip", found[0]))


if __name__ == "__main__":
    program = unittest.main(argv=sys.argv[:1] + sys.argv[2:], exit=False, verbosity=2)
    if program.result.skipped and len(program.result.skipped) == program.result.testsRun:
        sys.exit(77)
    sys.exit(not program.result.wasSuccessful())
