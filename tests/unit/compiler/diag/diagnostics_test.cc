#include "diag/diagnostics.h"

#include <set>

#include "diag/diag_fixture.h"

namespace bn::diag {
namespace {

class DiagnosticsTest : public DiagTest {};

TEST_F(DiagnosticsTest, PointsAtAToken)
{
    load("int a;\nint value = 1;\n");
    EXPECT_EQ(error_at(token("value")), "t.upc:2:5: error: expected X before Y\n"
                                        "    2 | int value = 1;\n"
                                        "      |     ^~~~~\n");
}

TEST_F(DiagnosticsTest, UnderlinesARangeWithTheCaretInside)
{
    load("x = aa + bb;\n");
    EXPECT_EQ(error_at({token("aa"), token("bb"), token("+")}), "t.upc:1:8: error: expected X before Y\n"
                                                                "    1 | x = aa + bb;\n"
                                                                "      |     ~~~^~~~\n");
}

TEST_F(DiagnosticsTest, RangeMayBeGivenWithoutTheCaret)
{
    load("x = aa + bb;\n");
    EXPECT_EQ(error_at({token("+"), token("bb"), token("aa")}), "t.upc:1:5: error: expected X before Y\n"
                                                                "    1 | x = aa + bb;\n"
                                                                "      |     ^~~~~~~\n");
}

TEST_F(DiagnosticsTest, TabsAreExpandedAndCounted)
{
    load("\tx =\ty;\n");
    EXPECT_EQ(error_at(token("y")), "t.upc:1:17: error: expected X before Y\n"
                                    "    1 |         x =     y;\n"
                                    "      |                 ^\n");
}

TEST_F(DiagnosticsTest, ColumnsAreThoseOfTheDisplay)
{
    load("char *s = \"\xe4\xb8\xad\xc3\xa9\"; y;\n");
    EXPECT_EQ(error_at(token("y")), "t.upc:1:18: error: expected X before Y\n"
                                    "    1 | char *s = \"\xe4\xb8\xad\xc3\xa9\"; y;\n"
                                    "      |                  ^\n");
}

TEST_F(DiagnosticsTest, RangeThatGoesOnIsUnderlinedToTheEndOfTheLine)
{
    load("  x = f(a,\n        b) ;\n");
    EXPECT_EQ(error_at({token("f"), token(")"), token("(")}), "t.upc:1:8: error: expected X before Y\n"
                                                              "    1 |   x = f(a,\n"
                                                              "      |       ~^~~\n");
}

TEST_F(DiagnosticsTest, RangeThatBeganEarlierIsUnderlinedFromTheStartOfTheLine)
{
    load("  x = f(a,\n        b) ;\n");
    EXPECT_EQ(error_at({token("f"), token(")"), token(")")}), "t.upc:2:10: error: expected X before Y\n"
                                                              "    2 |         b) ;\n"
                                                              "      |         ~^\n");
}

TEST_F(DiagnosticsTest, MacroIsPointedAtByItsName)
{
    load("x = LIMIT + y;\n", "x = (10 - 20) + y;\n");
    EXPECT_EQ(error_at(token("-")), "t.upc:1:5: error: expected X before Y\n"
                                    "    1 | x = LIMIT + y;\n"
                                    "      |     ^~~~~\n");
}

TEST_F(DiagnosticsTest, EndOfFileIsAtTheLastToken)
{
    load("int a\n\n\n");
    EXPECT_EQ(error_at(end()), "t.upc:1:5: error: expected X before Y\n"
                               "    1 | int a\n"
                               "      |     ^\n");
}

TEST_F(DiagnosticsTest, EmptyFileHasAPlace)
{
    load("");
    EXPECT_EQ(error_at(end()).substr(0, 11), "t.upc:1:1: ");
}

TEST_F(DiagnosticsTest, WithoutTheFileTheColumnIsThatOfTheText)
{
    load("", "# 7 \"gone.upc\"\n  int a;\n");
    EXPECT_EQ(error_at(token("a")), "gone.upc:7:7: error: expected X before Y\n");
}

TEST_F(DiagnosticsTest, CarriageReturnsAreNotShown)
{
    load("int a;\r\nint b;\r\n");
    EXPECT_EQ(error_at({token("int"), token("b"), token("int")}).find('\r'), std::string::npos);
}

TEST_F(DiagnosticsTest, LongLineIsShownAroundTheCaret)
{
    std::string spaces(5000, ' ');
    load(spaces + "aa bb" + spaces + ";\n");
    std::string output = error_at(token("bb"));
    EXPECT_LT(output.size(), 1000u);
    EXPECT_EQ(output.substr(0, 14), "t.upc:1:5004: ");
    EXPECT_NE(output.find("aa bb"), std::string::npos);
    size_t text = output.find('\n') + 1;
    size_t marks = output.find('\n', text) + 1;
    EXPECT_EQ(output.find("bb", text) - text, output.find("^~", marks) - marks);
}

TEST_F(DiagnosticsTest, ColourMarksWhatGccMarks)
{
    load("int value;\n");
    EXPECT_EQ(error_at({token("value"), token("value"), token("value")}, {.colour = true}),
              "\33[01m\33[Kt.upc:1:5:\33[m\33[K \33[01;31m\33[Kerror: \33[m\33[Kexpected X before Y\n"
              "    1 | int \33[01;31m\33[Kvalue\33[m\33[K;\n"
              "      |     \33[01;31m\33[K^~~~~\33[m\33[K\n");
}

TEST_F(DiagnosticsTest, ColourMakesQuotedPartsBold)
{
    load("int value;\n");
    Diagnostics diagnostics(tokens_, {.colour = true});
    diagnostics.report(Id::BadPragma, token("value"));
    EXPECT_EQ(diagnostics.output().substr(0, diagnostics.output().find('\n')),
              "\33[01m\33[Kt.upc:1:5:\33[m\33[K \33[01;35m\33[Kwarning: \33[m\33[K'\33[01m\33[K#pragma upc\33[m\33[K' "
              "must be "
              "followed by '\33[01m\33[Kstrict\33[m\33[K' or '\33[01m\33[Krelaxed\33[m\33[K'; it is ignored "
              "[\33[01;35m\33[K-Wunknown-pragmas\33[m\33[K]");
}

TEST_F(DiagnosticsTest, ArgumentsCannotDisturbTheTerminal)
{
    load("int value;\n");
    Diagnostics diagnostics(tokens_, {});
    diagnostics.report(Id::Expected, token("value"), {"a\33b\nc", std::string(5000, 'x')});
    EXPECT_NE(diagnostics.output().find("expected a b c before xxx"), std::string::npos);
    EXPECT_LT(diagnostics.output().size(), 500u);
}

TEST_F(DiagnosticsTest, WarningNamesItsOption)
{
    load("int value;\n");
    Diagnostics diagnostics(tokens_, {});
    diagnostics.report(Id::BadPragma, token("value"));
    EXPECT_EQ(diagnostics.output(), "t.upc:1:5: warning: '#pragma upc' must be followed by 'strict' or 'relaxed'; it "
                                    "is ignored [-Wunknown-pragmas]\n"
                                    "    1 | int value;\n"
                                    "      |     ^~~~~\n");
    EXPECT_EQ(diagnostics.warning_count(), 1u);
    EXPECT_FALSE(diagnostics.has_errors());
}

TEST_F(DiagnosticsTest, WarningsCanBeTurnedOff)
{
    load("int value;\n");
    for (const Options& options : {Options{.warnings = false}, Options{.warning_flags = {"-Wno-unknown-pragmas"}}}) {
        Diagnostics diagnostics(tokens_, options);
        diagnostics.report(Id::BadPragma, token("value"));
        EXPECT_EQ(diagnostics.output(), "");
        EXPECT_EQ(diagnostics.warning_count(), 0u);
    }
}

TEST_F(DiagnosticsTest, TheLastFlagCounts)
{
    load("int value;\n");
    Diagnostics diagnostics(tokens_, {.warning_flags = {"-Wno-unknown-pragmas", "-Wunknown-pragmas"}});
    diagnostics.report(Id::BadPragma, token("value"));
    EXPECT_EQ(diagnostics.warning_count(), 1u);
}

TEST_F(DiagnosticsTest, WarningsCanBecomeErrors)
{
    load("int value;\n");
    const Options as_errors[] = {{.warnings_are_errors = true}, {.warning_flags = {"-Werror=unknown-pragmas"}}};
    for (const Options& options : as_errors) {
        Diagnostics diagnostics(tokens_, options);
        diagnostics.report(Id::BadPragma, token("value"));
        EXPECT_TRUE(diagnostics.has_errors());
        EXPECT_NE(diagnostics.output().find("error: '#pragma upc' must"), std::string::npos);
        EXPECT_NE(diagnostics.output().find("[-Werror=unknown-pragmas]"), std::string::npos);
    }
    Diagnostics diagnostics(tokens_, {.warnings_are_errors = true, .warning_flags = {"-Wno-error=unknown-pragmas"}});
    diagnostics.report(Id::BadPragma, token("value"));
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_EQ(diagnostics.warning_count(), 1u);
}

TEST_F(DiagnosticsTest, WarningsInSystemHeadersAreDroppedErrorsAreNot)
{
    load("int value;\n", "# 1 \"t.upc\" 1 3\nint value;\n");
    Diagnostics diagnostics(tokens_, {});
    diagnostics.report(Id::BadPragma, token("value"));
    EXPECT_EQ(diagnostics.output(), "");
    diagnostics.report(Id::Expected, token("value"), {"X", "Y"});
    EXPECT_TRUE(diagnostics.has_errors());
}

TEST_F(DiagnosticsTest, SameMessageAtSameTokenIsSaidOnce)
{
    load("int a, b;\n");
    Diagnostics diagnostics(tokens_, {});
    diagnostics.report(Id::Expected, token("b"), {"X", "Y"});
    diagnostics.report(Id::Expected, token("a"), {"X", "Y"});
    diagnostics.report(Id::Expected, token("b"), {"X", "Y"});
    diagnostics.report(Id::ExpectedExpression, token("b"), {"Y"});
    EXPECT_EQ(diagnostics.error_count(), 3u);
}

TEST_F(DiagnosticsTest, GivesUpAfterTheLimit)
{
    load("int a, b, c;\n");
    Diagnostics diagnostics(tokens_, {.max_errors = 2});
    diagnostics.report(Id::Expected, token("a"), {"X", "Y"});
    EXPECT_FALSE(diagnostics.gave_up());
    diagnostics.report(Id::Expected, token("b"), {"X", "Y"});
    EXPECT_TRUE(diagnostics.gave_up());
    diagnostics.report(Id::Expected, token("c"), {"X", "Y"});
    EXPECT_EQ(diagnostics.error_count(), 2u);
    std::string end = "compilation terminated due to -fmax-errors=2.\n";
    EXPECT_EQ(diagnostics.output().substr(diagnostics.output().size() - end.size()), end);
    EXPECT_EQ(diagnostics.output().find(":1:11:"), std::string::npos);
}

TEST_F(DiagnosticsTest, ManyMessagesOnOneLongLineEndSoon)
{
    std::string line;
    for (int i = 0; i < 20000; ++i)
        line += "x ";
    load(line + "\n");
    Diagnostics diagnostics(tokens_, {});
    for (lex::TokenIndex i = 1; i < end(); ++i)
        diagnostics.report(Id::Expected, i, {"X", "Y"});
    EXPECT_EQ(diagnostics.error_count(), 20000u);
}

}  // namespace
}  // namespace bn::diag
