"""Reads result files: of one launch (uoms -json) or of several (uoms-launches --json)."""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import sys

from . import content, stats, text_file

ONE = "uoms-2"
SEVERAL = "uoms-2-launches"


class FileError(Exception):
    """A message for the user: which file, and what is wrong with it."""


def _of_interrupted(text):
    """The document of a run of uoms that was interrupted or killed, with the rows that are complete; None if there are
    none. uoms writes each row, on a line of its own, as soon as it is measured."""
    head, _, rest = text.partition('"results":[\n')
    rows = []
    with contextlib.suppress(ValueError, RecursionError):
        for line in rest.splitlines():
            rows.append(json.JSONDecoder().raw_decode(line)[0])
    return {**json.loads(head + '"results":[]}'), "results": rows} if rows else None


def _parse(path, text):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        document = _of_interrupted(text)
        if document is None:
            raise
    print(f"{path}: the run was cut short; {count_text(len(document['results']), 'row')} of it can be used",
          file=sys.stderr)
    return document


def read(path, with_context=False):
    """A list of launches, each as uoms wrote it; with_context: checks everything else that reports need, too.  Says on
    standard error that a run was cut short."""
    try:
        document = _parse(path, text_file.read(path))
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: not UTF-8, as JSON is ({error})") from error
    except json.JSONDecodeError as error:
        raise FileError(f"{path}: not complete JSON ({error}); was the run cut short?") from error
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: no JSON of uoms ({error})") from error
    kind = document.get("format") if isinstance(document, dict) else None
    if kind not in (ONE, SEVERAL):
        raise FileError(f"{path}: not a file of uoms -json (its format is {kind!r})")
    launches = [document] if kind == ONE else document.get("launches")
    if not isinstance(launches, list) or not launches:
        raise FileError(f"{path}: damaged: there are no launches in it; measure again")
    for number, launch in enumerate(launches):
        fault = content.fault(launch, "the file" if kind == ONE else f"launches[{number}]", with_context)
        if fault:
            raise FileError(f"{path}: damaged: {fault}; measure again, or mend the file")
    return launches


def read_list(paths, with_context=False):
    """The launches in all files of FILE[,FILE...]"""
    names = paths.split(",")
    if "" in names:
        raise FileError(f"there is an empty file name in '{paths}'")
    for name in names:
        if names.count(name) > 1:
            raise FileError(f"{name} is given twice in '{paths}'")
    return [launch for path in names for launch in read(path, with_context)]


def is_replaced(path):
    """Whether new content takes the place of a file. What nothing can take the place of is written to: a device, such
    as /dev/null, a pipe, a file without a name (/dev/fd/3), and a file in a folder that cannot be written.
    """
    whole = path.resolve()
    if not whole.exists():
        return not path.exists()
    return whole.is_file() and whole.samefile(path) and os.access(whole.parent, os.W_OK | os.X_OK)


def draft_of(path):
    """Where new content is written before it replaces a file"""
    return path.with_name(f"{path.name}.part")


def check_targets(paths):
    """Checks that files can be written later, and replace none of each other, so that no measurement is made in vain; a
    path may be None.
    """
    seen = {}
    for path in filter(None, paths):
        with naming(path):
            opened = [pathlib.Path(path)]
            whole = opened[0].resolve()
            if opened[0].is_file() or not opened[0].exists():
                if whole in seen:
                    raise FileError(f"{seen[whole]} and {path} are one file; give each a file of its own")
                seen[whole] = path
            if is_replaced(opened[0]):
                opened = [whole, draft_of(whole)]
            for each in opened:
                is_new = not each.exists()
                with open(each, "a", encoding="utf-8"):
                    pass
                if is_new:
                    each.unlink()


def target(path):
    """The type, for argparse, of an option that names a file to write at the end"""
    try:
        check_targets([path])
    except FileError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return pathlib.Path(path)


@contextlib.contextmanager
def naming(path):
    """Makes errors of writing this file name it."""
    try:
        yield
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from error


def launches_text(launches):
    """The content of a file of several launches"""
    return json.dumps({"format": SEVERAL, "launches": launches}) + "\n"


