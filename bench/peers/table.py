"""The comparison as Markdown: one table, the cells where Banyan is slower, and how far the aims are met."""

import systems
from cells import ERRATIC, geometric_mean
from uoms import files, stats

# The aims: bytes from which on the geometric mean counts, and the mean by processes; and the ratio to the limit of
# copying
AIMED_FROM, AIMED = 16 << 10, {2: 1.5, 8: 3.0}
LIMIT_FROM, LIMIT_AIMED = 64 << 10, 1.25
SHOWN = {"banyan-mysync": "", "banyan": ", ALLSYNC"}


def microseconds(nanoseconds):
    """A time as tables show it"""
    number = nanoseconds / 1e3
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:.0f}"


def ratio_text(number):
    return "-" if number is None else f"{number:.2f}" if number < 10 else f"{number:.0f}"


def variants(operation):
    """The modes of Banyan that an operation has"""
    return ("banyan",) if operation == "barrier" else ("banyan-mysync", "banyan")


def shown(operation, name):
    """An operation with its mode, if it has one"""
    return operation if operation == "barrier" else operation + SHOWN[name]


def _cell(cell, name):
    ratio = ratio_text(cell.ratio(name))
    if is_slower(cell, name):
        ratio = f"**{ratio}**"
    return f"{microseconds(cell.median(name))} / {ratio} / {ratio_text(cell.limit_ratio(name))}"


def is_slower(cell, name):
    """Whether the printed ratio to the best peer is above 1"""
    return cell.ratio(name) is not None and round(cell.ratio(name), 2) > 1


def main_table(found, sizes):
    """One row for each number of processes, state of the buffers, operation and mode; a column for each size."""
    head = ["n", "buffers", "operation", *(files.size_text(size) for size in sizes)]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    groups = {}
    for cell in found:
        groups.setdefault((cell.n, cell.buffers, cell.operation), {})[cell.size] = cell
    for (n, buffers, operation), by_size in groups.items():
        for name in variants(operation):
            places = [0, *sizes[1:]] if operation == "barrier" else sizes
            texts = [
                _cell(by_size[size], name) if size in by_size and name in by_size[size].times else ""
                for size in places
            ]
            lines.append(f"| {n} | {buffers} | {shown(operation, name)} | {' | '.join(texts)} |")
    return "\n".join(lines)


def _grouped(title, groups):
    """A row for each (processes, state of the buffers, operation), with the texts of its sizes"""
    lines = [f"| n | buffers | operation | {title} |", "|---|---|---|---|"]
    lines += [
        f"| {n} | {buffers} | {operation} | {'; '.join(texts)} |" for (n, buffers, operation), texts in groups.items()
    ]
    return "\n".join(lines)


def shortfalls(found):
    """The cells that are slower than the best peer, one row per operation; bold if statistically significant."""
    tests = [(cell, name) for cell in found for name in variants(cell.operation) if name in cell.against]
    verdicts = stats.significant([cell.against[name][3] for cell, name in tests])
    groups = {}
    for (cell, name), is_shown in zip(tests, verdicts):
        if is_slower(cell, name):
            size = f"{files.size_text(cell.size)}: " if cell.size else ""
            ratio = f"**{ratio_text(cell.ratio(name))}**" if is_shown else ratio_text(cell.ratio(name))
            text = f"{size}{ratio} ({cell.best_peer} {microseconds(cell.median(cell.best_peer))})"
            groups.setdefault((cell.n, cell.buffers, shown(cell.operation, name)), []).append(text)
    if not groups:
        return "No cell is slower than the best peer."
    return _grouped("size: ratio (best peer, its us)", groups)


def beyond_limit(found):
    """The cells whose ratio to the limit of copying misses the aim, in the mode of MPI's calls."""
    groups = {}
    for cell in found:
        ratio = cell.limit_ratio("banyan-mysync")
        if cell.size >= LIMIT_FROM and ratio is not None and ratio > LIMIT_AIMED:
            groups.setdefault((cell.n, cell.buffers, cell.operation), []).append(
                f"{files.size_text(cell.size)}: {ratio_text(ratio)}"
            )
    if not groups:
        return "No cell is."
    return _grouped("size: ratio to the limit", groups)


def erratic(found):
    """The peers that cells were not compared with because their calls sleep from time to time, with the sizes."""
    groups = {}
    for cell in found:
        for name in cell.times:
            if name not in systems.BANYAN and cell.is_erratic(name):
                groups.setdefault((cell.n, name, cell.operation), []).append(
                    f"{files.size_text(cell.size)}: {microseconds(cell.median(name))} / {microseconds(cell.mean(name))}"
                )
    if not groups:
        return "None."
    lines = ["| n | peer | operation | size: median / mean, us |", "|---|---|---|---|"]
    lines += [f"| {n} | {name} | {operation} | {'; '.join(texts)} |" for (n, name, operation), texts in groups.items()]
    return "\n".join(lines)


