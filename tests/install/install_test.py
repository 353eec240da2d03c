#!/usr/bin/env python3
"""Installs into an empty folder, moves the tree, and uses it like a user would.

    install_test.py SOURCE BUILD
"""
import importlib.util
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lsp"))
from client import Client  # noqa: E402

SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
PACKAGE = Path(__file__).resolve().parent / "package"
COMMANDS = ("upcc", "upcrun", "banyan-info", "banyan-tune", "banyan-sim", "banyan-mpi", "upc-language-server")
TOOLS = ("uoms-compare", "uoms-guidelines", "uoms-launches",
         "uoms-report")     # part of the suite, which has a version of its own
OFFERED = (("upcc", "-fcheck"), ("upcc", "-fno-upc-opt-columns"), ("upcrun", "-timeout"),
           ("banyan-info", "--explain"), ("banyan-mpi", "--report"),
           ("uoms-report", "--formats"))     # an option of some commands that completion must know
# Options up to the =, and two of their values
VALUES = (("upcc", "-network=", "smp", "shmem"), ("upcc", "-fdiagnostics-color=", "never", "auto"),
          ("banyan-mpi", "--threads=", "learn", "off"), ("banyan-mpi", "--abi=", "mpich", "abi"))
MANIFEST = BUILD / "install_manifest.txt"
LISTS = BUILD / "installed"     # for make uninstall
HELLO = '#include <stdio.h>\nint main(void) { printf("thread %d of %d\\n", MYTHREAD, THREADS); return 0; }\n'


