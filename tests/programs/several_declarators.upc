// One declaration, several declarators: the qualifiers go where C puts them (gotchas 8, 9)
#include <upc.h>

#include "check.h"

int shared [100] *p0, *p1;
shared [3] double *shared [10] a;
shared [2] int x[4 * THREADS], *px, **ppx, *apx[3], y;
int *shared [4] private_referent[4 * THREADS];
shared [5] int *(*function)(shared [5] int *, int);

static shared [5] int *add(shared [5] int *p, int i)
{
    return p + i;
}

shared [5] int z[10 * THREADS];

int main(void)
{
    EQ(upc_blocksizeof(*p0), 100);
    EQ(upc_blocksizeof(*p1), 100);
    EQ(upc_blocksizeof(a), 10);
    EQ(upc_blocksizeof(*a), 3);
    EQ(upc_blocksizeof(x), 2);
    EQ(upc_blocksizeof(*px), 2);
    EQ(upc_blocksizeof(**ppx), 2);
    EQ(upc_blocksizeof(*apx[1]), 2);
    EQ(upc_blocksizeof(y), 2);
    EQ(upc_blocksizeof(private_referent), 4);
    EQ(sizeof private_referent[0], sizeof(int *));
    px = x + 3;
    ppx = &px;
    apx[2] = *ppx + 1;
    EQ(apx[2] - x, 4);
    function = add;
    EQ(upc_phaseof(function(z, 7)), 2);
    EQ((*function)(z + 1, 7) - z, 8);
    EQ(upc_blocksizeof(*function(z, 7)), 5);
    int mine = 3;
    private_referent[4 * MYTHREAD] = &mine;
    EQ(*private_referent[4 * MYTHREAD], 3);
    return finish();
}
