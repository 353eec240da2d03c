#include "sync/spinlock.h"

#include "sync/processes.h"
#include "sync/team.h"

#include <sched.h>

namespace {

TEST(Spinlock, Excludes)
{
    bn_spinlock lock = {0};
    int64_t counter = 0;  // plain: ordered only by the lock
    run_team(6, [&](int) {
        for (int i = 0; i < 5000; i++) {
            bn_spinlock_acquire(&lock);
            counter++;
            if (i % 100 == 0)
                sched_yield();  // so that others wait long enough to sleep
            bn_spinlock_release(&lock);
        }
    });
    EXPECT_EQ(counter, 30000);
    EXPECT_EQ(lock.state, 0u);
}

TEST(Spinlock, UncontendedStaysWithoutSleepers)
{
    bn_spinlock lock = {0};
    bn_spinlock_acquire(&lock);
    EXPECT_EQ(lock.state, 1u);
    bn_spinlock_release(&lock);
    EXPECT_EQ(lock.state, 0u);
}

// A thread that waits for long sleeps, and one of two sleepers wakes the other when it releases the lock.
TEST(Spinlock, WakesSleepersOneAfterTheOther)
{
    bn_spinlock lock = {0};
    int order = 0;
    bn_spinlock_acquire(&lock);
    run_team(4, [&](int thread) {
        if (thread == 0) {
            while (__atomic_load_n(&lock.state, __ATOMIC_RELAXED) != 2)
                sched_yield();
            order++;
            bn_spinlock_release(&lock);
            return;
        }
        bn_spinlock_acquire(&lock);
        order++;
        bn_spinlock_release(&lock);
    });
    EXPECT_EQ(order, 4);
}

struct SharedCounter {
    bn_spinlock lock;
    int64_t counter;
};

TEST(Spinlock, ExcludesProcesses)
{
    for (int processes : {2, 5, 16}) {
        Shared<SharedCounter> shared;
        const int64_t turns = 60000 / processes;
        std::vector<pid_t> ids = start_processes(processes, [&](int) {
            for (int64_t i = 0; i < turns; i++) {
                bn_spinlock_acquire(&shared->lock);
                shared->counter++;
                bn_spinlock_release(&shared->lock);
            }
        });
        stop_and_continue(ids);
        EXPECT_TRUE(all_succeed(ids));
        EXPECT_EQ(shared->counter, processes * turns);
        EXPECT_EQ(shared->lock.state, 0u);
    }
}

}  // namespace
