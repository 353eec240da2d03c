"""How commands end where a person stops them, or the disk is full: by a line, in place of a traceback."""

import contextlib
import functools
import os
import signal
import sys

from . import files

FAILED = 3
SIGNALLED = 128  # and the number of the signal, as shells have it


def _interrupt(number, _):
    """Handles a signal.  The second, of the two that timeout(1) sends, must not disturb what ends by the first."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


@contextlib.contextmanager
def _interruptible():
    """
    Signals that would end Python on the spot, and leave what it has started, interrupt as Ctrl-C does; not those that
    are ignored, as by nohup(1).
    """
    caught = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) == signal.SIG_DFL]
    for number in caught:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


def interrupted(interruption):
    """What is said of a KeyboardInterrupt, and the exit status after it."""
    number = signal.Signals(*interruption.args or [signal.SIGINT])
    return "interrupted" if number == signal.SIGINT else f"ended by {number.name}", SIGNALLED + number


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
                with _interruptible():
                    try:
                        return main(words)
                    finally:
                        sys.stdout.flush()
            except KeyboardInterrupt as interruption:
                said, status = interrupted(interruption)
                print(f"{name}: {said}", file=sys.stderr)
                return status
            except files.FileError as error:
                print(f"{name}: {error}", file=sys.stderr)
            except OSError as error:
                print(f"{name}: {reason(error)}", file=sys.stderr)
                _drop_output()
            return FAILED

        return command

    return around
