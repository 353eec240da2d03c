#!/usr/bin/env python3
"""The process group for PyTorch, compared with gloo: every collective, DistributedDataParallel, a tensor-parallel
layer, and nested groups.  Results are equal where the order of additions does not matter, and close where it does."""
import datetime
import functools
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import interpreter

interpreter.need("numpy", "torch")
import torch                                         # noqa: E402
import torch.distributed as dist                     # noqa: E402
import torch.multiprocessing as mp                   # noqa: E402
from torch.distributed import pipelining           # noqa: E402
from torch.distributed.checkpoint import async_save, load        # noqa: E402
from torch.distributed.checkpoint.state_dict import (             # noqa: E402
    StateDictOptions, set_model_state_dict)
from torch.distributed.device_mesh import init_device_mesh  # noqa: E402
from torch.distributed.tensor.parallel import (             # noqa: E402
    ColwiseParallel, RowwiseParallel, parallelize_module)
from torch.nn.parallel import DistributedDataParallel       # noqa: E402

import banyan.torch                                  # noqa: E402

DTYPES = [torch.uint8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64]


def tensor_of(rank, shape, dtype):
    generator = torch.Generator().manual_seed(rank * 100 + 7)
    return torch.randint(0, 5, shape, generator=generator).to(dtype)


def collectives(rank, size, group):
    """All collectives of torch; returns the results as one list of tensors."""
    found = []
    for dtype in DTYPES:
        for shape in ((5,), (size, 3, 700)):
            x = tensor_of(rank, shape, dtype)
            for op in (dist.ReduceOp.SUM, dist.ReduceOp.MAX, dist.ReduceOp.MIN, dist.ReduceOp.PRODUCT):
                y = x.clone()
                dist.all_reduce(y, op=op, group=group)
                found.append(y)
            y = x.clone()
            dist.broadcast(y, src=size - 1, group=group)
            found.append(y)
            parts = [torch.empty_like(x) for _ in range(size)]
            dist.all_gather(parts, x, group=group)
            found += parts
            whole = torch.empty((size * x.shape[0], *x.shape[1:]), dtype=dtype)
            dist.all_gather_into_tensor(whole, x, group=group)
            found.append(whole)
            y = x.clone()
            dist.reduce(y, dst=0, group=group)
            found += [y] if rank == 0 else []
            parts = [torch.empty_like(x) for _ in range(size)] if rank == 1 else None
            dist.gather(x, parts, dst=1, group=group)
            found += parts or []
            y = torch.empty_like(x)
            dist.scatter(y, [x + r for r in range(size)] if rank == 0 else None, src=0, group=group)
            found.append(y)
        x = tensor_of(rank, (size, 3, 70), dtype)
        y = torch.empty_like(x)
        dist.all_to_all_single(y, x, group=group)
        found.append(y)
        sizes = [[1] * size, None, []][rank % 3]        # some members give what others leave out
        y = torch.empty_like(x)
        dist.all_to_all_single(y, x, sizes, sizes, group=group)
        found.append(y)
        sent = [r + 1 for r in range(size)]
        y = torch.empty(size * (rank + 1), 9, dtype=dtype)
        dist.all_to_all_single(y, tensor_of(rank, (sum(sent), 9), dtype), [rank + 1] * size, sent, group=group)
        found.append(y)
    dist.barrier(group=group)
    return found


