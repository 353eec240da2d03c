/*
 * atomic.h: operations of <upc_atomic.h> and <bupc_atomic.h> that emitted C carries out in place (compiler/lower/
 * atomic.cc). access.h includes it where all threads are on one machine.
 *
 * An operation that depends only on the width of the word becomes one instruction if it is a constant; all others are
 * calls (runtime/upc/sync/atomic.c).  If the program replaces the library function by one of its own, that is called
 * too: each operation here compares the function of that name with the library's own, in a loop only once.
 */
#ifndef BN_ATOMIC_H
#define BN_ATOMIC_H

/* Values of upc_op_t that are carried out in place, as in <upc_types.h> and <upc_atomic.h> */
enum {
    BN_DIRECT_ADD = 1 << 0,
    BN_DIRECT_AND = 1 << 2,
    BN_DIRECT_OR = 1 << 3,
    BN_DIRECT_XOR = 1 << 4,
    BN_DIRECT_GET = 1 << 9,
    BN_DIRECT_SET = 1 << 10,
    BN_DIRECT_CSWAP = 1 << 11,
    BN_DIRECT_SUB = 1 << 12,
    BN_DIRECT_INC = 1 << 13,
    BN_DIRECT_DEC = 1 << 14,
    BN_DIRECT_BITS = BN_DIRECT_GET | BN_DIRECT_SET, /* for floating types */
    BN_DIRECT_INTEGERS = BN_DIRECT_BITS | BN_DIRECT_CSWAP | BN_DIRECT_ADD | BN_DIRECT_SUB | BN_DIRECT_INC |
                         BN_DIRECT_DEC | BN_DIRECT_AND | BN_DIRECT_OR | BN_DIRECT_XOR,
};

/*
 * The start of a domain: BN_DIRECT_TAG and the operations that may be carried out in place on 32-bit and on 64-bit
 * words. One comparison checks that this is a domain, that it is for such words, and that it has the operation.  0 if
 * there is no such operation.
 */
struct bn_direct_ops {
    bn_u32 words32;
    bn_u32 words64;
};
enum { BN_DIRECT_TAG = 0x5d358000, BN_DIRECT_TAG_BITS = 0x7fff8000 };

typedef void bn_atomic_function(bn_pts_t domain, void *fetch, unsigned long op, bn_pts_t target, const void *a,
                                const void *b);

typedef bn_u32 __attribute__((may_alias)) bn_word32;
typedef bn_u64 __attribute__((may_alias)) bn_word64;

/*
 * bn_change_word32(op, is_strict, is_read, at, a, b): carries out op and, if is_read, returns the old value.  All
 * threads see strict operations in one order, and no other access of the thread is reordered with them.  On x86-64 an
 * atomic read-modify-write is itself a fence.
 *
 * bn_atomic32(...): upc_atomic_relaxed and upc_atomic_strict; `called` is the program's function of that name, `own`
 * the library's. bn_atomic_copying32: the same where operands are whole variables or null.  The function is called with
 * copies, so that the variables can stay in registers; otherwise the atomic operation would wait for their stores.
 */
#if defined __x86_64__
#define BN_WHOLE_FENCE(op)                                                                                             \
    ((op) == BN_DIRECT_GET ? BN_FENCE(__ATOMIC_SEQ_CST) : __atomic_signal_fence(__ATOMIC_SEQ_CST))
