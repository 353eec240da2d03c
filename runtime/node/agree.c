#include "node/agree.h"

#include "sync/flag.h"

#include <string.h>

_Static_assert((int)BN_AGREE_LAG <= (int)BN_FLAG_LINE_BYTES, "two epochs lie in the line of the number");

enum { LEFT_CHECK_NS = 500000000 };

static void await(const struct bn_team *team, struct bn_flag *flag, int rank, uint64_t number)
{
    while (!bn_flag_await_for(flag, number, &team->policy, LEFT_CHECK_NS)) {
        if (bn_team_has_ended(team, rank) && !bn_flag_has_reached(flag, number) && team->host.abandoned)
            team->host.abandoned(team->host.context, rank);
    }
}

static size_t place_of(uint64_t epoch)
{
    return epoch % (BN_AGREE_LAG / BN_AGREE_EPOCH) * BN_AGREE_EPOCH;
}

static void hear(struct bn_agree_kind *own, struct bn_flag *flag, const struct bn_team *team, int rank, uint64_t epoch)
{
    unsigned char said[BN_AGREE_EPOCH];
    await(team, flag, rank, epoch + 1);
    bn_flag_get(flag, place_of(epoch), said, sizeof said);
    for (int call = 0; call < BN_AGREE_EPOCH; call++)
        own->largest[call] = said[call] > own->largest[call] ? said[call] : own->largest[call];
}

static void begin_epoch(struct bn_agree *agree, const struct bn_team *team, int kind, uint64_t epoch, unsigned unknown)
{
    enum { LAG = BN_AGREE_LAG / BN_AGREE_EPOCH };
    struct bn_agree_kind *own = &agree->kinds[kind];
    memset(own->largest, epoch < LAG ? (int)unknown : 0, sizeof own->largest);
    for (int rank = 0; rank < team->size && epoch >= LAG; rank++)
        hear(own, &agree->said[rank].flags[kind], team, rank, epoch - LAG);
    if (epoch > 0)
        bn_flag_send(&agree->said[team->rank].flags[kind], place_of(epoch - 1), own->own, sizeof own->own, epoch);
}

unsigned bn_agree_on_largest(struct bn_agree *agree, const struct bn_team *team, int kind, unsigned known,
                             unsigned unknown)
{
    struct bn_agree_kind *own = &agree->kinds[kind];
    uint64_t call = own->calls++;
    unsigned place = (unsigned)(call % BN_AGREE_EPOCH);
    if (place == 0)
        begin_epoch(agree, team, kind, call / BN_AGREE_EPOCH, unknown);
    own->own[place] = (unsigned char)known;
    return own->largest[place];
}
