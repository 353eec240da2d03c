"""The parts of random programs: functions over pointers-to-shared, and phases between two barriers."""

from expressions import py_count
from generate import Program
from language import INT, INTS, LONG, UINT, ULONG, Float, Int, Place, Pointer, Struct, Value


class Generator(Program):
    # ---- Functions ----

    def helper_functions(self):
        """Sums over the elements that a pointer walks over, in several styles"""
        rng = self.rng
        pointers = {}
        for obj in self.objects:
            if isinstance(obj.element, Int) and obj.dims and isinstance(obj.block, int):
                pointers[(obj.element.name, obj.block)] = obj.pointer()
        for pointer in pointers.values():
            name = self.fresh("sum")
            style = rng.randrange(6)
            element = pointer.element.name
            head = "unsigned long %s(%sp, long n)" % (name, pointer.name)
            step = rng.choice(["MIX(h, *p); p++;", "MIX(h, *p++);", "MIX(h, p[i]);", "MIX(h, *(p + i));",
                               "MIX(h, i[p]);",
                               "MIX(h, p[0]); p += 1;", "MIX(h, *(p - -i));", "MIX(h, *p); p = p + 1;",
                               "MIX(h, *p); ++p;"])
            body = "unsigned long h = 7; for (long i = 0; i < n; i++) { %s } return h;" % step
            if style == 0:
                head = "unsigned long %s(p, n) %sp; long n;" % (name, pointer.name)
            elif style == 1:
                self.c("static %s;" % head)
                body = "return n == 0 ? 7ul : %s(p, n - 1) * 31ul + (unsigned long)p[n - 1];" % name
            elif style == 2:
                self.c("static %sstep_%s(%sp, int k) { return p + k; }" % (pointer.name, name, pointer.name))
                body = ("unsigned long h = 7; %s(*f)(%s, int) = step_%s; while (n-- > 0) { MIX(h, *f(p, 0)); p = "
                        "(*f)(p, 1); } return h;" % (pointer.name, pointer.name, name))
            elif style == 3:
                self.c("struct walk_%s { long left; %sat[2]; };" % (name, pointer.name))
                self.c("static struct walk_%s walk_%s(struct walk_%s w) { w.at[w.left & 1]++; w.left--; w.at[w.left & "
                       "1] = w.at[!(w.left & 1)]; return w; }" % (name, name, name))
                body = ("unsigned long h = 7; struct walk_%s w = { n, { p, p } }; while (w.left > 0) { "
                        "MIX(h, *w.at[w.left & 1]); w = walk_%s(w); } return h;" % (name, name))
            elif style == 4:
                head = "unsigned long %s(shared %s %s p[], long n)" % (
                    name, "[%s]" % (pointer.block or "") if pointer.block != 1 else "", pointer.strictness + element)
            self.c("static %s { %s }" % (head, body))
            self.py("def %s(p, n):" % name)
            self.py("    h = 7")
            self.py("    for i in range(n): h = digest(h, p.add(i, %d).ref().get())" % pointer.block)
            self.py("    return h")
            self.functions.append((name, pointer, ULONG))

    # ---- Phases ----

    def phase_function(self, number):
        rng = self.rng
        self.c("static void phase_%d(void)" % number)
        self.c("{")
        self.c_indent += 1
        if rng.random() < 0.2:
            self.c("#pragma upc " + rng.choice(["strict", "relaxed"]))
        if number > 0:
            kind = rng.random()
            writable = [o for o in self.objects if len(self.objects) > 1]
            if kind < 0.5:
                self.sequential_phase()
            else:
                self.forall_phase(rng.choice(writable))
        self.checksum()
        self.c_indent -= 1
        self.c("}")

    def replay_phases(self):
        for line in list(self.c_lines):
            if line.startswith("static void phase_"):
                self.c(line[len("static void "):].replace("(void)", "();"))

    def local_variables(self):
        for _ in range(self.rng.randint(1, 4)):
            name = self.fresh("v")
            t = self.rng.choice(list(INTS.values()))
            value = self.constant()
            self.both("%s %s = %s;" % (t.name, name, value.c), "%s = %s" % (name, value.to(t)))
            self.vars.append((name, t))

    def sequential_phase(self):
        """A single thread does anything."""
        thread = self.rng.randrange(8)
        self.open("if (MYTHREAD == %d %% THREADS) {" % thread, "if True:")
        self.py("me = %d %% T" % thread)
        self.vars, self.readable, self.allow_me = [], self.objects, True
        self.local_variables()
        self.walkers = []
        for _ in range(self.rng.randint(3, 12)):
            self.statement(2)
        self.close()
        self.vars = []

    def statement(self, depth):
        rng = self.rng
        kind = rng.random()
        if kind < 0.5:
            self.store(self.place(self.objects))
        elif kind < 0.6:
            self.struct_copy()
        elif kind < 0.75:
            self.walk()
        elif kind < 0.82:
            name, t = rng.choice(self.vars)
            value = self.integer()
            self.both("%s = %s;" % (name, value.c), "%s = %s" % (name, value.to(t)))
        elif kind < 0.9 and depth > 0:
            condition = self.integer(2)
            self.open("if (%s) {" % condition.c, "if %s:" % condition.py)
            self.statement(depth - 1)
            self.close("} else {")
            self.c_indent += 1
            self.py("else:")
            self.py_indent += 1
            self.py("pass")   # the model may have nothing to do for the statement
            self.statement(depth - 1)
            self.close()
        elif depth > 0:
            name = self.fresh("k")
            count = rng.randint(1, 5)
            self.open("for (int %s = 0; %s < %d; %s++) {" % (name, name, count, name),
                      "for %s in range(%d):" % (name, count))
            before = list(self.vars)
            self.loop_vars = before
            readable = (name, INT)
            self.statement_with(readable, depth - 1)
            self.close()
        else:
            self.store(self.place(self.objects))

    def statement_with(self, variable, depth):
        """A statement that may read one more variable, which it does not assign."""
        value = Value(*variable[:1] * 2, variable[1])
        leaf = self.leaf
        self.leaf = lambda: value if self.chance(0.4) else leaf()
        self.statement(depth)
        self.leaf = leaf

    def store(self, place):
        rng = self.rng
        if isinstance(place.type, Pointer):
            self.store_pointer(place)
            return
        value = self.integer()
        if isinstance(place.type, Float):
            small = Value("((int)%s & 1023)" % value.c, "(wrap(%s, 32, True) & 1023)" % value.py, INT)
            self.both("%s = %s;" % (place.c, small.c), "%s.set(%s)" % (place.ref, small.py))
            if self.chance(0.3):
                op = rng.choice(["+=", "-="])
                self.both("%s %s 3;" % (place.c, op), "%s.set(%s.get() %s 3)" % (place.ref, place.ref, op[0]))
            return
        kind = rng.random()
        is_bool = place.type.name == "_Bool"
        old = Value(place.c, "%s.get()" % place.ref, place.read_type())
        if kind < 0.5:
            text, new, result = "%s = %s" % (place.c, value.c), place.stored(value), None
        elif kind < 0.85 or is_bool:
            op = rng.choice(["+", "-", "*", "&", "|", "^"])
            t = common_of(old, value)
            computed = Value("", t.convert("(%s %s %s)" % (old.to(t), op, value.to(t))), t)
            text, new, result = "%s %s= %s" % (place.c, op, value.c), place.stored(computed), None
        else:
            op = rng.choice(["++", "--"])
            t = common_of(old, Value("1", "1", INT))
            computed = Value("", t.convert("(%s %s 1)" % (old.py, op[0])), t)
            new = place.stored(computed)
            is_post = self.chance(0.5)
            text = "(%s)%s" % (place.c, op) if is_post else op + place.c
            result = "%s.get()" % place.ref if is_post else None
        self.py("new = %s" % new)
        if self.vars and self.chance(0.35):
            name, t = rng.choice(self.vars)
            self.c("%s = %s;" % (name, text))
            self.py("used = %s" % (result or "new"))
            # Indices in the place must be evaluated before the variable changes.
            self.py("%s.set(new)" % place.ref)
            self.py("%s = %s" % (name, t.convert("used")))
            return
        self.both("%s;" % text, "%s.set(new)" % place.ref)

    def pointer_value(self, pointer):
        """A value for a pointer of this type: (C, Python)"""
        rng = self.rng
        targets = self.objects_of(pointer)
        if not targets or self.chance(0.15):
            return rng.choice(["0", "NULL", "(void *)0", "(%s)0" % pointer.name]), "None"
        return self.pointer(rng.choice(targets))

    def store_pointer(self, place):
        c, py = self.pointer_value(place.type)
        self.both("%s = %s;" % (place.c, c), "%s.set(%s)" % (place.ref, py))
        if self.chance(0.5) and isinstance(place.type.element, Int):
            target = Place("*%s" % place.c, "", place.type.element)
            self.open("if (%s) {" % place.c, "if %s.get() is not None:" % place.ref)
            value = self.integer(2)
            self.both("%s = %s;" % (target.c, value.c), "%s.get().ref().set(%s)" % (place.ref, target.stored(value)))
            self.close()

    def struct_copy(self):
        """Structs as values: from one object to another, through a private one, by a pointer"""
        rng = self.rng
        objects = [o for o in self.objects if isinstance(o.element, Struct)]
        source = rng.choice(objects)
        target = rng.choice([o for o in objects if o.element is source.element])
        places = []
        for obj in (source, target):
            indices = [self.index(dim) for dim in obj.dims]
            places.append((self.element_text(obj, indices), "%s.ref(%s)" % (obj.name, self.flat(obj, indices))))
        (a, a_ref), (b, b_ref) = places
        kind = rng.random()
        self.py("new = copy(%s.get())" % a_ref)
        if kind < 0.4:
            self.c("%s = %s;" % (b, a))
        elif kind < 0.7:
            name = self.fresh("t")
            self.c("%s %s = %s;" % (source.element.name, name, a))
            place = self.descend(Place(name, "Ref({0: new}, 0)", source.element))
            if isinstance(place.type, Int):
                value = self.integer(2)
                self.both("%s = %s;" % (place.c, value.c), "%s.set(%s)" % (place.ref, place.stored(value)))
            self.c("%s = %s;" % (b, name))
        elif isinstance(target.block, int):
            name = self.fresh("p")
            self.c("%s%s = &%s;" % (target.pointer().name, name, b))
            self.c("*%s = %s;" % (name, a))
        else:
            self.c("%s = ({ %s; });" % (b, a))
        self.py("%s.set(new)" % b_ref)

    def walk(self):
        """A pointer variable that moves along an object"""
        rng = self.rng
        objects = [o for o in self.objects if o.dims and isinstance(o.element, Int)]
        if not objects:
            return
        obj = rng.choice(objects)
        if not self.vars:
            return
        p, at = self.fresh("p"), self.fresh("at")
        size = self.count_text(obj)
        start = self.index((1, False))
        first = "&" + obj.name + "[0]" * len(obj.dims)
        pointer = obj.pointer()
        if not isinstance(obj.block, int):
            block = "%s.block" % obj.name
        else:
            block = str(obj.block)
        self.both("%s%s = %s; long %s = 0;" % (pointer.name, p, first, at),
                  "%s = %s.pointer(0); %s = 0" % (p, obj.name, at))
        del start
        for _ in range(rng.randint(1, 4)):
            target = self.integer(2)
            goal_c = "(long)((unsigned long)%s %% %s)" % (target.c, size[0])
            goal_py = "(wrap(%s, 64, False) %% %s)" % (target.py, size[1])
            goal = self.fresh("g")
            self.both("long %s = %s;" % (goal, goal_c), "%s = %s" % (goal, goal_py))
            moved = "%s.add(%s - %s, %s)" % (p, goal, at, block)
            kind = rng.random()
            if kind < 0.25:
                step = "%s += %s - %s; " % (p, goal, at)
                if rng.random() < 0.6:   # in whole rounds of all threads, and what is left
                    round_ = rng.choice(("THREADS", "THREADS", "2 * THREADS", "%s * THREADS" % block
                                         if isinstance(obj.block, int) and obj.block > 0 else "THREADS"))
                    rounds = "(%s - %s) / (%s) * %s" % (goal, at, round_, rng.choice((round_, "(%s)" % round_)))
                    rest = "(%s - %s) %% (%s)" % (goal, at, round_)
                    step = rng.choice(("{p} += {n}; {p} += {r}; ", "{p} -= -({n}); {p} = {p} + {r}; ",
                                       "{p} = {p} + {n} + ({r}); ", "{p} = {r} + (&{p}[{n}]); ",
                                       "{p} += {n} + {r}; ")).format(p=p, n=rounds, r=rest)
                self.both("%s%s = %s;" % (step, at, goal), "%s = %s; %s = %s" % (p, moved, at, goal))
                place = Place(rng.choice(["*%s", "%s[0]", "0[%s]", "*(%s)"]) % p, "%s.ref()" % p, obj.element)
            elif kind < 0.4:
                self.both("%s -= %s - %s; %s = %s;" % (p, at, goal, at, goal),
                          "%s = %s; %s = %s" % (p, moved, at, goal))
                place = Place("*%s" % p, "%s.ref()" % p, obj.element)
            elif kind < 0.55:
                self.both("%s = (%s < %s ? %s + (unsigned)(%s - %s) : %s - (unsigned short)(%s - %s)); %s = %s;" % (
                    p, at, goal, p, goal, at, p, at, goal, at, goal), "%s = %s; %s = %s" % (p, moved, at, goal))
                place = Place("(*%s)" % p, "%s.ref()" % p, obj.element)
            elif kind < 0.7:
                place = Place("%s[%s - %s]" % (p, goal, at), "%s.ref()" % moved, obj.element)
            elif kind < 0.8:
                place = Place("*(%s - (int)(%s - %s))" % (p, at, goal), "%s.ref()" % moved, obj.element)
            else:
                self.both("%s = &%s[%s - %s]; %s = %s;" % (p, p, goal, at, at, goal),
                          "%s = %s; %s = %s" % (p, moved, at, goal))
                name, t = rng.choice(self.vars)
                step, change = rng.choice([("*%s++", 1), ("*%s--", -1)])
                self.c("%s = %s; %s += %d;" % (name, step % p, at, change))
                self.py("%s = %s" % (name, t.convert("%s.ref().get()" % p)))
                self.py("%s = %s.add(%d, %s); %s += %d" % (p, p, change, block, at, change))
                continue
            self.store(place)
            checks = rng.choice(["thread", "phase", "cast", ""])
            if checks in ("thread", "phase"):
                name, t = rng.choice(self.vars)
                self.both("%s = upc_%sof(%s);" % (name, checks, p),
                          "%s = %s" % (name, t.convert("%s_of(%s)" % (checks, p))))
            elif checks == "cast" and isinstance(obj.block, int):
                self.cast_pointer(obj, p)

    def cast_pointer(self, obj, p):
        """The phase of a pointer after a cast to another block size, and arithmetic on the result"""
        rng = self.rng
        name, t = rng.choice(self.vars)
        block = rng.choice([0, 1, 2, 3, 5, obj.block])
        pointer = Pointer(obj.element, block)
        steps = rng.randint(-9, 9)
        q = self.fresh("q")
        self.both("%s%s = (%s)%s + %d;" % (pointer.name, q, pointer.name, p, steps),
                  "%s = %s.cast(%d, %d).add(%d, %d)" % (q, p, obj.block, block, steps, block))
        self.both("%s = upc_threadof(%s) * 100 + upc_phaseof(%s) + (%s - (%s)%s);" % (name, q, q, q, pointer.name, p),
                  "%s = %s" % (name,
                               t.convert("wrap(thread_of(%s) * 100 + phase_of(%s) + %d, 64, False)" % (q, q, steps))))

    def count_text(self, obj):
        c = "sizeof(%s) / upc_elemsizeof(%s)" % (obj.name, obj.name)
        return "(%s)" % c, "%s.count" % obj.name

    def forall_phase(self, obj):
        """Every iteration writes one element of obj; all the others are only read."""
        rng = self.rng
        self.readable = [o for o in self.objects if o is not obj]
        self.allow_me = False
        self.vars = []
        i = self.fresh("i")
        index_type = rng.choice([INT, LONG, UINT, ULONG, INTS["long long"], INTS["short"]])
        count_c, count_py = self.count_text(obj) if obj.dims else ("1", "1")
        affinity_c, affinity_py = self.affinity(obj, i, index_type)
        form = rng.randrange(3)
        step = rng.choice(["%s++", "++%s", "%s += 1"]) % i
        if form == 0:
            head = "upc_forall (%s %s = 0; %s < (%s)%s; %s; %s)" % (
                index_type.name, i, i, index_type.name, count_c, step, affinity_c)
        else:
            self.c("%s %s;" % (index_type.name, i))
            head = "upc_forall (%s = 0; %s < (%s)%s; %s; %s)" % (i, i, index_type.name, count_c, step, affinity_c)
        self.open(head + " {", "for %s in range(%s):" % (i, count_py))
        if affinity_py is None:
            self.c("if (%s %% THREADS != MYTHREAD) continue;" % i)
            self.py("me = %s %% T" % i)
        else:
            self.py("me = %s" % affinity_py)
        self.vars = []
        indices = self.indices_of(obj, i)
        place = self.descend(Place(obj.name + "".join("[%s]" % c for c, _ in indices), "%s.ref(%s)" % (obj.name, i),
                                   obj.element))
        variable = Value(i, i, index_type)
        leaf = self.leaf
        self.allow_me = True
        self.leaf = lambda: variable if self.chance(0.3) else leaf()
        if self.chance(0.3):
            self.c("if (upc_threadof(&%s) >= THREADS) FAIL(\"thread\");" % (
                obj.name + "".join("[%s]" % c for c, _ in indices)))
        if isinstance(place.type, Pointer):
            c, py = self.pointer_value(place.type)
            self.both("%s = %s;" % (place.c, c), "%s.set(%s)" % (place.ref, py))
        else:
            self.store(place)
        self.leaf = leaf
        self.close()

    def indices_of(self, obj, i):
        """The indices of element i"""
        indices = []
        inner_c, inner_py = "1", "1"
        for position, dim in reversed(list(enumerate(obj.dims))):
            size_c, size_py = self.size(dim), py_count(*dim)
            c = i if inner_c == "1" else "%s / (%s)" % (i, inner_c)
            py = "%s // (%s)" % (i, inner_py)
            if position > 0:
                c, py = "(%s) %% %s" % (c, size_c), "(%s) %% %s" % (py, size_py)
            indices.insert(0, (c, py))
            inner_c = size_c if inner_c == "1" else "%s * %s" % (inner_c, size_c)
            inner_py += " * " + size_py
        return indices

    def affinity(self, obj, i, index_type):
        rng = self.rng
        kind = rng.random()
        if kind < 0.15:
            return rng.choice([("continue", None), ("", None)])
        if kind < 0.4:
            factor, offset = rng.randint(1, 5), rng.randint(0, 9)
            form, py = rng.choice([("%s", "%s"), ("%s * %d" % ("%s", factor), "(%s * %d)" % ("%s", factor)),
                                   ("%s + %d" % ("%s", offset), "(%s + %d)" % ("%s", offset)),
                                   ("(int)%s - 40" % "%s", "(%s - 40)" % "%s"), ("-(long)%s" % "%s", "(-%s)" % "%s"),
                                   ("%s + 4294967296ul" % "%s", "(%s + 4294967296)" % "%s"),
                                   ("(unsigned char)(%s + 250)" % "%s", "((%s + 250) %% 256)")])
            return form % i, "%s %% T" % (py % i)
        target = rng.choice([o for o in self.objects if o.dims])
        size_c, size_py = self.count_text(target)
        if len(target.dims) == 1:
            index_c, index_py = "%s %% %s" % (i, size_c), "%s %% %s" % (i, size_py)
            form = rng.choice(["&%s[%s]", "%s + %s", "(shared void *)&%s[%s]", "(&%s[0] + %s)"])
            return form % (target.name, index_c), "%s.owner(%s)" % (target.name, index_py)
        return "&" + target.name + "[0]" * len(target.dims), "%s.owner(0)" % target.name


def common_of(a, b):
    from language import common
    return common(a.type, b.type)
