"""A PyTorch process group for CPU tensors of processes on one machine:

    import torch.distributed as dist
    import banyan.torch                                   # registers the backend
    dist.init_process_group("banyan")                     # as with "gloo": torchrun, or rank and world_size
    dist.all_reduce(tensor)

Collectives are carried out within the call, by the calling thread: the Work of an asynchronous one has already ended
when it is returned.  Calls of a group must be made in the same order on all members, which torch requires anyway.
Messages between members (isend, irecv, batch_isend_irecv) stay in progress until they are waited for.  Tensors on other
devices raise ValueError.
"""
import collections
import contextlib
import datetime
import itertools
import time
from typing import Any, Callable, Deque, Iterator, List, Optional, Sequence, Tuple

import torch
import torch.distributed as dist

from . import _engine

__all__ = ["ProcessGroup", "register"]

# As enum banyan_type and enum banyan_op (banyan/team.h)
_TYPES = {torch.int8: 0, torch.int16: 1, torch.int32: 2, torch.int64: 3, torch.uint8: 4, torch.uint16: 5,
          torch.uint32: 6, torch.uint64: 7, torch.float16: 8, torch.bfloat16: _engine.BFLOAT16, torch.float32: 10,
          torch.float64: 11, torch.complex64: 12, torch.complex128: 13, torch.bool: 14}
_FIRST_COMPLEX = _TYPES[torch.complex64]
_SUM, _PRODUCT, _MIN, _MAX, _BAND, _BOR, _BXOR = range(7)
_Kind = dist.ReduceOp.RedOpType
_AVERAGE = -1
_OPS = {_Kind.SUM: _SUM, _Kind.PRODUCT: _PRODUCT, _Kind.MIN: _MIN, _Kind.MAX: _MAX, _Kind.BAND: _BAND,
        _Kind.BOR: _BOR, _Kind.BXOR: _BXOR, _Kind.AVG: _AVERAGE}
# The same, indexed by torch's number of an operation; negative: unsupported, or takes more than one step
_OP_NUMBERS = [-1] * (1 + max(int(kind) for kind in _Kind.__members__.values()))
for _kind, _number in _OPS.items():
    _OP_NUMBERS[int(_kind)] = _number
# As the enumerations of _reductions.c and _blocks.c
_REDUCE, _ALLREDUCE, _REDUCE_SCATTER = 0, 1, 2
_SCATTER, _GATHER, _ALLGATHER, _ALLTOALL, _BROADCAST = range(5)
# The tag of messages in monitored_barrier, the largest one
_HAS_COME = 2**31 - 1


class _Done(dist.Work):
    """Work that has already ended.  A future, which costs more than a small collective, is made only on request."""

    def __init__(self, tensors: Any) -> None:
        super().__init__()
        self._tensors = tensors

    def wait(self, timeout: Any = None) -> bool:
        return True

    def is_completed(self) -> bool:
        return True

    def is_success(self) -> bool:
        return True

    def synchronize(self) -> None:
        pass

    def result(self) -> Any:
        return self._tensors

    def get_future(self) -> Any:
        return _typed_future(self._tensors)


def _ended_future(tensors: Any) -> Any:
    future: Any = torch.futures.Future()
    future.set_result(tensors)
    return future


def _typed_future(tensors: Any) -> Any:
    """A future that C++ can read, as hooks built into DistributedDataParallel do: the others hold a Python object, and
    take less time.  A function that is not compiled is called within fork, which finds the type of its result."""
    return torch._C.fork(lambda: tensors) if tensors else _ended_future(tensors)


def _native_done(tensors: Any) -> dist.Work:
    return torch._C._distributed_c10d._create_work_from_future(_ended_future(tensors))


# Versions of torch that lack asyncOp include all those that keep only the C++ part of a Work which Python returns to
# them: once its Python part is collected, waiting for it never ends.  They get a Work of torch's own, which costs more,
# and cannot be waited for with a timeout.
_done: Callable[[Any], dist.Work] = _Done if hasattr(dist.AllreduceOptions, "asyncOp") else _native_done


