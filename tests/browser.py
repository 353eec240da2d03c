"""A browser that shows pages without a window: Chromium or one of its kind."""

import shutil
import tempfile
from pathlib import Path

import harness

NAMES = ("chromium", "chromium-browser", "google-chrome")


def dump(browser, page, timeout):
    """Opens a page and ends when its scripts have run: a harness.Result, whose output is the content of the page then.
    """
    with tempfile.TemporaryDirectory(prefix="banyan-browser-") as profile:
        return harness.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                            "--allow-file-access-from-files", "--host-resolver-rules=MAP * ~NOTFOUND",
                            "--virtual-time-budget=600000", f"--user-data-dir={profile}", "--dump-dom",
                            f"file://{page}"], timeout)


def find():
    """The name of a browser that shows pages in folders for temporary files; None if there is none.

    In Ubuntu chromium-browser is a script that only asks for a snap, and a snap has a /tmp of its own.
    """
    with tempfile.TemporaryDirectory(prefix="banyan-browser-") as folder:
        page = Path(folder) / "page.html"
        page.write_text("<!doctype html><p>shown</p>")
        return next((name for name in filter(shutil.which, NAMES) if "shown" in dump(name, page, 120).out), None)
