/* atomics.h: UPC's types and operations for atomics, for programs that test all of them. */
#ifndef ATOMICS_H
#define ATOMICS_H

#include <stdint.h>
#include <stdlib.h>
#include <upc_atomic.h>

#define POINTER_OPS (UPC_GET | UPC_SET | UPC_CSWAP)
#define FLOATING_OPS (POINTER_OPS | UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN)
#define INTEGER_OPS (FLOATING_OPS | UPC_AND | UPC_OR | UPC_XOR)

/* X(name, C type, unsigned type of its width or the type itself, UPC_ code, operations) */
#define ALL_INTEGER_TYPES(X)                                 \
    X(int, int, unsigned, UPC_INT)                           \
    X(uint, unsigned, unsigned, UPC_UINT)                    \
    X(long, long, unsigned long, UPC_LONG)                   \
    X(ulong, unsigned long, unsigned long, UPC_ULONG)        \
    X(int32, int32_t, uint32_t, UPC_INT32)                   \
    X(uint32, uint32_t, uint32_t, UPC_UINT32)                \
    X(int64, int64_t, uint64_t, UPC_INT64)                   \
    X(uint64, uint64_t, uint64_t, UPC_UINT64)

#define ALL_FLOATING_TYPES(X)                                \
    X(float, float, float, UPC_FLOAT)                        \
    X(double, double, double, UPC_DOUBLE)

/* The result of an operation on `old`; integers are computed modulo 2^width */
#define DEFINE_MODEL(NAME, T, U, BITS)                                          \
    static inline T model_##NAME(upc_op_t op, T old, T a, T b)                  \
    {                                                                           \
        switch (op) {                                                           \
        case UPC_GET: return old;                                               \
        case UPC_SET: return a;                                                 \
        case UPC_CSWAP: return old == a ? b : old;                              \
        case UPC_ADD: return (T)((U)old + (U)a);                                \
        case UPC_SUB: return (T)((U)old - (U)a);                                \
        case UPC_MULT: return (T)((U)old * (U)a);                               \
        case UPC_INC: return (T)((U)old + 1);                                   \
        case UPC_DEC: return (T)((U)old - 1);                                   \
        case UPC_MIN: return a < old ? a : old;                                 \
        case UPC_MAX: return a > old ? a : old;                                 \
        BITS                                                                    \
        }                                                                       \
        abort();                                                                \
    }

#define WITH_BITS                           \
    case UPC_AND: return old & a;           \
    case UPC_OR: return old | a;            \
    case UPC_XOR: return old ^ a;

static inline int uses_operand(upc_op_t op)
{
    return op != UPC_GET && op != UPC_INC && op != UPC_DEC;
}

#endif
