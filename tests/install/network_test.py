#!/usr/bin/env python3
"""upcc -network=shmem in an installed tree of a Banyan that was built without OpenSHMEM: the library is compiled when
it is first used.

    network_test.py SOURCE BUILD
"""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import harness  # noqa: E402

BUILD = Path(sys.argv[2]).resolve()
MANIFEST = BUILD / "install_manifest.txt"
NOTE = "upcc: compiling the runtime for -network=shmem, once, into "
HELLO = """#include <stdio.h>
shared int from[THREADS];
int main(void) {
    from[(MYTHREAD + 1) % THREADS] = MYTHREAD;
    upc_barrier;
    printf("thread %d of %d, beside %d\\n", MYTHREAD, THREADS, from[MYTHREAD]);
    return 0;
}
"""
# A compiler that does not optimise, and compiles each source of the runtime, `-c SOURCE -o OBJECT` after its options,
# only once for all tests: -g0, which counts as another compiler for upcc, gives the same object, and so does shmem.h by
# CPATH.  It starts no other programs, since each of 200 sources would start them.
QUICK_CC = """tree={tree} objects={objects}
case "$*" in *" -c $tree"*) ;; *) exec cc "$@" -O0 ;; esac
for last; do :; done
words=
for word; do
    case $word in
    -g0 | -I* | "$last") ;;
    *"$tree"*) words="$words ${{word%%"$tree"*}}${{word#*"$tree"}}" ;;
    *) words="$words $word" ;;
    esac
done
kept=$objects/${{last##*/}}
if [ -f "$kept" ] && IFS= read -r before <"$kept.words" && [ "$before" = "$words" ]; then
    exec cp "$kept" "$last"
fi
cc "$@" -O0 && cp "$last" "$kept" && printf '%s\\n' "$words" >"$kept.words"
"""


