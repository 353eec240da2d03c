#include "platform/pause.h"

#include "platform/clock.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

namespace {

// Threads that compute until this object goes; they run where the thread that makes it may run.
class Others {
public:
    explicit Others(unsigned count)
    {
        for (unsigned i = 0; i < count; i++)
            threads_.emplace_back([this] {
                while (!is_over_)
                    bn_cpu_pause();
            });
    }
    ~Others()
    {
        is_over_ = true;
        for (std::thread& thread : threads_)
            thread.join();
    }

private:
    std::atomic<bool> is_over_{false};
    std::vector<std::thread> threads_;
};

// Whether bn_cpu_yield_unless_crowded gives this answer count times in succession within half a minute
bool answers(bool answer, int count)
{
    const uint64_t end_ns = bn_clock_ns() + UINT64_C(30000000000);
    int found = 0;
    while (found < count && bn_clock_ns() < end_ns)
        found = bn_cpu_yield_unless_crowded() == answer ? found + 1 : 0;
    return found == count;
}

// Whether other programs compute on this core: some yields then last for a time slice of theirs.
bool is_core_shared()
{
    for (int i = 0; i < 200; i++) {
        const uint64_t begin_ns = bn_clock_ns();
        sched_yield();
        if (bn_clock_ns() - begin_ns > 200000)
            return true;
    }
    return false;
}

TEST(Pause, YieldKeepsErrno)
{
    errno = 66;
    bn_cpu_yield();
    EXPECT_EQ(errno, 66);
}

TEST(Pause, YieldsAndNapsBesideThreadsThatCompute)
{
    Others others(2 * std::thread::hardware_concurrency());
    errno = 66;
    for (int i = 0; i < 20; i++)
        bn_cpu_yield();
    EXPECT_EQ(errno, 66);
}

TEST(Pause, TellsWhetherOthersComputeOnTheCore)
{
    // In a thread of its own, which stays on its core.
    std::thread([] {
        cpu_set_t here;
        CPU_ZERO(&here);
        CPU_SET(sched_getcpu(), &here);
        ASSERT_EQ(sched_setaffinity(0, sizeof here, &here), 0);
        {
            Others others(4);
            errno = 66;
            EXPECT_TRUE(answers(false, 32));
            EXPECT_EQ(errno, 66);
        }
        EXPECT_TRUE(answers(true, 8) || is_core_shared());
    }).join();
}

}  // namespace
