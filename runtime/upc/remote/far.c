/* far.c: <banyan/far.h> over several nodes, and BANYAN_FAR_STATS. */
#include "upc/remote/far.h"

#include "base/log.h"
#include "base/options.h"
#include "pgas/remote/remote.h"
#include "upc/upc_c.h"

struct bn_far_counts bn_far_counts(void)
{
    return bn_remote.counts;
}

void bn_far_report(void)
{
    const struct bn_far_counts *counts = &bn_remote.counts;
    if (bn_option_number(BN_OPTION_FAR_STATS))
        bn_log_answer(
            "%llu bytes from other nodes in %llu messages, waited for %llu times, %llu bytes to them in %llu messages",
            counts->get_bytes, counts->gets, counts->waits, counts->put_bytes, counts->puts);
}
