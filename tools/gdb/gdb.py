"""UPC support for gdb: print, ptype and whatis understand shared objects, pointers-to-shared, MYTHREAD and THREADS;
info upc shows threads, objects and their layouts.

upcc -g stores in each unit a text with the UPC types (compiler/lower/debug_types.cc), and the name of this file; gdb
itself only knows the types of emitted C.
"""

import os
import sys

import gdb


def load():
    sys.path.append(os.path.dirname(os.path.realpath(__file__)))
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    from upc_gdb import commands, info, types  # pylint: disable=import-outside-toplevel
    sys.dont_write_bytecode = writes
    gdb.pretty_printers.append(commands.printer)
    commands.Print()
    commands.TypeOf("ptype", True)
    commands.TypeOf("whatis", False)
    commands.Upc()
    info.InfoUpc()
    gdb.events.new_objfile.connect(lambda _: types.TYPES.forget())


if not hasattr(gdb, "banyan_is_loaded"):
    gdb.banyan_is_loaded = True
    load()
