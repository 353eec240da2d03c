"""Shared objects that hold private addresses, for operands.py: of functions, of arrays, of pointers-to-shared, and
structs with these.

The emitted C declares variables of these types, whose names stand within the type.  An address means nothing to another
process, so each case fills an array with the executing thread's own addresses, and compares all of it.
"""

from operand_kinds import (ASSIGNMENT, COMMA, CONDITION, OR, POSTFIX, PRODUCT, ROWS, SUM, UNARY, Array, Text, at, both,
                           either)

TO_INT = either("shared int *", "int *")
# type: its declaration, an object of that type from a number, its level, and what the object says
TYPES = {
    "function": ("int (*%s)(int)", "functions[%s]", COMMA, lambda e: at(e, POSTFIX) + "(2)"),
    "row": ("int (*%s)[3]", "(few_rows + 8 + %s)", PRODUCT, lambda e: "(*%s)[1]" % at(e, UNARY)),
    "pointer": (TO_INT + "*%s", "(@few_pointers + 8 + %s)", PRODUCT, lambda e: "**" + at(e, UNARY)),
    "pointer_row": (TO_INT + "(*%s)[2]", "(@few_pointer_rows + 8 + %s)", PRODUCT,
                    lambda e: "*(*%s)[1]" % at(e, UNARY)),
}

HEAD = "".join("static int function%d(int x) { return x * %d + 1; }\n" % (n, n) for n in range(8))
HEAD += "static int (*functions[8])(int) = {%s};\n" % ", ".join("function%d" % n for n in range(8))
HEAD += "static int few_rows[24][3];\n"
HEAD += "".join(both(either("static shared int *few_pointers[24], *few_pointer_rows[24][2];\n",
                            "static int *m_few_pointers[24], *m_few_pointer_rows[24][2];\n") + """
struct @bag { %s; };
static void @start_addresses(void)
{
    for (int i = 0; i < 24; i++) {
        few_rows[i][1] = i * 3;
        @few_pointers[i] = &@relaxed_few[i %% 9];
        @few_pointer_rows[i][1] = &@relaxed_few[i * 2 %% 9];
    }
}
""" % "; ".join(declaration % ("in_" + kind) for kind, (declaration, *_) in TYPES.items())))


class Addresses(Array):
    """Elements of one of these types, or structs with a member of each of them"""

    def __init__(self, rng, number, kind):
        self.kind = kind
        super().__init__(rng, number, "struct @bag")
        self.strict = rng.choice(("strict ", "strict ", "relaxed ", ""))

    def declarator(self, inner, qualifiers=""):
        if self.kind is None:
            return super().declarator(inner, qualifiers)
        return TYPES[self.kind][0] % (qualifiers + inner)

    def functions(self):
        """One that fills the array, and one that sums it up"""
        element = "@%s[i]" % self.name
        places = [(kind, element + ("" if self.kind else ".in_" + kind)) for kind in TYPES
                  if self.kind in (None, kind)]
        assigned = " ".join("%s = %s;" % (place, TYPES[kind][1] % "(i & 7)") for kind, place in places)
        summed = " ".join("h = h * 31 + (unsigned long)%s;" % TYPES[kind][3](Text(place, POSTFIX))
                          for kind, place in places)
        loop = "for (int i = 0; i < %d * THREADS; i++) {" % ROWS
        return "".join(both("""static void @fill_%s(void) { %s %s } }
static unsigned long @sum_%s(unsigned long h) { %s %s } return h; }
""" % (self.name, loop, assigned, self.name, loop, summed)))


class AddressForms:
    """Places "address_..." and what is done with them, "used_..." """

    def around(self, statement):
        return "@fill_%s(); %s h = @sum_%s(h);" % (self.array.name, statement, self.array.name)

    def pick(self, is_bag=False):
        self.array = self.rng.choice([array for array in self.addresses if (array.kind is None) == is_bag])
        self.kind = self.array.kind or self.rng.choice(list(TYPES))
        return self.array

    def value(self):
        _, form, level, _ = TYPES[self.kind]
        return form % self.i(level)

    def says(self, e):
        return self.note(TYPES[self.kind][3](e))

    # ---- places ----
    def address_element(self):
        return Text("@%s[%s]" % (self.pick().name, self.i(COMMA)), POSTFIX)

    def address_sum(self):
        return Text("*(@%s + %s)" % (self.pick().name, self.i(PRODUCT)), UNARY)

    def address_pointer(self):
        return Text("*%s" % self.p(UNARY, self.pick()), UNARY)

    def address_pointer_index(self):
        return Text("%s[%s]" % (self.p(POSTFIX, self.pick()), self.i(COMMA)), POSTFIX)

    def address_pointer_sum(self):
        return Text("*(%s + %s)" % (self.p(SUM, self.pick()), self.i(PRODUCT)), UNARY)

    def address_member(self):
        return Text("%s->in_%s" % (self.p(POSTFIX, self.pick(True)), self.kind), POSTFIX)

    def address_member_of_element(self):
        return Text("@%s[%s].in_%s" % (self.pick(True).name, self.i(COMMA), self.kind), POSTFIX)

    # ---- uses ----
    def used_value(self, place):
        return self.says(place)

    def used_initialiser(self, place):
        return "{ %s = %s; %s }" % (TYPES[self.kind][0] % "in", at(place, ASSIGNMENT), self.says(Text("in", POSTFIX)))

    def used_assignment(self, place):
        return "%s = %s;" % (place.text, self.value())

    def used_value_of_assignment(self, place):
        return self.says(Text("%s = %s" % (place.text, self.value()), ASSIGNMENT))

    def step(self, place):
        """Addresses of functions cannot be stepped"""
        if self.kind == "function":
            return Text("%s = %s" % (place.text, self.value()), ASSIGNMENT)
        return Text("%s %s %s" % (place.text, self.rng.choice(("+=", "-=")), self.i(ASSIGNMENT)), ASSIGNMENT)

    def increment(self, place):
        if self.kind == "function":
            return self.step(place)
        operator = self.rng.choice(("++", "--"))
        return self.rng.choice((Text(operator + at(place, UNARY), UNARY), Text(at(place, POSTFIX) + operator, POSTFIX)))

    def used_step(self, place):
        return self.step(place).text + ";"

    def used_value_of_step(self, place):
        return self.says(self.step(place))

    def used_increment(self, place):
        return self.increment(place).text + ";"

    def used_value_of_increment(self, place):
        return self.says(self.increment(place))

    def used_comparison(self, place):
        return self.note("(%s == %s)" % (place.text, self.value()))

    def used_test(self, place):
        return "if (%s) h += 3; else h += %s;" % (place.text, self.i(SUM))

    def used_arm(self, place):
        return self.says(Text("%s ? %s : %s" % (self.i(OR), place.text, self.value()), CONDITION))

    def used_comma(self, place):
        return self.says(Text("%s, %s" % (self.i(ASSIGNMENT), at(place, ASSIGNMENT)), COMMA))
