/*
 * atomic_domain.h: the contents of an <upc_atomic.h> domain, wherever it is stored: a type, and operations on it.
 */
#ifndef BN_UPC_SYNC_ATOMIC_DOMAIN_H
#define BN_UPC_SYNC_ATOMIC_DOMAIN_H

#include "sync/atomic.h"
#include "upc/check/check.h"
#include "upc/sync/atomic.h"
#include "upc/sync/once_call.h"

enum bn_atomic_kind {
    BN_KIND_NONE,
    BN_KIND_I32,
    BN_KIND_U32,
    BN_KIND_I64,
    BN_KIND_U64,
    BN_KIND_FLOAT,
    BN_KIND_DOUBLE,
    BN_KIND_PTS
};

struct bn_atomic_domain {
    unsigned long ops;
    enum bn_atomic_kind kind;
};

static inline size_t bn_atomic_size_of(enum bn_atomic_kind kind)
{
    return kind == BN_KIND_PTS                                                   ? sizeof(bn_pts_t)
           : kind == BN_KIND_I32 || kind == BN_KIND_U32 || kind == BN_KIND_FLOAT ? sizeof(uint32_t)
                                                                                 : sizeof(uint64_t);
}

/* Convert the arguments of upc_all_atomicdomain_alloc to a domain and to a collective call; end the program if they are
 * invalid. */
struct bn_atomic_domain bn_atomic_domain_of(int type, unsigned long ops);
struct bn_once_call bn_atomic_domain_call(int type, unsigned long ops, int hints);

/* Whether these operations exist for this type */
bool bn_atomic_is_served(int type, unsigned long ops, enum bn_atomic_kind *kind_p);

/* Ends the program: the pointer to a domain is null or does not point to a domain. */
__attribute__((noreturn, cold)) void bn_atomic_refuse_domain(const char *function, bn_pts_t ptr);

/* Ends the program with a message that says what is wrong with a call that bn_atomic_check has refused. */
__attribute__((noreturn, cold)) void bn_atomic_refuse(const char *function, const struct bn_atomic_domain *domain,
                                                      const void *fetch_ptr, unsigned long op, bn_pts_t target);

/* For -fcheck: ends the program if the call passes an operand that the operation does not take. */
void bn_atomic_check_unused(const char *function, unsigned long op, const void *operand1, const void *operand2);

enum { BN_ATOMIC_WITHOUT_OPERAND = BN_ATOMIC_GET | BN_ATOMIC_INC | BN_ATOMIC_DEC };

/* Whether the domain allows this call */
static inline bool bn_atomic_is_sound(const struct bn_atomic_domain *domain, const void *fetch_ptr, unsigned long op,
                                      bn_pts_t target, const void *operand1, const void *operand2)
{
    return (op & domain->ops) != 0 && (op & (op - 1)) == 0 && target.addr != 0 && (op != BN_ATOMIC_GET || fetch_ptr) &&
           (operand1 || (op & BN_ATOMIC_WITHOUT_OPERAND)) && (operand2 || op != BN_ATOMIC_CSWAP);
}

static inline void bn_atomic_check(const char *function, const struct bn_atomic_domain *domain, const void *fetch_ptr,
                                   unsigned long op, bn_pts_t target, const void *operand1, const void *operand2)
{
    if (!bn_atomic_is_sound(domain, fetch_ptr, op, target, operand1, operand2))
        bn_atomic_refuse(function, domain, fetch_ptr, op, target);
    if (__builtin_expect(bn_check_here.file != NULL, 0))
        bn_atomic_check_unused(function, op, operand1, operand2);
    bn_check_block(function, "target", target, bn_atomic_size_of(domain->kind));
}

/* A pointer-to-shared is a pair whose low word decides equality. */
_Static_assert(sizeof(bn_pts_t) == sizeof(struct bn_pair) && offsetof(bn_pts_t, addr) == offsetof(struct bn_pair, low),
               "bn_pts_t has changed");

#endif
