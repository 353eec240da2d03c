// Facts 2.9, 3.1: atomic operations that upcc carries out in place do what the functions do that they stand for: each
// constant operation on each type and layout, beside a call through a pointer that the compiler knows nothing of.
// quick: -O1
#include <upc_relaxed.h>

#include <bupc.h>

#include "atomics.h"
#include "check.h"

enum { ROUNDS = FAR_TIMES(40, 3), COUNT = 7 };

typedef void function_type(upc_atomicdomain_t *, void *__restrict__, upc_op_t, shared void *__restrict__,
                           const void *__restrict__, const void *__restrict__);
static function_type *volatile by_relaxed = upc_atomic_relaxed, *volatile by_strict = upc_atomic_strict;

/* Values that are often equal, so that CSWAP finds the expected value */
static uint64_t seed = 88172645463325252;
static uint64_t random_word(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % 5 == 0 ? seed : seed % 3;
}

/* What the inline operation reads and writes must equal what the function reads and writes in a cell of its own. */
#define DEFINE_COMPARISON(NAME, T)                                                                      \
    static shared T scratch_##NAME[THREADS];                                                            \
    static __attribute__((noinline)) void compare_##NAME(upc_atomicdomain_t *domain, upc_op_t op,       \
                                                         int is_strict, const void *fetch, T old,       \
                                                         const T *a, const T *b, T fetched, T now)      \
    {                                                                                                   \
        T wanted = 77;                                                                                  \
        scratch_##NAME[MYTHREAD] = old;                                                                 \
        (is_strict ? by_strict : by_relaxed)(domain, fetch ? &wanted : NULL, op, &scratch_##NAME[MYTHREAD], a, b); \
        T after = scratch_##NAME[MYTHREAD];                                                             \
        CHECK(memcmp(&wanted, &fetched, sizeof(T)) == 0);                                               \
        CHECK(memcmp(&after, &now, sizeof(T)) == 0);                                                    \
    }

/* CELL is an element that only this thread uses; FETCH, A and B are arguments, which may use fetched, a, and b, and
 * pointers to them. */
#define SAME(NAME, T, IN_PLACE, IS_STRICT, OP, CELL, FETCH, A, B)                                       \
    {                                                                                                   \
        T old = (T)random_word(), a = (T)random_word(), b = (T)random_word(), fetched = 77;             \
        T *volatile unknown_a = &a, *volatile unknown_fetched = &fetched;                               \
        (void)unknown_a, (void)unknown_fetched, (void)b;                                                \
        CELL = old;                                                                                     \
        IN_PLACE(domain, FETCH, OP, &CELL, A, B);                                                       \
        compare_##NAME(domain, OP, IS_STRICT, FETCH, old, A, B, fetched, CELL);                         \
    }

#define BOTH_ORDERS(NAME, T, OP, CELL, FETCH, A, B)                                                     \
    SAME(NAME, T, upc_atomic_relaxed, 0, OP, CELL, FETCH, A, B)                                         \
    SAME(NAME, T, upc_atomic_strict, 1, OP, CELL, FETCH, A, B)

/* Operands that are variables, which may be copied, and operands that are pointers */
#define ON_CELL(NAME, T, CELL)                                                            \
    BOTH_ORDERS(NAME, T, UPC_GET, CELL, &fetched, NULL, NULL)                             \
    BOTH_ORDERS(NAME, T, UPC_GET, CELL, unknown_fetched, NULL, NULL)                      \
    BOTH_ORDERS(NAME, T, UPC_INC, CELL, &fetched, NULL, NULL)                             \
    BOTH_ORDERS(NAME, T, UPC_INC, CELL, NULL, NULL, NULL)                                 \
    BOTH_ORDERS(NAME, T, UPC_DEC, CELL, &fetched, NULL, NULL)                             \
    BOTH_ORDERS(NAME, T, UPC_DEC, CELL, NULL, NULL, NULL)                                 \
    BOTH_ORDERS(NAME, T, UPC_CSWAP, CELL, &fetched, &a, &b)                               \
    BOTH_ORDERS(NAME, T, UPC_CSWAP, CELL, unknown_fetched, unknown_a, &b)                 \
    BOTH_ORDERS(NAME, T, UPC_CSWAP, CELL, NULL, &a, &b)

#define ON_CELL_WITH_OPERAND(NAME, T, CELL)                                               \
    WITH_OPERAND(NAME, T, UPC_SET, CELL)                                                  \
    WITH_OPERAND(NAME, T, UPC_ADD, CELL)                                                  \
    WITH_OPERAND(NAME, T, UPC_SUB, CELL)

#define ON_CELL_IN_A_LOOP(NAME, T, CELL)                                                  \
    BOTH_ORDERS(NAME, T, UPC_MULT, CELL, &fetched, &a, NULL) \
    BOTH_ORDERS(NAME, T, UPC_MIN, CELL, &fetched, &a, NULL) \
    BOTH_ORDERS(NAME, T, UPC_MAX, CELL, &fetched, &a, NULL)

#define WITH_OPERAND(NAME, T, OP, CELL)                                                   \
    BOTH_ORDERS(NAME, T, OP, CELL, &fetched, &a, NULL)                                    \
    BOTH_ORDERS(NAME, T, OP, CELL, NULL, &a, NULL)                                        \
    BOTH_ORDERS(NAME, T, OP, CELL, unknown_fetched, unknown_a, NULL)

/* The address computation is the same for all operations, and in both orders. */
#define ON_LAYOUT(NAME, T, CELL)                                                          \
    SAME(NAME, T, upc_atomic_relaxed, 0, UPC_CSWAP, CELL, &fetched, &a, &b)               \
    SAME(NAME, T, upc_atomic_strict, 1, UPC_SET, CELL, unknown_fetched, unknown_a, NULL)  \
    SAME(NAME, T, upc_atomic_relaxed, 0, UPC_ADD, CELL, NULL, &a, NULL)

#define ON_BITS(NAME, T, CELL)                                                            \
    WITH_OPERAND(NAME, T, UPC_AND, CELL)                                                  \
    WITH_OPERAND(NAME, T, UPC_OR, CELL)                                                   \
    WITH_OPERAND(NAME, T, UPC_XOR, CELL)

#define NO_BITS(NAME, T, CELL)

/* One function per group: all in one would take gcc three times as long to compile. */
#define GROUP(GROUP_NAME, POINTER, STATEMENTS)                                                              \
    static __attribute__((noinline)) void GROUP_NAME(upc_atomicdomain_t *domain, POINTER, int at, int other) \
    {                                                                                                       \
        (void)pointer, (void)at, (void)other;                                                               \
        STATEMENTS                                                                                          \
    }

#define DEFINE_TEST(NAME, T, CODE, OPS, BITS)                                                               \
    DEFINE_COMPARISON(NAME, T)                                                                              \
    static shared T cyclic_##NAME[COUNT * THREADS];                                                         \
    static shared [3] T blocks_##NAME[3 * COUNT * THREADS];                                                 \
    static shared struct { char before; T cell; T row[3]; } records_##NAME[THREADS];                        \
    GROUP(on_cell_##NAME, void *pointer, ON_CELL(NAME, T, cyclic_##NAME[at * THREADS + other]))             \
    GROUP(on_operand_##NAME, void *pointer, ON_CELL_WITH_OPERAND(NAME, T, cyclic_##NAME[at * THREADS + other])) \
    GROUP(on_loop_##NAME, void *pointer, ON_CELL_IN_A_LOOP(NAME, T, cyclic_##NAME[at * THREADS + other]))    \
    GROUP(on_bits_##NAME, void *pointer, BITS(NAME, T, cyclic_##NAME[at * THREADS + other]))                \
    GROUP(on_blocks_##NAME, void *pointer, ON_LAYOUT(NAME, T, blocks_##NAME[(at * THREADS + other) * 3 + 1])) \
    GROUP(on_moving_##NAME, shared T *pointer, ON_LAYOUT(NAME, T, pointer[at * THREADS]))                   \
    GROUP(on_block_##NAME, shared [] T *pointer, ON_LAYOUT(NAME, T, pointer[at]))                           \
    GROUP(on_field_##NAME, void *pointer, ON_LAYOUT(NAME, T, records_##NAME[other].cell))                   \
    GROUP(on_row_##NAME, void *pointer, ON_LAYOUT(NAME, T, records_##NAME[other].row[at % 3]))              \
    static void test_##NAME(void)                                                                           \
    {                                                                                                       \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(CODE, OPS, 0);                              \
        shared [] T *block = upc_alloc(COUNT * sizeof(T));                                                  \
        for (int i = 0; i < ROUNDS; i++) {                                                                  \
            int at = (int)(random_word() % COUNT);                                                          \
            int other = (MYTHREAD + 1) % THREADS;                                                           \
            on_cell_##NAME(domain, NULL, at, other);                                                        \
            on_operand_##NAME(domain, NULL, at, other);                                                     \
            on_loop_##NAME(domain, NULL, at, other);                                                        \
            on_bits_##NAME(domain, NULL, at, other);                                                        \
            on_blocks_##NAME(domain, NULL, at, other);                                                      \
            on_moving_##NAME(domain, &cyclic_##NAME[other], at, other);                                     \
            on_block_##NAME(domain, block, at, other);                                                      \
            on_field_##NAME(domain, NULL, at, other);                                                       \
            on_row_##NAME(domain, NULL, at, other);                                                         \
        }                                                                                                   \
        upc_all_atomicdomain_free(domain);                                                                  \
        upc_free(block);                                                                                    \
    }

#define DEFINE_INTEGER(NAME, T, U, CODE) DEFINE_TEST(NAME, T, CODE, INTEGER_OPS, ON_BITS)
#define DEFINE_FLOATING(NAME, T, U, CODE) DEFINE_TEST(NAME, T, CODE, FLOATING_OPS, NO_BITS)

ALL_INTEGER_TYPES(DEFINE_INTEGER)
ALL_FLOATING_TYPES(DEFINE_FLOATING)

/* Typed operations on these layouts; unused results, and operands with side effects */
#define DEFINE_TYPED(X, NAME, T)                                                                    \
    static void test_typed_##X(void)                                                                \
    {                                                                                               \
        int other = (MYTHREAD + 1) % THREADS, at = 1;                                               \
        T a = (T)random_word(), b = (T)random_word();                                               \
        shared T *moving = &cyclic_##NAME[other];                                                   \
        bupc_atomic##X##_set_relaxed(&blocks_##NAME[other * 3 + at++], a++);                        \
        EQ(at, 2);                                                                                  \
        EQ(blocks_##NAME[other * 3 + 1], (T)(a - 1));                                               \
        EQ(bupc_atomic##X##_fetchadd_strict(&blocks_##NAME[other * 3 + --at], b), (T)(a - 1));      \
        EQ(bupc_atomic##X##_cswap_relaxed(&blocks_##NAME[other * 3 + at], (T)(a - 1 + b), a), (T)(a - 1 + b)); \
        EQ(bupc_atomic##X##_swap_strict(&blocks_##NAME[other * 3 + at], b), a);                     \
        bupc_atomic##X##_set_strict(&moving[THREADS], b);                                           \
        bupc_atomic##X##_fetchxor_relaxed(moving + THREADS, a);                                     \
        EQ(bupc_atomic##X##_read_relaxed(&moving[THREADS]), (T)(b ^ a));                            \
        bupc_atomic##X##_set_relaxed(&records_##NAME[other].row[at], 1.0);                          \
        EQ((at++, bupc_atomic##X##_fetchnot_relaxed(&records_##NAME[other].row[at - 1])), 1);       \
        EQ(records_##NAME[other].row[1], (T)~(T)1);                                                 \
    }

#define TYPED(DO)                                                                                               \
    DO(I, int, int)                                                                                             \
    DO(UI, uint, unsigned)                                                                                      \
    DO(L, long, long)                                                                                           \
    DO(UL, ulong, unsigned long)                                                                                \
    DO(I32, int32, int32_t)                                                                                     \
    DO(U32, uint32, uint32_t)                                                                                   \
    DO(I64, int64, int64_t)                                                                                     \
    DO(U64, uint64, uint64_t)

TYPED(DEFINE_TYPED)

/* A domain for numbers of another width than the variables', which only the call supports */
static shared uint64_t wide[THREADS];
union both {
    uint64_t whole;
    uint32_t halves[2]; /* the first one is where the number is */
};
static void test_other_width(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT32, UPC_ADD | UPC_GET, 0);
    union both add = {.halves = {3}}, got = {.whole = 0};
    wide[MYTHREAD] = (union both){.halves = {UINT32_MAX, 1}}.whole;
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &wide[MYTHREAD], &add.whole, NULL);
    EQ(wide[MYTHREAD], ((union both){.halves = {2, 1}}.whole));
    upc_atomic_strict(domain, &got.whole, UPC_GET, &wide[MYTHREAD], NULL, NULL);
    EQ(got.whole, ((union both){.halves = {2}}.whole));
    upc_all_atomicdomain_free(domain);
}

/* A domain for pointers, through pointers to numbers */
static shared int *shared pointers[THREADS];
static void test_pairs(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_PTS, UPC_SET | UPC_GET, 0);
    shared int *a = &cyclic_int[THREADS + MYTHREAD], *b = NULL;
    uint64_t *words = (uint64_t *)&a, *got = (uint64_t *)&b;
    upc_atomic_relaxed(domain, NULL, UPC_SET, &pointers[MYTHREAD], words, NULL);
    upc_atomic_strict(domain, got, UPC_GET, &pointers[MYTHREAD], NULL, NULL);
    CHECK(b == a && upc_threadof(b) == upc_threadof(a));
    upc_all_atomicdomain_free(domain);
}

#define CALL(NAME, T, U, CODE) test_##NAME();
#define CALL_TYPED(X, NAME, T) test_typed_##X();

int main(void)
{
    seed += (uint64_t)MYTHREAD << 40;
    ALL_INTEGER_TYPES(CALL)
    ALL_FLOATING_TYPES(CALL)
    upc_barrier;
    TYPED(CALL_TYPED)
    test_other_width();
    test_pairs();
    return finish();
}
