"""Banyan for Python: NumPy arrays shared by processes of one machine, and Banyan's collectives on any arrays.

    import banyan, numpy as np

    team = banyan.join()                  # in a process started by upcrun -n 4 python3 prog.py, mpirun or srun
    x = np.full(1000, float(team.rank))
    team.allreduce(x)                     # in place: the sum, on all members

Manual: docs/python.md of Banyan.
"""
import contextlib
import enum
import math
import operator
import sys
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, SupportsIndex, Tuple, Union

from . import _engine
from ._engine import Error, LostError, Message, Received, TimeoutError  # pylint: disable=redefined-builtin

__all__ = ["Error", "Invitation", "LostError", "MAX", "MIN", "Message", "Op", "PROD", "SUM", "BAND", "BOR", "BXOR",
           "Received", "Team", "TimeoutError", "invite", "join", "join_mpi", "run"]
__version__ = _engine.VERSION


class Op(enum.IntEnum):
    """The operation of a reduction, applied element by element.  It may also be given by name, such as "sum"."""
    SUM = 0
    PROD = 1
    MIN = 2
    MAX = 3
    BAND = 4
    BOR = 5
    BXOR = 6


SUM, PROD, MIN, MAX, BAND, BOR, BXOR = Op
_OPS: Dict[Union[str, int], int] = {name.lower(): int(op) for name, op in Op.__members__.items()}
_OPS.update({int(op): int(op) for op in Op})

Shape = Union[SupportsIndex, Sequence[SupportsIndex]]


def _number_of(op: Union[Op, str]) -> int:
    try:
        return _OPS[op]
    except (KeyError, TypeError):
        raise ValueError(f"op must be one of {', '.join(repr(name) for name in _OPS if isinstance(name, str))}, "
                         f"not {op!r}") from None


def _extents_of(shape: Shape) -> Tuple[int, ...]:
    """The extents as Python integers, which cannot overflow"""
    try:
        return (operator.index(shape),)  # type: ignore[arg-type]
    except TypeError:
        return tuple(operator.index(extent) for extent in shape)  # type: ignore[union-attr]


def _numpy() -> Any:
    import numpy  # pylint: disable=import-outside-toplevel
    return numpy


def _as_numpy(array: Any, call: str) -> Any:
    """A NumPy view of an array or any other buffer, for its shape and dtype"""
    numpy = _numpy()
    if isinstance(array, numpy.ndarray):
        return array
    try:
        return numpy.asarray(memoryview(array))
    except TypeError:
        raise TypeError(f"{call} takes arrays (numpy.asarray makes one), not this {type(array).__name__}") from None


