"""UPC types, read from the text stored in each unit."""

import os
import re

import gdb

from .record import threads, values_in_units

POINTER = "bn_pointer_to_shared"


class Base:
    """A C type whose name gdb knows."""

    def __init__(self, name, block):
        self.name, self.block = name, block

    def size(self):
        return c_type(self.name).sizeof

    def c_name(self):
        return self.name


class Pointer:
    """A pointer to shared or private objects; `block` is the block size of the pointer itself, if it is shared."""

    def __init__(self, to, block):
        self.to, self.block = to, block

    def is_to_shared(self):
        return innermost(self.to).block is not None

    def size(self):
        return 16 if self.is_to_shared() else 8

    def c_name(self):
        return "struct " + POINTER if self.is_to_shared() else self.to.c_name() + " *"


class Array:
    def __init__(self, of, count):
        self.of, self.count = of, count

    def size(self):
        return self.of.size() * self.count


def innermost(type_):
    """The element type of an array with any number of dimensions."""
    while isinstance(type_, Array):
        type_ = type_.of
    return type_


def elements(type_):
    return type_.count * elements(type_.of) if isinstance(type_, Array) else 1


QUALIFIERS = {"const", "volatile", "restrict", "strict", "relaxed"}


def parse_type(text):
    """The type named by a text such as "shared [4] double[4*THREADS]"; None if its form is not supported."""
    tokens = re.findall(r"\w+|\[[^\]]*\]|[*()]", text)
    if "(" in tokens:
        return None
    at = 0

    def qualifiers():
        nonlocal at
        block = None
        while at < len(tokens) and (tokens[at] in QUALIFIERS or tokens[at] == "shared"):
            if tokens[at] == "shared":
                block = 1
                is_layout = at + 1 < len(tokens) and re.fullmatch(r"\[\d*\]", tokens[at + 1]) and at + 2 < len(tokens)
                if is_layout and not is_dimension(at + 1):
                    at += 1
                    block = int(tokens[at][1:-1] or 0)
            at += 1
        return block

    def is_dimension(index):
        """Whether the brackets there, and all after them, are dimensions: then nothing else follows."""
        return all(token.startswith("[") for token in tokens[index:])

    block = qualifiers()
    words = []
    while at < len(tokens) and re.match(r"\w", tokens[at]):
        words.append(tokens[at])
        at += 1
    named = TYPES.typedef(" ".join(words))
    result = parse_type(named) if named else Base(" ".join(words), block)
    while at < len(tokens) and tokens[at] == "*":
        at += 1
        result = Pointer(result, qualifiers())
    for token in reversed(tokens[at:]):
        count = token[1:-1]
        if not re.fullmatch(r"\d+|THREADS|\d+\*THREADS", count):
            return None
        number = int(re.match(r"\d*", count)[0] or 1)
        result = Array(result, number * threads() if count.endswith("THREADS") else number)
    return result


def c_type(name):
    for prefix, lookup in (("struct ", "struct "), ("union ", "union "), ("enum ", "enum ")):
        if name.startswith(prefix):
            return gdb.lookup_type(lookup + name[len(prefix):])
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
