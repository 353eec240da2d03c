"""The comparison on several hosts as Markdown, from cells of bench/peers where n is the number of threads per host and
the state of the buffers is a placement."""

import statistics

import systems
import table
from cells import geometric_mean
from uoms import files, markdown, stats

MYSYNC = systems.BANYAN[1]
STABLE = 1.1  # tolerated ratio between block and cyclic placement


def spread(times):
    """Half the range of the launches, as a fraction of their median"""
    return (max(times) - min(times)) / 2 / statistics.median(times)


def _percent(number):
    return f"{100 * number:.0f} %"


def _shown(cell, name):
    """Microseconds, spread, ratio to the best of the others; bold where Banyan is slower"""
    text = f"{table.microseconds(cell.median(name))} ±{_percent(spread(cell.times[name].values()))}"
    ratio = cell.ratio(name)
    if ratio is None:
        return text
    shown = table.ratio_text(ratio)
    return f"{text} / {'**' + shown + '**' if table.is_slower(cell, name) else shown}"


def _by_operation(found):
    """{(threads of a host, placement, operation): {bytes: cell}}"""
    groups = {}
    for cell in found:
        groups.setdefault((cell.n, cell.buffers, cell.operation), {})[cell.size] = cell
    return groups


def main_table(found, sizes):
    lines = []
    for (n, placement, operation), by_size in _by_operation(found).items():
        for name in table.variants(operation):
            cells = [by_size.get(size) for size in ([0, *sizes[1:]] if operation == "barrier" else sizes)]
            if any(cell and name in cell.times for cell in cells):
                texts = [_shown(cell, name) if cell and name in cell.times else "" for cell in cells]
                lines.append([str(n), placement, table.shown(operation, name), *texts])
    return markdown.rows(["threads of a host", "placement", "operation", *map(files.size_text, sizes)], lines)


def others_table(found, sizes):
    """The fastest of the other systems in each cell, and its time"""
    lines = []
    for (n, placement, operation), by_size in _by_operation(found).items():
        cells = [by_size.get(size) for size in ([0, *sizes[1:]] if operation == "barrier" else sizes)]
        texts = [f"{table.microseconds(cell.median(cell.best_peer))} {cell.best_peer}" if cell and cell.best_peer
                 else ""
                 for cell in cells]
        if any(texts):
            lines.append([str(n), placement, operation, *texts])
    return markdown.rows(["threads of a host", "placement", "operation", *map(files.size_text, sizes)], lines)


def threads_table(found, sizes, operation="broadcast", placement="block"):
    """How the time grows with the threads per host; ratios to the fewest, of the same system."""
    groups = {n: by_size for (n, where, name), by_size in _by_operation(found).items()
              if name == operation and where == placement}
    if len(groups) < 2:
        return None
    least = min(groups)
    lines = []
    for system in dict.fromkeys(name for cell in groups[least].values() for name in cell.times):
        for n, by_size in sorted(groups.items()):
            texts = []
            for size in sizes:
                cell, base = by_size.get(size), groups[least].get(size)
                is_there = cell and base and system in cell.times and system in base.times
                texts.append(f"{table.microseconds(cell.median(system))} "
                             f"({cell.median(system) / base.median(system):.2f})"
                             if is_there else "")
            lines.append([system, str(n), *texts])
    return markdown.rows(["system", "threads of a host", *map(files.size_text, sizes)], lines)


def _against_block(block, other):
    """(ratio of another placement to block placement, p), in pairs of launches under MYSYNC; None if there are none."""
    base, times = (cell.times.get(MYSYNC, {}) if cell else {} for cell in (block, other))
    turns = sorted(set(base) & set(times))
    if not turns:
        return None
    ratio, _, _, chance = stats.compare_pairs([base[turn] for turn in turns], [times[turn] for turn in turns])
    return ratio, chance


def _is_near(ratio):
    return 1 / STABLE <= ratio <= STABLE


