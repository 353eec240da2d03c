"""Runs a command that is uoms or one of its peers, and reads what it wrote."""

import os
import shlex
import subprocess
import tempfile

from . import files


class RunError(Exception):
    """The command failed; the message has the end of what it said."""


def launch(command, arguments, limit_s):
    """One launch of a command (text, as for a shell without its special characters) with more arguments."""
    with tempfile.TemporaryDirectory(prefix="uoms-") as folder:
        path = os.path.join(folder, "result.json")
        words = shlex.split(command) + list(arguments) + ["-quiet", "-progress=off", "-json", path]
        try:
            result = subprocess.run(
                words,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                timeout=limit_s,
                check=False,
            )
        except OSError as error:
            raise RunError(f"{words[0]}: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise RunError(f"{command}: not finished after {limit_s:g} s (--limit)") from error
        if result.returncode != 0:
            last = "\n".join(result.stderr.strip().splitlines()[-5:])
            raise RunError(f"{command}: exit status {result.returncode}\n{last}")
        return files.read(path)[0]
