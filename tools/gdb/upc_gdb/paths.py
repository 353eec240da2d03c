"""Paths of C: members and elements of private objects, until one is a pointer-to-shared, which gdb cannot follow:

    list->first[i].p    of which C has all but the type of p
"""

import re

import gdb

from .objects import Found
from .types import TYPES, parse_type

RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
SEQUENCES = (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY)


def closing(text, start):
    """Index after the bracket that closes the one at `start`"""
    depth = 0
    for i in range(start, len(text)):
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise gdb.GdbError("no ']' in expression")


class Member:
    """A member of a struct or union: its place, its type in C, and its text in UPC if C lacks its type"""

    def __init__(self, bits, type_, text, is_bit_field):
        self.bits, self.type, self.text, self.is_bit_field = bits, type_, text, is_bit_field


def text_of(record, name, alias):
    """What upcc stored of a member; a struct without a tag is known by its typedef name, or by its members alone."""
    tag = record.tag
    if tag and not tag.startswith("bn_anonymous_"):
        return TYPES.member(tag, name)
    return (TYPES.member(alias, name) if alias else None) or TYPES.member("", name)


def member_of(type_, name):
    """The member of a struct or union with this name, also one of an unnamed struct in it; None if there is none"""
    alias = ""
    while type_.code == gdb.TYPE_CODE_TYPEDEF:
        alias, type_ = type_.name, type_.target()
    for field in type_.fields() if type_.code in RECORDS else ():
        if field.name == name:
            return Member(field.bitpos, field.type, text_of(type_, name, alias), field.bitsize > 0)
        inner = member_of(field.type, name) if not field.name else None
        if inner is not None:
            return Member(field.bitpos + inner.bits, inner.type, inner.text, inner.is_bit_field)
    return None


class Path(Found):
    """The object that an expression of C denotes, which is evaluated once, when it is needed"""

    def __init__(self, evaluate, type_, text):
        super().__init__(None, type_, text)
        self.evaluate, self.known = evaluate, None

    def object(self):
        if self.known is None:
            self.known = self.evaluate()
        return self.known

    @property
    def address(self):
        address = self.object().address
        return None if address is None else int(address)

    @address.setter
    def address(self, _):
        pass

    def value(self):
        return self.object()


def follow(type_, text, at):
    """The first member after `at` that C has no type for, reached from an object of C: the index behind it, and its
    text; None if there is none"""
    while True:
        at += len(text[at:]) - len(text[at:].lstrip())
        match = re.compile(r"(\.|->)\s*(\w+)").match(text, at)
        if not text.startswith("[", at) and match is None:
            return None
        if match is None or match[1] == "->":
            sequence = type_.strip_typedefs()
            if sequence.code not in SEQUENCES:
                return None
            type_ = sequence.target()
        if match is None:
            at = closing(text, at)
            continue
        member, at = member_of(type_, match[2]), match.end()
        if member is None:
            return None
        if member.text is not None:
            return at, member.text
        type_ = member.type


def path_from(name, text, start, end, evaluate):
    """The object that C has no type for on the path from the private variable at `start`: its start, its end, and
    what was found; None if there is none.  `evaluate` evaluates text."""
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:   # no frame
        symbol = gdb.lookup_global_symbol(name)
    if symbol is None or not symbol.is_variable and not symbol.is_argument:
        return None
    type_ = symbol.type
    while True:   # (*p).member
        before, behind = re.search(r"\(\s*\*\s*$", text[:start]), re.match(r"\s*\)", text[end:])
        if before is None or behind is None or type_.strip_typedefs().code not in SEQUENCES:
            break
        start, end, type_ = before.start(), end + behind.end(), type_.strip_typedefs().target()
    found = follow(type_, text, end)
    if found is None:
        return None
    end, described = found
    type_ = parse_type(described)
    return (start, end, Path(lambda: evaluate(text[start:end]), type_, described)) if type_ is not None else None
