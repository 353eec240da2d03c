/*
 * atomic.c: <upc_atomic.h> over several nodes.
 *
 * A domain is identified by the address of a small block of thread 0, which is never read: the domain's type and
 * operations are arguments of a collective call, so each thread keeps them in a list of its own.
 */
#include "upc/sync/atomic_domain.h"

#include "pgas/remote/remote.h"
#include "profile/span.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/remote/atomic_word.h"

#include <stdlib.h>
#include <string.h>

struct domain {
    struct domain *next;
    uint64_t address;
    struct bn_atomic_domain what;
};

static BN_PER_THREAD struct domain *domains; /* the most recently used one comes first */

static void remember(uint64_t address, struct bn_atomic_domain what)
{
    struct domain *domain = malloc(sizeof *domain);
    if (!domain)
        bn_upc_fatal("upc_all_atomicdomain_alloc", "out of memory");
    *domain = (struct domain){.next = domains, .address = address, .what = what};
    domains = domain;
}

/* Finds a domain, and moves it to the front of the list. */
static struct domain *domain_at(const char *function, bn_pts_t ptr)
{
    if (bn_check_is_on && ptr.addr != 0)
        bn_check_made(function, "atomic domain", ptr);
    if (domains && domains->address == ptr.addr)
        return domains;
    for (struct domain **link = &domains; *link; link = &(*link)->next) {
        struct domain *domain = *link;
        if (domain->address != ptr.addr)
            continue;
        *link = domain->next;
        domain->next = domains;
        domains = domain;
        return domain;
    }
    bn_atomic_refuse_domain(function, ptr);
}

enum { NAME_BYTES = 64 };

bn_pts_t upc_all_atomicdomain_alloc(int type, unsigned long ops, int hints)
{
    struct bn_atomic_domain what = bn_atomic_domain_of(type, ops);
    struct bn_once_call call = bn_atomic_domain_call(type, ops, hints);
    if (bn_once_call_begin(&call))
        bn_once_call_publish(&call, bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, NAME_BYTES));
    bn_once_call_end(&call);
    if (call.result == 0)
        return bn_null();
    remember(call.result, what);
    return bn_at((const void *)call.result);
}

void upc_all_atomicdomain_free(bn_pts_t ptr)
{
    const char *function = "upc_all_atomicdomain_free";
    bool is_last = bn_once_call_is_last(function, ptr);
    if (ptr.addr == 0)
        return;
    struct domain *domain = domain_at(function, ptr);
    domains = domain->next;
    free(domain);
    if (!is_last)
        return;
    if (bn_check_is_on)
        bn_check_free_made(ptr.addr, NAME_BYTES);
    else if (bn_heaps_free(&bn_context.heaps, bn_context.thread, ptr.addr) != BN_HEAPS_FREED)
        bn_upc_fatal(function, "there is no atomic domain at 0x%llx", (unsigned long long)ptr.addr);
}

/* ---- Operations ---- */

/* An operation, as passed to the functions that change words */
struct how {
    unsigned long op;
    enum bn_atomic_kind kind;
    const void *operand1;
    const void *operand2;
};

enum {
    OPS_IN_A_LOOP = BN_ATOMIC_MULT | BN_ATOMIC_MIN | BN_ATOMIC_MAX | BN_ATOMIC_AND | BN_ATOMIC_OR | BN_ATOMIC_XOR,
    OPS_BY_CHANGE = OPS_IN_A_LOOP | BN_ATOMIC_CSWAP,
    OPS_OF_ALL = BN_ATOMIC_GET | BN_ATOMIC_SET,
};

static bool is_floating(enum bn_atomic_kind kind)
{
    return kind == BN_KIND_FLOAT || kind == BN_KIND_DOUBLE;
}

/* Whether an operation of the domain needs a compare-and-swap that the network does not have.  All operations of the
 * domain then take a lock, so that they are atomic with respect to each other. */
static bool needs_lock(const struct bn_atomic_domain *what)
{
    if (what->kind == BN_KIND_PTS)
        return true;
    if (bn_atomic_size_of(what->kind) == sizeof(uint64_t) || bn_remote.transport->can_change_narrow())
        return false;
    return (what->ops & (is_floating(what->kind) ? ~(unsigned long)OPS_OF_ALL : OPS_BY_CHANGE)) != 0;
}

/* Words of 4 or 8 bytes in memory */
static uint64_t read_word(const void *from, size_t bytes)
{
    uint32_t narrow;
    uint64_t word;
    if (bytes == sizeof narrow) {
        memcpy(&narrow, from, sizeof narrow);
        return narrow;
    }
    memcpy(&word, from, sizeof word);
    return word;
}

static void write_word(void *to, size_t bytes, uint64_t word)
{
    uint32_t narrow = (uint32_t)word;
    if (bytes == sizeof narrow)
        memcpy(to, &narrow, sizeof narrow);
    else
        memcpy(to, &word, sizeof word);
}

