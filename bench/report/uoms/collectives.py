"""Pages from the files of `banyan-mpi --report=json:FILE`: how long collective operations took, and who carried them
out."""

import json

from . import profile, text_file
from .files import count_text, with_unit
from .profile import SOFT, WIDTH, bytes_text, calls_text, drawing, ms_text, rectangle, text

SCHEMA = "banyan-mpi-report-1"

# In the order of the bars
CARRIERS = {
    "banyan": "Banyan",
    "both": "Banyan on each machine, MPI between leaders",
    "sockets": "Banyan, a leader for each socket",
    "regions": "Banyan, a leader for each memory region",
    "mpi": "the MPI library",
}


def is_profile(path):
    """Whether a file is such a report, judged by its beginning."""
    return profile.begins_with(path, SCHEMA)


def read(path):
    """The report in a file."""
    try:
        report = json.loads(text_file.read(path))
        for communicator in report["communicators"]:
            for row in communicator["operations"]:
                if any(row[carrier][what] < 0 for carrier in CARRIERS for what in ("calls", "bytes", "ms")):
                    raise profile.ProfileError(f"{path}: a number is negative")
        return report
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise profile.ProfileError(f"{path}: no report of banyan-mpi --report=json:FILE: {error}") from error


def colour(carrier):
    return f"var(--series-{list(CARRIERS).index(carrier)})"


def total(rows, what, carriers=CARRIERS):
    return sum(row[carrier][what] for row in rows for carrier in carriers)


def size_text(row):
    """The upper bound of bytes per process in a row's calls; without a number, each process has its own size"""
    if "up_to_bytes" not in row:
        return "–"
    return with_unit(row["up_to_bytes"], ("B", "KiB", "MiB", "GiB", "TiB"), 1024)


def bars(groups, label):
    """A bar for each of (name, rows): the time of its calls, by who carried them out."""
    groups = [(name, rows) for name, rows in groups if total(rows, "ms") > 0]
    if not groups:
        return None
    shown = sorted(groups, key=lambda group: -total(group[1], "ms"))[:profile.MOST_OPERATIONS]
    groups = [group for group in groups if group in shown]
    used = [carrier for carrier in CARRIERS if any(total(rows, "ms", (carrier,)) > 0 for _, rows in groups)]
    left, right, row_height = 126, 72, 24
    scale = (WIDTH - left - right) / max(total(rows, "ms") for _, rows in groups)
    parts, top = [], 4
    for carrier in used:
        parts.append(rectangle(0, top, 10, 10, colour(carrier), CARRIERS[carrier]))
        parts.append(text(14, top + 9, CARRIERS[carrier], size=11))
        top += 16
    for number, (name, rows) in enumerate(groups):
        y, at = top + number * row_height, float(left)
        parts.append(text(left - 8, y + 16, name, "end"))
        for carrier in used:
            ms, calls = total(rows, "ms", (carrier,)), total(rows, "calls", (carrier,))
            parts.append(rectangle(at, y + 4, ms * scale, row_height - 8, colour(carrier),
                                   f"{name}, {CARRIERS[carrier]}: {ms_text(ms)}, {calls_text(calls)} calls"))
            at += ms * scale
        parts.append(text(at + 6, y + 16, ms_text(total(rows, "ms")), fill=SOFT))
    return drawing(WIDTH, top + len(groups) * row_height, parts, label)


def grouped(rows, name_of):
    groups = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    return list(groups.items())


def lines(rows):
    for row in sorted(rows, key=lambda row: -total([row], "ms")):
        yield (row["operation"].capitalize(), size_text(row), calls_text(total([row], "calls")),
               bytes_text(total([row], "bytes")), ms_text(total([row], "ms")),
               *(calls_text(row[carrier]["calls"]) for carrier in CARRIERS),
               "; ".join(row["why_mpi"]))


def tiles(report):
    rows = [row for communicator in report["communicators"] for row in communicator["operations"]]
    calls = total(rows, "calls")
    ours = [carrier for carrier in CARRIERS if carrier != "mpi"]
    return (
        (ms_text(total(rows, "ms")), "in collective operations, as the first member of each communicator saw them"),
        (calls_text(calls), "calls"),
        (f"{100 * total(rows, 'calls', ours) / calls:.0f} %" if calls else "–", "of them carried out by Banyan"),
        (bytes_text(total(rows, "bytes")), "in blocks, one of each call; where they differ, the first member's mean"),
    )


def figures(number, at, communicator):
    rows = communicator["operations"]
    by_time = sorted(rows, key=lambda row: -sum(total([each], "ms") for each in rows
                                                if each["operation"] == row["operation"]))
    by_size = sorted(rows, key=lambda row: row.get("up_to_bytes", -1))
    drawn = (
        ("operations", "Time by operation", "By who carried it out",
         bars(grouped(by_time, lambda row: row["operation"].capitalize()), "time by operation")),
        ("sizes", "Time by size", "Up to so many bytes; –: each process has its own number",
         bars(grouped(by_size, size_text), "time by size")),
    )
    return [{"name": f"{kind}-{number}-{at}", "title": f"{title}, {communicator['name']}", "note": note, "wide": False,
             "picture": picture} for kind, title, note, picture in drawn if picture is not None]


def section(number, name, report):
    """A report's part of the page."""
    title = f"{count_text(report['processes'], 'process', 'processes')} over {report['library']}"
    head = ("operation", "up to", "calls", "bytes", "time", "Banyan", "both", "sockets", "regions", "MPI", "why MPI")
    return {
        "anchor": f"report-{number}",
        "short": title,
        "title": title,
        "file": name,
        "ended_early": False,
        "tiles": tiles(report),
        "figures": [figure for at, communicator in enumerate(report["communicators"])
                    for figure in figures(number, at, communicator)],
        "tables": [{"title": f"{communicator['name']}, "
                             f"{count_text(communicator['processes'], 'process', 'processes')}: calls by who carried "
                             "them out", "head": head, "lines": list(lines(communicator["operations"]))}
                   for communicator in report["communicators"]],
    }


def write(paths, folder):
    """Writes FOLDER/index.html; returns its path."""
    reports = [(str(path), read(path)) for path in paths]
    return profile.write_page(lambda _: "Collective operations", reports, section, folder)