def key(row):
    """What makes results comparable: operation, threads, size, pair of processors (None for threads where they were
    placed anyway), synchronisation mode, operator, and the algorithm if it was asked for.
    """
    pair = row.get("pair")
    place = (pair["first"], pair["second"]) if pair and not pair.get("default") else None
    return (
        row["operation"],
        row["threads"],
        row["bytes"],
        place,
        row.get("sync_mode"),
        row.get("reduce_op"),
        row.get("algorithm") if row.get("forced") else None,
    )


# Options that change times; unlike those in key(), they are the same for all results of a launch.
CONDITIONS = ("cache", "sync", "root", "skew_ns", "batch", "warmup", "outliers")


def check_conditions(launches, advice):
    """Checks that launches were measured under the same conditions, as far as they tell; what they measured could not
    be compared or combined otherwise.  advice: what to do then
    """
    for name in CONDITIONS:
        options = (launch.get("context", {}).get("options", {}) for launch in launches)
        values = dict.fromkeys(json.dumps(each[name]).strip('"') for each in options if name in each)
        if len(values) > 1:
            raise FileError(f"launches under different conditions ({name}: {', '.join(values)}); {advice}")


def by_key(launch):
    """The results of a launch by key; if something was measured twice (-msglen 64,64), the first result."""
    rows = {}
    for row in launch["results"]:
        rows.setdefault(key(row), row)
    return rows


def combine(launches, has_intervals=True):
    """One row per key over all launches, which check_conditions must accept, as a dictionary from key to row.

    Members of a row are as in the file, except: medians is the list over launches; median, ci_low, ci_high are over
    launches if there are several, without limits if no intervals are wanted; t_min and t_max are the extremes, t_avg
    the mean; raw is that of the first launch; resolution_ns, which files do not have, is the resolution of the clock in
    a sample.
    """
    rows = {}
    for launch in launches:
        step_ns = launch.get("context", {}).get("clock", {}).get("step_ns") or 0
        for name, row in by_key(launch).items():
            if row["median"] is not None:
                rows.setdefault(name, []).append({**row, "resolution_ns": step_ns / (row.get("batch") or 1)})
    return {name: _combined(group, has_intervals) for name, group in rows.items()}


def _combined(group, has_intervals):
    row = dict(group[0])
    row["medians"] = [each["median"] for each in group]
    row["launches"] = len(group)
    if len(group) == 1:
        return row
    row["median"], row["ci_low"], row["ci_high"] = (
        stats.median_of_launches(row["medians"]) if has_intervals else (statistics.median(row["medians"]), None, None)
    )
    row["t_min"] = min(each["t_min"] for each in group)
    row["t_max"] = max(each["t_max"] for each in group)
    row["t_avg"] = sum(each["t_avg"] for each in group) / len(group)
    row["repetitions"] = sum(each["repetitions"] for each in group)
    if all(each.get("bw_max") is not None for each in group):
        row["bw_max"] = max(each["bw_max"] for each in group)
        row["bw_min"] = min(each["bw_min"] for each in group)
        row["bw_avg"] = row["bw_avg"] * group[0]["t_avg"] / row["t_avg"]
    return row


def size_text(size):
    """1024 -> 1K"""
    for unit in ("", "K", "M", "G"):
        if size < 1024 or size % 1024:
            return f"{size}{unit}"
        size //= 1024
    return f"{size}T"


def size_number(text):
    """64K -> 65536"""
    unit = "KMGT".find(text[-1]) + 1
    return int(text[:-1] if unit else text) << (10 * unit)


def with_unit(number, units, step=1000):
    """12345 -> '12.3 k': scaled until its printed form is below step, with its unit"""
    for unit in units[:-1]:
        shown = digits_text(number)
        if float(shown) < step:
            return f"{shown} {unit}".strip()
        number /= step
    return f"{digits_text(number)} {units[-1]}"


def digits_text(number):
    """As many digits as are meaningful: three, or all before the decimal point"""
    return f"{number:.3g}" if number < 999.5 else f"{number:.0f}"


def ratio_text(ratio):
    return digits_text(ratio) if ratio < 1000 else f"{ratio:,.0f}"


def time_text(nanoseconds):
    return with_unit(nanoseconds, ("ns", "us", "ms", "s"))


def count_text(count, one, several=None):
    """1 thread, 2 threads"""
    return f"{count} {one if count == 1 else several or one + 's'}"
