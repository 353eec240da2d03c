#include "node/agree.h"

#include "sync/flag.h"

_Static_assert((int)BN_AGREE_KEPT <= (int)BN_FLAG_LINE_BYTES, "lie in the line of the number");

enum { LEFT_CHECK_NS = 500000000 };

static void await(const struct bn_team *team, struct bn_flag *flag, int rank, uint64_t number)
{
    while (!bn_flag_await_for(flag, number, &team->policy, LEFT_CHECK_NS)) {
        if (bn_team_has_ended(team, rank) && !bn_flag_has_reached(flag, number) && team->host.abandoned)
            team->host.abandoned(team->host.context, rank);
    }
}

unsigned bn_agree_on_largest(struct bn_agree *agree, const struct bn_team *team, int kind, unsigned known,
                             unsigned unknown)
{
    uint64_t call = agree->calls[kind]++;
    unsigned char own = (unsigned char)known;
    unsigned largest = call < BN_AGREE_LAG ? unknown : 0;
    for (int rank = 0; rank < team->size && call >= BN_AGREE_LAG; rank++) {
        struct bn_flag *flag = &agree->said[rank].flags[kind];
        uint64_t earlier = call - BN_AGREE_LAG;
        unsigned char said;
        await(team, flag, rank, earlier + 1);
        bn_flag_get(flag, earlier % BN_AGREE_KEPT, &said, sizeof said);
        largest = said > largest ? said : largest;
    }
    bn_flag_send(&agree->said[team->rank].flags[kind], call % BN_AGREE_KEPT, &own, sizeof own, call + 1);
    return largest;
}
