// A heap of fixed size runs out with null pointers, and everything works again after free (facts 2.2)
// run-options: -shared-heap 8MB
// sanitize: no
// fcheck: no
// threads: 1 2 4
#include <upc.h>

#include "check.h"

enum { PIECES = 4000, BYTES = 64 * 1024 };
static shared [] char *piece[PIECES];

static int take_all(void)
{
    int count = 0;
    while (count < PIECES && (piece[count] = upc_alloc(BYTES)) != NULL) {
        memset((char *)piece[count], count, BYTES);
        count++;
    }
    return count;
}

int main(void)
{
    int first = take_all();
    CHECK(first > 10);
    CHECK(first < PIECES);
    for (int i = 0; i < first; i++) {
        EQ(piece[i][BYTES - 1], (char)i);
        upc_free(piece[i]);
    }
    int second = take_all();
    CHECK(second > first * 9 / 10);
    for (int i = 0; i < second; i++)
        upc_free(piece[i]);
    upc_barrier;
    int count = 0;
    static shared char *global[PIECES];
    while (count < PIECES && (global[count] = upc_global_alloc(THREADS, BYTES)) != NULL)
        count++;
    CHECK(count < PIECES);
    upc_barrier;
    while (count > 0)
        upc_free(global[--count]);
    upc_barrier;
    shared char *p = upc_all_alloc(THREADS, BYTES);
    CHECK(p != NULL);
    upc_all_free(p);
    return finish();
}
