#include "boot/lines.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int64_t WAIT = BN_LINES_PROMPT_NS;
constexpr int64_t HOLD = BN_LINES_HOLD_NS;
constexpr size_t HELD_MAX = 1 << 20;

class Lines : public testing::Test {
protected:
    void SetUp() override { use(false); }

    void use(bool has_labels)
    {
        bn_lines_config config = {.has_labels = has_labels, .held_max_bytes = HELD_MAX};
        lines_.reset(bn_lines_create(&config));
    }

    void put(int thread, const std::string& text, int64_t now = 0, int channel = 0, bool is_flushed = false)
    {
        bn_lines_source source = {channel, 100 + thread, thread, is_flushed};
        EXPECT_TRUE(bn_lines_put(lines_.get(), &source, text.data(), text.size(), now));
    }

    void flush(int thread, const std::string& text, int64_t now = 0) { put(thread, text, now, 0, true); }

    /* Everything that may be written now; pieces of channel 1 in angle brackets */
    std::string take()
    {
        std::string all;
        int channel;
        size_t bytes;
        while (const char* data = bn_lines_front(lines_.get(), &channel, &bytes)) {
            size_t part = bytes > 3 ? 3 : bytes; /* consume in small pieces, as a slow reader does */
            std::string piece(data, part);
            all += channel == 1 ? "<" + piece + ">" : piece;
            bn_lines_consume(lines_.get(), part);
        }
        return all;
    }

    struct Destroy {
        void operator()(bn_lines* lines) const { bn_lines_destroy(lines); }
    };
    std::unique_ptr<bn_lines, Destroy> lines_;
};

TEST_F(Lines, WholeLinesLeaveAtOnceInOrder)
{
    put(0, "a\n");
    put(1, "b\nc\n");
    put(0, "d\n");
    EXPECT_EQ(take(), "a\nb\nc\nd\n");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), -1);
}

TEST_F(Lines, PiecesOfALineAreJoinedWhereItBegan)
{
    put(0, "one ");
    put(1, "other\n");
    put(0, "line");
    EXPECT_EQ(take(), "");
    put(0, "\nnext");
    EXPECT_EQ(take(), "one line\nother\n");
    put(0, "\n");
    EXPECT_EQ(take(), "next\n");
}

TEST_F(Lines, WhatIsFlushedWithinALineLeavesAtOnce)
{
    for (int row = 0; row < 2; ++row) {
        flush(0, "a ");
        flush(1, "b ");
        flush(2, "c\n");
    }
    EXPECT_EQ(take(), "a b c\na b c\n");
    flush(0, "Computing... ");
    flush(3, "(by last) ");
    flush(0, "done\n");
    EXPECT_EQ(take(), "Computing... (by last) done\n");
    flush(0, "name? ");
    EXPECT_EQ(take(), "name? ");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), -1);
}

TEST_F(Lines, WhatIsFlushedStaysBehindWhatCameBefore)
{
    put(1, "error: ", 0, 1);
    flush(0, "a ");
    put(1, "none\n", 0, 1);
    flush(0, "b\n");
    EXPECT_EQ(take(), "<err><or:>< no><ne\n>a b\n");
}

TEST_F(Lines, ALineIsShownAfterAShortWhile)
{
    put(0, "name? ", 1000);
    EXPECT_EQ(take(), "");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), 1000 + WAIT);
    bn_lines_advance(lines_.get(), 999 + WAIT);
    EXPECT_EQ(take(), "");
    bn_lines_advance(lines_.get(), 1000 + WAIT);
    EXPECT_EQ(take(), "name? ");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), -1);
}

TEST_F(Lines, MoreOfALineDelaysItAgain)
{
    put(0, "a", 0);
    put(0, "b", WAIT - 1);
    bn_lines_advance(lines_.get(), WAIT);
    EXPECT_EQ(take(), "");
    bn_lines_advance(lines_.get(), 2 * WAIT);
    EXPECT_EQ(take(), "ab");
}

TEST_F(Lines, ButNotForEver)
{
    std::string dots;
    for (int64_t now = 0; now < HOLD; now += WAIT / 2) {
        put(0, ".", now);
        dots += ".";
        bn_lines_advance(lines_.get(), now);
    }
    EXPECT_EQ(take(), "");
    bn_lines_advance(lines_.get(), HOLD);
    EXPECT_EQ(take(), dots);
}

TEST_F(Lines, OthersWaitUntilAShownLineEnds)
{
    put(0, "a", 0);
    bn_lines_advance(lines_.get(), WAIT);
    put(1, "x\n", WAIT);
    put(2, "y", WAIT);
    EXPECT_EQ(take(), "a");
    put(0, "b", 2 * WAIT);
    EXPECT_EQ(take(), "b");
    put(0, "c\nd", 3 * WAIT);
    EXPECT_EQ(take(), "c\nx\n");
    put(2, "z\n", 3 * WAIT);
    EXPECT_EQ(take(), "yz\n");
    put(0, "\n", 3 * WAIT);
    EXPECT_EQ(take(), "d\n");
}

