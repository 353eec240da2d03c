#include "../job.h"

#include "profile/span.h"
#include "upc/profile/gather.h"
#include "upc/profile/profile.h"

#include <gtest/gtest.h>

namespace {

void put(int to)
{
    BN_SPAN_FROM(reinterpret_cast<const void*>(&put), BN_PROFILE_PUT, 10, BN_NOBODY, to);
}

}  // namespace

// Thread t puts t + 1 times; thread 0 adds them up when all have ended.
TEST(ProfileGather, AddsUpTheBooksOfAllThreads)
{
    SKIP_IF_NO_WINDOW();
    bn_profile_is_on = true;
    for (int threads : {1, 3}) {
        run_job(threads, [threads] {
            int me = static_cast<int>(upc_threadof(bn_at(reinterpret_cast<const void*>(bn_self.my_segment))));
            bn_profile_begin();
            for (int i = 0; i <= me; i++)
                put((me + 1) % threads);
            bn_profile_end();
            bn_runtime_barrier();
            if (me != 0)
                return;
            bn_profile profile = {};
            ASSERT_TRUE(bn_profile_gather(&profile));
            uint64_t calls = static_cast<uint64_t>(threads * (threads + 1) / 2);
            EXPECT_EQ(profile.thread_count, threads);
            EXPECT_EQ(profile.node_count, 1);
            EXPECT_EQ(profile.operations[BN_PROFILE_PUT].all.calls, calls);
            EXPECT_EQ(profile.operations[BN_PROFILE_PUT].all.bytes, 10 * calls);
            for (int thread = 0; thread < threads; thread++) {
                EXPECT_EQ(profile.shares[BN_PROFILE_PUT * threads + thread].calls, static_cast<uint64_t>(thread + 1));
                EXPECT_EQ(profile.flows[thread * threads + (thread + 1) % threads].given_bytes,
                          static_cast<uint64_t>(10 * (thread + 1)));
                EXPECT_GT(profile.seconds[thread], 0);
            }
            ASSERT_EQ(profile.place_count, 1U);
            EXPECT_EQ(profile.places[0].pc, reinterpret_cast<uint64_t>(&put));
            EXPECT_EQ(profile.places[0].sum.calls, calls);
            bn_profile_destroy(&profile);
        });
    }
    bn_profile_is_on = false;
}
