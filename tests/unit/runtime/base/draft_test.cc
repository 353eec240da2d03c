#include "base/draft.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

class DraftTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "banyan-draft-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }

    void TearDown() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    static bool write(const std::string& name, const std::string& text)
    {
        bn_draft draft;
        if (!bn_draft_begin(&draft, name.c_str()))
            return false;
        fputs(text.c_str(), draft.file);
        return bn_draft_end(&draft);
    }

    static std::string read(const std::string& name)
    {
        std::ifstream stream(name);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    long count() const { return std::distance(fs::directory_iterator(folder_), {}); }

    fs::path folder_;
};

TEST_F(DraftTest, TakesThePlaceOfAFileWhenItEnds)
{
    ASSERT_TRUE(write(path("table"), "old"));
    bn_draft draft;
    ASSERT_TRUE(bn_draft_begin(&draft, path("table").c_str()));
    fputs("new", draft.file);
    fflush(draft.file);
    EXPECT_EQ(read(path("table")), "old");
    EXPECT_TRUE(bn_draft_end(&draft));
    EXPECT_EQ(read(path("table")), "new");
    EXPECT_EQ(count(), 1);
}

TEST_F(DraftTest, LeavesLinksAndWritesWhatTheyName)
{
    ASSERT_TRUE(write(path("table"), "old"));
    fs::create_symlink("table", path("link"));
    EXPECT_TRUE(write(path("link"), "new"));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read(path("table")), "new");
}

TEST_F(DraftTest, WritesToWhatIsNoPlainFile)
{
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    int end = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(end, 0);
    EXPECT_TRUE(write(path("pipe"), "text"));
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    char text[5] = "";
    EXPECT_EQ(::read(end, text, 4), 4);
    EXPECT_STREQ(text, "text");
    close(end);
    EXPECT_EQ(count(), 1);
}

TEST_F(DraftTest, SaysWhetherItIsPossibleAndChangesNothing)
{
    EXPECT_TRUE(bn_draft_is_possible(path("table").c_str()));
    EXPECT_EQ(count(), 0);
    ASSERT_TRUE(write(path("table"), "text"));
    EXPECT_TRUE(bn_draft_is_possible(path("table").c_str()));
    EXPECT_EQ(read(path("table")), "text");
    EXPECT_EQ(count(), 1);
    EXPECT_TRUE(bn_draft_is_possible("/dev/null"));
    EXPECT_FALSE(bn_draft_is_possible(path("no/table").c_str()));
    EXPECT_EQ(errno, ENOENT);
    EXPECT_FALSE(bn_draft_is_possible(folder_.c_str()));
    EXPECT_EQ(errno, EISDIR);
}

TEST_F(DraftTest, SaysWhatCannotBeWritten)
{
    EXPECT_FALSE(write(path("no/table"), "text"));
    EXPECT_EQ(errno, ENOENT);
    EXPECT_FALSE(write(folder_.string(), "text"));
    EXPECT_EQ(errno, EISDIR);
    EXPECT_FALSE(write("/dev/full", "text"));
    EXPECT_EQ(errno, ENOSPC);
    EXPECT_EQ(count(), 0);
}

TEST_F(DraftTest, SaysThatAnEarlierWriteFailed)
{
    bn_draft draft;
    ASSERT_TRUE(bn_draft_begin(&draft, path("table").c_str()));
    fgetc(draft.file);  // marks the stream as failed
    errno = 0;
    EXPECT_FALSE(bn_draft_end(&draft));
    EXPECT_EQ(errno, EIO);
    EXPECT_EQ(count(), 0);
}

TEST_F(DraftTest, FailsAtTheLimitOfFileSizesWithoutASignal)
{
    signal(SIGXFSZ, SIG_DFL);
    ASSERT_TRUE(write(path("table"), "old"));
    rlimit before;
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = {100, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool is_written = write(path("table"), std::string(101, 'x'));
    int error = errno;
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_FALSE(is_written);
    EXPECT_EQ(error, EFBIG);
    EXPECT_EQ(read(path("table")), "old");
    EXPECT_EQ(count(), 1);
}

TEST_F(DraftTest, LeavesWhatTheLimitOfFileSizesDoes)
{
    signal(SIGXFSZ, SIG_DFL);
    struct sigaction present;
    EXPECT_TRUE(write(path("table"), "text"));
    EXPECT_FALSE(write(path("folder/table"), "text"));
    EXPECT_TRUE(bn_draft_is_possible(path("table").c_str()));
    ASSERT_EQ(sigaction(SIGXFSZ, nullptr, &present), 0);
    EXPECT_EQ(present.sa_handler, SIG_DFL);
}

}  // namespace
