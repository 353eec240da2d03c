"""Access to a thread's record in the program."""

import gdb


def self_member(member):
    """C expression for a member of the selected thread's record: threads that share a process have separate records."""
    pointer = gdb.lookup_static_symbol("bn_who")
    return ("bn_who->" if pointer else "bn_self.") + member


def self_record(member):
    return int(gdb.parse_and_eval(self_member(member)))


def threads():
    return self_record("threads")


def require_memory(address):
    """Refuses an address in shared memory that is not there: gdb itself reads it from a core file as zeros."""
    connection = getattr(gdb.selected_inferior(), "connection", None)   # gdb 12 and later
    if connection is None or connection.type != "core":
        return
    if 0 <= address - self_record("window_base") < self_record("span"):
        raise gdb.GdbError("shared memory is not in a core file; stop the program in gdb, or attach to it (gdb -p), to "
                           "see shared objects")


def values_in_units(name):
    """The values of a static object that each unit has; with -flto, gcc also describes one without a place."""
    values = [symbol.value() for symbol in gdb.lookup_static_symbols(name)]
    return [value for value in values if not value.is_optimized_out]
