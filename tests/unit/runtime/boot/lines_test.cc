#include "boot/lines.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int64_t PROMPT = BN_LINES_PROMPT_NS;
constexpr int64_t HOLD = BN_LINES_HOLD_NS;

class Lines : public testing::Test {
protected:
    void SetUp() override { use({.has_labels = false, .shows_prompts = true, .line_max_bytes = 1000}); }

    void use(bn_lines_config config) { lines_.reset(bn_lines_create(&config)); }

    void put(int thread, const std::string& text, int64_t now = 0, int channel = 0)
    {
        bn_lines_source source = {channel, 100 + thread, thread};
        EXPECT_TRUE(bn_lines_put(lines_.get(), &source, text.data(), text.size(), now));
    }

    /* Everything that may leave now; pieces of channel 1 in angle brackets */
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

TEST_F(Lines, PiecesOfALineAreJoined)
{
    put(0, "one ");
    put(1, "other\n");
    put(0, "line");
    EXPECT_EQ(take(), "other\n");
    put(0, "\nnext");
    EXPECT_EQ(take(), "one line\n");
    put(0, "\n");
    EXPECT_EQ(take(), "next\n");
}

TEST_F(Lines, APromptIsShownAfterAShortWhile)
{
    put(0, "name? ", 1000);
    EXPECT_EQ(take(), "");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), 1000 + PROMPT);
    bn_lines_advance(lines_.get(), 999 + PROMPT);
    EXPECT_EQ(take(), "");
    bn_lines_advance(lines_.get(), 1000 + PROMPT);
    EXPECT_EQ(take(), "name? ");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), -1);
}

TEST_F(Lines, MoreOfALineDelaysItAgain)
{
    put(0, "a", 0);
    put(0, "b", PROMPT - 1);
    bn_lines_advance(lines_.get(), PROMPT);
    EXPECT_EQ(take(), "");
    bn_lines_advance(lines_.get(), 2 * PROMPT);
    EXPECT_EQ(take(), "ab");
}

TEST_F(Lines, OthersWaitUntilAShownLineEnds)
{
    put(0, "name? ");
    bn_lines_advance(lines_.get(), PROMPT);
    put(1, "x\n", PROMPT);
    put(2, "y\n", PROMPT);
    EXPECT_EQ(take(), "name? ");
    put(0, "thanks\nmore\n", 2 * PROMPT);
    EXPECT_EQ(take(), "thanks\nx\ny\nmore\n");
}

TEST_F(Lines, AShownLineIsEndedWhenItTakesTooLong)
{
    put(0, "name? ");
    bn_lines_advance(lines_.get(), PROMPT);
    put(1, "x\n", PROMPT + 5);
    EXPECT_EQ(bn_lines_deadline(lines_.get()), PROMPT + 5 + HOLD);
    bn_lines_advance(lines_.get(), PROMPT + 5 + HOLD);
    EXPECT_EQ(take(), "name? \nx\n");
    put(0, "late\n", PROMPT + 5 + HOLD);
    EXPECT_EQ(take(), "late\n");
}

TEST_F(Lines, AShownLineIsEndedWhenTooMuchWaits)
{
    put(0, "name? ");
    bn_lines_advance(lines_.get(), PROMPT);
    std::string line(99, 'x');
    size_t wrote = 0;
    for (; wrote < 3u * BN_LINES_HOLD_BYTES; wrote += 100)
        put(1, line + "\n", PROMPT);
    std::string all = take();
    EXPECT_EQ(all.size(), wrote + 7);
    EXPECT_EQ(all.substr(0, 10), "name? \nxxx");
}

TEST_F(Lines, TwoPromptsTakeTurns)
{
    put(0, "a? ");
    put(1, "b? ");
    bn_lines_advance(lines_.get(), PROMPT);
    std::string first = take();
    bn_lines_advance(lines_.get(), PROMPT + HOLD);
    std::string second = take();
    EXPECT_EQ(first.size(), 3u);
    EXPECT_EQ(second.size(), 4u);
    EXPECT_EQ(second[0], '\n');
    EXPECT_NE(first[0], second[1]);
}

TEST_F(Lines, NoPromptsWhereNobodyWatches)
{
    use({.has_labels = false, .shows_prompts = false, .line_max_bytes = 1000});
    put(0, "half");
    EXPECT_EQ(bn_lines_deadline(lines_.get()), -1);
    bn_lines_advance(lines_.get(), 100 * PROMPT);
    put(1, "whole\n");
    put(0, " and half\n");
    EXPECT_EQ(take(), "whole\nhalf and half\n");
}

TEST_F(Lines, LongLinesLeaveInPieces)
{
    std::string piece(600, 'x');
    put(0, piece);
    EXPECT_EQ(take(), "");
    put(0, piece);
    EXPECT_EQ(take(), piece + piece);
    put(0, piece);
    EXPECT_EQ(take(), piece);
    put(1, "other\n");
    EXPECT_EQ(take(), "");
    put(0, "\n");
    EXPECT_EQ(take(), "\nother\n");
}

TEST_F(Lines, FinishLetsEverythingGo)
{
    put(0, "no end");
    put(1, "x\n");
    bn_lines_finish(lines_.get());
    EXPECT_EQ(take(), "x\nno end");
    put(2, "more");
    put(3, "and more");
    bn_lines_finish(lines_.get());
    std::string all = take();
    EXPECT_EQ(all[0], '\n');
    EXPECT_NE(all.find("more"), std::string::npos);
    EXPECT_NE(all.back(), '\n');
}

TEST_F(Lines, FinishReleasesWhatWasHeld)
{
    put(0, "name? ");
    bn_lines_advance(lines_.get(), PROMPT);
    put(1, "held\n", PROMPT);
    bn_lines_finish(lines_.get());
    EXPECT_EQ(take(), "name? \nheld\n");
}

TEST_F(Lines, MessagesBeginOnALineOfTheirOwn)
{
    put(0, "half");
    bn_lines_finish(lines_.get());
    bn_lines_say(lines_.get(), 1, "end\n");
    EXPECT_EQ(take(), "half\n<end><\n>");
}

TEST_F(Lines, LabelsOnEachLine)
{
    use({.has_labels = true, .shows_prompts = true, .line_max_bytes = 1000});
    put(12, "a\nb\nc");
    put(-1, "child\n");
    put(12, "d\n");
    EXPECT_EQ(take(), "[12] a\n[12] b\n[pid 99] child\n[12] cd\n");
    put(3, "n? ");
    bn_lines_advance(lines_.get(), PROMPT);
    put(3, "5\n6\n", PROMPT);
    EXPECT_EQ(take(), "[3] n? 5\n[3] 6\n");
}

TEST_F(Lines, ChannelsKeepTheirBytesAndShareTheOrder)
{
    put(0, "out\n", 0, 0);
    put(0, "err\n", 0, 1);
    put(0, "x", 0, 0);
    put(0, "yz\n", 0, 1);
    put(0, "\n", 0, 0);
    EXPECT_EQ(take(), "out\n<err><\nyz><\n>x\n");
}

TEST_F(Lines, BytesOfAnyKindSurvive)
{
    std::string text("a\0b\xff\n\0", 6);
    put(0, text);
    bn_lines_finish(lines_.get());
    EXPECT_EQ(take(), text);
}

/* Whatever the sizes and times: nothing is lost, and lines of different writers are never mixed. */
TEST_F(Lines, RandomPiecesNeverMixLines)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        use({.has_labels = false, .shows_prompts = round % 2 == 0, .line_max_bytes = 1000});
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
                now += static_cast<int64_t>(random() % (PROMPT / 4));
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
