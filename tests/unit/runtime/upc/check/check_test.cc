#include "upc/check/check.h"

#include "upc/job.h"
#include "upc/watched.h"

#include <cstring>

namespace {

void set_checks(bool are_on)
{
    bn_check_is_on = bn_upc_is_watched = are_on;
}

// Like run_job, as if a unit of the program had been compiled with -fcheck
void run_checked_job(int threads, const std::function<void()>& body)
{
    set_checks(true);
    run_job(threads, body, {nullptr, 64 << 20});
    set_checks(false);
}

std::string message_of_checked_job(int threads, const std::function<void()>& body)
{
    set_checks(true);
    std::string text = message_of_job(threads, body);
    set_checks(false);
    return text;
}

bool is_live(uint64_t address, uint64_t bytes = 1)
{
    return bn_check_is_live(address - bn_check_map.window_base, bytes);
}

TEST(Check, LocalObjectsLiveToTheByte)
{
    SKIP_IF_NO_WINDOW();
    run_checked_job(2, [] {
        for (size_t bytes : {1, 7, 15, 16, 17, 31, 32, 33, 100, 511, 5000, 100000}) {
            uint64_t p = upc_alloc(bytes).addr;
            EXPECT_TRUE(is_live(p)) << bytes;
            EXPECT_TRUE(is_live(p, bytes)) << bytes;
            EXPECT_TRUE(is_live(p + bytes - 1)) << bytes;
            EXPECT_FALSE(is_live(p - 1)) << bytes;
            EXPECT_FALSE(is_live(p + bytes)) << bytes;
            EXPECT_FALSE(is_live(p, bytes + 1)) << bytes;
        }
    });
}

TEST(Check, PartsOfGlobalObjectsLiveToTheByte)
{
    SKIP_IF_NO_WINDOW();
    run_checked_job(3, [] {
        for (size_t blocks : {1, 2, 3, 4, 8}) {
            const size_t block_bytes = 20;
            bn_pts_t p = upc_global_alloc(blocks, block_bytes);
            for (int thread = 0; thread < 3; thread++) {
                uint64_t part = p.addr + bn_stride(static_cast<bn_u64>(thread));
                size_t bytes = upc_affinitysize(blocks * block_bytes, block_bytes, static_cast<size_t>(thread));
                EXPECT_FALSE(is_live(part - 1));
                EXPECT_FALSE(is_live(part + bytes)) << blocks << " blocks, thread " << thread;
                if (bytes > 0) {
                    EXPECT_TRUE(is_live(part, bytes)) << blocks << " blocks, thread " << thread;
                }
            }
            upc_free(p);
            EXPECT_FALSE(is_live(p.addr));
            EXPECT_EQ(bn_check_map.shadow[(p.addr - bn_check_map.window_base) >> BN_CHECK_GRANULE_SHIFT],
                      BN_CHECK_FREED);
        }
    });
}

TEST(Check, WhatIsNoSharedMemoryDoesNotLive)
{
    SKIP_IF_NO_WINDOW();
    run_checked_job(2, [] {
        int here;
        EXPECT_FALSE(is_live(0));
        EXPECT_FALSE(is_live(reinterpret_cast<uint64_t>(&here)));
        EXPECT_FALSE(is_live(bn_check_map.window_base - 1));
        EXPECT_FALSE(is_live(bn_check_map.window_base + bn_stride(2)));
        EXPECT_FALSE(is_live(bn_check_map.window_base + (UINT64_C(7) << 30)));
    });
}

TEST(Check, FreedBlocksAreReusedLater)
{
    SKIP_IF_NO_WINDOW();
    run_checked_job(1, [] {
        uint64_t first = upc_alloc(100).addr;
        upc_free(bn_at(reinterpret_cast<void*>(first)));
        bool is_reused = false;
        for (int i = 0; i < 100; i++) {
            bn_pts_t p = upc_alloc(100);
            is_reused |= p.addr == first;
            upc_free(p);
        }
        EXPECT_FALSE(is_reused);
        for (int i = 0; i < 100000; i++) {  // far more than the heap could hold
            bn_pts_t p = upc_alloc(10000);
            ASSERT_NE(p.addr, 0u);
            memset(bn_local(p), 1, 10000);
            upc_free(p);
        }
        bn_pts_t all = upc_alloc(60 << 20);  // blocks kept from reuse are released
        EXPECT_NE(all.addr, 0u);
    });
}

TEST(Check, MessagesNameThePlace)
{
    SKIP_IF_NO_WINDOW();
    std::string text = message_of_checked_job(1, [] {
        bn_check_enter("a.upc", 7);
        bn_pts_t p = upc_alloc(10);
        bn_check_enter("b.upc", 8);
        upc_free(p);
        bn_check_enter("c.upc", 9);
        upc_free(p);
    });
    EXPECT_EQ(text, "banyan: c.upc:9: upc_free: the memory was freed before: in the 10 bytes that thread 0 allocated "
                    "at a.upc:7 and thread 0 freed at b.upc:8; free it once, by one thread\n");
}

TEST(Check, LongFileNamesAreCut)
{
    SKIP_IF_NO_WINDOW();
    std::string file = std::string(300, 'x') + "/end.upc";
    std::string text = message_of_checked_job(1, [&] {
        bn_check_enter(file.c_str(), 7);
        bn_pts_t p = upc_alloc(10);
        bn_check_enter("c.upc", 9);
        upc_memset(p, 0, 11);
    });
    EXPECT_NE(text.find("xxx/end.upc:7"), std::string::npos) << text;
    EXPECT_EQ(text.find(std::string(200, 'x')), std::string::npos) << text;
}

TEST(Check, UncheckedCallsAreNotLookedAt)
{
    SKIP_IF_NO_WINDOW();
    run_checked_job(2, [] {
        bn_pts_t p = upc_alloc(10);
        upc_memset(p, 0, 11);
    });
}

// Many threads wait in turn for locks, barriers and semaphores: none of this is a deadlock.
TEST(Check, WaitsThatEndAreNoDeadlock)
{
    SKIP_IF_NO_WINDOW();
    run_checked_job(4, [] {
        bn_pts_t locks[] = {upc_all_lock_alloc(), upc_all_lock_alloc()};
        for (int i = 0; i < 500; i++) {
            upc_lock(locks[i % 2]);
            upc_unlock(locks[i % 2]);
            if (i % 10 == 0)
                bn_barrier();
            bn_notify_value(i);
            bn_wait();
        }
    });
}

}  // namespace
