// -fcheck: memory that other threads write and free comes back into use, all of it, and nothing is reported
// flags: -fcheck
// threads: 1 2 3 4 8
// env: BANYAN_SHARED_HEAP=512K
// races: no, all threads write the same value
#include <upc.h>
#include "check.h"

enum { ROUNDS = 30, BLOCKS = 4, BYTES = 7000, LARGE = 400000 };

shared [] char *shared blocks[THREADS][BLOCKS];

int main(void)
{
    int other = (MYTHREAD + 1) % THREADS;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < BLOCKS; i++) {
            blocks[MYTHREAD][i] = upc_alloc(BYTES);
            blocks[MYTHREAD][i][BYTES - 1] = (char)round;
        }
        upc_barrier;
        for (int i = 0; i < BLOCKS; i++) {
            shared [] char *block = blocks[other][i];
            EQ(block[BYTES - 1], round);
            block[0] = 1;
            upc_free(block);
        }
        upc_barrier;
    }
    shared [] char *large = upc_alloc(LARGE); /* there is room only if no block is kept from reuse any more */
    CHECK(large != NULL);
    large[LARGE - 1] = 1;
    upc_barrier;
    shared [BYTES] char *spread = upc_all_alloc(2 * THREADS, BYTES);
    for (int i = 0; i < 2; i++)
        spread[(2 * THREADS - 1) * BYTES - i * THREADS * BYTES] = 1;
    upc_all_free(spread);
    upc_free(large);
    return finish();
}
