"""Pages from the files of `upcrun -profile=FILE.json`: who spent time on what, and who sent how much to whom."""

import json
import math
import pathlib
import statistics

from . import ends, text_file
from .drawing import picture, shape
from .files import count_text, naming, with_unit

SCHEMA = "banyan-profile-1"

# In the order of the table; colours are those of page.css
GROUPS = ("barriers", "collectives", "copies", "accesses", "atomics", "locks", "items", "memory", "files")
COLOURS = 8
SOFT = "var(--soft)"
WIDTH = 440  # of pictures, in units of which letters are 11 or 12 high
MOST_OPERATIONS = 16  # in the picture; the table has all
MOST_THREADS = 64  # with a bar and a matrix row of their own
MOST_PLACES = 24


class ProfileError(Exception):
    """A file that is not a complete profile."""


def begins_with(path, schema):
    """Whether a schema's name occurs in the first bytes of a file"""
    try:
        with open(path, "rb") as file:
            return schema.encode() in file.read(200)
    except OSError:
        return False


def is_profile(path):
    """Whether a file is a profile, judged by its beginning."""
    return begins_with(path, SCHEMA)


def read(path):
    """The profile in a file."""
    try:
        profile = json.loads(text_file.read(path))
        shares = [len(each["threads"]["ms"]) for each in profile["operations"]]
        if any(count != profile["threads"] for count in [*shares, len(profile["moved_bytes"])]):
            raise ProfileError(f"{path}: the numbers of threads do not match")
        return profile
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ProfileError(f"{path}: no profile of upcrun -profile=FILE.json: {error}") from error


# ---- Words ----


def bytes_text(count):
    return with_unit(count, ("B", "kB", "MB", "GB", "TB", "PB")) if count else "–"


def range_text(least, most):
    """'2 to 3', for formatted numbers; just one of them if they are equal"""
    return least if least == most else f"{least} to {most}"


def ms_text(ms):
    if ms <= 0:
        return "–"
    return with_unit(ms * 1e3, ("µs", "ms", "s"))


def calls_text(count):
    return f"{count:,}".replace(",", " ")


def group_colour(group):
    number = GROUPS.index(group) if group in GROUPS else COLOURS
    return f"var(--series-{number})" if number < COLOURS else SOFT


# ---- Pictures: SVG in the colours of the page ----


def text(x, y, content, anchor="start", fill="var(--ink)", size=12):
    return shape("text", content, x=x, y=y, text_anchor=anchor, font_size=size, fill=fill)


def rectangle(x, y, width, height, fill, title, opacity=1.0):
    return shape("rect", title=title, x=x, y=y, width=max(width, 0), height=height, fill=fill,
                 fill_opacity=f"{opacity:.3f}")


def drawing(width, height, parts, label):
    return picture(width, height, parts, label, **{"font-family": "system-ui, sans-serif"})


def operation_bars(profile):
    """A bar for each operation: the median thread's time, with a line from the minimum to the maximum."""
    timed = [each for each in profile["operations"] if each["ms"] > 0]
    timed = sorted(timed, key=lambda each: -each["ms"])[:MOST_OPERATIONS]
    if not timed:
        return None
    left, right, row, width = 126, 72, 24, WIDTH
    most = max(max(each["threads"]["ms"]) for each in timed)
    parts = []
    for number, each in enumerate(timed):
        y = number * row
        ms = each["threads"]["ms"]
        scale = (width - left - right) / most
        median, least, largest = statistics.median(ms), min(ms), max(ms)
        title = (f"{each['operation']}: {range_text(ms_text(least), ms_text(largest))} on a thread, "
                 f"{count_text(each['calls'], 'call')}")
        parts.append(text(left - 8, y + 16, each["operation"], "end"))
        parts.append(rectangle(left, y + 4, median * scale, row - 8, group_colour(each["group"]), title))
        begin, end = f"{left + least * scale:.1f}", f"{left + largest * scale:.1f}"
        ends = "".join(f"M{x} {y + 7}v{row - 14}" for x in (begin, end))
        parts.append(shape("path", d=f"M{begin} {y + row / 2}H{end}{ends}", stroke="var(--ink)", fill="none"))
        parts.append(text(left + largest * scale + 6, y + 16, ms_text(largest), fill=SOFT))
    return drawing(width, len(timed) * row, parts, "time by operation")


