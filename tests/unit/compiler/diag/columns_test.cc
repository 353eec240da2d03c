#include "diag/columns.h"

#include "diag/diag_fixture.h"

namespace bn::diag {
namespace {

class ColumnsTest : public DiagTest {
protected:
    // "line:first-end" of a token
    std::string place(lex::TokenIndex index)
    {
        LinePlaces places(tokens_, index);
        if (!places.known())
            return "unknown";
        EXPECT_TRUE(places.contains(index));
        Place place = places.place(index);
        return std::to_string(place.line) + ":" + std::to_string(place.first) + "-" + std::to_string(place.end);
    }
};

TEST_F(ColumnsTest, PlainLineIsExact)
{
    load("int  a ;\n   x = y+++z;\n", "int a;\n   x = y+++z;\n");
    EXPECT_EQ(place(token("a")), "1:5-6");
    EXPECT_EQ(place(token(";")), "1:7-8");
    EXPECT_EQ(place(token("++")), "2:8-10");
    EXPECT_EQ(place(token("z")), "2:11-12");
}

TEST_F(ColumnsTest, ExpansionOfObjectMacroIsAtItsName)
{
    load("x = LIMIT + y;\n", "x = (10 + 20) + y;\n");
    EXPECT_EQ(place(token("10")), "1:4-9");
    EXPECT_EQ(place(token("+")), "1:4-9");
    EXPECT_EQ(place(token("+", 2)), "1:10-11");
    EXPECT_EQ(place(token("y")), "1:12-13");
}

TEST_F(ColumnsTest, ArgumentsOfMacroAreFound)
{
    load("x = MAX(aa, b) + aa;\n", "x = ((aa)>(b)?(aa):(b)) + aa;\n");
    EXPECT_EQ(place(token("aa")), "1:8-10");
    EXPECT_EQ(place(token(">")), "1:4-7");
    EXPECT_EQ(place(token("b")), "1:12-13");
    EXPECT_EQ(place(token("aa", 2)), "1:8-10");
    EXPECT_EQ(place(token("aa", 3)), "1:17-19");
}

TEST_F(ColumnsTest, EmptyMacroDisturbsNobody)
{
    load("x = EMPTY y NOTHING(1, 2) + z;\n", "x = y + z;\n");
    EXPECT_EQ(place(token("y")), "1:10-11");
    EXPECT_EQ(place(token("+")), "1:26-27");
}

TEST_F(ColumnsTest, InvocationOverLinesIsFoundOnItsLine)
{
    load("x = F(a,\n      b) + c;\n", "x = g(a, b) + c;\n\n");
    EXPECT_EQ(place(token("a")), "1:6-7");
    EXPECT_EQ(place(token("b")), "2:6-7");
    EXPECT_EQ(place(token("c")), "2:11-12");
}

TEST_F(ColumnsTest, ContinuedLineIsFoundOnItsLine)
{
    load("int a, \\\n    b;\n", "int a, b;\n");
    EXPECT_EQ(place(token("b")), "2:4-5");
}

TEST_F(ColumnsTest, LineSplitByMarkersIsOneLine)
{
    load("p = NULL; q = r;\n", "p = \n# 1 \"t.upc\" 3 4\n   ((void *)0)\n# 1 \"t.upc\"\n   ; q = r;\n");
    EXPECT_EQ(place(token("void")), "1:4-8");
    EXPECT_EQ(place(token("q")), "1:10-11");
}

TEST_F(ColumnsTest, CommentsAreSkipped)
{
    load("/* it's x */ x /* x */ = y; // y\n", " x = y;\n");
    EXPECT_EQ(place(token("x")), "1:13-14");
    EXPECT_EQ(place(token("y")), "1:25-26");
}

TEST_F(ColumnsTest, LineThatBeginsInsideACommentIsFound)
{
    load("/* one\n don't x */ x = y;\n", "\n x = y;\n");
    EXPECT_EQ(place(token("x")), "2:12-13");
}

TEST_F(ColumnsTest, StringsAndNumbersAreWhole)
{
    load("f(L\"a b\", 1.5e+3, 'x', .5);\n");
    EXPECT_EQ(place(token("L\"a b\"")), "1:2-8");
    EXPECT_EQ(place(token("1.5e+3")), "1:10-16");
    EXPECT_EQ(place(token(".5")), "1:23-25");
}

TEST_F(ColumnsTest, MissingFileIsUnknown)
{
    load("", "\n# 1 \"gone.upc\"\nint a;\n");
    EXPECT_EQ(place(token("a")), "unknown");
}

TEST_F(ColumnsTest, FileThatChangedStaysInRange)
{
    load("completely different\n", "int a = b;\n");
    EXPECT_EQ(place(token("b")).substr(0, 2), "1:");
}

TEST_F(ColumnsTest, LongLineWithMacrosEndsSoon)
{
    std::string text = "x = M;";
    std::string expanded = "x = 1;";
    for (int i = 0; i < 20000; ++i) {
        text += " y = M + z;";
        expanded += " y = (2 * 3) + z;";
    }
    load(text + "\n", expanded + "\n");
    EXPECT_EQ(place(token("z", 20000)).substr(0, 2), "1:");
    EXPECT_EQ(place(token("x")), "1:0-1");
}

TEST(DisplayLine, TabsFillUpToMultiplesOfEight)
{
    DisplayLine line = display("\tab\tc");
    EXPECT_EQ(line.text, "        ab      c");
    EXPECT_EQ(line.columns, (std::vector<uint32_t>{0, 8, 9, 10, 16, 17}));
}

TEST(DisplayLine, WideAndCombiningCharactersCountAsShown)
{
    DisplayLine line = display("\xc3\xa9\xe4\xb8\xad"
                               "e\xcc\x81x");
    EXPECT_EQ(line.columns, (std::vector<uint32_t>{0, 0, 1, 1, 1, 3, 4, 4, 4, 5}));
}

TEST(DisplayLine, ControlCharactersAreBlank)
{
    EXPECT_EQ(display("a\33[31m\x7f").text, "a [31m ");
}

TEST(DisplayLine, MalformedBytesTakeAColumnEach)
{
    EXPECT_EQ(display("\xff\xe4\xb8x").columns, (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace bn::diag
