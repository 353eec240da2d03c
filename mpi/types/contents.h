/*
 * contents.h: what a derived type was made from.
 */
#ifndef BN_MPI_TYPES_CONTENTS_H
#define BN_MPI_TYPES_CONTENTS_H

#include "types/calls.h"

struct bn_type_contents {
    int combiner;
    MPI_Count *numbers; /* as MPI_Type_get_contents has them, integers first, then addresses */
    MPI_Datatype *types;
    size_t number_count, type_count;
};

/** False: the type is predefined, or there is no memory.  To be freed in any case.  Types of functions with large
 *  counts look like others. */
bool bn_type_contents_get(struct bn_type_contents *contents, MPI_Datatype type);
void bn_type_contents_free(struct bn_type_contents *contents);

/** The same by MPI_Type_get_contents_c.  Null where mpi.h has no such function, and no program has such types. */
bool bn_type_contents_get_large(struct bn_type_contents *contents, MPI_Datatype type) __attribute__((weak));

/** Makes room for so many numbers and types.  False: there is no memory. */
bool bn_type_contents_make(struct bn_type_contents *contents, size_t numbers, size_t types);

#endif
