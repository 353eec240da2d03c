// Words of UPC 1.0 and words that only look like keywords are identifiers (facts 1.2, 1.6)
#include "check.h"

static int barrier(int barrier_notify)
{
    return barrier_notify + 1;
}

struct local {
    int forall, barrier_wait, fence, upc, localsizeof;
};

static int mythread, threads, Shared, Strict, upc_foo, upc_forall_, _upc_barrier;

int main(void)
{
    struct local local = {.forall = 1, .barrier_wait = 2, .fence = 3, .upc = 4, .localsizeof = 5};
    int forall = 7;

    EQ(barrier(forall), 8);
    EQ(local.forall + local.barrier_wait + local.fence + local.upc + local.localsizeof, 15);
    EQ(mythread + threads + Shared + Strict + upc_foo + upc_forall_ + _upc_barrier, 0);
    return finish();
}
