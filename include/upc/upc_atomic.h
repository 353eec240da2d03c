/*
 * upc_atomic.h: atomic operations on shared objects (UPC 1.3, Optional Library Specifications, atomic memory
 * operations).
 *
 * Operations go through a domain, which is made for one type and a set of operations.  They are atomic with respect to
 * each other if they use the same domain; plain accesses to the same object must be separated from them by a barrier.
 */
#pragma upc upc_code
#ifndef UPC_ATOMIC_H
#define UPC_ATOMIC_H

#include <stddef.h>
#include <upc.h>
#include <upc_types.h>

/* Operations in addition to those of <upc_types.h> */
#define UPC_GET (1UL << 9)
#define UPC_SET (1UL << 10)
#define UPC_CSWAP (1UL << 11)
#define UPC_SUB (1UL << 12)
#define UPC_INC (1UL << 13)
#define UPC_DEC (1UL << 14)

/*
 * Hints about the use of a domain.  They have no effect: every domain gets the fastest operations available.  The
 * specification misspells one of the names.
 */
typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2
#define UPC_ATMOIC_HINT_THROUGHPUT UPC_ATOMIC_HINT_THROUGHPUT
#define UPC_ATOMIC_HINT_FAVOR_NEAR 4
#define UPC_ATOMIC_HINT_FAVOR_FAR 8

typedef shared struct upc_atomicdomain_struct upc_atomicdomain_t;

/*
 * Makes a domain for operations in ops (combined by |) on objects of a type.  Collective, with the same arguments on
 * all threads.  Null if there is no shared memory left.
 *
 *     UPC_INT UPC_UINT UPC_LONG UPC_ULONG UPC_INT32 UPC_UINT32 UPC_INT64 UPC_UINT64     all operations
 *     UPC_FLOAT UPC_DOUBLE                                            all but UPC_AND, UPC_OR, UPC_XOR
 *     UPC_PTS                                                         UPC_GET, UPC_SET, UPC_CSWAP
 *
 * Another type, or an operation that it does not have, ends the program with a message.
 */
upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints);

/* Collective; the domain stays valid until all threads have called it.  Null is ignored. */
void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr);

/*
 * *target = *target op *operand1, for UPC_ADD, SUB, MULT, AND, OR, XOR, MIN, MAX (integers wrap around); and
 *
 *     UPC_GET    reads; fetch_ptr must not be null     UPC_INC, UPC_DEC  add or subtract 1
 *     UPC_SET    *target = *operand1                   UPC_CSWAP         if (*target == *operand1) *target = *operand2
 *
 * The old value of *target is stored at fetch_ptr unless that is null.  Operands that op does not use shall be null.
 * The operations are ordered like strict or relaxed accesses to *target.  UPC_CSWAP compares pointers as == does,
 * without the phase.  An operation that the domain was not made for ends the program with a message.
 *
 * Cost: one atomic instruction; a loop of them for UPC_MULT, MIN, MAX, for floating types and UPC_PTS.  upcc -O without
 * -fcheck emits single instructions inline if op is a constant and target, operands or fetch_ptr point to numbers;
 * other operations are calls.  A pointer-to-shared that is not aligned to 16 bytes (see upc_atomic_isfast) takes a lock
 * in the domain.  With -network=shmem: one network operation, even for threads of the same node; two or more for
 * operations that are loops; a lock for all UPC_PTS.
 */
void upc_atomic_strict(upc_atomicdomain_t *domain, void *__restrict__ fetch_ptr, upc_op_t op,
                       shared void *__restrict__ target, const void *__restrict__ operand1,
                       const void *__restrict__ operand2);
void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *__restrict__ fetch_ptr, upc_op_t op,
                        shared void *__restrict__ target, const void *__restrict__ operand1,
                        const void *__restrict__ operand2);

/* Non-zero if a domain for this type and these operations would work at addr without locks.  Not collective. */
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr);

#endif