class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="banyan-network-"))
        cls.first = cls.scratch / "first"
        (cls.scratch / "objects").mkdir()
        manifest = MANIFEST.read_bytes() if MANIFEST.exists() else None
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.first], check=True, stdout=subprocess.DEVNULL)
        cls.manifest = MANIFEST.read_text()
        MANIFEST.unlink() if manifest is None else MANIFEST.write_bytes(manifest)
        (BUILD / "installed" / str(cls.first).replace("/", "%")).unlink()
        # What a build with OpenSHMEM would have
        (cls.first / "lib/libbanyan-shmem.a").unlink(missing_ok=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=self.scratch))
        self.prefix = self.folder / "tree"
        shutil.copytree(self.first, self.prefix, symlinks=True)
        self.cache = self.folder / "cache"
        (self.folder / "hello.upc").write_text(HELLO)
        self.compiler = self.stand_in("quick-cc", QUICK_CC.format(
            tree=shlex.quote(str(self.prefix.resolve())), objects=shlex.quote(str(self.scratch / "objects"))))

    def environment(self, **more):
        return harness.environment(XDG_CACHE_HOME=str(self.cache), OMPI_ALLOW_RUN_AS_ROOT="1",
                                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **{"CC": self.compiler, **more})

    def upcc(self, *words, **more):
        return harness.run([self.prefix / "bin/upcc", "-network=shmem", "hello.upc", "-o", "hello", *words],
                           cwd=self.folder,
                           env=self.environment(**more), timeout=harness.HANGS)

    def libraries(self, place):
        """Folders of libraries, which contain nothing else except a lock; the runtime as a shared object is next to
        them"""
        found = sorted(path for path in place.glob("*") if path.is_dir())
        for folder in found:
            self.assertEqual({path.name for path in folder.iterdir()} - {"lock"}, {"libbanyan-shmem.a"})
        return found

    def runs(self):
        result = harness.run([self.prefix / "bin/upcrun", "-n", "2", "./hello"], cwd=self.folder,
                             env=self.environment(),
                             timeout=harness.HANGS)
        self.assertEqual((result.status, sorted(result.out.splitlines())),
                         (0, ["thread 0 of 2, beside 1", "thread 1 of 2, beside 0"]), result.err)

    def stand_in(self, name, text):
        """Makes a program that replaces oshcc or the compiler"""
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return str(path)

    @unittest.skipUnless(shutil.which("oshcc"), "oshcc is not installed")
    def test_the_first_use_compiles_it_beside_the_library(self):
        shown = self.upcc("-###")
        self.assertEqual(shown.status, 0)
        self.assertRegex(shown.out + shown.err, "share/banyan/shmem-library")
        self.assertEqual(self.libraries(self.prefix / "lib/banyan"), [])
        first = self.upcc()
        self.assertEqual((first.status, first.err), (0, f"{NOTE}{self.prefix.resolve()}/lib/banyan\n"))
        self.runs()
        again = self.upcc()
        self.assertEqual((again.status, again.err), (0, ""))
        self.assertEqual(len(self.libraries(self.prefix / "lib/banyan")), 1)
        self.assertFalse(self.cache.exists())
        self.assertIn("lib/banyan/\n", self.manifest.replace(str(self.first), ""))
        other = self.upcc(CC=f"{self.compiler} -g0")
        self.assertEqual((other.status, NOTE in other.err), (0, True), "another compiler, another library")
        self.assertEqual(len(self.libraries(self.prefix / "lib/banyan")), 2)

    @unittest.skipUnless(shutil.which("oshcc"), "oshcc is not installed")
    @unittest.skipUnless(shutil.which("setpriv"), "setpriv is not installed")
    def test_two_at_once_in_a_tree_that_is_not_to_be_written(self):
        for folder in (self.prefix / "lib", self.prefix / "lib/banyan"):
            folder.chmod(0o555)
            self.addCleanup(folder.chmod, 0o755)
        root = ["setpriv", "--bounding-set=-dac_override"] if os.getuid() == 0 else []
        both = [subprocess.Popen([*root, self.prefix / "bin/upcc", "-network=shmem", "hello.upc", "-o", name],
                                 cwd=self.folder,
                                 env=self.environment(), stderr=subprocess.PIPE,
                                 text=True) for name in ("hello", "other")]
        said = [process.communicate(timeout=harness.HANGS)[1] for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0], said)
        self.assertIn(f"{NOTE}{self.cache}/banyan\n", said)
        self.assertEqual(len(self.libraries(self.cache / "banyan")), 1)
        self.assertEqual(self.libraries(self.prefix / "lib/banyan"), [])
        self.runs()

    @unittest.skipUnless(shutil.which("oshcc"), "oshcc is not installed")
    def test_what_does_not_tell_its_flags_gets_them_by_variables(self):
        silent = self.stand_in("oshcc", "exit 1")
        refused = self.upcc(OSHCC=silent)
        self.assertEqual(refused.status, 1)
        self.assertIn(f"{silent} does not tell what links OpenSHMEM; set SHMEM_LDFLAGS to that, and CPATH", refused.err)

        def tell(what):
            return subprocess.run(["oshcc", f"-showme:{what}"], capture_output=True, text=True,
                                  check=True).stdout.strip()

        folders = ":".join(word[2:] for word in tell("compile").split() if word.startswith("-I"))
        accepted = self.upcc(OSHCC=silent, SHMEM_LDFLAGS=tell("link"), CPATH=folders)
        self.assertEqual(accepted.status, 0, accepted.err)
        self.assertTrue((self.folder / "hello").exists())

    def test_an_error_names_what_is_missing_and_leaves_nothing(self):
        missing = self.upcc(OSHCC=str(self.folder / "none"))
        self.assertEqual(missing.status, 1)
        self.assertIn("there is no OpenSHMEM on this machine", missing.err)
        self.assertIn("apt-get install openmpi-bin libopenmpi-dev", missing.err)
        no_header = self.upcc("-w", OSHCC=self.stand_in("oshcc", "echo '-nostdinc'"))
        self.assertEqual(no_header.status, 1)
        self.assertRegex(no_header.err, "no program can be built with the OpenSHMEM .*: .*shmem.h")
        self.assertEqual(self.libraries(self.prefix / "lib/banyan"), [])
        shutil.rmtree(self.prefix / "share/banyan/runtime")
        lost = self.upcc(OSHCC=self.stand_in("oshcc", "echo"))
        self.assertRegex(lost.err, "the sources in .* are missing")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
