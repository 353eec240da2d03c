"""Cells of the comparison: the time of each system for one operation, size, number of processes and state of the
buffers, compared with the best peer and with the limit set by memory copies."""

import math
import statistics

import systems
from uoms import ends, files, stats

# Bytes that must be written, in blocks, as a power of n; reductions move next to nothing, and have no such limit.
BLOCKS = {
    "broadcast": 1,
    "scatter": 1,
    "gather": 1,
    "permute": 1,
    "prefix_reduce_D": 1,
    "gather_all": 2,
    "exchange": 2,
}
# Reductions read n blocks.  A copy transfers a line three times: it reads the source, fetches the destination, and
# writes it; a reduction does only the first.
READERS = ("reduce_D", "reduce_all_D")
TRANSFERS_OF_COPY = 3
LEAST_LIMIT_BYTES = 4096
# A peer whose mean is this many times its median has calls that sleep: no program could rely on the median.
ERRATIC = 5


class Limit:
    """The least time that copying takes, from memcpy_all, in which every core copies what the next one has just
    written, or not.

    times: {bytes: nanoseconds}.  Interpolated in logarithms between sizes; beyond the largest size the speed is
    constant.
    """

    def __init__(self, times):
        self.points = sorted(times.items())

    def time_ns(self, bytes_of_core):
        sizes = [size for size, _ in self.points]
        if not self.points or bytes_of_core < sizes[0]:
            return None
        above = next((i for i, size in enumerate(sizes) if size >= bytes_of_core), None)
        if above is None:
            return self.points[-1][1] * bytes_of_core / sizes[-1]
        if sizes[above] == bytes_of_core:
            return self.points[above][1]
        (low, low_ns), (high, high_ns) = self.points[above - 1], self.points[above]
        part = math.log(bytes_of_core / low) / math.log(high / low)
        return math.exp(math.log(low_ns) * (1 - part) + math.log(high_ns) * part)


def limit_bytes(operation, size, n, cores):
    """Bytes that each core must copy if all share the work; None if the operation is not a copy"""
    if operation not in BLOCKS:
        return None
    return size * n ** BLOCKS[operation] / min(n, cores)


def reading_bytes(operation, size, n, cores):
    """Bytes that each core must read if all share the work; None if the operation is not a reduction"""
    return size * n / min(n, cores) if operation in READERS else None


class Cell:
    """times, means: {system: {turn: nanoseconds}}, the compared value and the mean of the same iterations"""

    def __init__(self, n, buffers, operation, size):
        self.n, self.buffers, self.operation, self.size = n, buffers, operation, size
        self.times, self.means, self.against = {}, {}, {}
        self.limit_ns = None  # of copying; None for operations that are not copies
        self.reading_ns = None  # least time of a reduction; None for other operations

    def median(self, system):
        return statistics.median(self.times[system].values())

    def mean(self, system):
        return statistics.median(self.means[system].values())

    def is_erratic(self, system):
        return self.mean(system) > ERRATIC * self.median(system)

    @property
    def best_peer(self):
        """The fastest peer; erratic ones count only if there are no others"""
        peers = [name for name in self.times if name not in systems.BANYAN]
        steady = [name for name in peers if not self.is_erratic(name)]
        return min(steady or peers, key=self.median, default=None)

    def compare(self):
        """Compares each variant of Banyan with the best peer of this cell, over the turns that both have."""
        best = self.best_peer
        for name in systems.BANYAN:
            if best is None or name not in self.times:
                continue
            turns = sorted(set(self.times[name]) & set(self.times[best]))
            if turns:
                self.against[name] = stats.compare_pairs(
                    [self.times[best][turn] for turn in turns], [self.times[name][turn] for turn in turns]
                )

    def ratio(self, name):
        """The ratio to the best peer"""
        return self.against[name][0] if name in self.against else None

    def limit_ratio(self, name):
        if self.limit_ns is None or self.size < LEAST_LIMIT_BYTES or name not in self.times:
            return None
        return self.median(name) / self.limit_ns

    def as_dict(self):
        return {
            "n": self.n,
            "buffers": self.buffers,
            "operation": self.operation,
            "bytes": self.size,
            "limit_ns": self.limit_ns,
            "best_peer": self.best_peer,
            "ns": {name: list(times.values()) for name, times in self.times.items()},
            "mean_ns": {name: list(times.values()) for name, times in self.means.items()},
            "against_best": {
                name: dict(zip(("ratio", "low", "high", "p"), numbers)) for name, numbers in self.against.items()
            },
        }


def collect(plan, read, value):
    """Cells of all launches that were made, in the order of the plan.

    read(name) returns a launch's document; value is "median" or "t_min" over the iterations of the slowest process.
    """
    cells, limits = {}, {}
    for turn in range(plan.turns):
        for launch in plan.turn(turn, lambda system, operation: True):
            document = read(launch.name)
            if document is None or "error" in document:
                continue
            for row in document["results"]:
                if not row[value]:
                    continue
                if launch.system.name == systems.LIMIT:
                    limits.setdefault((launch.n, launch.buffers), {}).setdefault(row["bytes"], []).append(row[value])
                    continue
                key = (launch.n, launch.buffers, row["operation"], row["bytes"])
                cell = cells.setdefault(key, Cell(*key))
                cell.times.setdefault(launch.system.name, {})[turn] = row[value]
                cell.means.setdefault(launch.system.name, {})[turn] = row["t_avg"]
    order = {name: i for i, name in enumerate(plan.operations)}
    found = sorted(cells.values(), key=lambda cell: (cell.n, cell.buffers, order[cell.operation], cell.size))
    for cell in found:
        times = limits.get((cell.n, cell.buffers), {})
        limit = Limit({size: statistics.median(all_ns) for size, all_ns in times.items()})
        copied = limit_bytes(cell.operation, cell.size, cell.n, plan.cores)
        if copied is not None:
            cell.limit_ns = limit.time_ns(copied)
        read_ns = limit.time_ns(reading_bytes(cell.operation, cell.size, cell.n, plan.cores) or 0)
        if read_ns is not None:
            cell.reading_ns = read_ns / TRANSFERS_OF_COPY
        cell.compare()
    return found


def geometric_mean(numbers):
    return math.exp(statistics.fmean(map(math.log, numbers))) if numbers else None


def launches_of(plan, read, system, buffers):
    """All launches of a system with one state of its buffers, in the form that uoms-report reads."""
    found = []
    for turn in range(plan.turns):
        for launch in plan.turn(turn, lambda _, operation: True):
            if launch.system.name == system and launch.buffers == buffers:
                document = read(launch.name)
                if document is not None and "error" not in document:
                    found.append({name: document[name] for name in ("format", "context", "results")})
    return found


def write_for_report(plan, read, folder):
    """Writes FOLDER/BUFFERS/SYSTEM.json for uoms-report; returns the paths."""
    paths = []
    for buffers in ("hot", "modified"):
        for system in plan.found:
            group = launches_of(plan, read, system.name, buffers)
            if group and system.name != systems.LIMIT:
                path = folder / buffers / f"{system.name}.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                ends.write(path, files.launches_text(group))
                paths.append(path)
    return paths
