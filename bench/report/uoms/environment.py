"""
What uoms-report needs beyond the standard library, in an environment of its own with the versions of requirements.lock.

    environment.py FOLDER         makes it there ('make report-env', and 'uoms-report --setup' in an installed tree)

The environment holds no part of uoms and is entered by its interpreter alone, so that a tree that is moved keeps it.
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).absolute().parent
NAME = "report-env"
LOCK = "requirements.lock"


class SetUpError(Exception):
    """A message for the user: what is missing, and what brings it."""


def places():
    """Where an environment may lie, the preferred place first: in the tree, or in the user's cache if that is not to be
    written."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [HERE.parent.parent / NAME, pathlib.Path(cache) / "banyan" / NAME]


def python_of(folder):
    return folder / "bin" / "python"


def enter(module, words):
    """Goes on as this module in the first environment that there is; returns if there is none, or this is one."""
    for folder in places():
        if python_of(folder).exists() and pathlib.Path(sys.prefix).resolve() != folder.resolve():
            paths = [str(HERE.parent)] + ([os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else [])
            more = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
            sys.stdout.flush()
            os.execve(python_of(folder), [str(python_of(folder)), "-m", module, *words], {**os.environ, **more})
        if pathlib.Path(sys.prefix).resolve() == folder.resolve():
            return


def _run(command, folder):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        last = "\n".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-6:])
        raise SetUpError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{last}")


def make(folder):
    """Makes the environment; an old one gives way only once the new one is complete."""
    fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh.mkdir()
    except OSError as error:
        raise SetUpError(f"cannot write to {folder.parent}: {error.strerror}") from error
    try:
        import ensurepip  # noqa: F401  (Debian and Ubuntu leave it out of python3)
    except ImportError as error:
        fresh.rmdir()
        raise SetUpError("Python's venv is missing; on Debian and Ubuntu: apt-get install python3-venv") from error
    _run([sys.executable, "-m", "venv", fresh], fresh)
    pip = [python_of(fresh), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    _run([*pip, "-r", HERE / LOCK], fresh)
    old = folder.with_name(f"{folder.name}.old.{os.getpid()}")
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def set_up():
    """Makes an environment in the first place that may be written; returns where."""
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
    raise SetUpError("there is no place for what uoms-report needs: " + "; ".join(refusals))


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        make(pathlib.Path(sys.argv[1]).absolute())
    except SetUpError as error:
        print(f"report-env: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
