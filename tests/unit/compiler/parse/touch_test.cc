// Which functions are parsed in full, where pragmas may be, what counts as a use of UPC.
#include "parse_fixture.h"

namespace bn::parse {
namespace {

class TouchTest : public ParseTest {
protected:
    // Names of the functions with a body in the tree
    std::string parsed(std::string text)
    {
        load(std::move(text), {});
        EXPECT_EQ(diagnostics_->output(), "");
        std::string names;
        for (const ast::Node* decl : unit_->decls) {
            if (decl->kind != Kind::FunctionDef)
                continue;
            const ast::FunctionDef* function = static_cast<const ast::FunctionDef*>(decl);
            if (function->body != nullptr)
                names += (names.empty() ? "" : " ") + std::string(tokens_.text(function->declarator->name));
        }
        return names;
    }
};

TEST_F(TouchTest, PlainFunctionsAreSkipped)
{
    EXPECT_EQ(parsed("int f(int a) { { return a; } } int g(void) { }"), "");
    EXPECT_FALSE(unit_->uses_upc);
    const ast::Node* f = unit_->decls[0];
    EXPECT_EQ(tokens_.text(f->last), "}");
    EXPECT_EQ(tokens_.text(f->last + 1), "int");
}

TEST_F(TouchTest, FullParseLooksIntoAll)
{
    load("int f(int a) { return a; }");
    EXPECT_NE(body(0), nullptr);
}

TEST_F(TouchTest, StaticFunctionsThatOnlyReturnAreLookedInto)
{
    const std::string upc = "shared int v; ";
    EXPECT_EQ(parsed(upc + "static int f(int a) { return a + 1; } static inline long g(void) { return 1L << 3; }"),
              "f g");
    EXPECT_EQ(parsed(upc + "int f(void) { return 1; } inline int g(void) { return 1; } static void h(void) { return; } "
                           "static int k(void) { int a = 1; return a; } static int l(void) { return ({ 1; }); } static "
                           "int m(void) { return 1; ; }"),
              "h");
    EXPECT_EQ(parsed("static int f(void) { return 1; }"), "") << "nothing is UPC";
    EXPECT_EQ(parsed(upc + "# 1 \"a.h\" 1 3\nstatic int f(void) { return 1; }\n# 2 \"a.c\" 2\n"), "");
    std::string sum = "1";
    for (int i = 0; i < 60; i++)
        sum += " + 1";
    EXPECT_EQ(parsed(upc + "static int f(void) { return " + sum + "; }"), "") << "too long";
}

TEST_F(TouchTest, WhatOnlyReturnsIsSkippedWhereItIsNotUnderstood)
{
    load("shared int v; static int f(void) { return not C at all; } static int g(void) { return 1; }", {});
    EXPECT_EQ(diagnostics_->output(), "");
    EXPECT_EQ(unit_->abandoned, 0u);
    ASSERT_EQ(unit_->decls.size(), 3u);
    ASSERT_EQ(unit_->decls[1]->kind, Kind::FunctionDef);
    EXPECT_EQ(static_cast<const ast::FunctionDef*>(unit_->decls[1])->body, nullptr);
    EXPECT_EQ(tokens_.text(unit_->decls[1]->last), "}");
    EXPECT_NE(body(2), nullptr);
}

TEST_F(TouchTest, KeywordsTouch)
{
    EXPECT_EQ(parsed("int f(void) { return 1; } int g(void) { return MYTHREAD; } int h(void) { { upc_barrier; } }"),
              "g h");
    EXPECT_TRUE(unit_->uses_upc);
    EXPECT_EQ(parsed("int f(shared int *p) { return 1; } int g(p) shared int *p; { }"), "f g");
}

TEST_F(TouchTest, NamesDeclaredWithUpcTouch)
{
    EXPECT_EQ(parsed("shared int v; int f(void) { return v; } int g(void) { return w; }"), "f");
    EXPECT_EQ(parsed("int p(shared int *); int f(void) { p(0); } int g(void) { q(0); }"), "f");
    EXPECT_EQ(parsed("typedef shared int T; int f(void) { T *p; } int g(void) { }"), "f");
    EXPECT_EQ(parsed("struct S { shared int *m; int n; }; int f(void) { x->m; } int g(void) { x->n; } int h(void) { "
                     "struct S s; } "
                     "int k(void) { }"),
              "f g h");
    EXPECT_EQ(parsed("enum E { A = sizeof(shared int) }; int f(void) { return A; } int g(void) { enum E e; } int "
                     "h(void) { }"),
              "f g");
}

TEST_F(TouchTest, TaintSpreadsThroughDeclarations)
{
    EXPECT_EQ(parsed("typedef shared int T; typedef T *P; struct S { P p; }; struct S s; int f(void) { s; } int "
                     "g(void) { t; }"),
              "f");
    EXPECT_EQ(parsed("typedef shared int T; T *h(void) { } int f(void) { h(); } int g(void) { }"), "h f");
}

TEST_F(TouchTest, BodiesAndParametersDoNotTaint)
{
    EXPECT_EQ(parsed("int f(void) { int local = MYTHREAD; return local; } int g(void) { f(); local; }"), "f");
    EXPECT_EQ(parsed("void lock(shared int *ptr); int g(void) { ptr; }"), "");
    EXPECT_EQ(parsed("shared int v; struct S; typedef int T; shared T w; int g(struct S *s) { T x; }"), "")
        << "what a declaration only mentions is not tainted";
}

TEST_F(TouchTest, SystemHeadersWithUpcCodeTaintButAreNoUse)
{
    std::string header = "# 1 \"upc.h\" 1 3\nint shared;\n#pragma upc upc_code\ntypedef shared int L;\n# 2 \"a.c\" 2\n";
    EXPECT_EQ(parsed(header + "int f(void) { L *l; } int g(void) { shared; }"), "f g");
    EXPECT_EQ(parsed(header + "int f(void) { return 0; }"), "");
}

TEST_F(TouchTest, PragmasTouch)
{
    EXPECT_EQ(parsed("int f(void) {\n#pragma upc strict\n return 1; } int g(void) { }"), "f");
    EXPECT_TRUE(unit_->uses_upc);
}

TEST_F(TouchTest, PragmasAreListedInOrder)
{
    parsed("#pragma upc strict\nint a;\n#pragma upc relaxed\nshared int b; int f(void) {\n#pragma upc strict\n b = 1; "
           "}\n#pragma upc relaxed\n");
    ASSERT_EQ(unit_->pragmas.size(), 4u);
    EXPECT_EQ(tokens_.text(unit_->pragmas[0].before), "int");
    EXPECT_EQ(tokens_.text(unit_->pragmas[2].before), "b");
    EXPECT_EQ(tokens_[unit_->pragmas[3].before].kind, Tok::End);
    EXPECT_EQ(unit_->pragmas[1].kind, lex::PragmaKind::Relaxed);
}

TEST_F(TouchTest, MisplacedAndBadPragmasAreReported)
{
    EXPECT_EQ(messages("int f(void) { MYTHREAD;\n#pragma upc strict\n upc_fence; }\n"),
              "2:1: warning: '#pragma upc' belongs outside functions or at the start of a block; it takes effect from "
              "here [-Wpragmas]\n");
    EXPECT_EQ(unit_->pragmas.size(), 1u);
    EXPECT_EQ(messages("struct S {\n#pragma upc strict\n int x; };"),
              "2:1: warning: '#pragma upc' belongs outside functions or at the start of a block; it takes effect from "
              "here [-Wpragmas]\n");
    EXPECT_EQ(messages("#pragma upc strickt\nint x;\n#pragma upc\n"),
              "1:1: warning: '#pragma upc' must be followed by 'strict' or 'relaxed'; it is ignored "
              "[-Wunknown-pragmas]\n"
              "3:1: warning: '#pragma upc' must be followed by 'strict' or 'relaxed'; it is ignored "
              "[-Wunknown-pragmas]\n");
    EXPECT_EQ(messages("int x\n#pragma upc c_code\n;\n"), "");
}

TEST_F(TouchTest, UnknownTextWithoutUpcIsOpaque)
{
    EXPECT_EQ(messages("int a; what is this ?; int b; int c(] { x; } int d;"), "");
    EXPECT_EQ(unit_->abandoned, 2u);
    EXPECT_EQ(dump(*unit_, tokens_),
              "(Declaration (Specifiers int) (InitDeclarator (Declarator a)))\n(Opaque what is this ? ;)\n"
              "(Declaration (Specifiers int) (InitDeclarator (Declarator b)))\n(Opaque int c ( ] { x ; } int d ;)\n");
    EXPECT_EQ(messages("int f(void) { not C at all ] ; } int g;"), "");
    EXPECT_EQ(unit_->abandoned, 0u);
    EXPECT_EQ(messages("int f(void) { not C at all ] ; } int g;", {.full_parse = true}), "");
    EXPECT_EQ(unit_->abandoned, 1u);
    EXPECT_EQ(unit_->decls.size(), 2u);
}

TEST_F(TouchTest, TypedefsOfOpaqueTextAreKnown)
{
    load("typedef struct { int a ^ 3; } S, *P; typedef int (*F)(^), G[^]; int f(void) { S * a; P * b; F * c; G * d; }");
    EXPECT_EQ(unit_->abandoned, 2u);
    ASSERT_EQ(unit_->decls.size(), 3u);
    for (const ast::Node* item : body(2)->items)
        EXPECT_EQ(item->kind, Kind::Declaration);
}

}  // namespace
}  // namespace bn::parse
