#include <upc.h>

int last(shared [] int *p);

int main(void)
{
    shared [] int *p = upc_alloc(4 * sizeof(int));
    p[4] = 1;
    return last(p);
}
