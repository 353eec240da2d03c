#!/usr/bin/env python3
"""banyan-mpi: which library it preloads into which program, and that it changes nothing else.

The libraries of Banyan and of MPI are stand-ins, made here, so every interface is tested, whatever is installed.  Then
installed MPIs are tested with their own mpirun.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import jobs
import mpi_test

# Like real MPI libraries: calls of PMPI_Init do not reach a preloaded MPI_Init.
MPI = """
#include <stdio.h>
int PMPI_Init(int *argc, char ***argv) { (void)argc; (void)argv; puts("plain " NAME); return 0; }
__attribute__((weak, alias("PMPI_Init"))) int MPI_Init(int *argc, char ***argv);
"""
OURS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int MPI_Init(int *argc, char ***argv)
{
    void *next = dlsym(RTLD_NEXT, "PMPI_Init");
    if (!next) /* Python keeps what its modules link to them */
        next = dlsym(dlopen(SONAME, RTLD_NOLOAD | RTLD_LAZY), "PMPI_Init");
    puts("banyan " NAME);
    return ((int (*)(int *, char ***))next)(argc, argv);
}
"""
PROGRAM = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int MPI_Init(int *argc, char ***argv);
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 2; i < argc && !strcmp(argv[1], "show"); i++)
        printf("%s=%s\\n", argv[i], getenv(argv[i]) ? getenv(argv[i]) : "(none)");
    if (argc == 3 && !strcmp(argv[1], "kill"))
        raise(atoi(argv[2]));
    return argc == 3 && !strcmp(argv[1], "exit") ? atoi(argv[2]) : 0;
}
"""
FORTRAN_LIBRARY = "int MPI_Init(int *, char ***); void mpi_init_(int *e) { *e = MPI_Init(0, 0); }\n"
FORTRAN_PROGRAM = "void mpi_init_(int *e); int main(void) { int error; mpi_init_(&error); return error; }\n"
# Parses the command line like mpirun of each kind: the words after the options and their values are the command.
LAUNCHER = """#!/bin/sh
# %s
while :; do
    case $1 in
    -n|-x) shift 2 ;;
    -genv) export "$2=$3"; shift 3 ;;
    *) exec "$@" ;;
    esac
