#!/usr/bin/env python3
"""NumPy arrays of processes: every collective, type and operation, compared with NumPy's results; and the errors for
invalid calls."""
import array
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

import interpreter

interpreter.need("numpy")
import banyan          # noqa: E402
import numpy as np     # noqa: E402

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
FOLDS = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum, "band": np.bitwise_and,
         "bor": np.bitwise_or, "bxor": np.bitwise_xor}


def value_of(rank, shape, dtype, seed=0):
    generator = np.random.default_rng([rank, seed])
    return generator.integers(0, 2 if dtype == "?" else 5, shape).astype(dtype)


def has(op, dtype):
    """Whether both NumPy and Banyan have an operation for a type."""
    if dtype[0] in "fc" and op[0] == "b":
        return False
    return not (dtype[0] == "c" and op in ("min", "max"))


def reduce_everything(team):
    n, rank = team.size, team.rank
    for seed, dtype in enumerate(DTYPES):
        for op, fold in FOLDS.items():
            if not has(op, dtype):
                with np.testing.assert_raises_regex(ValueError, f"{op} is not defined for type {np.dtype(dtype).name}"):
                    team.allreduce(np.zeros(3, dtype), op=op)
                continue
            parts = [value_of(r, (n, 37), dtype, seed) for r in range(n)]
            prefix = parts[0]
            for r in range(1, rank + 1):
                prefix = fold(prefix, parts[r])
            whole = parts[0]
            for part in parts[1:]:
                whole = fold(whole, part)
            mine = parts[rank].copy()
            out = np.zeros_like(mine)
            assert team.allreduce(mine, out, op=op) is out
            np.testing.assert_array_equal(out, whole)
            np.testing.assert_array_equal(mine, parts[rank])
            np.testing.assert_array_equal(team.reduce_scatter(mine, op=op), whole[rank:rank + 1])
            np.testing.assert_array_equal(team.scan(mine, np.empty_like(mine), op), prefix)
            result = team.reduce(mine, np.empty_like(mine), op=banyan.Op[op.upper()], root=n - 1)
            assert (result is None) == (rank != n - 1)
            if result is not None:
                np.testing.assert_array_equal(result, whole)
            assert team.allreduce(mine, op=op) is mine
            np.testing.assert_array_equal(mine, whole)
    before = team.exscan(np.full(3, rank + 1.0))
    if rank > 0:
        assert before[0] == rank * (rank + 1) / 2, before


