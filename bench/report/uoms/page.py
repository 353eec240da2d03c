"""The page: one HTML file with everything in it, readable without scripts and without network access."""

from . import files, guidelines, machine, template

MOST_BROKEN = 40
COLUMNS = ("bytes", "threads", "where", "median", "interval", "min", "max", "GB/s", "n")


def _figure(figure):
    return {"name": figure.name, "title": figure.title, "note": figure.note, "wide": figure.wide,
            "label": f"{figure.title}: {figure.note}", "picture": figure.page_svg()}


def _all_told(source, of):
    """The distinct texts that of() gives for the launches of a source."""
    return list(dict.fromkeys(str(of(launch)) for launch in source.launches))


def _told(source, of):
    return ", ".join(_all_told(source, of))


def _in_lines(source, of):
    """The same, one line per text if any is longer than a word"""
    texts = _all_told(source, of)
    return texts if any(" " in text for text in texts) else [", ".join(texts)]


def _processor(system):
    return f"{system.get('processor', system.get('machine'))}" + (" (virtual machine)" if system.get("virtual_machine")
                                                                  else "")


def _dates(source):
    """The first and the last day of measuring"""
    days = sorted({launch["context"]["date"][:10] for launch in source.launches})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _head(source):
    """What qualifies each number, in one line"""
    count = len(source.launches)
    return {
        "label": source.label,
        "machine": _told(source, lambda launch: _processor(launch["context"]["system"])),
        "date": _dates(source),
        "cache": _told(source, lambda launch: launch["context"]["options"]["cache"]),
        "launches": files.count_text(count, "launch", "launches"),
    }


def _tiles(sources, frame):
    """The most informative numbers, from the first source and its smallest number of threads above one."""
    label = frame["label"].iloc[0]
    own = frame[(frame["label"] == label) & frame["is_default"]]
    threads = min((count for count in own["threads"].unique() if count > 1), default=own["threads"].min())
    own = own[own["threads"] == threads]
    tiles = []
    for operation, text in (
        ("barrier", "barrier"),
        ("relaxed_read", "remote element read"),
        ("upc_lock", "lock and unlock"),
        ("atomic_add", "atomic addition"),
    ):
        found = own[own["operation"] == operation]
        if len(found):
            tiles.append((files.time_text(found["median"].iloc[0]), text))
    for operation in ("broadcast", "gather_all", "exchange", "reduce_D", "get"):
        found = own[(own["operation"] == operation) & own["sized"]].sort_values("bytes")
        if not len(found):
            continue
        least = found.iloc[0]
        tiles.append(
            (files.time_text(least["median"]), f"{operation}, {files.size_text(int(least['bytes']))} bytes")
        )
        if found["bw"].notna().any():
            best = found.loc[found["bw"].idxmax()]
            tiles.append(
                (f"{best['bw'] / 1000:.3g} GB/s", f"{operation}, at {files.size_text(int(best['bytes']))}")
            )
    cache = _told(sources[0], lambda launch: launch["context"]["options"]["cache"])
    return {"of": f"{label}, {files.count_text(threads, 'thread')}, medians with {cache} caches:", "numbers": tiles}


def _guidelines(sources):
    tables = [(source.label, guidelines.check(source.rows)) for source in sources]
    return [{"label": label, "checked": table.checked, "broken": table.broken} for label, table in tables]