done
"""
NAMES = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12", "abi": "libmpi_abi.so.1"}


class BanyanMpi(unittest.TestCase):
    """Each MPI in a tree of its own: bin and lib/banyan, and next to them programs and libraries of MPI."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="banyan-launcher-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = os.path.join(cls.folder, "banyan")
        os.makedirs(os.path.join(cls.prefix, "bin"))
        shutil.copy(os.path.join(jobs.BIN, "banyan-mpi"), os.path.join(cls.prefix, "bin"))
        for abi, soname in NAMES.items():
            cls.compile(OURS, "banyan/lib/banyan/libbanyan-mpi-%s.so" % abi, "-shared", "-fPIC", '-DNAME="%s"' % abi,
                        '-DSONAME="%s"' % soname)
            cls.compile(MPI, "%s/%s" % (abi, soname), "-shared", "-fPIC", '-DNAME="%s"' % abi,
                        "-Wl,-soname,%s" % soname)
            cls.compile(PROGRAM, abi + "/app", "%s/%s" % (abi, soname), "-Wl,-rpath,$ORIGIN")
            cls.launcher(abi + "/mpirun", {"openmpi": "OPAL_PREFIX", "mpich": "HYDRA", "abi": "unknown"}[abi])
        cls.compile(PROGRAM + MPI, "static/app", "-static", '-DNAME="static"')
        cls.compile(PROGRAM + MPI, "archive/app", '-DNAME="archive"')
        cls.compile("int main(void) { return 0; }\n", "plain")

    @classmethod
    def compile(cls, text, name, *flags):
        path = os.path.join(cls.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # Programs link libraries by path, so that the file records the library's own name.
        flags = [os.path.join(cls.folder, flag) if flag.endswith((".so.40", ".so.12", ".so.1"))
                 and not flag.startswith("-") else flag for flag in flags]
        subprocess.run(["cc", "-x", "c", "-", "-x", "none", *flags, "-o", path], input=text, text=True, check=True)
        return path

    @classmethod
    def launcher(cls, name, word):
        cls.script(name, LAUNCHER % word)

    @classmethod
    def script(cls, name, text, mode=0o755):
        path = os.path.join(cls.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def run_command(self, *words, prefix=None, before=(), **more):
        env = mpi_test.environment(**more)
        env.pop("LD_PRELOAD", None) if "LD_PRELOAD" not in more else None
        command = [*before, os.path.join(prefix or self.prefix, "bin", "banyan-mpi"), *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=jobs.LIMIT, cwd=self.folder, env=env,
                              stdin=subprocess.DEVNULL, preexec_fn=jobs.harness.default_signals)

    def assert_preloads(self, abi, *words, count=1, **more):
        done = self.run_command(*words, **more)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (0, "banyan %s\nplain %s\n" % (abi, abi) * count, ""))

    def assert_warns(self, part, *words, status=0, out="", **more):
        done = self.run_command(*words, **more)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (status, out, 1), done.stderr)
        self.assertIn(part, done.stderr)

    def shown(self, *words, **more):
        """The variables set for the command, and the command itself."""
        done = self.run_command("--dry-run", *words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        parts = shlex.split(done.stdout)
        count = next((i for i, part in enumerate(parts) if "=" not in part), len(parts))
        return dict(part.split("=", 1) for part in parts[:count]), parts[count:]

    def library(self, abi):
        return os.path.join(self.prefix, "lib", "banyan", "libbanyan-mpi-%s.so" % abi)

    def test_threads_stand_behind(self):
        for abi in NAMES:
            threads = os.path.join(self.prefix, "lib", "banyan", "libbanyan-mpi-threads-%s.so" % abi)
            both = self.library(abi) + ":" + threads
            for who in ("arbitrate", "learn"):
                self.assertEqual(self.shown("--threads=" + who, "%s/app" % abi)[0],
                                 {"LD_PRELOAD": both, "BANYAN_MPI_THREADS": who})
            self.assertEqual(self.shown("%s/app" % abi, BANYAN_MPI_THREADS="count")[0], {"LD_PRELOAD": both})
            # The library complains about an unknown word, once for the job, and the one for threads in each process.
            variables = self.shown("%s/app" % abi, BANYAN_MPI_THREADS="foo")[0]
            self.assertEqual(variables, {"LD_PRELOAD": self.library(abi)})
            self.assertEqual(self.shown("--threads=off", "%s/app" % abi, BANYAN_MPI_THREADS="count")[0],
                             {"LD_PRELOAD": self.library(abi), "BANYAN_MPI_THREADS": "off"})
            variables = self.shown("--threads=count", "--report=json:file", "%s/app" % abi)[0]
            self.assertEqual(variables["BANYAN_MPI_THREADS_REPORT"], variables["BANYAN_MPI_REPORT"] + ".threads")
            self.assertTrue(variables["BANYAN_MPI_REPORT"].startswith("json:/"))
        done = self.run_command("--threads=some", "openmpi/app")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--threads", done.stderr)

    # ---- Which library ----

    def test_by_what_the_program_links(self):
        for abi in NAMES:
            self.assert_preloads(abi, "%s/app" % abi)
            self.assert_preloads(abi, "%s/mpirun" % abi, "-n", "1", "%s/app" % abi)
            self.assert_preloads(abi, "env", "A=b", "nice", "%s/app" % abi)

    def test_through_libraries(self):
        for abi, soname in NAMES.items():
            self.compile(FORTRAN_LIBRARY, abi + "/libfort.so.1", "-shared", "-fPIC", "-Wl,-soname,libfort.so.1",
                         "%s/%s" % (abi, soname), "-Wl,-rpath,$ORIGIN")
            self.compile(FORTRAN_PROGRAM, abi + "/fortran", abi + "/libfort.so.1", "-Wl,-rpath,$ORIGIN")
            self.assert_preloads(abi, "%s/fortran" % abi)

    def test_names_of_mpich(self):
        for soname in ("libmpich.so.12", "libmpi_cray.so.12", "libmpi_gnu_123.so.12"):
            self.compile(MPI, "other/" + soname, "-shared", "-fPIC", '-DNAME="mpich"', "-Wl,-soname,%s" % soname)
            self.compile(PROGRAM, "other/app", "other/" + soname, "-Wl,-rpath,$ORIGIN")
            self.assert_preloads("mpich", "other/app")

    def test_program_on_the_path_and_with_a_library_path(self):
        path = os.path.join(self.folder, "openmpi") + ":" + os.environ["PATH"]
        self.assert_preloads("openmpi", "app", PATH=path)
        self.compile(PROGRAM, "pathless/app", "openmpi/libmpi.so.40")
        self.assert_preloads("openmpi", "pathless/app", LD_LIBRARY_PATH=os.path.join(self.folder, "openmpi"))
        # A variable that mpirun sets, as Intel MPI's does
        self.assertEqual(self.shown("pathless/app")[0]["LD_PRELOAD"], self.library("openmpi"))

    def test_scripts_are_as_the_launcher(self):
        for abi in ("openmpi", "mpich"):
            script = self.script(abi + "/run.sh", "#!/bin/sh\nexec %s/%s/app\n" % (self.folder, abi))
            self.assert_preloads(abi, "%s/mpirun" % abi, "-n", "1", script)
            self.assert_preloads(abi, "%s/mpirun" % abi, "-n", "1", "sh", script)

    def test_launchers_by_name(self):
        for name, abi in (("orterun", "openmpi"), ("mpiexec.openmpi", "openmpi"), ("mpiexec.hydra", "mpich"),
                          ("mpirun.mpich", "mpich")):
            self.launcher("named-" + name, "unknown")
            link = os.path.join(self.folder, "links-" + name, "mpirun")
            os.makedirs(os.path.dirname(link))
            os.rename(os.path.join(self.folder, "named-" + name), os.path.join(os.path.dirname(link), name))
            os.symlink(name, link)
            variables, words = self.shown(link, "sh", "script")
            self.assertEqual(variables["LD_PRELOAD"], self.library(abi))
            self.assertEqual(words[0], link)

    def test_launchers_by_the_library_beside_them(self):
        os.makedirs(os.path.join(self.folder, "tree/bin"))
        os.makedirs(os.path.join(self.folder, "tree/lib"))
        shutil.copy(os.path.join(self.folder, "mpich/libmpi.so.12"), os.path.join(self.folder, "tree/lib"))
        self.launcher("tree/bin/mpiexec", "unknown")
        self.assertEqual(self.shown("tree/bin/mpiexec", "sh", "x")[0]["LD_PRELOAD"], self.library("mpich"))

    def test_python_by_its_mpi4py(self):
        folder = os.path.join(self.folder, "site", "mpi4py")
        for abi, soname in NAMES.items():
            shutil.rmtree(folder, ignore_errors=True)
            self.compile("int MPI_Init(int *, char ***); int f(void) { return MPI_Init(0, 0); }\n",
                         "site/mpi4py/MPI.cpython-3.so", "-shared", "-fPIC", "%s/%s" % (abi, soname),
                         "-Wl,-rpath,$ORIGIN/../../" + abi)
            self.script("site/mpi4py/__init__.py", "raise SystemExit('is not to be imported')\n")
            load = "import ctypes; ctypes.CDLL(%r).f()" % os.path.join(folder, "MPI.cpython-3.so")
            script = self.script("use.py", "#!/usr/bin/env python3\n%s\n" % load)
            where = {"PYTHONPATH": os.path.join(self.folder, "site")}
            for words in (["python3", "-c", load], [script], ["abi/mpirun", "-n", "1", "python3", "use.py"]):
                self.assert_preloads(abi, *words, **where)

    def test_two_modules_of_mpi4py_leave_it_to_the_launcher(self):
        for abi in ("openmpi", "mpich"):
            self.compile("int MPI_Init(int *, char ***); int f(void) { return MPI_Init(0, 0); }\n",
                         "two/mpi4py/MPI.%s.so" % abi, "-shared", "-fPIC", "%s/%s" % (abi, NAMES[abi]))
        self.script("two/mpi4py/__init__.py", "")
        where = {"PYTHONPATH": os.path.join(self.folder, "two")}
        for abi in ("openmpi", "mpich"):
            variables, _ = self.shown(abi + "/mpirun", "python3", "x.py", **where)
            self.assertEqual(variables["LD_PRELOAD"], self.library(abi))
        self.assert_warns("cannot tell", "--dry-run", "python3", "x.py", out="python3 x.py\n", **where)

    def test_abi_may_be_said(self):
        script = self.script("run.sh", "#!/bin/sh\nexec openmpi/app\n")
        self.assert_preloads("openmpi", "--abi=openmpi", script)
        self.assert_preloads("openmpi", "--abi", "openmpi", script)
        done = self.run_command("--abi=mpich", "--dry-run", "openmpi/app")
        self.assertIn("links libmpi.so.40, which is Open MPI; --abi=mpich will crash it", done.stderr)

    # ---- The environment and the command ----

    def test_options_become_variables(self):
        names = ("BANYAN_MPI", "BANYAN_MPI_REPORT")
        for options, values in (([], "(none)"), (["--on"], "on"), (["--off"], "off"), (["--learn"], "learn")):
            done = self.run_command(*options, "openmpi/app", "show", *names)
            self.assertIn("BANYAN_MPI=%s\nBANYAN_MPI_REPORT=(none)\n" % values, done.stdout)
        for option, value in (("--report", "1"), ("--report=json:a b.json", "json:%s/a b.json" % self.folder),
                              ("--report=json:/tmp/x", "json:/tmp/x")):
            self.assertEqual(self.shown(option, "openmpi/app")[0]["BANYAN_MPI_REPORT"], value)
        done = self.run_command("openmpi/app", "show", "BANYAN_MPI", BANYAN_MPI="off")
        self.assertEqual(done.stdout.splitlines()[-1], "BANYAN_MPI=off")

    def test_what_was_preloaded_stays(self):
        other = self.compile("int other;\n", "other.so", "-shared", "-fPIC")
        for before in (other, other + " " + self.library("openmpi"), self.library("openmpi") + ":" + other):
            variables, _ = self.shown("openmpi/app", LD_PRELOAD=before)
            self.assertEqual(variables["LD_PRELOAD"], self.library("openmpi") + ":" + other)

    def test_address_sanitizer_stays_first(self):
        runtime = self.compile("int a;\n", "openmpi/libasan.so.8", "-shared", "-fPIC", "-Wl,-soname,libasan.so.8")
        self.compile(PROGRAM, "openmpi/sanitized", "-Wl,--no-as-needed", "openmpi/libmpi.so.40", runtime,
                     "-Wl,-rpath,$ORIGIN")
        first = runtime + ":libstdc++.so.6:" + self.library("openmpi")
        self.assertEqual(self.shown("openmpi/sanitized")[0], {"LD_PRELOAD": first})
        self.assertEqual(self.shown("openmpi/sanitized", LD_PRELOAD=runtime)[0], {"LD_PRELOAD": first})
        done = self.run_command("--dry-run", "--shared-heap", "openmpi/sanitized")
        self.assertIn("LD_PRELOAD=%s " % first, done.stdout)
        self.assertIn("--shared-heap has no effect", done.stderr)

    def test_a_place_with_blanks(self):
        prefix = os.path.join(self.folder, "moved to here")
        shutil.copytree(self.prefix, prefix)
        self.assert_preloads("openmpi", "openmpi/app", prefix=prefix, LD_LIBRARY_PATH="/nowhere")
        done = self.run_command("openmpi/app", "show", "LD_LIBRARY_PATH", prefix=prefix, LD_LIBRARY_PATH="/nowhere")
        self.assertIn("LD_LIBRARY_PATH=%s/lib/banyan:/nowhere" % prefix, done.stdout)
        prefix = os.path.join(self.folder, "a:b")
        shutil.copytree(self.prefix, prefix)
        self.assert_warns("has a colon in it", "openmpi/app", prefix=prefix, out="plain openmpi\n")

    def test_open_mpi_passes_variables_to_other_machines(self):
        _, words = self.shown("--on", "openmpi/mpirun", "-n", "2", "openmpi/app", BANYAN_MPI_BCAST="off",
                              BANYAN_WAIT="yield")
        self.assertEqual(words[:5], ["openmpi/mpirun", "-x", "LD_PRELOAD", "-x", "BANYAN_MPI"])
        self.assertEqual(sorted(words[6:9:2]), ["BANYAN_MPI_BCAST", "BANYAN_WAIT"])
        self.assertEqual(words[9:], ["-n", "2", "openmpi/app"])
        self.assertEqual(self.shown("mpich/mpirun", "mpich/app")[1], ["mpich/mpirun", "mpich/app"])

    def test_open_mpi_passes_variables_to_each_program(self):
        _, words = self.shown("openmpi/mpirun", "-n", "1", "openmpi/app", ":", "-n", "2", "openmpi/app", ":", "plain")
        self.assertEqual(words, ["openmpi/mpirun", "-x", "LD_PRELOAD", "-n", "1", "openmpi/app", ":", "-x",
                                 "LD_PRELOAD", "-n", "2", "openmpi/app", ":", "-x", "LD_PRELOAD", "plain"])

    def test_open_mpi_passes_variables_beside_a_list(self):
        name = "OMPI_MCA_mca_base_env_list"
        self.assertEqual(self.shown("openmpi/mpirun", "--mca", "mca_base_env_list", "A=1", "openmpi/app")[1],
                         ["openmpi/mpirun", "--mca", "mca_base_env_list", "A=1;LD_PRELOAD", "openmpi/app"])
        for more, list_ in (({name: "HOME"}, "HOME;LD_PRELOAD;BANYAN_MPI"),
                            ({name: "A=1,B", name + "_delimiter": ","}, "A=1,B,LD_PRELOAD,BANYAN_MPI")):
            variables, words = self.shown("--on", "openmpi/mpirun", "openmpi/app", **more)
            self.assertEqual((variables[name], words), (list_, ["openmpi/mpirun", "openmpi/app"]))

    def test_open_mpi_passes_variables_to_programs_of_a_file(self):
        self.script("programs", "-n 1 openmpi/app -x\n-n 2 openmpi/app\n")
        for option in ("--app", "-app"):
            variables, words = self.shown("openmpi/mpirun", option, "programs")
            self.assertEqual((variables["OMPI_MCA_mca_base_env_list"], words),
                             ("LD_PRELOAD", ["openmpi/mpirun", option, "programs"]))
        self.script("programs_with_x", "-n 1 openmpi/app\n-x A -n 2 openmpi/app\n")
        self.assert_warns("programs_with_x contains -x", "--dry-run", "openmpi/mpirun", "--app", "programs_with_x",
                          out="openmpi/mpirun --app programs_with_x\n")

    def test_mpich_passes_variables_beside_those_that_are_chosen(self):
        for option in ("-envnone", "-genvnone", "--envlist", "-genvlist"):
            _, words = self.shown("--on", "mpich/mpirun", "-n", "1", option, "mpich/app", BANYAN_WAIT="yield")
            self.assertEqual(words, ["mpich/mpirun", "-genv", "LD_PRELOAD", self.library("mpich"), "-genv",
                                     "BANYAN_MPI", "on", "-genv", "BANYAN_WAIT", "yield", "-n", "1", option,
                                     "mpich/app"])

    def test_dry_run_is_what_a_shell_understands(self):
        done = self.run_command("--dry-run", "--on", "openmpi/app", "show", "BANYAN_MPI", "it's", "")
        again = subprocess.run(["sh", "-c", done.stdout], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(again.stdout, "banyan openmpi\nplain openmpi\nBANYAN_MPI=on\nit's=(none)\n=(none)\n")

    def test_verbose_says_what_and_why(self):
        done = self.run_command("-v", "openmpi/mpirun", "-n", "1", "openmpi/app")
        self.assertIn("openmpi/app links libmpi.so.40", done.stderr)
        self.assertIn("openmpi/mpirun, the launcher, has OPAL_PREFIX in it", done.stderr)
        self.assertIn("preloads %s, for Open MPI" % self.library("openmpi"), done.stderr)
        self.assertIn("so the launcher decides", self.run_command("-v", "openmpi/mpirun", "sh", "-c", "true").stderr)

    # ---- Exit statuses and signals ----

    def test_without_proc(self):
        """As in a bare chroot: its libraries are found even so."""
        hide = ["unshare", "-r", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if not shutil.which("unshare") or subprocess.run([*hide, "true"], capture_output=True).returncode != 0:
            self.skipTest("/proc cannot be hidden here")
        libraries = os.path.join(self.folder, "mpich")  # the loader does not know $ORIGIN, either
        self.assert_preloads("mpich", "mpich/app", before=hide, LD_LIBRARY_PATH=libraries)

    def test_statuses_and_signals_pass_through(self):
        self.assertEqual(self.run_command("openmpi/app", "exit", "17").returncode, 17)
        self.assertEqual(self.run_command("openmpi/app", "kill", "9").returncode, -signal.SIGKILL)
        self.assert_warns("there is no such program", "--abi=openmpi", "./missing", status=127)
        self.assert_warns("cannot be run: Permission denied", "--abi=openmpi", "./banyan", status=126)

    def test_it_becomes_the_command(self):
        job = subprocess.Popen([os.path.join(self.prefix, "bin", "banyan-mpi"), "--abi=openmpi", "sh", "-c", "echo $$"],
                               stdout=subprocess.PIPE, text=True, env=mpi_test.environment())
        self.assertEqual(job.communicate(timeout=jobs.LIMIT)[0], "%d\n" % job.pid)

    def test_mistakes_in_options(self):
        for words, part in ((["--nothing", "openmpi/app"], "--nothing is not an option"), ([], "no command is given"),
                            (["--on"], "no command is given"), (["--abi=x", "openmpi/app"], "openmpi"),
                            (["--on", "--off", "openmpi/app"], "exclude each other"),
                            (["--report=xml:x", "openmpi/app"], "json:FILE"),
                            (["--report=json:", "openmpi/app"], "json:FILE")):
            done = self.run_command(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(part, done.stderr)

    def test_options_end_at_the_command(self):
        words = ["openmpi/app", "--on", "-v", "--", "x"]
        self.assertEqual(self.shown(*words)[1], words)
        self.assertEqual(self.shown("--", "openmpi/app", "--dry-run")[1], ["openmpi/app", "--dry-run"])

    # ---- Warnings about what cannot be done ----

    def test_static_programs(self):
        self.assert_warns("has MPI linked into it", "static/app", out="plain static\n")
        self.assert_warns("has MPI linked into it", "openmpi/mpirun", "-n", "1", "static/app", out="plain static\n")
        self.assert_warns("has MPI linked into it", "archive/app", out="plain archive\n")

    def test_programs_without_mpi(self):
        self.assert_warns("cannot tell which MPI is used: ./plain links none, and there is no mpirun", "./plain")
        self.assert_warns("./plain does not link MPI", "openmpi/mpirun", "./plain")

    def test_interfaces_that_were_not_built(self):
        prefix = os.path.join(self.folder, "partial")
        shutil.copytree(self.prefix, prefix)
        for abi, package in (("openmpi", "libopenmpi-dev"), ("mpich", "libmpich-dev"), ("abi", "MPICH 5")):
            os.unlink(os.path.join(prefix, "lib/banyan/libbanyan-mpi-%s.so" % abi))
            self.assert_warns("install " + package, abi + "/app", prefix=prefix, out="plain %s\n" % abi)

    def test_launcher_of_another_mpi(self):
        done = self.run_command("mpich/mpirun", "-n", "1", "openmpi/app")
        self.assertEqual(done.stdout, "banyan openmpi\nplain openmpi\n")
        self.assertIn("openmpi/app was linked with Open MPI: processes may not find each other", done.stderr)

    def test_the_command_preloads_something_itself(self):
        for words in (["env", "LD_PRELOAD=/x.so", "openmpi/app"],
                      ["openmpi/mpirun", "-x", "LD_PRELOAD=/x.so", "openmpi/app"],
                      ["mpich/mpirun", "-genv", "LD_PRELOAD", "/x.so", "mpich/app"]):
            done = self.run_command("--dry-run", *words)
            self.assertIn("set it in front of banyan-mpi", done.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root may make programs of other users")
    def test_programs_of_other_users(self):
        path = os.path.join(self.folder, "setuid")
        shutil.copy(os.path.join(self.folder, "plain"), path)
        os.chown(path, 65534, 65534)
        os.chmod(path, 0o4755)
        self.assert_warns("runs as another user", path, "openmpi/app")

    # ---- With installed MPIs ----

    @unittest.skipUnless(mpi_test.SYSTEMS, "no MPI is installed")
    def test_installed_systems(self):
        for mpicc, mpirun in mpi_test.SYSTEMS:
            program = os.path.join(self.folder, "real-" + mpicc)
            source = '#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n'
            subprocess.run([mpicc, "-x", "c", "-", "-o", program], input=source, text=True, check=True,
                           env=mpi_test.environment())
            forms = [[mpirun, "-n", "2", program], [mpirun, "-n", "2", "sh", "-c", program]]
            if jobs.starts_two_programs(mpirun, mpi_test.environment()):
                forms.append([mpirun, "-n", "1", program, ":", "-n", "1", program])
            for words in forms:
                done = self.run_command(*words)
                abi = done.stdout.split()[1]
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "banyan %s\n" % abi * 2, ""))
                self.assertIn(abi, ("openmpi", "mpich"))
                if "openmpi" in mpicc or "mpich" in mpicc:
                    self.assertIn(abi, mpicc)

    @unittest.skipUnless(mpi_test.SYSTEMS, "no MPI is installed")
    def test_counts_that_differ(self):
        source = ("#include <mpi.h>\nint main(int c, char **v) { int rank, error, all[10] = {0}; MPI_Init(&c, &v);"
                  "MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);"
                  "error = MPI_Bcast(all, rank ? 5 : 10, MPI_INT, 0, MPI_COMM_WORLD); MPI_Error_class(error, &error);"
                  "MPI_Finalize(); return error != (rank ? MPI_ERR_TRUNCATE : MPI_SUCCESS); }")
        for mpicc, mpirun in mpi_test.SYSTEMS:
            program = os.path.join(self.folder, "differ-" + mpicc)
            subprocess.run([mpicc, "-x", "c", "-", "-o", program], input=source, text=True, check=True,
                           env=mpi_test.environment())
            done = self.run_command("--on", mpirun, "-n", "2", program, prefix=os.path.dirname(jobs.BIN))
            self.assertEqual((done.returncode, done.stderr),
                             (0, "banyan: MPI_BCAST on a communicator of 2: rank 1 asked for less data than it was "
                                 "sent; let all ranks call with counts that match\n"), mpicc)

    @unittest.skipUnless(mpi_test.SYSTEMS, "no MPI is installed")
    def test_programs_with_sanitizers(self):
        source = ("#include <mpi.h>\nint main(int c, char **v) { int one = 1, sum; MPI_Init(&c, &v);"
                  "MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); return MPI_Finalize() + sum - 2; }")
        for mpicc, mpirun in mpi_test.SYSTEMS:
            for sanitizer in ("address", "thread"):
                program = os.path.join(self.folder, sanitizer + "-" + mpicc)
                built = subprocess.run([mpicc, "-fsanitize=" + sanitizer, "-x", "c", "-", "-o", program], input=source,
                                       text=True, capture_output=True, env=mpi_test.environment())
                if built.returncode != 0:
                    self.skipTest("the compiler of %s has no -fsanitize=%s" % (mpicc, sanitizer))
                # MPI libraries leak memory at exit, and UCX locks in ending threads (mpi/tests/sanitize.py).
                more = {"ASAN_OPTIONS": "detect_leaks=0", "UCX_MEM_EVENTS": "no"}
                alone = subprocess.run([mpirun, "-n", "2", program], capture_output=True, timeout=jobs.LIMIT,
                                       env=mpi_test.environment(**more))
                if alone.returncode != 0:  # as with Open MPI 5.0.10 and PMIx 5.0.9 of Ubuntu 26.04
                    print("skipped 1: %s does not run programs with -fsanitize=%s" % (mpirun, sanitizer))
                    continue
                done = self.run_command("--on", mpirun, "-n", "2", program, prefix=os.path.dirname(jobs.BIN), **more)
                self.assertEqual((done.returncode, done.stderr), (0, ""), (mpicc, sanitizer))

    @unittest.skipUnless(mpi_test.SYSTEMS, "no MPI is installed")
    def test_launchers_load_cplusplus_where_the_program_has_a_sanitizer(self):
        """As Open MPI's does, through hwloc's plugins."""
        mpicc, _ = mpi_test.SYSTEMS[0]
        program, library = os.path.join(self.folder, "sanitized"), os.path.join(self.folder, "throws.so")
        built = subprocess.run([mpicc, "-fsanitize=address", "-x", "c", "-", "-o", program],
                               input="#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }", text=True,
                               capture_output=True, env=mpi_test.environment())
        if built.returncode != 0:
            self.skipTest("the compiler of %s has no -fsanitize=address" % mpicc)
        subprocess.run(["c++", "-shared", "-fPIC", "-x", "c++", "-", "-o", library], text=True, check=True,
                       input="static int caught() { try { throw 1; } catch (int i) { return i; } }\nint x = caught();")
        launcher = [sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", library]
        done = self.run_command("--on", *launcher, program, prefix=os.path.dirname(jobs.BIN),
                                ASAN_OPTIONS="detect_leaks=0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipUnless(mpi_test.SYSTEMS, "no MPI is installed")
    def test_no_mpi_is_found_in_programs_that_load_one_later(self):
        """Searches for MPI as PyPI's mpi4py does: the preloaded library must not be mistaken for it."""
        look = "import ctypes; print(hasattr(ctypes.CDLL(None), 'MPI_Get_version'))"
        modules = os.path.join(self.folder, "modules")
        stand_in = os.path.join(modules, "mpi4py", "__init__.py")   # an installed one has the MPI of one system
        os.makedirs(os.path.dirname(stand_in))
        open(stand_in, "w", encoding="ascii").close()
        for mpicc, mpirun in mpi_test.SYSTEMS:
            for threads in ("off", "learn"):
                done = self.run_command("--threads=" + threads, mpirun, "-n", "1", sys.executable, "-c", look,
                                        prefix=os.path.dirname(jobs.BIN), PYTHONPATH=modules)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "False\n", ""), mpicc)


if __name__ == "__main__":
    unittest.main(verbosity=1)
