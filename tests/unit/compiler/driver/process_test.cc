#include "driver/process.h"

#include <gtest/gtest.h>

#include "driver/message.h"

namespace bn::driver {
namespace {

// The exit status of a shell command with limits; what the driver says about it goes to messages.
int run_limited(const char* command, std::string& messages)
{
    std::string output;
    hold_messages(&messages);
    int status = run({.arguments = {"sh", "-c", command}, .output = &output, .most_seconds = 60, .most_bytes = 1000});
    hold_messages(nullptr);
    return status;
}

TEST(Process, WhatIsEndedAtALimitFailsWithoutAMessage)
{
    std::string messages;
    EXPECT_NE(run_limited("while :; do echo text; done", messages), 0);
    EXPECT_EQ(messages, "");
}

TEST(Process, WhatIsKilledByOthersIsNamed)
{
    std::string messages;
    EXPECT_NE(run_limited("kill -9 $$", messages), 0);
    EXPECT_NE(messages.find("was killed by signal 9"), messages.npos) << messages;
}

}  // namespace
}  // namespace bn::driver
