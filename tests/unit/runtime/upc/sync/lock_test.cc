#include "upc/job.h"

namespace {

TEST(UpcLock, ProtectsBetweenProcesses)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {1, 2, 3, 8}) {
        run_job(count, [] {
            constexpr int kTurns = 2000;
            bn_pts_t lock = upc_all_lock_alloc();
            bn_pts_t counter = upc_all_alloc(1, sizeof(long));
            *part<long>(counter, 0) = 0;
            bn_barrier();
            for (int i = 0; i < kTurns; i++) {
                if (i % 3 == 0) {
                    while (!upc_lock_attempt(lock))
                        upc_poll();
                } else {
                    upc_lock(lock);
                }
                ++*part<long>(counter, 0);
                upc_unlock(lock);
            }
            bn_barrier();
            EXPECT_EQ(*part<long>(counter, 0), static_cast<long>(threads()) * kTurns);
            upc_all_lock_free(lock);
        });
    }
}

TEST(UpcLock, EachGlobalLockIsAnother)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        bn_pts_t first = upc_global_lock_alloc();
        bn_pts_t second = upc_global_lock_alloc();
        EXPECT_NE(first.addr, second.addr);
        upc_lock(first);
        EXPECT_EQ(upc_lock_attempt(second), 1);
        upc_unlock(first);
        upc_unlock(second);
        upc_lock_free(first);
        upc_lock(second);
        upc_lock_free(second);
        upc_lock_free(bn_null());
        upc_all_lock_free(bn_null());
    });
}

TEST(UpcLock, AllocatorsAndFreesMix)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        bn_pts_t box = upc_all_alloc(3, sizeof(bn_pts_t));
        for (int round = 0; round < 500; round++) {
            bn_pts_t common = upc_all_lock_alloc();
            *part<bn_pts_t>(box, me()) = upc_global_lock_alloc();
            bn_barrier();
            upc_lock_free(*part<bn_pts_t>(box, (me() + 1) % 3));
            if (me() == round % 3)
                upc_lock_free(common);
            bn_barrier();
        }
    });
}

TEST(UpcLock, MisuseEndsTheProgram)
{
    SKIP_IF_NO_WINDOW();
    EXPECT_NE(message_of_job(1, [] { upc_lock(bn_null()); }).find("upc_lock: the pointer to the lock is null"),
              std::string::npos);
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_pts_t lock = upc_global_lock_alloc();
                                 upc_lock(lock);
                                 upc_lock(lock);
                             })
                  .find("upc_lock: this thread holds the lock already"),
              std::string::npos);
    std::string message = message_of_job(1, [] { upc_unlock(upc_global_lock_alloc()); });
    EXPECT_NE(message.find("upc_unlock: this thread does not hold"), std::string::npos);
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_pts_t lock = upc_global_lock_alloc();
                                 upc_lock_free(lock);
                                 upc_lock_free(lock);
                             })
                  .find("upc_lock_free: there is no lock"),
              std::string::npos);
    EXPECT_NE(message_of_job(1, [] { upc_lock_attempt(upc_alloc(64)); }).find("upc_lock_attempt: there is no lock"),
              std::string::npos);
}

}  // namespace
