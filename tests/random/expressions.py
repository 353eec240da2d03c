"""Random expressions: integers, places in shared objects, pointers-to-shared.  None has side effects."""

from language import INT, INTS, LONG, UINT, ULONG, Float, Int, Place, Pointer, Struct, Value, common, promote

INDEX_CASTS = ["int", "unsigned", "long", "unsigned long", "short", "unsigned short", "unsigned char", "signed char",
               "long long", "__int128", "unsigned __int128", "enum colour", "size_t", "ptrdiff_t"]


def py_count(factor, by_threads):
    return "(%d * T)" % factor if by_threads else str(factor)


class Expressions:
    def __init__(self, rng):
        self.rng = rng
        self.objects = []
        self.structs = []
        self.functions = []    # (name, pointer type, return type)
        self.vars = []         # (name, Int)
        self.readable = []     # objects that expressions may read
        self.allow_me = False
        self.nesting = 0       # indices around the present expression

    def chance(self, p):
        return self.rng.random() < p

    def objects_of(self, pointer, among=None):
        """Objects that a pointer of this type can point into."""
        return [o for o in (self.objects if among is None else among)
                if o.element is pointer.element and o.block == pointer.block and o.dims and isinstance(o.block, int)]

    # ---- Integers ----

    def constant(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.6:
            v = rng.randint(0, 20)
            return Value(str(v), str(v), INT)
        if kind < 0.75:
            v = rng.randint(1, 50)
            return Value("(-%d)" % v, "(-%d)" % v, INT)
        suffix, name = rng.choice([("u", "unsigned"), ("l", "long"), ("ul", "unsigned long"), ("ll", "long long"),
                                   ("ull", "unsigned long long")])
        v = rng.choice([0, 1, 7, 255, 65536, 2147483647])
        return Value("%d%s" % (v, suffix), str(v), INTS[name])

    def leaf(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.3 and self.vars:
            name, t = rng.choice(self.vars)
            return Value(name, name, t)
        if kind < 0.36:
            return Value("THREADS", "T", INT)
        if kind < 0.42 and self.allow_me:
            return Value("MYTHREAD", "me", INT)
        if kind < 0.8 and self.readable and self.nesting < 2:
            return self.read(self.place(self.readable))
        return self.constant()

    def read(self, place):
        """The value of a place, converted to an integer"""
        if isinstance(place.type, Float):
            return Value("(long)%s" % place.c, "%s.get()" % place.ref, LONG)
        if isinstance(place.type, Pointer):
            query = self.rng.choice(["upc_threadof", "upc_phaseof", "!", "!!", "== 0", "?"])
            get = "%s.get()" % place.ref
            if query.startswith("upc_"):
                return Value("%s(%s)" % (query, place.c),
                             "%s_of(%s)" % (query[4:-2], get), ULONG)
            if query == "!":
                return Value("(!%s)" % place.c, "int(%s is None)" % get, INT)
            if query == "!!":
                return Value("(!!%s)" % place.c, "int(%s is not None)" % get, INT)
            if query == "== 0":
                null = self.rng.choice(["%s == 0", "0 == %s", "%s == NULL", "(%s) == (void *)0"])
                return Value("(%s)" % (null % place.c), "int(%s is None)" % get, INT)
            return Value("(%s ? 5 : 6)" % place.c, "(6 if %s is None else 5)" % get, INT)
        return Value(place.c, "%s.get()" % place.ref, place.read_type())

    def binary(self, a, b):
        rng = self.rng
        op = rng.choice(["+", "-", "*", "&", "|", "^", "+", "-", "/", "%", "<<", ">>", "<", ">=", "==", "!=", "&&",
                         "||"])
        t = common(a.type, b.type)
        if op in ("&&", "||"):
            word = " and " if op == "&&" else " or "
            return Value("(%s %s %s)" % (a.c, op, b.c), "int(bool(%s)%sbool(%s))" % (a.py, word, b.py), INT)
        if op in ("<", ">=", "==", "!="):
            return Value("(%s %s %s)" % (a.c, op, b.c), "int(%s %s %s)" % (a.to(t), op, b.to(t)), INT)
        if op in ("<<", ">>"):
            t = promote(a.type)
            shift = "(%s & 7)" % b.py
            return Value("(%s %s (%s & 7))" % (a.c, op, b.c), t.convert("(%s %s %s)" % (a.py, op, shift)), t)
        if op in ("/", "%"):
            function = "c_div" if op == "/" else "c_mod"
            b = Value("((%s & 15) | 1)" % b.c, "((%s & 15) | 1)" % b.py, promote(b.type))
            t = common(a.type, b.type)
            return Value("(%s %s %s)" % (a.c, op, b.c), t.convert("%s(%s, %s)" % (function, a.to(t), b.to(t))), t)
        return Value("(%s %s %s)" % (a.c, op, b.c), t.convert("(%s %s %s)" % (a.to(t), op, b.to(t))), t)

    def integer(self, depth=3):
        rng = self.rng
        if depth <= 0 or self.chance(0.25):
            return self.leaf()
        kind = rng.random()
        if kind < 0.45:
            return self.binary(self.integer(depth - 1), self.integer(depth - 1))
        if kind < 0.55:
            a = self.integer(depth - 1)
            op = rng.choice(["-", "~", "!", "+"])
            if op == "!":
                return Value("(!%s)" % a.c, "int(not %s)" % a.py, INT)
            t = promote(a.type)
            return Value("(%s%s)" % (op, a.c), t.convert("(%s%s)" % (op, a.py)), t)
        if kind < 0.63:
            a, t = self.integer(depth - 1), rng.choice(list(INTS.values()))
            return Value("((%s)%s)" % (t.name, a.c), t.convert(a.py), t)
        if kind < 0.72:
            a, b, c = (self.integer(depth - 1) for _ in range(3))
            t = common(b.type, c.type)
            return Value("(%s ? %s : %s)" % (a.c, b.c, c.c), "(%s if %s else %s)" % (b.to(t), a.py, c.to(t)), t)
        if kind < 0.75:
            a, b = self.integer(depth - 1), self.integer(depth - 1)
            return Value("((void)%s, %s)" % (a.c, b.c), b.py, b.type)
        if kind < 0.78:
            a = self.integer(depth - 1)
            return Value("({ %s; })" % a.c, a.py, a.type)
        if kind < 0.95 and self.nesting < 2 and [o for o in self.readable if o.dims]:
            return self.query(depth - 1)
        return self.leaf()

    def query(self, depth):
        """Integers computed from pointers-to-shared"""
        rng = self.rng
        obj = rng.choice([o for o in self.readable if o.dims])
        kind = rng.random()
        if kind < 0.15:
            operator = rng.choice(["upc_blocksizeof(%s)", "sizeof(%s) / upc_elemsizeof(%s)",
                                   "upc_localsizeof(%s) / upc_elemsizeof(%s)"])
            names = (obj.name,) * operator.count("%s")
            py = {"upc_b": "%s.block", "sizeo": "%s.count", "upc_l": "%s.local_count()"}[operator[:5]]
            return Value("(%s)" % (operator % names), py % obj.name, ULONG)
        p, q = self.pointer(obj, depth), self.pointer(obj, depth)
        block = "%s.block" % obj.name
        if kind < 0.3:
            return Value("upc_threadof(%s)" % p[0], "thread_of(%s)" % p[1], ULONG)
        if kind < 0.45:
            return Value("upc_phaseof(%s)" % p[0], "phase_of(%s)" % p[1], ULONG)
        if kind < 0.6:
            return Value("(%s - %s)" % (p[0], q[0]), "%s.sub(%s, %s)" % (p[1], q[1], block), LONG)
        if kind < 0.75:
            op = rng.choice(["<", ">", "<=", ">="])
            return Value("(%s %s %s)" % (p[0], op, q[0]), "int(%s.sub(%s, %s) %s 0)" % (p[1], q[1], block, op), INT)
        if kind < 0.85:
            op, word = rng.choice([("==", ""), ("!=", "not ")])
            cast = "(shared void *)" if self.chance(0.3) else ""
            return Value("(%s%s %s %s)" % (cast, p[0], op, q[0]), "int(%ssame(%s, %s))" % (word, p[1], q[1]), INT)
        if kind < 0.92 and self.functions:
            fits = [f for f in self.functions if obj in self.objects_of(f[1])]
            if fits and len(obj.dims) == 1:
                name, _, t = rng.choice(fits)
                first = self.index(obj.dims[0])
                count = "((%s) - (%s))" % ("%s", "%s")
                size = py_count(*obj.dims[0])
                c_size = self.size(obj.dims[0])
                return Value("%s(&%s[%s], %s)" % (name, obj.name, first[0], count % (c_size, first[0])),
                             "%s(%s.pointer(%s), %s)" % (name, obj.name, first[1], count % (size, first[1])), t)
        return Value("(%s ? 3 : 4)" % p[0], "3", INT)

    # ---- Indices ----

    def size(self, dim):
        factor, by_threads = dim
        return "(%d * THREADS)" % factor if by_threads else str(factor)

    def index(self, dim):
        """An index into a dimension, of a random integer type: (C, Python)"""
        self.nesting += 1
        value = self.integer(1)
        self.nesting -= 1
        py = "(wrap(%s, 64, False) %% %s)" % (value.py, py_count(*dim))
        return "(%s)((unsigned long)%s %% %s)" % (self.rng.choice(INDEX_CASTS), value.c, self.size(dim)), py

    def flat(self, obj, indices):
        flat = "0"
        for dim, index in zip(obj.dims, indices):
            flat = "(%s) * %s + %s" % (flat, py_count(*dim), index[1])
        return flat

    # ---- Pointers: (C, Python) of type obj.pointer(), to an element of obj ----

    def pointer(self, obj, depth=2):
        rng = self.rng
        indices = [self.index(dim) for dim in obj.dims]
        py = "%s.pointer(%s)" % (obj.name, self.flat(obj, indices))
        element = self.element_text(obj, indices)
        kind = rng.random() if depth > 0 else 0.0
        if kind < 0.3 or not obj.dims:
            return "&" + element, py
        row = obj.name + "".join("[%s]" % i[0] for i in indices[:-1])
        if kind < 0.45:
            return rng.choice(["(%s + %s)" % (row, indices[-1][0]), "(%s + %s)" % (indices[-1][0], row)]), py
        if kind < 0.55:
            far = rng.choice([3, 7, 100])
            if rng.random() < 0.3 and isinstance(obj.block, int):   # whole rounds of all threads one way
                far = "%d * THREADS" % (far * max(obj.block, 1))
                there_and_back = rng.choice(("((%s + %s) - (long)(%s))", "((%s - %s) + (long)(%s))"))
                return there_and_back % ("&" + element, far, far), py
            return "((%s + %d) - (%s)%d)" % ("&" + element, far, rng.choice(INDEX_CASTS[:8]), far), py
        if kind < 0.65:
            condition, other = self.integer(1), self.pointer(obj, depth - 1)
            return ("(%s ? %s : %s)" % (condition.c, "&" + element, other[0]),
                    "(%s if %s else %s)" % (py, condition.py, other[1]))
        if kind < 0.72:
            return "({ %s; })" % ("&" + element), py
        if kind < 0.79:
            return "(0, %s)" % ("&" + element), py
        if kind < 0.86 and isinstance(obj.block, int) and not isinstance(obj.element, Pointer):
            return "((%s)(shared void *)%s)" % (obj.pointer().name, "&" + element), py
        if kind < 0.93 and isinstance(obj.block, int) and not isinstance(obj.element, Pointer):
            return "((%s[]){ %s, 0 })[0]" % (obj.pointer().name, "&" + element), py
        return "(&%s)" % element, py

    # ---- Places ----

    def element_text(self, obj, indices):
        rng = self.rng
        if not indices:
            return obj.name
        *outer, (last, _) = indices
        row = obj.name + "".join("[%s]" % i[0] for i in outer)
        kind = rng.random()
        if kind < 0.55:
            return "%s[%s]" % (row, last)
        if kind < 0.65:
            return "(*(%s + %s))" % (row, last)
        if kind < 0.72:
            return "(%s)[%s]" % (last, row)
        if kind < 0.8:
            return "(*&%s[%s])" % (row, last)
        if kind < 0.87:
            return "(&%s[%s])[0]" % (row, last)
        if outer and kind < 0.95:
            above = obj.name + "".join("[%s]" % i[0] for i in outer[:-1])
            return rng.choice(["(*(%s + %s))[%s]", "(*(*(%s + %s) + %s))", "(*&%s[%s])[%s]"]) % (above, outer[-1][0],
                                                                                                 last)
        return "(%s[%s])" % (row, last)

    def place(self, among):
        """An integer, a number or a pointer in one of these objects"""
        obj = self.rng.choice(among)
        indices = [self.index(dim) for dim in obj.dims]
        place = Place(self.element_text(obj, indices), "%s.ref(%s)" % (obj.name, self.flat(obj, indices)), obj.element)
        return self.descend(place)

    def descend(self, place):
        rng = self.rng
        in_packed = False
        while isinstance(place.type, Struct):
            name, t, width, count = rng.choice(place.type.members)
            c = "%s.%s" if in_packed else rng.choice(["%s.%s", "(&%s)->%s", "(*&%s).%s"])
            c %= place.c, name
            in_packed |= place.type.packed
            ref = "%s.member(%r)" % (place.ref, name)
            if count:
                index = self.index((count, False))
                if self.chance(0.2) and not in_packed:
                    c = "(*(%s + %s))" % (c, index[0])
                else:
                    c = "%s[%s]" % (c, index[0])
                ref = "Ref(%s.get(), %s)" % (ref, index[1])
            place = Place("(%s)" % c if self.chance(0.1) else c, ref, t, width)
        return place
