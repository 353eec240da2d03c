#!/usr/bin/env python3
"""The web site of the documents: it is made without warnings, loads nothing from elsewhere, and no page is wider than a
desktop window or a phone's screen.

    site_test.py SOURCE     where `make site-env` has been run; otherwise it is skipped
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
sys.path.append(str(SOURCE / "tests"))
import browser  # noqa: E402  (found only with the path above)

WIDTHS = (1280, 390)
# Opens each page in a frame of each width, and writes its findings where --dump-dom prints them
PROBE = """<!doctype html><body><pre id="seen"></pre><script>
async function look() {
    const frame = document.createElement('iframe');
    frame.style.height = '900px';
    document.body.append(frame);
    for (const width of %s)
        for (const page of %s) {
            frame.style.width = width + 'px';
            await new Promise(done => { frame.onload = done; frame.src = page; });
            const root = frame.contentDocument.documentElement;
            document.getElementById('seen').append(
                width + ' ' + page + ' ' + root.scrollWidth + ' ' + root.innerText.length + '\\n');
        }
    document.getElementById('seen').append('done\\n');
}
look();
</script>"""


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix="banyan-site-"))
        cls.site = cls.scratch / "site"
        cls.made = subprocess.run([SOURCE / "scripts/site", cls.site], capture_output=True, text=True, check=False,
                                  timeout=300)
        cls.pages = sorted(str(path.relative_to(cls.site)) for path in cls.site.rglob("*.html"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def test_it_is_made_of_all_documents(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout + self.made.stderr)
        self.assertEqual(self.made.stderr, "")
        for path in (SOURCE / "docs").rglob("*.md"):
            name = str(path.relative_to(SOURCE).with_suffix(".html")).replace("README.html", "index.html")
            self.assertIn(name, self.pages)

    def test_nothing_is_loaded_from_elsewhere(self):
        for page in self.pages:
            text = (self.site / page).read_text()
            loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?(https?://[^\s\">]+)", text)
            self.assertEqual(loaded, [], page)

    def test_programs_are_shown_as_such(self):
        for page in self.pages:
            text = re.sub(r"<(pre|code|script)\b.*?</\1>", "", (self.site / page).read_text(), flags=re.S)
            self.assertNotIn("```", text, page)
            self.assertNotRegex(text, r"\]\([^)\s]+\)", page)

    def test_lists_and_tables_are_shown_as_such(self):
        for page in self.pages:
            text = re.sub(r"<(pre|code|script)\b.*?</\1>", "", (self.site / page).read_text(), flags=re.S)
            for paragraph in re.findall(r"<(?:p|li)>(.*?)</(?:p|li)>", text, re.S):
                for pattern in (r"^\s*\|.*\|", r"\n\s*\|", r"\n\s*[-*] \S", r"</a> \d+\. <a"):
                    self.assertNotRegex(paragraph, pattern, page)

    def test_no_page_is_wider_than_the_window(self):
        name = browser.find()
        if name is None:
            self.skipTest("chromium is missing")
        pages = [page for page in self.pages if page != "404.html"]
        (self.site / "probe.html").write_text(PROBE % (json.dumps(WIDTHS), json.dumps(pages)))
        seen = browser.dump(name, self.site / "probe.html", timeout=500)
        self.assertIn("done\n", seen.out, seen.out[-500:] + seen.err[-1000:])
        found = re.findall(r"^(?:<.*>)?(\d+) (\S+) (\d+) (\d+)$", seen.out, re.M)
        self.assertEqual(len(found), len(WIDTHS) * len(pages))
        for width, page, scroll, length in found:
            self.assertLessEqual(int(scroll), int(width), f"{page} in a window of {width}")
            self.assertGreater(int(length), 100, page)


if __name__ == "__main__":
    if not (SOURCE / "build/site-env/bin/mkdocs").exists():
        print("skipped 1: MkDocs is missing; 'make site-env' brings it")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
