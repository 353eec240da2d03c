// Preprocessed headers of real systems, and programs that no person would write, are parsed completely.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "parse_fixture.h"

namespace bn::parse {
namespace {

// Standard output of a command; empty if it fails
std::string output_of(const std::string& command)
{
    std::string text;
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr)
        return text;
    std::array<char, 65536> buffer;
    while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
        text.append(buffer.data(), count);
    return pclose(pipe) == 0 ? text : "";
}

class HeadersTest : public ParseTest {
protected:
    void SetUp() override
    {
        char pattern[] = "/tmp/headers_test-XXXXXX";
        ASSERT_NE(mkdtemp(pattern), nullptr);
        directory_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    std::string preprocess(const std::string& compiler, const std::string& text)
    {
        std::ofstream(directory_ + "/t.c") << text;
        return output_of(compiler + " -E " + directory_ + "/t.c");
    }

    void expect_whole(const std::string& preprocessed, const std::string& what)
    {
        for (bool full_parse : {false, true}) {
            load(preprocessed, {.full_parse = full_parse});
            EXPECT_EQ(diagnostics_->output(), "") << what;
            EXPECT_EQ(unit_->abandoned, 0u) << what;
            EXPECT_FALSE(unit_->uses_upc) << what;
        }
    }

    std::string directory_;
};

TEST_F(HeadersTest, EveryHeaderIsUnderstood)
{
    const char* headers[] = {
        "assert",      "complex",  "ctype",     "errno",     "fenv",       "float",       "inttypes", "iso646",
        "limits",      "locale",   "math",      "setjmp",    "signal",     "stdalign",    "stdarg",   "stdatomic",
        "stdbool",     "stddef",   "stdint",    "stdio",     "stdlib",     "stdnoreturn", "string",   "tgmath",
        "threads",     "time",     "uchar",     "wchar",     "wctype",     "immintrin",   "arm_neon", "pthread",
        "semaphore",   "unistd",   "fcntl",     "sched",     "dirent",     "dlfcn",       "poll",     "regex",
        "spawn",       "termios",  "ucontext",  "netdb",     "sys/socket", "sys/stat",    "sys/mman", "sys/types",
        "sys/time",    "sys/wait", "sys/epoll", "sys/ioctl", "netinet/in", "arpa/inet",   "elf",      "link",
        "linux/futex", "omp",      "mpi",       "hwloc",     "zlib",
    };
    int seen = 0;
    for (const char* compiler : {"gcc -std=gnu11 -march=native", "clang -std=gnu17"}) {
        for (const char* header : headers) {
            std::string what = std::string(compiler) + " <" + header + ".h>";
            std::string text = preprocess(compiler, "#define _GNU_SOURCE\n#include <" + std::string(header) + ".h>\n");
            if (text.empty())
                continue;
            expect_whole(text, what);
            seen++;
        }
    }
    EXPECT_GE(seen, 30) << "is there no compiler?";
}

TEST_F(HeadersTest, GnuCIsUnderstood)
{
    std::ifstream stream(std::string(__FILE__).substr(0, std::string(__FILE__).rfind('/')) + "/gnu_sample.c");
    ASSERT_TRUE(stream);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    expect_whole(text, "gnu_sample.c");
}

TEST_F(HeadersTest, CsmithProgramsAreUnderstood)
{
    if (output_of("cd " + directory_ + " && csmith --version").empty() ||
        preprocess("gcc -I/usr/include/csmith", "#include <csmith.h>\n").empty())
        GTEST_SKIP() << "csmith and its headers are not installed";
#if defined(BN_HAS_ASAN)
    constexpr int kPrograms = 4;
#else
    constexpr int kPrograms = 10;
#endif
    for (int seed = 1; seed <= kPrograms; seed++) {
        // It leaves a file where it runs.
        std::string program = output_of("cd " + directory_ + " && csmith --seed " + std::to_string(seed));
        ASSERT_NE(program, "");
        expect_whole(preprocess("gcc -I/usr/include/csmith", program), "csmith --seed " + std::to_string(seed));
    }
}

}  // namespace
}  // namespace bn::parse
