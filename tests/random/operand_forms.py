"""The forms of shared access for operands.py: statements with operands still to be chosen, for shared memory and for
its twin.

A form is "place use": a place is an lvalue, a use is what is done with it; or it is a statement on a pointer or a
struct.
"""

import random

from operand_addresses import AddressForms
from operand_kinds import (ASSIGNMENT, COMMA, CONDITION, EQUALITY, NAMES, OR, POSTFIX, PRODUCT, RELATION, SUM, UNARY,
                           Text, at,
                           either)


class Forms(AddressForms):
    def __init__(self, kinds, pointed, integers, records, rowed, owned, followed, written, addresses):
        self.kinds, self.rng = kinds, kinds.rng
        self.pointed, self.integers, self.records, self.rowed = pointed, integers, records, rowed
        self.owned, self.followed, self.written, self.addresses = owned, followed, written, addresses

    def statement(self, form):
        name, *rest = form.split()
        if not rest:
            return getattr(self, name)()
        self.kinds.in_loop = rest[0].endswith("_loop")
        statement = getattr(self, rest[0])(getattr(self, name)())
        return self.around(statement) if name in ADDRESSES else statement

    # ---- operands ----
    def i(self, level):
        return self.kinds.integer(level)

    def p(self, level, array):
        return self.kinds.pointer(level, array)

    def ints(self):
        self.array = self.rng.choice(self.integers + [self.owned])
        return self.array

    def items(self):
        self.array = self.rng.choice(self.records)
        return self.array

    def any(self):
        return self.rng.choice(self.integers + self.records + [self.rowed, self.owned, self.pointed, self.followed])

    # ---- places: lvalues of integer type; self.array is the array that contains them ----
    def place_element(self):
        return Text("@%s[%s]" % (self.ints().name, self.i(COMMA)), POSTFIX)

    def place_swapped_element(self):
        return Text("%s[@%s]" % (self.i(POSTFIX), self.ints().name), POSTFIX)

    def place_sum(self):
        return Text("*(@%s + %s)" % (self.ints().name, self.i(PRODUCT)), UNARY)

    def place_swapped_sum(self):
        return Text("*(%s + @%s)" % (self.i(SUM), self.ints().name), UNARY)

    def place_of_address(self):
        return Text("*&@%s[%s]" % (self.ints().name, self.i(COMMA)), UNARY)

    def place_pointer(self):
        return Text("*%s" % self.p(UNARY, self.ints()), UNARY)

    def place_pointer_index(self):
        return Text("%s[%s]" % (self.p(POSTFIX, self.ints()), self.i(COMMA)), POSTFIX)

    def place_swapped_pointer_index(self):
        return Text("%s[%s]" % (self.i(POSTFIX), self.p(COMMA, self.ints())), POSTFIX)

    def place_pointer_sum(self):
        return Text("*(%s + %s)" % (self.p(SUM, self.ints()), self.i(PRODUCT)), UNARY)

    def place_pointer_difference(self):
        return Text("*(%s - %s)" % (self.p(SUM, self.ints()), self.i(PRODUCT)), UNARY)

    def place_member(self):
        return Text("%s->%s" % (self.p(POSTFIX, self.items()), self.rng.choice("ml")), POSTFIX)

    def place_member_of_object(self):
        return Text("(*%s).m" % self.p(UNARY, self.items()), POSTFIX)

    def place_member_of_element(self):
        return Text("@%s[%s].%s" % (self.items().name, self.i(COMMA), self.rng.choice("cl")), POSTFIX)

    def place_member_array(self):
        return Text("%s->arr[%s]" % (self.p(POSTFIX, self.items()), self.i(COMMA)), POSTFIX)

    def place_swapped_member_array(self):
        return Text("%s[%s->arr]" % (self.i(POSTFIX), self.p(POSTFIX, self.items())), POSTFIX)

    def place_member_array_sum(self):
        return Text("*(%s->arr + %s)" % (self.p(POSTFIX, self.items()), self.i(PRODUCT)), UNARY)

    def place_member_array_of_element(self):
        return Text("@%s[%s].arr[%s]" % (self.items().name, self.i(COMMA), self.i(COMMA)), POSTFIX)

    def place_of_member_address(self):
        return Text("(&%s->m)[0]" % self.p(POSTFIX, self.items()), POSTFIX)

    def place_row_element(self):
        self.array = self.rowed
        return Text("@%s[%s][%s]" % (self.rowed.name, self.i(COMMA), self.i(COMMA)), POSTFIX)

    def place_row_sum(self):
        self.array = self.rowed
        return Text("*(@%s[%s] + %s)" % (self.rowed.name, self.i(COMMA), self.i(PRODUCT)), UNARY)

    def place_row_of_sum(self):
        self.array = self.rowed
        return Text("(*(@%s + %s))[%s]" % (self.rowed.name, self.i(PRODUCT), self.i(COMMA)), POSTFIX)

    def place_row_pointer(self):
        self.array = self.rowed
        self.kinds.declared.append("%s rows = &@%s[2];" % (self.rowed.row_pointer(), self.rowed.name))
        return Text("rows[%s][%s]" % (self.i(COMMA), self.i(COMMA)), POSTFIX)

    def place_row_conditional(self):
        self.array = self.rowed
        self.kinds.declared.append("%s rows = &@%s[2];" % (self.rowed.row_pointer(), self.rowed.name))
        return Text("(*(%s ? rows : rows + %s))[%s]" % (self.i(OR), self.i(PRODUCT), self.i(COMMA)), POSTFIX)

    def place_followed(self):
        self.array = self.pointed
        return Text("*@%s[%s]" % (self.followed.name, self.i(COMMA)), UNARY)

    def place_followed_index(self):
        self.array = self.pointed
        return Text("@%s[%s][%s]" % (self.followed.name, self.i(COMMA), self.i(COMMA)), POSTFIX)

    def place_followed_pointer(self):
        self.array = self.pointed
        return Text("**%s" % self.p(UNARY, self.followed), UNARY)

    def place_followed_member(self):
        self.array = self.pointed
        return Text("%s->q[%s]" % (self.p(POSTFIX, self.rng.choice(self.records)), self.i(COMMA)), POSTFIX)

    def place_local(self):
        self.array = None
        return Text("*(int *)%s" % self.p(UNARY, self.owned), UNARY)

    def place_local_index(self):
        self.array = None
        return Text("((int *)%s)[%s]" % (self.p(UNARY, self.owned), self.i(COMMA)), POSTFIX)

    def bits_member(self):
        return Text("%s->%s" % (self.p(POSTFIX, self.items()), self.rng.choice("bw")), POSTFIX)

    def bits_of_element(self):
        return Text("@%s[%s].%s" % (self.items().name, self.i(COMMA), self.rng.choice("bw")), POSTFIX)

    def bits_of_object(self):
        return Text("(*%s).w" % self.p(UNARY, self.items()), POSTFIX)

    # ---- uses of a place that may be a bit-field ----
    def note(self, value):
        return "h = h * 31 + (unsigned long)(long)%s;" % value

    def use_value(self, place):
        return self.note(at(place, UNARY))

    def use_bare_value(self, place):
        return "h = %s + h * 31;" % at(place, SUM)

    def use_assignment(self, place):
        return "%s = %s;" % (place.text, self.i(ASSIGNMENT))

    def use_value_of_assignment(self, place):
        return self.note("(%s = %s)" % (place.text, self.i(ASSIGNMENT)))

    def use_compound(self, place):
        return "%s %s %s;" % (place.text, self.rng.choice(("+=", "-=", "*=", "^=", "|=", "&=", "<<=", ">>=")),
                              self.i(ASSIGNMENT))

    def use_value_of_compound(self, place):
        return self.note("(%s %s %s)" % (place.text, self.rng.choice(("+=", "-=", "*=", "^=")), self.i(ASSIGNMENT)))

    def use_increment(self, place):
        return self.rng.choice(("%s++;", "%s--;")) % at(place, POSTFIX)

    def use_prefix(self, place):
        return self.rng.choice(("++%s;", "--%s;")) % at(place, UNARY)

    def use_value_of_increment(self, place):
        return self.note(self.rng.choice(("%s++", "%s--")) % at(place, POSTFIX))

    def use_value_of_prefix(self, place):
        return self.note(self.rng.choice(("++%s", "--%s")) % at(place, UNARY))

    def use_argument(self, place):
        return self.note("add(%s, %s)" % (at(place, ASSIGNMENT), self.i(ASSIGNMENT)))

    def use_initialiser(self, place):
        return "{ long in = %s, out[2] = {%s, %s}; h += in + out[1]; }" % (at(place, ASSIGNMENT), self.i(ASSIGNMENT),
                                                                           self.i(ASSIGNMENT))

    def use_condition(self, place):
        return "if (%s) h += 3; else h += %s;" % (place.text, self.i(SUM))

    def use_switch(self, place):
        return "switch (%s) { case 1: h++; break; case 5: case 6: h += 2; default: h += %s; }" % (place.text,
                                                                                                  self.i(SUM))

    def use_arm(self, place):
        return self.note("(%s ? %s : %s)" % (self.i(OR), at(place, COMMA), self.i(CONDITION)))

    def use_test(self, place):
        return self.note("(%s ? %s : %s)" % (at(place, OR), self.i(COMMA), self.i(CONDITION)))

    def use_comma(self, place):
        return self.note("(%s, %s)" % (self.i(ASSIGNMENT), at(place, ASSIGNMENT)))

    def use_sides(self, place):
        return self.note("(%s * %s - %s)" % (at(place, PRODUCT), self.i(UNARY), self.i(PRODUCT)))

    def use_comparison(self, place):
        return self.note("(%s < %s)" % (at(place, RELATION), self.i(SUM)))

    def use_logic(self, place):
        return self.note("(!%s || %s)" % (at(place, UNARY), self.i(EQUALITY)))

    def use_index(self, place):
        return self.note("few[%s & 7]" % at(place, EQUALITY))

    def use_cast(self, place):
        return self.note("(signed char)%s" % at(place, UNARY))

    def use_statements(self, place):
        return self.note("({ h += %s; %s; })" % (self.i(SUM), at(place, COMMA)))

    def use_loop(self, place):
        return "for (int n = 0; n < 3 && (n | 1) <= (%s); n++) h += %s;" % (place.text, self.i(SUM))

    # ---- uses of a place that has an address and a size ----
    def object_size(self, place):
        return self.note("sizeof %s" % at(place, UNARY))

    def object_element_size(self, place):
        return self.note(either("upc_elemsizeof(%s)" % place.text, "sizeof(%s)" % place.text))

    def object_thread(self, place):
        return self.note(at(self.array.owner("&" + at(place, UNARY)), UNARY))

    def object_put(self, place):
        address = "&" + at(place, UNARY)
        put = either("upc_memput(%s, &in, sizeof in)" % address, "memcpy(%s, &in, sizeof in)" % address)
        return "{ __typeof__((0, %s)) in = %s; %s; }" % (at(place, ASSIGNMENT), self.i(ASSIGNMENT), put)

    # ---- pointers ----
    def pointer_comparison(self):
        array = self.any()
        return self.note("(%s %s %s)" % (self.p(RELATION, array), self.rng.choice(("<", ">", "<=", ">=")),
                                         self.p(SUM, array)))

    def pointer_equality(self):
        array = self.any()
        return self.note("(%s %s %s)" % (self.p(EQUALITY, array), self.rng.choice(("==", "!=")),
                                         self.p(RELATION, array)))

    def pointer_difference(self):
        array = self.any()
        return self.note("(%s - %s)" % (self.p(SUM, array), self.p(PRODUCT, array)))

    def pointer_to_number(self):
        array = self.any()
        return self.note("(%s - %s)" % (self.p(SUM, array), array.origin()))

    def pointer_tests(self):
        return self.note("(%s && (!%s || %s))" % (self.p(OR, self.any()), self.p(UNARY, self.any()),
                                                  self.p(EQUALITY, self.any())))

    def pointer_test_null(self):
        return self.note("(%s != 0) + (0 == %s)" % (self.p(EQUALITY, self.any()), self.p(RELATION, self.any())))

    def pointer_condition(self):
        return "if (%s) h += 5; while (!(%s)) h++;" % (self.p(COMMA, self.any()), self.p(COMMA, self.any()))

    def pointer_boolean(self):
        return self.note("(_Bool)%s" % self.p(UNARY, self.any()))

    def pointer_initialiser(self):
        array = self.any()
        return "{ %s in = %s; h += in - %s; }" % (array.pointer(), self.p(ASSIGNMENT, array), array.origin())

    def pointer_list(self):
        array = self.any()
        values = "[1] = %s, [0] = %s" % (self.p(ASSIGNMENT, array), self.p(ASSIGNMENT, array))
        return "{ %s in[2] = {%s}; h += in[1] - in[0]; }" % (array.pointer(), values)

    def pointer_argument(self):
        array = self.any()
        return self.note("(@same_%s(%s) - %s)" % (array.name, self.p(ASSIGNMENT, array), array.origin()))

    def pointer_to_generic(self):
        array = self.any()
        generic = either("shared void *", "void *")
        return "{ %s in = %s; h += (%s)in - %s; }" % (generic, self.p(ASSIGNMENT, array), array.pointer(),
                                                      array.origin())

    def pointer_thread(self):
        array = self.any()
        return self.note(at(array.owner(self.p(ASSIGNMENT, array)), UNARY))

    def pointer_phase(self):
        array = self.any()
        return self.note(at(array.phase(self.p(ASSIGNMENT, array)), UNARY))

    def pointer_address(self):
        array = self.any()
        p, q = self.p(ASSIGNMENT, array), self.p(ASSIGNMENT, array)
        return self.note(either("(upc_addrfield(%s) == upc_addrfield(%s) && 0)" % (p, q),
                                "((void)(%s), (void)(%s), 0)" % (p, q)))

    def pointer_put(self):
        array = self.rng.choice(self.integers)
        arguments = "(%s, &in, %s)" % (self.p(ASSIGNMENT, array), "(%s, sizeof in)" % self.i(ASSIGNMENT))
        return "{ %s in = %s; %s%s; }" % (array.element, self.i(ASSIGNMENT), either("upc_memput", "memcpy"), arguments)

    def pointer_get(self):
        array = self.rng.choice(self.integers)
        arguments = "(&in, %s, sizeof in)" % self.p(ASSIGNMENT, array)
        return "{ %s in; %s%s; h += in; }" % (array.element, either("upc_memget", "memcpy"), arguments)

    def pointer_copy(self):
        array = self.rng.choice(self.integers)
        other = self.owned if array.element == "int" else array
        arguments = "(%s, %s, sizeof(%s))" % (self.p(ASSIGNMENT, array), self.p(ASSIGNMENT, other), array.element)
        return "%s%s;" % (either("upc_memcpy", "memmove"), arguments)

    def pointer_set(self):
        array = self.rng.choice(self.integers)
        arguments = "(%s, %s, sizeof(%s))" % (self.p(ASSIGNMENT, array), self.i(ASSIGNMENT), array.element)
        return "%s%s;" % (either("upc_memset", "memset"), arguments)

    def written_element(self):
        return "@%s[%s]" % (self.written.name, self.i(COMMA))

    def written_by_pointer(self):
        return "%s[%s]" % (self.p(POSTFIX, self.written), self.i(COMMA))

    def pointer_stored(self):
        return "@reset(); %s = %s;" % (self.written_element(), self.p(ASSIGNMENT, self.pointed))

    def pointer_value_of_store(self):
        stored = "%s = %s" % (self.written_by_pointer(), self.p(ASSIGNMENT, self.pointed))
        return "@reset(); " + self.note("((%s) - %s)" % (stored, self.pointed.origin()))

    def pointer_stepped(self):
        return "@reset(); %s %s %s;" % (self.written_by_pointer(), self.rng.choice(("+=", "-=")), self.i(ASSIGNMENT))

    def pointer_value_of_step(self):
        return "@reset(); " + self.note("*(%s %s %s)" % (self.written_element(), self.rng.choice(("+=", "-=")),
                                                         self.i(ASSIGNMENT)))

    def pointer_incremented(self):
        return "@reset(); " + self.note(self.rng.choice(("*%s++", "*--%s", "*++%s",
                                                         "%s--[1]")) % self.written_by_pointer())

    def pointer_read(self):
        return self.note("(%s[%s] - %s)" % (self.p(POSTFIX, self.followed), self.i(COMMA), self.pointed.origin()))

    # ---- structs ----
    def record_assignment(self):
        return "@%s[%s] = %s;" % (self.items().name, self.i(COMMA), self.kinds.record(ASSIGNMENT))

    def record_through_pointer(self):
        return "*%s = %s;" % (self.p(UNARY, self.items()), self.kinds.record(ASSIGNMENT))

    def record_value_of_assignment(self):
        return "h = @digest(h, %s[%s] = %s);" % (self.p(POSTFIX, self.items()), self.i(COMMA),
                                                 self.kinds.record(ASSIGNMENT))

    def record_initialiser(self):
        return "{ struct @item in = %s; h = @digest(h, in); }" % self.kinds.record(ASSIGNMENT)

    def record_argument(self):
        return "h = @digest(%s, %s);" % (self.i(ASSIGNMENT), self.kinds.record(ASSIGNMENT))

    def record_member(self):
        return self.note("%s.m" % self.kinds.record(POSTFIX))

    def record_array_member(self):
        return self.note("%s.arr[%s]" % (self.kinds.record(POSTFIX), self.i(COMMA)))

    def record_pointer_member(self):
        return self.note("%s.q[%s]" % (self.kinds.record(POSTFIX), self.i(COMMA)))

    # ---- upc_forall ----
    def forall_integer(self):
        self.kinds.in_loop = True
        affinity = self.i(COMMA)
        return "%s h = h * 31 + n;" % either("upc_forall (int n = 0; n < 3; n++; %s)" % affinity,
                                             "for (int n = 0; n < 3; n++) if ((%s) %% THREADS == turn)" % affinity)

    def forall_pointer(self):
        self.kinds.in_loop = True
        array = self.any()
        affinity = self.p(COMMA, array)
        return "%s h = h * 31 + n;" % either("upc_forall (int n = 0; n < 3; n++; %s)" % affinity,
                                             "for (int n = 0; n < 3; n++) if (owner_%s((%s)) == turn)" % (array.name,
                                                                                                          affinity))

    def forall_element(self):
        self.kinds.in_loop = True
        array = self.rng.choice(self.integers)
        affinity = "&@%s[%s]" % (array.name, self.i(COMMA))
        return "%s h = h * 31 + n;" % either("upc_forall (int n = 0; n < 3; n++; %s)" % affinity,
                                             "for (int n = 0; n < 3; n++) if (owner_%s(%s) == turn)" % (array.name,
                                                                                                        affinity))


