"""The measured collectives of each library, called as programs call them.

A way is constructed with name, rank and size on all processes, and has a function for each operation with two arrays:
the data to send, and room for the result.  Their sizes belong together; prepare() lets the way adapt them.
"""
import os


WIDTH = 256     # of the layer


class Numpy:
    """NumPy arrays; sizes are those of a member's own array, in operations other than allreduce and broadcast of one
    block."""

    def arrays(self, operation, size_bytes, members):
        import numpy
        count = size_bytes // 4
        blocks = {"allgather": (1, members), "alltoall": (members, members), "reduce_scatter": (members, 1)}
        sent, received = blocks.get(operation, (1, 1))
        return numpy.ones(sent * count, "f4"), numpy.ones(received * count, "f4")


class Banyan(Numpy):
    name, of = "banyan", "numpy"

    def __init__(self, rank, size, meeting):
        import banyan
        self.team = banyan.join(meeting.name + "-numpy", rank, size)
        self.allreduce = self.team.allreduce
        self.broadcast = lambda x, y: self.team.broadcast(x)
        self.allgather = self.team.allgather
        self.alltoall = self.team.alltoall
        self.reduce_scatter = self.team.reduce_scatter

    def end(self):
        self.team.leave()


class Shared(Banyan):
    """The same with arrays in the team's shared memory"""
    name = "banyan, shared arrays"

    def __init__(self, rank, size, meeting):
        import banyan
        meeting = type("Other", (), {"name": meeting.name + "-shared"})
        super().__init__(rank, size, meeting)

    def arrays(self, operation, size_bytes, members):
        found = []
        for array in super().arrays(operation, size_bytes, members):
            found.append(self.team.empty(array.shape, array.dtype))
            found[-1][:] = 1
        return tuple(found)


class Mpi(Numpy):
    name, of = "mpi4py", "numpy"

    def __init__(self, rank, size, meeting):
        from mpi4py import MPI
        comm = MPI.COMM_WORLD
        if comm.Get_size() != size:
            raise ImportError("mpirun has not started these processes")
        self.allreduce = comm.Allreduce
        self.broadcast = lambda x, y: comm.Bcast(x)
        self.allgather = comm.Allgather
        self.alltoall = comm.Alltoall
        self.reduce_scatter = comm.Reduce_scatter_block

    def end(self):
        pass


class Queues(Numpy):
    """multiprocessing: all send their arrays to rank 0, which sends the result back."""
    name, of = "queues", "numpy"

    def __init__(self, rank, size, meeting):
        if meeting.queues is None:
            raise ImportError("only of processes that multiprocessing has started")
        self.rank, self.size = rank, size
        self.up, self.down = meeting.queues

    def allreduce(self, x, y):
        if self.rank == 0:
            y[:] = x
            for _ in range(self.size - 1):
                y += self.up.get()
            for queue in self.down[1:]:
                queue.put(y)
        else:
            self.up.put(x)
            y[:] = self.down[self.rank].get()

    def broadcast(self, x, y):
        if self.rank == 0:
            for queue in self.down[1:]:
                queue.put(x)
        else:
            y[:] = self.down[self.rank].get()

    def end(self):
        pass


class Torch:
    """torch.distributed, through its public functions, on CPU tensors"""
    of = "torch"

    def __init__(self, rank, size, meeting):
        import torch
        import torch.distributed as dist
        if self.backend == "banyan":
            import banyan.torch
        torch.set_num_threads(1)
        self.torch, self.dist = torch, dist
        if not dist.is_initialized():
            dist.init_process_group("gloo", init_method="file://" + meeting.file, rank=rank, world_size=size)
        self.group = group = dist.new_group(backend=self.backend)
        self.allreduce = lambda x, y: dist.all_reduce(x, group=group)
        self.broadcast = lambda x, y: dist.broadcast(x, 0, group=group)
        self.allgather = lambda x, y: dist.all_gather_into_tensor(y, x, group=group)
        self.alltoall = lambda x, y: dist.all_to_all_single(y, x, group=group)
        self.reduce_scatter = lambda x, y: dist.reduce_scatter_tensor(y, x, group=group)
        self.first, self.second = torch.ones(4 * WIDTH // size, WIDTH), torch.ones(WIDTH, 4 * WIDTH // size)

    def rewritten(self, x, y):
        """An in-place allreduce of freshly computed data; the computation is part of the time"""
        x.fill_(1)
        self.allreduce(x, y)

    def layer(self, x, y):
        """The feed-forward part of a transformer block, tensor parallel: each member has a part of both matrices."""
        x = x.view(-1, WIDTH)
        self.allreduce(self.torch.mm(self.torch.relu(self.torch.mm(x, self.first.t())), self.second.t()), y)

    def arrays(self, operation, size_bytes, members):
        """Arrays in memory that torch has allocated"""
        return tuple(self.torch.from_numpy(array).clone() for array in Numpy().arrays(operation, size_bytes, members))

    def end(self):
        self.dist.destroy_process_group(self.group)


class TorchBanyan(Torch):
    name = backend = "banyan"


class TorchPrivate(TorchBanyan):
    """The same with tensors in memory that others do not map"""
    name = "banyan, private tensors"

    def arrays(self, operation, size_bytes, members):
        return tuple(self.torch.from_numpy(array) for array in Numpy().arrays(operation, size_bytes, members))


class Gloo(Torch):
    name = backend = "gloo"


WAYS = (Banyan, Shared, Mpi, Queues, TorchBanyan, TorchPrivate, Gloo)


class Meeting:
    """What the processes of a run need to find each other."""

    def __init__(self, name, folder, queues=None):
        self.name, self.queues = name, queues
        self.file = os.path.join(folder, "torch-" + name)