# How a source was measured: names, and functions that take the value from a launch
FACTS = [
    ("date", lambda launch: launch["context"]["date"]),
    ("command", lambda launch: launch["context"]["options"]["command"]),
    ("threads", lambda launch: launch["context"]["threads"]),
    ("system", lambda launch: launch["context"]["build"]["parallel_system"]),
    ("compiler", lambda launch: "{} over {}".format(
        launch["context"]["build"].get("compiler", ""), launch["context"]["build"].get("back_end", "unknown"))),
    ("flags", lambda launch: launch["context"]["build"]["flags"]),
    ("commit", lambda launch: launch["context"]["build"]["commit"]),
    ("processor", lambda launch: _processor(launch["context"]["system"])),
    ("kernel", lambda launch: "{system} {release}".format(**launch["context"]["system"])),
    ("governor", lambda launch: launch["context"]["system"].get("governor") or "unknown"),
    ("load at start", lambda launch: " ".join(launch["context"]["system"].get("load_at_start", "").split()[:3])),
    ("affinity", lambda launch: " | ".join(launch["context"]["affinity"])),
    ("caches", lambda launch: launch["context"]["options"]["cache"]),
    ("time from", lambda launch: launch["context"]["options"]["sync"]),
    ("synchronisation mode", lambda launch: launch["context"]["options"]["sync_mode"]),
    ("reduce operation", lambda launch: launch["context"]["options"]["reduce_op"]),
    ("outliers", lambda launch: launch["context"]["options"]["outliers"]),
]


def _facts(source):
    lines = [("launches", [len(source.launches)])] + [(name, _in_lines(source, of)) for name, of in FACTS]
    names = sorted({name for launch in source.launches for name in launch["context"].get("environment", {})})
    for name in names:
        lines.append((name, _in_lines(source, lambda launch,
                                      name=name: launch["context"].get("environment", {}).get(name, "not set"))))
    return {"label": source.label, "lines": lines}


def _line(line):
    """A row of the table of all numbers"""
    where = "" if line.is_default else f"CPU {line.pair[0]}, {line.pair[1]}"
    return (
        files.size_text(line.bytes) if line.sized else "",
        line.threads,
        f"{where} {line.algorithm or ''}".strip(),
        files.time_text(line.median),
        f"{files.time_text(line.ci_low)} .. {files.time_text(line.ci_high)}",
        files.time_text(line.t_min),
        files.time_text(line.t_max),
        f"{line.bw / 1000:.3f}" if line.bw == line.bw else "",
        line.repetitions,
    )


def _tables(frame):
    """All numbers in collapsed tables, one per operation."""
    return [
        {"title": f"{label}: {operation}", "lines": [_line(line) for line in lines.itertuples()]}
        for (label, operation), lines in frame.groupby(["label", "operation"], sort=False)
    ]


def build(sources, own, frame, sections):
    """The page as text. sections: (anchor, title, text, figures) in order; those without figures are left out. own: the
    sources whose guidelines and machine are shown.
    """
    parts = [
        {"anchor": anchor, "title": title, "text": text, "figures": [_figure(figure) for figure in figures]}
        for anchor, title, text, figures in sections
        if figures
    ]
    drawings = [
        {
            "name": f"machine-{number}",
            "title": source.label,
            "note": "T: threads that were bound to one CPU",
            "wide": True,
            "picture": machine.draw(source.context),
        }
        for number, source in enumerate(own)
    ]
    parts += [
        {
            "anchor": "guidelines",
            "title": "Guidelines",
            "text": "Operations that are slower than others that could stand in for them, beyond their intervals, 10 % "
            "and what the clock tells apart: what to tune.",
            "guidelines": _guidelines(own),
        },
        {
            "anchor": "machine",
            "title": "The machine",
            "text": "Packages, memory regions, caches and processors.",
            "figures": drawings,
        },
        {
            "anchor": "context",
            "title": "How it was measured",
            "text": "What the numbers depend on; where files of one label differ, what each says.",
            "facts": [_facts(source) for source in sources],
        },
        {
            "anchor": "numbers",
            "title": "All numbers",
            "text": "Times are those of the slowest thread.",
            "head": COLUMNS,
            "tables": _tables(frame),
        },
    ]
    return template.render(
        "page.html",
        labels=", ".join(source.label for source in sources),
        sources=[_head(source) for source in sources],
        tiles=_tiles(sources, frame),
        parts=parts,
        most_broken=MOST_BROKEN,
    )
