/* machine_without_hwloc.c: replaces machine_hwloc.c in a build without hwloc's header. */
#include "topology/parts.h"

bn_status_t bn_machine_read_hwloc(const char *description, const struct bn_pu_set *usable, bool wants_network,
                                  struct bn_machine **machine_p)
{
    (void)description;
    (void)usable;
    (void)wants_network;
    (void)machine_p;
    return BN_UNSUPPORTED;
}
