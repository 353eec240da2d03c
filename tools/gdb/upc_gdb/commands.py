"""The commands print, ptype and whatis, and how pointers-to-shared are printed."""

import contextlib
import re

import gdb

from .expressions import describe, in_c
from .paths import text_of
from .types import POINTER


@contextlib.contextmanager
def explained_errors():
    """Gives gdb's errors the text that they have in its own commands, without the name of a class; it takes
    pointers-to-shared for structs of C++, which may have operators of their own."""
    try:
        yield
    except gdb.error as error:
        text = str(error)
        if re.search(r"no component named operator|Can't do that binary op", text):
            text = ("there is no such operator for these operands; pointers-to-shared have p + 1, p - 1, p - q, p == 0 "
                    "and the like")
        raise gdb.GdbError(text) from error


class Print(gdb.Command):
    """Print value of expression EXP, which may name shared objects and pointers-to-shared of UPC.
Usage: print [[OPTION]... --] [/FMT] [EXP]

For the options see "help call"."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        with explained_errors():
            gdb.execute("call " + (in_c(argument) if argument.strip() else "$"), from_tty)


class TypeOf(gdb.Command):
    """Print the type of EXP, an expression or the name of a type; UPC objects are shown with their UPC type.
Usage: ptype|whatis EXP"""

    def __init__(self, name, is_whole):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)
        self.name, self.is_whole = name, is_whole

    def invoke(self, argument, from_tty):
        if argument.startswith("/"):
            raise gdb.GdbError("in programs of UPC %s has no options; it has them after "
                               "gdb -iex 'set auto-load python-scripts off'" % self.name)
        with explained_errors():
            text = describe(argument)
            if text is None:
                type_ = type_of(argument)
                text = whole(type_) if self.is_whole else str(type_)
        print("type = " + text.rstrip())


class Upc(gdb.Function):
    """The UPC object or value named by a string, such as $upc("grid[i + 1]"), for gdb's own commands and conditions."""

    def __init__(self):
        super().__init__("upc")

    def invoke(self, text):
        with explained_errors():
            return gdb.parse_and_eval(in_c(text.string()))


def whole(type_):
    """A type without typedef names; a struct with its members"""
    alias, type_ = type_.name, type_.strip_typedefs()
    if type_.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return str(type_)
    members = "".join("    %s;\n" % declaration(type_, alias, field) for field in type_.fields())
    return "%s {\n%s}" % (str(type_).split(" {")[0], members)


def declaration(record, alias, field):
    """A member as it is declared"""
    name = field.name or ""
    text = name and text_of(record, name, alias) or str(field.type)
    pointer, dimensions = text.find("(*"), re.search(r"\s*(\[\w*\*?\w*\])+$", text)
    if pointer >= 0:
        text = text[:pointer + 2] + name + text[pointer + 2:]
    elif dimensions is not None:
        text = "%s %s%s" % (text[:dimensions.start()], name, dimensions[0].strip())
    else:
        text += " " * bool(name) + name
    return text + (" : %d" % field.bitsize if field.bitsize else "")


def type_of(argument):
    """The type of an expression, or the named type"""
    try:
        return gdb.parse_and_eval("(%s *)0" % argument).type.target()
    except gdb.error:
        return gdb.parse_and_eval(in_c(argument)).type


class PointerPrinter:
    """A pointer-to-shared: thread, phase and address"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        address = self.value["addr"]
        if not address.is_optimized_out and int(address) == 0:
            return "null"
        return "thread %s, phase %s, address %s" % (self.part("thread", "%d"), self.part("phase", "%d"),
                                                    self.part("addr", "0x%x"))

    def part(self, name, form):
        """A member, which optimised programs may not have"""
        value = self.value[name]
        return "<optimized out>" if value.is_optimized_out else form % int(value)


def printer(value):
    type_ = value.type.strip_typedefs()
    return PointerPrinter(value) if type_.code == gdb.TYPE_CODE_STRUCT and type_.tag == POINTER else None
