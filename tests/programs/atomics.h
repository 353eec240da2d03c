/* atomics.h: UPC's types and operations of atomics, for the programs that try all of them. */
#ifndef ATOMICS_H
#define ATOMICS_H

#include <stdint.h>
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

#endif
