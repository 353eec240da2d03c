#!/usr/bin/env python3
"""What is left when a command is interrupted or a disk is full."""

import contextlib
import errno
import io
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import unittest
import unittest.mock

import suite

from uoms import ends, files, runs

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What a command of bench starts: has a child, writes its number to a file, and has the command interrupted
INTERRUPTS = 'sleep 300 & echo $! > "$0"; kill -"$1" $PPID; wait'


class Drafts(suite.Test):
    def setUp(self):
        super().setUp()
        self.old, self.new = self.folder / "old", self.folder / "new"
        self.old.write_text("old")

    def left(self):
        return {path.name: path.read_text() for path in self.folder.iterdir()}

    def test_all_appear_at_the_end(self):
        with ends.drafts() as write:
            write(self.new, b"bytes")
            write(self.old, "text")
            self.assertFalse(self.new.exists())
            self.assertEqual(self.old.read_text(), "old")
        self.assertEqual(self.left(), {"new": "bytes", "old": "text"})

    def test_an_interruption_leaves_what_was_there(self):
        with self.assertRaises(KeyboardInterrupt), ends.drafts() as write:
            write(self.new, "text")
            write(self.old, "text")
            raise KeyboardInterrupt
        self.assertEqual(self.left(), {"old": "old"})

    def test_a_file_that_cannot_be_written_is_named_and_stays(self):
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        with self.assertRaisesRegex(files.FileError, f"^cannot write {self.old}: File too large$"), \
                ends.drafts() as write:
            write(self.new, "text")
            write(self.old, "x" * 1001)
        self.assertEqual(self.left(), {"old": "old"})

    def test_a_device_is_written_to(self):
        with ends.drafts() as write:
            write(pathlib.Path(os.devnull), "text")
        self.assertTrue(pathlib.Path(os.devnull).is_char_device())

    def test_permissions_stay(self):
        self.old.chmod(0o640)
        ends.write(self.old, "text")
        self.assertEqual(self.old.stat().st_mode & 0o777, 0o640)

    def test_what_nothing_can_take_the_place_of_is_written_to(self):
        files.check_targets([self.old])
        with self.subTest("a mount point"), unittest.mock.patch.object(
                pathlib.Path, "replace", side_effect=OSError(errno.EBUSY, os.strerror(errno.EBUSY))):
            ends.write(self.old, "onto it")
            self.assertEqual(self.left(), {"old": "onto it"})
        with self.subTest("a folder that cannot be written"), \
                unittest.mock.patch.object(os, "access", return_value=False), \
                unittest.mock.patch.object(files, "draft_of", side_effect=AssertionError):
            files.check_targets([self.old])
            with self.assertRaisesRegex(files.FileError, "are one file"):
                files.check_targets([self.old, self.old])
            ends.write(self.old, "into it")
            self.assertEqual(self.left(), {"old": "into it"})
        with self.subTest("a file without a name"), tempfile.TemporaryFile(dir=self.folder) as file:
            path = f"/dev/fd/{file.fileno()}"
            files.check_targets([path])
            ends.write(path, "text")
            self.assertEqual(file.read(), b"text")
            self.assertEqual(self.left(), {"old": "into it"})

    def test_a_link_stays(self):
        (self.folder / "link").symlink_to("old")
        with ends.drafts() as write:
            write(self.folder / "link", "text")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(self.old.read_text(), "text")


class Stopped(suite.Test):
    def setUp(self):
        super().setUp()
        for number, handler in zip(SIGNALS, (signal.default_int_handler, signal.SIG_DFL, signal.SIG_DFL)):
            self.addCleanup(signal.signal, number, signal.signal(number, handler))

    def stopped(self, work):
        """The exit status of a command that does this, and what it says"""
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            return ends.stoppable("stopped")(work)(), errors.getvalue()

    def test_a_signal_ends_all_that_was_started(self):
        for number in SIGNALS:
            path = self.folder / number.name
            status = self.stopped(lambda path=path, number=number: runs.run(
                ["sh", "-c", INTERRUPTS, path, number.name.removeprefix("SIG")]))
            self.assertEqual(status, (128 + number, "stopped\n"))
            self.assertFalse(suite.harness.is_alive(path.read_text().strip()))

    def test_what_is_started_meanwhile_is_known_before_it_is_interrupted(self):
        for number in SIGNALS:
            done = []

            def work(number=number, done=done):
                with ends.postponed():
                    os.kill(os.getpid(), number)
                    done.append("within")
                done.append("behind")

            self.assertEqual(self.stopped(work), (128 + number, "stopped\n"))
            self.assertEqual(done, ["within"])

    def test_ignored_signals_stay_so(self):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.assertEqual(self.stopped(lambda: os.kill(os.getpid(), signal.SIGHUP)), (None, ""))

    def test_what_has_ended_can_be_ended(self):
        with subprocess.Popen(["true"], start_new_session=True) as process:
            process.wait()
            runs.end(process)


if __name__ == "__main__":
    unittest.main()
