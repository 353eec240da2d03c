"""How commands end where a person stops them, or the disk is full: by a line, in place of a traceback."""

import functools
import os
import sys

from . import files

INTERRUPTED = 130  # as shells have it: 128 and the number of SIGINT
FAILED = 3


def reason(error):
    """What an OSError says; where a disk is full it names no file."""
    return f"cannot write{f' {error.filename}' if error.filename else ''}: {error.strerror}"


def _drop_output():
    """What is left for an output that takes no more would be tried again, and told of, as Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.__stdout__.fileno())
    os.close(nowhere)


def told(name):
    """Decorates main(words) of a command, which returns its exit status."""

    def around(main):
        @functools.wraps(main)
        def command(words=None):
            try:
                try:
                    return main(words)
                finally:
                    sys.stdout.flush()
            except KeyboardInterrupt:
                print(f"{name}: interrupted", file=sys.stderr)
                return INTERRUPTED
            except files.FileError as error:
                print(f"{name}: {error}", file=sys.stderr)
            except OSError as error:
                print(f"{name}: {reason(error)}", file=sys.stderr)
                _drop_output()
            return FAILED

        return command

    return around
