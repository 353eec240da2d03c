"""uoms-launches: runs a program several times and combines the launches: the median of medians, with its interval over
launches.

uoms-launches [-n LAUNCHES] [--json FILE] [--csv FILE] COMMAND [-- arguments]
"""

import argparse
import csv
import io
import sys

from . import __version__, ends, environment, files, numeric, runs, stats

INSTEAD = {name: f"use --{name} FILE of uoms-launches" for name in ("json", "csv")}
LINE = "#" + "-" * 95


def print_table(rows, launches):
    """Prints the classic table, with the combined median and its interval appended."""
    previous = None
    for row in rows.values():
        pair = row.get("pair")
        forced = row.get("algorithm") if row.get("forced") else None
        heading = (row["name"], forced, pair and (pair["first"], pair["second"]))
        has_bandwidth = row.get("bw_max") is not None
        if heading != previous:
            print(f"\n{LINE}\n# Benchmarking {row['name']}\n# #processes = {row['threads']}\n"
                  f"# {files.count_text(launches, 'launch', 'launches')}")
            if heading[1]:
                print(f"# Algorithm {heading[1]}")
            if pair:
                print(f"# CPUs {pair['first']} and {pair['second']} ({pair['distance_name']})")
            print(LINE)
            print(
                f"{'#bytes':>12} {'#repetitions':>13} {'t_min[nsec]':>14} {'t_max[nsec]':>14} {'t_avg[nsec]':>14}"
                + (
                    f" {'BW_aggregated[MB/sec]':>22} {'BW_min[MB/sec]':>14} {'BW_avg[MB/sec]':>14}"
                    if has_bandwidth
                    else ""
                )
                + f" {'t_median[nsec]':>14} {'CI_low[nsec]':>14} {'CI_high[nsec]':>14}"
            )
            previous = heading
        numbers = [(row[name], 14) for name in ("t_min", "t_max", "t_avg")]
        if has_bandwidth:
            numbers += [(row["bw_max"], 22), (row["bw_min"], 14), (row["bw_avg"], 14)]
        numbers += [(row[name], 14) for name in ("median", "ci_low", "ci_high")]
        print(
            f"{row['bytes']:12} {row['repetitions']:13}"
            + "".join(f" {'-':>{width}}" if number is None else f" {number:{width}.2f}" for number, width in numbers)
        )


def csv_text(rows):
    names = [
        "name",
        "operation",
        "threads",
        "bytes",
        "launches",
        "repetitions",
        "t_min",
        "t_max",
        "t_avg",
        "median",
        "ci_low",
        "ci_high",
        "bw_max",
        "bw_min",
        "bw_avg",
        "algorithm",
        "sync_mode",
        "reduce_op",
    ]
    text = io.StringIO()
    writer = csv.DictWriter(text, names, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows.values())
    return text.getvalue()


def write(launches, options, has_intervals):
    """Writes files first, and everything that can be written even if something else cannot."""
    rows = files.combine(launches, has_intervals)
    try:
        if options.json:
            ends.write(options.json, files.launches_text(launches))
    finally:
        try:
            if options.csv:
                ends.write(options.csv, csv_text(rows))
        finally:
            print_table(rows, len(launches))


def _parse(words):
    arguments = []
    if "--" in words:
        words, arguments = words[: words.index("--")], words[words.index("--") + 1 :]
    parser = argparse.ArgumentParser(prog="uoms-launches", description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("command", help="such as 'upcrun -n 2 uoms'; arguments after -- are passed to it")
    parser.add_argument("-n", type=int, default=5, metavar="LAUNCHES", help="number of launches (default: 5)")
    parser.add_argument("--json", metavar="FILE", help="write all launches, for uoms-report and uoms-guidelines")
    parser.add_argument("--csv", metavar="FILE", help="write the combined rows to FILE")
    parser.add_argument("--limit", type=numeric.seconds, default=3600, metavar="SECONDS", help="time limit of a launch")
    parser.add_argument("--quiet", action="store_true", help="do not print progress")
    options, unknown = parser.parse_known_args(words)
    if unknown:
        parser.error(f"{' '.join(unknown)}: the command is one word, 'upcrun -n 2 uoms'; what it is to measure stands "
                     "behind --")
    if options.n < 1:
        parser.error("-n: at least 1")
    unsuitable = runs.why_unsuitable(arguments, INSTEAD)
    if unsuitable:
        parser.error(unsuitable)
    return options, arguments


def measure(launches, options, arguments):
    """Appends to launches; completed launches stay there if one fails or this is interrupted."""
    for turn in range(options.n):
        if not options.quiet:
            print(f"[{turn + 1} of {options.n}] {options.command}", file=sys.stderr, flush=True)
        launches.append(runs.launch(options.command, arguments, options.limit))


@ends.told("uoms-launches")
def main(words=None):
    words = list(sys.argv[1:] if words is None else words)
    options, arguments = _parse(words)
    try:
        files.check_targets((options.json, options.csv))
    except files.FileError as error:
        print(f"uoms-launches: {error}", file=sys.stderr)
        return 2
    has_intervals = True
    try:
        if options.n > 1:   # a single launch has its own interval
            environment.provide(stats.library, words)
    except environment.SetUpError as error:
        has_intervals = False
        print(f"uoms-launches: medians without their intervals over launches: {error}", file=sys.stderr)
    launches, status = [], 0
    try:
        measure(launches, options, arguments)
    except (runs.RunError, files.FileError, KeyboardInterrupt) as end:
        said, status = ends.interrupted(end) if isinstance(end, KeyboardInterrupt) else (str(end), ends.FAILED)
        print(f"uoms-launches: {said}", file=sys.stderr)
        if launches:
            print(f"uoms-launches: what is written is of {len(launches)} of {options.n} launches", file=sys.stderr)
    if launches:
        write(launches, options, has_intervals)
    return status


if __name__ == "__main__":
    sys.exit(main())
