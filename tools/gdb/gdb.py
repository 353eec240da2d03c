"""UPC in gdb: print, ptype and whatis understand shared objects, pointers-to-shared, MYTHREAD and THREADS; info upc
tells of threads, objects and their layouts.

upcc -g leaves in each unit a text with the types of UPC (compiler/lower/debug_types.cc); gdb itself knows those of
emitted C only.
What of an expression is UPC is replaced by the object in C that it names, and gdb evaluates the rest:

    print grid[i + 1] * 2    ->    *(double *) 0x110000000088 * 2
"""

import os
import re

import gdb

POINTER = "bn_pointer_to_shared"


# ---- Types of UPC, from their text ----

class Base:
    """A type of C, whose name gdb knows."""

    def __init__(self, name, block):
        self.name, self.block = name, block

    def size(self):
        return c_type(self.name).sizeof

    def c_name(self):
        return self.name


class Pointer:
    """A pointer, to shared objects or to private ones; `block` is of itself, if it is shared."""

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
    """The element of an array of any dimensions."""
    while isinstance(type_, Array):
        type_ = type_.of
    return type_


def elements(type_):
    return type_.count * elements(type_.of) if isinstance(type_, Array) else 1


QUALIFIERS = {"const", "volatile", "restrict", "strict", "relaxed"}


def parse_type(text):
    """The type that a text as "shared [4] double[4*THREADS]" names; None if it is of a form that is not known here."""
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
        """Whether the brackets there, and all behind them, are dimensions: then nothing else follows."""
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


# ---- The program ----

def self_member(member):
    """A member of the record of the thread, as C: of threads that share a process each has its own record."""
    pointer = gdb.lookup_static_symbol("bn_who")
    return ("bn_who->" if pointer else "bn_self.") + member


def self_record(member):
    return int(gdb.parse_and_eval(self_member(member)))


def threads():
    return self_record("threads")


class Types:
    """The types of UPC that the units of a program tell, read again when it is loaded anew."""

    def __init__(self):
        self.variables, self.members, self.typedefs = None, {}, {}

    def forget(self):
        self.variables = None

    def read(self):
        self.variables, self.members, self.typedefs = {}, {}, {}
        for symbol in gdb.lookup_static_symbols("bn_types"):
            for line in symbol.value().string().split("\n"):
                fields = line.split("\t")
                if fields[0] == "v":
                    key = (os.path.basename(fields[1]), fields[3])
                    self.variables.setdefault(key, []).append((int(fields[2]), fields[4]))
                elif fields[0] == "m":
                    self.members[(fields[1], fields[3])] = fields[4]
                elif fields[0] == "t":
                    self.typedefs[fields[3]] = fields[4]

    def variable(self, name, file, line):
        """The type of the variable that is declared there, or of the last one of the name above that line."""
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


def blocks():
    """The scopes that the selected frame sees, from the inside"""
    try:
        block = gdb.selected_frame().block()
    except (gdb.error, RuntimeError):
        return
    while block is not None:
        yield block
        block = block.superblock


def record_here(name):
    """The record of a shared object whose scope is here, which may be a function: its handle has another name there."""
    for block in blocks():
        for symbol in block:
            if symbol.name.startswith("bn_static_") and symbol.is_variable:
                record = symbol.value()
                if int(record["handle"]) and record["name"].string() == name:
                    return symbol, record
    return None, None


class Found:
    """An object: where it lies, and its type; `handle` is the start of a shared object whose elements are counted from
    there, and `pointer` the value of a pointer-to-shared that lies nowhere."""

    def __init__(self, address, type_, text, handle=None, first=0, pointer=None):
        self.address, self.type, self.text = address, type_, text
        self.handle, self.first, self.given = handle, first, pointer

    def pointer(self):
        pointer = self.given
        if pointer is None:
            pointer = gdb.Value(self.address).cast(gdb.lookup_type("struct " + POINTER).pointer()).dereference()
        if int(pointer["addr"]) == 0:
            raise gdb.GdbError("the pointer-to-shared is null")
        return pointer