def compare(rank, size):
    ours, theirs = dist.group.WORLD, dist.new_group(backend="gloo")
    for a, b in zip(collectives(rank, size, ours), collectives(rank, size, theirs), strict=True):
        assert a.dtype == b.dtype and torch.equal(a, b), (a.dtype, a.shape)
    # Collectives that gloo lacks, or lacks for some types
    x = tensor_of(rank, (size, 300), torch.float32)
    y = torch.empty(300)
    dist.reduce_scatter_tensor(y, x)
    whole = sum(tensor_of(r, (size, 300), torch.float32) for r in range(size))
    assert torch.equal(y, whole[rank])
    dist.reduce_scatter(y, list(x))
    assert torch.equal(y, whole[rank])
    strided = tensor_of(rank, (6, 8), torch.float32).t()[::2]       # which gloo gets wrong
    dist.all_reduce(strided, async_op=True).wait()
    assert torch.equal(strided, sum(tensor_of(r, (6, 8), torch.float32).t()[::2] for r in range(size)))
    y = torch.full((10,), float(rank))
    dist.all_reduce(y, op=dist.ReduceOp.AVG)
    assert torch.equal(y, torch.full((10,), (size - 1) / 2))
    parts = [torch.empty(r + 1, 3) for r in range(size)]
    dist.all_to_all([torch.empty(rank + 1, 3) for _ in range(size)], [torch.ones(r + 1, 3) for r in range(size)])
    dist.all_gather(parts, torch.full((rank + 1, 3), float(rank)))
    assert all(torch.equal(part, torch.full((r + 1, 3), float(r))) for r, part in enumerate(parts))
    said = [None] * size
    dist.all_gather_object(said, {"rank": rank})
    assert said == [{"rank": r} for r in range(size)]
    room = dist.group.WORLD.empty(300, 200, dtype=torch.bfloat16)
    assert room.dtype == torch.bfloat16 and room.shape == (300, 200) and not room.any()
    for _ in range(20):                         # first private, then found to be shared
        room.fill_(rank + 1)
        dist.all_reduce(room)
        assert torch.equal(room, torch.full_like(room, size * (size + 1) / 2))
    assert dist.group.WORLD.has_tensors
    plain = torch.empty(300, 200)               # is in shared memory, too
    assert dist.group.WORLD._team.is_shared(plain.numpy())
    for _ in range(20):
        plain.fill_(rank + 1)
        dist.all_reduce(plain)
        assert torch.equal(plain, torch.full_like(plain, size * (size + 1) / 2))
    plain.fill_(rank)
    child = os.fork()
    if child == 0:
        plain.fill_(-1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0 and bool((plain == rank).all())
    future = dist.all_reduce(torch.ones(2), async_op=True).get_future()
    assert torch.equal(future.wait()[0], torch.full((2,), float(size)))


def unsigned(rank, size):
    """Types that gloo does not reduce"""
    for dtype in (torch.uint16, torch.uint32, torch.uint64):
        x = torch.full((5,), 40000 + rank, dtype=dtype)
        dist.all_reduce(x, op=dist.ReduceOp.MAX)
        assert x.tolist() == [40000 + size - 1] * 5
        x = torch.full((5,), rank, dtype=dtype)
        dist.all_reduce(x)
        assert x.tolist() == [size * (size - 1) // 2] * 5


def marked(rank, size):
    """Tensors that torch negates or conjugates when it reads them, on some members"""
    def make(value):
        if rank == 1:
            return torch.tensor([float(value)])
        found = torch.complex(torch.ones(1), torch.tensor([-float(value)])).conj().imag
        assert found.is_neg() and found.is_contiguous() and found.item() == value
        return found

    for root in range(size):
        x = make(rank + 5)
        dist.broadcast(x, root)
        assert x.item() == root + 5
    x = make(rank)
    dist.all_reduce(x)
    assert x.item() == sum(range(size))
    parts = [make(-1) for _ in range(size)]
    dist.all_gather(parts, make(rank))
    assert [part.item() for part in parts] == list(range(size))
    x = make(-1)
    work = dist.irecv(x, (rank - 1) % size)
    dist.send(make(rank), (rank + 1) % size)
    work.wait()
    assert x.item() == (rank - 1) % size
    # The functions of torch.distributed refuse a conjugated tensor themselves.
    x = torch.full((3,), complex(1, rank))
    x = x.conj() if rank == 1 else x
    dist.group.WORLD.allreduce([x], dist.AllreduceOptions())
    assert x.tolist() == [complex(size, sum(range(size)) - 2)] * 3


def parameters(rank, size):
    """Collectives change parameters, which autograd guards, whatever the order of their elements is."""
    def make(value):
        return torch.nn.Parameter(torch.full((2, 3, 4, 4), float(value)).to(memory_format=torch.channels_last))

    def holds(parameter, value):
        assert parameter.requires_grad and torch.equal(parameter, torch.full_like(parameter, float(value)))

    x = make(rank)
    dist.broadcast(x, 0)
    holds(x, 0)
    for x in (make(rank), torch.nn.Parameter(torch.full((5,), float(rank)))):
        dist.all_reduce(x, op=dist.ReduceOp.AVG)
        holds(x, (size - 1) / 2)
    parts = [make(-1) for _ in range(size)]
    dist.gather(make(rank), parts if rank == 0 else None)
    for r, part in enumerate(parts if rank == 0 else []):
        holds(part, r)
    dist.all_gather(parts, make(rank))
    for r, part in enumerate(parts):
        holds(part, r)


def checkpoint(rank, size):
    """What torch does only for groups that name their devices"""
    assert dist.group.WORLD._device_types == [torch.device("cpu")]
    torch.manual_seed(rank)
    model = torch.nn.Linear(3, 3)
    whole = {name: torch.ones_like(value) for name, value in model.state_dict().items()} if rank == 0 else {}
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    set_model_state_dict(model, whole, options=options)
    assert all(bool((value == 1).all()) for value in model.parameters())
    folder = [tempfile.mkdtemp() if rank == 0 else None]
    dist.broadcast_object_list(folder)
    async_save({"a": torch.arange(3.0)}, checkpoint_id=folder[0]).result()
    read = {"a": torch.zeros(3)}
    load(read, checkpoint_id=folder[0])
    assert torch.equal(read["a"], torch.arange(3.0))
    dist.barrier()
    if rank == 0:
        shutil.rmtree(folder[0])


def wait_limited(rank, size):
    group = dist.new_group()
    group.monitored_barrier(datetime.timedelta(seconds=60))
    limited = functools.partial(group.monitored_barrier, datetime.timedelta(seconds=0.2))
    if rank == 1:
        refused(limited, banyan.TimeoutError, "other members")
    dist.barrier()
    if rank == 0:           # with rank 1, which has given up
        refused(limited, banyan.TimeoutError, "monitored_barrier: rank 2 did not come within 0.2 s")
    dist.barrier()


def refused(call, error, text):
    try:
        call()
    except error as told:
        assert text in str(told), told
    else:
        raise AssertionError(text)


def refuse(rank, size):
    for wrong, error, text in [
            (lambda: dist.send(torch.ones(1), (rank + 1) % size, tag=-3), ValueError, "a tag is 0 or more, not -3"),
            (lambda: dist.send(torch.ones(1, device="meta"), (rank + 1) % size), ValueError, "not on meta"),
            (lambda: dist.all_reduce(torch.ones(2), op=dist.ReduceOp.BXOR), ValueError, "not defined"),
            (lambda: dist.all_reduce(torch.ones(2, dtype=torch.int32), op=dist.ReduceOp.AVG), ValueError, "no average"),
            (lambda: dist.all_reduce(torch.ones(2, device="meta")), ValueError, "not on meta")]:
        refused(wrong, error, text)


def refuse_other_types(rank, size):
    """Nothing is converted.  Each member is the root, so that all find the error."""
    group = dist.group.WORLD
    floats, ints = torch.ones(size), torch.ones(size, dtype=torch.int32)
    wide = torch.ones(size * size, dtype=torch.int32)
    gather, scatter = dist.GatherOptions(), dist.ScatterOptions()
    gather.rootRank = scatter.rootRank = rank
    for call, *arguments in [
            (dist.all_gather_into_tensor, wide, floats),
            (group.alltoall_base, ints, floats, [], []),
            (dist.reduce_scatter_tensor, ints[:1], floats),
            (group.allgather_into_tensor_coalesced, [wide], [floats]),
            (group.reduce_scatter_tensor_coalesced, [ints[:1]], [floats]),
            (group.allgather, [[floats] + [ints] * (size - 1)], [floats]),
            (group.allgather_coalesced, [[ints] for _ in range(size)], [floats]),
            (group.reduce_scatter, [ints], [[ints] + [floats] * (size - 1)]),
            (group.alltoall, [ints] * size, [floats] * size),
            (group.gather, [[ints] * size], [floats], gather),
            (group.scatter, [ints], [[floats] * size], scatter)]:
        refused(functools.partial(call, *arguments), ValueError, "in one call")


def refuse_other_lists(rank, size):
    """Before anything is sent, as above."""
    group = dist.group.WORLD
    x, longer = torch.ones(3), torch.ones(4)
    gather, scatter = dist.GatherOptions(), dist.ScatterOptions()
    gather.rootRank = scatter.rootRank = rank
    count = f"expected a list of {size} tensors, one for each member, not of {size - 1}"
    for parts, text in [([x] * (size - 1), count), ([longer] * size, " has 4 elements instead of 3")]:
        for call, *arguments in [
                (group.allgather, [parts], [x]),
                (group.reduce_scatter, [x], [parts]),
                (group.gather, [parts], [x], gather),
                (group.scatter, [x], [parts], scatter)]:
            refused(functools.partial(call, *arguments), ValueError, text)
            refused(functools.partial(call, *arguments), ValueError, f"{call.__name__}: ")
    refused(functools.partial(group.alltoall, [x] * size, [x]), ValueError, "alltoall: expected a list")


def refuse_other_shapes(rank, size):
    """Before anything is sent, as above.  A tensor that is only sent may be expanded."""
    group = dist.group.WORLD
    one, x = torch.ones(1).expand(3), torch.ones(3)
    gather = dist.GatherOptions()
    gather.rootRank = rank
    for call, *arguments in [
            (dist.all_reduce, one),
            (dist.reduce, one, rank),
            (dist.broadcast, one, (rank + 1) % size),
            (dist.all_gather, [one] * size, x),
            (dist.all_gather_into_tensor, torch.ones(1).expand(3 * size), x),
            (dist.recv, one, (rank + 1) % size),
            (group.gather, [[x] * (size - 1) + [one]], [x], gather)]:
        refused(functools.partial(call, *arguments), ValueError, "as after expand(), so it cannot receive")
    flat = torch.tensor(1.0)
    refused(lambda: dist.all_to_all_single(flat, flat), ValueError, "alltoall: a tensor without dimensions")
    for root in range(size):
        x = one if rank == root else torch.zeros(3)
        dist.broadcast(x, root)
        assert x.tolist() == [1.0] * 3
        x = torch.ones(3)
        dist.reduce(x if rank == root else one, root)
        assert rank != root or x.tolist() == [float(size)] * 3


def messages(rank, size, group):
    """Messages between members; returns the results as one list of tensors"""
    found = []
    right, left = (rank + 1) % size, (rank - 1) % size
    for dtype in DTYPES:
        for shape in ((5,), (3, 0), (7, 3000)):
            x, y = tensor_of(rank, shape, dtype), torch.zeros(shape, dtype=dtype)
            if rank % 2 == 0:
                dist.send(x, right, group=group)
                dist.recv(y, left, group=group)
            else:
                dist.recv(y, left, group=group)
                dist.send(x, right, group=group)
            found.append(y)
            works = [dist.isend(x + tag, right, tag=tag, group=group) for tag in range(4)]
            parts = [torch.zeros(shape, dtype=dtype) for _ in range(4)]
            works += [dist.irecv(parts[tag], left, tag=tag, group=group) for tag in (2, 0, 3, 1)]
            for work in works:
                work.wait()
            assert all(work.is_completed() for work in works)
            found += parts
            y = torch.zeros(shape, dtype=dtype)
            for work in dist.batch_isend_irecv([dist.P2POp(dist.irecv, y, left, group),
                                                dist.P2POp(dist.isend, x, right, group)]):
                work.wait()
            found.append(y)
    if rank == 0:
        sources = []
        for _ in range(size - 1):
            y = torch.zeros(40000)
            source = dist.recv(y, group=group, tag=7)
            assert torch.equal(y, torch.full((40000,), float(source)))
            sources.append(source)
        assert sorted(sources) == list(range(1, size))
    else:
        dist.send(torch.full((40000,), float(rank)), 0, group=group, tag=7)
    said = [None]
    if rank == 1:
        dist.send_object_list([{"rank": rank}], dst=0, group=group)
    elif rank == 0:
        dist.recv_object_list(said, src=1, group=group)
        assert said == [{"rank": 1}]
    return found


def send(rank, size):
    ours, theirs = dist.group.WORLD, dist.new_group(backend="gloo")
    for a, b in zip(messages(rank, size, ours), messages(rank, size, theirs), strict=True):
        assert a.dtype == b.dtype and torch.equal(a, b), (a.dtype, a.shape)
    wide = torch.zeros(300, 2)                    # which gloo refuses
    work = dist.irecv(wide[:, 1], (rank - 1) % size)
    dist.send(torch.ones(2, 300)[1].expand(300), (rank + 1) % size)
    work.wait()
    assert torch.equal(wide, torch.tensor([[0.0, 1.0]]).expand(300, 2))
    # Nobody keeps the Work object or the tensor, but the message arrives nevertheless, while the sender is in a
    # collective.
    if rank == 0:
        dist.isend(torch.arange(50000), 1)
    y = torch.zeros(50000, dtype=torch.int64)
    if rank == 1:
        dist.recv(y, 0)
        assert torch.equal(y, torch.arange(50000))
    dist.barrier()
    if rank == 0:
        try:
            dist.irecv(y, 1).wait(datetime.timedelta(seconds=0.2))
        except banyan.TimeoutError:
            pass
        else:
            raise AssertionError("nothing was sent")
    dist.barrier(group=theirs)                      # nobody has left before that


def pipeline(rank, size):
    """Two stages of a model, driven by torch's own pipeline schedule"""
    torch.manual_seed(9)
    layers = [torch.nn.Linear(12, 12) for _ in range(size)]
    x, y = torch.randn(8, 12), torch.randn(8, 12)
    whole = torch.nn.Sequential(*layers)
    torch.nn.functional.mse_loss(whole(x), y).backward()
    expected = [parameter.grad.clone() for parameter in layers[rank].parameters()]
    layers[rank].zero_grad()
    stage = pipelining.PipelineStage(layers[rank], rank, size, torch.device("cpu"), input_args=(x[:2],))
    schedule = pipelining.ScheduleGPipe(stage, n_microbatches=4, loss_fn=torch.nn.functional.mse_loss)
    # torch 2.5 adds up the gradients of the parts where later versions average them.
    scale = 1 if "scale_grads" in inspect.signature(pipelining.ScheduleGPipe).parameters else 4
    if rank == 0:
        schedule.step(x)
    elif rank == size - 1:
        schedule.step(target=y)
    else:
        schedule.step()
    for a, b in zip(layers[rank].parameters(), expected, strict=True):
        torch.testing.assert_close(a.grad, b * scale)


def train(rank, backend_group):
    """Losses of some steps, and the parameters after them."""
    torch.manual_seed(3)
    model = torch.nn.Sequential(torch.nn.Linear(20, 64), torch.nn.ReLU(), torch.nn.Linear(64, 5))
    model = DistributedDataParallel(model, process_group=backend_group)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(rank)
    losses = []
    for _ in range(6):
        x, y = torch.randn(16, 20, generator=generator), torch.randint(0, 5, (16,), generator=generator)
        loss = torch.nn.functional.cross_entropy(model(x), y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.detach())
    return [torch.stack(losses), *(parameter.detach() for parameter in model.parameters())]


def train_both(rank, size):
    theirs = dist.new_group(backend="gloo")
    for a, b in zip(train(rank, None), train(rank, theirs), strict=True):
        torch.testing.assert_close(a, b)
    flat = torch.cat([parameter.flatten() for parameter in train(rank, None)[1:]])
    lowest, highest = flat.clone(), flat.clone()
    dist.all_reduce(lowest, op=dist.ReduceOp.MIN)
    dist.all_reduce(highest, op=dist.ReduceOp.MAX)
    assert torch.equal(lowest, highest)


def built_in_hooks(rank, size):
    """Hooks in C++, which read the futures of Work"""
    if not hasattr(dist.AllreduceOptions, "asyncOp"):
        return          # torch is too old
    gradients = []
    for kind in dist.BuiltinCommHookType.ALLREDUCE, dist.BuiltinCommHookType.FP16_COMPRESS:
        torch.manual_seed(3)
        model = DistributedDataParallel(torch.nn.Linear(3, 2))
        model._register_builtin_comm_hook(kind)
        model(torch.full((2, 3), float(rank))).sum().backward()
        gradients.append(model.module.weight.grad)
    assert torch.equal(gradients[0], torch.full((2, 3), float(size - 1)))
    assert torch.equal(*gradients)


def compiled(rank, size):
    """Collectives in a compiled function, which torch replaces by functional ones; no C++ compiler is needed"""
    def both(x):
        x = x * 2
        dist.all_reduce(x)
        parts = x.new_empty(size * x.shape[0])
        dist.all_gather_into_tensor(parts, x + rank)
        return parts

    found = torch.compile(both, backend="aot_eager", fullgraph=True)(torch.full((3,), float(rank)))
    assert found.tolist() == [size * (size - 1) + float(r) for r in range(size) for _ in range(3)]
    model = DistributedDataParallel(torch.nn.Linear(3, 2))
    torch.compile(model, backend="aot_eager")(torch.full((2, 3), float(rank))).sum().backward()
    assert torch.equal(model.module.weight.grad, torch.full((2, 3), float(size - 1)))


def tensor_parallel(rank, size):
    """A feed-forward block of a transformer: each member has columns of the first matrix and rows of the second."""
    torch.manual_seed(5)
    first, second, x = torch.randn(256, 64), torch.randn(64, 256), torch.randn(4, 64)
    whole = torch.relu(x @ first.t()) @ second.t()
    rows = slice(rank * 256 // size, (rank + 1) * 256 // size)
    part = torch.relu(x @ first[rows].t()) @ second[:, rows].t()
    dist.all_reduce(part)
    torch.testing.assert_close(part, whole, rtol=1e-4, atol=1e-3)
    mesh = init_device_mesh("cpu", (size,))
    model = torch.nn.Sequential(torch.nn.Linear(64, 256, bias=False), torch.nn.ReLU(),
                                torch.nn.Linear(256, 64, bias=False))
    with torch.no_grad():
        model[0].weight.copy_(first)
        model[2].weight.copy_(second)
    parallel = parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
    torch.testing.assert_close(parallel(x), whole, rtol=1e-4, atol=1e-3)


def groups(rank, size):
    """Groups of each pair of neighbours, and of all members again"""
    pairs = [dist.new_group([r, r + 1]) for r in range(size - 1)]
    for r, pair in enumerate(pairs):
        if rank in (r, r + 1):
            x = torch.tensor([float(rank)])
            dist.all_reduce(x, group=pair)
            assert x.item() == 2 * r + 1
            assert dist.get_process_group_ranks(pair) == [r, r + 1] and pair.group_name
            dist.destroy_process_group(pair)
    x = torch.ones(1)
    dist.all_reduce(x)
    assert x.item() == size


def begin_again(rank, size, port):
    """As with torchrun, whose store outlives the groups"""
    torch.set_num_threads(1)
    for turn in range(10):
        store = dist.TCPStore("127.0.0.1", port, is_master=False)
        dist.init_process_group("banyan", store=store, rank=rank, world_size=size,
                                timeout=datetime.timedelta(seconds=60))
        x = torch.full((3,), float(rank + turn))
        dist.all_reduce(x)
        assert torch.equal(x, torch.full((3,), size * (size - 1) / 2 + size * turn))
        dist.destroy_process_group()


def begin(rank, size, meeting, bodies):
    torch.set_num_threads(1)
    dist.init_process_group("banyan", init_method=f"file://{meeting}", rank=rank, world_size=size)
    for body in bodies:
        body(rank, size)
    dist.destroy_process_group()


class Torch(unittest.TestCase):
    def run_with(self, size, *bodies):
        with tempfile.TemporaryDirectory() as folder:
            mp.start_processes(begin, (size, os.path.join(folder, "meeting"), bodies), size, start_method="fork")

    def test_what_it_does(self):
        self.run_with(3, compare, unsigned, marked, parameters, groups, wait_limited)

    def test_what_it_refuses(self):
        self.run_with(3, refuse, refuse_other_types, refuse_other_lists, refuse_other_shapes)

    def test_installed_it_registers_itself(self):
        settings = (interpreter.ROOT / "python" / "pyproject.toml").read_text(encoding="ascii")
        entry = re.search(r'"torch.backends"\]\n(banyan) = "(.*)"\n', settings)
        with tempfile.TemporaryDirectory() as folder:
            info = pathlib.Path(folder) / "banyan_team-0.dist-info"
            info.mkdir()
            (info / "METADATA").write_text("Metadata-Version: 2.1\nName: banyan-team\nVersion: 0\n",
                                           encoding="ascii")
            (info / "entry_points.txt").write_text(f"[torch.backends]\n{entry[1]} = {entry[2]}\n",
                                                   encoding="ascii")
            path = f"{folder}:{os.environ['PYTHONPATH']}"
            for modules in "torch", "banyan.torch, torch", "torch, banyan.torch":
                program = f"import {modules}; torch.distributed.Backend.BANYAN"
                subprocess.run([sys.executable, "-c", program], check=True,
                               env={**os.environ, "PYTHONPATH": path})

    def test_group_after_group(self):
        store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
        mp.start_processes(begin_again, (3, store.port), 3, start_method="fork")

    def test_models(self):
        self.run_with(2, train_both, built_in_hooks, compiled, tensor_parallel, checkpoint)

    def test_messages(self):
        self.run_with(3, pipeline, send)


if __name__ == "__main__":
    unittest.main(verbosity=2)
