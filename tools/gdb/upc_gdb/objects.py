"""Shared objects and pointers-to-shared: which one a name means, and where elements lie."""

import gdb

from .record import require_memory, self_record, threads
from .types import POINTER, TYPES, Pointer, parse_type


def blocks():
    """The scopes visible in the selected frame, innermost first"""
    try:
        block = gdb.selected_frame().block()
    except (gdb.error, RuntimeError):
        return
    while block is not None:
        yield block
        block = block.superblock


def record_here(name):
    """The record of a shared object in scope here, possibly local to a function: its handle then has another name."""
    for block in blocks():
        for symbol in block:
            if symbol.name.startswith("bn_static_") and symbol.is_variable:
                record = symbol.value()
                if int(record["handle"]) and record["name"].string() == name:
                    return symbol, record
    return None, None


class Found:
    """An object: its address and its type; `handle` is the start of the shared object from which elements are counted,
    `phase` is the phase of a pointer to it, and `value` is that of a pointer-to-shared or number without an address."""

    def __init__(self, address, type_, text, handle=None, first=0, phase=0, value=None):
        self.address, self.type, self.text = address, type_, text
        self.handle, self.first, self.phase, self.given = handle, first, phase, value

    def target(self):
        """The type it points to, if it is a pointer-to-shared"""
        is_pointer = isinstance(self.type, Pointer) and self.type.is_to_shared()
        return self.type.to if is_pointer else None

    def value(self):
        """The value of a pointer-to-shared"""
        if self.given is not None:
            return self.given
        require_memory(self.address)
        return gdb.Value(self.address).cast(gdb.lookup_type("struct " + POINTER).pointer()).dereference()

    def private_target(self):
        """The address in a pointer to a private object"""
        if self.address is None:
            return int(self.value())
        require_memory(self.address)
        return int(gdb.Value(self.address).cast(gdb.lookup_type("long").pointer()).dereference())

    def pointer(self):
        pointer = self.value()
        if int(pointer["addr"]) == 0:
            raise gdb.GdbError("the pointer-to-shared is null")
        return pointer


def find(name):
    """The shared object or pointer-to-shared with this name; None if it is neither."""
    symbol = None
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:   # no frame
        symbol = gdb.lookup_global_symbol(name)
    if symbol is None or not symbol.is_variable and not symbol.is_argument:
        symbol, record = record_here(name)
        if symbol is None:
            return None
        text = TYPES.variable(name, symbol.symtab.filename, gdb.selected_frame().find_sal().line)
        return shared_object(int(record["handle"].dereference()), text)
    text = TYPES.variable(name, symbol.symtab.filename, symbol.line)
    if text is None:
        text = other_unit(name) if symbol.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else None
    if text is None:
        return None
    value = symbol.value(gdb.selected_frame()) if symbol.needs_frame else symbol.value()
    if str(symbol.type) == "bn_shared_t":
        return shared_object(int(value), text)
    type_ = parse_type(text)
    if type_ is None or value.is_optimized_out:
        return None
    try:
        return Found(int(value.address), type_, text)
    except (gdb.error, TypeError):   # it is in registers
        return Found(None, type_, text, value=value) if isinstance(type_, Pointer) else None


def other_unit(name):
    """The type of an object that this unit declares only in a system header, or not at all"""
    TYPES.member("", "")
    found = {entry[1] for (_, known), entries in TYPES.variables.items() if known == name for entry in entries}
    return found.pop() if len(found) == 1 else None


def shared_object(handle, text):
    type_ = parse_type(text) if text else None
    if handle == 0:
        raise gdb.GdbError("shared objects have no addresses before the program runs; set a breakpoint in main")
    if text and type_ is None:
        raise gdb.GdbError("objects of type %s cannot be shown" % text.strip())
    return Found(handle, type_, text, handle, 0) if type_ is not None else None


def place_of_element(index, block, count):
    """The thread of `count` that has an element of an object, and the index among its elements
    (docs/design/001-representation.md)"""
    if block == 0:
        return 0, index
    number, phase = divmod(index, block)
    row, thread = divmod(number, count)
    return thread, row * block + phase


def address_of_element(handle, index, block, size):
    thread, local = place_of_element(index, block, threads())
    return handle + thread * self_record("stride") + local * size


def contents(handle, indices, block, size):
    """The bytes of successive elements, read once from each thread"""
    count, stride = threads(), self_record("stride")
    pieces, spans = [], {}
    index = indices.start
    while index < indices.stop:
        length = indices.stop - index if block == 0 else min(block - index % block, indices.stop - index)
        thread, local = place_of_element(index, block, count)
        pieces.append((thread, local, local + length))
        spans[thread] = (spans.get(thread, (local,))[0], local + length)
        index += length
    memory = gdb.selected_inferior()
    parts = {thread: bytes(memory.read_memory(handle + thread * stride + first * size, (end - first) * size))
             for thread, (first, end) in spans.items()}
    return b"".join(parts[thread][(first - spans[thread][0]) * size:(end - spans[thread][0]) * size]
                    for thread, first, end in pieces)
