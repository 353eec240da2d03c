#include "upc/hierarchy.h"

#include "platform/cpus.h"
#include "topology/distance.h"
#include "upc/context.h"
#include "upc/job.h"

namespace {

TEST(HierarchyOfAJob, IsOneForAllThreads)
{
    SKIP_IF_NO_WINDOW();
    for (int threads : {1, 2, 7}) {
        run_job(threads, [threads] {
            const bn_hierarchy* hierarchy = bn_upc_hierarchy();
            EXPECT_EQ(bn_upc_hierarchy(), hierarchy);
            ASSERT_EQ(bn_hierarchy_member_count(hierarchy), threads);
            EXPECT_EQ(bn_hierarchy_group_count(hierarchy, BN_LEVEL_NODE), 1);
            for (int thread = 0; thread < threads; thread++)
                EXPECT_LE(bn_distance(hierarchy, bn_context.thread, thread), BN_LEVEL_NODE);
        });
    }
}

TEST(HierarchyOfAJob, FollowsWhereThreadsMayRun)
{
    SKIP_IF_NO_WINDOW();
    bn_pu_set all;
    bn_cpus_affinity(&all);
    if (bn_pu_set_count(&all) < 2)
        GTEST_SKIP() << "there is one processing unit";
    run_job(3, [&all] {
        bn_pu_set one = {};
        bn_pu_set_add(&one, bn_pu_set_next(&all, 0));
        if (bn_context.thread < 2) {
            EXPECT_EQ(bn_cpus_bind(&one), BN_OK);
        }
        bn_upc_places_tell(bn_context.places, bn_context.thread);
        bn_runtime_barrier();
        const bn_hierarchy* hierarchy = bn_upc_hierarchy();
        EXPECT_EQ(bn_distance(hierarchy, 0, 1), BN_LEVEL_CORE);
    });
}

}  // namespace
