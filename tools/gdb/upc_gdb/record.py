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
