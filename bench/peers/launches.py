"""The launches of a run, their order, and their results: a folder with a file for each launch, so that an interrupted
run can be resumed."""

import hashlib
import json
import re
import time

import systems
from uoms import ends, files, runs

OPERATIONS = (
    "barrier",
    "broadcast",
    "scatter",
    "gather",
    "gather_all",
    "exchange",
    "permute",
    "reduce_D",
    "reduce_all_D",
    "prefix_reduce_D",
)
# Operations for comparing an MPI with itself under Banyan: MPI's own calls, so reductions are those of vectors
MPI_OPERATIONS = (
    "barrier",
    "broadcast",
    "scatter",
    "gather",
    "gather_all",
    "gather_all_v",
    "exchange",
    "exchange_v",
    "elementwise_reduce_D",
    "elementwise_reduce_all_D",
)
SIZES = ("8", "64", "512", "4K", "16K", "64K", "256K", "1M", "4M", "16M")
ALL_TO_ALL_MOST = "1M"
ALL_TO_ALL = ("exchange", "exchange_v")
QUICK_SIZES = ("8", "4K", "64K", "1M")
BUFFERS = ("hot", "modified")
# If a barrier takes longer than this, processes wait for the end of other processes' time slices.
USELESS_BARRIER_NS = 1e6
FORMAT = "uoms-peers-1"
LEARNING_CALLS = {"small": 72, "large": 32}
# How launchers begin a line, and lines of theirs that say nothing about the error
SPEAKER = re.compile(r"^\[[^\]\s]*\] *(\*\*\* *)?")
ADVICE = re.compile(r"Set MCA parameter|more process(es)? ha(s|ve) sent help|aggregate|will now abort|potentially your")


def why(error):
    """One line of what a launch that failed has printed: that of an error of MPI, else the last. The same for each
    launch that failed in the same way, so without process ids."""
    lines = [SPEAKER.sub("", line.strip()) for line in error.strip().splitlines()]
    told = [line for line in lines if line and not ADVICE.search(line)] or lines or [""]
    return next((line for line in told if "MPI_ERR_" in line), told[-1])[:160]


class Launch:
    """One start of one system."""

    def __init__(self, system, n, processes, buffers, part, turn, sizes, operations):
        self.system, self.n, self.processes, self.buffers, self.part, self.turn = (
            system,
            n,
            processes,
            buffers,
            part,
            turn,
        )
        self.sizes, self.operations = sizes, operations

    @property
    def kind(self):
        """The part of the name that launches of different turns share."""
        return f"{self.n}-{self.buffers}-{self.part}-{self.system.name}"

    @property
    def name(self):
        return f"{self.turn}-{self.kind}"

    @property
    def rows(self):
        return len(self.sizes) * len(self.operations)


