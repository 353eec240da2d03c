// Clause: upc_all_permute, all flags, sizes from 1 byte to more than a fragment (facts 2.5)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

shared int perm[THREADS];

static void test(size_t n, upc_flag_t flags, int round)
{
    shared unsigned char *src = upc_all_alloc(THREADS, n);
    shared unsigned char *dst = upc_all_alloc(THREADS, n);
    unsigned char *mine = (unsigned char *)&src[MYTHREAD];
    unsigned char *here = (unsigned char *)&dst[MYTHREAD];
    int shift = round % THREADS;

    perm[MYTHREAD] = (THREADS - 1 - MYTHREAD + shift) % THREADS;
    for (size_t i = 0; i < n; i++)
        mine[i] = byte_of(MYTHREAD, i, round);
    upc_barrier;
    upc_all_permute(dst, src, perm, n, flags);
    upc_barrier;
    int from = (2 * THREADS - 1 - MYTHREAD + shift) % THREADS;
    EQ(perm[from], MYTHREAD);
    for (size_t i = 0; i < n; i++)
        if (here[i] != byte_of(from, i, round)) {
            EQ(here[i], byte_of(from, i, round));
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