def placement_table(found, sizes):
    """Other placements divided by block placement; bold where they differ by more than STABLE, and significantly."""
    groups = _by_operation(found)
    rows, notes = {}, []
    for (n, placement, operation), other in groups.items():
        block = groups.get((n, "block", operation), {})
        if placement != "block":
            first = 0 if operation == "barrier" else sizes[0]
            rows[placement, n, operation] = [_against_block(block.get(size), other.get(size))
                                             for size in (first, *sizes[1:])]
    lines = []
    for placement in dict.fromkeys(placement for placement, _, _ in rows):
        own = {key: row for key, row in rows.items() if key[0] == placement}
        pairs = {(key, i): pair for key, row in own.items() for i, pair in enumerate(row) if pair}
        if not pairs:
            continue
        is_shown = stats.significant([chance for _, chance in pairs.values()])
        far = {at for (at, (ratio, _)), shown in zip(pairs.items(), is_shown) if shown and not _is_near(ratio)}
        for key, row in own.items():
            _, n, operation = key
            texts = [f"**{pair[0]:.2f}**" if (key, i) in far else f"{pair[0]:.2f}" if pair else "" for i,
                     pair in enumerate(row)]
            lines.append([str(n), placement, operation, *texts])
        ratios = [ratio for ratio, _ in pairs.values()]
        notes.append(f"- {placement}: within {_percent(STABLE - 1)} {sum(map(_is_near, ratios))} of {len(ratios)}, "
                     f"geometric mean {geometric_mean(ratios):.2f}; further, and not by chance: {len(far)}")
    if not notes:
        return None
    return markdown.rows(["threads of a host", "placement", "operation", *map(files.size_text, sizes)],
                         lines) + "\n\n" + "\n".join(notes)


def apps_table(apps):
    """apps: {(program, threads, where): list of rates}; where: 'one host' or 'hosts'"""
    lines = []
    for program, threads in dict.fromkeys((program, threads) for program, threads, _ in apps):
        one, many = (apps.get((program, threads, where)) for where in ("one host", "hosts"))
        texts = [f"{statistics.median(rates):.4g} ±{_percent(spread(rates))}" if rates else "-"
                 for rates in (one, many)]
        ratio = f"{statistics.median(many) / statistics.median(one):.3g}" if one and many else "-"
        lines.append([program, str(threads), *texts, ratio])
    return markdown.rows(["program", "threads", "one host", "several hosts", "several / one"], lines)


def document(run):
    """The measured part of docs/tuning/clusters.md. run: the JSON that `run` writes, with its cells."""
    found, apps = run["found"], run["apps"]
    sizes = sorted({cell.size for cell in found if cell.size > 0}) or [0]
    parts = [
        f"`{run['command']}` on {run['date']}, commit {run['commit']}: {run['hosts']} hosts in namespaces of a machine "
        f"with {run['machine']}; links {run['network']}; {run['turns']} turns of each, {run['minutes']:.0f} minutes, "
        f"load at the start {run['load']}.",
    ]
    if found:
        parts.append("Microseconds, ±half the range of the launches / ratio to the best of the others, bold where "
                     "Banyan is slower; barriers stand in the first column.\n\n" + main_table(found, sizes))
        compared = [cell.ratio(MYSYNC) for cell in found if cell.ratio(MYSYNC) is not None]
        if compared:
            parts.append(f"Slower than the best of the others, under MYSYNC: "
                         f"{sum(round(each, 2) > 1 for each in compared)} of {len(compared)}; geometric mean of the "
                         f"ratios {geometric_mean(compared):.2f}.")
        parts.append("### The best of the others\n\n" + others_table(found, sizes))
    more = (("### Broadcast, by threads of a host", threads_table(found, sizes)),
            ("### Other placements over block placement", placement_table(found, sizes)),
            ("### Programs: MB/s, million updates, intervals and darts per second", apps_table(apps) if apps else None))
    parts += [f"{title}\n\n{text}" for title, text in more if text]
    parts.append("### Who took part\n\n" + markdown.rows(["name", "library"], [list(pair) for pair in run["systems"]]))
    if run["failures"]:
        parts.append("Left out:\n\n" + "\n".join(f"- {text}" for text in run["failures"]))
    return "\n\n".join(parts)
