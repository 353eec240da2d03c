/*
 * native.upc: reductions by the collectives of the underlying library give the same results as the direct way, for all
 * types and operations, and for arrays of which some or all threads have no element.
 */
#include <upc.h>
#include <upc_collective.h>
#include <bupc_reduce.h>
#include <banyan/coll.h>

#include <stdio.h>
#include <string.h>

enum { MOST = 40 };

static int failures, native_calls;

static const upc_op_t ops[] = {UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX};

static void use(const char *way)
{
    if (bn_coll_use_way("reduce", way) || bn_coll_use_way("reduce_all", way)) {
        printf("there is no way %s\n", way);
        failures++;
    }
}

#define DEFINE_TEST(SUFFIX, T, HAS_BITS, SIGN)                                                                         \
    static shared T values_##SUFFIX[MOST * THREADS];                                                                   \
    static shared T sums_##SUFFIX[THREADS];                                                                            \
    static void fold_##SUFFIX(upc_op_t op, size_t count, const char *way, T *one_p, T *all_p)                          \
    {                                                                                                                  \
        use(way);                                                                                                      \
        sums_##SUFFIX[MYTHREAD] = 99;                                                                                  \
        upc_barrier;                                                                                                   \
        upc_all_reduce##SUFFIX(&sums_##SUFFIX[THREADS - 1], values_##SUFFIX, op, count, 1, NULL,                       \
                               UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);                                                      \
        *one_p = sums_##SUFFIX[MYTHREAD];                                                                              \
        failures += strcmp(bn_coll_way("reduce", sizeof(T), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC), way) != 0;              \
        upc_barrier;                                                                                                   \
        bupc_all_reduce_all##SUFFIX(sums_##SUFFIX, values_##SUFFIX, op, count, 1, NULL,                                \
                                    UPC_IN_MYSYNC | UPC_OUT_MYSYNC);                                                   \
        *all_p = sums_##SUFFIX[MYTHREAD];                                                                              \
    }                                                                                                                  \
    static void test_##SUFFIX(void)                                                                                    \
    {                                                                                                                  \
        const size_t counts[] = {0, 1, (size_t)THREADS - 1, (size_t)THREADS + 1, MOST * (size_t)THREADS};              \
        for (size_t i = 0; i < MOST; i++)                                                                              \
            values_##SUFFIX[i * THREADS + MYTHREAD] =                                                                  \
                (T)((int)(i * 5 + (size_t)MYTHREAD * 3) % 7 + 1) * (MYTHREAD % 2 ? SIGN : 1);                          \
        for (size_t op = 0; op < sizeof ops / sizeof *ops; op++) {                                                     \
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {                                              \
                T one = 0, all = 0, direct_one = 0, direct_all = 0;                                                    \
                if (!(HAS_BITS) && (ops[op] == UPC_AND || ops[op] == UPC_OR || ops[op] == UPC_XOR))                    \
                    continue;                                                                                          \
                if (ops[op] == UPC_MULT && counts[i] > 2 * (size_t)THREADS)                                            \
                    continue; /* too large to be exact */                                                              \
                fold_##SUFFIX(ops[op], counts[i], "native", &one, &all);                                               \
                fold_##SUFFIX(ops[op], counts[i], "pull/flat/whole", &direct_one, &direct_all);                        \
                native_calls++;                                                                                        \
                if (one == direct_one && all == direct_all)                                                            \
                    continue;                                                                                          \
                failures++;                                                                                            \
                printf("thread %d of %d: %s, operation %d, %zu elements: %g %g, not %g %g\n", MYTHREAD, THREADS,       \
                       #SUFFIX, (int)ops[op], counts[i], (double)one, (double)all, (double)direct_one,                 \
                       (double)direct_all);                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }

DEFINE_TEST(S, short, 1, -1)
DEFINE_TEST(I, int, 1, -1)
DEFINE_TEST(UI, unsigned, 1, 1)
DEFINE_TEST(L, long, 1, -1)
DEFINE_TEST(UL, unsigned long, 1, 1)
DEFINE_TEST(F, float, 0, -1)
DEFINE_TEST(D, double, 0, -1)
DEFINE_TEST(LD, long double, 0, -1)

int main(void)
{
    test_S();
    test_I();
    test_UI();
    test_L();
    test_UL();
    test_F();
    test_D();
    test_LD();
    printf("%s\n", failures == 0 && native_calls > 200 ? "ok" : "failed");
    return failures != 0;
}
