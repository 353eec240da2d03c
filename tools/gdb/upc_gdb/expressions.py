"""Expressions: UPC operands are replaced by the C objects that they denote, and gdb evaluates the rest:

    print grid[i + 1] * 2    ->    (*$upc1) * 2, where $upc1 is (double *) 0x110000000088
"""

import operator
import re

import gdb

from . import pointers
from .objects import Found, address_of_element, contents, find, other_unit
from .paths import closing, member_of, path_from
from .record import require_memory, self_member, self_record
from .types import TYPES, Array, Base, Pointer, elements, from_gdb, innermost, parse_type, text_of_type


# The format of print that may precede an expression
FORMAT = re.compile(r"^\s*/\w+\s*$")


def extent(text, start, stops):
    """Index after the right operand that starts at `start` and ends at one of `stops` outside brackets"""
    at = re.compile(r"[\s+*&~!-]*").match(text, start).end()
    while at < len(text) and text[at] not in stops or text.startswith("->", at):
        at = closing(text, at) if text[at] in "([" else at + (2 if text.startswith("->", at) else 1)
    return at


def cast_before(text):
    """The type of the cast at the end of a text; None if there is none"""
    if not text.endswith(")"):
        return None
    depth, start = 1, len(text) - 1
    while depth > 0 and start > 0:
        start -= 1
        depth += {")": 1, "(": -1}.get(text[start], 0)
    if re.search(r"\w\s*$", text[:start]) and not FORMAT.search(text[:start]):   # a call, or 'sizeof' of a type
        return None
    try:
        return gdb.parse_and_eval("(%s *)0" % text[start + 1:-1]).type.target()
    except gdb.error:
        return None


def ends_with_operand(text):
    """Whether an operator after the text has a left operand, and not a cast, 'sizeof' or format before it"""
    if text.endswith(")"):
        return cast_before(text) is None
    return re.search(r"[\w\]'\"]$", text) is not None and not re.search(r"(?<![\w$.>])sizeof$", text) \
        and not FORMAT.search(text)


def is_counted(target):
    """Whether there is indexing of pointers to this type, and arithmetic"""
    return target is not None and not (isinstance(target, Base) and target.name == "void")


def number(value):
    return Found(None, Base("long", ""), None, value=gdb.Value(value))


def object_at(place, type_):
    """The shared object at an address, thread and phase"""
    address, thread, phase = place
    block = innermost(type_).block
    if block == 0 or not isinstance(type_, Array):
        return Found(address, type_, None, phase=phase)
    start = address - thread * self_record("stride") - phase * innermost(type_).size()
    return Found(address, type_, None, start, thread * block + phase, phase)


def decayed(found):
    """A shared array as the pointer to its first element; other objects as they are"""
    if not isinstance(found.type, Array) or innermost(found.type).block is None:
        return found
    return pointer_to(Found(found.address, found.type.of, None, phase=found.phase))


def pointer_to(found):
    return Found(None, Pointer(found.type, ""), None, value=pointers.to_object(found.address, found.phase))


