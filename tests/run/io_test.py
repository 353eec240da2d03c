#!/usr/bin/env python3
"""Files of jobs that end in various ways, files on full devices, and files of 8 GiB."""

import os
import signal
import subprocess
import unittest

import jobs

PROGRAM = os.path.join(jobs.FOLDER, "victim_io")  # a name that jobs.processes finds as well
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "io_jobs.upc")
BLOCK = 1 << 16


def run(count, *arguments):
    return jobs.run(count, *arguments, program=PROGRAM)


def path(name):
    return os.path.join(jobs.FOLDER, name)


class Files(jobs.JobTest):
    @classmethod
    def setUpClass(cls):
        subprocess.run([os.path.join(jobs.BIN, "upcc"), "-O1", SOURCE, "-o", PROGRAM], check=True, timeout=jobs.LIMIT)

    def tearDown(self):
        super().tearDown()
        for name in ("kept", "gone", "dying", "huge"):
            if os.path.exists(path(name)):
                os.remove(path(name))

    def on_device(self, options, *arguments):
        """Runs a job for which the folder `device` is a small file system of its own."""
        os.makedirs(path("device"), exist_ok=True)
        script = 'mount -t tmpfs -o "$1" none "$2" || exit 77; shift 2; exec "$@"'
        command = ["unshare", "-m", "sh", "-c", script, "sh", options, path("device"), jobs.UPCRUN, "-n", "3", PROGRAM]
        try:
            ended = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=jobs.LIMIT,
                                   env=jobs.environment(), cwd=jobs.FOLDER)
        except FileNotFoundError:
            self.skipTest("there is no unshare command")
        if ended.returncode in (1, 77) and ("unshare:" in ended.stderr or "mount:" in ended.stderr):
            self.skipTest("file systems cannot be mounted here: " + ended.stderr.strip())
        return ended

    def test_files_are_closed_at_the_end(self):
        """Outstanding operations are completed, and files to be deleted are deleted."""
        for count in (1, 3):
            ended = run(count, "return")
            self.assertEqual((ended.status, ended.err), (0, ""))
            with open(path("kept"), "rb") as file:
                self.assertEqual(file.read(), b"x" * BLOCK * count)
            self.assertFalse(os.path.exists(path("gone")))

    def test_files_are_closed_by_upc_global_exit(self):
        ended = run(3, "end")
        self.assertEqual(ended.status, 3, ended.err)
        self.assertFalse(os.path.exists(path("gone")))

    def test_a_thread_is_killed_with_an_operation_outstanding(self):
        ended = run(3, "die")
        self.assertEqual(ended.status, 128 + signal.SIGKILL, ended.err)
        self.assertEqual(len(ended.errors), 1, ended.err)
        self.assertEqual(os.path.getsize(path("dying")), 3 * BLOCK)

    def test_a_full_device(self):
        """Every thread gets the error, and the file remains usable."""
        ended = self.on_device("size=1m", "fill", "device/file")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        full = "No space left on device"
        expected = ["common: " + full, "asynchronous: " + full, "individual: " + full, "preallocate: " + full,
                    "again: 1",
                    "size: 3", "close: 0"]
        self.assertEqual(sorted(ended.stdout.splitlines()), sorted(expected * 3))

    def test_a_device_that_is_read_only(self):
        ended = self.on_device("size=1m,ro", "open", "device/file")
        self.assertEqual(ended.stdout.splitlines(), ["open: Read-only file system"] * 3)

    def test_a_file_of_8_gib(self):
        size = 8 << 30
        for count in (1, 3):
            ended = run(count, "huge")
            self.assertEqual((ended.status, ended.err), (0, ""))
            bytes_written = BLOCK * count
            begin = size - bytes_written // 2
            end = begin + bytes_written
            lines = ["set: 0", "get: %d" % size, "seek: %d" % begin, "write: %d" % bytes_written, "get: %d" % end,
                     "seek: %d" % (end - 1), "last: %d" % (count - 1), "list: 1", "close: 0"]
            self.assertEqual(sorted(ended.lines), sorted(lines * count))
            with open(path("huge"), "rb") as file:
                file.seek(begin)
                self.assertEqual(file.read(), b"".join(bytes([97 + t]) * BLOCK for t in range(count)))
                file.seek(3 << 30)
                self.assertEqual(file.read(count + 1), b"ABC"[:count] + b"\0")
            os.remove(path("huge"))

    def test_misuse_is_explained(self):
        for action, text in (("null", "upc_all_fsync: the pointer to the file is null"),
                             ("closed", "upc_all_fsync: there is no open file at 0x"),
                             ("differ", "upc_all_fopen: the flags are")):
            ended = run(2, action)
            self.assertEqual(ended.status, 1)
            self.assert_one_line(ended, text)


if __name__ == "__main__":
    jobs.main()
