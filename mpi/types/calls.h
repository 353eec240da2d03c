/*
 * calls.h: what this folder asks the MPI library for, by the addresses that whoever uses it has found.
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

struct bn_type_calls {
#define BN_TYPE_CALL(name) __typeof__(PMPI_##name) *name;
    BN_TYPE_CALLS(BN_TYPE_CALL)
    void *Type_get_contents_c, *Type_get_envelope_c; /* of types with large counts; null: the library has none */
    /* One element of a committed type, whose data have so many bytes.  False: not possible */
    bool (*pack)(const void *from, MPI_Datatype type, void *to, size_t bytes);
};

/* Filled before anything here is called. */
extern struct bn_type_calls bn_type_calls;

#endif
