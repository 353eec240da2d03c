// Clause: upc_affinitysize (facts 2.2)
#include <upc.h>

#include "check.h"

shared [3] double a[7 * THREADS];
shared [] int b[10];

int main(void)
{
    for (size_t block = 1; block <= 9; block++)
        for (size_t total = 0; total <= 100; total++) {
            size_t sum = 0;
            for (size_t t = 0; t < (size_t)THREADS; t++) {
                size_t expected = 0;
                for (size_t byte = 0; byte < total; byte++)
                    expected += byte / block % (size_t)THREADS == t;
                EQ(upc_affinitysize(total, block, t), expected);
                sum += upc_affinitysize(total, block, t);
            }
            EQ(sum, total);
        }
    for (size_t t = 0; t < (size_t)THREADS; t++) {
        size_t expected = 0;
        for (int i = 0; i < 7 * THREADS; i++)
            expected += upc_threadof(&a[i]) == t ? sizeof(double) : 0;
        EQ(upc_affinitysize(sizeof a, upc_blocksizeof(a) * upc_elemsizeof(a), t), expected);
        EQ(upc_affinitysize(sizeof b, 0, t), t == 0 ? sizeof b : 0);
    }
    return finish();
}