def run(*command, may_warn=False, **more):
    """Standard output of a command, which must succeed and, unless it may warn, stay silent on standard error."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BANYAN_", "UPC"))}
    environment.update(more.pop("env", {}))
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, check=False,
                          env=environment, **more)
    if done.returncode != 0 or (done.stderr and not may_warn):
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def files_below(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="banyan-install-"))
        cls.manifest = MANIFEST.read_bytes() if MANIFEST.exists() else None
        cls.lists = set(LISTS.glob("*"))
        run("make", "-C", SOURCE, f"BUILD={BUILD}", "install", f"PREFIX={cls.scratch / 'first place'}", may_warn=True)
        cls.prefix = cls.scratch / "moved to" / "here"
        cls.prefix.parent.mkdir()
        (cls.scratch / "first place").rename(cls.prefix)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)
        if cls.manifest is not None:
            MANIFEST.write_bytes(cls.manifest)
        elif MANIFEST.exists():
            MANIFEST.unlink()
        for path in set(LISTS.glob("*")) - cls.lists:
            path.unlink()

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=self.scratch))

    def test_commands_come_with_manual_and_completion(self):
        self.assertTrue((self.prefix / "share/man/man3/banyan_aggregate.3").is_file())
        for command in COMMANDS + TOOLS:
            self.assertTrue(os.access(self.prefix / "bin" / command, os.X_OK), command)
            self.assertTrue((self.prefix / f"share/man/man1/{command}.1").is_file(), f"{command}.1")
            completion = self.prefix / f"share/bash-completion/completions/{command}"
            self.assertIn(command, run("bash", "--norc", "-c", f". '{completion}' && complete -p {command}"))
            version = run(self.prefix / "bin" / command, "--version")
            self.assertIn(f"{command} 2.0\n" if command in TOOLS else "0.1.0", version)

    def test_bash_offers_parts_of_an_option_and_files(self):
        """Types in a terminal, and checks the arguments that upcc, here a function, gets"""
        (self.folder / "my program.upc").touch()
        own, terminal = pty.openpty()
        os.write(own, f"""PATH='{self.prefix}/bin':$PATH
            . '{self.prefix}/share/bash-completion/completions/upcc'
            upcc() {{ if [ "$1" = --help ]; then command upcc --help; else printf '<%s>' "$@"; fi; }}
            upcc -fno-upc-opt-col\t my\t
            exit\n""".replace("\n            ", "\n").encode())
        done = subprocess.run(["bash", "--norc", "-i"], stdin=terminal, stdout=subprocess.PIPE, cwd=self.folder,
                              stderr=subprocess.DEVNULL, text=True, timeout=60, check=False,
                              env={**os.environ, "HISTFILE": "", "INPUTRC": "/dev/null"})
        os.close(own)
        os.close(terminal)
        self.assertEqual(done.stdout, "<-fno-upc-opt-columns><my program.upc>")

    def offers_of_bash(self, command, *words):
        """The completions after these words, the last of which is incomplete"""
        script = f"""
            compopt() {{ :; }}
            . '{self.prefix}/share/bash-completion/completions/{command}'
            COMP_WORDS=('{self.prefix}/bin/{command}' {' '.join(f"'{word}'" for word in words)}) COMP_CWORD={len(words)}
            "$(complete -p {command} | grep -o '_banyan[a-z_]*')" {command} '{words[-1]}' \
                '{words[-2] if len(words) > 1 else command}'
            printf '%s\n' "${{COMPREPLY[@]}}" """
        return run("bash", "--norc", "-c", script).split()

    def test_bash_offers_each_option_once_and_values(self):
        for command in ("banyan-info", "banyan-sim", "banyan-tune", "banyan-mpi"):
            options = self.offers_of_bash(command, "-")
            self.assertEqual(sorted(options), sorted(set(options)), command)
        for command, option, *values in (
                ("banyan-info", "--format", "text", "dot", "svg"),
                ("banyan-info", "--explain", "broadcast", "gather_v"),
                ("banyan-info", "--order", "cyclic"), ("banyan-info", "--shape", "binomial"),
                ("banyan-sim", "-order", "block", "cyclic", "random"), ("banyan-sim", "--sync", "all", "my", "no")):
            offered = self.offers_of_bash(command, option, "")
            self.assertLessEqual(set(values), set(offered), option)
            self.assertFalse([word for word in offered if word.startswith("-")], option)
            self.assertEqual(self.offers_of_bash(command, option, values[0][:1] + "@"), [], option)
        for command, begun, *values in VALUES:
            self.assertLessEqual(set(values), set(self.offers_of_bash(command, begun[:-1], "=")), begun)
            self.assertEqual(self.offers_of_bash(command, begun[:-1], "=", values[0][:3]), values[:1])
        self.assertIn("VERSION", self.offers_of_bash("upcc", "-echo-var", "="))

    # Commands that accept both, with dashes as in the manual and otherwise
    DASHES = (("banyan-sim", "-machine", "-"), ("banyan-sim", "--machine", "--"), ("uoms", "-cache", "-"),
              ("uoms", "--cache", "--"), ("upcrun", "--bind", "--"), ("upcrun", "-n", "-"))

    def test_bash_offers_as_many_dashes_as_are_typed(self):
        for command, option, begun in self.DASHES:
            self.assertIn(option, self.offers_of_bash(command, begun))
            self.assertIn(option, self.offers_of_bash(command, option[:-2] if len(option) > 3 else option))
        self.assertNotIn("--n", self.offers_of_bash("upcrun", "--"))

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_options(self):
        path = f"{self.prefix}/bin:{os.environ['PATH']}"
        for command, word in (*OFFERED, *(each[:2] for each in self.DASHES if len(each[1]) > 3)):
            script = f"source '{self.prefix}/share/fish/vendor_conf.d/banyan.fish'; complete -C '{command} {word[:-2]}'"
            self.assertIn(word,
                          run("fish", "--no-config", "-c", script,
                              env={"PATH": path, "HOME": str(self.folder)}).split())
        for command, begun, *values in VALUES:
            script = f"source '{self.prefix}/share/fish/vendor_conf.d/banyan.fish'; complete -C '{command} {begun}'"
            offered = run("fish", "--no-config", "-c", script, cwd=self.prefix,
                          env={"PATH": path, "HOME": str(self.folder)}).split()
            self.assertLessEqual({begun + value for value in values}, set(offered))
            self.assertNotIn(f"{begun}bin/", offered)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_offers_options(self):
        for command, word, begun in (*((*each, "-") for each in OFFERED), *self.DASHES):
            # With a stand-in for the function, and the settings, of zsh's completion system
            script = f"""
                setopt extendedglob
                _describe() {{ print -l -- ${{offered%%:*}} }}
                words=('{self.prefix}/bin/{command}' -) PREFIX={begun}
                . '{self.prefix}/share/zsh/site-functions/_banyan'"""
            self.assertIn(word, run("zsh", "-f", "-c", script).split())

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_offers_values(self):
        apart = ((command, begun[:-1], "", *values) for command, begun, *values in VALUES if command == "banyan-mpi")
        for command, *words, one, other in (*VALUES, *apart):
            script = f"""
                setopt extendedglob
                compset() {{ :; }}
                compadd() {{ print -l -- $offered }}
                words=('{self.prefix}/bin/{command}' {' '.join(f"'{word}'" for word in words)})
                CURRENT=$#words PREFIX=$words[-1]
                . '{self.prefix}/share/zsh/site-functions/_banyan'"""
            self.assertLessEqual({one, other}, set(run("zsh", "-f", "-c", script).split()), words)

    def test_links_of_the_documents_work(self):
        top = self.prefix / "share/doc/banyan"
        for page in [top / "README.md", *sorted((top / "docs").rglob("*.md"))]:
            for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                if not (page.parent / link).exists():
                    # Links that only readers of the sources need
                    self.assertTrue((SOURCE / page.relative_to(top).parent / link).exists(), f"{page}: {link}")
                    self.assertNotEqual(page.parent, top, f"{page}: {link}")
                    self.assertIn("bench", link.split("/"), f"{page}: {link}")

    def test_machines_are_known_by_name(self):
        said = run(self.prefix / "bin/banyan-sim", "barrier", "-machine", "ig", cwd=self.folder)
        self.assertIn("48 processing units (ig)", said)
        self.assertLessEqual({"million", "xeon-16"}, set(self.offers_of_bash("banyan-sim", "-machine", "")))

    def test_what_explanations_cite_is_there(self):
        cited = set()
        for operation in ("broadcast", "gather_all", "exchange", "reduce_all"):
            said = run(self.prefix / "bin/banyan-info", "--explain", operation, "64K")
            cited.update(re.findall(r"docs/[\w/.-]+\.md", said))
        self.assertTrue(cited)
        for name in cited:
            self.assertTrue((self.prefix / "share/doc/banyan" / name).is_file(), name)

    def test_nothing_names_the_place_where_it_was_built_or_first_installed(self):
        for path in files_below(self.prefix):
            content = path.read_bytes()
            for place in (SOURCE, BUILD, self.scratch / "first place"):
                self.assertNotIn(f"{place}/".encode(), content, path)

    def test_a_program_compiles_and_runs(self):
        (self.folder / "hello.upc").write_text(HELLO)
        run(self.prefix / "bin/upcc", "hello.upc", "-o", "hello", cwd=self.folder)
        lines = run(self.prefix / "bin/upcrun", "-n", "3", "./hello", cwd=self.folder).splitlines()
        self.assertEqual(sorted(lines), [f"thread {thread} of 3" for thread in range(3)])

    def test_the_command_may_be_a_link(self):
        (self.folder / "bin").mkdir()
        (self.folder / "bin/upcc").symlink_to(self.prefix / "bin/upcc")
        (self.folder / "hello.upc").write_text(HELLO)
        run("upcc", "hello.upc", "-o", "hello", cwd=self.folder,
            env={"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})
        self.assertEqual(run("./hello", "-n", "1", cwd=self.folder), "thread 0 of 1\n")

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_builds_a_c_program(self):
        plain = self.folder / "plain"
        run("sh", "-c", f"cc -Wall -Werror {PACKAGE}/plain.c $(pkg-config --cflags --libs banyan) -o {plain}",
            cwd=self.prefix.parent, env={"PKG_CONFIG_PATH": "here/lib/pkgconfig"})
        lines = run(plain, "-n", "2").splitlines()
        self.assertEqual(sorted(lines), ["C thread 0 of 2", "C thread 1 of 2"])

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_programs_of_the_manual_for_callers_run(self):
        manual = (self.prefix / "share/doc/banyan/docs/callers.md").read_text()
        (self.folder / "sum.c").write_text(re.search(r"```c\n(.*?)```", manual, re.S).group(1))
        for compiler in ("cc", "c++ -x c++"):
            run("sh", "-c", f"{compiler} -Wall -Wextra -Werror {self.folder}/sum.c -o {self.folder}/sum "
                "$(pkg-config --cflags --libs banyan-team)", cwd=self.prefix.parent,
                env={"PKG_CONFIG_PATH": "here/lib/pkgconfig"})
            self.assertEqual(run(self.prefix / "bin/upcrun", "-n", "3", "-team", "./sum", cwd=self.folder,
                                 env={"LD_LIBRARY_PATH": str(self.prefix / "lib")}), "3\n")

    @unittest.skipUnless(shutil.which("pkg-config") and shutil.which("python3-config") and
                         all(importlib.util.find_spec(module) for module in ("pip", "setuptools", "wheel")),
                         "pip, setuptools, wheel, pkg-config or python3-dev is not installed")
    def test_pip_installs_the_python_part(self):
        sources = self.folder / "python"
        shutil.copytree(SOURCE / "python", sources)
        run(sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--target",
            self.folder / "modules", sources, may_warn=True, env={"BANYAN_PREFIX": str(self.prefix)})
        program = "import array, banyan; print(banyan.join().allreduce(array.array('d', [2])))"
        self.assertEqual(run(sys.executable, "-c", program, env={"PYTHONPATH": str(self.folder / "modules")}),
                         "array('d', [2.0])\n")
        program = "import banyan, importlib.metadata as m; print(banyan.__version__ == m.version('banyan-team'))"
        self.assertEqual(run(sys.executable, "-c", program, env={"PYTHONPATH": str(self.folder / "modules")}), "True\n")
        licence, = self.folder.glob("modules/banyan_team-*/**/LICENSE")
        self.assertEqual(licence.read_text(), (SOURCE / "LICENSE").read_text())

    def test_cmake_builds_upc_and_c_programs(self):
        package = self.folder / "package"
        shutil.copytree(PACKAGE, package)
        build = self.folder / "build"
        has_shmem = shutil.which("oshcc") is not None
        run("cmake", "-S", package, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DWITH_SHMEM={has_shmem}")
        run("cmake", "--build", build)
        self.assertEqual(run(build / "sum", "-n", "4"), "sum 120, root 6.0\n")
        self.assertEqual(run(build / "sum_static"), "sum 90, root 6.0\n")
        self.assertEqual(run(build / "with_cxx", "-n", "3"), "3\n")
        self.assertEqual(run(build / "with_libraries", "-n", "3"), "7 100\n")
        self.assertEqual(run(build / "loads", "-n", "3", build / "liblate.so"), "6\n")
        self.assertEqual(run(build / "over_smp", "-n", "3"), "7 100\n")
        run(sys.executable, "-c", "import ctypes; ctypes.CDLL('./libagain_shared.so').bupc_init", cwd=build)
        if has_shmem:
            self.assertIn("shmem", run("sh", "-c", f"strings '{build}/over_shmem' | grep -m1 shmem_init"))
        commands = json.loads((build / "compile_commands.json").read_text())
        self.assertIn(str(package / "again/part.upc"), [command["file"] for command in commands])
        self.check_language_server(package, ("main.upc", "uses_libraries.upc", "again/part.upc"))
        self.assertEqual(sorted(run(build / "plain", "-n", "2").splitlines()), ["C thread 0 of 2", "C thread 1 of 2"])

        self.assertIn("no work to do", run("cmake", "--build", build))
        header = package / "headers/part.h"
        header.write_text(header.read_text().replace("int part(int thread);",
                                                     "int part(int thread);\n#define CHANGED 1\n"))
        os.utime(header, (2e9, 2e9))
        self.assertIn("Building C object", run("cmake", "--build", build))

    def check_language_server(self, package, sources):
        """The server gets macros and folders from the compile_commands.json that CMake wrote, in build/ above the
        project."""
        client = Client(self.prefix / "bin/upc-language-server", package)
        client.initialize(runCompiler=False)
        for name in sources:
            client.open(name, (package / name).read_text())
            self.assertEqual(client.diagnostics(name), [], name)
        self.assertEqual(client.close(), 0)

    def configure(self, text, language="C"):
        """What CMake says of a project, which it must refuse, as one line"""
        (self.folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.20)\nproject(wrong {language})\n{text}\n")
        (self.folder / "wrong.upc").write_text(HELLO)
        with self.assertRaises(AssertionError) as raised:
            run("cmake", "-S", self.folder, "-B", self.folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        return " ".join(str(raised.exception).split())

    def test_cmake_refuses_what_is_no_network_or_number(self):
        for words, message in (("NETWORK udp", "NETWORK is smp or shmem, not udp"),
                               ("THREADS 0", "THREADS is a number above 0, not 0"),
                               ("THREADS abc", "THREADS is a number above 0, not abc"),
                               ("THREADS", "THREADS has no value"),
                               ("THREADS ${misspelt} NETWORK smp", "THREADS has no value"),
                               ('THREADS 2 NETWORK "${misspelt}"', "NETWORK has no value")):
            for call in ("banyan_add_executable", "banyan_add_library"):
                self.assertIn(f"{call}(wrong): {message}",
                              self.configure(f"find_package(Banyan)\n{call}(wrong wrong.upc {words})"))

    def test_cmake_finds_no_components(self):
        self.assertIn("Banyan has no components, so not nonsense either",
                      self.configure("find_package(Banyan REQUIRED COMPONENTS nonsense)"))
        self.assertIn("found 0, 1", self.configure("find_package(Banyan QUIET COMPONENTS nonsense)\n"
                                                   "set(first ${Banyan_FOUND})\n"
                                                   "find_package(Banyan OPTIONAL_COMPONENTS nonsense)\n"
                                                   'message(FATAL_ERROR "found ${first}, ${Banyan_FOUND}")'))

    def test_cmake_compiles_upc_that_is_added_later(self):
        for name, text in (("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(later C)\n"
                                              "find_package(Banyan)\nbanyan_add_executable(later main.c)\n"
                                              "target_sources(later PRIVATE work.upc)\nadd_subdirectory(below)\n"),
                           ("below/CMakeLists.txt", "target_sources(later PRIVATE more.upc)\n"),
                           ("main.c", "int work(void);\nint main(void) { return work(); }\n"),
                           ("work.upc", "int more(void);\nint work(void) { return more() - THREADS; }\n"),
                           ("below/more.upc", "int more(void) { return MYTHREAD - MYTHREAD + THREADS; }\n")):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)
        build = self.folder / "build"
        run("cmake", "-S", self.folder, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        self.assertEqual(run(build / "later", "-n", "3"), "")

    def test_cmake_says_that_c_is_missing(self):
        self.assertRegex(self.configure("find_package(Banyan)\nbanyan_add_executable(wrong wrong.upc)", "CXX"),
                         r"wrong: UPC is compiled.*project\(wrong C CXX\)")

    def test_upcc_is_the_compiler_of_a_whole_project(self):
        for generator in ("Ninja", "Unix Makefiles"):
            build = self.folder / generator
            run("cmake", "-S", PACKAGE.parent / "whole", "-B", build, "-G", generator,
                f"-DCMAKE_C_COMPILER={self.prefix}/bin/upcc", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
            run("cmake", "--build", build)
            self.assertEqual(run(build / "libraries", "-n", "2"), "2 threads, sum 21\n")
            self.assertEqual(run(build / "both"), "3 threads, sum 21\n")
            commands = json.loads((build / "compile_commands.json").read_text())
            self.assertEqual(len([command for command in commands if command["file"].endswith("/two/part.upc")]), 2)

    def test_python_loads_upc_libraries(self):
        """A UPC library brings the runtime as a shared object: threads start at bupc_init."""
        (self.folder / "part.upc").write_text("#include <upc.h>\nshared int total[THREADS];\n"
                                              "int sum(void) { int s = 0; total[MYTHREAD] = MYTHREAD + 1;\n"
                                              "    upc_barrier;\n"
                                              "    for (int i = 0; i < THREADS; i++) s += total[i];\n    return s; }\n"
                                              "void touch(void) { total[3] = 1; }\nvoid meet(void) { upc_barrier; }\n")
        run(self.prefix / "bin/upcc", "-shared", "-fPIC", "part.upc", "-o", "libpart.so", cwd=self.folder)
        load = ("import ctypes, sys\n"
                "part = ctypes.CDLL('./libpart.so')\n")
        start = ("count, words = ctypes.c_int(1), (ctypes.c_char_p * 2)(b'python', None)\n"
                 "pointer = ctypes.cast(words, ctypes.POINTER(ctypes.c_char_p))\n"
                 "part.bupc_init(ctypes.byref(count), ctypes.byref(pointer))\n"
                 "print(part.bupc_extern_mythread(), 'of', part.bupc_extern_threads(), part.sum())\n")
        lines = run(sys.executable, "-c", load + start, cwd=self.folder, env={"BANYAN_THREADS": "3"}).splitlines()
        self.assertEqual(sorted(lines), [f"{thread} of 3 6" for thread in range(3)])
        for call, said in (("part.touch()", "call bupc_init first"), ("part.meet()", "call bupc_init first"),
                           ("part.bupc_extern_mythread()", "call bupc_init first in main")):
            done = subprocess.run([sys.executable, "-c", load + call], cwd=self.folder, capture_output=True,
                                  text=True, timeout=200, check=False)
            self.assertNotEqual(done.returncode, 0, call)
            self.assertIn(said, done.stderr, call)

    def test_the_sources_are_no_place_to_install(self):
        done = subprocess.run(["cmake", "--install", BUILD, "--prefix", SOURCE], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("PREFIX is the folder of Banyan's sources; name another one", done.stderr)
        self.assertFalse((SOURCE / "bin").exists())

    def make(self, *words, **more):
        return run("make", "-C", SOURCE, f"BUILD={BUILD}", *words, may_warn=True, **more)

    def test_uninstall_leaves_nothing(self):
        prefix = self.folder / "again"
        self.make("install", f"PREFIX={prefix}")
        self.assertTrue(files_below(prefix))
        made_later = prefix / "share/banyan/report-env/bin"     # made by uoms-report --setup
        made_later.mkdir(parents=True)
        (made_later / "python").touch()
        self.assertIn(f" files from {prefix}\n", self.make("uninstall", f"PREFIX={prefix}"))
        self.assertFalse(prefix.exists())

    def test_uninstall_leaves_folders_that_were_there(self):
        above = self.folder / "above"
        for name in ("one/include", "one/share/man", "two/mine"):
            (above / name).mkdir(parents=True)
        before = sorted(above.rglob("*"))
        self.make("install", f"PREFIX={above / 'one'}")
        self.make("install", f"PREFIX={above / 'one'}")     # finds the folders of the first
        self.make("install", "PREFIX=/mine/deeper", env={"DESTDIR": str(above / "two")})
        self.make("uninstall", f"PREFIX={above / 'one'}")
        self.make("uninstall", "PREFIX=/mine/deeper", env={"DESTDIR": str(above / "two")})
        self.assertEqual(sorted(above.rglob("*")), before)

    def test_uninstall_removes_folders_of_an_installation_that_is_not_known_any_more(self):
        prefix = self.folder / "known later"
        self.make("install", f"PREFIX={prefix}")
        (BUILD / "installed" / str(prefix).replace("/", "%")).unlink()
        self.make("install", f"PREFIX={prefix}")
        self.make("uninstall", f"PREFIX={prefix}")
        self.assertEqual([path for path in prefix.rglob("*") if not path.is_dir() or path.name.lower() == "banyan"], [])

    def test_an_empty_prefix_is_refused(self):
        for target in ("install", "uninstall"):
            with self.assertRaisesRegex(AssertionError, "PREFIX is empty; name a folder"):
                self.make(target, "PREFIX=")

    def test_uninstall_takes_one_of_several(self):
        first, second, staged = (self.folder / name for name in ("first", "the second", "stage"))
        self.make("install", f"PREFIX={first}")
        self.make("install", f"PREFIX={second}")
        self.make("install", f"PREFIX={first}", env={"DESTDIR": f"{staged}/"})
        self.make("uninstall", f"PREFIX={first}")
        self.assertFalse(first.exists())
        before = files_below(self.folder)
        with self.assertRaisesRegex(AssertionError, f"(?s)installation in {first}: .*There is one in {second}"):
            self.make("uninstall", f"PREFIX={first}")
        self.assertEqual(files_below(self.folder), before)
        self.make("uninstall", f"PREFIX={second}")
        self.make("uninstall", f"PREFIX={first}", env={"DESTDIR": str(staged)})
        self.assertEqual(files_below(self.folder), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
