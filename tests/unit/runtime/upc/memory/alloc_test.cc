#include "mib.h"
#include "upc/job.h"

#include <cstring>

namespace {

TEST(Alloc, LocalMemoryBelongsToTheCaller)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        for (size_t bytes : {size_t{1}, size_t{15}, size_t{64}, size_t{5000}, 3 * MiB}) {
            bn_pts_t p = upc_alloc(bytes);
            ASSERT_NE(p.addr, 0u);
            EXPECT_EQ(upc_threadof(p), static_cast<size_t>(me()));
            EXPECT_EQ(upc_phaseof(p), 0u);
            EXPECT_EQ(p.addr % alignof(max_align_t), 0u);
            memset(bn_local(p), me(), bytes);
            upc_free(p);
        }
    });
}

TEST(Alloc, ZeroAndTooMuchAreNull)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        for (size_t blocks : {size_t{0}, size_t{5}}) {
            EXPECT_EQ(upc_global_alloc(blocks, 0).addr, 0u);
            EXPECT_EQ(upc_all_alloc(blocks, 0).addr, 0u);
        }
        EXPECT_EQ(upc_alloc(0).addr, 0u);
        EXPECT_EQ(upc_global_alloc(0, 7).addr, 0u);
        EXPECT_EQ(upc_local_alloc(0, 7).addr, 0u);
        EXPECT_EQ(upc_alloc(SIZE_MAX).addr, 0u);
        EXPECT_EQ(upc_alloc(257 * MiB).addr, 0u) << "the limit is 256 MiB";
        EXPECT_EQ(upc_local_alloc(SIZE_MAX / 2, 3).addr, 0u);
        EXPECT_EQ(upc_global_alloc(SIZE_MAX / 2, 3).addr, 0u);
        EXPECT_EQ(upc_global_alloc(SIZE_MAX, 1).addr, 0u);
        EXPECT_EQ(upc_all_alloc(UINT64_C(1) << 33, UINT64_C(1) << 33).addr, 0u) << "the product is 4 in 64 bits";
        upc_free(bn_null());
        upc_all_free(bn_null());
        bn_pts_t p = upc_alloc(200 * MiB);
        EXPECT_NE(p.addr, 0u) << "failures have left nothing behind";
        upc_free(p);
    });
}

TEST(Alloc, GlobalMemoryHasABlockOnEachThreadInTurn)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {1, 2, 3, 5}) {
        run_job(count, [] {
            bn_pts_t p = upc_global_alloc(2 * static_cast<size_t>(threads()) + 1, 100);
            ASSERT_NE(p.addr, 0u);
            EXPECT_EQ(upc_threadof(p), 0u);
            EXPECT_EQ(upc_phaseof(p), 0u);
            for (int thread = 0; thread < threads(); thread++)
                memset(part<char>(p, thread), me() + 1, thread == 0 ? 300 : 200);
            bn_barrier();
            for (int thread = 0; thread < threads(); thread++)
                for (int i = 0; i < 200; i++)
                    ASSERT_EQ(part<char>(p, thread)[i], me() + 1) << "each caller has memory of its own";
            upc_free(p);
        });
    }
}

TEST(Alloc, AllAllocGivesOneAddressAndNeedsNoBarrier)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {1, 2, 7}) {
        run_job(count, [] {
            std::vector<bn_pts_t> pointers;
            for (size_t i = 1; i <= 300; i++) {
                pointers.push_back(upc_all_alloc(static_cast<size_t>(threads()) * i, 64));
                bn_pts_t p = pointers.back();
                ASSERT_NE(p.addr, 0u);
                // At once, on any thread's part
                part<int>(p, (me() + 1) % threads())[me()] = me();
            }
            bn_barrier();
            for (bn_pts_t p : pointers) {
                int writer = (me() + threads() - 1) % threads();
                ASSERT_EQ(part<int>(p, me())[writer], writer);
            }
            for (bn_pts_t p : pointers)
                upc_all_free(p);
            bn_barrier();
            bn_pts_t again = upc_all_alloc(static_cast<size_t>(threads()), 200 * MiB);
            EXPECT_NE(again.addr, 0u) << "all of it has been freed";
        });
    }
}

