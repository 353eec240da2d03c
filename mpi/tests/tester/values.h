// values.h: elements of predefined types, and what predefined operations make of them.
#pragma once

#include "layout.h"

enum op { MAX, MIN, SUM, PROD, LAND, BAND, LOR, BOR, LXOR, BXOR, MINLOC, MAXLOC, COMMUTATIVE, ORDERED, OPS };
extern const char *const op_names[OPS];

MPI_Op op_handle(enum op op); // of a predefined one

bool value_allows(const struct basic *basic, enum op op);

// Elements whose results are exact, whatever the order in which they are combined
void value_make(const struct basic *basic, enum op op, void *elements, size_t count, uint64_t key);

// left[i] = left[i] op right[i]
void value_combine(const struct basic *basic, enum op op, void *left, const void *right, size_t count);

// Whether an element is what was expected: padding, and the sign of zero, do not count.
bool value_equal(const struct basic *basic, const void *one, const void *other);

// The user-defined operations, over words of 64 bits: a sum, and affine maps one after the other
uint64_t user_combine(enum op op, uint64_t left, uint64_t right);
