"""What a thread's record in the program says."""

import gdb


def self_member(member):
    """A member of the record of the thread, as C: of threads that share a process each has its own record."""
    pointer = gdb.lookup_static_symbol("bn_who")
    return ("bn_who->" if pointer else "bn_self.") + member


def self_record(member):
    return int(gdb.parse_and_eval(self_member(member)))


def threads():
    return self_record("threads")
