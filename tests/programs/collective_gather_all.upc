// Clause: upc_all_gather_all, all flags, sizes from 1 byte to more than a fragment (facts 2.5)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

static void test(size_t n, upc_flag_t flags, int round)
{
    shared unsigned char *src = upc_all_alloc(THREADS, n);
    shared unsigned char *dst = upc_all_alloc(THREADS, n * THREADS);
    unsigned char *mine = (unsigned char *)&src[MYTHREAD];
    unsigned char *here = (unsigned char *)&dst[MYTHREAD];

    for (size_t i = 0; i < n; i++)
        mine[i] = byte_of(MYTHREAD, i, round);
    upc_barrier;
    upc_all_gather_all(dst, src, n, flags);
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (size_t i = 0; i < n; i++)
            if (here[(size_t)t * n + i] != byte_of(t, i, round)) {
                EQ(here[(size_t)t * n + i], byte_of(t, i, round));
                break;
            }
    upc_barrier;
    upc_all_free(src);
    upc_all_free(dst);
}

int main(void)
{
    static const size_t sizes[] = {1, 3, 8, 64, 1000, 8192, 100003};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int f = 0; f < FLAGS; f++)
            test(sizes[k], all_flags[f], (int)k * FLAGS + f);
    return finish();
}