class Plan:
    """Everything that is to be launched. counts: numbers of processes; turns: how often each launch is repeated."""

    def __init__(self, found, options, cores):
        self.found, self.cores, self.turns = found, cores, options.turns
        self.counts, self.time_s, self.sync = options.n, options.time, options.sync
        self.sizes = list(QUICK_SIZES if options.quick else SIZES)
        usual = MPI_OPERATIONS if options.mpi else OPERATIONS
        self.operations = [name for name in usual if name in (options.operations or usual)]

    def fingerprint(self):
        """What results must have in common to be combined; programs are identified by their content."""
        programs = {
            system.name: hashlib.sha256(b"".join(path.read_bytes() for path in system.files)).hexdigest()
            for system in self.found
        }
        return {
            "format": FORMAT,
            "sizes": self.sizes,
            "operations": self.operations,
            "time_s": self.time_s,
            "sync": self.sync,
            "programs": programs,
        }

    def _parts(self):
        """(part, sizes, operations): the memory of an all-to-all grows with the square of the processes, so its sizes
        end earlier."""
        most = self.sizes.index(ALL_TO_ALL_MOST) + 1
        yield "small", self.sizes[:most], self.operations
        if self.sizes[most:]:
            yield "large", self.sizes[most:], [
                name for name in self.operations if name not in (*ALL_TO_ALL, "barrier")
            ]

    def turn(self, turn, has):
        """Launches of a turn, in reverse order in every second turn. has(system, operation) tells whether the system
        has it."""
        order = self.found if turn % 2 == 0 else self.found[::-1]
        for n in self.counts:
            for buffers in BUFFERS:
                for part, sizes, operations in self._parts():
                    for system in order:
                        is_limit = system.name == systems.LIMIT
                        able = ["memcpy_all"] if is_limit else [name for name in operations if has(system, name)]
                        if able:
                            yield Launch(
                                system, n, min(n, self.cores) if is_limit else n, buffers, part, turn, sizes, able
                            )

    def arguments(self, launch, size_file):
        words = [
            *launch.operations,
            "-msglen",
            size_file,
            "-time",
            str(self.time_s),
            "-cache",
            launch.buffers,
            "-sync",
            self.sync,
        ]
        if launch.system.learns:
            # All trials must precede the measurement.  Those of libbanyan-mpi take 56 calls, 40 of which warm up, or 16
            # above 64 KiB; in operations where no process knows all counts they begin 16 calls later.
            words += ["-warmups", str(LEARNING_CALLS[launch.part])]
        # The median does not need a warm-up, and large messages take long.
        elif launch.part == "small":
            words.append("-warmup")
        # Results are checked in the first turn only.
        words.append("-verify=on" if launch.turn == 0 else "-verify=off")
        if launch.system.name == systems.BANYAN[1]:
            words += ["-sync_mode", "UPC_IN_MYSYNC|UPC_OUT_MYSYNC"]
        return words


class Store:
    """A folder with a file for each launch that was made."""

    def __init__(self, folder, fingerprint, is_fresh):
        self.folder = folder
        mark = folder / "plan.json"
        folder.mkdir(parents=True, exist_ok=True)
        if is_fresh:
            for path in folder.glob("*.json"):
                path.unlink()
        if mark.exists():
            if self._load(mark) != fingerprint:
                raise systems.SystemFault(
                    f"{folder} holds results of other programs, sizes or times; --fresh begins anew"
                )
        else:
            self._save(mark, json.dumps(fingerprint, indent=1))

    @staticmethod
    def _load(path):
        try:
            return json.loads(path.read_text())
        except ValueError as error:
            raise systems.SystemFault(f"{path} is damaged; remove it, or begin anew with --fresh") from error

    @staticmethod
    def _save(path, text):
        ends.write(path, text)

    def read(self, name):
        """The document of a launch, or None"""
        path = self.folder / f"{name}.json"
        return self._load(path) if path.exists() else None

    def write(self, name, document):
        self._save(self.folder / f"{name}.json", json.dumps(document))


def execute(plan, launch, settings, limit_s, size_file):
    """A launch's document without samples, or with "error"; "seconds" is its duration."""
    size_file.write_text(" ".join(launch.sizes) + "\n")
    start = time.monotonic()
    try:
        document = runs.launch(
            launch.system.start(launch.processes, settings), plan.arguments(launch, str(size_file)), limit_s
        )
        for row in document["results"]:
            del row["raw"]
    except (runs.RunError, files.FileError) as error:
        document = {"error": str(error)}
    document["seconds"] = time.monotonic() - start
    return document


class Estimate:
    """Estimates the remaining time: as long as launches of the same kind took, or else a guess, corrected by how good
    guesses have been."""

    def __init__(self, plan):
        self.plan, self.known, self.guessed, self.took = plan, {}, 0.0, 0.0

    def guess(self, launch):
        """A second to start; at least its time for each row, and six runs of the largest transfers."""
        moved = sum(files.size_number(size) for size in launch.sizes) * len(launch.operations) * launch.n
        return 1.0 + launch.rows * self.plan.time_s * 1.3 + moved * 6 / 4e9

    def learn(self, launch, seconds):
        self.known.setdefault(launch.kind, []).append(seconds)
        self.guessed += self.guess(launch)
        self.took += seconds

    def left(self, rest):
        correction = self.took / self.guessed if self.guessed > 0 else 1.0
        return sum(
            (
                sum(self.known[launch.kind]) / len(self.known[launch.kind])
                if launch.kind in self.known
                else self.guess(launch) * correction
            )
            for launch in rest
        )
