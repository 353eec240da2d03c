#include "host/sizes.h"

#include "sync/flag.h"

_Static_assert((int)BN_SIZES_KEPT <= (int)BN_FLAG_LINE_BYTES, "lie in the line of the number");

unsigned bn_sizes_agree(struct bn_sizes *sizes, const struct bn_team *team, enum bn_mpi_operation operation,
                        unsigned known_class, unsigned unknown)
{
    uint64_t call = sizes->calls[operation]++;
    unsigned char own = (unsigned char)known_class;
    unsigned largest = call < BN_SIZES_LAG ? unknown : 0;
    for (int rank = 0; rank < team->size && call >= BN_SIZES_LAG; rank++) {
        struct bn_flag *flag = &sizes->said[rank].flags[operation];
        uint64_t earlier = call - BN_SIZES_LAG;
        unsigned char said;
        bn_flag_await(flag, earlier + 1, &team->policy);
        bn_flag_get(flag, earlier % BN_SIZES_KEPT, &said, sizeof said);
        largest = said > largest ? said : largest;
    }
    bn_flag_send(&sizes->said[team->rank].flags[operation], call % BN_SIZES_KEPT, &own, sizeof own, call + 1);
    return largest;
}
