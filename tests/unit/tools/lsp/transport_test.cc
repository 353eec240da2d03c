#include "lsp/transport.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace bn::lsp {
namespace {

class TransportTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(pipe(fds_), 0); }

    void TearDown() override
    {
        close(fds_[0]);
        finish();
    }

    void put(std::string_view bytes)
    {
        ASSERT_EQ(write(fds_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }

    void finish()
    {
        if (fds_[1] >= 0)
            close(fds_[1]);
        fds_[1] = -1;
    }

    int fds_[2] = {-1, -1};
};

TEST_F(TransportTest, MessagesComeBackAsTheyWereSent)
{
    for (std::string_view text : {"{}", "", "two\r\n\r\nlines"})
        ASSERT_TRUE(write_message(fds_[1], text));
    finish();
    Reader reader(fds_[0]);
    std::string message;
    for (std::string_view text : {"{}", "", "two\r\n\r\nlines"}) {
        ASSERT_EQ(reader.next(message), Reader::Result::Message);
        EXPECT_EQ(message, text);
    }
    EXPECT_EQ(reader.next(message), Reader::Result::End);
}

TEST_F(TransportTest, HeadersAreReadAsHttpReadsThem)
{
    put("Content-Type: x\r\ncontent-LENGTH:\t2\r\n\r\nabContent-Length: 1\n\nc\r\nContent-Length: many\r\n\r\n");
    finish();
    Reader reader(fds_[0]);
    std::string message;
    ASSERT_EQ(reader.next(message), Reader::Result::Message);
    EXPECT_EQ(message, "ab");
    ASSERT_EQ(reader.next(message), Reader::Result::Message);
    EXPECT_EQ(message, "c");
    EXPECT_EQ(reader.next(message), Reader::Result::Malformed);
    EXPECT_EQ(reader.next(message), Reader::Result::End);
}

TEST_F(TransportTest, NumbersThatAreTooLargeAreNoNumbersOfBytesToKeep)
{
    put("Content-Length: 99999999999999999999999999\r\n\r\nabc");
    finish();
    Reader reader(fds_[0]);
    std::string message;
    EXPECT_EQ(reader.next(message), Reader::Result::End);
}

}  // namespace
}  // namespace bn::lsp