def names(prefix):
    return [name for forms in (Forms, AddressForms) for name in vars(forms) if name.startswith(prefix)]


PLACES, BITS, USES, OBJECTS = names("place_"), names("bits_"), names("use_"), names("object_")
ADDRESSES, ADDRESS_USES = names("address_"), names("used_")
OTHERS = names("pointer_") + names("record_") + names("forall_")


def some_forms():
    """A list in which each place and each use occurs at least once"""
    rng = random.Random(1)
    forms = [place + " " + rng.choice(USES) for place in PLACES + BITS]
    forms += [rng.choice(PLACES + BITS) + " " + use for use in USES]
    forms += [rng.choice([place for place in PLACES if "local" not in place]) + " " + use for use in OBJECTS]
    forms += [place + " " + rng.choice(ADDRESS_USES) for place in ADDRESSES]
    forms += [rng.choice(ADDRESSES) + " " + use for use in ADDRESS_USES]
    return forms + OTHERS


def pairs(make):
    """(form, (number of an operand, its kind)), for all operands of all forms; make(form, None) returns a form's
    operands in its result."""
    every = []
    for form in some_forms():
        for number, prefix in enumerate(make(form, None)[1]):
            every += [(form, (number, kind)) for kind in NAMES[prefix]]
    random.Random(1).shuffle(every)
    return every
