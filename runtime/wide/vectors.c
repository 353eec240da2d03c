#include "wide/vectors.h"

#include "wide/helpers.h"

bn_status_t bn_wide_combine_near(struct bn_wide *wide, const struct bn_call *call, struct bn_elements span,
                                 int near_root, void *dst)
{
    struct bn_vector vector = *call->vector;
    vector.count = span.count;
    return bn_wide_near(wide, BN_COMBINE,
                        (struct bn_call){.src = (uint64_t)bn_elements_at(call, call->src, span),
                                         .dst = (uint64_t)dst,
                                         .nbytes = bn_elements_bytes(call, span),
                                         .root = near_root,
                                         .vector = &vector});
}

bn_status_t bn_wide_broadcast_near(struct bn_wide *wide, int near_root, void *data, size_t nbytes)
{
    return bn_wide_near(
        wide, BN_BROADCAST,
        (struct bn_call){.src = (uint64_t)data, .dst = (uint64_t)data, .nbytes = nbytes, .root = near_root});
}