#else
#define BN_WHOLE_FENCE(op) BN_FENCE(__ATOMIC_SEQ_CST)
#endif
#define BN_DEFINE_ATOMICS(BITS)                                                                                        \
    BN_INLINE bn_u##BITS bn_change_word##BITS(unsigned long op, int is_strict, int is_read, bn_word##BITS *at,         \
                                              bn_u##BITS a, bn_u##BITS b)                                              \
    {                                                                                                                  \
        bn_u##BITS old = a;                                                                                            \
        if (is_strict) {                                                                                               \
            BN_ORDER_BEFORE();                                                                                         \
            BN_WHOLE_FENCE(op);                                                                                        \
        }                                                                                                              \
        switch (op) {                                                                                                  \
        case BN_DIRECT_GET: old = __atomic_load_n(at, __ATOMIC_RELAXED); break;                                        \
        case BN_DIRECT_SET:                                                                                            \
            if (is_strict || is_read)                                                                                  \
                old = __atomic_exchange_n(at, a, __ATOMIC_RELAXED);                                                    \
            else                                                                                                       \
                __atomic_store_n(at, a, __ATOMIC_RELAXED);                                                             \
            break;                                                                                                     \
        case BN_DIRECT_CSWAP: __atomic_compare_exchange_n(at, &old, b, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); break;  \
        case BN_DIRECT_ADD: old = __atomic_fetch_add(at, a, __ATOMIC_RELAXED); break;                                  \
        case BN_DIRECT_SUB: old = __atomic_fetch_sub(at, a, __ATOMIC_RELAXED); break;                                  \
        case BN_DIRECT_INC: old = __atomic_fetch_add(at, 1, __ATOMIC_RELAXED); break;                                  \
        case BN_DIRECT_DEC: old = __atomic_fetch_sub(at, 1, __ATOMIC_RELAXED); break;                                  \
        case BN_DIRECT_AND: old = __atomic_fetch_and(at, a, __ATOMIC_RELAXED); break;                                  \
        case BN_DIRECT_OR: old = __atomic_fetch_or(at, a, __ATOMIC_RELAXED); break;                                    \
        case BN_DIRECT_XOR: old = __atomic_fetch_xor(at, a, __ATOMIC_RELAXED); break;                                  \
        default: __builtin_unreachable();                                                                              \
        }                                                                                                              \
        if (is_strict && op == BN_DIRECT_GET)                                                                          \
            BN_FENCE(__ATOMIC_ACQUIRE);                                                                                \
        else if (is_strict)                                                                                            \
            BN_WHOLE_FENCE(op);                                                                                        \
        if (is_strict)                                                                                                 \
            BN_ORDER_AFTER();                                                                                          \
        return old;                                                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    BN_INLINE int bn_is_direct##BITS(bn_pts_t domain, const void *fetch, unsigned long op, bn_u64 target,              \
                                     const void *a, const void *b)                                                     \
    {                                                                                                                  \
        const struct bn_direct_ops *ops = (const struct bn_direct_ops *)domain.addr;                                   \
        int has_operands = (a || op == BN_DIRECT_GET || op == BN_DIRECT_INC || op == BN_DIRECT_DEC) &&                 \
                           (b || op != BN_DIRECT_CSWAP) && (fetch || op != BN_DIRECT_GET);                             \
        return has_operands && target != 0 && domain.addr != 0 &&                                                      \
               (ops->words##BITS & ((bn_u32)BN_DIRECT_TAG_BITS | op)) == ((bn_u32)BN_DIRECT_TAG | op);                 \
    }                                                                                                                  \
                                                                                                                       \
    BN_INLINE int bn_atomic_in_place##BITS(int is_strict, bn_pts_t domain, void *fetch, unsigned long op,              \
                                           bn_u64 target, const void *a, const void *b)                                \
    {                                                                                                                  \
        if (__builtin_expect(!bn_is_direct##BITS(domain, fetch, op, target, a, b), 0))                                 \
            return 0;                                                                                                  \
        bn_u##BITS old = bn_change_word##BITS(op, is_strict, fetch != 0, (bn_word##BITS *)target,                      \
                                              a ? *(const bn_word##BITS *)a : 0, b ? *(const bn_word##BITS *)b : 0);   \
        if (fetch)                                                                                                     \
            *(bn_word##BITS *)fetch = old;                                                                             \
        return 1;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    BN_INLINE void bn_atomic##BITS(bn_atomic_function *called, bn_atomic_function *own, int is_strict,                 \
                                   unsigned long ops, bn_pts_t domain, void *fetch, unsigned long op, bn_u64 target,   \
                                   const void *a, const void *b)                                                       \
    {                                                                                                                  \
        int may_be_direct = __builtin_constant_p(op) && (op & ops) != 0 && (op & (op - 1)) == 0;                       \
        if (!may_be_direct || called != own || !bn_atomic_in_place##BITS(is_strict, domain, fetch, op, target, a, b))  \
            called(domain, fetch, op, bn_at((void *)target), a, b);                                                    \
    }                                                                                                                  \
                                                                                                                       \
    static __attribute__((noinline, cold, unused, no_instrument_function)) void bn_call_with_copies##BITS(             \
        bn_atomic_function *called, bn_pts_t domain, void *fetch, unsigned long op, bn_u64 target, bn_u##BITS a,       \
        bn_u##BITS b, int has_a, int has_b)                                                                            \
    {                                                                                                                  \
        called(domain, fetch, op, bn_at((void *)target), has_a ? &a : 0, has_b ? &b : 0);                              \
    }                                                                                                                  \
                                                                                                                       \
    BN_INLINE void bn_atomic_copying##BITS(bn_atomic_function *called, bn_atomic_function *own, int is_strict,         \
                                           unsigned long ops, bn_pts_t domain, void *fetch, unsigned long op,          \
                                           bn_u64 target, const void *a, const void *b)                                \
    {                                                                                                                  \
        if (!__builtin_constant_p(op) || (op & ops) == 0 || (op & (op - 1)) != 0)                                      \
            called(domain, fetch, op, bn_at((void *)target), a, b);                                                    \
        else if (called != own || !bn_atomic_in_place##BITS(is_strict, domain, fetch, op, target, a, b))               \
            bn_call_with_copies##BITS(called, domain, fetch, op, target, a ? *(const bn_word##BITS *)a : 0,            \
                                      b ? *(const bn_word##BITS *)b : 0, a != 0, b != 0);                              \
    }

BN_DEFINE_ATOMICS(32)
BN_DEFINE_ATOMICS(64)
#undef BN_DEFINE_ATOMICS
#undef BN_WHOLE_FENCE

#endif
