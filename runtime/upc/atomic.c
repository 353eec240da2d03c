/*
 * atomic.c: <upc_atomic.h>.
 *
 * A domain lies in the local heap of the thread that came first.  It is not written after that, so every thread keeps
 * a copy of its line in its cache; only its locks, which few programs ever need, change.
 */
#include "upc/atomic.h"

#include "sync/atomic.h"
#include "upc/check.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/once_call.h"

enum kind { KIND_NONE, KIND_I32, KIND_U32, KIND_I64, KIND_U64, KIND_FLOAT, KIND_DOUBLE, KIND_PTS };

enum {
    OPS_OF_PTS = BN_ATOMIC_GET | BN_ATOMIC_SET | BN_ATOMIC_CSWAP,
    OPS_OF_FLOATING = OPS_OF_PTS | BN_ATOMIC_ADD | BN_ATOMIC_SUB | BN_ATOMIC_MULT | BN_ATOMIC_INC | BN_ATOMIC_DEC |
                      BN_ATOMIC_MAX | BN_ATOMIC_MIN,
    OPS_OF_INTEGERS = OPS_OF_FLOATING | BN_ATOMIC_AND | BN_ATOMIC_OR | BN_ATOMIC_XOR,
    OPS_WITHOUT_OPERAND = BN_ATOMIC_GET | BN_ATOMIC_INC | BN_ATOMIC_DEC,
};

static const uint64_t MAGIC = 0x6e69616d6f646e62; /* what a freed or foreign block hardly contains */

struct domain {
    uint64_t magic;
    unsigned long ops;
    enum kind kind;
    struct bn_atomic_locks locks __attribute__((aligned(64)));
};

static enum kind kind_of(int type)
{
    enum { LONG_IS_64 = sizeof(long) == sizeof(int64_t) };
    switch (type) {
    case BN_UPC_INT:
    case BN_UPC_INT32: return KIND_I32;
    case BN_UPC_UINT:
    case BN_UPC_UINT32: return KIND_U32;
    case BN_UPC_LONG: return LONG_IS_64 ? KIND_I64 : KIND_I32;
    case BN_UPC_INT64: return KIND_I64;
    case BN_UPC_ULONG: return LONG_IS_64 ? KIND_U64 : KIND_U32;
    case BN_UPC_UINT64: return KIND_U64;
    case BN_UPC_FLOAT: return KIND_FLOAT;
    case BN_UPC_DOUBLE: return KIND_DOUBLE;
    case BN_UPC_PTS: return KIND_PTS;
    default: return KIND_NONE;
    }
}

static unsigned long ops_of(enum kind kind)
{
    switch (kind) {
    case KIND_NONE: return 0;
    case KIND_PTS: return OPS_OF_PTS;
    case KIND_FLOAT:
    case KIND_DOUBLE: return OPS_OF_FLOATING;
    case KIND_I32:
    case KIND_U32:
    case KIND_I64:
    case KIND_U64: break;
    }
    return OPS_OF_INTEGERS;
}

static size_t size_of(enum kind kind)
{
    return kind == KIND_PTS ? sizeof(bn_pts_t)
           : kind == KIND_I32 || kind == KIND_U32 || kind == KIND_FLOAT ? sizeof(uint32_t) : sizeof(uint64_t);
}

/* The name of the lowest operation in ops */
static const char *op_name(unsigned long ops)
{
    static const char *const names[] = {"UPC_ADD",    "UPC_MULT",  "UPC_AND", "UPC_OR",  "UPC_XOR",
                                        "UPC_LOGAND", "UPC_LOGOR", "UPC_MIN", "UPC_MAX", "UPC_GET",
                                        "UPC_SET",    "UPC_CSWAP", "UPC_SUB", "UPC_INC", "UPC_DEC"};
    size_t bit = (size_t)__builtin_ctzl(ops);
    return bit < sizeof names / sizeof names[0] ? names[bit] : "a value that is no upc_op_t";
}

static uint64_t make_domain(enum kind kind, unsigned long ops)
{
    uint64_t address = bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, sizeof(struct domain));
    if (address != 0)
        *(struct domain *)address = (struct domain){.magic = MAGIC, .ops = ops, .kind = kind};
    return address;
}

bn_pts_t upc_all_atomicdomain_alloc(int type, unsigned long ops, int hints)
{
    const char *function = "upc_all_atomicdomain_alloc";
    enum kind kind = kind_of(type);
    if (kind == KIND_NONE)
        bn_upc_fatal(function, "there are no atomic operations on type %d; use UPC_INT, UINT, LONG, ULONG, INT32, UINT32, "
                               "INT64, UINT64, FLOAT, DOUBLE or PTS", type);
    unsigned long wrong = ops & ~ops_of(kind);
    if (wrong != 0)
        bn_upc_fatal(function, "%s is not an atomic operation on this type; leave it out of the domain", op_name(wrong));
    uint64_t type_and_hints = (uint64_t)(uint32_t)hints << 32 | (uint32_t)type;
    struct bn_once_call call = {.function = function, .arguments = {type_and_hints, ops}};
    bn_check_arguments("type ops hints", (uint64_t)type, ops, (uint64_t)hints);
    if (bn_once_call_begin(&call))
        bn_once_call_publish(&call, make_domain(kind, ops));
    bn_once_call_end(&call);
    return call.result == 0 ? bn_null() : bn_at((const void *)call.result);
}

