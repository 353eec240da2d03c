int last(shared [] int *p);
#include <upc.h>

int last(shared [] int *p)
{
    return p[4];
}
