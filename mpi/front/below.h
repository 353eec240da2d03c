/*
 * below.h: the MPI library below this one.
 *
 * It is not linked, because this library is also loaded into processes that have no MPI library, or load one later, as
 * Python does.  Its functions and predefined handles are looked up when the program first calls MPI_Init: first in the
 * whole process, then in any MPI library that was loaded with local scope.
 */
#ifndef BN_MPI_FRONT_BELOW_H
#define BN_MPI_FRONT_BELOW_H

#include "host/predefined.h"
#include "types/calls.h"

#include <mpi.h>

#include <stdbool.h>

/* Its functions that are called here, in addition to the collective operations of collectives.def */
#define BN_BELOW_FUNCTIONS(FUNCTION)                                                                                   \
    FUNCTION(Abort)                                                                                                    \
    FUNCTION(Comm_call_errhandler)                                                                                     \
    FUNCTION(Comm_create_keyval)                                                                                       \
    FUNCTION(Comm_disconnect)                                                                                          \
    FUNCTION(Comm_dup)                                                                                                 \
    FUNCTION(Comm_free)                                                                                                \
    FUNCTION(Comm_free_keyval)                                                                                         \
    FUNCTION(Comm_get_attr)                                                                                            \
    FUNCTION(Comm_get_name)                                                                                            \
    FUNCTION(Comm_get_parent)                                                                                          \
    FUNCTION(Comm_group)                                                                                               \
    FUNCTION(Comm_rank)                                                                                                \
    FUNCTION(Comm_set_attr)                                                                                            \
    FUNCTION(Comm_set_errhandler)                                                                                      \
    FUNCTION(Comm_size)                                                                                                \
    FUNCTION(Comm_split)                                                                                               \
    FUNCTION(Comm_split_type)                                                                                          \
    FUNCTION(Comm_test_inter)                                                                                          \
    FUNCTION(Error_class)                                                                                              \
    FUNCTION(Finalize)                                                                                                 \
    FUNCTION(Get_count)                                                                                                \
    FUNCTION(Get_library_version)                                                                                      \
    FUNCTION(Group_free)                                                                                               \
    FUNCTION(Group_translate_ranks)                                                                                    \
    FUNCTION(Iallgatherv)                                                                                              \
    FUNCTION(Iallreduce)                                                                                               \
    FUNCTION(Ialltoallv)                                                                                               \
    FUNCTION(Ibarrier)                                                                                                 \
    FUNCTION(Ibcast)                                                                                                   \
    FUNCTION(Init)                                                                                                     \
    FUNCTION(Init_thread)                                                                                              \
    FUNCTION(Iprobe)                                                                                                   \
    FUNCTION(Irecv)                                                                                                    \
    FUNCTION(Ireduce)                                                                                                  \
    FUNCTION(Isend)                                                                                                    \
    FUNCTION(Op_commutative)                                                                                           \
    FUNCTION(Op_free)                                                                                                  \
    FUNCTION(Pack)                                                                                                     \
    FUNCTION(Query_thread)                                                                                             \
    FUNCTION(Reduce_local)                                                                                             \
    FUNCTION(Test)                                                                                                     \
    FUNCTION(Type_commit)                                                                                              \
    FUNCTION(Type_create_hindexed)                                                                                     \
    FUNCTION(Type_create_keyval)                                                                                       \
    FUNCTION(Type_dup)                                                                                                 \
    FUNCTION(Type_free)                                                                                                \
    FUNCTION(Type_free_keyval)                                                                                         \
    FUNCTION(Type_get_attr)                                                                                            \
    FUNCTION(Type_get_contents)                                                                                        \
    FUNCTION(Type_get_envelope)                                                                                        \
    FUNCTION(Type_get_extent)                                                                                          \
    FUNCTION(Type_get_true_extent)                                                                                     \
    FUNCTION(Type_set_attr)                                                                                            \
    FUNCTION(Type_size_x)                                                                                              \
    FUNCTION(Unpack)

/* Predefined handles, which are objects of the library below in some ABIs */
#define BN_BELOW_HANDLES(HANDLE)                                                                                       \
    HANDLE(MPI_Comm, world, MPI_COMM_WORLD)                                                                            \
    HANDLE(MPI_Comm, self, MPI_COMM_SELF)                                                                              \
    HANDLE(MPI_Comm, no_comm, MPI_COMM_NULL)                                                                           \
    HANDLE(MPI_Info, no_info, MPI_INFO_NULL)                                                                           \
    HANDLE(MPI_Errhandler, errors_return, MPI_ERRORS_RETURN)                                                           \
    HANDLE(MPI_Datatype, no_type, MPI_DATATYPE_NULL)                                                                   \
    HANDLE(MPI_Datatype, type_byte, MPI_BYTE)                                                                          \
    HANDLE(MPI_Datatype, type_int, MPI_INT)                                                                            \
    HANDLE(MPI_Datatype, type_double, MPI_DOUBLE)                                                                      \
    HANDLE(MPI_Op, no_op, MPI_OP_NULL)

#define BN_BELOW_FUNCTION(name) __typeof__(PMPI_##name) *name;
#define BN_BELOW_COLLECTIVE(name, ...) BN_BELOW_FUNCTION(name)
#define BN_BELOW_HANDLE(type, field, handle) type field;
#define BN_BELOW_OP(field, handle, groups) MPI_Op field;
#define BN_BELOW_ONE_MORE(group, handle) +1

extern struct bn_below {
    bool is_found;
#define COUNT int
#define OFFSET int
#define COLLECTIVE BN_BELOW_COLLECTIVE
#define COLLECTIVE_WITHOUT_COUNTS BN_BELOW_COLLECTIVE
#include "front/collectives.def"
#undef COLLECTIVE
#undef COLLECTIVE_WITHOUT_COUNTS
#undef COUNT
#undef OFFSET
    BN_BELOW_FUNCTIONS(BN_BELOW_FUNCTION)
    BN_BELOW_HANDLES(BN_BELOW_HANDLE)
    BN_PREDEFINED_OPS(BN_BELOW_OP)
    MPI_Datatype types[BN_PREDEFINED_TYPES(BN_BELOW_ONE_MORE)]; /* in the order of BN_PREDEFINED_TYPES */
} bn_below;

/** Finds the library.  If there is none, or its ABI is not the one that this library was compiled for, reports that and
 * ends the process, since calls could not be handed to anything. */
void bn_below_find(void);

/** Whether Open MPI's fault tolerance (ULFM) is on, after MPI_Init: processes may go on after others have failed, and
 * may revoke a communicator on which others wait in a call. */
bool bn_below_is_fault_tolerant(void);

/** Aborts the job once log output has been read. */
void bn_below_abort(MPI_Comm comm) __attribute__((noreturn));

/** Finds the functions with large counts.  A null pointer if mpi.h declares none, and so this library has none. */
void bn_below_find_large(void) __attribute__((weak));

/** The address of one of its functions; null if it has none of that name.  Only after bn_below_find. */
void *bn_below_symbol(const char *name);

#endif
