#include "parse_fixture.h"

namespace bn::parse {
namespace {

class ErrorTest : public ParseTest {};

TEST_F(ErrorTest, MissingSemicolonIsPutAtTheEndOfItsLine)
{
    EXPECT_EQ(messages("shared int a\nshared int b;\n"), "1:12: error: expected ';' before 'shared'\n");
    EXPECT_EQ(unit_->decls.size(), 2u) << "the declaration counts";
    EXPECT_EQ(messages("int f(void) { return THREADS }"), "1:30: error: expected ';' before '}'\n");
    EXPECT_EQ(messages("shared int a b;"), "1:14: error: expected ';' before 'b'\n");
}

TEST_F(ErrorTest, EveryStatementHasItsOwnError)
{
    EXPECT_EQ(messages("int f(void) {\n x = MYTHREAD + ;\n if (x { y; }\n ok = 1;\n for (int i = 0; i < ; i++) { z = "
                       "3; }\n a[1;\n}\n"
                       "shared int q = ;\n"),
              "2:17: error: expected an expression before ';'\n"
              "3:8: error: expected ')' before '{'\n"
              "5:22: error: expected an expression before ';'\n"
              "6:5: error: expected ']' before ';'\n"
              "8:16: error: expected an expression before ';'\n");
    EXPECT_EQ(body(0)->items.size(), 1u) << "the statement without an error stays";
}

TEST_F(ErrorTest, ErrorsInBlocksWithinDoNotSpread)
{
    EXPECT_EQ(messages("int f(void) { if (MYTHREAD) { 1 1; } else { 2; } { { 3 3; } 4; } return ({ 5 5; 6; }); }"),
              "1:33: error: expected ';' before '1'\n1:56: error: expected ';' before '3'\n1:78: error: expected ';' "
              "before '5'\n");
    EXPECT_EQ(messages("int f(void) { upc_fence; if (1 1) 2; else 3; 4 4; }"),
              "1:32: error: expected ')' before '1'\n1:48: error: expected ';' before '4'\n");
}

TEST_F(ErrorTest, MembersRecover)
{
    EXPECT_EQ(messages("struct S { shared int *p q; int a b; int ok; }; shared int x;"),
              "1:26: error: expected ';' before 'q'\n1:35: error: expected ';' before 'b'\n");
    EXPECT_EQ(unit_->decls.size(), 2u);
}

TEST_F(ErrorTest, ForallNeedsThreeSemicolons)
{
    const char* message = "error: upc_forall needs a third ';' and an affinity expression, which may be empty or "
                          "'continue'\n";
    EXPECT_EQ(messages("int f(void) { upc_forall (i = 0; i < n; i++) { } }"), "1:44: " + std::string(message));
    EXPECT_EQ(messages("int f(void) { upc_forall (;;) ; }"), "1:29: " + std::string(message));
    EXPECT_EQ(messages("int f(void) { upc_forall (;) ; }"), "1:28: error: expected an expression before ')'\n");
}

TEST_F(ErrorTest, BrokenLayouts)
{
    EXPECT_EQ(messages("shared [2 int x;"), "1:11: error: expected ']' before 'int'\n");
    EXPECT_EQ(messages("shared [*, 3] int x;"), "1:10: error: expected an expression before ','\n");
    EXPECT_EQ(messages("shared int [5] x;"), "1:12: error: expected an identifier or '(' before '['\n");
}

TEST_F(ErrorTest, WhatWasExpectedIsNamed)
{
    EXPECT_EQ(messages("shared struct;"), "1:14: error: expected a tag or '{' before ';'\n");
    EXPECT_EQ(messages("shared int f(int, );"), "1:19: error: expected a parameter before ')'\n");
    EXPECT_EQ(messages("int f(void) { MYTHREAD; goto 3; }"), "1:30: error: expected an identifier before '3'\n");
    EXPECT_EQ(messages("int f(void) { upc_fence; sizeof(const (3)); _Alignas() int x; }"),
              "1:40: error: expected a parameter before '3'\n1:54: error: expected an expression before ')'\n");
    EXPECT_EQ(messages("int f(void) { MYTHREAD \"s\"; }"), "1:24: error: expected ';' before a string literal\n");
    EXPECT_EQ(messages("int f(void) { MYTHREAD 'c'; }"), "1:24: error: expected ';' before a character constant\n");
    EXPECT_EQ(messages("int f(void) { MYTHREAD;"), "1:23: error: expected '}' before the end of the file\n");
    EXPECT_EQ(messages("struct S { ] shared int *x; };"), "1:12: error: expected a declaration before ']'\n");
    EXPECT_EQ(messages("shared int a; ) = THREADS;"), "1:15: error: expected a declaration before ')'\n");
}

TEST_F(ErrorTest, BadTokens)
{
    EXPECT_EQ(messages("int f(void) { return MYTHREAD @ 3; }"), "1:31: error: stray '@' in program\n");
    EXPECT_EQ(messages("int f(void) { return MYTHREAD \001; }"), "1:31: error: stray '\\x01' in program\n");
    EXPECT_EQ(messages("shared int x = \"abc;\nshared int y;"), "1:16: error: missing terminating \" character\n");
    EXPECT_EQ(messages("int f(void) { MYTHREAD + L'x; \n}"), "1:26: error: missing terminating ' character\n");
}

TEST_F(ErrorTest, NestingHasALimit)
{
    const std::string f = "shared int u; int f(void) { return u + ";
    auto repeat = [](const std::string& text, int times) {
        std::string all;
        for (int i = 0; i < times; i++)
            all += text;
        return all;
    };
    auto is_refused = [&](const std::string& text, const char* levels, const Options& options = {}) {
        std::string list = messages(text, options);
        return list.find("is nested more than " + std::string(levels) + " levels deep") != std::string::npos &&
               list.find('\n') == list.size() - 1;
    };
    EXPECT_EQ(messages(f + repeat("(", 900) + "1" + repeat(")", 900) + "; }"), "");
    EXPECT_TRUE(is_refused(f + repeat("(", 100000) + "1" + repeat(")", 100000) + "; }", "1000"));
    EXPECT_TRUE(is_refused(f + repeat("- ", 100000) + "1; }", "1000"));
    EXPECT_TRUE(is_refused(f + repeat("- ", 300) + "1; }", "250", {.max_height = 500}));
    EXPECT_EQ(messages(f + "1" + repeat("+ 1", 6000) + "; }"), "");
    EXPECT_TRUE(is_refused(f + "1" + repeat("+ 1", 100000) + "; }", "50000"));
    EXPECT_TRUE(is_refused(f + "1" + repeat("+ 1", 3000) + "; }", "2500", {.max_height = 2500}));
    EXPECT_EQ(messages(f + repeat("u ? u : ", 6000) + "1; }"), "");
    EXPECT_TRUE(is_refused(f + repeat("u ? u : ", 100000) + "1; }", "50000"));
    EXPECT_TRUE(is_refused(f + repeat("u ? ", 100000) + "1; }", "1000"));
    EXPECT_TRUE(is_refused("int f(void) { MYTHREAD; " + repeat("{", 100000) + repeat("}", 100000) + "}", "1000"));
    EXPECT_EQ(messages("int f(void) { MYTHREAD; if (1) ;" + repeat("else if (2) ;", 6000) + "}"), "");
    EXPECT_TRUE(is_refused("int f(void) { MYTHREAD; if (1) ;" + repeat("else if (2) ;", 100000) + "}", "50000"));
    EXPECT_TRUE(is_refused("shared int " + repeat("*", 100000) + "p;", "1000"));
    EXPECT_TRUE(is_refused("shared int x = " + repeat("{", 100000) + "1" + repeat("}", 100000) + ";", "1000"));
    EXPECT_EQ(messages("shared int x[] = {" + repeat("1,", 100000) + "};"), "");
    EXPECT_EQ(messages("int x = " + repeat("(", 100000) + "1" + repeat(")", 100000) + ";"), "") << "cc judges it";
}

TEST_F(ErrorTest, ParsingStopsWhenDiagnosticsGaveUp)
{
    source_ = std::make_unique<source::Source>("shared int x y; shared int z w; shared int ok;", "t.upc");
    tokens_ = lex::lex(*source_);
    diag::Options options;
    options.max_errors = 1;
    diag::Diagnostics diagnostics(tokens_, options);
    ast::Arena arena;
    ast::Unit* unit = parse(tokens_, arena, diagnostics);
    EXPECT_EQ(diagnostics.error_count(), 1u);
    EXPECT_EQ(unit->decls.size(), 1u);
}

TEST_F(ErrorTest, BrokenTreesAreFound)
{
    load("int a = 1 + 2;");
    ast::Expr* sum = static_cast<ast::Declaration*>(unit_->decls[0])->declarators[0]->init;
    std::swap(sum->children[0], sum->children[1]);
    EXPECT_NE(check_structure(*unit_, tokens_), "");
    std::swap(sum->children[0], sum->children[1]);
    EXPECT_EQ(check_structure(*unit_, tokens_), "");
    sum->last--;
    EXPECT_NE(check_structure(*unit_, tokens_), "");
    sum->last++;
    sum->height++;
    EXPECT_NE(check_structure(*unit_, tokens_), "");
}

// What an editor needs of half a program
TEST_F(ErrorTest, SoundPartsOfBrokenTextAreKept)
{
    const Options options = {.full_parse = true, .keeps_broken = true};
    EXPECT_EQ(messages("int f(void) { int a; a + ; return a }\nint g(int n) { if (n) {\n int b;\n", options), "");
    EXPECT_EQ(unit_->abandoned, 0u);
    ASSERT_EQ(unit_->decls.size(), 2u);
    EXPECT_EQ(body(0)->items.size(), 2u);
    EXPECT_EQ(body(1)->items.size(), 1u);
    EXPECT_EQ(messages("int f(void) { return MYTHREAD;\n", options),
              "1:30: error: expected '}' before the end of the file\n");
    ASSERT_EQ(unit_->decls.size(), 1u);
    EXPECT_EQ(body(0)->items.size(), 1u);
}

}  // namespace
}  // namespace bn::parse
