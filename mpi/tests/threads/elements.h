/*
 * elements.h: elements of all types, what operations do to them, and the shapes in which they lie in memory.  All of
 * them hold small whole numbers.
 */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>

enum { KINDS = 8, MOST = 8 /* elements of a shape */, MOST_BYTES = 16 /* of an element */ };

struct kind {
    MPI_Datatype type;
    size_t bytes;
    long (*read)(const void *element);
    void (*write)(void *element, long value);
    bool is_whole, is_pair, only_adds; /* only MPI_SUM is defined */
};

struct kind kind_of(int number);

/* Reduces a value to the range of the type. */
void wrap(const struct kind *kind, long *value);

/* An operation that is defined for the type */
MPI_Op choose_op(const struct kind *kind, unsigned number);

/* The result of a single one, before wrap */
long apply(MPI_Op op, long a, long b);

/* A random number; the state determines those that follow. */
unsigned draw(unsigned *state, unsigned below);

/* How elements lie in memory */
struct shape {
    MPI_Datatype type; /* the elements are count instances of it */
    int count;
    bool is_derived;
    int places[MOST];
};

/* A random shape for n elements, whose span is at most twice MOST */
struct shape choose_shape(const struct kind *kind, int n, unsigned *state);
void free_shape(struct shape *shape);

#endif
