#!/usr/bin/env python3
"""Cells of notebooks in UPC: what threads print, arguments, errors, and interrupts."""
import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import interpreter

interpreter.need("IPython")
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402

HELLO = """
#include <stdio.h>
int main(int argc, char **argv)
{
    printf("of %d <%s>\\n", THREADS, argv[argc - 1]);
    if (MYTHREAD == 1)
        fprintf(stderr, "not well\\n");
    return argc > 2 ? 7 : 0;
}
"""


class Cells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["PATH"] = f"{interpreter.BUILD / 'bin'}:{os.environ['PATH']}"
        cls.shell = InteractiveShell.instance()
        cls.shell.run_line_magic("load_ext", "banyan.jupyter")

    def cell(self, line, text=HELLO):
        """(the result, whether the cell succeeded, what was written to standard output and error)"""
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            result = self.shell.run_cell(f"%%upc {line}\n{text}")
        return result.result, result.success, out.getvalue(), errors.getvalue()

    def test_output_is_shown_thread_by_thread(self):
        result, is_good, _, _ = self.cell("-n 3 -O1 -- last")
        self.assertTrue(is_good)
        self.assertEqual(repr(result).splitlines(),
                         ["thread 0:", "  of 3 <last>", "thread 1:", "  of 3 <last>", "  not well",
                          "thread 2:", "  of 3 <last>"])
        page = result._repr_html_()     # pylint: disable=protected-access
        self.assertEqual(page.count("of 3 &lt;last&gt;"), 3)
        self.assertIn("not well</span>", page)

    def test_lines_as_they_come(self):
        result, is_good, out, errors = self.cell("-T 2 --live")
        self.assertTrue(is_good)
        self.assertIsNone(result)
        self.assertIn("[1] of 2", out)
        self.assertIn("[1] not well", errors)

    def test_what_the_compiler_says(self):
        _, is_good, _, errors = self.cell("", "int main(void)\n{\n    return unknown;\n}\n")
        self.assertFalse(is_good)
        self.assertRegex(errors, r"cell.upc:3:\d+: error: .unknown. undeclared")
        self.assertIn("the cell was not compiled", errors)

    def test_what_goes_wrong_is_said(self):
        _, _, _, errors = self.cell("-n 2 -- two words")
        self.assertIn("the program ended with status 7", errors)
        _, is_good, _, errors = self.cell("-n many")
        self.assertFalse(is_good)
        self.assertIn("-n needs a number of threads", errors)

        _, is_good, _, errors = self.cell("-n 2 -- 'open")
        self.assertFalse(is_good)
        self.assertIn("%%upc: No closing quotation", errors)
        self.assertNotIn("Traceback", errors)

    def test_numbers_of_threads_as_upcrun_takes_them(self):
        for line in "-n3", "-n=3", "-np 3", "--n 3":
            result, is_good, _, _ = self.cell(line)
            self.assertTrue(is_good, line)
            self.assertIn("thread 2:\n  of 3 ", repr(result))

    def test_threads_of_one_process(self):
        result, is_good, _, errors = self.cell("-n 2 -pthreads", HELLO.replace("of %d", "[7] of %d"))
        self.assertTrue(is_good, errors)
        self.assertEqual(repr(result).splitlines()[0], "all threads:")
        self.assertEqual(repr(result).count("[7] of 2"), 2)

    def test_files_beside_the_notebook(self):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            for name, text in {"near.h": "int twice(int);", "inc/far.h": "enum { TEN = 10 };",
                               "more.c": "int twice(int n) { return 2 * n; }"}.items():
                path = pathlib.Path(name)
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="ascii")
            text = ('#include <stdio.h>\n#include <upc.h>\n#include "near.h"\n#include <far.h>\nshared [] int *p;\n'
                    'int main(void)\n{\n    printf("%d %s\\n", twice(TEN), __FILE__);\n    fflush(stdout);\n'
                    '    return *p;\n}\n')
            result, _, _, _ = self.cell("-n 1 -fcheck -I inc more.c", text)
            self.assertIn("  20 cell.upc\n", repr(result))
            self.assertIn("cell.upc:10: a null pointer-to-shared", repr(result))
            self.assertNotIn("banyan-cell-", repr(result))
            self.assertEqual(sorted(os.listdir()), ["inc", "more.c", "near.h"])
            os.chdir(before)

    def test_an_interrupt_ends_all_threads(self):
        timer = threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        _, is_good, _, _ = self.cell("-n 2", "#include <unistd.h>\nint main(void)\n{\n    sleep(60);\n}\n")
        timer.cancel()
        self.assertFalse(is_good)
        self.assertLess(time.monotonic() - begun, 50)
        while time.monotonic() - begun < 50:        # on a busy machine it was upcc, whose C compiler ends by itself
            left = subprocess.run(["pgrep", "-f", "banyan-cell-"], capture_output=True, text=True, check=False).stdout
            if not left:
                break
            time.sleep(0.1)
        self.assertEqual(left, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
