"""Expressions: UPC operands are replaced by the C objects that they denote, and gdb evaluates the rest:

    print grid[i + 1] * 2    ->    (*$upc1) * 2, where $upc1 is (double *) 0x110000000088
"""

import operator
import re

import gdb

from . import pointers
from .objects import Found, address_of_element, find, other_unit
from .paths import Path, closing, follow, member_of, path_from
from .record import require_memory, self_member
from .types import TYPES, Array, Base, Pointer, elements, innermost, parse_type


def extent(text, start, stops):
    """Index after the right operand that starts at `start` and ends at one of `stops` outside brackets"""
    at = re.compile(r"[\s+*&~!-]*").match(text, start).end()
    while at < len(text) and text[at] not in stops or text.startswith("->", at):
        at = closing(text, at) if text[at] in "([" else at + (2 if text.startswith("->", at) else 1)
    return at


def is_counted(target):
    """Whether indexing and arithmetic on pointers to this type are done here"""
    return target is not None and not isinstance(target, Array) and not (
        isinstance(target, Base) and target.name == "void")


def number(value):
    return Found(None, Base("long", ""), None, value=gdb.Value(value))


# What may precede a sum or a comparison whose first operand is a pointer-to-shared
LEFT = re.compile(r"(^|&&|\|\||[(\[,=?:<>])\s*$|^\s*/\w+\s+$")
COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
               ">=": operator.ge}


