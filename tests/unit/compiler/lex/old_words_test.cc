// The statements of UPC 1.0 are recognised only where nothing else is possible; elsewhere their words are names.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lex/lex.h"

namespace {

using bn::lex::Tok;

// Of each place of the word: k if it is a keyword, n if a name
std::string kinds_of(const std::string& text, std::string_view word, bool is_wanted)
{
    bn::source::Source source(text, "test.upc");
    bn::lex::TokenList list = bn::lex::lex(source, {.old_words = is_wanted});
    std::string kinds;
    for (bn::lex::TokenIndex i = 1; i < list.tokens.size(); ++i)
        if (list.text(i) == word)
            kinds += list[i].kind == Tok::Identifier ? 'n' : 'k';
    return kinds;
}

std::string in_function(const std::string& statements, std::string_view word, bool is_wanted = false)
{
    return kinds_of("int f(int a) { " + statements + " }", word, is_wanted);
}

TEST(OldWords, AreStatements)
{
    EXPECT_EQ(in_function("barrier; barrier 3; barrier a; { } barrier; if (a) barrier; else barrier;", "barrier"),
              "kkkkkk");
    EXPECT_EQ(in_function("do wait; while (a); x: wait; switch (a) { case 1: wait 2; }", "wait"), "kkk");
    EXPECT_EQ(in_function("struct s { int x; } s = { 1 }; notify MYTHREAD; barrier_notify;", "notify"), "k");
    EXPECT_EQ(in_function("forall (a = 0; a < 3; a++; a) ;", "forall"), "k");
    EXPECT_EQ(in_function("fence;", "fence"), "k");
}

TEST(OldWords, AreCallsUnlessTheyAreWanted)
{
    EXPECT_EQ(in_function("barrier(3); barrier (a);", "barrier"), "nn");
    EXPECT_EQ(in_function("barrier(3); barrier -1; wait(1);", "barrier", true), "kk");
    EXPECT_EQ(in_function("forall (a, 3); forall (a);", "forall", true), "nn");
    EXPECT_EQ(in_function("fence (3);", "fence", true), "n");
}

TEST(OldWords, AreNamesWhereTheProgramDeclaresThem)
{
    for (const char* declaration : {"int barrier(int);", "static int x, barrier;", "typedef struct { int a; } barrier;",
                                    "struct { int a; } barrier;", "int *barrier;"})
        for (bool is_wanted : {false, true})
            EXPECT_EQ(
                kinds_of(std::string(declaration) + " int f(void) { barrier; barrier (3); }", "barrier", is_wanted),
                "nnn")
                << declaration;
    EXPECT_EQ(in_function("goto wait; wait: a = 1; p->wait = s.wait;", "wait"), "nnnn");
    EXPECT_EQ(in_function("a = barrier; g(a, barrier); return barrier;", "barrier", true), "nnn");
}

TEST(OldWords, AreStatementsBesideMembers)
{
    EXPECT_EQ(kinds_of("struct s { int a, wait; }; union { int wait; } u; int f(void) { wait; }", "wait", false),
              "nnk");
}

TEST(OldWords, AreFunctionsOfTheSystem)
{
    const std::string header = "# 1 \"wait.h\" 1 3\nextern int wait(int *status);\n# 2 \"test.upc\" 2\n";
    EXPECT_EQ(kinds_of(header + "int f(void) { wait; }", "wait", false), "nn");
    EXPECT_EQ(kinds_of(header + "int f(void) { wait; wait 3; wait(0); }", "wait", true), "nkkn");
}

TEST(OldWords, EndsOfTextDoNoHarm)
{
    for (const char* text : {"barrier", ") barrier;", "} barrier;", "forall (", "barrier barrier", "} wait; ) wait"})
        EXPECT_FALSE(kinds_of(text, text, true).size() > 1) << text;
}

}  // namespace
