"""Rows of the tables that hash.py and queue.py print."""

import statistics


def row(threads, samples, sums):
    """Times of a system in each column, the first of which the ratios are to; all must have come to one sum."""
    if len(sums) != 1:
        raise SystemExit(f"sums differ: {sums}")
    middles = [statistics.median(column) for column in samples]
    cells = [f"{middle:.1f}, {min(column):.1f} .. {max(column):.1f}; {middle / middles[0]:.2f}"
             for middle, column in zip(middles, samples)]
    return f"| {threads} | " + " | ".join(cells) + " | |"
