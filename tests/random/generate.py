#!/usr/bin/env python3
"""Generates a random UPC program and the same program in Python.

usage: generate.py SEED        prints the UPC program
       generate.py SEED -p     prints its model

Both texts are written in parallel, statement by statement.  Programs are free of races: between two barriers either one
thread runs a sequence of arbitrary statements, or every thread writes only elements that nobody else touches.  Every
phase ends with a checksum, so that a difference is found near its cause.
"""

import argparse
import random

from expressions import Expressions
from language import FLOATS, INT, INTS, LONG, ULONG, Float, Int, Pointer, Struct, Value, default

PROLOGUE = """\
#include <%s>
#include <stdio.h>
#include <stddef.h>
enum colour { RED, GREEN, BLUE = 77 };
typedef unsigned long ulong_t;
#define MIX(h, x) ((h) = (h) * 31ul + (unsigned long)(x))
#define PLACE(p) ((p) ? upc_threadof(p) * 64 + upc_phaseof(p) + 1 : 0)
#define FAIL(what) (printf("line %%d, thread %%d: %%s\\n", __LINE__, MYTHREAD, what), upc_global_exit(3))
static void result(int phase, unsigned long h) { printf("phase %%d: %%lu\\n", phase, h); fflush(stdout); }
"""


class Object:
    """A static shared object.  dims: (factor, times THREADS); block is Python text; layout is C text."""

    def __init__(self, name, element, dims, layout, block, strictness):
        self.name = name
        self.element = element
        self.dims = dims
        self.layout = layout
        self.block = block
        self.strictness = strictness
        self.pointer_block = block if isinstance(block, int) else None

    def count(self):
        return " * ".join(py_dimension(dim) for dim in self.dims) or "1"

    def pointer(self):
        """The type of pointers to its elements"""
        if isinstance(self.block, int):
            return Pointer(self.element, self.block, self.strictness)
        pointer = Pointer(self.element, 2, self.strictness)
        pointer.block = self.block
        layout = "%sshared [upc_blocksizeof(%s)] " % (self.strictness, self.name)
        is_pointer = isinstance(self.element, Pointer)
        pointer.target = self.element.name + layout if is_pointer else layout + self.element.name
        pointer.name = pointer.target + " *"
        return pointer


def py_dimension(dim):
    return "%d * T" % dim[0] if dim[1] else str(dim[0])


def c_dimension(dim, rng):
    if not dim[1]:
        return str(dim[0])
    if dim[0] == 1 and rng.random() < 0.7:
        return "THREADS"
    return rng.choice(["%d*THREADS", "THREADS*%d", "(%d)*THREADS", "%du*THREADS", "(THREADS)*%dul"]) % dim[0]


