// Clause: what cannot be allocated is a null pointer, and the program goes on (facts 2.2)
// flags: -w
// sanitize: no
#include <upc.h>

#include "check.h"

int main(void)
{
    size_t huge = (size_t)1 << 62;

    CHECK(upc_alloc(huge) == NULL);
    CHECK(upc_alloc((size_t)-1) == NULL);
    CHECK(upc_global_alloc(huge, 8) == NULL);
    CHECK(upc_global_alloc((size_t)1 << 40, (size_t)1 << 40) == NULL);
    CHECK(upc_global_alloc((size_t)-1, 2) == NULL);
    CHECK(upc_all_alloc(huge, 16) == NULL);
    CHECK(upc_all_alloc(THREADS, huge) == NULL);
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    CHECK(p != NULL);
    p[MYTHREAD] = 5;
    upc_barrier;
    EQ(p[THREADS - 1], 5);
    upc_all_free(p);
    return finish();
}