def chosen_threads(profile):
    """All threads, or a subset at equal distances."""
    count = profile["threads"]
    if count <= MOST_THREADS:
        return list(range(count))
    return sorted({round(i * (count - 1) / (MOST_THREADS - 1)) for i in range(MOST_THREADS)})


def thread_bars(profile):
    """A bar for each thread: its time by group, as a part of its run time."""
    threads = chosen_threads(profile)
    left, right, row, width = 64, 44, 20, WIDTH
    most = max(profile["seconds"]) * 1e3
    if most <= 0:
        return None
    groups = [group for group in GROUPS if any(each["group"] == group and each["ms"] > 0
                                               for each in profile["operations"])]
    scale = (width - left - right) / most
    parts, x, top = [], 0.0, 4
    for group in groups:
        length = 24 + 6.5 * len(group)
        if x + length > width:
            x, top = 0.0, top + 16
        parts.append(rectangle(x, top, 10, 10, group_colour(group), group))
        parts.append(text(x + 14, top + 9, group, size=11))
        x += length
    top += 18
    for number, thread in enumerate(threads):
        y, at, all_ms = top + number * row, left, 0.0
        parts.append(text(left - 8, y + 14, f"thread {thread}" if len(threads) < 20 else thread, "end", size=11))
        parts.append(rectangle(left, y + 3, profile["seconds"][thread] * 1e3 * scale, row - 6, "var(--grid)",
                               f"thread {thread} ran {ms_text(profile['seconds'][thread] * 1e3)}"))
        for group in groups:
            ms = sum(each["threads"]["ms"][thread] for each in profile["operations"] if each["group"] == group)
            parts.append(rectangle(at, y + 3, ms * scale, row - 6, group_colour(group),
                                   f"thread {thread}: {ms_text(ms)} in {group}"))
            at += ms * scale
            all_ms += ms
        share = all_ms / (profile["seconds"][thread] * 10) if profile["seconds"][thread] > 0 else 0
        parts.append(text(width - right + 6, y + 14, f"{share:.0f} %", fill=SOFT, size=11))
    return drawing(width, top + len(threads) * row, parts, "time of each thread by group")


def matrix(profile):
    """A matrix of who sent how much to whom; the larger the logarithm of the amount, the darker."""
    threads = chosen_threads(profile)
    cells = [[profile["moved_bytes"][source][target] for target in threads] for source in threads]
    most = max(max(line) for line in cells)
    if most == 0:
        return None
    side, left, top = min(48.0, (WIDTH - 50.0) / len(threads)), 44, 40
    length = max(side * len(threads), 72)  # as long as the text "from thread"
    every = max(1, math.ceil(len(threads) / 16))
    parts = [text(left + side * len(threads) / 2, 14, "to thread", "middle", fill=SOFT),
             shape("g", transform=f"translate(14 {top + length / 2:.1f}) rotate(-90)",
                   children=[text(0, 0, "from thread", "middle", fill=SOFT)])]
    least = min(count for line in cells for count in line if count > 0)
    span = max(math.log(most / least), math.log(10))  # small differences look alike
    for row, source in enumerate(threads):
        if row % every == 0:
            parts.append(text(left - 6, top + side * (row + 0.5) + 4, source, "end", size=11))
            parts.append(text(left + side * (row + 0.5), top - 6, source, "middle", size=11))
        for column, target in enumerate(threads):
            count = cells[row][column]
            depth = 1 - 0.85 * math.log(most / count) / span if count else 0.0
            x, y = left + side * column, top + side * row
            parts.append(rectangle(x + 0.5, y + 0.5, side - 1, side - 1, "var(--accent)" if count else "var(--grid)",
                                   f"thread {source} to thread {target}: {bytes_text(count)}",
                                   depth if count else 0.35))
            if count and len(threads) <= 8:
                fill = "var(--back)" if depth > 0.55 else "var(--ink)"
                parts.append(text(x + side / 2, y + side / 2 + 3, bytes_text(count), "middle", fill, 9.5))
    return drawing(max(WIDTH, left + side * len(threads)), top + length + 8, parts, "bytes from each thread to each")


# ---- The page ----


