// -fms-extensions makes a struct with a tag and without a declarator a member
// flags: -fms-extensions -w
#include <upc.h>

#include "check.h"

shared int x[2 * THREADS];
typedef struct {
    int z;
} named;
struct list {
    struct item {
        int key;
        shared int *where;
    };
    named;
    shared int *home;
} l = {3, x, 4, x + 1};
shared [sizeof(struct item)] int blocks[THREADS];

int main(void)
{
    CHECK(l.key == 3 && l.where == x && l.z == 4 && l.home == x + 1);
    EQ(upc_blocksizeof(blocks), sizeof(struct item));
    return finish();
}
