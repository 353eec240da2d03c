// Facts 2.9, 1.14: a strict atomic operation orders the accesses around it: of two threads that each write and then
// read what the other wrote, one sees the other's value.
#include <upc_relaxed.h>

#include "atomics.h"
#include "check.h"

enum { ROUNDS = FAR_TIMES(3000, 300), KINDS = 3 };

static shared [] int flags[ROUNDS][2];
static shared [] int seen[ROUNDS][2];

static void round_of(upc_atomicdomain_t *domain, int i, int me)
{
    int one = 1, got;
    switch (i % KINDS) {
    case 0:
        upc_atomic_strict(domain, NULL, UPC_SET, &flags[i][me], &one, NULL);
        break;
    case 1:
        upc_atomic_strict(domain, NULL, UPC_ADD, &flags[i][me], &one, NULL);
        break;
    case 2:
        upc_atomic_strict(domain, NULL, UPC_MAX, &flags[i][me], &one, NULL);
        break;
    }
    upc_atomic_strict(domain, &got, UPC_GET, &flags[i][1 - me], NULL, NULL);
    seen[i][me] = got;
}

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_SET | UPC_GET | UPC_ADD | UPC_MAX, 0);
    upc_barrier;
    for (int i = 0; i < ROUNDS; i++) {
        if (MYTHREAD < 2)
            round_of(domain, i, MYTHREAD);
        if (i % 64 == 0)
            upc_barrier;
    }
    upc_barrier;
    for (int i = 0; MYTHREAD == 0 && THREADS > 1 && i < ROUNDS; i++)
        CHECK(seen[i][0] || seen[i][1]);
    upc_all_atomicdomain_free(domain);
    return finish();
}
