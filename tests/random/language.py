"""C types of random programs, and expressions that are written in C and in Python at the same time."""


class Int:
    """An integer type.  `rank` orders types as the usual arithmetic conversions do."""

    def __init__(self, name, bits, signed, rank):
        self.name = name
        self.bits = bits
        self.signed = signed
        self.rank = rank

    def convert(self, py):
        return "int(bool(%s))" % py if self.name == "_Bool" else "wrap(%s, %d, %s)" % (py, self.bits, self.signed)


INTS = {name: Int(name, bits, signed, rank) for name, bits, signed, rank in (
    ("_Bool", 1, False, 0), ("signed char", 8, True, 1), ("unsigned char", 8, False, 1), ("short", 16, True, 2),
    ("unsigned short", 16, False, 2), ("int", 32, True, 3), ("unsigned", 32, False, 3), ("long", 64, True, 4),
    ("unsigned long", 64, False, 4), ("long long", 64, True, 5), ("unsigned long long", 64, False, 5),
    ("__int128", 128, True, 6), ("unsigned __int128", 128, False, 6), ("enum colour", 32, False, 3))}
INT, UINT, LONG, ULONG = (INTS[name] for name in ("int", "unsigned", "long", "unsigned long"))


class Float:
    """A floating type.  Programs store only whole numbers that every format represents."""

    def __init__(self, name):
        self.name = name


FLOATS = [Float("float"), Float("double"), Float("long double")]


class Struct:
    """members: (name, type, width or None, count or None).  Addresses within packed structs are misaligned."""

    def __init__(self, name, members, packed):
        self.name = name
        self.packed = packed
        self.members = members


class Pointer:
    """A pointer-to-shared to elements `element` in blocks of `block`."""

    def __init__(self, element, block, strictness=""):
        self.element = element
        self.block = block
        self.strictness = strictness
        layout = "[%s] " % (block or "") if block != 1 else ""
        if isinstance(element, Pointer):
            self.target = "%s%sshared %s" % (element.name, strictness, layout)
        else:
            self.target = "%sshared %s%s" % (strictness, layout, element.name)
        self.name = self.target + " *"


def promote(t):
    if t.name == "enum colour":
        return UINT
    return INT if t.bits < 32 else t


def common(a, b):
    """The usual arithmetic conversions"""
    a, b = promote(a), promote(b)
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    if unsigned.rank >= signed.rank:
        return unsigned
    if signed.bits > unsigned.bits:
        return signed
    return INTS["unsigned " + signed.name]


class Value:
    """An integer expression without side effects."""

    def __init__(self, c, py, type_):
        self.c = c
        self.py = py
        self.type = type_

    def to(self, type_):
        return self.py if self.type is type_ else type_.convert(self.py)


class Place:
    """An lvalue: its C text, and an expression for a model.Ref."""

    def __init__(self, c, ref, type_, width=None):
        self.c = c
        self.ref = ref
        self.type = type_
        self.width = width  # of a bit-field

    def stored(self, value):
        """What a place holds once `value` has been assigned to it."""
        if isinstance(self.type, Int):
            if self.width:
                return "wrap(%s, %d, %s)" % (value.py, self.width, self.type.signed)
            return value.to(self.type)
        return value.py

    def read_type(self):
        """Type of its value in an expression."""
        if self.width and self.width < 32:
            return INT
        return self.type


def default(type_):
    """The Python text of a value of all zeros"""
    if isinstance(type_, Struct):
        parts = []
        for name, member, _, count in type_.members:
            zero = default(member)
            parts.append("%r: %s" % (name, "[%s for _ in range(%d)]" % (zero, count) if count else zero))
        return "{%s}" % ", ".join(parts)
    return "None" if isinstance(type_, Pointer) else "0"