def _checked(tensor: torch.Tensor, call: str) -> torch.Tensor:
    if tensor.device.type != "cpu":
        raise ValueError(f"{call}: the backend banyan is for tensors on the CPU, not on {tensor.device}")
    if tensor.layout != torch.strided:
        raise ValueError(f"{call}: tensors of layout {tensor.layout} are not supported, only dense ones")
    return tensor


def _is_dense(tensor: torch.Tensor) -> bool:
    """Whether memory holds the elements as they are, one after the other.  torch negates and conjugates elements only
    when it reads them, where it has marked a tensor so."""
    return tensor.is_contiguous() and not tensor.is_neg() and not tensor.is_conj()


def _sent(tensor: torch.Tensor, call: str) -> torch.Tensor:
    """The tensor in dense form, which may be a copy."""
    _checked(tensor, call)
    return tensor if _is_dense(tensor) else tensor.resolve_conj().resolve_neg().contiguous()


def _check_written(tensor: torch.Tensor, call: str) -> None:
    """torch refuses to write a tensor whose elements share memory, which would be after the communication."""
    if not tensor.is_contiguous() and any(stride == 0 and extent > 1
                                          for stride, extent in zip(tensor.stride(), tensor.shape)):
        raise ValueError(f"{call}: elements of the tensor are one in memory, as after expand(), so it cannot receive "
                         "any; clone() makes one that can")


class _Received:
    """A tensor that receives data; if it is not dense, a copy receives them first."""

    def __init__(self, tensor: torch.Tensor, call: str) -> None:
        self.target = _checked(tensor, call)
        _check_written(tensor, call)
        self.dense = tensor if _is_dense(tensor) else _sent(tensor.detach(), call)

    def deliver(self) -> None:
        """Autograd would refuse to change a parameter in place, and takes no part in communication."""
        if self.dense is not self.target:
            self.target.detach().copy_(self.dense)


@contextlib.contextmanager
def _limited(team: Any, timeout: Any) -> Iterator[None]:
    """Calls within take no longer than the timeout, if one is given."""
    limit_s = timeout.total_seconds() if isinstance(timeout, datetime.timedelta) else 0
    if limit_s <= 0:
        yield
        return
    before_s = team._timeout()
    team._set_timeout(limit_s)
    try:
        yield
    finally:
        team._set_timeout(before_s)


class _OnItsWay(dist.Work):
    """A message from one member to another."""

    def __init__(self, team: Any, message: _engine.Message, tensors: Any, to: Optional[_Received]) -> None:
        super().__init__()
        self._team, self._message, self._tensors, self._to = team, message, tensors, to
        self._received: Optional[_engine.Received] = None

    def _end(self) -> None:
        if self._received is None:
            self._received = self._message.wait()
            if self._to is not None:
                self._to.deliver()

    def wait(self, timeout: Any = None) -> bool:
        if self._received is None:
            with _limited(self._team, timeout):
                self._end()
        return True

    def is_completed(self) -> bool:
        if self._received is None and self._message.test():
            self._end()
        return self._received is not None

    def is_success(self) -> bool:
        return self._received is not None

    def synchronize(self) -> None:
        self._end()

    def result(self) -> Any:
        return self._tensors

    def get_future(self) -> Any:
        """A future that has ended: torch has no way to complete it later, as there is no thread that could do so."""
        self._end()
        return _ended_future(self._tensors)

    def _source_rank(self) -> int:
        return -1 if self._received is None else self._received.rank


def _bytes(tensor: torch.Tensor) -> int:
    return tensor.numel() * tensor.element_size()


def _check_types(call: str, *tensors: torch.Tensor) -> None:
    """Collectives move bytes and convert nothing, so what is sent must be of the type of what receives it."""
    for tensor in tensors:
        if tensor.dtype is not tensors[0].dtype:
            raise ValueError(f"{call}: tensors of {tensors[0].dtype} and of {tensor.dtype} in one call")


