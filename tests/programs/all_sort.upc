// Facts 3.1: upc_all_sort: arrays of several layouts, sizes and element types; equal elements keep their order.
#include <upc_relaxed.h>

#include <upc_collective.h>

#include "check.h"

enum { LARGEST = 3000 };

struct record {
    int key;
    int place;
    char more[5];
};

static shared [1] struct record cyclic[LARGEST * THREADS];
static shared [7] struct record blocked[7 * LARGEST * THREADS];
static shared [] struct record whole[LARGEST];
static shared [4] double numbers[4 * LARGEST * THREADS];

static int by_key(shared void *a, shared void *b)
{
    shared [] struct record *p = (shared [] struct record *)a, *q = (shared [] struct record *)b;
    return (p->key > q->key) - (p->key < q->key);
}

static int downwards(shared void *a, shared void *b)
{
    double p = *(shared [] double *)a, q = *(shared [] double *)b;
    return (p < q) - (p > q);
}

static int key_of(int i)
{
    return (int)((unsigned)i * 2654435761u >> 20) % 97 - 40;
}

#define TEST_RECORDS(ARRAY, BLOCK, COUNT)                                                     \
    {                                                                                         \
        int seen[97] = {0};                                                                   \
        for (int i = MYTHREAD; i < (COUNT) + 1; i += THREADS) {                               \
            struct record r = {i == (COUNT) ? -1000 : key_of(i), i, "more"};                  \
            ARRAY[i] = r;                                                                     \
        }                                                                                     \
        upc_all_sort(ARRAY, sizeof(struct record), COUNT, BLOCK, by_key, 0);                  \
        for (int i = 0; i < (COUNT); i++) {                                                   \
            struct record r = ARRAY[i];                                                       \
            CHECK(r.key == key_of(r.place) && strcmp(r.more, "more") == 0);                   \
            if (i > 0)                                                                        \
                CHECK(ARRAY[i - 1].key < r.key ||                                             \
                      (ARRAY[i - 1].key == r.key && ARRAY[i - 1].place < r.place));           \
            seen[r.key + 40]++;                                                               \
        }                                                                                     \
        for (int i = 0; i < (COUNT); i++)                                                     \
            seen[key_of(i) + 40]--;                                                           \
        for (int i = 0; i < 97; i++)                                                          \
            EQ(seen[i], 0);                                                                   \
        EQ(ARRAY[COUNT].key, -1000); /* what lies behind stays */                             \
        upc_barrier;                                                                          \
    }

int main(void)
{
    const int counts[] = {0, 1, 2, 3, 8, 50, 333};
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        TEST_RECORDS(cyclic, 1, counts[n])
        TEST_RECORDS(blocked, 7, counts[n])
        TEST_RECORDS(whole, 0, counts[n])
    }
    TEST_RECORDS(blocked, 7, 2500)

    for (int i = MYTHREAD; i < 2000; i += THREADS)
        numbers[i] = i * 7919 % 2000 / 2.0;
    upc_all_sort(numbers, sizeof(double), 2000, 4, downwards, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int i = 0; i < 2000; i++)
        CHECK(numbers[i] == (1999 - i) / 2.0);
    return finish();
}
