/*
 * atomic.c: <upc_atomic.h>.
 *
 * A domain lies in the local heap of the thread that came first.  It is not written after its creation, so every thread
 * keeps a copy of its cache line; only its locks, which few programs ever need, change.
 */
#include "upc/sync/atomic_domain.h"

#include "profile/span.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/own.h"
#include "upc/watched.h"

static const uint64_t MAGIC = 0x6e69616d6f646e62; /* unlikely to occur in a freed or foreign block */

struct domain {
    struct bn_direct_ops direct; /* read by emitted C */
    uint64_t magic;
    struct bn_atomic_domain what;
    struct bn_atomic_locks locks __attribute__((aligned(64)));
};

/* The operations that emitted C may do inline; none under -fcheck and -profile, which would not notice them. */
static struct bn_direct_ops direct_ops_of(struct bn_atomic_domain what)
{
    bool is_floating = what.kind == BN_KIND_FLOAT || what.kind == BN_KIND_DOUBLE;
    unsigned long ops = what.ops & (is_floating ? BN_DIRECT_BITS : BN_DIRECT_INTEGERS);
    uint32_t tagged = BN_DIRECT_TAG | (uint32_t)ops;
    if (bn_upc_is_watched || what.kind == BN_KIND_PTS)
        return (struct bn_direct_ops){0, 0};
    return bn_atomic_size_of(what.kind) == sizeof(uint32_t) ? (struct bn_direct_ops){.words32 = tagged}
                                                            : (struct bn_direct_ops){.words64 = tagged};
}

static uint64_t make_domain(struct bn_atomic_domain what)
{
    uint64_t address = bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, sizeof(struct domain));
    if (address != 0)
        *(struct domain *)address = (struct domain){.direct = direct_ops_of(what), .magic = MAGIC, .what = what};
    return address;
}

bn_pts_t upc_all_atomicdomain_alloc(int type, unsigned long ops, int hints)
{
    struct bn_atomic_domain what = bn_atomic_domain_of(type, ops);
    struct bn_once_call call = bn_atomic_domain_call(type, ops, hints);
    if (bn_once_call_begin(&call))
        bn_once_call_publish(&call, make_domain(what));
    bn_once_call_end(&call);
    return bn_pointer_to(call.result);
}

static struct domain *domain_at(const char *function, bn_pts_t ptr)
{
    if (ptr.addr == 0)
        bn_atomic_refuse_domain(function, ptr);
    if (bn_check_is_on)
        bn_check_made(function, "atomic domain", ptr);
    struct domain *domain = bn_local(ptr);
    if (domain->magic != MAGIC)
        bn_atomic_refuse_domain(function, ptr);
    return domain;
}

void upc_all_atomicdomain_free(bn_pts_t ptr)
{
    const char *function = "upc_all_atomicdomain_free";
    if (!bn_once_call_is_last(function, ptr) || ptr.addr == 0)
        return;
    struct domain *domain = domain_at(function, ptr);
    domain->magic = 0;
    domain->direct = (struct bn_direct_ops){0, 0};
    if (bn_check_is_on)
        bn_check_free_made(ptr.addr, sizeof(struct domain));
    else if (bn_heaps_free(&bn_context.heaps, bn_context.thread, ptr.addr) != BN_HEAPS_FREED)
        bn_upc_fatal(function, "there is no atomic domain at 0x%llx", (unsigned long long)ptr.addr);
}

/* A separate function for each kind, so that the call to it only passes on the arguments. */
#define DEFINE_KIND(KIND, T)                                                                                           \
    static __attribute__((noinline)) void apply_##KIND(unsigned long op, T *fetch, T *at, const T *a, const T *b)      \
    {                                                                                                                  \
        bn_atomic_apply_##KIND(op, fetch, at, a, b);                                                                   \
    }

DEFINE_KIND(i32, int32_t)
DEFINE_KIND(u32, uint32_t)
DEFINE_KIND(i64, int64_t)
DEFINE_KIND(u64, uint64_t)
#undef DEFINE_KIND

static inline __attribute__((always_inline)) void apply(struct domain *domain, void *fetch, unsigned long op,
                                                        bn_pts_t target, const void *operand1, const void *operand2)
{
    void *at = bn_local(target);
    switch (domain->what.kind) {
    case BN_KIND_I32: apply_i32(op, fetch, at, operand1, operand2); break;
    case BN_KIND_U32: apply_u32(op, fetch, at, operand1, operand2); break;
    case BN_KIND_I64: apply_i64(op, fetch, at, operand1, operand2); break;
    case BN_KIND_U64: apply_u64(op, fetch, at, operand1, operand2); break;
    case BN_KIND_FLOAT: bn_atomic_apply_float(op, fetch, at, operand1, operand2); break;
    case BN_KIND_DOUBLE: bn_atomic_apply_double(op, fetch, at, operand1, operand2); break;
    case BN_KIND_PTS: bn_atomic_apply_pair(op, fetch, at, operand1, operand2, &domain->locks); break;
    case BN_KIND_NONE: break;
    }
}

