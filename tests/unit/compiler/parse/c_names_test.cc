// Which UPC keywords are plain C names: under "#pragma upc c_code", in files without any UPC, and in headers.
#include "parse/c_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lex/lex.h"

namespace bn::parse {
namespace {

using lex::Tok;

std::string kinds_of(const lex::TokenList& list, std::string_view word)
{
    std::string kinds;
    for (lex::TokenIndex i = 1; i < list.tokens.size(); ++i)
        if (list.text(i) == word)
            kinds += list[i].kind == Tok::Identifier ? 'n' : 'k';
    return kinds;
}

// Of each place of the word: n if it is a name, k if a keyword
std::string under_c_code(const std::string& text, std::string_view word)
{
    source::Source source("#pragma upc c_code\n" + text, "test.c");
    lex::TokenList list = lex::lex(source);
    settle_c_code(list);
    EXPECT_EQ(std::is_sorted(list.upc_keywords.begin(), list.upc_keywords.end()), true);
    return kinds_of(list, word);
}

std::string in_files(const std::string& text, std::string_view word, bool main_may_be_c = true)
{
    source::Source source(text, "test.c");
    lex::TokenList list = lex::lex(source);
    bool changed = settle_c_files(list, main_may_be_c);
    EXPECT_EQ(changed, !list.names_of_c.empty());
    return kinds_of(list, word);
}

TEST(CCode, KnowsTheThreadsThatNobodyDeclares)
{
    EXPECT_EQ(under_c_code("int f(void) { return THREADS + MYTHREAD; }", "THREADS"), "k");
    EXPECT_EQ(under_c_code("int f(int a) { if (a) { int MYTHREAD = 1; a += MYTHREAD; } return MYTHREAD; }", "MYTHREAD"),
              "nnk");
    EXPECT_EQ(under_c_code("int f(int THREADS); int g(int THREADS) { return THREADS; } int h(void) { return THREADS; }",
                           "THREADS"),
              "nnnk");
    EXPECT_EQ(under_c_code("int f(THREADS) int THREADS; { return THREADS; }", "THREADS"), "nnn");
    EXPECT_EQ(under_c_code("struct s { int THREADS; }; int f(struct s *p) { return p->THREADS + THREADS; }", "THREADS"),
              "nnk");
    EXPECT_EQ(under_c_code("int f(void) { for (int THREADS = 0; THREADS < 3; ) ; return THREADS; }", "THREADS"), "nnk");
}

TEST(CCode, LeavesToCWhatItDeclares)
{
    EXPECT_EQ(under_c_code("enum { THREADS = 4 }; int a[THREADS];", "THREADS"), "nn");
    EXPECT_EQ(under_c_code("static int THREADS; int f(void) { return THREADS; }", "THREADS"), "nn");
    EXPECT_EQ(under_c_code("typedef struct THREADS { int x; } THREADS; THREADS *p;", "THREADS"), "nnn");
    EXPECT_EQ(under_c_code("int f(void) { goto MYTHREAD; MYTHREAD: return 0; }", "MYTHREAD"), "nn");
    EXPECT_EQ(under_c_code("int shared; int f(void) { return shared; }", "shared"), "nn");
}

TEST(CCode, EndsWhereUpcBegins)
{
    const std::string both = "int a(void) { return THREADS; }\n#pragma upc upc_code\nint b(void) { return THREADS; }\n";
    EXPECT_EQ(under_c_code(both, "THREADS"), "kk");
    EXPECT_EQ(under_c_code("enum { THREADS };\n#pragma upc upc_code\nint b(void) { return THREADS; }\n", "THREADS"),
              "nk");
}

TEST(CCode, IncludesHeadersAsWhatTheyAre)
{
    const std::string upc = "# 1 \"u.h\" 1\nextern shared int x[];\n# 3 \"test.c\" 2\nint shared;\n";
    EXPECT_EQ(under_c_code(upc, "shared"), "kn");
    const std::string c = "# 1 \"c.h\" 1\nstruct s { int shared; };\n# 3 \"test.c\" 2\nint shared;\n";
    EXPECT_EQ(under_c_code(c, "shared"), "nn");
    const std::string both =
        "# 1 \"c.h\" 1\nint c(int shared);\n# 1 \"u.h\" 1\nint u(void);\nshared int *p;\n# 2 \"c.h\" 2\n"
        "int d(int shared);\n# 3 \"test.c\" 2\n";
    EXPECT_EQ(under_c_code(both, "shared"), "nkn");
}

TEST(CFiles, HaveOnlyNamesThatTheyDeclare)
{
    EXPECT_EQ(in_files("int relaxed(int MYTHREAD) { return MYTHREAD; } int g(void) { return relaxed(2); }", "MYTHREAD"),
              "nn");
    EXPECT_EQ(in_files("struct shared { int upc_wait; }; int f(struct shared *s) { return s->upc_wait; }", "upc_wait"),
              "nn");
    EXPECT_EQ(
        in_files("int upc_notify(int), upc_wait(int); int f(void) { upc_notify(1); return upc_wait(1); }", "upc_wait"),
        "nn");
    EXPECT_EQ(in_files("struct s { int THREADS; } x = { .THREADS = 3 }; int o = __builtin_offsetof(struct s, THREADS);",
                       "THREADS"),
              "nnn");
    EXPECT_EQ(in_files("int THREADS; char *s = \"upc_barrier;\"; /* shared int x; */", "THREADS"), "n");
}

// One word that nothing declares, and all is UPC, whatever else the text does.
TEST(CFiles, AreUpcIfAnythingIs)
{
    const std::string with_name = "int upc_notify(int); ";
    for (const char* text :
         {"int f(void) { return MYTHREAD; }", "shared int x;", "int f(void) { upc_barrier; }",
          "int f(void) { upc_barrier(1); upc_notify(1); }", "struct s { int THREADS; }; int n = THREADS;",
          "#pragma upc strict\n", "void g(void) { upc_forall (;;;) ; }", "int n = sizeof(shared int);",
          "void g(void) { { int MYTHREAD; } MYTHREAD; }", "__attribute__((upc_wait)) int x;"})
        EXPECT_EQ(in_files(with_name + "\n" + text, "upc_notify").substr(0, 1), "k") << text;
}

TEST(CFiles, AreUpcIfTheirNameSaysSo)
{
    EXPECT_EQ(in_files("int MYTHREAD;", "MYTHREAD", false), "k");
}

TEST(CFiles, CanBeHeadersOfAUnitOfUpc)
{
    const std::string main = "# 1 \"test.c\"\n";
    const std::string pool = "# 1 \"pool.h\" 1\nint pool_new(int THREADS);\n# 2 \"test.c\" 2\n";
    EXPECT_EQ(in_files(main + pool + "shared int x[THREADS];", "THREADS"), "nk");
    EXPECT_EQ(in_files(main + pool + "int THREADS;", "THREADS", false), "nk");
    const std::string user =
        "# 1 \"user.h\" 1\nint pool_new(int THREADS); static int n(void) { return THREADS; }\n# 2 \"test.c\" 2\n";
    EXPECT_EQ(in_files(main + user + "shared int x[THREADS];", "THREADS"), "kkk");
    const std::string marked = "# 1 \"u.h\" 1\n#pragma upc upc_code\nint f(int THREADS);\n# 2 \"test.c\" 2\n";
    EXPECT_EQ(in_files(main + marked + "int y;", "THREADS"), "k");
}

}  // namespace
}  // namespace bn::parse
