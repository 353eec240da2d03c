#include "platform/tasks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <thread>

namespace {

TEST(Tasks, AreMoreWhileAThreadRuns)
{
    std::thread([] {}).join();  // with the first one, ThreadSanitizer creates one of its own
    bn_tasks before = bn_tasks_now();
    EXPECT_GE(before.count, 1U);
    EXPECT_FALSE(bn_tasks_are_more(&before));
    std::promise<void> end;
    std::thread other([&] { end.get_future().wait(); });
    EXPECT_TRUE(bn_tasks_are_more(&before));
    end.set_value();
    other.join();
    while (bn_tasks_are_more(&before))  // the system may list it for a moment after it has been joined
        std::this_thread::yield();
    free(before.ids);
}

}  // namespace
