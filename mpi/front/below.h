/*
 * below.h: the MPI library below.
 *
 * Nothing of it is linked: this library is also loaded into processes that have no MPI library, or will load one later,
 * as Python does.  Its functions and predefined handles are looked up when the program first calls MPI_Init, in the
 * whole process first and then in whatever MPI library has been loaded for somebody alone.
 */
#ifndef BN_MPI_FRONT_BELOW_H
#define BN_MPI_FRONT_BELOW_H

#include <mpi.h>

#include <stdbool.h>

/* What is called of it beside the collective operations of collectives.def */
#define BN_BELOW_FUNCTIONS(FUNCTION)                                                                                   \
    FUNCTION(Abort)                                                                                                    \
    FUNCTION(Comm_call_errhandler)                                                                                     \
    FUNCTION(Comm_create_keyval)                                                                                       \
    FUNCTION(Comm_dup)                                                                                                 \
    FUNCTION(Comm_free)                                                                                                \
    FUNCTION(Comm_free_keyval)                                                                                         \
    FUNCTION(Comm_get_attr)                                                                                            \
    FUNCTION(Comm_get_name)                                                                                            \
    FUNCTION(Comm_group)                                                                                               \
    FUNCTION(Comm_rank)                                                                                                \
    FUNCTION(Comm_set_attr)                                                                                            \
    FUNCTION(Comm_set_errhandler)                                                                                      \
    FUNCTION(Comm_size)                                                                                                \
    FUNCTION(Comm_split)                                                                                               \
    FUNCTION(Comm_split_type)                                                                                          \
    FUNCTION(Comm_test_inter)                                                                                          \
    FUNCTION(Finalize)                                                                                                 \
    FUNCTION(Get_library_version)                                                                                      \
    FUNCTION(Group_free)                                                                                               \
    FUNCTION(Group_translate_ranks)                                                                                    \
    FUNCTION(Init)                                                                                                     \
    FUNCTION(Init_thread)                                                                                              \
    FUNCTION(Iprobe)                                                                                                   \
    FUNCTION(Irecv)                                                                                                    \
    FUNCTION(Isend)                                                                                                    \
    FUNCTION(Op_commutative)                                                                                           \
    FUNCTION(Pack)                                                                                                     \
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

/* Predefined operations, and the groups of types that they are defined for */
#define BN_ARITHMETIC (BN_C_INTEGER | BN_FORTRAN_INTEGER | BN_FLOATING)
#define BN_TRUTHS (BN_C_INTEGER | BN_LOGICAL)
#define BN_BITS (BN_C_INTEGER | BN_FORTRAN_INTEGER | BN_BYTES)
#define BN_BELOW_OPS(OP)                                                                                               \
    OP(op_max, MPI_MAX, BN_ARITHMETIC)                                                                                 \
    OP(op_min, MPI_MIN, BN_ARITHMETIC)                                                                                 \
    OP(op_sum, MPI_SUM, BN_ARITHMETIC | BN_COMPLEX)                                                                    \
    OP(op_prod, MPI_PROD, BN_ARITHMETIC | BN_COMPLEX)                                                                  \
    OP(op_land, MPI_LAND, BN_TRUTHS)                                                                                   \
    OP(op_band, MPI_BAND, BN_BITS)                                                                                     \
    OP(op_lor, MPI_LOR, BN_TRUTHS)                                                                                     \
    OP(op_bor, MPI_BOR, BN_BITS)                                                                                       \
    OP(op_lxor, MPI_LXOR, BN_TRUTHS)                                                                                   \
    OP(op_bxor, MPI_BXOR, BN_BITS)                                                                                     \
    OP(op_maxloc, MPI_MAXLOC, BN_PAIR)                                                                                 \
    OP(op_minloc, MPI_MINLOC, BN_PAIR)

