"""uoms-compare: runs two or more programs in alternation, or reads their files, and says which is faster, with
intervals.

    uoms-compare [options] base=COMMAND other=COMMAND ... [-- arguments for all of them]
    uoms-compare --files base=FILE[,FILE...] other=FILE[,FILE...] ...

COMMAND starts uoms or one of its peers, as 'upcrun -n 2 uoms' or 'mpirun -n 2 uoms-mpi'.  All are compared with the
first. With --repeat the whole comparison is made several times, and how often it showed a difference is counted: of two
equal programs, how often it errs.
Exit status: 0 nothing is slower than the first, 1 something is (with --repeat: more than 5 % showed a difference),
2 a wrong command line or file, or a missing library, 3 a program failed or something could not be written, 130 it was
interrupted, 143 or 129 SIGTERM or SIGHUP ended it.
"""

import argparse
import json
import statistics
import sys

from . import __version__, ends, environment, files, numeric, runs, stats

# The fraction of comparisons of equal programs that may show a difference by chance.  Launches are few and not normally
# distributed, and a machine that changes its speed while they alternate adds to it, so it is below what --repeat
# accepts.
LEVEL = 0.01
ACCEPTED = 0.05
INSTEAD = {"json": "use --keep PREFIX of uoms-compare", "csv": "uoms-launches --csv FILE combines those of a program"}
FASTER, SLOWER, NONE = "faster", "slower", "no difference shown"


class Comparison:
    """One operation, size and number of threads, over pairs (value in base, value in other) of launches."""

    def __init__(self, name, pairs, margin):
        base, other = zip(*pairs)
        self.key = name
        self.base_median = statistics.median(base)
        self.other_median = statistics.median(other)
        self.pairs = len(pairs)
        self.ratio, self.low, self.high, self.p = stats.compare_pairs(base, other)
        self.margin = margin
        self.verdict = NONE

    def judge(self, is_significant):
        """Sets the verdict: significant, and by more than the margin."""
        if is_significant and self.low is not None:
            if self.low > 1 + self.margin:
                self.verdict = SLOWER
            elif self.high < 1 / (1 + self.margin):
                self.verdict = FASTER

    def as_dict(self):
        operation, threads, size = self.key[:3]
        return {
            "operation": operation,
            "threads": threads,
            "bytes": size,
            "base_ns": self.base_median,
            "other_ns": self.other_median,
            "ratio": self.ratio,
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "pairs": self.pairs,
            "verdict": self.verdict,
        }


def _short_key(name):
    """The part of a key that all systems share: modes, operators and algorithms have different names elsewhere."""
    return name[:4]


def _medians(launches, value):
    """{key: {number of a launch: its value}}, since a launch may lack a row; keys are shortened, unless that would mix
    results.
    """
    found = {}
    for number, launch in enumerate(launches):
        for name, row in files.by_key(launch).items():
            time_ns = row["imb"][value[4:]] if value.startswith("imb_") else row[value]
            if time_ns is not None:
                found.setdefault(name, {})[number] = time_ns
    shorter = {}
    for name, values in found.items():
        shorter.setdefault(_short_key(name), []).append((name, values))
    result = {}
    for name, group in shorter.items():
        for full, values in group:
            result[name if len(group) == 1 else full] = values
    return result


def _common(base_launches, other_launches, value):
    """{key: pairs of times} of everything that both have in launches of the same number, in the order of base"""
    base, other = _medians(base_launches, value), _medians(other_launches, value)
    found = {}
    for name, values in base.items():
        pairs = [(values[launch], other[name][launch]) for launch in values if launch in other.get(name, ())]
        if pairs:
            found[name] = pairs
    return found


def _has_ratio(pairs):
    """A time of 0, which is below the cost of reading the clock, has none."""
    return all(min(pair) > 0 for pair in pairs)


def tell_left_out(base_label, other_label, launches, value):
    """How many results that both have compare() leaves out; says so on standard error."""
    common = _common(launches[base_label], launches[other_label], value)
    count = sum(not _has_ratio(pairs) for pairs in common.values())
    if count:
        rows = files.count_text(count, "row")
        print(f"uoms-compare: {base_label} and {other_label}: {rows} left out, as a time of 0 has no ratio",
              file=sys.stderr)
    return count


