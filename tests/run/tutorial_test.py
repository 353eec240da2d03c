#!/usr/bin/env python3
"""docs/tutorial: every program compiles, every command can be typed as printed and prints what the page says.
Programs in docs/guide.md (blocks "c NAME") compile without warnings and run.

    tutorial_test.py [LESSON...]            lessons by name, such as 03-forall; default: all
    tutorial_test.py --approve [LESSON...]  writes the actual output into the pages; look at the difference

A block "console" is a session: lines after "$ " are commands, the others are their output.  Words after "console":
any-order (lines may come in any order), fails (the last command must), vary=WORD (lines that begin with the word are
not compared).
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jobs

ROOT = Path(jobs.TESTS).resolve().parent
SESSION = re.compile(r"^(```console([^\n]*)\n)(.*?)^(```)$", re.M | re.S)

sys.dont_write_bytecode = True
tutorial = jobs.harness.load("scripts", "tutorial")


def play(commands, folder):
    """[(output, status)] of each command, as typed in a shell; with messages as on a terminal"""
    env = jobs.environment(PATH=jobs.BIN + os.pathsep + os.environ["PATH"])
    ended = []
    for command in commands:
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=jobs.LIMIT, check=False)
        ended.append((done.stdout, done.returncode))
    return ended


def shown(commands, ended):
    return "".join(f"$ {command}\n{output}" for command, (output, _) in zip(commands, ended))


def comparable(text, words):
    lines = re.sub(r"\(pid \d+\)", "(pid N)", text).splitlines()
    vary = [word.removeprefix("vary=") for word in words if word.startswith("vary=")]
    lines = [next((prefix for prefix in vary if line.startswith(prefix)), line) for line in lines]
    return sorted(lines) if "any-order" in words else lines


class Lesson(unittest.TestCase):
    """The base of the lessons, which are subclasses made from the table at the end of this file."""

    page = None

    def test_it(self):
        with tempfile.TemporaryDirectory(prefix="banyan-tutorial-") as folder:
            tutorial.write_programs(self.page, Path(folder))
            sessions = SESSION.findall(self.page.read_text())
            self.assertTrue(sessions)
            for _, words, text, _ in sessions:
                with self.subTest(session=text):
                    commands = re.findall(r"^\$ (.*)$", text, re.M)
                    ended = play(commands, folder)
                    self.assertEqual(comparable(shown(commands, ended), words.split()),
                                     comparable(text, words.split()))
                    failed = [status != 0 for _, status in ended]
                    self.assertEqual(failed, [False] * (len(failed) - 1) + ["fails" in words.split()])


class Pages(unittest.TestCase):
    def test_every_page_is_in_the_table(self):
        table = (tutorial.PAGES / "README.md").read_text()
        self.assertEqual(sorted(set(re.findall(r"\]\(([\w-]+)\.md\)", table))), [name for name, _ in tutorial.pages()])

    def test_links_lead_somewhere(self):
        for page in tutorial.PAGES.glob("*.md"):
            for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")

    def test_programs_are_written(self):
        with tempfile.TemporaryDirectory(prefix="banyan-tutorial-") as folder:
            done = subprocess.run([ROOT / "scripts" / "tutorial", folder], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("MYTHREAD", Path(folder, "01-threads", "hello.upc").read_text())
            self.assertEqual(done.stdout.count("\n"), len(tutorial.pages()))


class Guide(unittest.TestCase):
    def test_programs_run(self):
        with tempfile.TemporaryDirectory(prefix="banyan-tutorial-") as folder:
            programs = tutorial.write_programs(ROOT / "docs" / "guide.md", Path(folder))
            self.assertTrue(programs)
            for program in programs:
                with self.subTest(program=program):
                    commands = [f"upcc -Wall -Werror {program} -o program", "upcrun -n 3 ./program"]
                    self.assertEqual(play(commands, folder), [("", 0)] * 2)


def approve(page):
    with tempfile.TemporaryDirectory(prefix="banyan-tutorial-") as folder:
        tutorial.write_programs(page, Path(folder))

        def played(match):
            head, words, text, end = match.groups()
            commands = re.findall(r"^\$ (.*)$", text, re.M)
            made = shown(commands, play(commands, folder))
            same = comparable(made, words.split()) == comparable(text, words.split())
            return match[0] if same else head + made + end

        page.write_text(SESSION.sub(played, page.read_text()))


for number, (title, path) in enumerate(tutorial.pages()):
    globals()[f"Lesson{number}"] = type(f"Lesson_{title.replace('-', '_')}", (Lesson,), {"page": path})
del Lesson

if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if not word.startswith("-")]
    if "--approve" in sys.argv:
        for title, path in tutorial.pages():
            if not chosen or title in chosen:
                approve(path)
    else:
        unittest.main(argv=sys.argv[:1] + [word for word in sys.argv[1:] if word not in chosen] +
                      [f"{name}.test_it" for name, made in sorted(globals().items())
                       if name.startswith("Lesson") and made.page.stem in chosen])
