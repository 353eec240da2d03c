"""Random expressions of every kind that C has, for operands.py, in texts that contain a form for shared memory and one
for its private twin.

@x is x, and m_x in the twin; either(a, b) is a, and b in the twin; both() resolves a text.
"""

import collections
import re

ROWS = 40                # elements of an array, or its rows, times THREADS
COLUMNS = 8
MAX_THREADS = 8
START = "16 * THREADS"   # pointers start near this element, so that there is room for steps in both directions


def either(shared, private):
    return "\1%s\2%s\3" % (shared, private)


CHOICE = re.compile("\1([^\1-\3]*)\2([^\1-\3]*)\3")


def both(text):
    """(shared form, private twin)"""
    sides = []
    for side, name in ((1, r"\1"), (2, r"m_\1")):
        one = text
        while CHOICE.search(one):
            one = CHOICE.sub(lambda match, side=side: match.group(side), one)
        sides.append(re.sub(r"@(\w)", name, one))
    return sides


# Precedence levels of expressions
(COMMA, ASSIGNMENT, CONDITION, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, RELATION, SHIFT, SUM, PRODUCT, UNARY,
 POSTFIX,
 PRIMARY) = range(16)
Text = collections.namedtuple("Text", "text level")


def at(e, level):
    """An operand where C's grammar requires this precedence: in parentheses only if necessary"""
    return e.text if e.level >= level else "(%s)" % e.text


class Array:
    """Elements of one type in one layout.  Its name is that of an array, or of a pointer to allocated memory."""

    def __init__(self, rng, number, element, layouts=None, columns=0, is_own=False):
        self.name = "a%d" % number
        self.element = element
        self.columns = columns
        self.is_own = is_own        # memory of the executing thread, whose pointers can be cast to local ones
        self.layout = rng.choice(layouts or ("", "[1]", "[2]", "[3]", "[16]", "[]", "[*]"))
        self.strict = rng.choice(("", "", "strict ", "relaxed "))
        self.is_allocated = is_own or (not columns and self.layout != "[*]" and rng.random() < 0.3)
        self.block = {"": 1, "[]": 0, "[*]": ROWS * (columns or 1)}.get(self.layout)
        if self.block is None:
            self.block = int(self.layout[1:-1])

    def declarator(self, inner, qualifiers=""):
        """Declares this as an element, or as an array of or pointer to elements, with these qualifiers"""
        return "%s%s %s" % (qualifiers, self.element, inner)

    def target(self, inner):
        """Declares this as what points to elements"""
        layout = "[%d]" % self.block if self.layout == "[*]" else self.layout
        return self.declarator(inner, either("%sshared %s " % (self.strict, layout), ""))

    def pointer(self):
        return "@P_" + self.name

    def row_pointer(self):
        return "@R_" + self.name

    def origin(self):
        """The address of the first element"""
        return "(&@%s[0]%s)" % (self.name, "[0]" if self.columns else "")

    def declare(self):
        columns = "[%d]" % self.columns if self.columns else ""
        twin = "static " + both(self.declarator("m_%s[%d]%s" % (self.name + ("_" if self.is_allocated else ""),
                                                                ROWS * MAX_THREADS, columns)))[1]
        text = "typedef %s;\n" % self.target("*" + self.pointer())
        if self.columns:
            text += "typedef %s;\n" % self.target("(*%s)%s" % (self.row_pointer(), columns))
        text += "static %s @same_%s(%s p) { return p; }\n" % (self.pointer(), self.name, self.pointer())
        text += "struct @holder_%s { int n; %s p; };\n" % (self.name, self.pointer())
        text = "".join(both(text))
        if self.is_allocated:
            twin += "; static m_P_%s m_%s = m_%s_" % (self.name, self.name, self.name)
            text += "static P_%s %s;\n" % (self.name, self.name)
        else:
            count = ROWS * MAX_THREADS if self.block == 0 else "%d*THREADS" % ROWS
            text += both(self.declarator("%s[%s]%s" % (self.name, count, columns),
                                         "%sshared %s " % (self.strict, self.layout)))[0] + ";\n"
        first = "m_%s[0]%s" % (self.name, "[0]" if columns else "")
        number = "((char *)p - (char *)&%s) / (long)sizeof(%s)" % (first, first)
        owner = "turn" if self.is_own else "number_%s(p) / %d %% THREADS" % (self.name,
                                                                             self.block) if self.block else "0"
        return text + twin + """;
static long number_%s(const volatile void *p) { return %s; }
static int owner_%s(const volatile void *p) { (void)p; return %s; }
static long phase_%s(const volatile void *p) { return number_%s(p) %% %d; }
""" % (self.name, number, self.name, owner, self.name, self.name, self.block or 1)

    def allocate(self):
        if not self.is_allocated:
            return ""
        if self.block == 0:
            function = "upc_alloc" if self.is_own else "of_thread_0"
            return "    %s = %s(%d * sizeof(*%s));\n" % (self.name, function, ROWS * MAX_THREADS, self.name)
        return "    %s = upc_all_alloc((%d * THREADS + %d) / %d, %d * sizeof(*%s));\n" % (
            self.name, ROWS, self.block - 1, self.block, self.block, self.name)

    def owner(self, address):
        return Text(either("(int)upc_threadof(%s)" % address, "(int)owner_%s(%s)" % (self.name, address)), UNARY)

    def phase(self, address):
        return Text(either("(long)upc_phaseof(%s)" % address, "(long)phase_%s(%s)" % (self.name, address)), UNARY)


