"""Rows of the tables that hash.py and queue.py print."""

import statistics


def row(threads, samples, sums):
    """A row with the times of each column, and their ratios to the first; the sums of all columns must be equal."""
    if len(sums) != 1:
        raise SystemExit(f"sums differ: {sums}")
    middles = [statistics.median(column) for column in samples]
    cells = [f"{middle:.1f}, {min(column):.1f} .. {max(column):.1f}; {middle / middles[0]:.2f}"
             for middle, column in zip(middles, samples)]
    return f"| {threads} | " + " | ".join(cells) + " | |"
