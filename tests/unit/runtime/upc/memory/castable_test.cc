// Pointers to what other threads own, and back.
#include "upc/bupc_c.h"
#include "upc/job.h"

namespace {

// Memory of every kind with affinity to `owner`, as upc_cast sees it
std::vector<bn_pts_t> every_kind(int owner)
{
    static bn_u64* directory;  // each thread's addresses, in its part of the global heap
    bn_pts_t shared_words = upc_all_alloc(static_cast<size_t>(threads()), 2 * sizeof(bn_u64));
    directory = part<bn_u64>(shared_words, me());
    directory[0] = upc_alloc(100).addr;
    directory[1] = upc_global_alloc(static_cast<size_t>(threads()), 100).addr;
    bn_barrier();
    bn_u64* theirs = part<bn_u64>(shared_words, owner);
    return {bn_at(theirs), bn_at(reinterpret_cast<void*>(theirs[0])),
            bn_at(reinterpret_cast<void*>(theirs[1] + bn_stride(static_cast<bn_u64>(owner))))};
}

TEST(Castable, OneAddressForAllThreads)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        for (int owner = 0; owner < threads(); owner++) {
            for (bn_pts_t p : every_kind(owner)) {
                ASSERT_EQ(upc_threadof(p), static_cast<size_t>(owner));
                auto* word = static_cast<volatile int*>(upc_cast(p));
                ASSERT_NE(word, nullptr);
                EXPECT_EQ(upc_cast(p), word) << "once castable, always castable";
                EXPECT_EQ(reinterpret_cast<bn_u64>(word), p.addr);
                bn_pts_t with_phase = p;
                with_phase.phase = 3;
                EXPECT_EQ(upc_cast(with_phase), word);
                EXPECT_EQ(bupc_cast(p), word);
                EXPECT_TRUE(bupc_castable(p));
            }
        }
    });
}

TEST(Castable, StoresThroughItReachTheOwner)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        bn_pts_t words = upc_all_alloc(3, sizeof(int));
        int next = (me() + 1) % threads();
        *static_cast<int*>(upc_cast(bn_at(part<int>(words, next)))) = me() + 10;
        bn_barrier();
        EXPECT_EQ(*part<int>(words, me()), (me() + 2) % 3 + 10);
        bn_barrier();
    });
}

TEST(Castable, NullStaysNull)
{
    SKIP_IF_NO_WINDOW();
    run_job(1, [] {
        EXPECT_EQ(upc_cast(bn_null()), nullptr);
        EXPECT_EQ(bupc_cast(bn_null()), nullptr);
        EXPECT_EQ(bupc_inverse_cast(nullptr).addr, 0u);
    });
}

TEST(Castable, ThreadsSayWhatIsGuaranteed)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        for (size_t thread = 0; thread < 5; thread++) {
            upc_thread_info_t info = upc_thread_info(thread);
            EXPECT_EQ(info.guaranteedCastable, thread < 3 ? 15 : 0) << thread;
            EXPECT_EQ(info.probablyCastable, info.guaranteedCastable);
            EXPECT_EQ(bupc_thread_castable(static_cast<unsigned>(thread)) != 0, thread < 3);
        }
    });
}

TEST(Castable, TheWayBack)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        for (int owner = 0; owner < threads(); owner++) {
            for (bn_pts_t p : every_kind(owner)) {
                for (bn_u64 offset : {0, 1, 8, 15}) {
                    void* address = reinterpret_cast<void*>(p.addr + offset);
                    bn_pts_t back = bupc_inverse_cast(address);
                    EXPECT_EQ(back.addr, p.addr + offset);
                    EXPECT_EQ(back.thread, static_cast<bn_u32>(owner));
                    EXPECT_EQ(back.phase, 0u);
                    EXPECT_EQ(bupc_local_to_shared(address, owner, 5).phase, 5u);
                    EXPECT_EQ(bupc_local_to_shared(address, (owner + 1) % 3, 5).addr, 0u);
                }
            }
        }
        int on_the_stack;
        EXPECT_EQ(bupc_inverse_cast(&on_the_stack).addr, 0u);
        // Pointers beyond allocated memory are not castable.
        EXPECT_EQ(bupc_inverse_cast(reinterpret_cast<void*>(bn_self.my_segment + (bn_u64{29} << 30))).addr, 0u);
    });
}

}  // namespace