class Team(_engine.Team):
    """Processes that work together.  All members call the same collectives in the same order, each from one thread.

    Arrays are objects with contiguous elements in C order: NumPy arrays, array.array, memoryview, mmap.  They are not
    copied.  Other arrays, such as a[:, 1] or a.T, raise ValueError.  If no array is given for a result, a new NumPy
    array is returned.
    """

    def __enter__(self) -> "Team":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.leave()

    def __repr__(self) -> str:
        try:
            return f"<banyan.Team {self.name!r}, rank {self.rank} of {self.size}>"
        except ValueError:
            return "<banyan.Team, left>"

    def __reduce__(self) -> Any:
        raise TypeError("a member's view of a team cannot be sent to another process; give it banyan.invite(size)")

    def set_timeout(self, seconds: float) -> None:
        """Collectives that wait longer than this raise banyan.TimeoutError.  0, the default: they wait forever."""
        self._set_timeout(seconds)

    def split(self, color: int, key: int = 0) -> Optional["Team"]:
        """Makes a new team of the members with the same color (0 or more), ordered by key and rank.  A member with
        color -1 is in no new team and gets None."""
        return self._split(color, key)

    # ---- Shared memory ----

    def empty(self, shape: Shape, dtype: Any = float) -> Any:
        """A NumPy array of zeros in shared memory of the team, where collectives copy less.  Not collective."""
        return self._array(self._alloc, shape, dtype)

    zeros = empty

    def shared(self, shape: Shape, dtype: Any = float) -> Any:
        """A NumPy array of zeros that all members share.  Collective.  Freed when no member uses it any more."""
        return self._array(self._alloc_shared, shape, dtype)

    @staticmethod
    def _array(alloc: Callable[[int], Any], shape: Shape, dtype: Any) -> Any:
        numpy = _numpy()
        of = numpy.dtype(dtype)
        if of.hasobject:
            raise TypeError(f"Python objects cannot be shared: dtype {of}")
        extents = _extents_of(shape)
        bytes_needed = math.prod(extents) * of.itemsize
        if bytes_needed > sys.maxsize:
            raise ValueError(f"an array of shape {extents} and dtype {of} has {bytes_needed} bytes, more than any "
                             "memory")
        return numpy.ndarray(extents, of, alloc(bytes_needed))

    # ---- Moving arrays ----

    def broadcast(self, array: Any, root: int = 0) -> Any:
        """Copies the array of root to those of all members.  Returns it."""
        self._broadcast(array, root)
        return array

    def scatter(self, array: Optional[Any], out: Optional[Any] = None, root: int = 0) -> Any:
        """Cuts the array of root into size equal parts along its first axis; out receives the part of this rank.

        On members other than root, out is required (ValueError), since they cannot know the size of their part."""
        if out is None:
            if self.rank != root:
                raise ValueError("scatter: a member other than root needs an array for its part (out)")
            out = self._part_like(array, "scatter")
        self._scatter(array, out, root)
        return out

    def gather(self, array: Any, out: Optional[Any] = None, root: int = 0) -> Optional[Any]:
        """At root, out[r] = array of rank r.  Elsewhere, returns None."""
        if self.rank == root and out is None:
            out = self._parts_like(array, "gather")
        self._gather(array, out, root)
        return out if self.rank == root else None

    def allgather(self, array: Optional[Any], out: Optional[Any] = None) -> Any:
        """On all members, out[r] = array of rank r.  If array is None, it is already in its place in out."""
        if out is None:
            if array is None:
                raise ValueError("allgather: no array is given: give one to send, one for the result (out), or both")
            out = self._parts_like(array, "allgather")
        self._allgather(array, out)
        return out

    def alltoall(self, array: Any, out: Optional[Any] = None) -> Any:
        """Part r of out = this rank's part of the array of rank r; arrays are cut along their first axis.  Without out,
        in place."""
        self._alltoall(None if out is None else array, array if out is None else out)
        return array if out is None else out

    def _parts_like(self, array: Any, call: str) -> Any:
        part = _as_numpy(array, call)
        return _numpy().empty((self.size, *part.shape), part.dtype)

    def _part_like(self, array: Any, call: str) -> Any:
        whole = _as_numpy(array, call)
        if whole.shape[:1] == () or whole.shape[0] % self.size != 0:
            raise ValueError(f"{call}: an array of shape {whole.shape} cannot be cut into {self.size} equal parts "
                             f"along its first axis; give an array for the result (out)")
        return _numpy().empty((whole.shape[0] // self.size, *whole.shape[1:]), whole.dtype)

    # ---- Reductions, element by element.  Without out, in place. ----

    def allreduce(self, array: Any, out: Optional[Any] = None, op: Union[Op, str] = SUM) -> Any:
        """The sum (op) of the arrays of all members, bitwise the same on all.  Returns the array that holds it."""
        number = 0 if op is SUM else _number_of(op)
        if out is None:
            self._allreduce(None, array, number)
            return array
        self._allreduce(array, out, number)
        return out

    def reduce(self, array: Any, out: Optional[Any] = None, op: Union[Op, str] = SUM, root: int = 0) -> Optional[Any]:
        """The same, at root only.  Elsewhere nothing is written, and None is returned."""
        if self.rank != root:
            self._reduce(array, None, _number_of(op), root)
            return None
        return self._reduced(self._reduce, array, out, op, root)

    def reduce_scatter(self, array: Any, out: Optional[Any] = None, op: Union[Op, str] = SUM) -> Any:
        """out = this rank's part of the sum of all arrays, which are cut along their first axis."""
        if out is None:
            out = self._part_like(array, "reduce_scatter")
        self._reduce_scatter(array, out, _number_of(op))
        return out

    def scan(self, array: Any, out: Optional[Any] = None, op: Union[Op, str] = SUM) -> Any:
        """The sum of the arrays of ranks 0 to this rank."""
        return self._reduced(self._scan, array, out, op)

    def exscan(self, array: Any, out: Optional[Any] = None, op: Union[Op, str] = SUM) -> Any:
        """The sum of the arrays of the ranks before this one.  On rank 0 nothing is written."""
        return self._reduced(self._exscan, array, out, op)

    @staticmethod
    def _reduced(call: Callable[..., None], array: Any, out: Optional[Any], op: Union[Op, str], *root: int) -> Any:
        call(None if out is None else array, array if out is None else out, _number_of(op), *root)
        return array if out is None else out

    # ---- Messages from one member to another ----

    def send(self, array: Any, to: int, tag: int = 0) -> None:
        """Sends an array to rank to, and returns when the array may be written again: for small arrays at once, for
        others when they have been received."""
        self._send(array, to, tag)

    def recv(self, array: Any, source: Optional[int] = None, tag: Optional[int] = 0) -> Received:
        """Receives the next array that rank source (None: any rank) has sent with a tag (None: any tag).  It may be
        smaller than the array given; the result tells its rank, tag and bytes."""
        return self._recv(array, -1 if source is None else source, -1 if tag is None else tag)

    def isend(self, array: Any, to: int, tag: int = 0) -> Message:
        """Begins to send; the array may be written again when the message has ended (wait, test).  A message object
        that is not kept is cancelled."""
        return self._post(1, array, to, tag)

    def irecv(self, array: Any, source: Optional[int] = None, tag: Optional[int] = 0) -> Message:
        """Begins to receive; arguments as for recv."""
        return self._post(0, array, -1 if source is None else source, -1 if tag is None else tag)


def join(name: Optional[str] = None, rank: Optional[int] = None, size: Optional[int] = None,
         timeout: float = 60.0) -> Team:
    """Joins the team with a name, of size processes of this machine, and returns when all have joined.  Without rank,
    ranks are given in order of arrival.  Without a name, it is the team of the launcher that has started this process
    (upcrun, mpirun, srun); without a launcher, a team of one.

    Raises banyan.TimeoutError after timeout seconds, ValueError, or banyan.Error."""
    if name is None:
        if rank is not None or size is not None:
            raise ValueError("rank and size can only be given with a name")
        return Team._join(None, 0, 1, timeout)
    if size is None:
        raise ValueError("the size of the team is missing: join(name, rank, size)")
    return Team._join(name, -1 if rank is None else rank, size, timeout)


class Invitation:
    """What processes need to form a team; passed to them like any argument (multiprocessing, by spawn or fork)."""

    def __init__(self, size: SupportsIndex) -> None:
        size = operator.index(size)
        if not 1 <= size <= _engine.SIZE_MAX:
            raise ValueError(f"a team has 1 to {_engine.SIZE_MAX} members, not {size}")
        self.name: str = _engine.new_name()
        self.size: int = size

    def join(self, rank: Optional[int] = None, timeout: float = 60.0) -> Team:
        """Joins the team; see banyan.join."""
        return join(self.name, rank, self.size, timeout)


def invite(size: SupportsIndex) -> Invitation:
    """Makes an invitation to a team of size processes."""
    return Invitation(size)


def join_mpi(comm: Any, timeout: float = 60.0) -> Team:
    """Joins the team of an mpi4py communicator whose processes are all on this machine.  Collective on comm."""
    import mpi4py.MPI as MPI  # pylint: disable=import-outside-toplevel
    near = comm.Split_type(MPI.COMM_TYPE_SHARED)
    on_one_machine = near.Get_size() == comm.Get_size()
    near.Free()
    if not on_one_machine:
        raise ValueError("the processes of the communicator are on several machines; split it by COMM_TYPE_SHARED")
    name = comm.bcast(_engine.new_name() if comm.Get_rank() == 0 else None)
    return join(name, comm.Get_rank(), comm.Get_size(), timeout)


_REASON_S = 1   # the time for the process whose failure made others fail to end


class _Outcome(NamedTuple):
    """How a function has ended in a process of run: it has returned a value, or failed (what the rank has done)."""
    value: Any = None
    failure: Optional[str] = None
    is_of_another: bool = False     # because another member has failed or left


@contextlib.contextmanager
def _failure_sent(pipe: Any) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        pipe.send(_Outcome(failure=f"failed: {type(error).__name__}: {error}",
                           is_of_another=isinstance(error, LostError)))
        raise


def _run_one(function: Callable[..., Any], invitation: Invitation, rank: int, args: Tuple[Any, ...],
             pipe: Any) -> None:
    with _failure_sent(pipe):
        team = invitation.join(rank)
    # What has failed is sent before others learn that this member leaves, and fail, too.
    with team, _failure_sent(pipe):
        pipe.send(_Outcome(function(team, *args)))


def _outcome_of(process: Any, pipe: Any) -> Optional[_Outcome]:
    """None: the function has not ended."""
    import pickle  # pylint: disable=import-outside-toplevel
    code = process.exitcode         # before looking into the pipe, where the outcome is if the process has ended
    if pipe.poll():
        try:
            written = pipe.recv_bytes()
        except (EOFError, OSError):     # ends without an outcome, or in the middle of one
            process.join()
            code = process.exitcode
        else:
            outcome: _Outcome = pickle.loads(written)
            return outcome
    if code is None:
        return None
    return _Outcome(failure=f"failed with exit code {code}" if code else "has ended without a result")


def _values_of(processes: List[Any], pipes: List[Any]) -> List[Any]:
    """The results of all processes; raises Error as soon as one has failed, about the first one if others followed."""
    import multiprocessing.connection  # pylint: disable=import-outside-toplevel
    found: Dict[int, _Outcome] = {}
    followed: Optional[Error] = None
    while len(found) < len(processes):
        left = [rank for rank in range(len(processes)) if rank not in found]
        ready = multiprocessing.connection.wait([*(pipes[rank] for rank in left),
                                                 *(processes[rank].sentinel for rank in left)],
                                                _REASON_S if followed else None)
        if followed and not ready:
            break
        for rank in left:
            outcome = _outcome_of(processes[rank], pipes[rank])
            if outcome is None:
                continue
            found[rank] = outcome
            if outcome.failure:
                processes[rank].join(_REASON_S)     # it writes its traceback
                error = Error(f"rank {rank} of {len(processes)} {outcome.failure}")
                if not outcome.is_of_another:
                    raise error
                followed = followed or error
    if followed:
        raise followed
    return [found[rank].value for rank in range(len(processes))]


def run(size: int, function: Callable[..., Any], *args: Any, method: Optional[str] = None) -> List[Any]:
    """Calls function(team, *args) in size new processes, and returns their results by rank.

    The processes are started by multiprocessing with method "spawn", "fork", "forkserver" or its default.  Raises
    banyan.Error if one fails, or ends without a result; the others are terminated then.  Tracebacks are on standard
    error."""
    import multiprocessing  # pylint: disable=import-outside-toplevel
    context: Any = multiprocessing.get_context(method)
    invitation = invite(size)
    processes, pipes = [], []
    try:
        for rank in range(invitation.size):
            pipe, other_end = context.Pipe(duplex=False)
            process = context.Process(target=_run_one, args=(function, invitation, rank, args, other_end))
            process.start()
            other_end.close()
            processes.append(process)
            pipes.append(pipe)
        return _values_of(processes, pipes)
    except BaseException:
        for process in processes:
            process.terminate()
        raise
    finally:
        for process in processes:
            process.join()


def _register_with_torch() -> None:
    """Called by torch while it is imported, perhaps by banyan.torch, of which nothing exists then.  Importing that
    registers the backend."""
    import importlib  # pylint: disable=import-outside-toplevel
    importlib.import_module("banyan.torch")