def find(name):
    """The shared object or pointer-to-shared of that name; None if it is neither."""
    symbol = None
    try:
        symbol = gdb.lookup_symbol(name)[0]
    except gdb.error:   # no frame
        symbol = gdb.lookup_global_symbol(name)
    if symbol is None or not symbol.is_variable and not symbol.is_argument:
        symbol, record = record_here(name)
        if symbol is None:
            return None
        text = TYPES.variable(name, symbol.symtab.filename, gdb.selected_frame().find_sal().line)
        return shared_object(int(record["handle"].dereference()), text)
    text = TYPES.variable(name, symbol.symtab.filename, symbol.line)
    if text is None:
        text = other_unit(name) if symbol.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else None
    if text is None:
        return None
    value = symbol.value(gdb.selected_frame()) if symbol.needs_frame else symbol.value()
    if str(symbol.type) == "bn_shared_t":
        return shared_object(int(value), text)
    type_ = parse_type(text)
    if type_ is None or value.is_optimized_out:
        return None
    try:
        return Found(int(value.address), type_, text)
    except (gdb.error, TypeError):   # it is in registers
        return Found(None, type_, text, pointer=value) if isinstance(type_, Pointer) else None


def other_unit(name):
    """The type of an object that this unit declares in a header of the system, or not at all"""
    TYPES.member("", "")
    found = {entry[1] for (_, known), entries in TYPES.variables.items() if known == name for entry in entries}
    return found.pop() if len(found) == 1 else None


def shared_object(handle, text):
    type_ = parse_type(text) if text else None
    if handle == 0:
        raise gdb.GdbError("shared objects have no addresses before the program runs; set a breakpoint in main")
    return Found(handle, type_, text, handle, 0) if type_ is not None else None


def address_of_element(handle, index, block, size):
    """Where an element of an object lies (docs/design/001-representation.md)"""
    if block == 0:
        return handle + index * size
    number, phase = divmod(index, block)
    row, thread = divmod(number, threads())
    return handle + thread * self_record("stride") + (row * block + phase) * size


def moved(pointer, index, block, size):
    """The address that a pointer-to-shared has after an addition"""
    address, thread, phase = (int(pointer[name]) for name in ("addr", "thread", "phase"))
    if block == 0:
        return address + index * size
    number, new_phase = divmod(phase + index, block)
    row, new_thread = divmod(thread + number, threads())
    return address + (new_thread - thread) * self_record("stride") + (row * block + new_phase - phase) * size


# ---- Expressions ----

def closing(text, start):
    """Index behind the bracket that closes the one at `start`"""
    depth = 0
    for i in range(start, len(text)):
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise gdb.GdbError("no ']' in expression")


