// Declarations between "#pragma banyan offer" and "#pragma banyan end" are kept if a program uses them and has none of
// its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lex/offers.h"

namespace {

const char* const kHeader = "# 1 \"lib.h\" 1 3\n"
                            "#pragma banyan offer\n"
                            "typedef struct upc_vec { void *a; } bupc_vec;\n"
                            "bupc_vec bupc_make(int upc_size,\n"
                            "# 7 \"lib.h\" 3\n"
                            "    /* one; two */ int b); void bupc_drop(bupc_vec v);\n"
                            "__typeof__(bupc_drop) upc_drop __asm__(\"bupc_drop\");\n"
                            "#pragma banyan end\n"
                            "# 2 \"main.c\" 2\n";

std::string settled(const std::string& program)
{
    std::string text = bn::lex::settle_offers(kHeader + program, "main.c", {});
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
              std::count(kHeader, kHeader + std::string(kHeader).size(), '\n') +
                  std::count(program.begin(), program.end(), '\n'));
    EXPECT_EQ(text.find("#pragma"), text.npos);
    EXPECT_NE(text.find("# 7 \"lib.h\" 3\n"), text.npos);
    EXPECT_NE(text.find("# 2 \"main.c\" 2\n" + program), text.npos);
    return text.substr(0, text.size() - program.size());
}

bool stays(const std::string& text, const std::string& part)
{
    return text.find(part) != text.npos;
}

TEST(Offers, StayWhereTheyAreUsed)
{
    std::string text = settled("int main(void) { bupc_make(1, 2); return 0; }\n");
    EXPECT_TRUE(stays(text, "typedef struct upc_vec { void *a; } bupc_vec;"));
    EXPECT_TRUE(stays(text, "bupc_vec bupc_make(int upc_size,"));
    EXPECT_FALSE(stays(text, "bupc_drop"));
}

TEST(Offers, BringWhatTheyAreMadeOf)
{
    std::string text = settled("void *f(void) { return upc_drop; }\n");
    EXPECT_TRUE(stays(text, "upc_drop __asm__"));
    EXPECT_TRUE(stays(text, "void bupc_drop(bupc_vec v);"));
    EXPECT_TRUE(stays(text, "} bupc_vec;"));
    EXPECT_FALSE(stays(text, "bupc_make"));
}

TEST(Offers, GoWhereNobodyUsesThem)
{
    EXPECT_FALSE(stays(settled("int x;\n"), "bupc_"));
    EXPECT_FALSE(
        stays(settled("int xbupc_make, bupc_maker, upc_; /* bupc_make */ char *s = \"bupc_make\";\n"), "bupc_"));
    EXPECT_FALSE(stays(settled("struct bupc_vec { int x; } y;\n"), "bupc_"));
}

TEST(Offers, GiveWayToDeclarationsOfTheProgram)
{
    for (const char* program : {"int bupc_make(double x) { return bupc_make(x); }\n",
                                "static int a, bupc_make = 3; int f(void) { return bupc_make; }\n",
                                "extern char bupc_make[]; char *f(void) { return bupc_make; }\n",
                                "typedef long bupc_make; bupc_make x = 1;\n",
                                "int bupc_make __attribute__((unused)); int f(void) { return bupc_make; }\n"})
        EXPECT_FALSE(stays(settled(program), "bupc_make")) << program;
}

TEST(Offers, StayWhereTheNameIsUsedAtFileScope)
{
    for (const char* program :
         {"bupc_vec x;\n", "static bupc_vec *x[2], y;\n", "bupc_vec f(void);\n", "int f(bupc_vec, int);\n",
          "typedef bupc_vec (*pointer)(void);\n", "typedef bupc_vec other;\n", "struct s { bupc_vec m; };\n",
          "int x = sizeof(bupc_vec);\n", "struct s v = {0}, *w = (void *)1; int f(void) { bupc_vec x; }\n"})
        EXPECT_TRUE(stays(settled(program), "} bupc_vec;")) << program;
    EXPECT_TRUE(stays(settled("void *table[] = {0, bupc_make, upc_drop};\n"), "bupc_make"));
    EXPECT_TRUE(stays(settled("void *one = bupc_make, *two;\n"), "bupc_make"));
}

TEST(Offers, StayBesideNamesOfBlocks)
{
    EXPECT_TRUE(stays(settled("int f(void) { int bupc_drop = 1; return bupc_drop; } void *g = upc_drop;\n"),
                      "bupc_drop(bupc_vec"));
}

TEST(Offers, ThatAreNotClosedAreLeftAlone)
{
    std::string text = "#pragma once\n\n#pragma banyan offer\nint bupc_make(void);\n";
    EXPECT_EQ(bn::lex::settle_offers(text, "main.c", {}), text);
}

}  // namespace