TEST(Alloc, AnyThreadFreesAnyKind)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        bn_pts_t box = upc_all_alloc(3, 2 * sizeof(bn_pts_t));
        for (int round = 0; round < 20; round++) {  // 13 times the limit, so that what is lost shows
            part<bn_pts_t>(box, me())[0] = upc_alloc(100 * MiB);
            part<bn_pts_t>(box, me())[1] = upc_global_alloc(3, 20 * MiB);
            ASSERT_NE(part<bn_pts_t>(box, me())[0].addr, 0u) << round;
            ASSERT_NE(part<bn_pts_t>(box, me())[1].addr, 0u) << round;
            bn_barrier();
            upc_free(part<bn_pts_t>(box, (me() + 1) % 3)[0]);
            upc_free(part<bn_pts_t>(box, (me() + 1) % 3)[1]);
            bn_barrier();
        }
    });
}

TEST(Alloc, AllFreeKeepsMemoryUntilAllHaveCome)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        bn_pts_t p = upc_all_alloc(2, 100 * MiB);
        int* flag = part<int>(p, 1);
        if (me() == 0) {
            upc_all_free(p);
            __atomic_store_n(part<int>(p, 0), 1, __ATOMIC_SEQ_CST);
        } else {
            while (__atomic_load_n(part<int>(p, 0), __ATOMIC_SEQ_CST) == 0)
                upc_poll();
            bn_pts_t other = upc_alloc(100 * MiB);
            *flag = 5;
            EXPECT_NE(other.addr, p.addr);
            upc_all_free(p);
        }
    });
}

TEST(Alloc, WrongFreesEndTheProgram)
{
    SKIP_IF_NO_WINDOW();
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_pts_t p = upc_alloc(100);
                                 bn_pts_t keep = upc_alloc(100);
                                 upc_free(p);
                                 upc_free(p);
                                 upc_free(keep);
                             })
                  .find("upc_free: the memory at 0x1"),
              std::string::npos);
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_pts_t p = upc_alloc(100);
                                 p.addr += 4;
                                 upc_free(p);
                             })
                  .find("not a pointer that an allocation function returned"),
              std::string::npos);
    EXPECT_NE(message_of_job(1, [] { upc_free(bn_pts_t{77, 0, 0}); }).find("upc_free: 0x4d is not a pointer"),
              std::string::npos);
    EXPECT_NE(message_of_job(2,
                             [] {
                                 bn_pts_t p = upc_all_alloc(2, 100);
                                 bn_barrier();
                                 upc_free(p);
                                 bn_barrier();
                             })
                  .find("upc_free: "),
              std::string::npos)
        << "all threads free what one of them should";
}

TEST(Alloc, DifferentCollectiveCallsEndTheProgram)
{
    SKIP_IF_NO_WINDOW();
    EXPECT_NE(message_of_job(2, [] { upc_all_alloc(static_cast<size_t>(me() + 1), 64); }).find("gives other arguments"),
              std::string::npos);
    std::string message = message_of_job(2, [] {
        if (me() == 0)
            upc_all_alloc(2, 64);
        else
            upc_all_lock_alloc();
    });
    EXPECT_TRUE(message.find("thread 1 calls upc_all_lock_alloc instead") != std::string::npos ||
                message.find("thread 0 calls upc_all_alloc instead") != std::string::npos)
        << message;
    EXPECT_NE(message_of_job(1,
                             [] {
                                 bn_notify();
                                 upc_all_alloc(2, 64);
                             })
                  .find("upc_all_alloc: called between upc_notify and upc_wait"),
              std::string::npos);
}

TEST(Alloc, ErrnoIsKept)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        errno = 1234;
        bn_pts_t p = upc_all_alloc(2, 50 * MiB);
        upc_all_free(p);
        p = upc_alloc(100 * MiB);
        upc_free(p);
        upc_alloc(SIZE_MAX);
        bn_barrier();
        upc_poll();
        EXPECT_EQ(errno, 1234);
    });
}

}  // namespace
