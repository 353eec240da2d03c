"""UPC types, read from the text stored in each unit."""

import os
import re

import gdb

from .record import threads, values_in_units

POINTER = "bn_pointer_to_shared"


class Type:
    """What the kinds of types share; each has in_gdb(), the type by which gdb shows such objects."""

    def size(self):
        return self.in_gdb().sizeof


class Qualified(Type):
    """A type with qualifiers such as "strict shared [4]"; `block` is the block size, None for a private object."""

    def __init__(self, quals):
        self.quals, self.block = "", None
        self.qualify(quals)

    def qualify(self, quals):
        self.quals = " ".join(filter(None, (self.quals, quals)))
        layout = re.search(r"\[(\d*)\]", self.quals)
        if "shared" in self.quals.split():
            self.block = int(layout[1] or 0) if layout else 1


class Base(Qualified):
    """A type of C that is no array or pointer, by its name, or as gdb knows it"""

    def __init__(self, name, quals, type_=None):
        super().__init__(quals)
        self.name, self.type = name, type_

    def in_gdb(self):
        return c_type(self.name) if self.type is None else self.type


class Pointer(Qualified):
    """A pointer to shared or private objects; gdb may know a name of its type"""

    def __init__(self, to, quals, type_=None):
        super().__init__(quals)
        self.to, self.type = to, type_

    def is_to_shared(self):
        return innermost(self.to).block is not None

    def in_gdb(self):
        if self.is_to_shared():
            return gdb.lookup_type("struct " + POINTER)
        return self.to.in_gdb().pointer() if self.type is None else self.type


class Array(Type):
    def __init__(self, of, count):
        self.of, self.count = of, count

    def in_gdb(self):
        return self.of.in_gdb().array(self.count - 1)


def innermost(type_):
    """The element type of an array with any number of dimensions."""
    while isinstance(type_, Array):
        type_ = type_.of
    return type_


def elements(type_):
    return type_.count * elements(type_.of) if isinstance(type_, Array) else 1


def text_of_type(type_, inner=""):
    """A type as upcc writes it (compiler/sema/describe.cc)"""
    if isinstance(type_, Array):
        return text_of_type(type_.of, "%s[%d]" % (inner, type_.count))
    if isinstance(type_, Pointer):
        inner = " ".join(filter(None, ("*" + type_.quals, inner)))
        return text_of_type(type_.to, "(%s)" % inner if isinstance(type_.to, Array) else inner)
    return " ".join(filter(None, (type_.quals, type_.name))) + " " * (inner[:1] in ("*", "(")) + inner


QUALIFIERS = {"const", "volatile", "restrict", "strict", "relaxed", "shared"}


def parse_type(text):
    """The type named by a text such as "shared [4] double[4*THREADS]"; None if its form is not supported."""
    tokens = re.findall(r"\w+|\[[^\]]*\] ?|[*()]", text)   # a blank follows a layout, but no dimension
    if "(" in tokens:
        return None
    at = 0

    def qualifiers():
        nonlocal at
        start = at
        while at < len(tokens) and (tokens[at] in QUALIFIERS or tokens[at].endswith("] ")):
            at += 1
        return " ".join(token.strip() for token in tokens[start:at])

    quals = qualifiers()
    words = []
    while at < len(tokens) and re.match(r"\w", tokens[at]):
        words.append(tokens[at])
        at += 1
    result = named_type(" ".join(words), quals)
    while result is not None and at < len(tokens) and tokens[at] == "*":
        at += 1
        result = Pointer(result, qualifiers())
    for token in reversed(tokens[at:]):
        count = token[1:-1]
        if result is None or not re.fullmatch(r"\d+|THREADS|\d+\*THREADS", count):
            return None
        number = int(re.match(r"\d*", count)[0] or 1)
        result = Array(result, number * threads() if count.endswith("THREADS") else number)
    return result


def named_type(name, quals):
    """The type with this name, which may stand for an array or a pointer; None if its form is not supported"""
    text = TYPES.typedef(name)
    if text is None:
        try:
            return from_gdb(c_type(name), quals)
        except gdb.error:   # gdb does not know it, but perhaps does when a unit of a library has been read
            return Base(name, quals)
    result = parse_type(text)
    if result is not None:
        innermost(result).qualify(quals)
    return result


def from_gdb(type_, quals):
    """A type that gdb knows; the qualifiers are those of its elements."""
    plain = type_.strip_typedefs()
    if plain.code == gdb.TYPE_CODE_ARRAY and not is_vector(plain):
        first, last = plain.range()
        return Array(from_gdb(plain.target(), quals), last - first + 1)
    if plain.code == gdb.TYPE_CODE_PTR:
        return Pointer(from_gdb(plain.target(), ""), quals, type_)
    return Base(str(type_), quals, type_)


def is_vector(array):
    """Whether gdb's array type is one with the attribute vector_size, which has operators of its own"""
    return str(array).endswith(")))")   # as in "float __attribute__ ((vector_size(4)))"


def c_type(name):
    if name.startswith("_Complex "):   # gcc and clang have other names for such types, which gdb makes
        return gdb.parse_and_eval("(%s *)0" % name).type.target()
    return gdb.lookup_type(name)


class Types:
    """The UPC types stored in the units of a program, read again when the program is reloaded."""

    def __init__(self):
        self.variables, self.members, self.typedefs = None, {}, {}

    def forget(self):
        self.variables = None

    def read(self):
        variables, members, typedefs = {}, {}, {}
        for text in values_in_units("bn_types"):
            for line in text.string().split("\n"):
                fields = line.split("\t")
                if fields[0] == "v":
                    key = (os.path.basename(fields[1]), fields[3])
                    variables.setdefault(key, []).append((int(fields[2]), fields[4]))
                elif fields[0] == "m":
                    key = (fields[1], fields[3])
                    is_known = members.setdefault(key, fields[4]) == fields[4]
                    if not is_known and not fields[1]:   # several structs without names have such a member
                        members[key] = None
                elif fields[0] == "t":
                    typedefs[fields[3]] = fields[4]
        self.variables, self.members, self.typedefs = variables, members, typedefs

    def variable(self, name, file, line):
        """The type of the variable declared there, or of the last one with this name above that line."""
        if self.variables is None:
            self.read()
        known = self.variables.get((os.path.basename(file), name), [])
        above = [entry for entry in known if entry[0] <= line]
        return max(above, key=lambda entry: entry[0])[1] if above else None

    def member(self, tag, name):
        if self.variables is None:
            self.read()
        return self.members.get((tag, name))

    def typedef(self, name):
        if self.variables is None:
            self.read()
        return self.typedefs.get(name)


TYPES = Types()
