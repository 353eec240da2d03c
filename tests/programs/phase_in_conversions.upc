// Clause: what conversions between pointers-to-shared do to the phase (facts 1.9, gotchas 3, 4)
#include <upc.h>

#include "check.h"

shared [6] int a[12 * THREADS];
shared [6] int rows[6 * THREADS][4];
struct incomplete;

int main(void)
{
    for (int i = 0; i < 12 * THREADS; i++) {
        shared [6] int *p = &a[i];
        size_t phase = (size_t)i % 6, thread = (size_t)i / 6 % THREADS;
        shared void *generic = p;

        EQ(upc_phaseof(generic), phase);
        EQ(upc_phaseof((shared void *)p), phase);
        EQ(upc_phaseof((shared const void *)p), phase);
        EQ(upc_phaseof((shared [6] int *)generic), phase);
        EQ(upc_phaseof((shared [6] double *)generic), phase);
        EQ(upc_phaseof((shared int *)generic), 0);
        EQ(upc_phaseof((shared [] int *)generic), 0);
        /* same block size and same size of element */
        EQ(upc_phaseof((shared [6] unsigned *)p), phase);
        EQ(upc_phaseof((shared [6] float *)p), phase);
        EQ(upc_phaseof((const shared [6] int *)p), phase);
        EQ(upc_phaseof((strict shared [6] int *)p), phase);
        /* another block size, another size of element, an incomplete type */
        EQ(upc_phaseof((shared [7] int *)p), 0);
        EQ(upc_phaseof((shared [] int *)p), 0);
        EQ(upc_phaseof((shared int *)p), 0);
        EQ(upc_phaseof((shared [6] char *)p), 0);
        EQ(upc_phaseof((shared [6] double *)p), 0);
        EQ(upc_phaseof((shared [6] struct incomplete *)p), 0);
        EQ(upc_phaseof((shared [6] int *)(shared [] int *)p), 0);
        /* thread and address stay */
        EQ(upc_threadof((shared [6] char *)p), thread);
        EQ(upc_addrfield((shared [7] int *)p), upc_addrfield(p));
        CHECK((shared void *)(shared [] int *)p == generic);
        CHECK((shared [6] int *)generic + 1 == p + 1);
    }
    for (int i = 0; i < 6 * THREADS; i++) {
        shared [6] int(*row)[4] = &rows[i];
        EQ(upc_phaseof(row), i * 4 % 6);
        EQ(upc_phaseof((shared [6] int *)row), i * 4 % 6);
        EQ(upc_phaseof((shared [6] int(*)[4])(shared [6] int *)row), i * 4 % 6);
        EQ(upc_phaseof((shared [6] int(*)[2])row), i * 4 % 6);
        EQ(upc_phaseof((shared [6] unsigned(*)[3])row), i * 4 % 6);
        EQ(upc_phaseof((shared [5] int(*)[4])row), 0);
        EQ(upc_phaseof((shared [6] short(*)[4])row), 0);
        CHECK((shared [6] int *)row + 4 == (shared [6] int *)(row + 1));
    }
    return finish();
}