class Program(Expressions):
    def __init__(self, seed):
        super().__init__(random.Random(seed))
        self.seed = seed
        self.static_only = self.rng.random() < 0.2
        self.c_lines = []
        self.py_lines = []
        self.c_indent = 0
        self.py_indent = 0
        self.phase = 0
        self.names = 0

    # ---- Output ----

    def c(self, text):
        self.c_lines.append("    " * self.c_indent + text)

    def py(self, text):
        self.py_lines.append("    " * self.py_indent + text)

    def both(self, c, py):
        self.c(c)
        self.py(py)

    def open(self, c, py):
        self.both(c, py)
        self.c_indent += 1
        self.py_indent += 1
        self.py("pass")

    def close(self, c="}"):
        self.c_indent -= 1
        self.py_indent -= 1
        self.c(c)

    def fresh(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    # ---- Declarations ----

    def scalar_type(self):
        rng = self.rng
        if rng.random() < 0.15:
            return rng.choice(FLOATS)
        return rng.choice(list(INTS.values()))

    def declare_struct(self):
        rng = self.rng
        members = []
        text = []
        for i in range(rng.randint(1, 6)):
            name = "m%d" % i
            kind = rng.random()
            pointers = [o.pointer() for o in self.objects if isinstance(o.block, int) and o.dims]
            if kind < 0.2:
                t = INTS[rng.choice(["int", "unsigned", "short", "unsigned char", "unsigned long"])]
                width = rng.randint(1, min(t.bits, 33))
                members.append((name, t, width, None))
                text.append("%s %s : %d;" % (t.name, name, width))
            elif kind < 0.4:
                t, count = self.scalar_type(), rng.randint(1, 4)
                members.append((name, t, None, count))
                text.append("%s %s[%d];" % (t.name, name, count))
            elif kind < 0.55 and pointers:
                t = rng.choice(pointers)
                count = rng.choice([None, None, 2])
                members.append((name, t, None, count))
                text.append("%s%s%s;" % (t.name, name, "[2]" if count else ""))
            elif kind < 0.65 and self.structs:
                t = rng.choice(self.structs)
                count = rng.choice([None, None, 2])
                members.append((name, t, None, count))
                text.append("%s %s%s;" % (t.name, name, "[2]" if count else ""))
            else:
                t = self.scalar_type()
                members.append((name, t, None, None))
                text.append("%s %s;" % (t.name, name))
        tag = "s%d" % len(self.structs)
        attribute = rng.choice(["", "", "", " __attribute__((packed))"])
        struct = Struct("struct " + tag, members, attribute != "")
        form = rng.random()
        if form < 0.3:
            struct.name = tag + "_t"
            self.c("typedef struct%s { %s } %s;" % (attribute, " ".join(text), struct.name))
        else:
            self.c("struct%s %s { %s };" % (attribute, tag, " ".join(text)))
        self.structs.append(struct)

    def random_dims(self, indefinite):
        rng = self.rng
        dims = [(rng.randint(1, 6), False) for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
        if len(dims) == 1:
            dims = [(rng.randint(1, 13), False)]
        if not indefinite and not self.static_only:
            at = rng.randrange(len(dims))
            dims[at] = (rng.randint(1, 4), True)
        elif self.static_only and rng.random() < 0.4:
            at = rng.randrange(len(dims))
            dims[at] = (rng.randint(1, 2), True)
        return dims

    def declare_object(self, element=None):
        rng = self.rng
        name = self.fresh("a")
        pointers = [o.pointer() for o in self.objects if isinstance(o.block, int) and o.dims]
        if element is None:
            kind = rng.random()
            if kind < 0.35 and self.structs:
                element = rng.choice(self.structs)
            elif kind < 0.5 and pointers:
                element = rng.choice(pointers)
            else:
                element = self.scalar_type()
        kind = rng.random()
        strictness = rng.choice([""] * 6 + ["strict ", "relaxed "])
        dims = self.random_dims(kind < 0.2) if rng.random() < 0.9 else []
        if not dims:
            layout, block = "", 1
        elif kind < 0.2:
            layout, block = rng.choice(["[]", "[0]"]), 0
        elif kind < 0.4:
            layout, block = "", 1
        elif kind < 0.55:
            layout = "[*]"
            product = 1
            for factor, _ in dims:
                product *= factor
            by_threads = any(by for _, by in dims)
            block = product if by_threads else "-(-%d // T)" % product
        else:
            block = rng.randint(1, 7)
            layout = rng.choice(["[%d]", "[%d]", "[(%d)]", "[%du]"]) % block
        obj = Object(name, element, dims, layout, block, strictness)
        self.objects.append(obj)
        dimensions = "".join("[%s]" % c_dimension(dim, rng) for dim in dims)
        self.object_declaration(obj, dimensions)
        self.py("%s = Shared(T, %s, %s, lambda: %s)" % (name, block, obj.count(), default(element)))
        if obj.initial:
            self.py(obj.initial)

    def object_declaration(self, obj, dimensions):
        rng = self.rng
        storage = rng.choice(["", "", "static "])
        layout = "shared %s " % obj.layout if obj.layout else "shared "
        layout = rng.choice([obj.strictness + layout, layout + obj.strictness])
        obj.initial = None
        initial = self.object_initialiser(obj)
        if isinstance(obj.element, Pointer):
            text = "%s * %s%s%s" % (obj.element.target, layout, obj.name, dimensions)
        else:
            form = rng.random()
            if form < 0.15 and obj.layout != "[*]":
                self.c("typedef %s%s%s_t;" % (layout, obj.element.name + " ", obj.name))
                text = "%s_t %s%s" % (obj.name, obj.name, dimensions)
            elif form < 0.3 and len(obj.dims) >= 2 and not obj.dims[-1][1]:
                row, rest = "[%d]" % obj.dims[-1][0], dimensions[:dimensions.rindex("[")]
                self.c("typedef %s %s_t%s;" % (obj.element.name, obj.name, row))
                text = "%s%s_t %s%s" % (layout, obj.name, obj.name, rest)
            elif form < 0.45:
                text = "%s %s%s%s" % (obj.element.name, layout, obj.name, dimensions)
            else:
                text = "%s%s %s%s" % (layout, obj.element.name, obj.name, dimensions)
        if not storage and rng.random() < 0.2 and obj.layout != "[*]":
            self.c("extern %s;" % text)
            if rng.random() < 0.5 and not initial:
                self.c("%s;" % text)
        self.c("%s%s%s;" % (storage, text, initial))

    def object_initialiser(self, obj):
        """Initial values, which some objects have: integers in their first elements, or pointers with addresses."""
        rng = self.rng
        if rng.random() < 0.6 or any(by for _, by in obj.dims[1:]):
            return ""
        if isinstance(obj.element, Int):
            least = 1
            for factor, _ in obj.dims:
                least *= factor
            values = [rng.randint(0, 1 if obj.element.bits == 1 else 100) for _ in range(rng.randint(1, least))]
            stores = "; ".join("%s.ref(%d).set(%d)" % (obj.name, i, v) for i, v in enumerate(values))
            obj.initial = stores
            if not obj.dims:
                return " = %d" % values[0]
            return " = { %s }" % self.braces(obj.dims, [str(v) for v in values])
        if isinstance(obj.element, Pointer) and not obj.dims:
            target = self.objects_of(obj.element)
            if target:
                index = self.constant_index(target[0])
                obj.initial = "%s.ref(0).set(%s.pointer(%s))" % (obj.name, target[0].name, index[1])
                return " = &%s%s" % (target[0].name, index[0])
        return ""

    def braces(self, dims, values):
        """Values with or without braces around each row: both are valid."""
        if len(dims) == 1 or self.rng.random() < 0.3:
            return ", ".join(values)
        row = 1
        for factor, _ in dims[1:]:
            row *= factor
        rows = [values[i:i + row] for i in range(0, len(values), row)]
        return ", ".join("{ %s }" % self.braces(dims[1:], r) for r in rows)

    def constant_index(self, obj):
        flat = 0
        text = ""
        for factor, _ in obj.dims:
            at = self.rng.randrange(factor)
            flat = "(%s) * (%s) + %d" % (flat, py_dimension((factor, _)), at)
            text += "[%d]" % at
        return text, flat

    # ---- Checksums ----

    def digest_place(self, c, type_):
        if isinstance(type_, Struct):
            for name, member, _, count in type_.members:
                for i in range(count or 1):
                    self.digest_place("%s.%s%s" % (c, name, "[%d]" % i if count else ""), member)
        elif isinstance(type_, Pointer):
            self.c("MIX(h, PLACE(%s));" % c)
        elif isinstance(type_, Float):
            self.c("MIX(h, (long)%s);" % c)
        else:
            self.c("MIX(h, %s);" % c)

    def checksum_function(self, obj):
        rng = self.rng
        self.c("static unsigned long check_%s(unsigned long h)" % obj.name)
        self.c("{")
        self.c_indent += 1
        if obj.dims and rng.random() < 0.4:   # a walk with a pointer
            start = obj.name + "[0]" * (len(obj.dims) - 1)
            pointer = obj.pointer()
            self.c("%sp = %s;" % (pointer.name, start))
            self.c("for (size_t i = 0; i < sizeof %s / upc_elemsizeof(%s); i++, p++) {" % (obj.name, obj.name))
            self.c_indent += 1
            self.digest_place("(*p)" if rng.random() < 0.5 else "p[0]", obj.element)
            self.c_indent -= 1
            self.c("}")
        else:
            index = ""
            for depth, dim in enumerate(obj.dims):
                self.c("for (int i%d = 0; i%d < %s; i%d++)" % (depth, depth, c_dimension(dim, rng), depth))
                index += "[i%d]" % depth
            self.c("{")
            self.c_indent += 1
            self.digest_place(obj.name + index, obj.element)
            self.c_indent -= 1
            self.c("}")
        self.c("return h;")
        self.c_indent -= 1
        self.c("}")

    def checksum(self):
        self.phase += 1
        self.c("upc_barrier%s;" % self.rng.choice(["", " %d" % self.phase]))
        thread = self.rng.randrange(8)
        self.c("if (MYTHREAD == %d %% THREADS) {" % thread)
        self.c_indent += 1
        self.c("unsigned long h = 0;")
        self.py("h = 0")
        for obj in self.objects:
            self.c("h = check_%s(h);" % obj.name)
            self.py("for i in range(%s.count): h = digest(h, %s.ref(i).get())" % (obj.name, obj.name))
        self.c("result(%d, h);" % self.phase)
        self.py("output.append('phase %d: %%d' %% h)" % self.phase)
        self.c_indent -= 1
        self.c("}")
        self.c("upc_barrier;")

    # ---- The program ----

    def write(self):
        rng = self.rng
        for _ in range(rng.randint(2, 4)):
            self.declare_object(self.scalar_type())
        if not any(o.dims and isinstance(o.block, int) for o in self.objects):
            self.declare_object(INT)
        for _ in range(rng.randint(1, 3)):
            self.declare_struct()
            self.declare_object(self.structs[-1])
        for _ in range(rng.randint(2, 6)):
            self.declare_object()
        for obj in self.objects:
            self.checksum_function(obj)
        self.helper_functions()
        for number in range(rng.randint(3, 7)):
            self.phase_function(number)
        prologue = PROLOGUE % rng.choice(["upc.h", "upc_relaxed.h", "upc_strict.h"])
        self.c("int main(void)")
        self.c("{")
        self.c_indent += 1
        self.replay_phases()
        self.c("return 0;")
        self.c_indent -= 1
        self.c("}")
        note = "// static\n" if self.static_only else ""
        text = note + "// seed %d\n" % self.seed + prologue + "\n".join(self.c_lines) + "\n"
        return text, "\n".join(self.py_lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="makes a random UPC program")
    parser.add_argument("seed", type=int)
    parser.add_argument("-p", action="store_true", help="print the model instead")
    options = parser.parse_args()
    from phases import Generator
    texts = Generator(options.seed).write()
    print(texts[1 if options.p else 0], end="")


if __name__ == "__main__":
    main()