class Inner:
    """Makes the operands of an expression."""

    def __init__(self, kinds, depth, room):
        self.kinds, self.depth, self.room = kinds, depth, room

    def integer(self, level):
        name = self.kinds.rng.choice(INTEGERS if self.depth > 0 else ("constant", "variable"))
        return at(self.kinds.make("integer_" + name, self.depth, False), level)

    def pointer(self, level, array=None):
        name = self.kinds.rng.choice(POINTERS if self.depth > 0 else ("variable", "variable", "start"))
        return at(self.kinds.make("pointer_" + name, self.depth, self.room,
                                  array or self.kinds.rng.choice(self.kinds.arrays)), level)

    def record(self, level):
        name = self.kinds.rng.choice(RECORDS if self.depth > 0 else ("shared", "variable"))
        return at(self.kinds.make("record_" + name, self.depth, False), level)


class Kinds:
    """Expressions.  What an expression changes is a variable that nothing else uses, so that the order of evaluation
    does not matter; `checks` has statements that check those variables.  Integers are 0 to 7.  Pointers point at most
    14 elements before or after the start.  The operand with number `forced`[0], among those that a form asks for, is of
    the kind `forced`[1]."""

    def __init__(self, rng, arrays, records, forced):
        self.rng, self.arrays, self.records, self.forced = rng, arrays, records, forced
        self.declared, self.checks = [], []
        self.operands = []              # what the form asked for: prefixes of kinds
        self.in_loop = False            # expressions are evaluated up to three times
        self.only_private = False       # they touch nothing shared
        self.counters = ["@relaxed_counter%d" % n for n in range(4)] + ["@strict_counter%d" % n for n in range(4)]

    def make(self, name, depth, room, *array):
        """room: a pointer may be one step away"""
        return getattr(self, name)(Inner(self, depth - 1, room), *array)

    # ---- variables ----
    def fresh(self, value, types=("int", "long", "unsigned", "short", "unsigned char")):
        name = "t%d" % len(self.declared)
        self.declared.append("%s %s = V(%d);" % (self.rng.choice(types), name, value))
        self.checks.append("h = h * 31 + (unsigned long)%s;" % name)
        return name

    def fresh_counter(self):
        """A shared counter"""
        if not self.counters or self.only_private:
            return self.fresh(3)
        name = self.counters.pop(self.rng.randrange(len(self.counters)))
        self.declared.append("%s = 3;" % name)
        self.checks.append("h = h * 31 + (unsigned long)%s;" % name)
        return name

    def fresh_pointer(self, array):
        name = "p%d" % len(self.declared)
        self.declared.append("%s %s = %s;" % (array.pointer(), name, at(self.pointer_start(None, array), ASSIGNMENT)))
        self.checks.append("h = h * 31 + (unsigned long)(%s - %s);" % (name, array.origin()))
        return name

    def statements(self, kind, value):
        return Text(self.rng.choice(("({ %s in = %s; in; })" % (kind, value),
                                     "({ %s++; %s; })" % (self.fresh(3), value))), PRIMARY)

    # ---- what forms ask for ----
    def operand(self, prefix, names, room, array):
        number = len(self.operands)
        self.operands.append(prefix)
        if self.forced is not None and self.forced[0] == number:
            return self.make(prefix + self.forced[1], 2, room, *array)
        return self.make(prefix + self.rng.choice(names), 1, room, *array)

    def integer(self, level):
        return at(self.operand("integer_", INTEGERS, False, ()), level)

    def pointer(self, level, array):
        return at(self.operand("pointer_", POINTERS, True, (array,)), level)

    def record(self, level):
        return at(self.operand("record_", RECORDS, False, ()), level)

    # ---- integers ----
    def integer_constant(self, _):
        return Text("%d" % self.rng.randrange(8), PRIMARY)

    def integer_variable(self, _):
        return Text(self.fresh(self.rng.randrange(8)), PRIMARY)

    def integer_comma(self, of):
        first = self.rng.choice((lambda: of.integer(ASSIGNMENT), lambda: self.fresh(3) + "++", lambda: "(void)0"))
        return Text("%s, %s" % (first(), of.integer(ASSIGNMENT)), COMMA)

    def integer_conditional(self, of):
        return Text("%s ? %s : %s" % (of.integer(OR), of.integer(COMMA), of.integer(CONDITION)), CONDITION)

    def integer_gnu_conditional(self, of):
        return Text("%s ?: %s" % (of.integer(OR), of.integer(CONDITION)), CONDITION)

    def integer_assignment(self, of):
        return Text("%s = %s" % (self.fresh(5), of.integer(ASSIGNMENT)), ASSIGNMENT)

    def integer_compound(self, of):
        return Text("%s %s %s" % (self.fresh(6), self.rng.choice(("^=", "|=", "&=")), of.integer(ASSIGNMENT)),
                    ASSIGNMENT)

    def integer_prefix(self, _):
        return Text(self.rng.choice(("++", "--")) + self.fresh(3), UNARY)

    def integer_postfix(self, _):
        return Text(self.fresh(4) + self.rng.choice(("++", "--")), POSTFIX)

    def integer_cast(self, of):
        return Text("(%s)%s" % (self.rng.choice(("int", "long", "char", "unsigned", "short", "_Bool")),
                                of.integer(UNARY)), UNARY)

    def integer_call(self, of):
        return Text("same(%s)" % of.integer(ASSIGNMENT), POSTFIX)

    def integer_statements(self, of):
        return self.statements("int", of.integer(ASSIGNMENT))

    def integer_not(self, of):
        return Text("!" + of.integer(UNARY), UNARY)

    def integer_minus(self, of):
        return Text("-(- %s)" % of.integer(POSTFIX), UNARY)

    def integer_extension(self, of):
        return Text("__extension__ " + of.integer(UNARY), UNARY)

    def integer_dereferenced(self, of):
        return Text(self.rng.choice(("*&" + self.fresh(2), "*(few + %s)" % of.integer(PRODUCT))), UNARY)

    def integer_and(self, of):
        return Text("%s && %s" % (of.integer(BIT_OR), of.integer(BIT_OR)), AND)

    def integer_or(self, of):
        return Text("%s || %s" % (of.integer(AND), of.integer(AND)), OR)

    def integer_bits(self, of):
        operator, level = self.rng.choice((("|", BIT_OR), ("^", BIT_XOR), ("&", BIT_AND)))
        return Text("%s %s %s" % (of.integer(level), operator, of.integer(level + 1)), level)

    def integer_comparison(self, of):
        operator, level = self.rng.choice((("==", EQUALITY), ("!=", EQUALITY), ("<", RELATION), (">=", RELATION)))
        return Text("%s %s %s" % (of.integer(level), operator, of.integer(level + 1)), level)

    def integer_difference(self, of):
        return Text("7 - %s" % of.integer(PRODUCT), SUM)

    def integer_remainder(self, of):
        return Text("%s %% 8" % of.integer(PRODUCT), PRODUCT)

    def integer_shift(self, of):
        return Text("%s >> %s" % (of.integer(SHIFT), of.integer(SUM)), SHIFT)

    def integer_element(self, of):
        return Text("few[%s]" % of.integer(COMMA), POSTFIX)

    def integer_swapped_element(self, of):
        return Text("%s[few]" % of.integer(POSTFIX), POSTFIX)

    def integer_string(self, of):
        return Text("\"\\1\\7\\2\\5\\3\\6\\4\"[%s]" % of.integer(COMMA), POSTFIX)

    def integer_literal(self, of):
        return Text("(int){%s}" % of.integer(ASSIGNMENT), POSTFIX)

    def integer_array_literal(self, of):
        return Text("(int[]){1, 2, 3, 4, 5, 6, 7, %s}[%s]" % (of.integer(ASSIGNMENT), of.integer(COMMA)), POSTFIX)

    def integer_generic(self, of):
        return Text("_Generic(1, int: %s, default: -1)" % of.integer(ASSIGNMENT), PRIMARY)

    def integer_chosen(self, of):
        return Text("__builtin_choose_expr(1, %s, -1)" % of.integer(ASSIGNMENT), PRIMARY)

    def integer_member(self, _):
        return Text(self.rng.choice(("@one.b", "(&@one)->b")), POSTFIX)

    def integer_size(self, of):
        return Text(self.rng.choice(("sizeof(V, + %s) & 7", "sizeof - %s & 7")) % of.integer(UNARY), BIT_AND)

    # ---- integers from shared memory ----
    def name_of(self, shared, private):
        return private if self.only_private else self.rng.choice(shared)

    def integer_shared_element(self, of):
        return Text("%s[%s]" % (self.name_of(("@relaxed_few", "@strict_few", "@block_few"), "few"), of.integer(COMMA)),
                    POSTFIX)

    def integer_shared_dereferenced(self, of):
        return Text("*(%s + %s)" % (self.name_of(("@relaxed_few", "@strict_few", "@block_few"), "few"),
                                    of.integer(PRODUCT)), UNARY)

    def integer_shared_step(self, _):
        return Text(self.fresh_counter() + self.rng.choice(("++", "--")), POSTFIX)

    def integer_shared_assignment(self, of):
        return Text("%s %s %s" % (self.fresh_counter(), self.rng.choice(("=", "^=", "|=")), of.integer(ASSIGNMENT)),
                    ASSIGNMENT)

    def integer_shared_bits(self, _):
        return Text(self.name_of(("@strict_item.b", "@relaxed_item.b"), "@one.b"), POSTFIX)

    def integer_record(self, of):
        return Text("%s.b" % (of.record(POSTFIX) if not self.only_private else "@one"), POSTFIX)

    def integer_pointer_test(self, of):
        return Text("!" + (of.pointer(UNARY) if not self.only_private else "0"), UNARY)

    def integer_pointers(self, of):
        if self.only_private:
            return self.integer_comparison(of)
        array = self.rng.choice(self.arrays)
        form = self.rng.choice(("%s == %s", "%s != %s", "(%s == 0) == !%s"))
        return Text(form % (of.pointer(EQUALITY, array), of.pointer(RELATION if form[0] == "%" else UNARY, array)),
                    EQUALITY)

    def integer_thread(self, of):
        if self.only_private:
            return self.integer_cast(of)
        array = self.rng.choice(self.arrays)
        return array.owner(of.pointer(ASSIGNMENT, array))

    # ---- pointers to elements of an array ----
    def pointer_start(self, _, array):
        k = self.rng.randrange(4)
        if array.columns:
            return self.rng.choice((Text("&@%s[2 * THREADS][%d]" % (array.name, k), UNARY),
                                    Text("@%s[2 * THREADS] + %d" % (array.name, k), SUM)))
        return self.rng.choice((Text("&@%s[%s + %d]" % (array.name, START, k), UNARY),
                                Text("@%s + (%s + %d)" % (array.name, START, k), SUM)))

    def pointer_variable(self, _, array):
        return Text(self.fresh_pointer(array), PRIMARY)

    def pointer_comma(self, of, array):
        first = self.rng.choice((lambda: of.integer(ASSIGNMENT), lambda: of.pointer(ASSIGNMENT)))
        return Text("%s, %s" % (first(), of.pointer(ASSIGNMENT, array)), COMMA)

    def pointer_conditional(self, of, array):
        return Text("%s ? %s : %s" % (of.integer(OR), of.pointer(COMMA, array), of.pointer(CONDITION, array)),
                    CONDITION)

    def pointer_tested(self, of, array):
        return Text("%s ? %s : 0" % (of.pointer(OR), of.pointer(COMMA, array)), CONDITION)

    def pointer_gnu_conditional(self, of, array):
        return Text("%s ?: %s" % (of.pointer(OR, array), of.pointer(CONDITION, array)), CONDITION)

    def pointer_assignment(self, of, array):
        return Text("%s = %s" % (self.fresh_pointer(array), of.pointer(ASSIGNMENT, array)), ASSIGNMENT)

    def pointer_compound(self, of, array):
        step = of.integer(ASSIGNMENT) if of.room and not self.in_loop else "0"
        return Text("%s %s %s" % (self.fresh_pointer(array), self.rng.choice(("+=", "-=")), step), ASSIGNMENT)

    def pointer_prefix(self, _, array):
        return Text(self.rng.choice(("++", "--")) + self.fresh_pointer(array), UNARY)

    def pointer_postfix(self, _, array):
        return Text(self.fresh_pointer(array) + self.rng.choice(("++", "--")), POSTFIX)

    def pointer_cast(self, of, array):
        return Text("(%s)%s" % (array.pointer(), of.pointer(UNARY, array)), UNARY)

    def pointer_generic_cast(self, of, array):
        return Text("(%s)(%s)%s" % (array.pointer(), either("shared void *", "void *"), of.pointer(UNARY, array)),
                    UNARY)

    def pointer_call(self, of, array):
        return Text("@same_%s(%s)" % (array.name, of.pointer(ASSIGNMENT, array)), POSTFIX)

    def pointer_statements(self, of, array):
        return self.statements(array.pointer(), of.pointer(ASSIGNMENT, array))

    def pointer_extension(self, of, array):
        return Text("__extension__ " + of.pointer(UNARY, array), UNARY)

    def pointer_dereferenced(self, _, array):
        return Text("*&" + self.fresh_pointer(array), UNARY)

    def pointer_of_element(self, of, array):
        return Text("&*" + of.pointer(UNARY, array), UNARY)

    def step(self, of):
        """Kinds use up the room: what is inside must not step."""
        return Inner(self, of.depth, False), of.integer if of.room else lambda level: "0"

    def pointer_sum(self, of, array):
        of, integer = self.step(of)
        return Text("%s %s %s" % (of.pointer(SUM, array), self.rng.choice("+-"), integer(PRODUCT)), SUM)

    def pointer_swapped_sum(self, of, array):
        of, integer = self.step(of)
        return Text("%s + %s" % (integer(SUM), of.pointer(PRODUCT, array)), SUM)

    def pointer_address(self, of, array):
        of, integer = self.step(of)
        return Text("&%s[%s]" % (of.pointer(POSTFIX, array), integer(COMMA)), UNARY)

    def pointer_of_many(self, of, array):
        name = self.fresh_pointer(array)
        self.declared.append("%s of_%s[2] = {%s, %s};" % (array.pointer(), name, name, name))
        return Text("of_%s[%s & 1]" % (name, of.integer(EQUALITY)), POSTFIX)

    def pointer_literal(self, of, array):
        return Text("(%s){%s}" % (array.pointer(), of.pointer(ASSIGNMENT, array)), POSTFIX)

    def pointer_in_literal(self, of, array):
        return Text("((struct @holder_%s){%s, %s}).p" % (array.name, of.integer(ASSIGNMENT),
                                                         of.pointer(ASSIGNMENT, array)), POSTFIX)

    def pointer_member(self, _, array):
        name = self.fresh_pointer(array)
        self.declared.append("struct @holder_%s in_%s = {1, %s};" % (array.name, name, name))
        return Text(self.rng.choice(("in_%s.p", "(&in_%s)->p")) % name, POSTFIX)

    def pointer_generic(self, of, array):
        return Text("_Generic(1, int: %s, default: 0)" % of.pointer(ASSIGNMENT, array), PRIMARY)

    def pointer_generic_by_type(self, of, array):
        control, chosen = of.pointer(ASSIGNMENT, array), of.pointer(ASSIGNMENT, array)
        return Text("_Generic(%s, %s: %s, default: 0)" % (control, array.pointer(), chosen), PRIMARY)

    def pointer_chosen(self, of, array):
        return Text("__builtin_choose_expr(1, %s, 0)" % of.pointer(ASSIGNMENT, array), PRIMARY)

    # ---- structs ----
    def record_shared(self, of):
        return Text("@%s[%s]" % (self.rng.choice(self.records).name, of.integer(COMMA)), POSTFIX)

    def record_dereferenced(self, of):
        return Text("*" + of.pointer(UNARY, self.rng.choice(self.records)), UNARY)

    def record_variable(self, _):
        return Text("@one", PRIMARY)

    def record_comma(self, of):
        return Text("%s, %s" % (self.rng.choice((of.integer, of.record))(ASSIGNMENT), of.record(ASSIGNMENT)), COMMA)

    def record_conditional(self, of):
        return Text("%s ? %s : %s" % (of.integer(OR), of.record(COMMA), of.record(CONDITION)), CONDITION)

    def record_assignment(self, of):
        name = "r%d" % len(self.declared)
        self.declared.append("struct @item %s;" % name)
        return Text("%s = %s" % (name, of.record(ASSIGNMENT)), ASSIGNMENT)

    def record_call(self, of):
        return Text("@same_item(%s)" % of.record(ASSIGNMENT), POSTFIX)

    def record_statements(self, of):
        return self.statements("struct @item", of.record(ASSIGNMENT))

    def record_literal(self, of):
        return Text("(struct @item){.m = %s, .b = %s, .q = @one.q}" % (of.integer(ASSIGNMENT), of.integer(ASSIGNMENT)),
                    POSTFIX)

    def record_generic(self, of):
        return Text("_Generic(1, int: %s, default: 0)" % of.record(ASSIGNMENT), PRIMARY)

    def record_extension(self, of):
        return Text("__extension__ " + of.record(UNARY), UNARY)


NAMES = {prefix: [name[len(prefix):] for name in vars(Kinds) if name.startswith(prefix)]
         for prefix in ("integer_", "pointer_", "record_")}
INTEGERS, POINTERS, RECORDS = NAMES.values()