# What may precede a sum or a comparison whose first operand is a pointer-to-shared
LEFT = re.compile(r"(^|&&|\|\||[(\[,=?:<>])\s*$|^\s*/\w+\s+$")
# The same for "&&", "||" and "?", which bind less tightly than comparisons
CONDITION_LEFT = re.compile(r"(^|&&|\|\||[(\[,?:]|(?<![=!<>])=)\s*$|^\s*/\w+\s+$")
# What binds more tightly than a unary operator before the operand
POSTFIX = re.compile(r"\s*(\.\s*[^\W\d]|->|[\[(]|\+\+|--)")
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
            if found.handle is None:   # contiguous
                return Found(found.address + index * element.size(), element, None)
            end = innermost(found.type)
            address = address_of_element(found.handle, first, end.block, end.size())
            return Found(address, element, None, found.handle, first, first % end.block if end.block else 0)
        to = found.type.to if isinstance(found.type, Pointer) else None
        if not is_counted(to):
            return None
        if not found.type.is_to_shared():
            return Found(found.private_target() + index * to.size(), to, None)
        return object_at(self.moved(index), to)

    def moved(self, index):
        """The place to which a pointer-to-shared points after adding an index"""
        target = self.found.target()
        end = innermost(target)
        return pointers.moved(self.found.pointer(), index * elements(target), end.block, end.size())

    def member(self, record, name):
        """A member of a struct; None if there is none, or only gdb itself can handle it: a bit-field"""
        if record is None or not isinstance(record.type, Base) or record.address is None:
            return None
        member = member_of(record.type.in_gdb(), name)
        if member is None or member.is_bit_field:
            return None
        type_ = from_gdb(member.type, "") if member.text is None else parse_type(member.text)
        if type_ is None:
            return None
        if record.type.block is not None:
            innermost(type_).qualify("shared []")
        return Found(record.address + member.bits // 8, type_, member.text)

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
            record = self.found if match[1] == "." else self.index(0)
            found = self.member(record, match[2])
            if found is None and match[1] == "->" and record is not None:
                found, end = record, self.end + match.start(1)   # (*p).member, which gdb handles
                self.text = self.text[:end] + "." + self.text[end + 2:]
        if found is None:
            return False
        self.found, self.end = found, end
        return True

    def is_followed_by_postfix(self):
        return POSTFIX.match(self.text, self.end) is not None

    def prefix(self):
        """Absorbs a preceding unary '*', '&' or '!', or 'sizeof'."""
        before = self.text[:self.start].rstrip()
        if self.is_followed_by_postfix():
            return False
        if re.search(r"(?<![\w$.>])sizeof$", before):
            self.found, self.start = number(self.found.type.size()), len(before) - len("sizeof")
            return True
        if not before or before[-1] not in "*&!" or before.endswith("&&"):
            return False
        if ends_with_operand(before[:-1].rstrip()):
            return False
        found = {"*": self.pointee, "&": self.address_of, "!": self.negation}[before[-1]]()
        if found is None:
            return False
        self.found, self.start = found, len(before) - 1
        return True

    def pointee(self):
        return self.index(0)

    def address_of(self):
        """The address of a shared object; gdb itself handles other objects."""
        found = self.found
        return pointer_to(found) if innermost(found.type).block is not None and found.address is not None else None

    def negation(self):
        return number(int(self.is_null())) if self.found.target() is not None else None

    def is_null(self):
        return int(self.found.value()["addr"]) == 0

    def refuse_assignment(self):
        """Refuses the operators that change a pointer-to-shared, which gdb would apply to something else."""
        if self.found.target() is None:
            return
        match = re.compile(r"\s*(\+\+|--|[+-]=)").match(self.text, self.end)
        if match is None and not self.is_followed_by_postfix():
            match = re.search(r"(\+\+|--)\s*$", self.text[:self.start])
        if match is not None:
            raise gdb.GdbError("there is no '%s' for pointers-to-shared here; write p = p + 1" % match[1])

    def right(self, operators, stops):
        """The operator after a pointer-to-shared, and the end and value of its right operand"""
        match = re.match(r"\s*(%s)" % operators, self.text[self.end:])
        if match is None or not LEFT.search(self.text[:self.start]):
            return None
        found = decayed(self.found)
        if found.target() is None:
            return None
        self.found = found
        start = self.end + match.end()
        end = extent(self.text, start, stops)
        return match[1], end, gdb.parse_and_eval(in_c(self.text[start:end], decays=True))

    def add(self):
        """Absorbs an addition to a pointer-to-shared or a subtraction; returns False if there is none."""
        known = self.right(r"[+-](?![+=>-])", "+-<>=!&|^?:,)]")
        if known is None:
            return False
        sign, end, value = known
        target, pointer = self.found.target(), self.found.pointer()
        if not is_counted(target):
            raise gdb.GdbError("there is no arithmetic on pointers to void here")
        if sign == "-" and pointers.is_pointer(value):
            self.found = number(distance(pointer, value, target))
        else:
            place = self.moved(-int(value) if sign == "-" else int(value))
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
            order = distance(pointer, value, target)
        self.found = number(int(COMPARISONS[relation](order, 0)))

    def repeat(self):
        """Absorbs '@' and a count: what follows in the order of the elements, not in the memory of a thread."""
        match = re.compile(r"\s*@").match(self.text, self.end)
        found = self.found
        if match is None or found.address is None or not innermost(found.type).block:
            return
        self.end = extent(self.text, match.end(), "<>=!&|^?:,)]")
        type_ = Array(found.type, int(evaluated(self.text[match.end():self.end])))
        self.found = object_at(pointers.parts(pointer_to(found).value()), type_)

    def condition(self):
        """Takes a pointer-to-shared as an operand of '&&', '||' or '?'; returns False if it is none."""
        if self.found.target() is None or self.is_followed_by_postfix():
            return False
        before, behind = self.text[:self.start].rstrip(), self.text[self.end:].lstrip()
        if behind.startswith(("&&", "||", "?")):
            is_operand = CONDITION_LEFT.search(before) is not None
        else:
            is_operand = before.endswith(("&&", "||")) and behind[:1] in ("", ")", "]", ",", ":")
        if is_operand:
            self.found = number(int(not self.is_null()))
        return is_operand

    def unbracket(self):
        """Absorbs enclosing parentheses; returns False if there are none, or they belong to a call."""
        before, behind = self.text[:self.start].rstrip(), self.text[self.end:].lstrip()
        if not before.endswith("(") or not behind.startswith(")") or ends_with_operand(before[:-1].rstrip()):
            return False
        self.start, self.end = len(before) - 1, len(self.text) - len(behind) + 1
        return True

    def take(self):
        """Absorbs everything around it that concerns UPC."""
        is_larger = True
        while is_larger:
            while self.grow():
                pass
            self.refuse_assignment()
            while self.prefix():
                self.refuse_assignment()
            while self.add():
                pass
            self.repeat()
            self.compare()
            is_larger = self.unbracket() or self.condition()

    def in_c(self, decays):
        found = decayed(self.found) if decays else self.found
        if found.target() is not None:
            cast = cast_before(self.text[:self.start].rstrip())
            if cast is not None and cast.strip_typedefs().code != gdb.TYPE_CODE_STRUCT:   # one to a type of C
                address = gdb.Value(int(found.value()["addr"]))
                return "$" + convenience(address.cast(gdb.lookup_type("void").pointer()))
        if found.address is None:
            return "$" + convenience(found.value())
        require_memory(found.address)
        if isinstance(found.type, Array) and found.handle is not None:
            return "$" + convenience(array_value(found))
        return "(*$%s)" % convenience(gdb.Value(found.address).cast(found.type.in_gdb().pointer()))


def distance(left, right, target):
    """The difference of two pointers-to-shared"""
    end = innermost(target)
    return pointers.difference(left, right, end.block, end.size()) // elements(target)


CONVENIENCE = [0]


def convenience(value):
    """The name of a new convenience variable, of which there are not many: gdb searches a list of them."""
    CONVENIENCE[0] = CONVENIENCE[0] % 1000 + 1
    name = "upc%d" % CONVENIENCE[0]
    gdb.set_convenience_variable(name, value)
    return name


def shown_part(type_, most):
    """The array type of what gdb prints, and of one element more in each dimension, which lets gdb print '...'"""
    return Array(shown_part(type_.of, most), min(type_.count, most + 1)) if isinstance(type_, Array) else type_


def contents_of_part(handle, first, type_, part):
    """The bytes of the elements in the first rows and columns of an array"""
    if elements(part.of) == elements(type_.of):
        end = innermost(part)
        return contents(handle, range(first, first + elements(part)), end.block, end.size())
    starts = range(first, first + part.count * elements(type_.of), elements(type_.of))
    return b"".join(contents_of_part(handle, start, type_.of, part.of) for start in starts)


def counts(type_):
    return "%d" % type_.count + (" * " + counts(type_.of) if isinstance(type_.of, Array) else "")


# So many elements are read in less than a second
QUICKLY_READ = 100000


def array_value(found):
    """A shared array in contiguous form; of one that is too large for gdb, or takes long to read, what gdb prints"""
    type_, size = found.type, found.type.size()
    limit, shown = gdb.parameter("max-value-size"), gdb.parameter("print elements")
    is_limited = limit is not None and limit >= 0
    is_too_large = is_limited and size > limit
    part = shown_part(type_, shown) if shown and (is_too_large or elements(type_) > QUICKLY_READ) else type_
    if is_limited and part.size() > limit:
        raise gdb.GdbError("the value has %d bytes, more than max-value-size allows (set max-value-size)" % size)
    if elements(part) < elements(type_):
        setting = "max-value-size" if is_too_large else "print elements"
        print("the first %s of %s elements, because of %s:" % (counts(part), counts(type_), setting))
    return gdb.Value(contents_of_part(found.handle, found.first, type_, part), part.in_gdb())


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


def denoted(text):
    """The object or value that is a whole expression; None if it is not one of UPC"""
    operand = operands(text, shows_pointers=False)
    is_whole = operand is not None and not (operand.text[:operand.start] + operand.text[operand.end:]).strip()
    return operand.found if is_whole else None


def evaluated(text):
    return gdb.parse_and_eval(in_c(text))


def in_c(text, decays=False):
    """The expression with its UPC parts replaced by C; shared arrays are pointers in it if it `decays`."""
    operand = operands(text)
    while operand is not None:
        text = operand.text[:operand.start] + operand.in_c(decays) + operand.text[operand.end:]
        operand = operands(text)
    text = re.sub(r"(?<![\w$.>])MYTHREAD\b", self_member("mythread"), text)
    return re.sub(r"(?<![\w$.>])THREADS\b", self_member("threads"), text)


def describe(text):
    """The output of ptype for a UPC name, and for a pointer-to-shared; None for other expressions"""
    name = text.strip()
    if name in ("MYTHREAD", "THREADS"):
        return "const int"
    if not re.fullmatch(r"[^\W\d]\w*", name):
        found = denoted(name)
        target = found.target() if found is not None else None
        return text_of_type(Pointer(target, "")) if target is not None else None
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
