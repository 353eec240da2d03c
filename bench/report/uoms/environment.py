"""Provides what commands need beyond the standard library: an environment of its own with the versions of
requirements.lock.

    python3 -m uoms.environment FOLDER    makes it there ('make report-env'; 'uoms-report --setup' if it is installed)

The environment contains no part of uoms and is entered only through its interpreter, so it survives moving the tree.
"""

import os
import pathlib
import shutil
import sys

from . import ends, runs

HERE = pathlib.Path(__file__).absolute().parent
NAME = "report-env"
LOCK = "requirements.lock"


class SetUpError(Exception):
    """A message for the user: what is missing, and how to install it."""


def _sources():
    """The source tree that contains this package; None if it was built or installed"""
    return HERE.parents[2] if HERE.parts[-3:-1] == ("bench", "report") else None


def places():
    """Where an environment may be, the preferred place first: in the tree, or under make's build folder if the tree is
    the sources; or in the user's cache, if the tree is not writable."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    tree = _sources() / "build" / "share" / "banyan" if _sources() else HERE.parents[1]
    return [tree / NAME, pathlib.Path(cache) / "banyan" / NAME]


def _remedy():
    """The command that makes an environment where this package looks for it"""
    sources, command = _sources(), HERE.parents[3] / "bin" / "uoms-report"
    if sources:
        return "make report-env" if sources == pathlib.Path.cwd() else f"make -C {sources} report-env"
    return f"{command} --setup" if command.exists() else "uoms-report --setup"


def python_of(folder):
    return folder / "bin" / "python"


def _enter():
    """Restarts the program in the first environment that exists; returns if there is none, or if this is one."""
    python = next((python_of(folder) for folder in places() if python_of(folder).exists()), None)
    if python is None or pathlib.Path(sys.prefix).resolve() == python.parents[1].resolve():
        return
    module, more = getattr(sys.modules["__main__"], "__spec__", None), {}
    if module:   # python3 -m uoms.report, since a script finds its modules itself
        paths = [str(HERE.parent)] + ([os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else [])
        more["PYTHONPATH"] = os.pathsep.join(paths)
    start = ["-m", module.name] if module else [sys.argv[0]]
    sys.stdout.flush()
    os.execve(python, [str(python), "-B", *start, *sys.argv[1:]], {**os.environ, **more})


def provide(work, words=None):
    """Returns work().  If work finds that a library is missing, the program is restarted in an environment that has it,
    so everything before the call must be safe to do twice.

    words: the command's arguments.  If they are not the program's own, another program is calling, which is not
    restarted.
    """
    try:
        return work()
    except ImportError as error:
        if words is None or list(words) == sys.argv[1:]:
            _enter()
        raise SetUpError(f"{error.name or error} is missing; '{_remedy()}' brings it") from error


def _run(command):
    done = runs.run(command)
    if done.returncode != 0:
        last = "\n".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-6:])
        raise SetUpError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{last}")


def _fill(folder):
    try:
        import ensurepip  # noqa: F401  (Debian and Ubuntu leave it out of python3)
    except ImportError as error:
        raise SetUpError("Python's venv is missing; on Debian and Ubuntu: apt-get install python3-venv") from error
    _run([sys.executable, "-m", "venv", folder])
    pip = [python_of(folder), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    _run([*pip, "-r", HERE / LOCK])


def _remove_leftovers(folder):
    """Removes what processes that were killed have left of environments that were to be there."""
    for path in folder.parent.glob(f"{folder.name}.*"):
        number = path.suffix[1:]
        if number.isdigit() and not os.path.exists(f"/proc/{number}"):
            shutil.rmtree(path, ignore_errors=True)


def make(folder):
    """Makes the environment; an old one is replaced only once the new one is complete."""
    fresh, old = (folder.with_name(f"{folder.name}{what}.{os.getpid()}") for what in ("", ".old"))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(folder)
        fresh.mkdir()
    except OSError as error:
        raise SetUpError(f"cannot write to {folder.parent}: {error.strerror}") from error
    try:
        _fill(fresh)
        with ends.postponed():
            if folder.exists():
                folder.rename(old)
            fresh.rename(folder)
    finally:
        for path in (fresh, old):
            shutil.rmtree(path, ignore_errors=True)


def set_up():
    """Makes an environment in the first place that is writable; returns where."""
    refusals = []
    for folder in places():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            refusals.append(f"{folder.parent}: {error.strerror}")
            continue
        if os.access(folder.parent, os.W_OK):
            make(folder)
            return folder
        refusals.append(f"{folder.parent}: not to be written")
    raise SetUpError("there is no place for the libraries: " + "; ".join(refusals))


@ends.told("report-env")
def main(words):
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        make(pathlib.Path(words[0]).absolute())
    except SetUpError as error:
        print(f"report-env: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
