#include "host/files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string contents_of(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

void write_text(FILE* file, const void* text)
{
    fputs(static_cast<const char*>(text), file);
}

TEST(Files, AFileThatCannotBeWrittenStays)
{
    std::filesystem::path folder = testing::TempDir() + "files_" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    std::string path = folder / "report";
    EXPECT_TRUE(bn_files_write(path.c_str(), write_text, "old"));
    rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = {4, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    errno = 0;
    bool is_written = bn_files_write(path.c_str(), write_text, "new and long");
    int error = errno;
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_FALSE(is_written);
    EXPECT_EQ(error, EFBIG);
    EXPECT_EQ(contents_of(path), "old");
    EXPECT_TRUE(bn_files_write(path.c_str(), write_text, "new"));
    EXPECT_EQ(contents_of(path), "new");
    std::filesystem::remove_all(folder);
    EXPECT_FALSE(bn_files_write(path.c_str(), write_text, "new"));
    EXPECT_EQ(errno, ENOENT);
}

}  // namespace
