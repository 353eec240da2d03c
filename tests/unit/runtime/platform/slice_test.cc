#include "platform/slice.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace {

// The kernel's sched_attr, whose header does not go together with the C library's <sched.h>
struct Attributes {
    uint32_t size = sizeof(Attributes);
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

Attributes read_attributes()
{
    Attributes found;
    EXPECT_EQ(syscall(SYS_sched_getattr, 0, &found, sizeof found, 0), 0);
    return found;
}

// Slices stay as they are, so each test has a thread of its own.
TEST(Slice, BecomesShortAndNothingElseChanges)
{
    std::thread([] {
        setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 19);
        const Attributes before = read_attributes();
        bn_slice_shorten();
        const Attributes after = read_attributes();
        EXPECT_EQ(after.policy, before.policy);
        EXPECT_EQ(after.flags, before.flags);
        EXPECT_EQ(after.nice, 19);
        EXPECT_LE(after.runtime, 500000u);
        EXPECT_EQ(after.runtime == 0, before.runtime == 0);  // systems before Linux 6.12 report 0
    }).join();
}

TEST(Slice, DoesNotBecomeLonger)
{
    std::thread([] {
        Attributes wanted = read_attributes();
        wanted.runtime = 200000;
        syscall(SYS_sched_setattr, 0, &wanted, 0);
        const Attributes before = read_attributes();
        bn_slice_shorten();
        EXPECT_LE(read_attributes().runtime, before.runtime);
    }).join();
}

}  // namespace
