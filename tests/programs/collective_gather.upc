// Clause: upc_all_gather, all flags, sizes from 1 byte to more than a fragment (facts 2.5)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

static void test(size_t n, upc_flag_t flags, int round)
{
    int root = round % THREADS;
    shared [] unsigned char *shared [] *box = upc_all_alloc(1, sizeof(shared void *));
    shared unsigned char *src = upc_all_alloc(THREADS, n);
    unsigned char *mine = (unsigned char *)&src[MYTHREAD];

    for (size_t i = 0; i < n; i++)
        mine[i] = byte_of(MYTHREAD, i, round);
    if (MYTHREAD == root)
        *box = upc_alloc(n * THREADS);
    upc_barrier;
    upc_all_gather(*box, src, n, flags);
    upc_barrier;
    if (MYTHREAD == root) {
        unsigned char *here = (unsigned char *)*box;
        for (int t = 0; t < THREADS; t++)
            for (size_t i = 0; i < n; i++)
                if (here[(size_t)t * n + i] != byte_of(t, i, round)) {
                    EQ(here[(size_t)t * n + i], byte_of(t, i, round));
                    break;
                }
        upc_free(*box);
    }
    upc_all_free(src);
    upc_all_free(box);
}

int main(void)
{
    static const size_t sizes[] = {1, 3, 8, 64, 1000, 8192, 100003};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int f = 0; f < FLAGS; f++)
            test(sizes[k], all_flags[f], (int)k * FLAGS + f);
    return finish();
}
