// "shared", "strict" and "relaxed" are names in a unit that uses nothing else of UPC and uses one of them as a name.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "lex/lex.h"

namespace {

using bn::lex::Tok;

// Of each place of the word
std::vector<Tok> kinds_of(const std::string& text, std::string_view word)
{
    bn::source::Source source(text, "test.c");
    bn::lex::TokenList list = bn::lex::lex(source);
    std::vector<Tok> kinds;
    for (bn::lex::TokenIndex i = 1; i < list.tokens.size(); ++i)
        if (list.text(i) == word)
            kinds.push_back(list[i].kind);
    return kinds;
}

Tok kind_of(const std::string& text, std::string_view word)
{
    std::vector<Tok> kinds = kinds_of(text, word);
    return kinds.empty() ? Tok::End : kinds[0];
}

TEST(SoftKeywords, AreNamesInPlainC)
{
    EXPECT_EQ(kind_of("int f(int strict) { if (strict) return 1; return 0; }", "strict"), Tok::Identifier);
    EXPECT_EQ(kind_of("struct s { int shared; }; int f(struct s *p) { return p->shared; }", "shared"), Tok::Identifier);
    EXPECT_EQ(kind_of("int relaxed = 3;", "relaxed"), Tok::Identifier);
    EXPECT_EQ(kind_of("int strict, lax; int g(void) { return f(lax, strict); }", "strict"), Tok::Identifier);
}

TEST(SoftKeywords, AreNamesOfParametersAndMembers)
{
    EXPECT_EQ(kind_of("void numa_set_bind_policy(int strict);", "strict"), Tok::Identifier);
    EXPECT_EQ(kind_of("int f(const level relaxed, int);", "relaxed"), Tok::Identifier);
    EXPECT_EQ(kind_of("int f(char *name, unsigned long shared, int);", "shared"), Tok::Identifier);
    EXPECT_EQ(kind_of("struct s { int strict[3], n; };", "strict"), Tok::Identifier);
}

TEST(SoftKeywords, AreKeywordsWhereTheyQualify)
{
    EXPECT_EQ(kind_of("long n = sizeof(int shared);", "shared"), Tok::KwShared);
    EXPECT_EQ(kind_of("long n = sizeof(shared [2] int strict);", "strict"), Tok::KwStrict);
    EXPECT_EQ(kind_of("long n = sizeof(shared int relaxed);", "relaxed"), Tok::KwRelaxed);
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

TEST(SoftKeywords, AreNamesInHeadersOfPlainC)
{
    const std::string header = "# 1 \"test.c\"\n# 1 \"numa.h\" 1\nvoid set(int strict);\n# 2 \"test.c\" 2\n";
    const std::vector<Tok> both{Tok::Identifier, Tok::KwStrict};
    EXPECT_EQ(kinds_of(header + "strict shared int x[THREADS];\n", "strict"), both);
    EXPECT_EQ(kinds_of("#pragma upc relaxed\n" + header + "strict shared int x;\n", "strict"), both);
}

TEST(SoftKeywords, AreKeywordsInHeadersOfUpc)
{
    const std::string header = "# 1 \"test.c\"\n# 1 \"mine.h\" 1\nextern shared int x[THREADS];\nint f(int strict);\n";
    EXPECT_EQ(kind_of(header + "# 2 \"test.c\" 2\nint y;\n", "strict"), Tok::KwStrict);
    const std::string other = "# 1 \"test.c\"\n# 1 \"mine.h\" 1\nextern shared int x[];\nint f(int strict);\n";
    EXPECT_EQ(kind_of(other + "# 2 \"test.c\" 2\nint y = THREADS;\n", "shared"), Tok::KwShared);
}

}  // namespace
