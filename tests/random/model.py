"""The sequential model of UPC that random programs are compared with: C integers, shared objects, pointers-to-shared.

A shared object is a list of elements for each thread; an element is a number, a dict (struct), a list (array member) or
a pointer.  Places are Ref objects.  Everything follows the formulas of the language, not those of the implementation.
"""


def wrap(value, bits, signed):
    """An integer reduced to the range of its type, as by conversions and -fwrapv."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def c_div(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def c_mod(a, b):
    return a - c_div(a, b) * b


class Ref:
    """A place: container[key]."""

    def __init__(self, container, key):
        self.container = container
        self.key = key

    def get(self):
        return self.container[self.key]

    def set(self, value):
        self.container[self.key] = value
        return value

    def member(self, name):
        return Ref(self.container[self.key], name)


def copy(value):
    """Assigning a struct copies it."""
    if isinstance(value, dict):
        return {key: copy(part) for key, part in value.items()}
    return [copy(part) for part in value] if isinstance(value, list) else value


class Shared:
    """A shared object of `count` ultimate elements in blocks of `block` (0: all on thread 0)."""

    def __init__(self, threads, block, count, make):
        self.threads = threads
        self.block = block
        self.count = count
        per_thread = count
        if block:
            blocks = -(-count // block)
            per_thread = -(-blocks // threads) * block
        self.parts = [[make() for _ in range(per_thread)] for _ in range(threads if block else 1)]

    def local_count(self):
        return len(self.parts[0])

    def locate(self, i):
        if not 0 <= i < self.count:
            raise IndexError("element %d of %d" % (i, self.count))
        if not self.block:
            return 0, 0, i
        nth, phase = divmod(i, self.block)
        row, thread = divmod(nth, self.threads)
        return thread, phase, row * self.block + phase

    def ref(self, i):
        thread, _, offset = self.locate(i)
        return Ref(self.parts[thread], offset)

    def pointer(self, i):
        """&element i, also for the element past the end."""
        return Pts(self, 0, 0, 0).add(i, self.block)

    def owner(self, i):
        return self.locate(i)[0]


class Member:
    """The object that &s.m points into: an array member, or a single member."""

    def __init__(self, thread, container, key=None):
        self.thread = thread
        self.container = container
        self.key = key

    def __eq__(self, other):
        return isinstance(other, Member) and self.container is other.container and self.key == other.key

    __hash__ = None


class Pts:
    """A pointer-to-shared: thread, phase, and the offset among the elements of that thread."""

    def __init__(self, space, thread, phase, offset):
        self.space = space
        self.thread = thread
        self.phase = phase
        self.offset = offset

    def add(self, i, block):
        if not block:
            return Pts(self.space, self.thread, 0, self.offset + i)
        threads = self.space.threads
        x = self.thread * block + self.phase + i
        row, rest = divmod(x, block * threads)
        thread, phase = divmod(rest, block)
        return Pts(self.space, thread, phase, self.offset + phase - self.phase + row * block)

    def sub(self, other, block):
        if not block:
            return self.offset - other.offset
        phases = self.phase - other.phase
        return ((self.offset - other.offset - phases) * self.space.threads + (self.thread - other.thread) * block +
                phases)

    def cast(self, old_block, new_block):
        """A cast to a type whose elements have the same size."""
        return Pts(self.space, self.thread, self.phase if old_block == new_block and new_block > 1 else 0, self.offset)

    def ref(self):
        if isinstance(self.space, Member):
            if self.space.key is not None:
                assert self.offset == 0
                return Ref(self.space.container, self.space.key)
            assert 0 <= self.offset < len(self.space.container)
            return Ref(self.space.container, self.offset)
        assert 0 <= self.offset < self.space.local_count(), "outside of the object"
        return Ref(self.space.parts[self.thread], self.offset)


def same(p, q):
    """p == q, which ignores phases."""
    if p is None or q is None:
        return p is q
    is_same_space = p.space is q.space or (isinstance(p.space, Member) and p.space == q.space)
    return is_same_space and p.thread == q.thread and p.offset == q.offset


def thread_of(p):
    return 0 if p is None else p.thread


def phase_of(p):
    return 0 if p is None else p.phase


def digest(h, value):
    """Continues a checksum with an element, as the programs compute it."""
    if isinstance(value, dict):
        for part in value.values():
            h = digest(h, part)
        return h
    if isinstance(value, list):
        for part in value:
            h = digest(h, part)
        return h
    if value is None or isinstance(value, Pts):
        value = 0 if value is None else value.thread * 64 + value.phase + 1
    return (h * 31 + int(value)) & (1 << 64) - 1
