// Clause: upc_localsizeof, upc_blocksizeof and upc_elemsizeof are integer constant expressions (facts 1.10)
#include <upc.h>

#include "check.h"

shared [5] int a[12 * THREADS];
shared [*] int b[12 * THREADS];

char local[upc_localsizeof(a)];
char block[upc_blocksizeof(a)];
enum { ELEM = upc_elemsizeof(a), STAR = upc_blocksizeof(b) };
_Static_assert(upc_localsizeof(a) == 15 * sizeof(int), "constant");
_Static_assert(upc_blocksizeof(b) == 12, "constant");
static const size_t initialised = upc_blocksizeof(a) * 2;
shared [upc_blocksizeof(a)] char same_block[THREADS];
struct bits {
    unsigned field : upc_blocksizeof(a);
};

int main(void)
{
    EQ(sizeof local, 15 * sizeof(int));
    EQ(sizeof block, 5);
    EQ(ELEM, sizeof(int));
    EQ(STAR, 12);
    EQ(initialised, 10);
    EQ(upc_blocksizeof(same_block), 5);
    struct bits bits = {MYTHREAD * 32 + 1u};
    EQ(bits.field, 1);
    switch (MYTHREAD >= 0 ? 5 : 0) {
    case upc_blocksizeof(a):
        break;
    case upc_localsizeof(a):
    default:
        CHECK(0);
    }
    return finish();
}
