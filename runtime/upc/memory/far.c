/* far.c: <banyan/far.h> on one machine. */
#include "banyan/far.h"

#include "upc/upc_c.h"

struct bn_far_counts bn_far_counts(void)
{
    return (struct bn_far_counts){0, 0, 0, 0, 0};
}
