// "shared", "strict" and "relaxed" are names in a unit that uses nothing else of UPC and uses one of them as a name.
#include <gtest/gtest.h>

#include <string>

#include "lex/lex.h"

namespace {

using bn::lex::Tok;

Tok kind_of(const std::string& text, std::string_view word)
{
    bn::source::Source source(text, "test.c");
    bn::lex::TokenList list = bn::lex::lex(source);
    for (bn::lex::TokenIndex i = 1; i < list.tokens.size(); ++i)
        if (list.text(i) == word)
            return list[i].kind;
    return Tok::End;
}

TEST(SoftKeywords, AreNamesInPlainC)
{
    EXPECT_EQ(kind_of("int f(int strict) { if (strict) return 1; return 0; }", "strict"), Tok::Identifier);
    EXPECT_EQ(kind_of("struct s { int shared; }; int f(struct s *p) { return p->shared; }", "shared"), Tok::Identifier);
    EXPECT_EQ(kind_of("int relaxed = 3;", "relaxed"), Tok::Identifier);
    EXPECT_EQ(kind_of("int strict, lax; int g(void) { return f(lax, strict); }", "strict"), Tok::Identifier);
}

TEST(SoftKeywords, AreKeywordsWhereTheyQualify)
{
    EXPECT_EQ(kind_of("shared int x;", "shared"), Tok::KwShared);
    EXPECT_EQ(kind_of("strict int x;", "strict"), Tok::KwStrict);
    EXPECT_EQ(kind_of("int n = sizeof(int * shared); shared [3] int a[3];", "shared"), Tok::KwShared);
    EXPECT_EQ(kind_of("void f(int * shared, int);", "shared"), Tok::KwShared);
    EXPECT_EQ(kind_of("typedef strict shared int SI; relaxed SI y;", "relaxed"), Tok::KwRelaxed);
}

TEST(SoftKeywords, AreKeywordsBesideAnythingElseOfUpc)
{
    EXPECT_EQ(kind_of("int strict = THREADS;", "strict"), Tok::KwStrict);
    EXPECT_EQ(kind_of("#pragma upc strict\nint relaxed = 1;", "relaxed"), Tok::KwRelaxed);
}

}  // namespace
