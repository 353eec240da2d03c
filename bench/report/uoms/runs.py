"""Runs commands so that an interruption also ends what they have started; reads the result file of one that is uoms or
one of its peers."""

import argparse
import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile

from . import ends, files


UNSUITABLE = re.compile(r"--?(json|csv|help|list|version)(=.*)?", re.DOTALL)


class RunError(Exception):
    """The command failed; the message has the end of its output."""


def say(text):
    """What a comparison is doing, for whoever watches it"""
    print(text, file=sys.stderr, flush=True)


def shown_options(words, left_out):
    """The options of a comparison that change what is measured, as text; not those that name files and folders, nor
    --fresh"""
    parser = argparse.ArgumentParser(add_help=False)
    for name in left_out:
        parser.add_argument(f"--{name}")
    parser.add_argument("--fresh", action="store_true")
    return "".join(f" {shlex.quote(word)}" for word in parser.parse_known_args(words)[1])


def end(process):
    """Ends a process, which leads a session, and its process group, since a launcher leaves processes behind."""
    with contextlib.suppress(ProcessLookupError):  # it may have ended by itself meanwhile
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def run(command, limit_s=None, **more):
    """As subprocess.run with text captured, except that whatever interrupts this ends all that the command has started.
    """
    words = [str(word) for word in command]
    kept = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    process = None
    try:
        with ends.postponed():
            process = subprocess.Popen(words, text=True, errors="replace", start_new_session=True, **kept)
        out, err = process.communicate(timeout=limit_s)
    except BaseException:
        if process:
            end(process)
        raise
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def why_unsuitable(arguments, instead):
    """What is wrong with passing these arguments to every launch; None if nothing is.  instead: what to use, for json
    and csv"""
    for name in (match[1] for match in map(UNSUITABLE.fullmatch, arguments) if match):
        if name in ("json", "csv"):
            return f"-{name} behind --: each launch would write its own; {instead[name]}"
        return f"-{name} behind --: with it, nothing is measured"
    return None


def launch(command, arguments, limit_s):
    """One launch of a command (text, split as by a shell but without its special characters, or words) with more
    arguments."""
    with tempfile.TemporaryDirectory(prefix="uoms-") as folder:
        path = os.path.join(folder, "result.json")
        try:
            words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise RunError(f"{command}: {error}") from error
        shown = shlex.join(words)
        words += list(arguments) + ["-quiet", "-progress=off", "-json", path]
        try:
            done = run(words, limit_s, stdout=subprocess.DEVNULL)
        except OSError as error:
            raise RunError(f"{words[0]}: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise RunError(f"{shown}: not finished after {limit_s:g} s (--limit)") from error
        if done.returncode != 0:
            last = "\n".join(done.stderr.strip().splitlines()[-5:])
            raise RunError(f"{shown}: exit status {done.returncode}\n{last}")
        if not os.path.exists(path):
            raise RunError(f"{shown}: ended well, but took no notice of -json; is it uoms?")
        return files.read(path)[0]