/* Whether a call is valid and nothing has to be recorded for -fcheck or -profile */
static inline __attribute__((always_inline)) bool is_plain(bn_pts_t domain_ptr, const void *fetch_ptr, unsigned long op,
                                                           bn_pts_t target, const void *operand1, const void *operand2)
{
    const struct domain *domain = bn_local(domain_ptr);
    return __builtin_expect(!bn_upc_is_watched && domain_ptr.addr != 0 && domain->magic == MAGIC &&
                                bn_atomic_is_sound(&domain->what, fetch_ptr, op, target, operand1, operand2),
                            1);
}

static __attribute__((noinline, cold)) void relaxed_with_checks(bn_pts_t domain_ptr, void *fetch_ptr, unsigned long op,
                                                                bn_pts_t target, const void *operand1,
                                                                const void *operand2, const void *caller)
{
    struct domain *domain = domain_at("upc_atomic_relaxed", domain_ptr);
    bn_atomic_check("upc_atomic_relaxed", &domain->what, fetch_ptr, op, target, operand1, operand2);
    BN_SPAN_FROM(caller, BN_PROFILE_ATOMIC, bn_atomic_size_of(domain->what.kind), (int)target.thread, BN_NOBODY);
    apply(domain, fetch_ptr, op, target, operand1, operand2);
}

/*
 * All calls in this function are tail calls, so it keeps nothing on the stack.  The prefetch lets the next operation of
 * a loop begin to fetch its target while this one still waits for its own: atomic instructions delay later loads, but
 * not prefetches.
 */
void upc_atomic_relaxed(bn_pts_t domain_ptr, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                        const void *operand2)
{
    __builtin_prefetch(bn_local(target), 1);
    if (is_plain(domain_ptr, fetch_ptr, op, target, operand1, operand2))
        apply(bn_local(domain_ptr), fetch_ptr, op, target, operand1, operand2);
    else
        relaxed_with_checks(domain_ptr, fetch_ptr, op, target, operand1, operand2, __builtin_return_address(0));
}

void upc_atomic_strict(bn_pts_t domain_ptr, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                       const void *operand2)
{
    struct domain *domain = domain_at("upc_atomic_strict", domain_ptr);
    bn_atomic_check("upc_atomic_strict", &domain->what, fetch_ptr, op, target, operand1, operand2);
    BN_SPAN(BN_PROFILE_ATOMIC, bn_atomic_size_of(domain->what.kind), (int)target.thread, BN_NOBODY);
    bn_atomic_fence_before(op);
    apply(domain, fetch_ptr, op, target, operand1, operand2);
    bn_atomic_fence_after(op);
}

/* For emitted C (include/banyan/atomic.h) */
BN_ALSO(bn_own_upc_atomic_relaxed, upc_atomic_relaxed);
BN_ALSO(bn_own_upc_atomic_strict, upc_atomic_strict);

/* The numbers of operations in include/banyan/atomic.h must be these. */
_Static_assert((int)BN_DIRECT_GET == BN_ATOMIC_GET && (int)BN_DIRECT_SET == BN_ATOMIC_SET &&
                   (int)BN_DIRECT_CSWAP == BN_ATOMIC_CSWAP && (int)BN_DIRECT_ADD == BN_ATOMIC_ADD &&
                   (int)BN_DIRECT_SUB == BN_ATOMIC_SUB && (int)BN_DIRECT_INC == BN_ATOMIC_INC &&
                   (int)BN_DIRECT_DEC == BN_ATOMIC_DEC && (int)BN_DIRECT_AND == BN_ATOMIC_AND &&
                   (int)BN_DIRECT_OR == BN_ATOMIC_OR && (int)BN_DIRECT_XOR == BN_ATOMIC_XOR,
               "operations of include/banyan/atomic.h");

int upc_atomic_isfast(int type, unsigned long ops, bn_pts_t addr)
{
    enum bn_atomic_kind kind;
    return bn_atomic_is_served(type, ops, &kind) && (kind != BN_KIND_PTS || bn_pair_is_atomic(bn_local(addr)));
}
