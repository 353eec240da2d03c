// Facts 3.1: bupc_collectivev.h: values of every kind, every root, every operation, against loops over what the threads
// must have given.
#define BUPC_USE_UPC_NAMESPACE
#include <upc.h>

#include <bupc_collectivev.h>

#include "check.h"

struct small {
    char c;
    short s;
};
struct big {
    double numbers[13];
    int owner;
};

static struct big big_of(int thread)
{
    struct big value = {{0}, thread};
    for (int i = 0; i < 13; i++)
        value.numbers[i] = thread * 100 + i;
    return value;
}

static int is_big_of(const struct big *value, int thread)
{
    struct big expected = big_of(thread);
    return value->owner == thread && memcmp(value->numbers, expected.numbers, sizeof expected.numbers) == 0;
}

static void moving(int root)
{
    static char chars[4096];
    static struct big bigs[4096];
    shared int *pointers[THREADS];
    static shared int target[THREADS];

    struct big mine = big_of(MYTHREAD), got = bupc_allv_broadcast(struct big, mine, root);
    CHECK(is_big_of(&got, root));
    EQ(bupc_allv_broadcast(int, MYTHREAD + 5, root), root + 5);
    struct small small = {(char)MYTHREAD, (short)(MYTHREAD * 3)};
    EQ(bupc_allv_broadcast(struct small, small, root).s, root * 3);

    memset(chars, 'x', sizeof chars);
    CHECK(bupc_allv_gather(char, (char)('a' + MYTHREAD % 26), root, chars) == chars);
    for (int i = 0; i < THREADS; i++)
        EQ(chars[i], MYTHREAD == root ? 'a' + i % 26 : 'x');
    EQ(chars[THREADS], 'x');

    /* Threads that want no result say so; the others get what they asked for. */
    memset(chars, 'x', sizeof chars);
    char *wanted = MYTHREAD % 2 == root % 2 ? NULL : chars;
    CHECK(bupc_allv_gather_all(char, (char)('a' + MYTHREAD % 26), wanted) == wanted);
    for (int i = 0; i < THREADS; i++)
        EQ(chars[i], wanted ? 'a' + i % 26 : 'x');
    CHECK(bupc_allv_gather(int, 1, root, NULL) == NULL);

    bupc_allv_gather_all(struct big, mine, bigs);
    for (int i = 0; i < THREADS; i++)
        CHECK(is_big_of(&bigs[i], i));
    bupc_allv_gather_all(shared int *, &target[MYTHREAD], pointers);
    for (int i = 0; i < THREADS; i++)
        CHECK(pointers[i] == &target[i]);

    for (int i = 0; i < THREADS; i++)
        bigs[i] = big_of(MYTHREAD == root ? i + 1000 : -1);
    got = bupc_allv_scatter(struct big, root, bigs);
    CHECK(is_big_of(&got, MYTHREAD + 1000));
    EQ(upc_allv_scatter(double, root, bigs[0].numbers), ((MYTHREAD == root ? 1000 : 1000) * 100 + MYTHREAD));

    int to = (MYTHREAD + root) % THREADS, from = (MYTHREAD + THREADS - root) % THREADS;
    EQ(bupc_allv_permute(long, MYTHREAD * 7L, to), from * 7L);
    got = bupc_allv_permute(struct big, mine, to);
    bupc_allv_permute(struct big, mine, to); /* an unused result, for which compilers must not warn */
    bupc_allv_scatter(int, root, (int[16]){0});
    bupc_allv_gather(int, 1, root, (int[16]){0});
    bupc_allv_reduce(int, 1, root, UPC_ADD);
    CHECK(is_big_of(&got, from));
}

/* The value of a thread: small enough for products, and negative for some */
#define VALUE(T, thread) ((T)((thread) % 3 == 2 ? -((thread) + 1) : (thread) + 1))

#define DEFINE_TEST(NAME, T, HAS_BITS)                                                                             \
    static T fold_##NAME(upc_op_t op, int count)                                                                   \
    {                                                                                                              \
        T a = VALUE(T, 0);                                                                                         \
        for (int i = 1; i < count; i++) {                                                                          \
            T b = VALUE(T, i);                                                                                     \
            a = (T)(op == UPC_ADD ? a + b : op == UPC_MULT ? a * (b + 0u) : op == UPC_MIN ? (a < b ? a : b) :      \
                    op == UPC_MAX ? (a > b ? a : b) : op == UPC_LOGAND ? (a && b) : op == UPC_LOGOR ? (a || b) :   \
                    op == UPC_AND ? (T)((long)a & (long)b) : op == UPC_OR ? (T)((long)a | (long)b) :               \
                                                                            (T)((long)a ^ (long)b));               \
        }                                                                                                          \
        return a;                                                                                                  \
    }                                                                                                              \
                                                                                                                   \
    static void reduce_##NAME(int root)                                                                            \
    {                                                                                                              \
        T mine = VALUE(T, MYTHREAD);                                                                               \
        for (upc_op_t op = UPC_ADD; op <= UPC_MAX; op <<= 1) {                                                     \
            if (!HAS_BITS && (op & (UPC_AND | UPC_OR | UPC_XOR)))                                                  \
                continue;                                                                                          \
            T expected = fold_##NAME(op, THREADS);                                                                 \
            CHECK(bupc_allv_reduce(T, mine, root, op) == (MYTHREAD == root ? expected : 0));                       \
            CHECK(bupc_allv_reduce_all(T, mine, op) == expected);                                                  \
            CHECK(upc_allv_prefix_reduce(T, mine, op) == fold_##NAME(op, MYTHREAD + 1));                           \
        }                                                                                                          \
    }

DEFINE_TEST(char, char, 1)
DEFINE_TEST(schar, signed char, 1)
DEFINE_TEST(uchar, unsigned char, 1)
DEFINE_TEST(short, short, 1)
DEFINE_TEST(ushort, unsigned short, 1)
DEFINE_TEST(int, int, 1)
DEFINE_TEST(uint, unsigned, 1)
DEFINE_TEST(long, long, 1)
DEFINE_TEST(ulong, unsigned long, 1)
DEFINE_TEST(float, float, 0)
DEFINE_TEST(double, double, 0)

int main(void)
{
    for (int root = 0; root < THREADS; root++) {
        moving(root);
        reduce_char(root);
        reduce_schar(root);
        reduce_uchar(root);
        reduce_short(root);
        reduce_ushort(root);
        reduce_int(root);
        reduce_uint(root);
        reduce_long(root);
        reduce_ulong(root);
        reduce_float(root);
        reduce_double(root);
    }
    /* Nested uses */
    EQ(bupc_allv_reduce_all(int, bupc_allv_broadcast(int, MYTHREAD + 1, THREADS - 1), UPC_ADD), THREADS * THREADS);
    return finish();
}