TEST_F(Lines, OthersWaitForASecondAtMost)
{
    put(0, "a", 0);
    bn_lines_advance(lines_.get(), WAIT);
    EXPECT_EQ(take(), "a");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), -1);
    put(1, "x\n", 5 * WAIT);
    put(2, "y", 6 * WAIT);
    EXPECT_EQ(bn_lines_deadline(lines_.get()), 5 * WAIT + HOLD);
    bn_lines_advance(lines_.get(), 5 * WAIT + HOLD);
    EXPECT_EQ(take(), "x\ny");
    put(0, "late\n", 6 * WAIT + HOLD);
    EXPECT_EQ(take(), "");
    put(2, "z\n", 6 * WAIT + HOLD);
    EXPECT_EQ(take(), "z\nlate\n");
}

TEST_F(Lines, ALineIsShownWhenTooMuchWaits)
{
    put(0, "half ");
    std::string line(99, 'x');
    size_t wrote = 0;
    for (; wrote < 3 * HELD_MAX; wrote += 100)
        put(1, line + "\n");
    std::string all = take();
    EXPECT_EQ(all.size(), wrote + 5);
    EXPECT_EQ(all.substr(0, 8), "half xxx");
}

TEST_F(Lines, LongLinesLeaveInPieces)
{
    std::string piece(HELD_MAX / 2, 'x');
    put(0, piece);
    put(0, piece);
    EXPECT_EQ(take(), "");
    put(0, "y");
    EXPECT_EQ(take(), piece + piece + "y");
    put(0, "z\n");
    put(1, "other\n");
    EXPECT_EQ(take(), "z\nother\n");
}

TEST_F(Lines, FinishLetsEverythingGoInOrder)
{
    put(0, "no end");
    put(1, " x\n");
    put(2, "more");
    put(3, " and more");
    bn_lines_finish(lines_.get());
    EXPECT_EQ(take(), "no end x\nmore and more");
}

TEST_F(Lines, MessagesBeginOnALineOfTheirOwn)
{
    put(0, "half");
    bn_lines_finish(lines_.get());
    bn_lines_say(lines_.get(), 1, "end\n");
    bn_lines_say(lines_.get(), 1, "!\n");
    EXPECT_EQ(take(), "half\n<end><\n!\n>");
}

TEST_F(Lines, LabelsOnEachLine)
{
    use(true);
    put(12, "a\nb\nc");
    put(-1, "child\n");
    put(12, "d\n");
    EXPECT_EQ(take(), "[12] a\n[12] b\n[12] cd\n[pid 99] child\n");
    put(3, "n? ");
    bn_lines_advance(lines_.get(), WAIT);
    put(3, "5\n6\n", WAIT);
    EXPECT_EQ(take(), "[3] n? 5\n[3] 6\n");
}

TEST_F(Lines, LabelledLinesAreEndedForTheirWriters)
{
    use(true);
    flush(0, "a ");
    flush(1, "b\n");
    EXPECT_EQ(take(), "");
    flush(0, "c\n");
    EXPECT_EQ(take(), "[0] a c\n[1] b\n");
    put(0, "half");
    bn_lines_advance(lines_.get(), WAIT);
    put(1, "x\n", WAIT);
    bn_lines_advance(lines_.get(), WAIT + HOLD);
    put(0, "whole\n", WAIT + HOLD);
    EXPECT_EQ(take(), "[0] half\n[1] x\n[0] whole\n");
}

TEST_F(Lines, ChannelsKeepTheirBytesAndShareTheOrder)
{
    put(0, "out\n", 0, 0);
    put(0, "err\n", 0, 1);
    put(0, "x", 0, 0);
    put(0, "yz\n", 0, 1);
    put(0, "\n", 0, 0);
    EXPECT_EQ(take(), "out\n<err><\n>x\n<yz\n>");
}

TEST_F(Lines, BytesOfAnyKindSurvive)
{
    std::string text("a\0b\xff\n\0", 6);
    put(0, text);
    bn_lines_finish(lines_.get());
    EXPECT_EQ(take(), text);
}

/* For all sizes: nothing is lost, and lines whose pieces come soon are never mixed. */
TEST_F(Lines, RandomPiecesNeverMixLines)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        use(false);
        std::vector<std::string> texts(8), rests(8);
        std::string all;
        int64_t now = 0;
        for (int thread = 0; thread < 8; ++thread) {
            for (int line = 0; line < 200; ++line)
                texts[thread] += "T" + std::to_string(thread) + std::string(random() % 80, char('a' + thread)) + "\n";
        }
        rests = texts;
        for (bool any = true; any;) {
            any = false;
            for (int thread = 0; thread < 8; ++thread) {
                size_t bytes = std::min<size_t>(random() % 120, rests[thread].size());
                if (bytes > 0)
                    put(thread, rests[thread].substr(0, bytes), now);
                rests[thread].erase(0, bytes);
                any = any || !rests[thread].empty();
                now += static_cast<int64_t>(random() % (WAIT / 16));
                bn_lines_advance(lines_.get(), now);
                all += take();
            }
        }
        bn_lines_finish(lines_.get());
        all += take();
        std::vector<std::string> got(8);
        std::istringstream stream(all);
        for (std::string line; std::getline(stream, line);) {
            ASSERT_GE(line.size(), 2u);
            size_t thread = static_cast<size_t>(line[1] - '0');
            ASSERT_LT(thread, 8u) << line;
            ASSERT_EQ(line.find_first_not_of(char('a' + static_cast<int>(thread)), 2), std::string::npos) << line;
            got[thread] += line + "\n";
        }
        EXPECT_EQ(got, texts);
    }
}

}  // namespace