def share_text(each):
    """'0 / 75 / 25 %' to the thread itself, its node and other nodes; by bytes, or else by calls"""
    for unit in ("bytes", "calls"):
        counts = [each["to"][distance][unit] for distance in ("own", "node", "far")]
        if sum(counts) > 0:
            return " / ".join(f"{100 * count / sum(counts):.0f}" for count in counts)
    return ""


def operation_lines(profile):
    for each in profile["operations"]:
        ms = each["threads"]["ms"]
        mean = statistics.fmean(ms)
        yield (each["operation"], calls_text(each["calls"]), bytes_text(each["bytes"]), ms_text(min(ms)),
               ms_text(statistics.median(ms)), ms_text(max(ms)), f"{max(ms) / mean:.2f}" if mean > 0 else "–",
               share_text(each))
        for way in each.get("ways", []):
            yield (f"    by {way['way']}", calls_text(way["calls"]), bytes_text(way["bytes"]), "", "", "", "", "")


def tiles(profile):
    ran = sum(profile["seconds"]) * 1e3
    spent = sum(each["ms"] for each in profile["operations"])
    shares = [sum(each["threads"]["ms"][thread] for each in profile["operations"]) / (seconds * 10)
              for thread, seconds in enumerate(profile["seconds"]) if seconds > 0]
    far = sum(each["to"]["far"]["bytes"] for each in profile["operations"])
    moved = sum(sum(line) for line in profile["moved_bytes"])
    return (
        (ms_text(max(profile["seconds"]) * 1e3), "from the first barrier to the end"),
        (f"{100 * spent / ran:.1f} %" if ran > 0 else "–", "of the time in what is below"),
        (range_text(f"{min(shares):.0f}", f"{max(shares):.0f}") + " %" if shares else "–", "of the time of a thread"),
        (bytes_text(moved), "moved between threads, or within one"),
        (bytes_text(far), "of them from or to other nodes"),
    )


def section(number, name, profile):
    """A profile's part of the page."""
    threads = f"{profile['program']}, {count_text(profile['threads'], 'thread')}"
    figures = (
        ("operations", "Time by operation",
         "The bar: the median thread; the line: from the least to the most, whose time stands behind",
         operation_bars(profile)),
        ("threads", "Time by thread", "Grey: neither in the libraries nor waiting", thread_bars(profile)),
        ("matrix", "Who gave how much to whom",
         "What the operations ask for, not how an algorithm carries it; stronger: more, by its logarithm",
         matrix(profile)),
    )
    return {
        "anchor": f"profile-{number}",
        "short": threads,
        "title": f"{threads} on {count_text(profile['nodes'], 'node')}",
        "file": name,
        "ended_early": profile["ended_early"],
        "tiles": tiles(profile),
        "figures": [{"name": f"{kind}-{number}", "title": title, "note": note, "wide": False, "picture": drawn}
                    for kind, title, note, drawn in figures if drawn is not None],
        "tables": [{
            "title": "Operations",
            "head": ("operation", "calls", "bytes", "least time of a thread", "median", "most", "most / mean",
                     "own / node / far %"),
            "lines": list(operation_lines(profile)),
        }, {
            "title": "Places in the program that took the most time",
            "head": ("place", "operation", "calls", "bytes", "time of all threads"),
            "lines": [(place["place"], place["operation"], calls_text(place["calls"]), bytes_text(place["bytes"]),
                       ms_text(place["ms"])) for place in profile["places"][:MOST_PLACES]],
        }],
    }


def write_page(title_of, documents, part_of, folder):
    """Writes FOLDER/index.html from title_of([document, ...]) and part_of(number, name, document) for each (name,
    document); returns its path."""
    from . import template  # which needs a library that other parts of this module do not need

    try:
        title = title_of([document for _, document in documents])
        parts = [part_of(number, *document) for number, document in enumerate(documents)]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ProfileError(f"{', '.join(name for name, _ in documents)}: not whole: {error!r}") from error
    page = template.render("profile.html", title=title, parts=parts)
    folder = pathlib.Path(folder)
    target = folder / "index.html"
    with naming(target), ends.folder(folder), ends.drafts() as write_draft:
        write_draft(target, page)
    return target


def write(paths, folder):
    """Writes FOLDER/index.html; returns its path."""
    def title_of(profiles):
        return "Profile: " + ", ".join(dict.fromkeys(profile["program"] for profile in profiles))

    return write_page(title_of, [(str(path), read(path)) for path in paths], section, folder)