def _rows(rows: int, sizes: Sequence[int], count: int, call: str) -> List[int]:
    """The number of rows of each member along the first axis: as given, or equal."""
    if sizes:
        if len(sizes) != count or sum(sizes) != rows:
            raise ValueError(f"{call}: split sizes {list(sizes)} do not divide {rows} rows among {count} members")
        return list(sizes)
    if rows % count != 0:
        raise ValueError(f"{call}: {rows} rows cannot be divided into {count} equal parts; give split sizes")
    return [rows // count] * count


def _parts(tensor: torch.Tensor, sizes: Sequence[int], count: int, call: str) -> Tuple[List[int], List[int]]:
    """The addresses and the bytes of the parts of each member, which follow each other in a dense tensor."""
    rows = tensor.shape[0]
    row_bytes = _bytes(tensor) // max(1, rows)
    part_bytes = [part * row_bytes for part in _rows(rows, sizes, count, call)]
    return list(itertools.accumulate(part_bytes[:-1], initial=tensor.data_ptr())), part_bytes


class ProcessGroup(dist.ProcessGroup):
    """The members of a group as a team of Banyan."""

    def __init__(self, team: _engine.Team, timeout: datetime.timedelta) -> None:
        super().__init__(team.rank, team.size)
        self._team: Any = team
        self._rank, self._size = team.rank, team.size
        self._group_name = self._group_description = ""
        self._done = _done([])      # returned by calls whose Work is not used further
        self._on_their_way: Deque[_OnItsWay] = collections.deque()
        self._reduce_at, self._move_at = team._reduce_at, team._move_at
        # Whether new tensors of this process (16 KiB to 32 MiB each, BANYAN_ADOPT in total) are put into shared memory
        # of the team; with several groups, it is that of the first one.
        self.has_tensors = bool(team._adopt("libc10.so"))
        self.set_timeout(timeout)

    def getBackendName(self) -> str:  # pylint: disable=invalid-name
        return "banyan"

    def name(self) -> str:
        return "banyan"

    # torch asks the backend for its features; here the group is its own backend.
    supports_coalescing = False
    supports_splitting = False

    def _get_backend(self, device: Any) -> Any:
        return self if torch.device(device).type == "cpu" else super()._get_backend(device)

    @property
    def _device_types(self) -> List[torch.device]:
        """While torch creates a group, it attaches hooks of its own to one that has devices, and fails where the group
        is its own backend."""
        return [torch.device("cpu")] if self in dist.distributed_c10d._world.pg_map else []

    # torch keeps these with a group's backends.
    def _set_group_name(self, name: str) -> None:
        self._group_name = name

    def _set_group_desc(self, description: str) -> None:
        self._group_description = description

    @property
    def group_name(self) -> str:
        return self._group_name

    @property
    def group_desc(self) -> str:
        return self._group_description

    def getGroupName(self) -> str:  # pylint: disable=invalid-name
        return self.group_name

    def set_timeout(self, timeout: datetime.timedelta) -> None:
        self._team._set_timeout(timeout.total_seconds())

    def empty(self, *shape: int, dtype: Optional[torch.dtype] = None) -> torch.Tensor:
        """A tensor of zeros in shared memory of the team, where collectives move half as many bytes.  This helps with
        large tensors that are reduced repeatedly, such as activations.  Not collective."""
        of = dtype or torch.get_default_dtype()
        count = torch.Size(shape).numel()
        room = self._team._alloc(max(1, count * of.itemsize))
        return torch.frombuffer(room, dtype=torch.uint8, count=-1)[:count * of.itemsize].view(of).view(shape)

    def shutdown(self) -> None:
        """Leaves the team; called by dist.destroy_process_group.  Messages in progress are cancelled."""
        self._on_their_way.clear()
        self._team.leave()

    abort = shutdown

    def _check_count(self, call: str, parts: Sequence[torch.Tensor]) -> None:
        if len(parts) != self._size:
            raise ValueError(f"{call}: expected a list of {self._size} tensors, one for each member, not of "
                             f"{len(parts)}")

    def _check_parts(self, call: str, parts: Sequence[torch.Tensor], like: torch.Tensor,
                     ranks: Optional[Sequence[int]] = None) -> None:
        """A list has a tensor for each member, of the type of `like`.  Those for `ranks`, by default for all, have as
        many elements, too."""
        self._check_count(call, parts)
        _check_types(call, like, *parts)
        for rank in range(self._size) if ranks is None else ranks:
            if parts[rank].numel() != like.numel():
                raise ValueError(f"{call}: the tensor for rank {rank} has {parts[rank].numel()} elements instead of "
                                 f"{like.numel()}")

    # ---- Reductions ----

    @staticmethod
    def _number_of(op: Any, tensor: torch.Tensor, call: str) -> int:
        kind = getattr(op, "op", op)
        number = _OPS.get(kind)
        if number is None:
            raise ValueError(f"{call}: the operation {kind} is not supported by the backend banyan")
        if number == _AVERAGE and not tensor.dtype.is_floating_point and not tensor.dtype.is_complex:
            raise ValueError(f"{call}: tensors of {tensor.dtype} have no average")
        return number

    @staticmethod
    def _type_of(tensor: torch.Tensor, call: str) -> int:
        number = _TYPES.get(tensor.dtype)
        if number is None:
            raise ValueError(f"{call}: tensors of {tensor.dtype} cannot be reduced by the backend banyan")
        return number

    def _combine(self, which: int, send: Optional[torch.Tensor], recv: Optional[torch.Tensor], op: Any, call: str,
                 root: int = 0) -> None:
        """Reduces dense tensors; send None: in place.  In _REDUCE_SCATTER, the count is that of a part."""
        of: Any = recv if recv is not None else send
        number = self._number_of(op, of, call)
        self._reduce_at(which, 0 if send is None else send.data_ptr(), 0 if recv is None else recv.data_ptr(),
                        of.numel(), self._type_of(of, call), _SUM if number == _AVERAGE else number, root)
        if number == _AVERAGE and recv is not None:
            recv.detach().div_(self._size)

    def allreduce(self, tensors: Any, opts: Any = None) -> Any:
        if opts is not None and type(tensors) is list and len(tensors) == 1:
            # The common case: for small tensors every look-up costs noticeable time.
            tensor = tensors[0]
            op = _OP_NUMBERS[opts.reduceOp.op.value]
            of = _TYPES.get(tensor.dtype)
            if op >= 0 and of is not None and tensor.is_cpu and tensor.is_contiguous() and \
                    not (tensor.is_neg() or (of >= _FIRST_COMPLEX and tensor.is_conj())):    # as _is_dense
                address = tensor.data_ptr()
                self._reduce_at(_ALLREDUCE, address, address, tensor.numel(), of, op, 0)
                return _done(tensors) if getattr(opts, "asyncOp", True) else self._done
        return self.allreduce_coalesced(tensors, opts)

    def allreduce_coalesced(self, tensors: Any, opts: Any = None) -> Any:
        if isinstance(tensors, torch.Tensor):
            tensors = [tensors]
        op = dist.ReduceOp.SUM if opts is None else opts.reduceOp
        for tensor in tensors:
            to = _Received(tensor, "allreduce")
            self._combine(_ALLREDUCE, None, to.dense, op, "allreduce")
            to.deliver()
        return _done(tensors)

    def reduce(self, tensors: Any, opts: Any = None) -> Any:
        root = opts.rootRank if opts else 0
        op = opts.reduceOp if opts else dist.ReduceOp.SUM
        for tensor in tensors:
            if root == self._rank:
                to = _Received(tensor, "reduce")
                self._combine(_REDUCE, None, to.dense, op, "reduce", root)
                to.deliver()
            else:
                self._combine(_REDUCE, _sent(tensor, "reduce"), None, op, "reduce", root)
        return _done(tensors)

    def _reduce_scatter_base(self, output: torch.Tensor, tensor: torch.Tensor, opts: Any = None) -> Any:
        to, send = _Received(output, "reduce_scatter"), _sent(tensor, "reduce_scatter")
        _check_types("reduce_scatter", send, output)
        if send.numel() != output.numel() * self._size:
            raise ValueError(f"reduce_scatter: {self._size} parts of {output.numel()} elements are not {send.numel()}")
        op = opts.reduceOp if opts else dist.ReduceOp.SUM
        self._combine(_REDUCE_SCATTER, send, to.dense, op, "reduce_scatter")
        to.deliver()
        return _done([output])

    reduce_scatter_single = _reduce_scatter_base

    def reduce_scatter(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        for output, parts in zip(outputs, inputs):
            self._check_parts("reduce_scatter", parts, output)
            self._reduce_scatter_base(output, torch.stack([part.reshape(output.shape) for part in parts]), opts)
        return _done(outputs)

    def reduce_scatter_tensor_coalesced(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        for output, tensor in zip(outputs, inputs):
            self._reduce_scatter_base(output, tensor, opts)
        return _done(outputs)

    reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced

    # ---- Moving tensors ----

    def broadcast(self, tensors: Any, opts: Any = None) -> Any:
        if isinstance(tensors, torch.Tensor):
            tensors = [tensors]
        root = opts.rootRank if opts else 0
        for tensor in tensors:
            to = None if root == self._rank else _Received(tensor, "broadcast")
            dense = _sent(tensor, "broadcast") if to is None else to.dense
            self._move_at(_BROADCAST, 0, dense.data_ptr(), _bytes(dense), root)
            if to is not None:
                to.deliver()
        return _done(tensors)

    def _allgather_base(self, output: torch.Tensor, tensor: torch.Tensor, opts: Any = None) -> Any:
        to, send = _Received(output, "allgather"), _sent(tensor, "allgather")
        _check_types("allgather", send, output)
        if _bytes(to.dense) != _bytes(send) * self._size:
            raise ValueError(f"allgather: {self._size} tensors of {_bytes(send)} bytes do not make one of "
                             f"{_bytes(to.dense)}")
        self._move_at(_ALLGATHER, send.data_ptr(), to.dense.data_ptr(), _bytes(send), 0)
        to.deliver()
        return _done([output])

    all_gather_single = _allgather_base

    def allgather(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        for parts, tensor in zip(outputs, inputs):
            send = _sent(tensor, "allgather")
            to = [_Received(part, "allgather") for part in parts]
            self._check_parts("allgather", parts, send, [self._rank])
            self._team._allgather_at(send.data_ptr(), [part.dense.data_ptr() for part in to],
                                     [_bytes(part.dense) for part in to])
            for part in to:
                part.deliver()
        return _done(outputs)

    def allgather_coalesced(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        return self.allgather([list(parts) for parts in zip(*outputs)], inputs, opts)

    def allgather_into_tensor_coalesced(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        for output, tensor in zip(outputs, inputs):
            self._allgather_base(output, tensor)
        return _done(outputs)

    all_gather_single_coalesced = allgather_into_tensor_coalesced

    def gather(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        root = opts.rootRank if opts else 0
        for index, tensor in enumerate(inputs):
            send = _sent(tensor, "gather")
            if root == self._rank:
                self._check_parts("gather", outputs[index], send)
                for part in outputs[index]:
                    _check_written(part, "gather")
            room = torch.empty((self._size, *send.shape), dtype=send.dtype) if root == self._rank else None
            self._move_at(_GATHER, send.data_ptr(), 0 if room is None else room.data_ptr(), _bytes(send), root)
            for rank in range(self._size if room is not None else 0):
                outputs[index][rank].detach().copy_(room[rank].view_as(outputs[index][rank]))
        return _done(outputs)

    def scatter(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        root = opts.rootRank if opts else 0
        for index, output in enumerate(outputs):
            to = _Received(output, "scatter")
            if root == self._rank:
                self._check_parts("scatter", inputs[index], output)
            parts = torch.stack([part.reshape(output.shape) for part in inputs[index]]) if root == self._rank else None
            self._move_at(_SCATTER, 0 if parts is None else parts.data_ptr(), to.dense.data_ptr(), _bytes(to.dense),
                          root)
            to.deliver()
        return _done(outputs)

    def alltoall_base(self, output: torch.Tensor, tensor: torch.Tensor, output_sizes: Any, input_sizes: Any,
                      opts: Any = None) -> Any:
        to, send = _Received(output, "alltoall"), _sent(tensor, "alltoall")
        _check_types("alltoall", send, output)
        if 0 in (send.dim(), output.dim()):
            raise ValueError("alltoall: a tensor without dimensions has no rows to divide among the members")
        if not output_sizes and not input_sizes and _bytes(send) == _bytes(to.dense) and \
                send.shape[0] % self._size == 0:
            self._move_at(_ALLTOALL, send.data_ptr(), to.dense.data_ptr(), _bytes(send) // self._size, 0)
        else:
            self._team._alltoall_at(*_parts(send, input_sizes, self._size, "alltoall"),
                                    *_parts(to.dense, output_sizes, self._size, "alltoall"))
        to.deliver()
        return _done([output])

    all_to_all_single = alltoall_base

    def alltoall(self, outputs: Any, inputs: Any, opts: Any = None) -> Any:
        send = [_sent(tensor, "alltoall") for tensor in inputs]
        to = [_Received(tensor, "alltoall") for tensor in outputs]
        for parts in inputs, outputs:
            self._check_count("alltoall", parts)
        _check_types("alltoall", *inputs, *outputs)
        self._team._alltoall_at([part.data_ptr() for part in send], [_bytes(part) for part in send],
                                [part.dense.data_ptr() for part in to], [_bytes(part.dense) for part in to])
        for part in to:
            part.deliver()
        return _done(outputs)

    def barrier(self, opts: Any = None) -> Any:
        self._team.barrier()
        return _done([])

    def monitored_barrier(self, timeout: Any = None, wait_all_ranks: bool = False) -> None:
        """Rank 0 is told who has not come in time, the others only that somebody has not."""
        with _limited(self._team, timeout):
            if self._rank == 0:
                self._await_others()
            else:
                self._team._send(b"", 0, _HAS_COME)
            self._team.barrier()

    def _await_others(self) -> None:
        limit_s = self._team._timeout()
        start_s = time.monotonic()
        missing = {rank: self._team._post(False, bytearray(), rank, _HAS_COME) for rank in range(1, self._size)}
        while True:
            missing = {rank: message for rank, message in missing.items() if not message.test()}
            if not missing:
                return
            if 0 < limit_s < time.monotonic() - start_s:
                raise _engine.TimeoutError(f"monitored_barrier: {'ranks' if len(missing) > 1 else 'rank'} "
                                           f"{', '.join(map(str, missing))} did not come within {limit_s:g} s")
            time.sleep(0.0005)

    # ---- Messages from one member to another ----

    def _begin(self, is_send: bool, tensors: Any, rank: int, tag: int) -> Any:
        """Begins a message.  torch allows a Work to be dropped without waiting for it, so unfinished ones are kept."""
        tensor, = tensors
        call = "send" if is_send else "recv"
        to = None if is_send else _Received(tensor, call)
        dense = _sent(tensor, call) if to is None else to.dense
        message = self._team._post_at(is_send, dense.data_ptr(), _bytes(dense), rank, tag, dense)
        work = _OnItsWay(self._team, message, tensors, to)
        while self._on_their_way and self._on_their_way[0].is_completed():
            self._on_their_way.popleft()
        if not work.is_completed():
            self._on_their_way.append(work)
        return work

    def send(self, tensors: Any, rank: int, tag: int = 0) -> Any:
        return self._begin(True, tensors, rank, tag)

    def recv(self, tensors: Any, rank: int, tag: int = 0) -> Any:
        return self._begin(False, tensors, rank, tag)

    def recv_anysource(self, tensors: Any, tag: int = 0) -> Any:
        return self._begin(False, tensors, -1, tag)


def _create(store: Any, rank: int, size: int, timeout: datetime.timedelta) -> ProcessGroup:
    """Makes a process group.  Rank 0 makes up a name, and passes it to the others through torch's store.  The store may
    outlive the group (torchrun), and nobody may take the name for that of the next group, so it is deleted before
    anybody goes on."""
    if rank == 0:
        store.set("banyan-team", _engine.new_name())
    name = store.get("banyan-team").decode()
    try:
        team = _engine.Team._join(name, rank, size, min(timeout.total_seconds(), 1e8))
    finally:
        if rank == 0:
            store.delete_key("banyan-team")
    group = ProcessGroup(team, timeout)
    team.barrier()
    return group


def register() -> None:
    """Registers the backend with torch; called when this module is imported."""
    if "BANYAN" not in dist.Backend._plugins:
        dist.Backend.register_backend("banyan", _create, devices="cpu")


register()