def compare(base_launches, other_launches, margin=0.0, level=LEVEL, value="median"):
    """Comparisons of everything that both have and that has a ratio, tested together"""
    common = _common(base_launches, other_launches, value)
    rows = [Comparison(name, pairs, margin) for name, pairs in common.items() if _has_ratio(pairs)]
    for row, is_significant in zip(rows, stats.significant([row.p for row in rows], level)):
        row.judge(is_significant)
    return rows


def print_table(base_label, other_label, rows):
    print(f"\n{other_label} against {base_label}: time {other_label} / {base_label}, 95 % interval of each row")
    print(
        f"{'operation':24} {'threads':>7} {'size':>6} {base_label[:12]:>12} {other_label[:12]:>12} {'ratio':>7} "
        f"{'interval':>17}  verdict"
    )
    for row in rows:
        operation, threads, size, place = row.key[:4]
        name = operation if place is None else f"{operation} @{place[0]},{place[1]}"
        interval = "-" if row.low is None else f"{row.low:.3f} .. {row.high:.3f}"
        print(
            f"{name:24} {threads:7} {files.size_text(size):>6} {files.time_text(row.base_median):>12} "
            f"{files.time_text(row.other_median):>12} {row.ratio:7.3f} {interval:>17}  {row.verdict}"
        )
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in (SLOWER, FASTER, NONE)}
    print(f"{other_label}: {counts[SLOWER]} slower, {counts[FASTER]} faster, {counts[NONE]} no difference shown")


def alternate(programs, arguments, pairs, limit_s, progress):
    """(label, launch) in alternating order, so that changes over time affect all of them."""
    for turn in range(pairs):
        order = programs if turn % 2 == 0 else programs[::-1]
        for label, command in order:
            if progress:
                print(f"[{turn + 1} of {pairs}] {label}", file=sys.stderr, flush=True)
            yield label, runs.launch(command, arguments, limit_s)


def collect(launches, turns):
    """Adds to the lists of labels; earlier launches stay there if one fails or this is interrupted."""
    for label, launch in turns:
        launches.setdefault(label, []).append(launch)


def keep(prefix, launches):
    for label, group in launches.items():
        ends.write(kept_path(prefix, label), files.launches_text(group))


def kept_path(prefix, label):
    return prefix and f"{prefix}-{label}.json"


def measure(options, arguments):
    """Launches of each label; if one fails or is interrupted, those before it are kept if the user wants any kept."""
    launches = {}
    try:
        collect(launches, alternate(options.programs, arguments, options.pairs, options.limit, not options.quiet))
    except (runs.RunError, files.FileError, KeyboardInterrupt):
        if launches and options.keep:
            keep(options.keep, launches)
        elif launches:
            print("uoms-compare: the launches so far are lost; --keep would have kept them", file=sys.stderr)
        raise
    return launches


def repeat(programs, arguments, options):
    """How many of options.repeat comparisons, each with launches of its own, show a difference; prints each of these.
    """
    base = programs[0][0]
    shown = 0
    for turn in range(options.repeat):
        launches = {}
        collect(launches, alternate(programs, arguments, options.pairs, options.limit, False))
        found = [
            row
            for label, _ in programs[1:]
            for row in compare(launches[base], launches[label], options.margin, value=options.value)
            if row.verdict != NONE
        ]
        shown += bool(found)
        if turn == 0:
            for label, _ in programs[1:]:
                tell_left_out(base, label, launches, options.value)
        for row in found:
            print(
                f"comparison {turn + 1}: {row.key[0]}, {files.size_text(row.key[2])}: {row.verdict}, "
                f"ratio {row.ratio:.3f} ({row.low:.3f} .. {row.high:.3f})"
            )
        if not options.quiet:
            print(f"[{turn + 1} of {options.repeat}] a difference in {shown}", file=sys.stderr, flush=True)
    return shown


def print_repeated(shown, count):
    low, high = stats.proportion_interval(shown, count)
    print(
        f"a difference was shown in {shown} of {count} comparisons, {100 * shown / count:.1f} %; "
        f"95 % interval of that: {100 * low:.1f} to {100 * high:.1f} %"
    )


def _labelled(parser, words):
    pairs = []
    for word in words:
        label, equals, rest = word.partition("=")
        if not equals or not label or not rest or " " in label:
            parser.error(f"'{word}' is not LABEL=COMMAND or LABEL=FILE")
        if label in (other for other, _ in pairs):
            parser.error(f"there are two of '{label}'")
        pairs.append((label, rest))
    if len(pairs) < 2:
        parser.error("there must be two to compare")
    return pairs


