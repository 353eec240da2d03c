#include "lsp/document.h"

#include <random>

#include <gtest/gtest.h>

namespace bn::lsp {
namespace {

Json change_of(Position first, Position last, const std::string& text)
{
    auto position = [](Position p) { return Json{{"line", p.line}, {"character", p.column}}; };
    return {{"range", {{"start", position(first)}, {"end", position(last)}}}, {"text", text}};
}

TEST(Document, LinesEndInThreeWays)
{
    Document document("file:///a.upc", "one\r\ntwo\n\nlast", 1);
    EXPECT_EQ(document.line_count(), 4u);
    EXPECT_EQ(document.line(0), "one");
    EXPECT_EQ(document.line(1), "two");
    EXPECT_EQ(document.line(2), "");
    EXPECT_EQ(document.line(3), "last");
    EXPECT_EQ(document.line(4), "");
}

TEST(Document, CarriageReturnsAloneEndLines)
{
    Document document("file:///a.upc", "one\rtwo\r\r\nfour\r", 1);
    EXPECT_EQ(document.line_count(), 5u);
    EXPECT_EQ(document.line(0), "one");
    EXPECT_EQ(document.line(1), "two");
    EXPECT_EQ(document.line(2), "");
    EXPECT_EQ(document.line(3), "four");
    EXPECT_EQ(document.line(4), "");
    EXPECT_EQ(document.text_to_compile(), "one\ntwo\n\r\nfour\n");
}

TEST(Document, ColumnsAreUnitsOfUtf16)
{
    const std::string line = "a\u00e4\U0001f332z";  // 1, 2 and 4 bytes
    EXPECT_EQ(column_of(line, line.find('z'), Encoding::Utf16), 4u);
    EXPECT_EQ(column_of(line, line.find('z'), Encoding::Utf8), 7u);
    EXPECT_EQ(byte_of(line, 4, Encoding::Utf16), 7u);
    EXPECT_EQ(byte_of(line, 2, Encoding::Utf16), 3u);
    EXPECT_EQ(byte_of(line, 3, Encoding::Utf16), 7u) << "within a character: behind it";
    EXPECT_EQ(byte_of(line, 99, Encoding::Utf16), line.size());
    EXPECT_EQ(column_of("\xf0\x9f", 2, Encoding::Utf16), 2u) << "a character that is cut off";
}

TEST(Document, ColumnsOfALineInAnyOrder)
{
    const std::string line = "a\u00e4\U0001f332z\u00e4z";
    for (Encoding encoding : {Encoding::Utf16, Encoding::Utf8}) {
        Columns columns(line, encoding);
        for (size_t byte : {1, 3, 3, 8, 7, 0, 99, 10})
            EXPECT_EQ(columns.of(byte), column_of(line, byte, encoding)) << byte;
    }
}

TEST(Document, KeepsTheUriOfTheClient)
{
    Document document("file:///b(1)!%2b.upc", "", 1);
    EXPECT_EQ(document.uri(), "file:///b(1)!%2b.upc");
    EXPECT_EQ(document.path(), "/b(1)!+.upc");
    EXPECT_EQ(Document("untitled:1", "", 1).path(), "");
}

TEST(Document, ChangesAreThoseOfTheText)
{
    std::mt19937 random(7);
    auto below = [&](size_t n) { return static_cast<uint32_t>(random() % n); };
    std::string text = "int a;\nint b;\n";
    Document document("file:///a.upc", text, 1);
    for (int round = 0; round < 500; ++round) {
        auto place = [&](size_t offset) {
            size_t start = text.rfind('\n', offset - 1);
            start = offset == 0 || start == text.npos ? 0 : start + 1;
            auto line = static_cast<uint32_t>(std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n'));
            return Position{line, static_cast<uint32_t>(offset - start)};
        };
        size_t first = below(text.size() + 1);
        size_t last = first + below(std::min<size_t>(text.size() - first, 8) + 1);
        std::string piece = std::string(below(3), '\n') + std::string(below(4), 'x');
        ASSERT_TRUE(document.change(change_of(place(first), place(last), piece), Encoding::Utf16));
        text.replace(first, last - first, piece);
        ASSERT_EQ(document.text(), text) << round;
    }
}

TEST(Document, ChangesThatAreNoneLeaveTheText)
{
    Document document("file:///a.upc", "text", 1);
    for (const char* change : {"3", "{}", R"({"text": 7})", R"({"text": "x", "range": 7})",
                               R"({"text": "x", "range": {"start": {"line": 0, "character": 0}}})",
                               R"({"text": "x", "range": {"start": {"line": -1, "character": 0}, "end": {}}})"})
        EXPECT_FALSE(document.change(Json::parse(change), Encoding::Utf16)) << change;
    EXPECT_EQ(document.text(), "text");
    EXPECT_TRUE(document.change(change_of({9, 9}, {0, 0}, "!"), Encoding::Utf16)) << "it ends before it begins";
    EXPECT_EQ(document.text(), "text!");
}

TEST(Document, UrisNameFiles)
{
    EXPECT_EQ(path_of("file:///a%20b/%C3%A4.upc"), "/a b/\u00e4.upc");
    EXPECT_EQ(path_of("file://host/a.upc"), "/a.upc");
    EXPECT_EQ(path_of("untitled:1"), "");
    EXPECT_EQ(path_of("file:///a%00b"), "");
    EXPECT_EQ(path_of("file:///100%"), "/100%");
    EXPECT_EQ(path_of(uri_of("/a b/\u00e4#?.upc")), "/a b/\u00e4#?.upc");
}

}  // namespace
}  // namespace bn::lsp
