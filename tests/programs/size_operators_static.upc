// Clause: upc_localsizeof where THREADS does not divide the array (facts 1.10)
// static: only
// threads: 3
#include <upc.h>

#include "check.h"

int main(void)
{
    EQ(upc_localsizeof(shared char[10]), 4);
    EQ(upc_localsizeof(shared [3] char[10]), 6);
    EQ(upc_localsizeof(shared [3] char[5][THREADS]), 6);
    EQ(upc_localsizeof(shared [2] int[9]), 4 * sizeof(int));
    EQ(upc_localsizeof(shared [4] int[31]), 12 * sizeof(int));
    EQ(upc_localsizeof(shared [4] char[7 * THREADS]), 8);
    EQ(upc_localsizeof(shared [] char[10]), 10);
    EQ(upc_localsizeof(shared [*] char[10]), 4);
    EQ(upc_localsizeof(shared [100] short[1]), 200);
    return finish();
}
