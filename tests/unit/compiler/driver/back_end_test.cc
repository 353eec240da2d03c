// Messages of the C compiler as they are reported, of kinds that compilers seldom write.
#include "driver/back_end.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::driver {
namespace {

class Retell : public ::testing::Test {
protected:
    // Translates a program, line 1 of t.upc first, behind a header that has a helper of upcc's.
    void translate(const std::string& program)
    {
        std::string text =
            "# 1 \"t.upc\"\n# 1 \"/usr/include/banyan/access.h\" 1 3\nstatic int bn_helper(int x) { return x; }\n"
            "# 1 \"t.upc\" 2\n" +
            program;
        TranslateOptions options;
        options.source_name = "t.upc";
        result_ = driver::translate(text, options);
        ASSERT_TRUE(result_.ok) << result_.messages;
    }

    // FILE:LINE:COLUMN of the first `needle` in emitted C that is not in the header
    std::string place(const std::string& needle) const
    {
        size_t at = result_.c.find(needle, result_.c.find("\" 2\n"));
        size_t line_begin = result_.c.rfind('\n', at) + 1;
        return "t.upc:1:" + std::to_string(at - line_begin + 1);
    }

    std::string retell(const std::string& messages) const
    {
        diag::Options options;
        options.source_lines = false;
        return driver::retell(messages, result_.c, *result_.origin, options).text;
    }

