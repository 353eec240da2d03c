"""From samples to a table."""

import statistics


def percentile(samples, percent):
    """The interpolated sample below which the given percentage of the samples is."""
    ordered = sorted(samples)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def duration(ns):
    """Three digits and a unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:.3g} {unit}" if abs(ns) < 1000 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.3g} ns"


def _spread(samples):
    return f"{duration(percentile(samples, 10))} .. {duration(percentile(samples, 90))}"


HEADINGS = ("", "n", "median", "p10 .. p90", "limit", "median", "p10 .. p90", "ratio", "more by", "samples")


def cells(row):
    """One line of the table."""
    median = statistics.median(row["ns"])
    limit = statistics.median(row["limit_ns"])
    return (row["name"], str(row["threads"]), duration(median), _spread(row["ns"]), row["limit_name"], duration(limit),
            _spread(row["limit_ns"]), f"{median / limit:.2f}", duration(median - limit), str(len(row["ns"])))


def table(rows):
    """A Markdown table with aligned columns, so that it is readable as text, too."""
    lines = [HEADINGS] + [cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    texts = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    texts.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(texts)
