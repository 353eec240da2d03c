"""uoms-guidelines: finds operations that are slower than others that could replace them, which shows what to tune.

    uoms-guidelines [--margin PART] FILE...

A guideline is broken only if the intervals of both sides are disjoint, by more than the margin, and by more than the
resolution: the step of the clock, divided by the calls of a sample, and a cycle of the processor.  Exit status: 0 all
hold, 1 some are broken, 2 a wrong command line or file, or a missing library, 3 the output could not be written.
"""

import argparse
import sys

from . import __version__, ends, environment, files, numeric

TYPES = ("C", "UC", "S", "US", "I", "UI", "L", "UL", "F", "D", "LD")
RESULT_BYTES = {"L": 8, "UL": 8, "D": 8, "LD": 16}
CYCLE_NS = 0.5     # or less; the alignment of a loop's code makes as much difference
LOOSE = {"ALLSYNC": 2, "MYSYNC": 1, "NOSYNC": 0}


class Broken:
    """left (what was measured) takes longer than right (what could replace it)."""

    def __init__(self, rule, row, left, right):
        self.rule, self.row, self.left, self.right = rule, row, left, right

    def __str__(self):
        mode = f", {self.row['algorithm']}" if self.row.get("algorithm") else ""
        ratio = f", {files.ratio_text(self.left / self.right)} times" if self.right else ""
        return (
            f"{self.row['name']}, {files.size_text(self.row['bytes'])}, "
            f"{files.count_text(self.row['threads'], 'thread')}{mode}: "
            f"{self.rule}; {files.time_text(self.left)} against {files.time_text(self.right)}{ratio}"
        )


class Table:
    """Rows by operation, size and whatever else must agree."""

    def __init__(self, rows, margin):
        self.rows = {name: row for name, row in rows.items() if not row.get("forced")}
        self.forced = [(name, row) for name, row in rows.items() if row.get("forced")]
        self.margin, self.checked, self.broken = margin, 0, []

    def other(self, row, operation, size):
        """The best row for another operation or size under the same circumstances, or None."""
        alike = files.key(row)
        candidates = [
            each for name, each in self.rows.items() if name[:5] == (operation, alike[1], size, alike[3], alike[4])
        ]
        return min(candidates, key=lambda each: each["median"], default=None)

    def check(self, rule, row, others):
        """Checks that `row` does not take longer than all `others` together."""
        if any(other is None for other in others):
            return
        self.checked += 1
        low = row["ci_low"] if row["ci_low"] is not None else row["median"]
        high = sum(other["ci_high"] if other["ci_high"] is not None else other["median"] for other in others)
        told_apart = max([CYCLE_NS] + [each.get("resolution_ns", 0) for each in (row, *others)])
        if low > high * (1 + self.margin) and low - high > told_apart:
            self.broken.append(Broken(rule, row, row["median"], sum(other["median"] for other in others)))


def _check_stand_ins(table, row):
    operation, size, threads = row["operation"], row["bytes"], row["threads"]
    if operation == "gather_all":
        table.check(
            "slower than gather and broadcast of the result",
            row,
            [table.other(row, "gather", size), table.other(row, "broadcast", size * threads)],
        )
    if operation == "broadcast" and size % threads == 0:
        table.check(
            "slower than scatter and gather_all of pieces",
            row,
            [table.other(row, "scatter", size // threads), table.other(row, "gather_all", size // threads)],
        )
    if operation == "gather":
        table.check("slower than gather_all, which does more", row, [table.other(row, "gather_all", size)])
    if operation in ("scatter", "permute"):
        table.check("slower than exchange, which does more", row, [table.other(row, "exchange", size)])
    for kind in TYPES:
        if operation == f"reduce_all_{kind}":
            table.check(
                "slower than reduce and broadcast of the result",
                row,
                [table.other(row, f"reduce_{kind}", size), table.other(row, "broadcast", RESULT_BYTES.get(kind, 4))],
            )
        if operation == f"reduce_{kind}":
            table.check(
                "slower than the prefix reduction, which does more",
                row,
                [table.other(row, f"prefix_reduce_{kind}", size)],
            )


def _check_sizes(table, row):
    """Compares with the next larger size, which must not be faster."""
    if not row.get("sized"):
        return
    name = files.key(row)
    larger = [
        other["bytes"]
        for key, other in table.rows.items()
        if key[0] == name[0] and key[1] == name[1] and key[3:] == name[3:] and other["bytes"] > row["bytes"]
    ]
    if larger:
        table.check(
            f"slower than with {files.size_text(min(larger))}", row, [table.rows[name[:2] + (min(larger),) + name[3:]]]
        )


def _modes(row):
    """(entry, exit) strictness of UPC_IN_X|UPC_OUT_Y; larger numbers wait for more"""
    words = row["sync_mode"].split("|")
    return LOOSE[words[0].rsplit("_", 1)[1]], LOOSE[words[1].rsplit("_", 1)[1]]


def _check_modes(table, row):
    """A mode that waits for less must not take longer."""
    if not row.get("sync_mode"):
        return
    own, name = _modes(row), files.key(row)
    for key, other in table.rows.items():
        if key[:4] != name[:4] or key[5:] != name[5:] or key[4] == name[4]:
            continue
        modes = _modes(other)
        if modes[0] >= own[0] and modes[1] >= own[1]:
            table.check(f"slower than with {other['sync_mode']}, which waits for more", row, [other])


def _check_algorithms(table, row):
    """Compares the system's choice with the best algorithm that -algorithm tried."""
    name = files.key(row)
    tried = [other for key, other in table.forced if key[:6] == name[:6]]
    if tried:
        best = min(tried, key=lambda each: each["median"])
        table.check(f"slower than {best['algorithm']}, which could have been chosen", row, [best])


def check(rows, margin=0.1):
    """A Table with .checked and .broken, for rows as files.combine returns them.

    Only rows where the system chose the algorithm are judged; rows with a requested algorithm are only compared with.
    """
    table = Table(rows, margin)
    for row in table.rows.values():
        _check_algorithms(table, row)
        _check_stand_ins(table, row)
        _check_sizes(table, row)
        _check_modes(table, row)
    table.broken.sort(key=lambda each: each.right / each.left)
    return table


@ends.told("uoms-guidelines")
def main(words=None):
    parser = argparse.ArgumentParser(prog="uoms-guidelines", description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("files", nargs="+", metavar="FILE", help="written by uoms -json or uoms-launches --json")
    parser.add_argument(
        "--margin", type=numeric.margin, default=0.1, metavar="PART", help="tolerated difference (default: 0.1)"
    )
    options = parser.parse_args(words)
    try:
        launches = [launch for path in options.files for launch in files.read(path)]
        files.check_conditions(launches, "give files together only if these are the same")
        rows = environment.provide(lambda: files.combine(launches), words)
    except (environment.SetUpError, files.FileError) as error:
        print(f"uoms-guidelines: {error}", file=sys.stderr)
        return 2
    table = check(rows, options.margin)
    for broken in table.broken:
        print(broken)
    print(f"{table.checked} guidelines checked, {len(table.broken)} broken")
    return int(bool(table.broken))


if __name__ == "__main__":
    sys.exit(main())
