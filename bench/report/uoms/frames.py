"""Results of several files as one table (pandas), and the selections that the charts need."""

import pandas

from . import files


class Source:
    """One label of the report: a file, or several files that are launches of the same."""

    def __init__(self, label, launches):
        self.label, self.launches = label, launches
        self.context = launches[0]["context"]
        self.rows = files.combine(launches)


def load(words):
    """Sources from FILE or LABEL=FILE[,FILE...]; files without a label get the one of -label, or their system."""
    sources = []
    for word in words:
        label, equals, paths = word.partition("=")
        if not equals:
            label, paths = None, word
        elif not label or not paths:
            missing = "file" if label else "label"
            raise files.FileError(f"'{word}' is not LABEL=FILE[,FILE...]: the {missing} is missing")
        launches = files.read_list(paths, with_context=True)
        options, build = launches[0]["context"]["options"], launches[0]["context"]["build"]
        sources.append((label or options.get("label") or build["parallel_system"], launches))
    merged = {}
    for label, launches in sources:
        # Runs with the same label but other numbers of threads are one source.
        merged.setdefault(label, []).extend(launches)
    for label, launches in merged.items():
        files.check_conditions(launches, f"all have the label {label}: give them labels of their own, as A=FILE B=FILE")
    return [Source(label, launches) for label, launches in merged.items()]


def table(sources):
    """One line per source and result, of each source those of fewer threads first; interval limits that are missing, or
    on the wrong side, are replaced by the median."""
    lines = []
    for source in sources:
        for row in sorted(source.rows.values(), key=lambda row: row["threads"]):
            pair = row.get("pair")
            line = {
                name: row.get(name)
                for name in (
                    "name",
                    "operation",
                    "group",
                    "threads",
                    "bytes",
                    "sized",
                    "algorithm",
                    "forced",
                    "sync_mode",
                    "reduce_op",
                    "median",
                    "ci_low",
                    "ci_high",
                    "t_min",
                    "t_max",
                    "t_avg",
                    "p95",
                    "bw_max",
                    "bw_avg",
                    "skew",
                    "repetitions",
                    "launches",
                )
            }
            line["label"] = source.label
            line["pair"] = (pair["first"], pair["second"]) if pair else None
            line["pair_name"] = pair["distance_name"] if pair else None
            line["is_default"] = not pair or pair.get("default", False)
            lines.append(line)
    frame = pandas.DataFrame(lines)
    for claim in ("sized", "forced"):
        frame[claim] = frame[claim].eq(True)
    frame["algorithm"] = frame["algorithm"].fillna("")  # for operations that have none
    for limit in ("ci_low", "ci_high"):
        frame[limit] = pandas.to_numeric(frame[limit])
    frame["ci_low"] = frame[["ci_low", "median"]].min(axis="columns")
    frame["ci_high"] = frame[["ci_high", "median"]].max(axis="columns")
    # Bytes per nanosecond times the operation's factor; the interval of the bandwidth is derived from that of the time.
    for name in ("bw_max", "bw_avg"):
        frame[name] = pandas.to_numeric(frame[name])
    volume = frame["bw_max"] * frame["t_min"]
    frame["bw"] = volume / frame["median"]
    frame["bw_low"], frame["bw_high"] = volume / frame["ci_high"], volume / frame["ci_low"]
    return frame


def plain(frame):
    """Results with the default placement of threads and the system's own choice of algorithm, in the most frequent
    mode."""
    chosen = frame[frame["is_default"] & ~frame["forced"]]
    return chosen.drop_duplicates(["label", "operation", "threads", "bytes"])


def curves(frame, names):
    """(name, lines) of each name that has at least one size, in the given order."""
    for name in names:
        lines = frame[(frame["operation"] == name) & frame["sized"]].sort_values("bytes")
        if len(lines):
            yield name, lines


def operations(frame, group, sized=True):
    """Operations of a group in the order in which they ran."""
    chosen = frame[(frame["group"] == group) & (frame["sized"] == sized)]
    return list(dict.fromkeys(chosen["operation"]))
