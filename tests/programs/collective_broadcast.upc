// Clause: upc_all_broadcast, all flags, sizes from 1 byte to more than a fragment (facts 2.5)
// needs: __UPC_COLLECTIVE__
#include "coll_data.h"

static void test(size_t n, upc_flag_t flags, int round)
{
    int root = round % THREADS;
    shared [] unsigned char *shared [] *box = upc_all_alloc(1, sizeof(shared void *));
    shared unsigned char *dst = upc_all_alloc(THREADS, n);
    unsigned char *mine = (unsigned char *)&dst[MYTHREAD];

    if (MYTHREAD == root) {
        shared [] unsigned char *src = upc_alloc(n);
        for (size_t i = 0; i < n; i++)
            src[i] = byte_of(root, i, round);
        *box = src;
    }
    upc_barrier;
    upc_all_broadcast(dst, *box, n, flags);
    upc_barrier;
    for (size_t i = 0; i < n; i++)
        if (mine[i] != byte_of(root, i, round)) {
            EQ(mine[i], byte_of(root, i, round));
            break;
        }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(*box);
    upc_all_free(dst);
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