class Operand:
    """An object of UPC and what is applied to it, from the name at `start` on"""

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
            return Found(address, element, None, found.handle, first)
        if not isinstance(found.type, Pointer) or not found.type.is_to_shared():
            return None
        pointer = found.pointer()
        target = found.type.to
        if isinstance(target, Array) or target.name == "void":
            return None
        return Found(moved(pointer, index, target.block, target.size()), target, None)

    def member(self, name, is_arrow):
        found = self.found
        record, address = found.type, found.address
        if is_arrow:
            if not isinstance(record, Pointer) or not record.is_to_shared():
                return None
            record, address = record.to, int(found.pointer()["addr"])
        if not isinstance(record, Base) or record.block is None:
            return None
        kind = c_type(record.name).strip_typedefs()
        if kind.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            return None
        field = next((field for field in kind.fields() if field.name == name), None)
        text = TYPES.member(kind.tag, name) if field is not None and kind.tag else None
        if text is None:
            return None   # gdb itself finds it
        return Found(address + field.bitpos // 8, parse_type(text), text)

    def grow(self):
        """Takes in one operator behind the name; False if there is none that concerns UPC."""
        rest = self.text[self.end:]
        blank = len(rest) - len(rest.lstrip())
        if rest.lstrip().startswith("["):
            end = closing(self.text, self.end + blank)
            found = self.index(int(gdb.parse_and_eval(in_c(self.text[self.end + blank + 1:end - 1]))))
        else:
            match = re.match(r"\s*(\.|->)\s*(\w+)", rest)
            if match is None:
                return False
            end = self.end + match.end()
            found = self.member(match[2], match[1] == "->")
            if found is None and match[1] == "->" and isinstance(self.found.type, Pointer):
                found, end = self.index(0), self.end + match.start(1)   # (*p).member, which gdb finds
                self.text = self.text[:end] + "." + self.text[end + 2:]
        if found is None:
            return False
        self.found, self.end = found, end
        return True

    def prefix(self):
        """Takes in a '*' or '&' in front of it that has no left operand."""
        before = self.text[:self.start].rstrip()
        if not before or before[-1] not in "*&":
            return False
        left = before[:-1].rstrip()
        if left and (left[-1].isalnum() or left[-1] in "_)]'\""):
            return False
        if before[-1] == "&":
            return False
        found = self.index(0)
        if found is None:
            return False
        self.found, self.start = found, len(before) - 1
        return True

    def in_c(self):
        found = self.found
        if not isinstance(found.type, Array):
            return "(*(%s *)%d)" % (found.type.c_name(), found.address)
        return "$" + convenience(array_value(found))


CONVENIENCE = [0]


def convenience(value):
    CONVENIENCE[0] += 1
    name = "upc%d" % CONVENIENCE[0]
    gdb.set_convenience_variable(name, value)
    return name


def array_value(found):
    """An array in one piece, with as many elements as gdb prints"""
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
    type_ = c_type(end.c_name()) if not isinstance(end, Pointer) else gdb.lookup_type("struct " + POINTER)
    if count < total:
        return gdb.Value(bytes(data), type_.array(count - 1))
    dimensions = []
    while isinstance(found.type, Array):
        dimensions.append(found.type.count)
        found = Found(0, found.type.of, None)
    for dimension in reversed(dimensions):
        type_ = type_.array(dimension - 1)
    return gdb.Value(bytes(data), type_)


NAME = re.compile(r"(?<![\w$.>'\"])[^\W\d]\w*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


def operands(text):
    """The first operand of UPC in a text, as large as it gets"""
    for match in NAME.finditer(text):
        if match[0] in ("MYTHREAD", "THREADS") or match[0][0] in "\"'" or "bn_types" in match[0]:
            continue
        found = find(match[0])
        if found is None:
            continue
        operand = Operand(text, match.start(), match.end(), found)
        while operand.grow():
            pass
        while operand.prefix():
            pass
        if found.handle is not None or operand.found is not found:   # gdb itself shows a pointer
            return operand
    return None


def in_c(text):
    """The expression with what is UPC in it as C"""
    operand = operands(text)
    while operand is not None:
        text = operand.text[:operand.start] + operand.in_c() + operand.text[operand.end:]
        operand = operands(text)
    text = re.sub(r"(?<![\w$.>])MYTHREAD\b", self_member("mythread"), text)
    return re.sub(r"(?<![\w$.>])THREADS\b", self_member("threads"), text)


def describe(text):
    """What ptype says of an expression that is a name of UPC; None of others"""
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


# ---- Commands ----

class Print(gdb.Command):
    """Print value of expression EXP, which may name shared objects and pointers-to-shared of UPC.
Usage: print [[OPTION]... --] [/FMT] [EXP]

For the options see "help call"."""

    def __init__(self):
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        gdb.execute("call " + (in_c(argument) if argument.strip() else "$"), from_tty)


class TypeOf(gdb.Command):
    """Print the type of EXP, an expression or the name of a type; what is of UPC has its type of UPC.
Usage: ptype|whatis EXP"""

    def __init__(self, name, is_whole):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)
        self.name, self.is_whole = name, is_whole

    def invoke(self, argument, from_tty):
        if argument.startswith("/"):
            raise gdb.GdbError("in programs of UPC %s has no options; it has them after "
                               "gdb -iex 'set auto-load python-scripts off'" % self.name)
        text = describe(argument)
        if text is None:
            type_ = type_of(argument)
            text = whole(type_) if self.is_whole else str(type_)
        print("type = " + text)


def whole(type_):
    """A type without names for it; a struct with its members"""
    type_ = type_.strip_typedefs()
    if type_.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return str(type_)
    members = ["    %s %s;\n" % (TYPES.member(type_.tag, field.name) or field.type, field.name)
               for field in type_.fields()]
    return "%s {\n%s}" % (type_, "".join(members))


def type_of(argument):
    """The type of an expression, or the type that is named"""
    try:
        return gdb.parse_and_eval("(%s *)0" % argument).type.target()
    except gdb.error:
        return gdb.parse_and_eval(in_c(argument)).type


class PointerPrinter:
    """A pointer-to-shared: thread, phase and address"""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        if int(self.value["addr"]) == 0:
            return "null"
        place = tuple(int(self.value[name]) for name in ("thread", "phase", "addr"))
        return "thread %d, phase %d, address 0x%x" % place


def printer(value):
    type_ = value.type.strip_typedefs()
    return PointerPrinter(value) if type_.code == gdb.TYPE_CODE_STRUCT and type_.tag == POINTER else None


# ---- info upc ----

class Object:
    """A shared object with static storage, as its record in the program says"""

    def __init__(self, record):
        self.name = record["name"].string()
        self.source = source_of(record)
        self.start = int(record["handle"].dereference())
        self.local_bytes, self.size, self.block = (int(record[name])
                                                   for name in ("local_bytes", "elem_bytes", "block_elems"))
        texts = self.texts()
        self.text = texts.pop() if len(texts) == 1 else None
        self.type = parse_type(self.text) if self.text else None

    def texts(self):
        """The types that the program tells of objects of this name, rather of those of its own unit"""
        TYPES.member("", "")
        known = {file: {entry[1] for entry in entries if is_shared_text(entry[1])}
                 for (file, name), entries in TYPES.variables.items() if name == self.name}
        own = known.get(os.path.basename(self.source), set())
        return set(own) if own else set().union(*known.values()) if known else set()

    def count(self):
        return elements(self.type) if self.type is not None else None

    def index_at(self, thread, address):
        """The element at an address of a thread; None if it is of another object"""
        offset = address - self.start - thread * self_record("stride")
        if not 0 <= offset < max(self.local_bytes, 1) or self.block == 0 and thread > 0:
            return None
        local = offset // self.size
        if self.block == 0:
            return local
        row, phase = divmod(local, self.block)
        return (row * threads() + thread) * self.block + phase

    def subscripts(self, index):
        """[1][2], of the element of this number"""
        type_, text = self.type, ""
        if type_ is None:
            return "[%d]" % index
        while isinstance(type_, Array):
            below = elements(type_.of)
            text += "[%d]" % (index // below)
            index, type_ = index % below, type_.of
        return text

    def layout(self):
        if not isinstance(self.type, Array) and self.type is not None:
            return "on thread 0"
        if self.block == 0:
            return "all elements on thread 0"
        blocks = "" if self.block == 1 else "blocks of %d, " % self.block
        number = "i" if self.block == 1 else "(i / %d)" % self.block
        return "%selement i on thread %s %% %d" % (blocks, number, threads())

    def owned(self, thread):
        """Which elements a thread has, as ranges; at most some of them"""
        total = self.count()
        if total is None or not isinstance(self.type, Array):
            return None
        if self.block == 0:
            return ["0..%d" % (total - 1)] if thread == 0 else []
        starts = range(thread * self.block, total, self.block * threads())
        shown = ["%d..%d" % (first, min(first + self.block, total) - 1) if self.block > 1 else str(first)
                 for first in starts[:4]]
        return shown + (["..."] if len(starts) > 4 else [])


def source_of(record):
    """The file of the unit that a record is in; empty if gdb does not tell"""
    name = re.match(r"bn_static_\w+", gdb.execute("info symbol %d" % int(record.address), to_string=True))
    for symbol in gdb.lookup_static_symbols(name[0]) if name else ():
        if symbol.value().address == record.address:
            return symbol.symtab.filename
    return ""


def is_shared_text(text):
    type_ = parse_type(text)
    return type_ is not None and innermost(type_).block is not None


def shared_objects():
    """Those of all units, by address: each unit tells of the records of its executable or library"""
    records = set()
    for symbol in gdb.lookup_static_symbols("bn_unit"):
        unit = symbol.value()
        count = (int(unit["statics_end"]) - int(unit["statics"])) // 8
        records.update(int(unit["statics"][i]) for i in range(count))
    type_ = gdb.lookup_type("struct bn_static").pointer()
    values = [gdb.Value(address).cast(type_).dereference() for address in records]
    found = [Object(value) for value in values if int(value["handle"]) and int(value["handle"].dereference())]
    return sorted(found, key=lambda one: one.start)


def describe_address(thread, address):
    """The object and the element at an address of a thread; where in the heap it is if there is none"""
    for one in shared_objects():
        index = one.index_at(thread, address)
        if index is None:
            continue
        rest = (address - one.start) % one.size
        return one.name + one.subscripts(index) + (" + %d bytes" % rest if rest else "")
    offset = address - self_record("window_base") - thread * self_record("stride")
    return "no static object: byte %d of the memory of thread %d" % (offset, thread)


class InfoUpc(gdb.Command):
    """Threads of UPC, shared objects and their layouts; or where an object, or what a pointer-to-shared points to, is.
Usage: info upc [EXP]

Without an expression: the threads of this process, and each shared object with its type, how it is dealt out, and which
elements the selected thread has.  EXP names a shared object, an element, or a pointer-to-shared."""

    def __init__(self):
        super().__init__("info upc", gdb.COMMAND_STATUS, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        try:
            count = threads()
        except gdb.error:   # its record is of a thread
            count = 0
        if count == 0:
            raise gdb.GdbError("there are no threads before the program runs; set a breakpoint in main")
        if argument.strip():
            self.tell_place(argument.strip())
        else:
            self.tell_threads()
            self.tell_objects()

    def tell_threads(self):
        """Threads of one process are those of gdb, each with a record of its own."""
        selected = gdb.selected_thread()
        process = gdb.selected_inferior().pid
        known = {}
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
            thread.switch()
            try:
                known.setdefault(self_record("mythread"), thread.num)
            except gdb.error:   # it has no record: not a thread of UPC
                continue
        selected.switch()
        mine = self_record("mythread")
        for number in sorted(known):
            print("%s thread %d of %d: process %d, gdb's thread %d" %
                  ("*" if number == mine else " ", number, threads(), process, known[number]))
        others = threads() - len(known)
        if others > 0:
            print("  %d more in other processes; 'gdb -p' or 'attach' shows one" % others)

    def tell_objects(self):
        mine = self_record("mythread")
        objects = shared_objects()
        if not objects:
            print("no shared objects with static storage")
        for one in objects:
            print("%s: %s, %s" % (one.name, one.text or "shared, %d bytes on each thread" % one.local_bytes,
                                  one.layout()))
            owned = one.owned(mine)
            if owned is not None:
                print("    thread %d has %s" % (mine, "elements " + ", ".join(owned) if owned else "none"))

    def tell_place(self, text):
        operand = operands(text)
        found = operand.found if operand is not None and not text[operand.end:].strip() else find(text)
        if found is None:
            raise gdb.GdbError("%s is neither a shared object nor a pointer-to-shared" % text)
        is_pointer = isinstance(found.type, Pointer) and found.type.is_to_shared()
        thread = None
        if found.address is not None:
            thread = (found.address - self_record("window_base")) // self_record("stride")
        if thread is not None and 0 <= thread < threads():
            print("%s is on thread %d, address 0x%x" % (text, thread, found.address))
        elif not is_pointer:
            raise gdb.GdbError("%s is private" % text)
        if is_pointer:
            pointer = found.pointer()
            place = tuple(int(pointer[name]) for name in ("thread", "phase", "addr"))
            print("%s points to %s" % (text, describe_address(place[0], place[2])))
            print("    thread %d, phase %d, address 0x%x" % place)



def load():
    gdb.pretty_printers.append(printer)
    Print()
    TypeOf("ptype", True)
    TypeOf("whatis", False)
    InfoUpc()
    gdb.events.new_objfile.connect(lambda _: TYPES.forget())


if not hasattr(gdb, "banyan_is_loaded"):
    gdb.banyan_is_loaded = True
    load()
