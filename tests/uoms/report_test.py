#!/usr/bin/env python3
"""The report: made from real files, complete, without references to the network, and laid out by a browser, wide and
narrow."""

import contextlib
import html.parser
import io
import json
import pathlib
import re
import resource
import sys
import tempfile
import unittest.mock
import warnings

import suite

import browser
from uoms import report


class Structure(html.parser.HTMLParser):
    """The content of a page: ids, references, and whether tags match."""

    VOID = {"meta", "br", "img", "link", "input", "hr"}

    def __init__(self):
        super().__init__()
        self.ids, self.references, self.open, self.faults, self.loads = [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.ids.append(values["id"])
        for name in ("href", "xlink:href", "src"):
            if values.get(name, "").startswith("#"):
                self.references.append(values[name][1:])
            elif name in values and tag != "a" and not values[name].startswith("data:"):
                self.loads.append(values[name])
        self.references += re.findall(r"url\(#([^)]+)\)", " ".join(value for value in values.values() if value))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


PROBE = """<!DOCTYPE html><html><body><pre id="out">not loaded</pre>
<script>
function probe(width, next) {
  const frame = document.createElement("iframe");
  frame.width = width; frame.height = 800; frame.src = "index.html";
  frame.onload = () => {
    const inner = frame.contentDocument;
    const figures = [...inner.querySelectorAll("figure svg")];
    const narrow = figures.filter(each => each.getBoundingClientRect().width < Math.min(width, 400) * 0.5
      && !each.classList.contains("machine")).length;
    const cells = Math.min(...[...inner.querySelectorAll(".facts td")].map(each => each.getBoundingClientRect().width));
    next(`width ${width}: scroll ${inner.documentElement.scrollWidth}, figures ${figures.length}, ` +
         `narrow ${narrow}, cells ${Math.round(cells)}`);
  };
  document.body.append(frame);
}
probe(1280, first => probe(390, second => { document.getElementById("out").textContent = first + "\\n" + second; }));
</script></body></html>
"""


class Report(suite.Test):
    @classmethod
    def setUpClass(cls):
        """Measures once for all tests, and makes the page and pictures that several look at"""
        folder = tempfile.TemporaryDirectory(prefix="uoms-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.made = pathlib.Path(folder.name)
        short = ("-time", "0.001", "-repetitions", "6", "-maxsize", "64", "-verify=off", "-quiet")
        names = ("broadcast", "gather_all", "get", "barrier", "relaxed_read")
        cls.files = [cls.made / f"{threads}.json" for threads in (2, 3)]
        other = cls.made / "other.json"
        for threads, path in zip((2, 3, 2), (*cls.files, other)):
            cls.uoms(threads, *names, *short, "-json", path)
        cls.small = cls.made / "small.json"
        cls.small.write_text(json.dumps(cls.part("broadcast")))
        cls.words = ["UPC=" + ",".join(map(str, cls.files)), f"other={other}"]
        cls.whole = cls.made / "out"
        result = suite.run([sys.executable, "-m", "uoms.report", "-o", cls.whole, "--formats", "svg", *cls.words],
                           PYTHONPATH=str(suite.ROOT / "bench" / "report"), timeout=500)
        if result.status != 0:
            raise AssertionError(result.err[-3000:])

    def setUp(self):
        super().setUp()
        self.page = self.folder / "out" / "index.html"

    @classmethod
    def part(cls, *operations):
        """What was measured of these operations, by 2 threads"""
        document = json.loads(cls.files[0].read_text())
        document["results"] = [row for row in document["results"] if row["operation"] in operations]
        return document

    def report(self, *words, status=0):
        """What the command says on standard error; in this process, which has loaded the libraries already"""
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(report.main([str(word) for word in words]), status)
        return errors.getvalue()

    def test_page_and_pictures(self):
        text = (self.whole / "index.html").read_text()
        self.check_structure(text)
        for section in (
            "peers",
            "curves",
            "unsized",
            "threads",
            "scaling",
            "pairs",
            "guidelines",
            "machine",
            "context",
            "numbers",
        ):
            self.assertIn(f'<h2 id="{section}">', text)
        self.assertIn("prefers-color-scheme: dark", text)
        self.assertNotIn("#0102", text, "a marked colour was left in the page")
        figures = {path.name for path in (self.whole / "figures").iterdir()}
        for stem in (
            "latency-collectives-upc-2",
            "peers-broadcast-2",
            "heat-broadcast-upc",
            "lines-broadcast-upc",
            "scaling-barrier-upc",
        ):
            self.assertIn(f"{stem}.svg", figures)
        self.assertNotIn("surface-broadcast-upc.svg", figures, "two numbers of threads make no surface")
        for stem, title, axis in (
            ("ratio-broadcast-2", "broadcast, 2 threads: ratio", "time / time of UPC"),
            ("scaling-barrier-upc", "barrier over threads", "median time"),
            ("heat-broadcast-upc", "broadcast over threads and size", "median time"),
        ):
            drawn = (self.whole / "figures" / f"{stem}.svg").read_text()
            for words in (title, axis):
                self.assertIn(f">{words}</", drawn, stem)
        for picture in (self.whole / "figures").glob("*.svg"):
            self.assertNotIn("$\\mathdefault", picture.read_text(), "a tick of another style")
        self.check_in_browser()

    def test_formats_of_pictures(self):
        self.report("-o", self.folder / "out", "--formats", "png,svg,pdf", self.small)
        for kind, magic in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
            pictures = list((self.folder / "out" / "figures").glob(f"latency-*.{kind}"))
            self.assertEqual(len(pictures), 1)
            self.assertTrue(pictures[0].read_bytes().startswith(magic))

    def test_one_size_has_a_tick(self):
        document = self.part("broadcast")
        document["results"] = [row for row in document["results"] if row["bytes"] == 64]
        path = self.folder / "one.json"
        path.write_text(json.dumps(document))
        self.report("-o", self.folder / "out", "--formats", "svg", path)
        picture, = (self.folder / "out" / "figures").glob("latency-*.svg")
        self.assertIn(">64</", picture.read_text())

    def test_fewer_threads_come_first(self):
        _, frames, _ = report.libraries()
        table = frames.table(frames.load(["A=" + ",".join(map(str, reversed(self.files)))]))
        self.assertEqual(list(dict.fromkeys(table["threads"])), [2, 3])

    def test_the_page_tells_of_all_files(self):
        text = (self.whole / "index.html").read_text()
        head = text[text.index("<h1>") : text.index("<nav>")]
        head = head.replace('<span class="whole">', "").replace("</span>", "")
        self.assertRegex(head, r"<b>UPC</b>: .+; 20\d\d-\d\d-\d\d; caches hot; 2 launches")
        self.assertIn("medians with hot caches", text)
        facts = text[text.index('<h2 id="context">') : text.index('<h2 id="numbers">')]
        for path in self.files:
            self.assertIn(str(path), facts)
        self.assertIn("<td>2, 3</td>", facts)
        self.assertRegex(facts, r"<th>compiler</th><td>upcc \(Banyan\) \S+ over (gcc|Ubuntu|Debian|clang)")
        self.assertRegex(facts, r"<th>load at start</th><td>[\d.]+ [\d.]+ [\d.]+<")
        self.assertNotIn("nan", re.findall(r">([^<]*)<", text[text.index('<h2 id="numbers">') :]))

    def test_what_lies_beyond_a_chart_is_marked(self):
        document = self.part("broadcast", "gather_all")
        base = self.folder / "base.json"
        base.write_text(json.dumps(document))
        for row in document["results"]:
            for name in ("median", "ci_low", "ci_high", "t_min", "t_max", "t_avg", "p95"):
                if row.get(name) and row["operation"] == "broadcast" and row["bytes"] == 16:
                    row[name] *= 40
                if row.get(name) and row["operation"] == "gather_all":
                    row[name] /= 100
        slow = self.folder / "slow.json"
        slow.write_text(json.dumps(document))
        self.report("-o", self.folder / "out", "--formats", "svg", f"UPC={base}", f"slow={slow}")
        figures = self.folder / "out/figures"
        beyond = re.findall(r">(\d+|0\.\d+)</text>", (figures / "ratio-broadcast-2.svg").read_text())
        self.assertIn("40", beyond)
        self.assertIn("0.01", re.findall(r">(0\.\d+)</text>", (figures / "ratio-gather-all-2.svg").read_text()))

    def test_times_of_0_are_in_the_tables_alone(self):
        document = self.part("broadcast")
        for row in document["results"][:-1]:
            row.update({name: 0 for name in ("median", "ci_low", "ci_high", "t_min", "t_max", "t_avg")}, bw_max=None)
        zero = self.folder / "zero.json"
        zero.write_text(json.dumps(document))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.report("-o", self.folder / "out", "--formats", "none", f"A={zero}", f"B={self.small}")
        self.assertIn("0 ns", self.page.read_text())

    def test_an_interruption_leaves_nothing_behind(self):
        charts, frames, page = report.libraries()
        (self.folder / "own").mkdir()
        for place, name in ((page, "build"), (charts.svg.Figure, "files")):
            with unittest.mock.patch.object(place, name, side_effect=KeyboardInterrupt):
                for folder in ("new/out", "own"):
                    with self.assertRaises(KeyboardInterrupt):
                        report.write(frames.load([str(self.small)]), self.folder / folder, ["png"])
            self.assertFalse((self.folder / "new").exists())
            self.assertEqual(list((self.folder / "own").iterdir()), [])

    def test_an_old_report_stays_if_there_is_no_room_for_a_new_one(self):
        mpi = self.folder / "mpi.json"
        mpi.write_text('{"schema": "banyan-mpi-report-1", "processes": 2, "library": "x", "communicators": []}')
        self.page.parent.mkdir()
        self.page.write_text("old")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        for source in (self.small, mpi):
            said = self.report("-o", self.page.parent, "--formats", "none", source, status=3)
            self.assertEqual(said, f"uoms-report: cannot write {self.page}: File too large\n")
            self.assertEqual([(path, path.read_text()) for path in self.page.parent.iterdir()], [(self.page, "old")])

    def test_of_many_sources_the_first_has_charts_of_its_own(self):
        self.report("-o", self.folder / "out", "--formats", "none", *(f"{name}={self.files[0]}" for name in "abcd"))
        text = self.page.read_text()
        self.check_structure(text)
        self.assertIn('id="peers-broadcast-2"', text)
        self.assertIn('id="latency-collectives-a-2"', text)
        self.assertNotIn('id="latency-collectives-b-2"', text)
        self.assertEqual(text.count('<svg class="machine"'), 1)
        for name in "abcd":
            self.assertIn(f"<summary>{name}: broadcast</summary>", text, "numbers of each are there")

    def test_labels_that_are_alike_have_files_of_their_own(self):
        self.report("-o", self.folder / "out", "--formats", "svg", f"Old={self.small}", f"old={self.small}")
        self.check_structure(self.page.read_text())
        stem = "latency-collectives-old-2"
        for name, label in ((stem, "Old"), (f"{stem}-2", "old")):
            drawn = (self.folder / "out/figures" / f"{name}.svg").read_text()
            self.assertIn(f">{label}, 2 threads; median with its 95 % interval<", drawn)

    def test_ratios_are_to_the_first_that_has_the_operation(self):
        """Also, of nine systems no two look alike."""
        charts, _, _ = report.libraries()
        without, having = self.folder / "without.json", self.folder / "having.json"
        without.write_text(json.dumps(self.part("get")))
        having.write_text(json.dumps(self.part("get", "broadcast")))
        self.report("-o", self.folder / "out", "--formats", "svg", f"A={without}",
                    *(f"{name}={having}" for name in "BCDEFGHI"))
        for operation, label in (("get", "A"), ("broadcast", "B")):
            drawn = (self.folder / "out/figures" / f"ratio-{operation}-2.svg").read_text()
            self.assertIn(f">time / time of {label}<", drawn)
            self.assertIn(f">time / time of {label}; above 1 is slower", drawn)
        self.assertIn("; the first 8 of 9<", (self.folder / "out/figures/peers-get-2.svg").read_text())
        self.assertEqual(len({charts.svg.style(index) for index in range(9)}), 9)

    def check_structure(self, text):
        structure = Structure()
        structure.feed(text)
        self.assertEqual(structure.faults, [])
        self.assertEqual(structure.open, [])
        self.assertEqual(structure.loads, [], "the page loads something")
        self.assertNotIn("<script", text)
        self.assertEqual(len(structure.ids), len(set(structure.ids)), "an id is used twice")
        self.assertLessEqual(set(structure.references), set(structure.ids))

    def check_in_browser(self):
        name = browser.find()
        if name is None:
            print("skipped 1: chromium is not installed, so the layout of the report was not looked at")
            return
        (self.whole / "probe.html").write_text(PROBE)
        result = browser.dump(name, self.whole / "probe.html", timeout=240)
        found = re.findall(r"width (\d+): scroll (\d+), figures (\d+), narrow (\d+), cells (\d+)", result.out)
        self.assertEqual([width for width, *_ in found], ["1280", "390"], result.out[:500] + result.err[-1000:])
        for width, scroll, figures, narrow, cells in found:
            self.assertGreater(int(cells), 200, "a table has no room")
            self.assertLessEqual(int(scroll), int(width), "the page is wider than the window")
            self.assertGreater(int(figures), 10)
            self.assertEqual(int(narrow), 0, "a figure has no room")

    def test_wrong_files_are_named(self):
        bad = self.folder / "bad.json"
        bad.write_text("{}")
        self.assertIn("not a file of uoms -json", self.report(bad, status=2))
        for words in (b'{"format": "uoms-2"', b'{"schema": "banyan-mpi-report-1"'):
            bad.write_bytes(words + b', "name": "\xff"}')
            said = self.report(bad, status=2)
            self.assertIn(f"{bad}: ", said)
            self.assertIn("'utf-8' codec can't decode byte 0xff", said)
            self.assertNotIn("cut short", said)
        for word, said in (
            ("A=", "'A=' is not LABEL=FILE[,FILE...]: the file is missing"),
            (f"={self.files[0]}", "the label is missing"),
            (f"A={self.files[0]},", f"there is an empty file name in '{self.files[0]},'"),
            ("", "there is an empty file name in ''"),
            (f"A={self.small},{self.small}", f"{self.small} is given twice in"),
        ):
            self.assertIn(said, self.report(word, status=2))
        self.assertIn("No such file", self.report("/nonexistent.json", status=2))
        self.assertIn(f"cannot write {bad}: File exists", self.report("-o", bad, self.small, status=3))


if __name__ == "__main__":
    suite.main(load=report.libraries)