def _parse(words):
    parser = argparse.ArgumentParser(
        prog="uoms-compare",
        description=__doc__.split("\n\n", 1)[0],
        epilog="Exit status: 0 nothing slower than the first, 1 something is, 2 wrong usage, 3 failure.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "programs", nargs="+", metavar="LABEL=COMMAND", help="the others are compared with the first"
    )
    parser.add_argument("--files", action="store_true", help="take LABEL=FILE,FILE... instead of commands")
    parser.add_argument(
        "--repeat", type=int, metavar="N", help="make N comparisons, and count those with a difference"
    )
    parser.add_argument("--pairs", type=int, default=7, metavar="N", help="launches of each program (default: 7)")
    parser.add_argument(
        "--margin",
        type=numeric.margin,
        default=0.0,
        metavar="PART",
        help="ignore smaller differences, such as 0.05 (default: 0)",
    )
    parser.add_argument(
        "--value",
        default="median",
        choices=("median", "t_min", "t_avg", "imb_t_min", "imb_t_max", "imb_t_avg"),
        help="the value to compare (default: median); imb_... as defined by IMB",
    )
    parser.add_argument("--json", metavar="FILE", help="write the comparison to FILE")
    parser.add_argument("--keep", metavar="PREFIX", help="write the launches to PREFIX-LABEL.json")
    parser.add_argument("--limit", type=numeric.seconds, default=3600, metavar="SECONDS", help="time limit of a launch")
    parser.add_argument("--quiet", action="store_true", help="do not print progress")
    arguments = []
    if "--" in words:
        words, arguments = words[: words.index("--")], words[words.index("--") + 1 :]
    options = parser.parse_args(words)
    options.programs = _labelled(parser, options.programs)
    if options.pairs < 2:
        parser.error("--pairs: an interval needs at least 2")
    if options.repeat is not None and (options.repeat < 1 or options.files or options.json or options.keep):
        parser.error("--repeat: a number from 1 on, of commands; it writes no files")
    unsuitable = runs.why_unsuitable(arguments, INSTEAD)
    if unsuitable:
        parser.error(unsuitable)
    return options, arguments


def conclude(launches, options):
    """Compares and prints; returns the exit status."""
    base = options.programs[0][0]
    found = {}
    for label, _ in options.programs[1:]:
        found[label] = compare(launches[base], launches[label], options.margin, value=options.value)
        left_out = tell_left_out(base, label, launches, options.value)
        if not found[label]:
            print(f"uoms-compare: {base} and {label} have nothing in common{' but that' if left_out else ''}",
                  file=sys.stderr)
            return 2
    try:
        if options.json:
            others = {label: [row.as_dict() for row in rows] for label, rows in found.items()}
            document = {"format": "uoms-comparison-1", "base": base, "value": options.value, "others": others}
            ends.write(options.json, json.dumps(document, indent=1))
    finally:
        for label, rows in found.items():
            print_table(base, label, rows)
    return int(any(row.verdict == SLOWER for rows in found.values() for row in rows))


@ends.told("uoms-compare")
def main(words=None):
    options, arguments = _parse(sys.argv[1:] if words is None else words)
    try:
        files.check_targets((options.json, *(kept_path(options.keep, label) for label, _ in options.programs)))
        environment.provide(stats.library, words)
        if options.repeat:
            shown = repeat(options.programs, arguments, options)
            print_repeated(shown, options.repeat)
            return int(shown > ACCEPTED * options.repeat)
        if options.files:
            launches = {label: files.read_list(paths) for label, paths in options.programs}
            for label, group in launches.items():
                files.check_conditions(group, f"all are called {label}: give those of each condition a label")
        else:
            launches = measure(options, arguments)
    except (environment.SetUpError, files.FileError) as error:
        print(f"uoms-compare: {error}", file=sys.stderr)
        return 2
    except runs.RunError as error:
        print(f"uoms-compare: {error}", file=sys.stderr)
        return 3
    try:
        if options.keep:
            keep(options.keep, launches)
    finally:
        status = conclude(launches, options)
    return status


if __name__ == "__main__":
    sys.exit(main())
