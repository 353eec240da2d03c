#include "lsp/inbox.h"

#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "lsp/server.h"
#include "lsp/transport.h"

namespace bn::lsp {
namespace {

void put(Inbox& inbox, const char* text)
{
    inbox.put({Letter::Kind::Message, Json::parse(text)}, 1);
}

void cancel(Inbox& inbox, const Json& id)
{
    inbox.put({Letter::Kind::Message, {{"method", "$/cancelRequest"}, {"params", {{"id", id}}}}}, 1);
}

TEST(InboxTest, MessagesAreReadUntilTheEnd)
{
    int fds[2];
    ASSERT_EQ(pipe(fds), 0);
    write_message(fds[1], "no json");
    write_message(fds[1], R"({"id": 7, "method": "x"})");
    close(fds[1]);
    Inbox inbox;
    read_into(fds[0], inbox);
    close(fds[0]);
    EXPECT_EQ(inbox.take({})->kind, Letter::Kind::Unreadable);
    EXPECT_EQ(text_at(inbox.take({})->message, {"method"}), "x");
    EXPECT_EQ(inbox.take({})->kind, Letter::Kind::End);
    EXPECT_TRUE(inbox.is_empty());
    EXPECT_FALSE(inbox.take(Clock::now()));
}

TEST(InboxTest, RequestsThatWaitAreCancelled)
{
    Inbox inbox;
    put(inbox, R"({"id": 7, "method": "x"})");
    put(inbox, R"({"id": "7", "method": "x"})");
    put(inbox, R"({"id": 7, "result": "of a request of the server's"})");
    put(inbox, R"({"id": null, "method": "x"})");
    cancel(inbox, 7);
    cancel(inbox, nullptr);
    EXPECT_EQ(inbox.take({})->kind, Letter::Kind::Cancelled);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(inbox.take({})->kind, Letter::Kind::Message);
    EXPECT_TRUE(inbox.is_empty());
}

// Editors also cancel what has just been answered, in long sessions thousands of times.
TEST(InboxTest, CancellationsThatComeTooLateAreForgotten)
{
    Inbox inbox;
    for (int id = 0; id < 5000; ++id)
        cancel(inbox, id);
    put(inbox, R"({"id": 7, "method": "x"})");
    put(inbox, R"({"id": 5000, "method": "x"})");
    cancel(inbox, 5000);
    EXPECT_EQ(inbox.take({})->kind, Letter::Kind::Message);
    EXPECT_EQ(inbox.take({})->kind, Letter::Kind::Cancelled);
}

TEST(InboxTest, CancelledRequestsAreRefused)
{
    int fds[2];
    ASSERT_EQ(pipe(fds), 0);
    Inbox inbox;
    put(inbox, R"({"id": 1, "method": "initialize"})");
    put(inbox, R"({"id": 2, "method": "textDocument/hover"})");
    cancel(inbox, 2);
    inbox.put({Letter::Kind::End, {}}, 0);
    Server({}, inbox, fds[1]).run();
    close(fds[1]);
    Reader reader(fds[0]);
    std::string text;
    ASSERT_EQ(reader.next(text), Reader::Result::Message);
    EXPECT_EQ(number_at(Json::parse(text), {"id"}), 1);
    ASSERT_EQ(reader.next(text), Reader::Result::Message);
    EXPECT_EQ(number_at(Json::parse(text), {"id"}), 2);
    EXPECT_EQ(number_at(Json::parse(text), {"error", "code"}), -32800);
    close(fds[0]);
}

// A message that is put in while too much waits stays with the reader.
TEST(InboxTest, MemoryOfWhatWaitsIsBounded)
{
    Inbox inbox;
    inbox.put({}, 2 * kLargestMessage);
    std::thread reader([&] { inbox.put({Letter::Kind::End, {}}, 1); });
    EXPECT_EQ(inbox.take({})->kind, Letter::Kind::Message);
    EXPECT_EQ(inbox.take({})->kind, Letter::Kind::End);
    reader.join();
}

}  // namespace
}  // namespace bn::lsp
