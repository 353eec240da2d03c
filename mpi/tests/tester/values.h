// values.h: elements of predefined types, and the results of predefined operations on them.
#pragma once

#include "layout.h"

enum op { MAX, MIN, SUM, PROD, LAND, BAND, LOR, BOR, LXOR, BXOR, MINLOC, MAXLOC, COMMUTATIVE, ORDERED, OPS };
extern const char *const op_names[OPS];

MPI_Op op_handle(enum op op); // of a predefined one

bool value_allows(const struct basic *basic, enum op op);

// Makes elements whose combination is exact in any order
void value_make(const struct basic *basic, enum op op, void *elements, size_t count, uint64_t key);

// left[i] = left[i] op right[i]
void value_combine(const struct basic *basic, enum op op, void *left, const void *right, size_t count);

// Whether two elements are equal, ignoring padding and the sign of zero
bool value_equal(const struct basic *basic, const void *one, const void *other);

// The user-defined operations, on words of 64 bits: a sum, and composition of affine maps
uint64_t user_combine(enum op op, uint64_t left, uint64_t right);
