"""The format of result files, as far as anything here uses it, and error messages for files that violate it."""

import json
import re

NUMBER, SPAN = "a finite number", "a finite number from 0 on"
COUNT, THREADS = "a whole number from 0 on, of 63 bits", "a whole number from 1 on, of 63 bits"
TEXT = "a text"
CLAIM, MODE = "true or false", "like UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC"


# The largest numbers that libraries can compute with; json reads longer ones, and NaN and Infinity as well.
MOST_COUNT, MOST_NUMBER = 2**63 - 1, 1e300


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -MOST_NUMBER <= value <= MOST_NUMBER


def _is_count(value, least=0):
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST_COUNT


IS = {
    NUMBER: _is_number,
    SPAN: lambda value: _is_number(value) and value >= 0,
    COUNT: _is_count,
    THREADS: lambda value: _is_count(value, least=1),
    TEXT: lambda value: isinstance(value, str),
    CLAIM: lambda value: isinstance(value, bool),
    MODE: lambda value: isinstance(value, str)
    and re.fullmatch(r"UPC_IN_(ALL|MY|NO)SYNC\|UPC_OUT_(ALL|MY|NO)SYNC", value),
}

# Times may be 0: uoms subtracts from them what does not count (-skew, upc_notify_wait_overlap).

# Shapes: one of the above; a list of a shape; a tuple of a shape, which may also be null; names with their shapes,
# where those ending in ? may be missing.

ROW = {
    "name": TEXT,
    "operation": TEXT,
    "group": TEXT,
    "threads": THREADS,
    "bytes": COUNT,
    "sized?": CLAIM,
    "algorithm?": (TEXT,),
    "forced?": CLAIM,
    "sync_mode?": (MODE,),
    "reduce_op?": (TEXT,),
    "pair?": ({"first": COUNT, "second": COUNT, "distance_name?": TEXT, "default?": CLAIM},),
    "median": (SPAN,),
    "ci_low": (SPAN,),
    "ci_high": (SPAN,),
    "p95?": (SPAN,),
    "skew?": (NUMBER,),
    "bw_max?": (SPAN,),
    "bw_min?": (SPAN,),
    "bw_avg?": (SPAN,),
    "batch?": (SPAN,),
    "imb": {"t_min": (SPAN,), "t_max": (SPAN,), "t_avg": (SPAN,)},
}
# For rows with a median, and for those with bandwidths
MEASURED = {"t_min": SPAN, "t_max": SPAN, "t_avg": SPAN, "repetitions": COUNT}
MOVED = {"bw_min": SPAN, "bw_avg": SPAN}

LAUNCH = {"context?": {"clock?": {"step_ns?": (SPAN,)}, "options?": {}}, "results": [ROW]}

MEMORY = {"index?": COUNT, "bytes": COUNT}
NODE = {"type": TEXT, "index?": COUNT, "bytes?": COUNT, "memory?": [MEMORY]}
NODE["children?"] = [NODE]

# What only reports need besides the results
CONTEXT = {
    "context": {
        "date": TEXT,
        "threads": THREADS,
        "build": {"parallel_system": TEXT, "flags": TEXT, "commit": TEXT},
        "options": {
            "command": TEXT,
            "label?": (TEXT,),
            "cache": TEXT,
            "sync": TEXT,
            "sync_mode": TEXT,
            "reduce_op": TEXT,
            "outliers": TEXT,
        },
        "system": {"system": TEXT, "release": TEXT, "load_at_start?": TEXT},
        "environment?": {},
        "affinity": [TEXT],
        "machine": {"tree?": NODE, "processors": [{"number": COUNT, "package": NUMBER}]},
    }
}


def _fault(value, shape, place):
    """The first thing that is wrong, as a sentence about the place; None if nothing is."""
    if isinstance(shape, tuple):
        return None if value is None else _fault(value, shape[0], place)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{place} is not a list"
        return _first(_fault(each, shape[0], f"{place}[{number}]") for number, each in enumerate(value))
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return f"{place} is not an object"
        return _first(_fault_of_member(value, name, inner, place) for name, inner in shape.items())
    return None if IS[shape](value) else f"{place} is {json.dumps(value)[:40]}, not {shape}"


def _first(faults):
    return next((fault for fault in faults if fault), None)


def _fault_of_member(value, name, shape, place):
    own = name.rstrip("?")
    if own in value:
        return _fault(value[own], shape, f"{place}.{own}")
    return None if own != name else f"{place}.{own} is missing"


def _fault_of_times(row, place):
    shape = MEASURED if row["median"] is not None else {}
    return _fault(row, {**shape, **MOVED} if shape and row.get("bw_max") is not None else shape, place)


def fault(launch, place, with_context):
    """The first thing that is wrong with the launch at `place`, as a sentence; None if nothing is."""
    return (
        _fault(launch, LAUNCH, place)
        or _first(_fault_of_times(row, f"{place}.results[{i}]") for i, row in enumerate(launch["results"]))
        or (_fault(launch, CONTEXT, place) if with_context else None)
    )
