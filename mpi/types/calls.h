/*
 * calls.h: the functions of the MPI library that this folder calls, by their addresses.
 */
#ifndef BN_MPI_TYPES_CALLS_H
#define BN_MPI_TYPES_CALLS_H

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>

#define BN_TYPE_CALLS(CALL)                                                                                            \
    CALL(Type_commit)                                                                                                  \
    CALL(Type_dup)                                                                                                     \
    CALL(Type_free)                                                                                                    \
    CALL(Type_get_contents)                                                                                            \
    CALL(Type_get_envelope)                                                                                            \
    CALL(Type_get_extent)                                                                                              \
    CALL(Type_get_true_extent)                                                                                         \
    CALL(Type_size_x)

/* Packs one element of a committed type, whose data have the given number of bytes.  False: failed */
typedef bool (*bn_type_pack_function)(const void *from, MPI_Datatype type, void *to, size_t bytes);

struct bn_type_calls {
#define BN_TYPE_CALL(name) __typeof__(PMPI_##name) *name;
    BN_TYPE_CALLS(BN_TYPE_CALL)
    void *Type_get_contents_c,
        *Type_get_envelope_c; /* for types with large counts; null: the library has no such functions */
    bn_type_pack_function pack;
};

extern struct bn_type_calls bn_type_calls;

/** Fills them in, which must be done before anything else in this folder is called.  `look` finds symbols in the
 * library. */
void bn_type_calls_find(void *(*look)(const char *name), bn_type_pack_function pack);

#endif
