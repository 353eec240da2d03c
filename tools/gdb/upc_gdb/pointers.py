"""Arithmetic on pointers-to-shared, represented as values of their C struct."""

import gdb

from .record import self_record, threads
from .types import POINTER


def byte_order(type_):
    """That of the processor, by how gdb reads an integer of this type"""
    return "little" if int(gdb.Value(b"\1".ljust(type_.sizeof, b"\0"), type_)) == 1 else "big"


def make(address, thread, phase):
    type_ = gdb.lookup_type("struct " + POINTER)
    data = bytearray(type_.sizeof)
    for name, number in (("addr", address), ("thread", thread), ("phase", phase)):
        field = type_[name]
        start = field.bitpos // 8
        data[start:start + field.type.sizeof] = number.to_bytes(field.type.sizeof, byte_order(field.type))
    return gdb.Value(bytes(data), type_)


def to_object(address, phase):
    return make(address, (address - self_record("window_base")) // self_record("stride"), phase)


def is_pointer(value):
    return value.type.strip_typedefs().tag == POINTER


def parts(pointer):
    return tuple(int(pointer[name]) for name in ("addr", "thread", "phase"))


def moved(pointer, index, block, size):
    """Address, thread and phase of a pointer-to-shared after adding an index"""
    address, thread, phase = parts(pointer)
    if block == 0:
        return address + index * size, thread, phase
    number, new_phase = divmod(phase + index, block)
    row, new_thread = divmod(thread + number, threads())
    address += (new_thread - thread) * self_record("stride") + (row * block + new_phase - phase) * size
    return address, new_thread, new_phase


def difference(left, right, block, size):
    """Number of elements from the right pointer to the left one"""
    (address, thread, phase), (address_0, thread_0, phase_0) = parts(left), parts(right)
    if block == 0:
        return (address - address_0) // size
    bytes_apart = address - address_0 - (thread - thread_0) * self_record("stride")
    rows = (bytes_apart // size - (phase - phase_0)) // block
    return (rows * threads() + thread - thread_0) * block + phase - phase_0
