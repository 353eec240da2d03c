"""The page: one HTML file with everything in it, readable without scripts and without a network."""

import html
import importlib.resources

from . import files, guidelines, machine

MOST_BROKEN = 40


def _escape(value):
    return html.escape(str(value))


def _figure(figure):
    title, note = _escape(figure.title), _escape(figure.note)
    picture = figure.page_svg().replace("<svg ", f'<svg role="img" aria-label="{title}: {note}" ', 1)
    wide = ' class="wide"' if figure.wide else ""
    return f'<figure{wide} id="{figure.name}"><figcaption><h3>{title}</h3><span>{note}</span></figcaption>{picture}</figure>'


def _section(anchor, title, text, inner):
    return f'<h2 id="{anchor}">{_escape(title)}</h2>\n<p class="soft">{_escape(text)}</p>\n{inner}\n'


def _tile(value, text):
    return f'<div class="tile"><b>{_escape(value)}</b><span>{_escape(text)}</span></div>'


def _tiles(frame):
    """A few numbers that say most, of the first source and its smallest number of threads beyond one."""
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
            tiles.append(_tile(files.time_text(found["median"].iloc[0]), text))
    for operation in ("broadcast", "gather_all", "exchange", "reduce_D", "get"):
        found = own[(own["operation"] == operation) & own["sized"]].sort_values("bytes")
        if not len(found):
            continue
        least = found.iloc[0]
        tiles.append(
            _tile(files.time_text(least["median"]), f"{operation}, {files.size_text(int(least['bytes']))} bytes")
        )
        if found["bw"].notna().any():
            best = found.loc[found["bw"].idxmax()]
            tiles.append(
                _tile(f"{best['bw'] / 1000:.3g} GB/s", f"{operation}, at {files.size_text(int(best['bytes']))}")
            )
    if not tiles:
        return ""
    return (
        f'<p class="soft">{_escape(label)}, {threads} threads, medians:</p><div class="tiles">{"".join(tiles)}</div>'
    )


def _guidelines(sources):
    parts = []
    for source in sources:
        table = guidelines.check(source.rows)
        kind = "bad" if table.broken else "good"
        parts.append(
            f'<p><b>{_escape(source.label)}</b>: {table.checked} checked, <span class="{kind}">{len(table.broken)} broken</span></p>'
        )
        if table.broken:
            items = "".join(f"<li>{_escape(broken)}</li>" for broken in table.broken[:MOST_BROKEN])
            more = len(table.broken) - MOST_BROKEN
            parts.append(f"<ul>{items}</ul>" + (f'<p class="soft">and {more} more</p>' if more > 0 else ""))
    return "".join(parts)


def _facts(source):
    context = source.context
    build, system, options = context["build"], context["system"], context["options"]
    loads = system.get("load_at_start", "")
    facts = [
        ("date", context["date"]),
        ("command", options["command"]),
        ("launches", len(source.launches)),
        (
            "threads",
            ", ".join(str(count) for count in sorted({launch["context"]["threads"] for launch in source.launches})),
        ),
        ("system", build["parallel_system"]),
        ("compiler", f"{build.get('compiler', '')} over {build.get('back_end', 'unknown')}"),
        ("flags", build["flags"]),
        ("commit", build["commit"]),
        (
            "processor",
            f"{system.get('processor', system.get('machine'))}"
            + (" (virtual machine)" if system.get("virtual_machine") else ""),
        ),
        ("kernel", f"{system.get('system')} {system.get('release')}"),
        ("governor", system.get("governor") or "unknown"),
        ("load at start", loads),
        ("affinity", " | ".join(context["affinity"])),
        ("caches", options["cache"]),
        ("time from", options["sync"]),
        ("synchronisation mode", options["sync_mode"]),
        ("reduce operation", options["reduce_op"]),
        ("outliers", options["outliers"]),
    ] + sorted(context.get("environment", {}).items())
    lines = "".join(f"<tr><th>{_escape(name)}</th><td>{_escape(value)}</td></tr>" for name, value in facts)
    return f'<h3>{_escape(source.label)}</h3><div class="scroll"><table class="facts">{lines}</table></div>'


def _table(frame):
    """All numbers, folded away, an operation at a time."""
    parts = []
    for (label, operation), lines in frame.groupby(["label", "operation"], sort=False):
        head = "".join(
            f"<th>{name}</th>"
            for name in ("bytes", "threads", "where", "median", "interval", "min", "max", "GB/s", "n")
        )
        body = []
        for line in lines.itertuples():
            where = "" if line.is_default else f"CPU {line.pair[0]}, {line.pair[1]}"
            where = f"{where} {line.algorithm or ''}".strip()
            bandwidth = f"{line.bw / 1000:.3f}" if line.bw == line.bw else ""
            cells = [
                files.size_text(line.bytes),
                line.threads,
                where,
                files.time_text(line.median),
                f"{files.time_text(line.ci_low)} .. {files.time_text(line.ci_high)}",
                files.time_text(line.t_min),
                files.time_text(line.t_max),
                bandwidth,
                line.repetitions,
            ]
            body.append("<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in cells) + "</tr>")
        parts.append(
            f"<details><summary>{_escape(label)}: {_escape(operation)}</summary>"
            f'<div class="scroll"><table><tr>{head}</tr>{"".join(body)}</table></div></details>'
        )
    return "".join(parts)


def build(sources, own, frame, sections):
    """
    The page as a text.  sections: (anchor, title, text, figures) in order; those without figures are left out.  own: the
    sources whose guidelines and machine are shown.
    """
    css = importlib.resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    parts, links = [], []

    def add(anchor, title, text, inner):
        if inner:
            links.append(f'<a href="#{anchor}">{_escape(title)}</a>')
            parts.append(_section(anchor, title, text, inner))

    for anchor, title, text, figures in sections:
        inner = "".join(_figure(figure) for figure in figures)
        add(anchor, title, text, inner and f'<div class="figures">{inner}</div>')
    add(
        "guidelines",
        "Guidelines",
        "Operations that are slower than others that could stand in for them, beyond their intervals and 10 %: "
        "what to tune.",
        _guidelines(own),
    )
    drawings = "".join(
        f'<figure class="wide"><figcaption><h3>{_escape(source.label)}</h3><span>T: threads that were bound to one CPU'
        f"</span></figcaption>{machine.draw(source.context)}</figure>"
        for source in own
    )
    add(
        "machine",
        "The machine",
        "Packages, memory regions, caches and processors.",
        f'<div class="figures">{drawings}</div>',
    )
    add(
        "context", "How it was measured", "What the numbers depend on.", "".join(_facts(source) for source in sources)
    )
    add("numbers", "All numbers", "Times are those of the slowest thread.", _table(frame))
    labels = ", ".join(source.label for source in sources)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>UOMS: {_escape(labels)}</title><style>{css}</style></head>\n<body><h1>UOMS: {_escape(labels)}</h1>"
        f"<nav>{''.join(links)}</nav>{_tiles(frame)}\n{''.join(parts)}</body></html>\n"
    )