/* Predefined types for which MPI defines operations, by the groups of its chapter on reductions */
#define BN_BELOW_TYPES(TYPE)                                                                                           \
    TYPE(BN_C_INTEGER, MPI_INT)                                                                                        \
    TYPE(BN_C_INTEGER, MPI_LONG)                                                                                       \
    TYPE(BN_C_INTEGER, MPI_SHORT)                                                                                      \
    TYPE(BN_C_INTEGER, MPI_UNSIGNED_SHORT)                                                                             \
    TYPE(BN_C_INTEGER, MPI_UNSIGNED)                                                                                   \
    TYPE(BN_C_INTEGER, MPI_UNSIGNED_LONG)                                                                              \
    TYPE(BN_C_INTEGER, MPI_LONG_LONG)                                                                                  \
    TYPE(BN_C_INTEGER, MPI_UNSIGNED_LONG_LONG)                                                                         \
    TYPE(BN_C_INTEGER, MPI_SIGNED_CHAR)                                                                                \
    TYPE(BN_C_INTEGER, MPI_UNSIGNED_CHAR)                                                                              \
    TYPE(BN_C_INTEGER, MPI_INT8_T)                                                                                     \
    TYPE(BN_C_INTEGER, MPI_INT16_T)                                                                                    \
    TYPE(BN_C_INTEGER, MPI_INT32_T)                                                                                    \
    TYPE(BN_C_INTEGER, MPI_INT64_T)                                                                                    \
    TYPE(BN_C_INTEGER, MPI_UINT8_T)                                                                                    \
    TYPE(BN_C_INTEGER, MPI_UINT16_T)                                                                                   \
    TYPE(BN_C_INTEGER, MPI_UINT32_T)                                                                                   \
    TYPE(BN_C_INTEGER, MPI_UINT64_T)                                                                                   \
    TYPE(BN_FORTRAN_INTEGER, MPI_INTEGER)                                                                              \
    TYPE(BN_FORTRAN_INTEGER, MPI_INTEGER1)                                                                             \
    TYPE(BN_FORTRAN_INTEGER, MPI_INTEGER2)                                                                             \
    TYPE(BN_FORTRAN_INTEGER, MPI_INTEGER4)                                                                             \
    TYPE(BN_FORTRAN_INTEGER, MPI_INTEGER8)                                                                             \
    TYPE(BN_FORTRAN_INTEGER, MPI_AINT)                                                                                 \
    TYPE(BN_FORTRAN_INTEGER, MPI_OFFSET)                                                                               \
    TYPE(BN_FORTRAN_INTEGER, MPI_COUNT)                                                                                \
    TYPE(BN_FLOATING, MPI_FLOAT)                                                                                       \
    TYPE(BN_FLOATING, MPI_DOUBLE)                                                                                      \
    TYPE(BN_FLOATING, MPI_LONG_DOUBLE)                                                                                 \
    TYPE(BN_FLOATING, MPI_REAL)                                                                                        \
    TYPE(BN_FLOATING, MPI_DOUBLE_PRECISION)                                                                            \
    TYPE(BN_FLOATING, MPI_REAL4)                                                                                       \
    TYPE(BN_FLOATING, MPI_REAL8)                                                                                       \
    TYPE(BN_LOGICAL, MPI_LOGICAL)                                                                                      \
    TYPE(BN_LOGICAL, MPI_C_BOOL)                                                                                       \
    TYPE(BN_LOGICAL, MPI_CXX_BOOL)                                                                                     \
    TYPE(BN_COMPLEX, MPI_COMPLEX)                                                                                      \
    TYPE(BN_COMPLEX, MPI_DOUBLE_COMPLEX)                                                                               \
    TYPE(BN_COMPLEX, MPI_COMPLEX8)                                                                                     \
    TYPE(BN_COMPLEX, MPI_COMPLEX16)                                                                                    \
    TYPE(BN_COMPLEX, MPI_C_FLOAT_COMPLEX)                                                                              \
    TYPE(BN_COMPLEX, MPI_C_DOUBLE_COMPLEX)                                                                             \
    TYPE(BN_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX)                                                                        \
    TYPE(BN_COMPLEX, MPI_CXX_FLOAT_COMPLEX)                                                                            \
    TYPE(BN_COMPLEX, MPI_CXX_DOUBLE_COMPLEX)                                                                           \
    TYPE(BN_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX)                                                                      \
    TYPE(BN_BYTES, MPI_BYTE)                                                                                           \
    TYPE(BN_PAIR, MPI_FLOAT_INT)                                                                                       \
    TYPE(BN_PAIR, MPI_DOUBLE_INT)                                                                                      \
    TYPE(BN_PAIR, MPI_LONG_INT)                                                                                        \
    TYPE(BN_PAIR, MPI_2INT)                                                                                            \
    TYPE(BN_PAIR, MPI_SHORT_INT)                                                                                       \
    TYPE(BN_PAIR, MPI_LONG_DOUBLE_INT)                                                                                 \
    TYPE(BN_PAIR, MPI_2REAL)                                                                                           \
    TYPE(BN_PAIR, MPI_2DOUBLE_PRECISION)                                                                               \
    TYPE(BN_PAIR, MPI_2INTEGER)

/* Groups of types, as bits; Fortran's integers are with those of addresses, for which the same is defined. */
enum bn_type_group {
    BN_C_INTEGER = 1,
    BN_FORTRAN_INTEGER = 2,
    BN_FLOATING = 4,
    BN_LOGICAL = 8,
    BN_COMPLEX = 16,
    BN_BYTES = 32,
    BN_PAIR = 64
};

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
    BN_BELOW_OPS(BN_BELOW_OP)
    MPI_Datatype types[BN_BELOW_TYPES(BN_BELOW_ONE_MORE)]; /* in the order of BN_BELOW_TYPES */
} below;

/** Finds the library.  If there is none, or one of another ABI than this library was compiled for, says so and ends the
 * process: there is nothing that a call could be handed to. */
void bn_below_find(void);

/** Ends the job, after what has been said.  Returns where the library's own function does. */
void bn_below_abort(MPI_Comm comm);

/** The error of a call whose buffers are the same memory, as it would be reported; MPI_SUCCESS: it is not.  Reductions
 * to a root have one of their own.  Tried on a communicator of its own the first time, by calls of this process alone.
 */
int bn_below_alias_error(bool is_reduce);

/** Finds the functions with large counts.  Null where its header has none, and they are left out of this library. */
void bn_below_find_large(void) __attribute__((weak));

/** The address of a function of it, after bn_below_find; null if it has none of that name. */
void *bn_below_symbol(const char *name);

#endif
