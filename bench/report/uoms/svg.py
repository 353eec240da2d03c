"""Converts figures to SVG in the page's colours, and to PNG and PDF."""

import io
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end must be chosen before)

SERIES = 8

# Real colours, for PNG and PDF on white.  The page has the same in page.css, and others for its dark theme.
LIGHT = {
    "ink": "#1c2430",
    "soft": "#5b6675",
    "grid": "#d9dee5",
    "back": "#ffffff",
    "series": ["#0b62a8", "#c2410c", "#0f7b5f", "#8b3fae", "#a16207", "#be185d", "#3f6212", "#475569"],
}

# Colours that no drawing uses by chance; each is replaced by a variable of the style sheet
MARKED = {
    "ink": "#010203",
    "soft": "#010204",
    "grid": "#010205",
    "back": "#010206",
    "series": [f"#0102{0x10 + i:02x}" for i in range(SERIES)],
}

MARKERS = "osD^vP*X"
DASHES = ["-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2))]


def style(index):
    """(colour, marker, dash) of a series; when colours run out they are reused, with other markers and dashes."""
    turn = index // SERIES
    return f"C{index}", MARKERS[(index + turn) % len(MARKERS)], DASHES[(index + turn) % len(DASHES)]


def _variables():
    names = {MARKED[name]: f"var(--{name})" for name in ("ink", "soft", "grid", "back")}
    names.update({colour: f"var(--series-{i})" for i, colour in enumerate(MARKED["series"])})
    return names


def settings(theme):
    """Matplotlib's settings for a theme."""
    return {
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "text.color": theme["ink"],
        "axes.labelcolor": theme["soft"],
        "axes.edgecolor": theme["grid"],
        "xtick.color": theme["soft"],
        "ytick.color": theme["soft"],
        "grid.color": theme["grid"],
        "axes.grid": True,
        "grid.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 9.5,
        "font.family": "sans-serif",
        "axes.titlesize": 10.5,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "legend.frameon": False,
        "legend.fontsize": 8.5,
        "lines.linewidth": 1.6,
        "lines.markersize": 3.6,
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
        "axes.prop_cycle": matplotlib.cycler(color=theme["series"]),
    }


def _themed(text, name):
    """SVG for embedding in a page: no prologue, sizes left to the page, unique ids, colours as variables."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg height="[^"]*"', r"<svg \1", text, count=1)
    text = re.sub(r'(<svg [^>]*?) (?:width|height)="[0-9.]+pt"', r"\1", text)
    text = re.sub(r'(<svg [^>]*?) (?:width|height)="[0-9.]+pt"', r"\1", text)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', text)
    # A hundredth of a point is finer than any screen.  Only in tags: visible numbers stay as they are.
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d\.\d{2})\d+", r"\1", tag.group()), text)
    # Matplotlib sets a font for each text; the page's font is used instead.
    text = re.sub(r"(font: [^;\"]*?) '[^;\"]*", r"\1 system-ui, sans-serif", text)
    for colour, variable in _variables().items():
        text = text.replace(colour, variable)
    return text


class Figure:
    """A drawing that can be rendered in any theme: draw(theme) returns matplotlib's figure."""

    def __init__(self, name, title, note, draw, wide=False):
        self.name, self.title, self.note, self.draw, self.wide = name, title, note, draw, wide

    def _render(self, theme, kind, has_title, **options):
        """A file stands alone, so it gets the title that is the caption in the page."""
        buffer = io.BytesIO()
        with matplotlib.rc_context({**settings(theme), "svg.hashsalt": self.name}):
            figure = self.draw(theme)
            if has_title:
                figure.suptitle(f"{self.title}\n{self.note}", x=0.02, y=0.92, ha="left", va="bottom", fontsize=9.5)
            figure.savefig(buffer, format=kind, bbox_inches="tight", pad_inches=0.06, **options)
            plt.close(figure)
        return buffer.getvalue()

    def page_svg(self):
        return _themed(self._render(MARKED, "svg", False, metadata={"Date": None}).decode(), self.name)

    def files(self, kinds):
        """(file name, bytes) for each of svg, png, pdf"""
        for kind in kinds:
            options = {"dpi": 160} if kind == "png" else {}
            yield f"{self.name}.{kind}", self._render({**LIGHT}, kind, True, facecolor=LIGHT["back"], **options)
