"""How commands end if the user stops them or the disk is full: with one line instead of a traceback, and without files
that are half written."""

import contextlib
import functools
import os
import pathlib
import shutil
import signal
import sys

from . import files

FAILED = 3
SIGNALLED = 128  # plus the number of the signal, as in shells


def _interrupt(number, _):
    """Handles a signal. timeout(1) sends two; the second must not disturb the clean-up after the first."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


@contextlib.contextmanager
def _interruptible():
    """Makes signals that would kill Python at once, and leave its children running, interrupt it as Ctrl-C does; except
    those that are ignored, as by nohup(1).
    """
    caught = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) == signal.SIG_DFL]
    for number in caught:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def postponed():
    """Makes signals that would interrupt what is within, which must be short, interrupt what follows."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    came = []
    for number in handlers:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        handlers[came[0]](came[0], None)


@contextlib.contextmanager
def folder(path):
    """Makes a folder and its parents. If what follows is interrupted or fails, those of them that are still empty are
    removed.
    """
    made = [each for each in (path, *path.parents) if not each.exists()]
    path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            for each in made:
                each.rmdir()
        raise


def _put(draft, path):
    """Moves a draft to its place. Where that is not possible, as onto a file that is a mount point, copies it there."""
    try:
        draft.replace(path)
    except OSError:
        if not path.is_file():
            raise
        shutil.copyfile(draft, path)


@contextlib.contextmanager
def drafts():
    """Provides write(path, content), for text or bytes. The files appear at the end, in this order; if what is done
    until then is interrupted or fails, the old ones stay, and nothing is left beside them. What cannot be replaced,
    such as devices and pipes, is written at once.
    """
    made = {}

    def write(path, content):
        content = content.encode() if isinstance(content, str) else content
        with files.naming(path):
            if not files.is_replaced(path):
                path.write_bytes(content)
                return
            path = path.resolve()
            draft = files.draft_of(path)
            made[draft] = path
            draft.write_bytes(content)
            if path.exists():
                shutil.copymode(path, draft)

    try:
        yield write
        for draft, path in made.items():
            with files.naming(path):
                _put(draft, path)
    finally:
        for draft in made:
            draft.unlink(missing_ok=True)


def write(path, content):
    """Writes one file, whose old content stays if this is interrupted or fails."""
    with drafts() as write_draft:
        write_draft(pathlib.Path(path), content)


def interrupted(interruption):
    """The message for a KeyboardInterrupt, and the exit status after it."""
    number = signal.Signals(*interruption.args or [signal.SIGINT])
    return "interrupted" if number == signal.SIGINT else f"ended by {number.name}", SIGNALLED + number


def reason(error):
    """The message for an OSError; if a disk is full, the error names no file."""
    return f"cannot write{f' {error.filename}' if error.filename else ''}: {error.strerror}"


def _prepare_output():
    """Makes sure that output that is lost raises an error. Otherwise print ignores that standard output is closed, and
    argparse ignores errors, which it meets where output is not buffered (python3 -u).
    """
    if sys.stdout is None:
        unwritable = os.open(os.devnull, os.O_RDONLY)
        os.dup2(unwritable, 1)
        if unwritable > 1:
            os.close(unwritable)
        sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", closefd=False)
    elif sys.stdout is sys.__stdout__:
        sys.stdout.reconfigure(write_through=False)


def _drop_output():
    """Discards pending output that cannot be written; otherwise Python would try again, and complain, as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.__stdout__.fileno())
    os.close(nowhere)


def stoppable(said):
    """Decorates main(words) of a command of bench, which returns its exit status.  said: the message if it is
    interrupted
    """

    def around(main):
        @functools.wraps(main)
        def command(*words):
            try:
                with _interruptible():
                    return main(*words)
            except KeyboardInterrupt as interruption:
                print(said, file=sys.stderr, flush=True)
                return interrupted(interruption)[1]

        return command

    return around


def told(name):
    """Decorates main(words) of a command, which returns its exit status."""

    def around(main):
        @functools.wraps(main)
        def command(words=None):
            _prepare_output()
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
