// upc_forall near 2^63, 2^64 and INT64_MIN, where copies of the variable in 64 bits with a sign would overflow: the
// iterations are those of a loop that tests each.
#include <limits.h>
#include <upc.h>

#include "check.h"

/* Like floor_mod, which would overflow */
#define IS_MINE_UNSIGNED(n) ((uint64_t)(n) % (uint64_t)THREADS == (uint64_t)MYTHREAD)
#define IS_MINE(n) (((n) % THREADS + THREADS) % THREADS == MYTHREAD)

/* The iterations of this thread, one by one, and the variable's value after the loop */
#define TEST(TYPE, START, CONDITION, STEP, AFFINITY, IS_MINE)                   \
    do {                                                                        \
        TYPE seen[16], i;                                                       \
        int count = 0, at = 0;                                                  \
        upc_forall (i = (START); CONDITION; STEP; AFFINITY) {                   \
            if (count < 16)                                                     \
                seen[count] = i;                                                \
            count++;                                                            \
        }                                                                       \
        TYPE end = i;                                                           \
        for (i = (START); CONDITION; STEP) {                                    \
            if (IS_MINE(AFFINITY)) {                                            \
                CHECK(at < count && seen[at] == i);                             \
                at++;                                                           \
            }                                                                   \
        }                                                                       \
        EQ(at, count);                                                          \
        EQ(i, end);                                                             \
    } while (0)

/* The numbers as constants, and as values unknown to the compiler */
#define TEST_BOTH(TYPE, START, COMPARE, LIMIT, STEP, AFFINITY, IS_MINE)                 \
    do {                                                                                \
        volatile TYPE start = (START), volatile_limit = (LIMIT);                        \
        const TYPE limit = volatile_limit;                                              \
        TEST(TYPE, START, i COMPARE (LIMIT), STEP, AFFINITY, IS_MINE);                  \
        TEST(TYPE, start, i COMPARE limit, STEP, AFFINITY, IS_MINE);                    \
    } while (0)

static uint64_t bound;
static int64_t least;

static void unsigned_up(void)
{
    const uint64_t middle = UINT64_C(1) << 63;
    TEST_BOTH(uint64_t, (UINT64_C(1) << 63) - 3, <, (UINT64_C(1) << 63) + 3, i++, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, (UINT64_C(1) << 63) - 3, !=, (UINT64_C(1) << 63) + 3, i++, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, (UINT64_C(1) << 63) - 7, <=, (UINT64_C(1) << 63) - 1, i += 2, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, UINT64_MAX - 4, <, UINT64_MAX, i++, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, UINT64_MAX - 4, !=, UINT64_MAX, i++, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, UINT64_MAX - 4, <, 9, i++, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, UINT64_MAX - 4, <, UINT64_MAX, i++, i / 3, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, (UINT64_C(1) << 62) - 3, <, (UINT64_C(1) << 62) + 3, i++, i * 5, IS_MINE_UNSIGNED);
    TEST(uint64_t, middle - 3, i < middle + 3, i++, i, IS_MINE_UNSIGNED);
    TEST(uint64_t, UINT64_MAX - 4, i < -1, i++, i, IS_MINE_UNSIGNED);
    const int minus = -1;
    TEST(uint64_t, UINT64_MAX - 4, i < minus, i++, i, IS_MINE_UNSIGNED);
    TEST(unsigned short, 65530, i < UINT64_C(65535), i++, i, IS_MINE_UNSIGNED);
}

static void unsigned_down(void)
{
    TEST_BOTH(uint64_t, (UINT64_C(1) << 63) + 3, >, (UINT64_C(1) << 63) - 3, i--, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, (UINT64_C(1) << 63) + 3, >, UINT64_C(1) << 63, i--, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, UINT64_MAX, >=, UINT64_MAX - 3, i--, i, IS_MINE_UNSIGNED);
    TEST_BOTH(uint64_t, 5, >, UINT64_C(1) << 63, i--, i, IS_MINE_UNSIGNED);
    TEST(unsigned, 5, i > UINT64_C(1) << 63, i--, (long)i, IS_MINE);
}

