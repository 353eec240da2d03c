/*
 * contents.h: what a derived type was made from.
 */
#ifndef BN_MPI_TYPES_CONTENTS_H
#define BN_MPI_TYPES_CONTENTS_H

#include "types/calls.h"

struct bn_type_contents {
    int combiner;
    MPI_Count *numbers; /* as from MPI_Type_get_contents: integers first, then addresses */
    MPI_Datatype *types;
    size_t number_count, type_count;
};

/** Finds the contents of a type, which look the same whether it was made with large counts or not.  False: the type is
 *  predefined, or there is no memory.  bn_type_contents_free must follow in any case. */
bool bn_type_contents_get(struct bn_type_contents *contents, MPI_Datatype type);
void bn_type_contents_free(struct bn_type_contents *contents);

/** The same with MPI_Type_get_contents_c, and whether a type is not predefined.  Null pointers where mpi.h has no such
 *  function, hence no such types. */
bool bn_type_contents_get_large(struct bn_type_contents *contents, MPI_Datatype type) __attribute__((weak));
bool bn_type_is_made_large(MPI_Datatype type) __attribute__((weak));

/** Allocates room for numbers and types.  False: no memory. */
bool bn_type_contents_make(struct bn_type_contents *contents, size_t numbers, size_t types);

#endif
