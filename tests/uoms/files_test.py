#!/usr/bin/env python3
"""Result files of runs that were interrupted or killed: every row that was measured is read."""

import contextlib
import io
import signal
import subprocess
import time

import suite

from uoms import files


class CutShort(suite.Test):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "result.json"

    def read(self):
        """The results in the file, and what is said about it"""
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            results = files.read(self.path, with_context=True)[0]["results"]
        return results, errors.getvalue()

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
            with subprocess.Popen([suite.UOMS, "-n", "2", "upc_all_*", "-quiet", "-json", self.path, "-time", "0.2",
                                   "-precision", "0.000001"], env=suite.environment(), stdin=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as running:
                while running.poll() is None and not self.has_row():
                    time.sleep(0.01)
                running.send_signal(number)
            self.assertIn(running.returncode, (-number, 128 + number))
            results, said = self.read()
            self.assertGreaterEqual(len(results), 1)
            self.assertIn("the run was cut short; ", said)

    def has_row(self):
        with contextlib.suppress(files.FileError), contextlib.redirect_stderr(io.StringIO()):
            return bool(files.read(self.path))
        return False


if __name__ == "__main__":
    suite.main()