class Operand:
    """A UPC object and the operators applied to it, starting with the name at `start`"""

    def __init__(self, text, start, end, found):
        self.text, self.start, self.end, self.found = text, start, end, found

    def index(self, index):
        found = self.found
        if isinstance(found.type, Array):
            element = found.type.of
            first = found.first + index * elements(element)
            if found.handle is None:   # private array of pointers-to-shared
                return Found(found.address + index * element.size(), element, None)
            end = innermost(found.type)
            address = address_of_element(found.handle, first, end.block, end.size())
            return Found(address, element, None, found.handle, first, first % end.block if end.block else 0)
        if isinstance(found.type, Pointer) and not found.type.is_to_shared():
            to = found.type.to
            return Found(found.private_target() + index * to.size(), to, None) if is_counted(to) else None
        target = found.target()
        if not is_counted(target):
            return None
        address, _, phase = pointers.moved(found.pointer(), index, target.block, target.size())
        return Found(address, target, None, phase=phase)

    def member(self, name, is_arrow):
        found = self.found
        record, address = found.type, found.address
        if is_arrow:
            record = found.target()
            if record is None:
                return None
            address = int(found.pointer()["addr"])
        if not isinstance(record, Base) or record.block is None:
            return None
        member = member_of(record.in_gdb(), name)
        if member is None or member.text is None:
            return None   # gdb itself handles it
        return Found(address + member.bits // 8, parse_type(member.text), member.text)

    def path(self):
        """What C has no type for among the members of members of a struct"""
        found = self.found
        if not isinstance(found.type, Base) or found.address is None:
            return None
        known = follow(found.type.in_gdb(), self.text, self.end)
        type_ = parse_type(known[1]) if known is not None else None
        if type_ is None:
            return None
        text = self.in_c() + self.text[self.end:known[0]]
        self.end = known[0]
        return Path(lambda: evaluated(text), type_, known[1])

    def grow(self):
        """Absorbs one operator after the name; returns False if there is none that concerns UPC."""
        rest = self.text[self.end:]
        blank = len(rest) - len(rest.lstrip())
        if rest.lstrip().startswith("["):
            end = closing(self.text, self.end + blank)
            found = self.index(int(evaluated(self.text[self.end + blank + 1:end - 1])))
        else:
            match = re.match(r"\s*(\.|->)\s*(\w+)", rest)
            if match is None:
                return False
            end = self.end + match.end()
            found = self.member(match[2], match[1] == "->")
            if found is None and match[1] == "->" and isinstance(self.found.type, Pointer):
                found, end = self.index(0), self.end + match.start(1)   # (*p).member, which gdb handles
                self.text = self.text[:end] + "." + self.text[end + 2:]
        if found is None:
            found = self.path()
            end = self.end
        if found is None:
            return False
        self.found, self.end = found, end
        return True

    def prefix(self):
        """Absorbs a preceding unary '*' or '&'."""
        before = self.text[:self.start].rstrip()
        if not before or before[-1] not in "*&" or before.endswith("&&"):
            return False
        left = before[:-1].rstrip()
        if left and (left[-1].isalnum() or left[-1] in "_)]'\""):
            return False
        found = self.index(0) if before[-1] == "*" else self.address_of()
        if found is None:
            return False
        self.found, self.start = found, len(before) - 1
        return True

    def address_of(self):
        """The address of a shared object; gdb itself handles other objects."""
        found = self.found
        if isinstance(found.type, Array) or found.type.block is None or found.address is None:
            return None
        return Found(None, Pointer(found.type, ""), None, value=pointers.to_object(found.address, found.phase))

    def right(self, operators, stops):
        """The operator after a pointer-to-shared, and the end and value of its right operand"""
        match = re.match(r"\s*(%s)" % operators, self.text[self.end:])
        if match is None or self.found.target() is None or not LEFT.search(self.text[:self.start]):
            return None
        start = self.end + match.end()
        end = extent(self.text, start, stops)
        return match[1], end, evaluated(self.text[start:end])

    def add(self):
        """Absorbs an addition to a pointer-to-shared or a subtraction; returns False if there is none."""
        known = self.right(r"[+-](?![+=>-])", "+-<>=!&|^?:,)]")
        if known is None:
            return False
        sign, end, value = known
        target, pointer = self.found.target(), self.found.pointer()
        if not is_counted(target):
            raise gdb.GdbError("there is no arithmetic on pointers to void or to arrays here")
        if sign == "-" and pointers.is_pointer(value):
            self.found = number(pointers.difference(pointer, value, target.block, target.size()))
        else:
            index = -int(value) if sign == "-" else int(value)
            place = pointers.moved(pointer, index, target.block, target.size())
            self.found = Found(None, self.found.type, None, value=pointers.make(*place))
        self.end = end
        return True

    def compare(self):
        """Absorbs a comparison with a pointer-to-shared."""
        known = self.right("==|!=|<=|>=|<(?!<)|>(?!>)", "&|^?:,)]")
        if known is None:
            return
        relation, self.end, value = known
        pointer, target = self.found.value(), self.found.target()
        if relation in ("==", "!=") or not is_counted(target):
            order = int(pointer["addr"]) - int(value["addr"] if pointers.is_pointer(value) else value)
        else:
            order = pointers.difference(pointer, value, target.block, target.size())
        self.found = number(int(COMPARISONS[relation](order, 0)))

    def unbracket(self):
        """Absorbs enclosing parentheses; returns False if there are none, or they belong to a call."""
        before, behind = self.text[:self.start].rstrip(), self.text[self.end:].lstrip()
        if not re.search(r"(^|[^\w)\]])\($", before) or not behind.startswith(")"):
            return False
        self.start, self.end = len(before) - 1, len(self.text) - len(behind) + 1
        return True

    def take(self):
        """Absorbs everything around it that concerns UPC."""
        is_larger = True
        while is_larger:
            while self.grow():
                pass
            while self.prefix():
                pass
            while self.add():
                pass
            self.compare()
            is_larger = self.unbracket()

    def in_c(self):
        found = self.found
        if found.address is None:
            return "$" + convenience(found.value())
        require_memory(found.address)
        if isinstance(found.type, Array):
            return "$" + convenience(array_value(found))
        return "(*$%s)" % convenience(gdb.Value(found.address).cast(found.type.in_gdb().pointer()))


CONVENIENCE = [0]


def convenience(value):
    """The name of a new convenience variable, of which there are not many: gdb searches a list of them."""
    CONVENIENCE[0] = CONVENIENCE[0] % 1000 + 1
    name = "upc%d" % CONVENIENCE[0]
    gdb.set_convenience_variable(name, value)
    return name


def array_value(found):
    """An array in contiguous form, with as many elements as gdb prints"""
    shown = gdb.parameter("print elements") or 200
    end = innermost(found.type)
    total = elements(found.type)
    count = min(total, shown + 1)
    data = bytearray()
    for index in range(count):
        if found.handle is None:
            address = found.address + index * end.size()
        else:
            address = address_of_element(found.handle, found.first + index, end.block, end.size())
        data += bytes(gdb.selected_inferior().read_memory(address, end.size()))
    shown_type = found.type if count == total else Array(end, count)
    return gdb.Value(bytes(data), shown_type.in_gdb())


NAME = re.compile(r"(?<![\w$.>'\"])[^\W\d]\w*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


def operands(text, shows_pointers=True):
    """The first UPC operand in a text, extended as far as possible; one that is only a pointer is left to gdb if that
    shows it."""
    for match in NAME.finditer(text):
        if match[0] in ("MYTHREAD", "THREADS") or match[0][0] in "\"'" or "bn_types" in match[0]:
            continue
        start, end, found = match.start(), match.end(), find(match[0])
        if found is None:
            path = path_from(match[0], text, start, end, evaluated)
            if path is None:
                continue
            start, end, found = path
        operand = Operand(text, start, end, found)
        operand.take()
        if found.handle is not None or operand.found is not found or not shows_pointers:
            return operand
    return None


def evaluated(text):
    return gdb.parse_and_eval(in_c(text))


def in_c(text):
    """The expression with its UPC parts replaced by C"""
    operand = operands(text)
    while operand is not None:
        text = operand.text[:operand.start] + operand.in_c() + operand.text[operand.end:]
        operand = operands(text)
    text = re.sub(r"(?<![\w$.>])MYTHREAD\b", self_member("mythread"), text)
    return re.sub(r"(?<![\w$.>])THREADS\b", self_member("threads"), text)


def describe(text):
    """The output of ptype for an expression that is a UPC name; None for others"""
    name = text.strip()
    if name in ("MYTHREAD", "THREADS"):
        return "const int"
    if not re.fullmatch(r"[^\W\d]\w*", name):
        return None
    symbol = gdb.lookup_symbol(name)[0] if has_frame() else gdb.lookup_global_symbol(name)
    if symbol is not None and (symbol.is_variable or symbol.is_argument):
        text = TYPES.variable(name, symbol.symtab.filename, symbol.line)
        return text or (other_unit(name) if str(symbol.type) == "bn_shared_t" else None)
    found = find(name)
    return found.text if found is not None else None


def has_frame():
    try:
        gdb.selected_frame()
        return True
    except gdb.error:
        return False
