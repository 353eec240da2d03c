#!/usr/bin/env python3
"""Result files of runs that were interrupted or killed: every row that was measured is read.  Only one run at a time
writes a file."""

import contextlib
import io
import signal
import subprocess
import time

import suite

from uoms import collectives, files, profile


class Written(suite.Test):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "result.json"

    def read(self):
        """The results in the file, and what is said about it"""
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            results = files.read(self.path, with_context=True)[0]["results"]
        return results, errors.getvalue()

    @contextlib.contextmanager
    def running(self):
        """A run that does not end by itself, and has written a row"""
        with subprocess.Popen([suite.UOMS, "-n", "2", "upc_all_*", "-quiet", "-json", self.path, "-time", "0.2",
                               "-precision", "0.000001"], env=suite.environment(), stdin=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as run:
            while run.poll() is None and not self.has_row():
                time.sleep(0.01)
            yield run

    def has_row(self):
        with contextlib.suppress(files.FileError), contextlib.redirect_stderr(io.StringIO()):
            return bool(files.read(self.path))
        return False


class CutShort(Written):
    def test_what_is_complete_is_read_wherever_a_file_ends(self):
        whole = self.results(2, "broadcast", "-maxsize", "16", "-repetitions", "6", "-time", "0.01")["results"]
        text = self.path.read_text()
        self.assertEqual(self.read(), (whole, ""))
        ends = [text.index("\n", text.index('"results":['))]
        for each in whole[:-1]:
            ends.append(text.index(",\n{", ends[-1] + 1))
        ends.append(text.rindex("]}"))
        self.assertEqual(len(whole), 3)
        for count, (begin, end) in enumerate(zip(ends, ends[1:])):
            for cut in (begin, begin + 1, begin + 2, (begin + end) // 2, end - 1):
                self.path.write_text(text[:cut])
                if count == 0:
                    with self.assertRaisesRegex(files.FileError, "not complete JSON .*; was the run cut short?"):
                        files.read(self.path)
                    continue
                rows = "1 row" if count == 1 else f"{count} rows"
                self.assertEqual(self.read(), (whole[:count],
                                               f"{self.path}: the run was cut short; {rows} of it can be used\n"))
        for cut in range(ends[-1], len(text.rstrip())):
            self.path.write_text(text[:cut])
            self.assertEqual(self.read()[0], whole)

    def test_a_run_that_a_signal_ends_leaves_its_rows(self):
        for number in (signal.SIGINT, signal.SIGKILL):
            self.path.unlink(missing_ok=True)
            with self.running() as run:
                run.send_signal(number)
            self.assertIn(run.returncode, (-number, 128 + number))
            results, said = self.read()
            self.assertGreaterEqual(len(results), 1)
            self.assertIn("the run was cut short; ", said)


class Shared(Written):
    def refused(self, *arguments):
        done = self.uoms(1, "-quiet", "-time", "0.001", "upc_barrier", *arguments, status=2)
        return done.err

    def test_a_file_that_another_run_writes_is_refused(self):
        with self.running() as run:
            said = f"uoms: {self.path} is being written by another run\n"
            self.assertEqual(self.refused("-json", self.path), said)
            other = self.folder / "other"
            other.write_text("kept")
            self.assertEqual(self.refused("-json", other, "-csv", self.path), said)
            self.assertEqual(other.read_text(), "kept")
            run.send_signal(signal.SIGINT)
        self.assertGreaterEqual(len(self.read()[0]), 1)
        self.assertEqual(len(self.results(1, "upc_barrier", "-time", "0.001")["results"]), 1)

    def test_one_file_for_both_is_refused(self):
        self.path.write_text("kept")
        link = self.folder / "link"
        link.symlink_to(self.path)
        self.assertEqual(self.refused("-json", self.path, "-csv", link),
                         f"uoms: {self.path} and {link} are one file; give -json and -csv a file each\n")
        self.assertEqual(self.path.read_text(), "kept")
        self.uoms(1, "-quiet", "-time", "0.001", "upc_barrier", "-json", "/dev/null", "-csv", "/dev/null")


class Marked(Written):
    def test_a_mark_that_an_editor_puts_in_front_is_skipped(self):
        results = self.results(1, "upc_barrier", "-time", "0.001")["results"]
        self.mark(self.path.read_text())
        self.assertEqual(self.read(), (results, ""))
        for reader, text in ((profile, '{"threads": 0, "operations": [], "moved_bytes": []}'),
                             (collectives, '{"communicators": []}')):
            self.mark(text)
            self.assertTrue(reader.read(self.path))

    def mark(self, text):
        self.path.write_text(text, encoding="utf-8-sig")


if __name__ == "__main__":
    suite.main()
