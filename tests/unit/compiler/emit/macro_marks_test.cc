// What keeps the mark that it comes from the macro of a system header
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::emit {
namespace {

// Whether the C compiler is told that `text` comes from such a macro, in "x = TEXT BEHIND"
bool is_marked(const std::string& text, const std::string& behind = ";", const std::string& flags = "")
{
    driver::TranslateOptions options;
    options.source_name = "t.upc";
    std::string c =
        driver::translate(
            "# 1 \"t.upc\"\nshared int s; typedef int *handler;\nint f(void) { int x;\n x =\n# 3 \"t.upc\" 3 4\n    " +
                text + "\n# 3 \"t.upc\"" + flags + "\n    " + behind + " s = x; return x; }\n",
            options)
            .c;
    EXPECT_NE(c.find(text), c.npos) << c;
    EXPECT_EQ(c.find("# 3 \"t.upc\" 3 4\n    " + text) == c.npos, c.find("# 3 \"t.upc\"   \n     " + text) != c.npos)
        << c;
    return c.find("\" 3 4\n    " + text) != c.npos;
}

TEST(MacroMarks, NamesAndConstantsBelongToTheProgram)
{
    for (const char* text : {"((void *)0)", "1", "(-1)", "0x7fffffff", "(18446744073709551615UL)", "stdout", "-0XfL",
                             "((handler) 0)", "((void *)1)", "((const char *)-1)"})
        EXPECT_FALSE(is_marked(text)) << text;
}

TEST(MacroMarks, OtherTextStaysMarked)
{
    for (const char* text : {"((void *)(1))", "((int)1)", "((g)(1))", "(1 + 1)", "1.5", "1e5", "9223372036854775807LL",
                             "0x1p3", "a.b", "(int)1", "\"text\"", "__extension__ 1", "0b1", "(*f())"})
        EXPECT_TRUE(is_marked(text)) << text;
}

TEST(MacroMarks, AFunctionStaysMarked)
{
    EXPECT_TRUE(is_marked("name", "(1);"));
}

TEST(MacroMarks, InASystemHeaderEverythingIsMarked)
{
    EXPECT_TRUE(is_marked("1", ";", " 3 4"));
}

TEST(MacroMarks, InLoweredText)
{
    driver::TranslateOptions options;
    options.source_name = "t.upc";
    std::string c =
        driver::translate("# 1 \"t.upc\"\nshared int s;\nvoid f(void) {\n s =\n# 3 \"t.upc\" 3 4\n    ((void *)0)\n"
                          "# 3 \"t.upc\"\n    ; }\n",
                          options)
            .c;
    EXPECT_GT(c.find("\" 3"), c.find("((void *)0)")) << c;  // behind the program
}

}  // namespace
}  // namespace bn::emit
