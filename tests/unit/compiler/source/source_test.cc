#include "source/source.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace bn::source {
namespace {

std::string where(const Source& source, uint32_t physical)
{
    Location location = source.location(physical);
    return std::string(source.file_name(location.file)) + ":" + std::to_string(location.line) +
           (location.in_system_header ? " system" : "");
}

TEST(LineMarker, ReadsNumberFileAndFlags)
{
    std::optional<LineMarker> marker = parse_line_marker("# 33 \"/usr/include/stdio.h\" 1 3 4");
    ASSERT_TRUE(marker);
    EXPECT_EQ(marker->line, 33u);
    EXPECT_EQ(marker->quoted_file, "/usr/include/stdio.h");
    EXPECT_TRUE(marker->enters_file);
    EXPECT_FALSE(marker->returns_to_file);
    EXPECT_TRUE(marker->in_system_header);
}

TEST(LineMarker, ReadsLineDirectivesWithAndWithoutAFile)
{
    std::optional<LineMarker> marker = parse_line_marker("#line 7 \"a \\\"b\\\".c\"");
    ASSERT_TRUE(marker);
    EXPECT_EQ(marker->line, 7u);
    EXPECT_EQ(marker->quoted_file, "a \\\"b\\\".c");
    marker = parse_line_marker("# 12");
    ASSERT_TRUE(marker);
    EXPECT_EQ(marker->line, 12u);
    EXPECT_EQ(marker->quoted_file.data(), nullptr);
}

TEST(LineMarker, RefusesOtherDirectivesAndBrokenOnes)
{
    for (std::string_view line : {"", "#", "# ", "#pragma upc strict", "#ident \"x\"", "# 3 \"open", "#line", "int x;"})
        EXPECT_FALSE(parse_line_marker(line)) << line;
}

TEST(Source, WithoutMarkersLinesCountFromOne)
{
    Source source("int a;\nint b;\n", "x.upc");
    EXPECT_EQ(source.line_count(), 3u);
    EXPECT_EQ(source.line_offset(1), 7u);
    EXPECT_EQ(where(source, 0), "x.upc:1");
    EXPECT_EQ(where(source, 1), "x.upc:2");
}

TEST(Source, RemembersWhatIncludedAFile)
{
    Source source("# 1 \"main.upc\"\n"   // 0
                  "int a;\n"             // 1: main.upc:1
                  "# 1 \"outer.h\" 1\n"  // main.upc:2 is the #include
                  "int b;\n\n"           // 3: outer.h:1
                  "# 1 \"inner.h\" 1\n"  // outer.h:3
                  "int c;\n"             // 6: inner.h:1
                  "# 4 \"outer.h\" 2\n"
                  "int d;\n"  // 8: outer.h:4
                  "# 3 \"main.upc\" 2\n"
                  "int e;\n",  // 10: main.upc:3
                  "main.upc");
    auto chain = [&](uint32_t physical) {
        std::string text;
        for (const Location& at : source.included_from(physical))
            text += std::string(source.file_name(at.file)) + ":" + std::to_string(at.line) + " ";
        return text;
    };
    EXPECT_EQ(chain(1), "");
    EXPECT_EQ(chain(3), "main.upc:2 ");
    EXPECT_EQ(chain(6), "outer.h:3 main.upc:2 ");
    EXPECT_EQ(chain(8), "main.upc:2 ");
    EXPECT_EQ(chain(10), "");
}

TEST(Source, MarkersMoveTheLocation)
{
    Source source("# 1 \"a.c\"\nint a;\n# 10 \"/usr/include/h.h\" 1 3\nint h;\nint i;\n# 3 \"a.c\" 2\nint b;\n",
                  "x.upc");
    EXPECT_EQ(where(source, 1), "a.c:1");
    EXPECT_EQ(where(source, 3), "/usr/include/h.h:10 system");
    EXPECT_EQ(where(source, 4), "/usr/include/h.h:11 system");
    EXPECT_EQ(where(source, 6), "a.c:3");
    EXPECT_EQ(source.location(1).file, source.location(6).file) << "one number for one file";
}

TEST(Source, MarkerWithoutFileKeepsTheFile)
{
    Source source("# 5 \"s.h\" 1 3\nint a;\n# 9\nint b;\n", "x.upc");
    EXPECT_EQ(where(source, 3), "s.h:9 system");
}

TEST(Source, FileNamesAreUnescaped)
{
    Source source("# 1 \"a\\\\b\\\"c\\303\\251.c\"\nint x;\n", "x.upc");
    EXPECT_EQ(where(source, 1), "a\\b\"c\303\251.c:1");
}

TEST(Source, FileNamesAreQuoted)
{
    for (const char* name : {"a.c", "a b\"\\.c", "a\nb\tc\033.c", "\303\251.c", "\\n1", "1\n1"}) {
        const std::string quoted = quoted_name(name);
        EXPECT_EQ(unescape(std::string_view(quoted).substr(1, quoted.size() - 2)), name);
        EXPECT_EQ(quoted.find_first_of("\n\t\033"), quoted.npos);
    }
    EXPECT_EQ(unescape("a\\nb\\t"), "a\nb\t") << "as gcc and clang write them";
}

TEST(Source, MarkersInTheMiddleOfALineAreNone)
{
    Source source("int a; # 7 \"b.c\"\nint c;\n", "x.upc");
    EXPECT_EQ(where(source, 1), "x.upc:2");
}

TEST(Source, NamesAreAsWritten)
{
    Source source("int gr\\U000000f6\\u00dfe = \\U0001F600x + n\\u03b1;\n"
                  "char *a = \"\\u00f6\\\"\", b = '\\u00f6', *c = R\"x(\n\\u00f6\")x\" \\u00e9;\n"
                  "int d = 1'000'0 + \\u00e9, \\u12 \\U00110000 \\u0024;\n",
                  "a.upc");
    EXPECT_EQ(source.text(), "int gr\u00f6\u00dfe = \U0001F600x + n\u03b1;\n"
                             "char *a = \"\\u00f6\\\"\", b = '\\u00f6', *c = R\"x(\n\\u00f6\")x\" \u00e9;\n"
                             "int d = 1'000'0 + \u00e9, \\u12 \\U00110000 \\u0024;\n");
}

TEST(Source, EmptyTextIsOneLine)
{
    Source source("", "x.upc");
    EXPECT_EQ(source.line_count(), 1u);
    EXPECT_EQ(where(source, 0), "x.upc:1");
}

TEST(Source, ShowsLinesOfFiles)
{
    char path[] = "/tmp/source_test-XXXXXX";
    int descriptor = mkstemp(path);
    ASSERT_GE(descriptor, 0);
    close(descriptor);
    std::ofstream(path, std::ios::binary) << "first\r\nsecond\nlast";
    Source source("# 1 \"" + std::string(path) + "\"\nx\n# 1 \"/no/such/file\"\ny\n", "x.upc");
    uint32_t file = source.location(1).file;
    EXPECT_EQ(source.source_line(file, 1), "first");
    EXPECT_EQ(source.source_line(file, 2), "second");
    EXPECT_EQ(source.source_line(file, 3), "last");
    EXPECT_EQ(source.source_line(file, 4), "");
    EXPECT_EQ(source.source_line(file, 0), "");
    EXPECT_EQ(source.source_line(source.location(3).file, 1), "");
    std::remove(path);
}

TEST(Source, TextOfAnEditorTakesThePlaceOfTheFile)
{
    Source source("# 1 \"/no/such/file\"\nx\n", "x.upc");
    uint32_t file = source.location(1).file;
    source.set_file("/no/such/file", "first\r\nsecond");
    source.set_file("/another", "other");
    EXPECT_EQ(source.source_line(file, 1), "first");
    EXPECT_EQ(source.source_line(file, 2), "second");
    EXPECT_EQ(source.source_line(file, 3), "");
    EXPECT_EQ(source.source_line(0, 1), "");
}

TEST(Source, DevicesAreNotRead)
{
    Source source("# 1 \"/dev/zero\"\nx\n", "x.upc");
    EXPECT_EQ(source.source_line(source.location(1).file, 1), "");
}

}  // namespace
}  // namespace bn::source
