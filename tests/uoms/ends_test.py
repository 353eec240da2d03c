#!/usr/bin/env python3
"""What is left when a command is interrupted or a disk is full."""

import resource
import unittest

import suite

from uoms import ends, files


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

    def test_a_link_stays(self):
        (self.folder / "link").symlink_to("old")
        with ends.drafts() as write:
            write(self.folder / "link", "text")
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(self.old.read_text(), "text")


if __name__ == "__main__":
    unittest.main()