/* The new value of a word, computed by the operations of sync/atomic.h on a private copy */
static uint64_t next_word(uint64_t old, const void *context)
{
    const struct how *how = context;
    union {
        uint64_t word;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        float f;
        double d;
    } copy;
    size_t bytes = bn_atomic_size_of(how->kind);
    write_word(&copy, bytes, old);
    switch (how->kind) {
    case BN_KIND_I32: bn_atomic_apply_i32(how->op, NULL, &copy.i32, how->operand1, how->operand2); break;
    case BN_KIND_U32: bn_atomic_apply_u32(how->op, NULL, &copy.u32, how->operand1, how->operand2); break;
    case BN_KIND_I64: bn_atomic_apply_i64(how->op, NULL, &copy.i64, how->operand1, how->operand2); break;
    case BN_KIND_U64: bn_atomic_apply_u64(how->op, NULL, &copy.word, how->operand1, how->operand2); break;
    case BN_KIND_FLOAT: bn_atomic_apply_float(how->op, NULL, &copy.f, how->operand1, how->operand2); break;
    case BN_KIND_DOUBLE: bn_atomic_apply_double(how->op, NULL, &copy.d, how->operand1, how->operand2); break;
    case BN_KIND_PTS:
    case BN_KIND_NONE: break;
    }
    return read_word(&copy, bytes);
}

static bool next_pair(const void *old, const void *context, void *next)
{
    const struct how *how = context;
    const struct bn_pair *found = old, *operand1 = how->operand1;
    if (how->op == BN_ATOMIC_GET || (how->op == BN_ATOMIC_CSWAP && found->low != operand1->low))
        return false;
    memcpy(next, how->op == BN_ATOMIC_SET ? how->operand1 : how->operand2, sizeof *found);
    return true;
}

/* Uses the network's own operation if there is one, else a compare-and-swap loop. */
static uint64_t apply_word(struct bn_remote_place place, unsigned bytes, const struct how *how)
{
    bool is_native = (how->op & OPS_OF_ALL) != 0 || !(is_floating(how->kind) || (how->op & OPS_IN_A_LOOP) != 0);
    if (!is_native)
        return bn_remote_change_word(place, bytes, next_word, how);
    uint64_t a = how->operand1 ? read_word(how->operand1, bytes) : 1; /* INC and DEC have no operand */
    uint64_t b = how->operand2 ? read_word(how->operand2, bytes) : 0;
    return bn_atomic_word(how->op, place, bytes, a, b);
}

static void apply(const struct bn_atomic_domain *what, const struct how *how, void *fetch, bn_pts_t target)
{
    struct bn_remote_place place;
    struct bn_pair old = {0, 0};
    unsigned bytes = (unsigned)bn_atomic_size_of(how->kind);
    if (!bn_remote_find((uint64_t)bn_local(target), &place.thread, &place.offset))
        bn_upc_fatal(NULL, "an atomic operation on 0x%llx, which is not shared memory",
                     (unsigned long long)target.addr);
    bn_complete_far(); /* the operation must come after what this thread has written */
    bn_poll_often();   /* programs use it in waiting loops */
    if (needs_lock(what) && how->kind == BN_KIND_PTS)
        bn_remote_change_locked(place, bytes, next_pair, how, &old);
    else if (needs_lock(what))
        write_word(&old, bytes, bn_remote_change_locked_narrow(place, next_word, how));
    else
        write_word(&old, bytes, apply_word(place, bytes, how));
    if (fetch)
        memcpy(fetch, &old, bytes);
}

void upc_atomic_relaxed(bn_pts_t domain_ptr, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                        const void *operand2)
{
    const struct domain *domain = domain_at("upc_atomic_relaxed", domain_ptr);
    bn_atomic_check("upc_atomic_relaxed", &domain->what, fetch_ptr, op, target, operand1, operand2);
    BN_SPAN(BN_PROFILE_ATOMIC, bn_atomic_size_of(domain->what.kind), (int)target.thread, BN_NOBODY);
    apply(&domain->what, &(struct how){op, domain->what.kind, operand1, operand2}, fetch_ptr, target);
}

void upc_atomic_strict(bn_pts_t domain_ptr, void *fetch_ptr, unsigned long op, bn_pts_t target, const void *operand1,
                       const void *operand2)
{
    const struct domain *domain = domain_at("upc_atomic_strict", domain_ptr);
    bn_atomic_check("upc_atomic_strict", &domain->what, fetch_ptr, op, target, operand1, operand2);
    BN_SPAN(BN_PROFILE_ATOMIC, bn_atomic_size_of(domain->what.kind), (int)target.thread, BN_NOBODY);
    bn_fence();
    apply(&domain->what, &(struct how){op, domain->what.kind, operand1, operand2}, fetch_ptr, target);
    bn_fence();
}

int upc_atomic_isfast(int type, unsigned long ops, bn_pts_t addr)
{
    struct bn_atomic_domain what = {.ops = ops};
    (void)addr;
    return bn_atomic_is_served(type, ops, &what.kind) && !needs_lock(&what);
}