/* A signed variable goes from its greatest value to its least if the step converts it to another type. */
static void signed_wraps(void)
{
    TEST_BOTH(int, 3, <, UINT32_MAX, i += UINT64_C(1073741823), i, IS_MINE);
    TEST_BOTH(int, 3, <, UINT32_MAX, i = i + UINT64_C(1073741823), i, IS_MINE);
    TEST_BOTH(int, 1, <, UINT32_C(4000000000), i += 1000000000u, i, IS_MINE);
    TEST_BOTH(int, INT_MAX - 5, <, INT_MAX - 1, i += INT64_C(858993460), i / 3, IS_MINE);
    TEST_BOTH(int, INT_MIN + 5, >, INT_MIN + 2, i -= INT64_C(858993460), i, IS_MINE);
    volatile uint32_t any_step = 1073741823;
    const uint32_t step = any_step;
    TEST_BOTH(int, 3, <, UINT32_MAX, i += step, i, IS_MINE);
}

static uint32_t few;

static void increase(uint32_t i)
{
    if (i == 4294967290u)
        few += 4;
}

static void wraps_below_a_limit_that_changes(void)
{
    int count = 0;
    few = 4294967291u;
    upc_forall (uint32_t i = 4294967290u; i < few; i += 3; MYTHREAD) {
        increase(i);
        if (++count == 4)
            few = 0;
    }
    EQ(count, 4);
}

static void signed_down(void)
{
    TEST_BOTH(int64_t, INT64_MIN + 5, >, INT64_MIN, i--, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MIN + 5, !=, INT64_MIN, i--, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MIN + 7, >=, INT64_MIN + 2, i -= 2, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MIN, >, 3, i--, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MIN, >, INT64_MIN, i--, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MAX, >, INT64_MAX - 5, i--, i, IS_MINE);
}

static void signed_up(void)
{
    TEST_BOTH(int64_t, INT64_MAX - 5, <, INT64_MAX, i++, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MAX - 6, <, INT64_MAX - 1, i++, i + 1, IS_MINE);
    TEST_BOTH(int64_t, INT64_MAX - 6, <, INT64_MAX, i += 3, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MAX - 11, <, INT64_MAX, i++, i / 3, IS_MINE);
    TEST_BOTH(int64_t, INT64_MAX - 11, !=, INT64_MAX, i++, i / 8, IS_MINE);
    TEST_BOTH(int64_t, INT64_MAX - 15, <, INT64_MAX - 1, i += 2, i / 4, IS_MINE);
    TEST_BOTH(int64_t, (INT64_C(1) << 62) - 3, <, (INT64_C(1) << 62) + 3, i++, i, IS_MINE);
    TEST_BOTH(int64_t, (INT64_C(1) << 62) - 3, <, (INT64_C(1) << 62) + 3, i += 2, i, IS_MINE);
    TEST_BOTH(int64_t, (INT64_C(1) << 62) - 3, <, (INT64_C(1) << 62) + 3, i++, i / 3, IS_MINE);
    TEST_BOTH(int64_t, INT64_MIN, <, INT64_MIN + 6, i++, i, IS_MINE);
    TEST_BOTH(int64_t, INT64_MIN, <, INT64_MIN + 6, i++, i ^ 1, IS_MINE);
}

static void lower_bound(uint64_t i)
{
    if (i == 7)
        bound = 9;
}

static void raise_least(int64_t i)
{
    if (i == -7)
        least = -9;
}

/* A limit that means "unlimited" until the body sets the real one: all threads execute the iteration that does so. */
static void limits_that_change(void)
{
    int count = 0;
    bound = UINT64_MAX;
    upc_forall (uint64_t i = 0; i < bound; i++; MYTHREAD) {
        lower_bound(i);
        count++;
    }
    EQ(count, 9);
    count = 0;
    bound = UINT64_MAX;
    upc_forall (int i = 0; i < bound; i++; MYTHREAD) {
        lower_bound((uint64_t)i);
        count++;
    }
    EQ(count, 9);
    count = 0;
    least = INT64_MIN;
    upc_forall (int64_t i = 0; i > least; i--; MYTHREAD) {
        raise_least(i);
        count++;
    }
    EQ(count, 9);
    count = 0;
    bound = UINT64_MAX;
    upc_forall (uint64_t i = UINT64_MAX - 3; i < bound; i++; MYTHREAD) {
        lower_bound(i);
        count++;
    }
    EQ(count, 3);
}

int main(void)
{
    unsigned_up();
    unsigned_down();
    signed_up();
    signed_down();
    signed_wraps();
    wraps_below_a_limit_that_changes();
    limits_that_change();
    return finish();
}
