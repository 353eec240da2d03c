"""info upc: threads, shared objects and their layouts; places of objects, and targets of pointers-to-shared."""

import os
import re

import gdb

from .expressions import denoted
from .record import self_record, threads, values_in_units
from .types import TYPES, Array, Pointer, elements, innermost, parse_type


class Object:
    """A shared object with static storage, as described by its record in the program"""

    def __init__(self, record):
        self.name = record["name"].string()
        self.source = source_of(record)
        self.start = int(record["handle"].dereference())
        self.local_bytes, self.size, self.block = (int(record[name])
                                                   for name in ("local_bytes", "elem_bytes", "block_elems"))
        texts = self.texts()
        self.text = texts.pop() if len(texts) == 1 else None
        self.type = parse_type(self.text) if self.text else None

    def texts(self):
        """The types stored in the program for objects of this name, preferably those of the object's own unit"""
        TYPES.member("", "")
        known = {file: {entry[1] for entry in entries if is_shared_text(entry[1])}
                 for (file, name), entries in TYPES.variables.items() if name == self.name}
        own = known.get(os.path.basename(self.source), set())
        return set(own) if own else set().union(*known.values()) if known else set()

    def count(self):
        return elements(self.type) if self.type is not None else None

    def index_at(self, thread, address):
        """The index of the element at an address on a thread; None if the address belongs to another object"""
        offset = address - self.start - thread * self_record("stride")
        if not 0 <= offset < max(self.local_bytes, 1) or self.block == 0 and thread > 0:
            return None
        local = offset // self.size
        if self.block == 0:
            return local
        row, phase = divmod(local, self.block)
        return (row * threads() + thread) * self.block + phase

    def subscripts(self, index):
        """The subscripts, such as [1][2], of the element with this index"""
        type_, text = self.type, ""
        if type_ is None:
            return "[%d]" % index
        while isinstance(type_, Array):
            below = elements(type_.of)
            text += "[%d]" % (index // below)
            index, type_ = index % below, type_.of
        return text

    def layout(self):
        if not isinstance(self.type, Array) and self.type is not None:
            return "on thread 0"
        if self.block == 0:
            return "all elements on thread 0"
        blocks = "" if self.block == 1 else "blocks of %d, " % self.block
        number = "i" if self.block == 1 else "(i / %d)" % self.block
        return "%selement i on thread %s %% %d" % (blocks, number, threads())

    def owned(self, thread):
        """The elements that a thread has, as a limited number of ranges"""
        total = self.count()
        if total is None or not isinstance(self.type, Array):
            return None
        if self.block == 0:
            return ["0..%d" % (total - 1)] if thread == 0 else []
        starts = range(thread * self.block, total, self.block * threads())
        shown = ["%d..%d" % (first, min(first + self.block, total) - 1) if self.block > 1 else str(first)
                 for first in starts[:4]]
        return shown + (["..."] if len(starts) > 4 else [])


def source_of(record):
    """The source file of the unit that contains a record; empty if gdb does not know"""
    name = re.match(r"bn_static_\w+", gdb.execute("info symbol %d" % int(record.address), to_string=True))
    for symbol in gdb.lookup_static_symbols(name[0]) if name else ():
        if symbol.value().address == record.address:
            return symbol.symtab.filename
    return ""


def is_shared_text(text):
    type_ = parse_type(text)
    return type_ is not None and innermost(type_).block is not None


def shared_objects():
    """The shared objects of all units, by address: each unit lists the records of its executable or library"""
    records = set()
    for unit in values_in_units("bn_unit"):
        count = (int(unit["statics_end"]) - int(unit["statics"])) // 8
        records.update(int(unit["statics"][i]) for i in range(count))
    type_ = gdb.lookup_type("struct bn_static").pointer()
    values = [gdb.Value(address).cast(type_).dereference() for address in records]
    found = [Object(value) for value in values if int(value["handle"]) and int(value["handle"].dereference())]
    return sorted(found, key=lambda one: one.start)


def describe_address(thread, address):
    """The object and element at an address on a thread; if there is none, the position in the thread's memory"""
    for one in shared_objects():
        index = one.index_at(thread, address)
        if index is None:
            continue
        rest = (address - one.start) % one.size
        return one.name + one.subscripts(index) + (" + %d bytes" % rest if rest else "")
    offset = address - self_record("window_base") - thread * self_record("stride")
    return "no static object: byte %d of the memory of thread %d" % (offset, thread)


class InfoUpc(gdb.Command):
    """UPC threads, shared objects and their layouts; or the place of an object or of the target of a pointer-to-shared.
Usage: info upc [EXP]

Without an expression: the threads of this process, and each shared object with its type, its distribution, and the
elements that the selected thread has.  EXP names a shared object, an element, or a pointer-to-shared."""

    def __init__(self):
        super().__init__("info upc", gdb.COMMAND_STATUS, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        try:
            count = threads()
        except gdb.error:   # the record is thread-local
            count = 0
        if count == 0:
            raise gdb.GdbError("there are no threads before the program runs; set a breakpoint in main")
        if argument.strip():
            self.tell_place(argument.strip())
        else:
            self.tell_threads()
            self.tell_objects()

    def tell_threads(self):
        """UPC threads in one process are threads to gdb, each with its own record."""
        selected = gdb.selected_thread()
        process = gdb.selected_inferior().pid
        known = {}
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
            thread.switch()
            try:
                known.setdefault(self_record("mythread"), thread.num)
            except gdb.error:   # it has no record: not a UPC thread
                continue
        selected.switch()
        mine = self_record("mythread")
        for number in sorted(known):
            print("%s thread %d of %d: process %d, gdb's thread %d" %
                  ("*" if number == mine else " ", number, threads(), process, known[number]))
        others = threads() - len(known)
        if others > 0:
            print("  %d more in other processes; 'gdb -p' or 'attach' shows one" % others)

    def tell_objects(self):
        mine = self_record("mythread")
        objects = shared_objects()
        if not objects:
            print("no shared objects with static storage")
        for one in objects:
            text = one.text.rstrip() if one.text else "shared, %d bytes on each thread" % one.local_bytes
            print("%s: %s, %s" % (one.name, text, one.layout()))
            owned = one.owned(mine)
            if owned is not None:
                print("    thread %d has %s" % (mine, "elements " + ", ".join(owned) if owned else "none"))

    def tell_place(self, text):
        found = denoted(text)
        if found is None:
            raise gdb.GdbError("%s is neither a shared object nor a pointer-to-shared" % text)
        is_pointer = isinstance(found.type, Pointer) and found.type.is_to_shared()
        thread = None
        if found.address is not None:
            thread = (found.address - self_record("window_base")) // self_record("stride")
        if thread is not None and 0 <= thread < threads():
            print("%s is on thread %d, address 0x%x" % (text, thread, found.address))
        elif not is_pointer:
            raise gdb.GdbError("%s is private" % text)
        if is_pointer:
            pointer = found.pointer()
            place = tuple(int(pointer[name]) for name in ("thread", "phase", "addr"))
            print("%s points to %s" % (text, describe_address(place[0], place[2])))
            print("    thread %d, phase %d, address 0x%x" % place)
