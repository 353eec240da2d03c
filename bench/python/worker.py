"""One process of bench/python/run: measures all ways in turns; rank 0 writes the times of each call.

A sample is the mean of some consecutive calls, on the slowest process, after a barrier.
"""
import json
import os
import sys
import time

import ways

SAMPLE_S = 0.015     # a sample has as many calls as fit into this time, at least one and at most MOST_CALLS
MOST_CALLS = 1000


def clock(call, sent, received, count):
    begin = time.perf_counter()
    for _ in range(count):
        call(sent, received)
    return (time.perf_counter() - begin) / count


class Process:
    def __init__(self, rank, size, meeting):
        import banyan
        import numpy
        self.numpy, self.rank, self.size = numpy, rank, size
        self.team = banyan.join(meeting.name, rank, size)     # for decisions that the processes must share
        self.ways, self.missing = [], {}
        for way in ways.WAYS:
            made, why = None, ""
            try:
                made = way(rank, size, meeting)
            except ImportError as error:
                why = str(error)
            if self.largest(made is None) > 0:
                self.missing[f"{way.of}: {way.name}"] = why
            else:
                self.ways.append(made)

    def largest(self, value):
        return float(self.team.allreduce(self.numpy.array([float(value)]), op="max")[0])

    def sample(self, way, operation, arrays, count):
        self.team.barrier()
        return self.largest(clock(getattr(way, operation), *arrays, count))

    def prepare(self, way, operation, size_bytes):
        """Returns the arrays, and the number of calls per sample; None if the library has no such call."""
        if not hasattr(way, operation):
            return None
        arrays = way.arrays(operation, size_bytes, self.size)
        try:
            first_s = self.sample(way, operation, arrays, 1)
        except (RuntimeError, NotImplementedError):
            return None
        for _ in range(2):
            first_s = min(first_s, self.sample(way, operation, arrays, 1 if first_s > 1e-4 else 10))
        count = max(1, min(MOST_CALLS, int(SAMPLE_S / first_s)))
        for _ in range(2 if first_s > 1e-3 else 20):
            getattr(way, operation)(*arrays)
        return arrays, int(self.largest(count))

    def measure(self, operation, size_bytes, rounds):
        """Seconds per call, by way: one sample in each round."""
        prepared = {way: self.prepare(way, operation, size_bytes) for way in self.ways}
        samples = {way: [] for way in self.ways if prepared[way]}
        for _ in range(rounds):
            for way, kept in samples.items():
                kept.append(self.sample(way, operation, *prepared[way]))
        return {f"{way.of}: {way.name}": kept for way, kept in samples.items()}


def work(rank, size, meeting, plan, result):
    process = Process(rank, size, meeting)
    rows = []
    for operation in plan["operations"]:
        for size_bytes in plan["sizes"]:
            if operation == "layer" and not 1 << 10 <= size_bytes <= 64 << 10:
                continue        # 1 to 64 tokens
            if size_bytes * (size if operation in plan["blocks"] else 1) > plan["most_bytes"]:
                continue
            found = process.measure(operation, size_bytes, plan["rounds"])
            rows.append({"operation": operation, "bytes": size_bytes, "members": size, "seconds": found})
    if rank == 0:
        with open(result, "w", encoding="ascii") as file:
            json.dump({"rows": rows, "missing": process.missing}, file)
    process.team.barrier()
    for way in process.ways:
        way.end()
    process.team.leave()


def main():
    """When started by mpirun: NAME FOLDER RESULT PLAN"""
    name, folder, result, plan = sys.argv[1:5]
    rank, size = (int(os.environ["OMPI_COMM_WORLD_" + which]) for which in ("RANK", "SIZE"))
    work(rank, size, ways.Meeting(name, folder), json.loads(plan), result)


if __name__ == "__main__":
    main()