    TranslateResult result_;
};

TEST_F(Retell, WhatIsInlinedFromHelpersIsOfWhoCalledThem)
{
    translate("shared int a; int f(int k) { return a + k; }\n");
    std::string helper = "In function 'bn_helper',\n    inlined from 'f' at " + place("(*(int *)") +
                         ":\n"
                         "/usr/include/banyan/access.h:1:12: warning: out of bounds [-Warray-bounds]\n";
    EXPECT_EQ(retell(helper), "t.upc: In function 'f':\nt.upc:1:37: warning: out of bounds [-Warray-bounds]\n");
    std::string deeper = helper;
    deeper.insert(deeper.find(":\n/usr"), ",\n    inlined from 'g' at " + place("+ k"));
    deeper.replace(deeper.find(",\n    inlined from 'g'"), 1, ",");
    EXPECT_EQ(retell(deeper), "t.upc: In function 'f':\n    inlined from 'g' at t.upc:1:39:\n"
                              "t.upc:1:37: warning: out of bounds [-Warray-bounds]\n");
}

TEST_F(Retell, WarningsInsideOfHelpersAreLeftOutAndErrorsAreNot)
{
    translate("shared int a;\n");
    std::string inside = "/usr/include/banyan/access.h:1:12: ";
    EXPECT_EQ(retell(inside + "warning: something\n" + inside + "note: more of it\n"), "");
    EXPECT_EQ(retell(inside + "error: something\n").find("/usr/include/banyan/access.h:1:12: error: something\n"), 31u);
}

TEST_F(Retell, NamesOfEmittedCBecomeWhatTheyStandFor)
{
    translate("shared int a[THREADS]; int f(int k) { return a[k] + 1; }\n");
    std::string at = place("(*(int *)");
    EXPECT_EQ(retell(at + ": error: called object '*(int *)bn_elem_once(a, k, 1, 4)' is no function\n"),
              "t.upc:1:46: error: called object 'a[k]' is no function\n");
    EXPECT_EQ(retell(at + ": error: has type \u2018bn_pts_t\u2019 {aka \u2018struct bn_pointer_to_shared\u2019}; "
                          "\u2018const bn_u64 *\u2019\n"),
              "t.upc:1:46: error: has type \u2018pointer-to-shared\u2019; \u2018const unsigned long *\u2019\n");
    EXPECT_EQ(retell(at + ": error: type 'bn_pts_t' (aka 'struct bn_pointer_to_shared') here\n"),
              "t.upc:1:46: error: type 'pointer-to-shared' here\n");
}

TEST_F(Retell, WarningsOfNamesThatOnlyEmittedCHasAreLeftOut)
{
    translate("shared int a[THREADS]; int f(int k) { return a[k] + 1; }\n");
    std::string at = place("(*(int *)");
    EXPECT_EQ(
        retell(at + ": warning: declaration of 'bn_row3' shadows\n" + at + ": note: shadowed declaration is here\n"),
        "");
    EXPECT_EQ(retell(at + ": warning: strange cast [-Wbad-function-cast]\n"), "");
    EXPECT_NE(retell(place("+ 1") + ": warning: strange cast [-Wbad-function-cast]\n"), "");
}

TEST_F(Retell, WarningsOfFormAreOfWhatTheProgramWrote)
{
    translate("shared int a[THREADS]; long g(void); double f(shared int *p, shared int *q)\n"
              "{ int b = (int)g() + *p; return b + (double)((p - q)); }\n");
    auto on_line_2 = [&](const std::string& needle) {
        size_t at = result_.c.find(needle);
        return "t.upc:2:" + std::to_string(at - result_.c.rfind('\n', at));
    };
    std::string lowered = on_line_2("(*(int *)") + ": warning: ";
    for (const char* option : {"cast-qual", "declaration-after-statement", "pre-c11-compat", "unsafe-buffer-usage"}) {
        std::string warning = std::string("odd [-W") + option + "]\n";
        EXPECT_EQ(retell(lowered + warning), "");
        EXPECT_EQ(retell(on_line_2("int b") + ": warning: " + warning), "t.upc:2:7: warning: " + warning);
    }
    std::string of_cast = ": warning: cast from function call [-Wbad-function-cast]\n";
    EXPECT_EQ(retell(on_line_2("(int)g()") + of_cast), "t.upc:2:11" + of_cast);
    EXPECT_EQ(retell(on_line_2("(double)") + of_cast), "");
}

TEST_F(Retell, WarningsThatTakeARepresentationForAValueAreLeftOut)
{
    translate("static shared int a; struct s { int x; }; int main(void) { return a; }\n");
    std::string lowered = place("(*(int *)") + ": warning: ";
    std::string null = "dereference of NULL '0' [CWE-476] [-Wanalyzer-null-dereference]\n";
    EXPECT_EQ(retell(lowered + null + place("(*(int *)") + ": note: (1) '0' is NULL\n"), "");
    std::string named = "dereference of NULL 'p' [CWE-476] [-Wanalyzer-null-dereference]\n";
    EXPECT_EQ(retell(place("main") + ": warning: " + named), "t.upc:1:47: warning: " + named);
    EXPECT_EQ(retell(place("main") + ": warning: function call has aggregate value [-Waggregate-return]\n"), "");
    std::string defined = "function returns an aggregate [-Waggregate-return]\n";
    EXPECT_EQ(retell(place("main") + ": warning: " + defined), "t.upc:1:47: warning: " + defined);
}

TEST_F(Retell, WarningsOfAttributesThatTheProgramDoesNotSayAreLeftOut)
{
    std::string warning = ": warning: 'p' was marked unused but was used [-Wused-but-marked-unused]\n";
    translate("int f(shared int *p) { return p != 0; }\n");
    EXPECT_EQ(retell(place("return") + warning), "");
    translate("int f(__attribute__((unused)) shared int *p) { return p != 0; }\n");
    EXPECT_EQ(retell(place("return") + warning), "t.upc:1:48" + warning);
}

TEST_F(Retell, NamesOfTheProgramThatBeginLikeOursStay)
{
    translate("shared int a[THREADS]; int f(int bn_mine) { return a[1] + bn_mine; }\n");
    EXPECT_EQ(retell(place("bn_mine;") + ": warning: 'bn_mine' is odd\n"), "t.upc:1:59: warning: 'bn_mine' is odd\n");
}

TEST_F(Retell, ErrorsBehindTheProgramFollowFromOthers)
{
    translate("shared int a; int f(int k) { return a + k; }\n");
    auto physical = std::count(result_.c.begin(), result_.c.begin() + result_.c.find("bn_unit_enter"), '\n');
    std::string line = std::to_string(source::Source(result_.c, "").location(physical).line);
    std::string behind = "t.upc:" + line + ":42: error: invalid storage class for function 'bn_unit_enter'\n";
    std::string other = place("+ k") + ": error: wrong\n";
    EXPECT_EQ(retell(behind), behind);
    EXPECT_EQ(retell(behind + behind + other), "t.upc:1:39: error: wrong\n");
    EXPECT_EQ(retell(behind + "t.upc:" + line + ": error: something is open\n"),
              "t.upc:1:44: error: something is open\n");
}

TEST_F(Retell, OtherLinesStay)
{
    translate("shared int a;\n");
    std::string lines =
        "cc1: all warnings being treated as errors\nelsewhere.h:3:4: warning: odd\n{standard input}: 3\n";
    EXPECT_EQ(retell(lines),
              "cc1: all warnings being treated as errors\nelsewhere.h:3:4: warning: odd\n{standard input}: 3\n");
    EXPECT_EQ(retell("2 warnings and 1 error generated.\n"), "");
    EXPECT_EQ(retell("t.upc:999999:1: warning: beyond\nt.upc:99999999999:1: warning: far beyond\n"),
              "t.upc:999999:1: warning: beyond\nt.upc:99999999999:1: warning: far beyond\n");
}

TEST_F(Retell, WhatCannotBeToldAgain)
{
    EXPECT_TRUE(can_retell({"-Wall", "-O2", "-fdiagnostics-color=always"}));
    for (const char* flag : {"-fdiagnostics-format=json", "-fopt-info-vec", "-Rpass=loop-vectorize"})
        EXPECT_FALSE(can_retell({"-Wall", flag})) << flag;
}

}  // namespace
}  // namespace bn::driver
