/*
 * predefined.h: lists of MPI's predefined operations and types, with the groups that its chapter on reductions defines;
 * does not need mpi.h.
 */
#ifndef BN_MPI_HOST_PREDEFINED_H
#define BN_MPI_HOST_PREDEFINED_H

/* Groups of types, as bits; Fortran integers include address types, which allow the same operations. */
enum bn_type_group {
    BN_C_INTEGER = 1,
    BN_FORTRAN_INTEGER = 2,
    BN_FLOATING = 4,
    BN_LOGICAL = 8,
    BN_COMPLEX = 16,
    BN_BYTES = 32,
    BN_PAIR = 64,
    BN_C_NATURAL = 128, /* unsigned */
    BN_NO_TYPE = 256,   /* no type: operations only for one-sided communication */
};

/* Predefined operations, and the groups of types for which they are defined */
#define BN_C_INTEGERS (BN_C_INTEGER | BN_C_NATURAL)
#define BN_ARITHMETIC (BN_C_INTEGERS | BN_FORTRAN_INTEGER | BN_FLOATING)
#define BN_TRUTHS (BN_C_INTEGERS | BN_LOGICAL)
#define BN_BITS (BN_C_INTEGERS | BN_FORTRAN_INTEGER | BN_BYTES)
#define BN_PREDEFINED_OPS(OP)                                                                                          \
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
    OP(op_minloc, MPI_MINLOC, BN_PAIR)                                                                                 \
    OP(op_replace, MPI_REPLACE, BN_NO_TYPE)                                                                            \
    OP(op_nothing, MPI_NO_OP, BN_NO_TYPE)

/* Predefined types for which MPI defines operations, by the groups of its chapter on reductions */
#define BN_PREDEFINED_TYPES(TYPE)                                                                                      \
    TYPE(BN_C_INTEGER, MPI_INT)                                                                                        \
    TYPE(BN_C_INTEGER, MPI_LONG)                                                                                       \
    TYPE(BN_C_INTEGER, MPI_SHORT)                                                                                      \
    TYPE(BN_C_NATURAL, MPI_UNSIGNED_SHORT)                                                                             \
    TYPE(BN_C_NATURAL, MPI_UNSIGNED)                                                                                   \
    TYPE(BN_C_NATURAL, MPI_UNSIGNED_LONG)                                                                              \
    TYPE(BN_C_INTEGER, MPI_LONG_LONG)                                                                                  \
    TYPE(BN_C_NATURAL, MPI_UNSIGNED_LONG_LONG)                                                                         \
    TYPE(BN_C_INTEGER, MPI_SIGNED_CHAR)                                                                                \
    TYPE(BN_C_NATURAL, MPI_UNSIGNED_CHAR)                                                                              \
    TYPE(BN_C_INTEGER, MPI_INT8_T)                                                                                     \
    TYPE(BN_C_INTEGER, MPI_INT16_T)                                                                                    \
    TYPE(BN_C_INTEGER, MPI_INT32_T)                                                                                    \
    TYPE(BN_C_INTEGER, MPI_INT64_T)                                                                                    \
    TYPE(BN_C_NATURAL, MPI_UINT8_T)                                                                                    \
    TYPE(BN_C_NATURAL, MPI_UINT16_T)                                                                                   \
    TYPE(BN_C_NATURAL, MPI_UINT32_T)                                                                                   \
    TYPE(BN_C_NATURAL, MPI_UINT64_T)                                                                                   \
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

#endif