def move_everything(team):
    n, rank = team.size, team.rank
    record = np.dtype([("a", "i4"), ("b", "f8", (2,))])
    for seed, dtype in enumerate(["i4", "f8", "c16", record, "S5", "U3"]):
        def of(r, dtype=dtype, seed=seed):
            if dtype in ("S5", "U3"):
                return value_of(r, (n, 4), "i4", seed).astype(dtype)
            if dtype is record:
                array = np.zeros((n, 4), record)
                array["a"] = value_of(r, (n, 4), "i4", seed)
                return array
            return value_of(r, (n, 4), dtype, seed)
        x = of(rank)
        np.testing.assert_array_equal(team.broadcast(x.copy(), root=n - 1), of(n - 1))
        np.testing.assert_array_equal(team.allgather(x), np.stack([of(r) for r in range(n)]))
        gathered = team.gather(x, root=1)
        assert (gathered is None) == (rank != 1)
        if rank == 1:
            np.testing.assert_array_equal(gathered, np.stack([of(r) for r in range(n)]))
        part = team.scatter(x if rank == 0 else None, None if rank == 0 else np.empty(4, dtype))
        np.testing.assert_array_equal(part.reshape(-1), of(0)[rank])
        exchanged = team.alltoall(x, np.empty_like(x))
        np.testing.assert_array_equal(exchanged, np.stack([of(r)[rank] for r in range(n)]))
        np.testing.assert_array_equal(team.alltoall(x.copy()), exchanged)
    for of in (lambda values: array.array("i", values), lambda values: memoryview(array.array("i", values)),
               lambda values: (ctypes.c_int * n)(*values)):
        x = of(range(n))
        assert team.allgather(x).tolist() == n * [list(range(n))]
        gathered = team.gather(x)
        assert gathered is None if rank else gathered.tolist() == n * [list(range(n))]
        assert (team.scatter(x) if rank == 0 else team.scatter(None, np.zeros(1, "i"))).tolist() == [rank]
        assert team.reduce_scatter(x).tolist() == [n * rank]
    class Pair(ctypes.Structure):
        _fields_ = [("first", ctypes.c_int), ("second", ctypes.c_double)]
    for of in (lambda values: (Pair * n)(*((value, 0.5) for value in values)),
               lambda values: array.array("u", "".join(map(chr, values)))):
        x = of(range(n))
        assert team.allgather(x).tolist() == n * [np.asarray(memoryview(x)).tolist()]
    for sent, received in (("i8", "q"), ("f8", "u1"), ("u1", "f4")):     # of other formats, or bytes
        x = np.full(8, rank, sent)
        parts = np.empty((n, x.nbytes // np.dtype(received).itemsize), received)
        assert team.allgather(x, parts) is parts
        np.testing.assert_array_equal(parts.view(sent), np.stack([np.full(8, r, sent) for r in range(n)]))
    pair = np.array([(rank, 2.5)], [("O", "i4"), ("xOy", "f8")])    # the O is in a member's name, not a type
    assert team.allgather(pair)["O"].ravel().tolist() == list(range(n))
    team.barrier()


def share(team):
    n, rank = team.size, team.rank
    common = team.shared((n, 1000), "f4")
    assert common.shape == (n, 1000) and not common.any() and team.is_shared(common)
    team.barrier()
    common[rank] = rank
    team.barrier()
    assert [row[5] for row in common] == list(range(n))
    for shape in (np.int64(6), np.array([2, 3]), (np.int8(2), 3), [2, np.uint8(3)]):
        assert team.shared(shape, "u1").size == team.zeros(shape).size == 6
    assert team.zeros(()).shape == ()
    own = team.zeros(100000)
    assert team.is_shared(own) and not team.is_shared(np.zeros(3))
    own[:] = rank
    team.allreduce(own)
    assert (own == n * (n - 1) / 2).all()
    team.barrier()
    for _ in range(80):             # more than there is room for, if nothing were returned
        block = team.shared(1 << 30, "u1")
        block[0] = 1
    del block
    team.leave()
    common[rank, 3] = 7             # memory outlives the membership
    assert repr(team) == "<banyan.Team, left>"
    return float(common[rank, 3])


def refuse(team):
    x = np.zeros((4, 4))
    for wrong, error, text in [(lambda: team.allreduce(x[:, 1]), ValueError, "C order.*ascontiguousarray"),
                               (lambda: team.allreduce(x.T[:, :2]), ValueError, "C order"),
                               (lambda: team.allreduce(np.zeros(3, ">f8")), TypeError, "format '>d' cannot be reduced"),
                               (lambda: team.allreduce(np.zeros(3, "M8[s]")), ValueError, r'reduce.*x\.view\("i8"\)'),
                               (lambda: team.broadcast(x.astype("M8[s]")[:, 1]), ValueError, r'view\("i8"\)'),
                               (lambda: team.allreduce(np.zeros(3, object)), TypeError, "objects.*format 'O'"),
                               (lambda: team.allgather(np.zeros(3, object)), TypeError, "allgather.*objects"),
                               (lambda: team.broadcast(np.zeros(3, "i4,O")), TypeError, "objects.*format 'T{"),
                               (lambda: team.send(np.zeros(1, [("O", "i4"), ("x", [("y", "O")])]), 0), TypeError,
                                "send.*objects"),
                               (lambda: team.recv(np.zeros(1, object)), TypeError, "recv.*objects"),
                               (lambda: team.isend(np.zeros(1, object), 0), TypeError, "isend.*objects"),
                               (lambda: team.allreduce(3.0), TypeError, "allreduce takes arrays.*not this float"),
                               (lambda: team.allgather([1, 2]), TypeError, "allgather takes arrays.*not this list"),
                               (lambda: team.gather(None, root=team.rank), TypeError, "gather.*not this NoneType"),
                               (lambda: team.scatter(3.0, root=team.rank), TypeError, "scatter.*not this float"),
                               (lambda: team.reduce_scatter([1, 2]), TypeError, "reduce_scatter.*not this list"),
                               (lambda: team.allreduce(x, op="median"), ValueError, "op must be one of 'sum'"),
                               (lambda: team.allreduce(x, np.zeros(3)), ValueError, "128 bytes.*have 24"),
                               (lambda: team.allreduce(x, np.zeros((4, 4), "i8")), TypeError, "'d'.*'l'"),
                               (lambda: team.allreduce(np.frombuffer(b"x" * 17, "u1")[1:].view("f8")), ValueError,
                                r"may be written \(x.copy\(\) may\)"),
                               (lambda: team.recv(b"x" * 8), ValueError, "recv.*may be written.*not this bytes"),
                               (lambda: team.allreduce(np.zeros(17, "u1")[1:].view("f8")), ValueError,
                                r"not aligned.*x.copy"),
                               (lambda: team.scan(x[0, :2], np.zeros(17, "u1")[1:].view("f8")), ValueError,
                                r"not aligned.*x.copy"),
                               (lambda: team.reduce_scatter(np.zeros(3, "i2"), np.zeros(2, "i2")), ValueError,
                                "parts of 3 bytes.*format 'h'"),
                               (lambda: team.allreduce(x, op=np.ones(3)), ValueError, "op must be one of 'sum'"),
                               (lambda: team.broadcast(x, root=9), ValueError, "root must be 0 to 1, not 9"),
                               (lambda: team.broadcast(x, root=1 << 32), ValueError, "root .* not 4294967296"),
                               (lambda: team.reduce(x, op="sum", root=-1 - (1 << 32)), ValueError, "root .* not -4294"),
                               (lambda: team.send(x, 1 << 64), ValueError, "to .* not 18446744073709551616"),
                               (lambda: team.irecv(x, 0, 1 << 32), ValueError, "tag .* not 4294967296"),
                               (lambda: team.split(1 << 32), ValueError, "color .* not 4294967296"),
                               (lambda: banyan.invite(2.5), TypeError, "float"),
                               (lambda: banyan.join("x", 1 << 32, 2), ValueError, "rank .* not 4294967296"),
                               (lambda: team.set_timeout(-1), ValueError, "number of seconds, not -1"),
                               (lambda: team.set_timeout(float("nan")), ValueError, "number of seconds, not"),
                               (lambda: team.reduce_scatter(np.zeros(3)), ValueError, "2 equal parts"),
                               (lambda: team.allgather(np.zeros(3), np.zeros(7, "i1")), ValueError, "2 equal parts"),
                               (lambda: team.gather(x, np.empty((2, 4, 4), "i8"), team.rank), TypeError,
                                "gather: .*'d'.*'l'"),
                               (lambda: team.scatter(x, np.empty((2, 8), "f4"), team.rank), TypeError, "'d'.*'f'"),
                               (lambda: team.allgather(x, np.empty((2, 4, 4), ">f8")), TypeError, "'d'.*'>d'"),
                               (lambda: team.alltoall(x, np.empty((4, 4), "M8[s]").view("i8")), TypeError, "'d'.*'l'"),
                               (lambda: team.shared(3, object), TypeError, "Python objects"),
                               (lambda: team.shared((2**33, 2**33)), ValueError,
                                r"shape \(8589934592, 8589934592\) and dtype float64 has 590295810358705651712 bytes"),
                               (lambda: team.empty(2**60), ValueError, "shape .* more than any memory"),
                               (lambda: team.zeros(1 << 50), MemoryError, "no room"),
                               (lambda: team.zeros((np.int32(1 << 20), np.int32(1 << 30)), "u1"), MemoryError,
                                "no room for 1125899906842624"),
                               (lambda: __import__("pickle").dumps(team), TypeError, "banyan.invite")]:
        with np.testing.assert_raises_regex(error, text):
            wrong()
    if team.rank == 1:
        with np.testing.assert_raises_regex(ValueError, "needs an array"):
            team.scatter(None)
    assert team.allreduce(np.ones(2))[1] == 2


def die(team):
    team.barrier()
    if team.rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    with np.testing.assert_raises_regex(banyan.LostError, "rank 1 has ended|has given up"):
        team.barrier()


def return_what_cannot_be_sent(team):
    return (lambda: None) if team.rank == 1 else 0


def end_the_process(team, end):
    if team.rank == 1:
        end(0)


def send_messages(team):
    right, left = (team.rank + 1) % team.size, (team.rank - 1) % team.size
    for count in (0, 1, 1000, 50000):
        for array in (np.arange(count) + team.rank, team.empty(count, int)):
            array[:] = np.arange(count) + team.rank
            got = np.zeros(count + 5, int)
            message = team.isend(array, right, tag=3)
            received = team.recv(got, left, 3)
            assert (received.rank, received.tag, received.bytes) == (left, 3, 8 * count)
            assert got.tolist() == [*range(left, left + count), 0, 0, 0, 0, 0]
            assert message.wait().bytes == 8 * count and message.test() and not message.cancel()
    team.barrier()
    if team.rank == 0:
        got = np.zeros((team.size, 3000))
        messages = [team.irecv(got[source], source) for source in range(1, team.size)]
        rank_of = {team.recv(np.zeros(1), tag=None).rank for _ in range(1, team.size)}
        assert rank_of == set(range(1, team.size))
        while not all([message.test() for message in messages]):
            pass
        assert got.tolist() == [[float(source)] * 3000 for source in range(team.size)]
    else:
        team.send(np.full(3000, float(team.rank)), 0)
        team.send(np.zeros(1), 0, tag=team.rank)
    team.barrier()
    unasked = team.irecv(np.zeros(1), left, 9)
    assert not unasked.test() and unasked.cancel()
    for wrong, text in [(lambda: team.send(np.zeros((3, 3))[:, 1], 0), "C order"),
                        (lambda: team.isend(np.zeros(3), team.size), "ranks are 0 to"),
                        (lambda: team.recv(np.zeros(3), 0, -5), "a tag is 0 or more"),
                        (unasked.wait, "was cancelled")]:
        with np.testing.assert_raises_regex(ValueError, text):
            wrong()
    del unasked
    team.isend(np.zeros(50000), right, 9)              # nobody keeps the request: it is withdrawn
    team.barrier()
    team.send(np.full(50000, 7.0), right, 9) if team.rank % 2 else None
    if team.rank % 2 == 0 and left % 2:
        got = np.zeros(50000)
        team.recv(got, left, 9)
        assert (got == 7).all()
    team.barrier()


def wait_and_be_interrupted(team, invitation):
    # The signal stays blocked until it is expected.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    waiter = int(team.allgather(np.array([os.getpid()]))[0, 0])
    if team.rank == 1:
        time.sleep(0.2)
        os.kill(waiter, signal.SIGINT)
        invitation.join(team.rank)
        with np.testing.assert_raises(banyan.LostError):
            team.barrier()              # rank 0 may have got this far
            team.barrier()
        return
    with np.testing.assert_raises(KeyboardInterrupt):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        team.barrier()
    team.leave()
    invitation.join(0)


def leave_under_a_call(team, invitation):
    errors = []

    def wait():
        try:
            team.barrier()
        except banyan.LostError as error:
            errors.append(str(error))

    if team.rank == 0:
        kept = team.zeros(3)
        waiter = threading.Thread(target=wait)
        waiter.start()
        time.sleep(0.2)
        team.leave()
        waiter.join()
        invitation.join(0)
        kept[:] = 7
        assert errors == ["another thread of this process has left the team"], errors
    else:
        invitation.join(1)              # after the other one has left
        with np.testing.assert_raises(banyan.LostError):
            team.barrier()
            team.barrier()


def fail_while_others_wait(team, culprit):
    if team.rank == culprit:
        raise ValueError("too much")
    team.barrier()


def leave_early(team):
    if team.rank == 1:
        team.barrier()


def be_late(team, invitation):
    team.set_timeout(0.2)
    if team.rank == 0:
        with np.testing.assert_raises(banyan.TimeoutError):
            team.barrier()
    invitation.join(team.rank)          # nobody leaves before that


def open_files():
    return len(os.listdir("/proc/self/fd"))


def join_again_and_again(team, invitations):
    before = open_files()
    for invitation in invitations:
        with invitation.join(team.rank) as other:
            other.barrier()
    assert open_files() == before
    half = team.split(team.rank % 2, -team.rank)
    assert half.allgather(np.array(team.rank)).tolist() == sorted(
        (r for r in range(team.size) if r % 2 == team.rank % 2), reverse=True)


class Arrays(unittest.TestCase):
    def test_reductions(self):
        for size in (1, 2, 3):
            banyan.run(size, reduce_everything, method="fork")

    def test_moves(self):
        banyan.run(3, move_everything, method="fork")

    def test_messages(self):
        for size in (2, 3):
            banyan.run(size, send_messages, method="fork")

    def test_shared_memory(self):
        self.assertEqual(banyan.run(2, share, method="fork"), [7.0, 7.0])
        self.assertEqual([name for name in os.listdir("/dev/shm") if "banyan" in name], [])

    def test_what_is_refused(self):
        banyan.run(2, refuse, method="fork")

    def test_spawned_processes(self):
        self.assertEqual(banyan.run(2, share, method="spawn"), [7.0, 7.0])

    def test_who_dies_is_noticed(self):
        with self.assertRaisesRegex(banyan.Error, "rank 1 of 3 failed with exit code -9"):
            banyan.run(3, die, method="fork")

    def test_who_failed_first_is_named(self):
        for method in ("fork", "spawn"):
            for culprit in (0, 2):
                with self.assertRaisesRegex(banyan.Error, f"^rank {culprit} of 3 failed: ValueError: too much$"):
                    banyan.run(3, fail_while_others_wait, culprit, method=method)
        with self.assertRaisesRegex(banyan.Error, "^rank 1 of 2 failed: LostError: .*rank 0"):
            banyan.run(2, leave_early, method="fork")

    def test_who_has_no_result_is_noticed(self):
        with self.assertRaisesRegex(banyan.Error, "rank 1 of 2 failed: .*<lambda>"):
            banyan.run(2, return_what_cannot_be_sent, method="fork")
        for end in (os._exit, sys.exit):
            with self.assertRaisesRegex(banyan.Error, "rank 1 of 2 has ended without a result"):
                banyan.run(2, end_the_process, end, method="fork")

    def test_waits_end_by_ctrl_c_and_time(self):
        banyan.run(2, be_late, banyan.invite(2), method="fork")
        banyan.run(2, wait_and_be_interrupted, banyan.invite(2), method="fork")

    def test_a_call_ends_when_another_thread_leaves(self):
        banyan.run(2, leave_under_a_call, banyan.invite(2), method="fork")

    def test_teams_leave_nothing_behind(self):
        banyan.run(4, join_again_and_again, [banyan.invite(4) for _ in range(20)], method="fork")

    def test_who_is_alone(self):
        team = banyan.join()
        self.assertEqual((team.rank, team.size), (0, 1))
        self.assertEqual(team.allreduce(np.arange(3)).tolist(), [0, 1, 2])
        with self.assertRaisesRegex(ValueError, "only be given with a name"):
            banyan.join(rank=1)
        with self.assertRaisesRegex(ValueError, "size of the team is missing"):
            banyan.join("x")
        with self.assertRaisesRegex(banyan.TimeoutError, "rank 1"):
            banyan.join("nobody else comes", 0, 2, timeout=0.1)
        team.leave()
        team.leave()
        with self.assertRaisesRegex(ValueError, "has left"):
            team.barrier()

    def test_upcrun(self):
        program = ("import banyan, numpy, sys; t = banyan.join(); x = numpy.ones(3); t.allreduce(x); "
                   "print(t.rank, x[0], flush=True); t.barrier(); sys.exit(t.rank // 2 * 7)")
        upcrun = [str(interpreter.BUILD / "bin" / "upcrun"), "-n", "3", sys.executable, "-c", program]
        ended = subprocess.run(upcrun, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(sorted(ended.stdout.split("\n")), ["", "0 3.0", "1 3.0", "2 3.0"], ended.stderr)
        self.assertEqual(ended.returncode, 7)
        self.assertIn("process 2 of 3", ended.stderr)

    def test_version(self):
        project = (interpreter.ROOT / "CMakeLists.txt").read_text(encoding="ascii")
        self.assertIn(f"project(banyan VERSION {banyan.__version__} ", project)

    def test_mpi4py(self):
        program = ("from mpi4py import MPI; import banyan, numpy; comm = MPI.COMM_WORLD; "
                   "size = comm.Get_size(); team = banyan.join_mpi(comm); launched = banyan.join(); "
                   "x = numpy.full(4, comm.Get_rank() + 1.0); team.allreduce(x); launched.allreduce(x); "
                   "said = comm.gather((size, comm.allreduce(1), x[0], MPI.Get_library_version().split()[0])); "
                   "[print(*values) for values in said or []]")      # mpirun may mix the lines of processes
        mpirun = shutil.which("mpirun.openmpi")
        if not mpirun:
            self.skipTest("Open MPI is not here")
        ended = subprocess.run([mpirun, "-n", "3", "--oversubscribe", sys.executable, "-c", program],
                               capture_output=True, text=True, timeout=60, check=False,
                               env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
        if "No module named 'mpi4py'" in ended.stderr or "Open" not in ended.stdout:
            self.skipTest("there is no mpi4py for Open MPI")
        self.assertEqual(ended.stdout.split("\n"), 3 * ["3 3 18.0 Open"] + [""], ended.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