static struct domain *domain_at(const char *function, bn_pts_t ptr)
{
    if (ptr.addr == 0)
        bn_upc_fatal(function, "the pointer to the atomic domain is null; allocate the domain first");
    if (bn_check_is_on)
        bn_check_made(function, "atomic domain", ptr);
    struct domain *domain = bn_local(ptr);
    if (domain->magic != MAGIC)
        bn_upc_fatal(function, "there is no atomic domain at 0x%llx; it was freed, or never allocated",
                     (unsigned long long)ptr.addr);
    return domain;
}

void upc_all_atomicdomain_free(bn_pts_t ptr)
{
    const char *function = "upc_all_atomicdomain_free";
    struct bn_once_call call = {.function = function, .arguments = {ptr.addr, 0}};
    bn_check_arguments("ptr", ptr.addr);
    if (bn_once_call_begin(&call))
        bn_once_call_publish(&call, 0);
    if (!bn_once_call_end(&call) || ptr.addr == 0)
        return;
    domain_at(function, ptr)->magic = 0;
    if (bn_check_is_on)
        bn_check_free_made(ptr.addr, sizeof(struct domain));
    else if (bn_heaps_free(&bn_context.heaps, bn_context.thread, ptr.addr) != BN_HEAPS_FREED)
        bn_upc_fatal(function, "there is no atomic domain at 0x%llx", (unsigned long long)ptr.addr);
}

/* Says what is wrong with a call that check_call has refused. */
__attribute__((noreturn, cold, noinline)) static void refuse(const char *function, const struct domain *domain,
                                                             const void *fetch_ptr, unsigned long op, bn_pts_t target)
{
    if (op == 0 || (op & (op - 1)) != 0)
        bn_upc_fatal(function, "op is 0x%lx; it must be one operation", op);
    if (!(op & domain->ops))
        bn_upc_fatal(function, "the domain was made without %s; name it in upc_all_atomicdomain_alloc", op_name(op));
    if (target.addr == 0)
        bn_upc_fatal(function, "target is a null pointer");
    if (op == BN_ATOMIC_GET && !fetch_ptr)
        bn_upc_fatal(function, "UPC_GET needs fetch_ptr, which is null");
    bn_upc_fatal(function, "%s needs %s", op_name(op), op == BN_ATOMIC_CSWAP ? "two operands" : "an operand");
}

static void check_call(const char *function, const struct domain *domain, const void *fetch_ptr, unsigned long op,
                       bn_pts_t target, const void *operand1, const void *operand2)
{
    bool is_good = (op & domain->ops) != 0 && (op & (op - 1)) == 0 && target.addr != 0 &&
                   (op != BN_ATOMIC_GET || fetch_ptr) && (operand1 || (op & OPS_WITHOUT_OPERAND)) &&
                   (operand2 || op != BN_ATOMIC_CSWAP);
    if (__builtin_expect(!is_good, 0))
        refuse(function, domain, fetch_ptr, op, target);
    bn_check_block(function, "target", target, size_of(domain->kind));
}

static inline __attribute__((always_inline)) void apply(struct domain *domain, void *fetch, unsigned long op,
                                                        bn_pts_t target, const void *operand1, const void *operand2)
{
    void *at = bn_local(target);
    switch (domain->kind) {
    case KIND_I32: bn_atomic_apply_i32(op, fetch, at, operand1, operand2); break;
    case KIND_U32: bn_atomic_apply_u32(op, fetch, at, operand1, operand2); break;
    case KIND_I64: bn_atomic_apply_i64(op, fetch, at, operand1, operand2); break;
    case KIND_U64: bn_atomic_apply_u64(op, fetch, at, operand1, operand2); break;
    case KIND_FLOAT: bn_atomic_apply_float(op, fetch, at, operand1, operand2); break;
    case KIND_DOUBLE: bn_atomic_apply_double(op, fetch, at, operand1, operand2); break;
    case KIND_PTS: bn_atomic_apply_pair(op, fetch, at, operand1, operand2, &domain->locks); break;
    case KIND_NONE: break;
    }
}

/* A pointer-to-shared is a pair whose low word decides equality. */
_Static_assert(sizeof(bn_pts_t) == sizeof(struct bn_pair) && offsetof(bn_pts_t, addr) == offsetof(struct bn_pair, low),
               "bn_pts_t has changed");

void upc_atomic_relaxed(bn_pts_t domain_ptr, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                        const void *operand2)
{
    struct domain *domain = domain_at("upc_atomic_relaxed", domain_ptr);
    check_call("upc_atomic_relaxed", domain, fetch_ptr, op, target, operand1, operand2);
    apply(domain, fetch_ptr, op, target, operand1, operand2);
}

void upc_atomic_strict(bn_pts_t domain_ptr, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                       const void *operand2)
{
    struct domain *domain = domain_at("upc_atomic_strict", domain_ptr);
    check_call("upc_atomic_strict", domain, fetch_ptr, op, target, operand1, operand2);
    bn_atomic_fence_before(op);
    apply(domain, fetch_ptr, op, target, operand1, operand2);
    bn_atomic_fence_after(op);
}

int upc_atomic_isfast(int type, unsigned long ops, bn_pts_t addr)
{
    enum kind kind = kind_of(type);
    bool is_served = kind != KIND_NONE && !(ops & ~ops_of(kind));
    return is_served && (kind != KIND_PTS || bn_pair_is_atomic(bn_local(addr)));
}