def bound_rows(found, n):
    """How much faster than the best peer Banyan is, and how much faster a library could be according to a model: after
    one wave in which every process runs once (a barrier), copying at its limit, and reading at three times its speed
    where bytes are folded.  First for copies only, then for all.  Empty if something was not measured.
    """
    barriers = [cell for cell in found if cell.n == n and cell.operation == "barrier"]
    waves = [cell.median("banyan") for cell in barriers if "banyan" in cell.times]
    compared = [
        cell
        for cell in found
        if cell.n == n and cell.size >= AIMED_FROM and cell.best_peer is not None and "banyan-mysync" in cell.times
    ]
    copies = [cell for cell in compared if cell.limit_ns is not None]
    if not waves or not copies:
        return []

    def row(what, model, group):
        reached = geometric_mean([cell.median(cell.best_peer) / cell.median("banyan-mysync") for cell in group])
        allowed = geometric_mean(
            [cell.median(cell.best_peer) / ((cell.limit_ns or cell.reading_ns) + min(waves)) for cell in group]
        )
        return (
            f"| the same {what}, n = {n} (by the model, copies at their limit {model}behind one wave of "
            f"{microseconds(min(waves))} us: {allowed:.2f}) | {reached:.2f} | |"
        )

    rows = [row("where bytes are copied", "", copies)]
    everything = [cell for cell in compared if (cell.limit_ns or cell.reading_ns) is not None]
    if len(everything) > len(copies):
        rows.append(row("and reductions", "and reductions at a third of it, ", everything))
    return rows


def aims(found):
    """The aims and the results, as lines of a table."""
    lines = ["| aim | MYSYNC, as MPI | ALLSYNC |", "|---|---|---|"]

    def add(text, function):
        lines.append(f"| {text} | {function('banyan-mysync')} | {function('banyan')} |")

    def slower(name):
        compared = [cell for cell in found if cell.ratio(name) is not None]
        return f"{sum(is_slower(cell, name) for cell in compared)} of {len(compared)}"

    add("cells slower than the best peer (aim: none)", slower)
    for n in sorted({cell.n for cell in found}):

        def mean(name, n=n):
            ratios = [
                cell.ratio(name)
                for cell in found
                if cell.n == n and cell.size >= AIMED_FROM and cell.ratio(name) is not None
            ]
            return f"{1 / geometric_mean(ratios):.2f}" if ratios else "-"

        aimed = f" (aim: {AIMED[n]})" if n in AIMED else ""
        add(
            f"times faster than the best peer, geometric mean, n = {n}, {files.size_text(AIMED_FROM)} and up{aimed}",
            mean,
        )

    for n in sorted({cell.n for cell in found}):
        lines += bound_rows(found, n)

    def within(name):
        ratios = [
            cell.limit_ratio(name) for cell in found if cell.size >= LIMIT_FROM and cell.limit_ratio(name) is not None
        ]
        near = sum(ratio <= LIMIT_AIMED for ratio in ratios)
        return f"{near} of {len(ratios)}; mean {geometric_mean(ratios):.2f}" if ratios else "-"

    add(
        f"cells within {LIMIT_AIMED} of the limit of copying, {files.size_text(LIMIT_FROM)} and up (aim: all)", within
    )
    return "\n".join(lines)


def document(run):
    """The measured part of docs/tuning/peers.md. run: the JSON that `run` writes, with its cells."""
    found = run["found"]
    sizes = sorted({cell.size for cell in found if cell.size > 0})
    settings = [f"| {name} | {title} | {using} |" for name, title, using in run["systems"]]
    failures = "".join(f"\n- {text}" for text in run["failures"])
    parts = [
        f"`{run['command']}` on {run['date']}, commit {run['commit']}: {run['machine']}; {run['turns']} turns of each, "
        f"{run['minutes']:.0f} minutes, load at the start {run['load']}.",
        "### The aims\n\n" + aims(found),
        "### The table\n\n" + main_table(found, sizes),
        "### Slower than the best peer\n\n" + shortfalls(found),
        f"### Farther than {LIMIT_AIMED} from the limit of copying, {files.size_text(LIMIT_FROM)} and up\n\n"
        + beyond_limit(found),
        f"### Calls that sleep\n\nPeers with a mean of more than {ERRATIC} times their median, which are the best peer "
        "of a cell only if all are so:\n\n" + erratic(found),
        "### Who took part\n\n| name | library | settings with more processes than cores |\n|---|---|---|\n"
        + "\n".join(settings)
        + (f"\n\nLeft out:\n{failures}" if failures else ""),
    ]
    return "\n\n".join(parts)
