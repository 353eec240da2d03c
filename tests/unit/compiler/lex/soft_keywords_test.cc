// "shared", "strict" and "relaxed" are names in a unit that uses one of them as a name and nothing else of UPC.
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

std::string system_header(const std::string& text)
{
    return "# 1 \"a.c\"\nint before;\n# 1 \"h.h\" 1 3\n" + text + "\n# 3 \"a.c\" 2\nint after;\n";
}

TEST(SystemHeaders, OfUpcAreKnownByTheirText)
{
    for (const char* text :
         {"extern shared int x;", "extern shared [4] double x[4 * N];", "typedef const shared struct s *p;",
          "extern strict shared t x;", "shared [f(a[1])] unsigned x[3];", "extern shared strict int x;"})
        EXPECT_EQ(kind_of(system_header(text), "shared"), Tok::KwShared) << text;
    EXPECT_EQ(kind_of(system_header("static int me(void) { return MYTHREAD; }"), "MYTHREAD"), Tok::KwMyThread);
    EXPECT_EQ(kind_of(system_header("int t(void) { return THREADS; }"), "THREADS"), Tok::KwThreads);
    EXPECT_EQ(kind_of(system_header("void b(void) { upc_barrier; }"), "upc_barrier"), Tok::KwBarrier);
}

TEST(SystemHeaders, OfCAreKnownByTheirText)
{
    for (const char* text :
         {"struct s { int shared; };", "int f(int shared, int b);", "enum { shared, others };", "extern int shared[4];",
          "typedef struct { int x; } shared; extern shared x;", "int g(int a) { return shared * a; }",
          "void shared(void);", "static int g(struct s *p) { return p->shared; }",
          "#pragma upc c_code\nextern shared int x;"})
        EXPECT_EQ(kind_of(system_header(text), "shared"), Tok::Identifier) << text;
    EXPECT_EQ(kind_of(system_header("enum { THREADS = 4, OTHERS };"), "THREADS"), Tok::Identifier);
    EXPECT_EQ(kind_of(system_header("int f(int strict); extern int relaxed;"), "strict"), Tok::Identifier);
}

TEST(SystemHeaders, DecideEachForItself)
{
    std::string text = system_header("extern shared int x;\n# 1 \"c.h\" 1 3\nstruct s { int shared; };\n"
                                     "# 3 \"h.h\" 2 3\n"
                                     "extern shared int y;");
    EXPECT_EQ(kinds_of(text, "shared"), (std::vector<Tok>{Tok::KwShared, Tok::Identifier, Tok::KwShared}));
    bn::source::Source source(text, "test.c");
    bn::lex::TokenList list = bn::lex::lex(source);
    EXPECT_TRUE(list.has_upc_keyword);
    ASSERT_EQ(list.upc_keywords.size(), 2u);
    EXPECT_LT(list.upc_keywords[0], list.upc_keywords[1]);
    for (bn::lex::TokenIndex i = 1; i < list.tokens.size(); ++i)
        EXPECT_EQ(list[i].in_system_header, source.file_name(source.location(list[i].line).file) == "c.h") << i;
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
