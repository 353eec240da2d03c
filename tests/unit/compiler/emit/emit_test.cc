// The emitted text: text without UPC unchanged, and every copied token on its line of the source.
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::emit {
namespace {

driver::TranslateResult translate(const std::string& text, bool full_parse = true)
{
    driver::TranslateOptions options;
    options.source_name = "t.upc";
    options.full_parse = full_parse;
    return driver::translate(text, options);
}

// Replaces every @ by an identifier that says on which line it stands.
std::string number_lines(const std::string& text)
{
    std::string numbered;
    int line = 1;
    for (char c : text) {
        if (c == '@')
            numbered += "L" + std::to_string(line) + "_";
        else
            numbered += c;
        line += c == '\n' ? 1 : 0;
    }
    return numbered;
}

// Lines of the output as the C compiler counts them: each L<n>_ must stand on line n.  Returns what does not, and how
// many were seen.
std::pair<std::string, int> misplaced(const std::string& c)
{
    std::string wrong;
    int seen = 0;
    long line = 1;
    for (size_t at = 0; at < c.size();) {
        size_t end = std::min(c.find('\n', at), c.size());
        std::string text = c.substr(at, end - at);
        at = end + 1;
        if (text.starts_with("# ")) {
            line = std::stol(text.substr(2));
            continue;
        }
        for (size_t i = text.find('L'); i != std::string::npos; i = text.find('L', i + 1)) {
            size_t digits = i + 1;
            while (digits < text.size() && isdigit(static_cast<unsigned char>(text[digits])))
                ++digits;
            if (digits == i + 1 || digits == text.size() || text[digits] != '_')
                continue;
            ++seen;
            if (std::stol(text.substr(i + 1)) != line)
                wrong += text.substr(i, digits - i) + " on line " + std::to_string(line) + "\n";
        }
        ++line;
    }
    return {wrong, seen};
}

void expect_lines_kept(const std::string& text)
{
    std::string numbered = number_lines(text);
    driver::TranslateResult result = translate("# 1 \"t.upc\"\n" + numbered);
    ASSERT_TRUE(result.ok) << result.messages;
    auto [wrong, seen] = misplaced(result.c);
    EXPECT_EQ(wrong, "") << result.c;
    int written = static_cast<int>(std::count(text.begin(), text.end(), '@'));
    EXPECT_GE(seen, written) << result.c;
}

const char* const kDeclarations =
    "int @, a_; shared [3] int a[4*THREADS]; struct s { int m; } *q; shared struct s *p; shared int *r;\n";

TEST(EmitTest, PlainCIsUntouched)
{
    const std::string text =
        "# 1 \"t.c\"\nint  f( int a )\n{\n\treturn a ; /* ? */ }\n#pragma pack(1)\nchar *s = \"shared\";\n";
    EXPECT_EQ(translate(text).c.substr(0, text.size()), text);
    EXPECT_EQ(translate(text, false).c.substr(0, text.size()), text);
}

TEST(EmitTest, TextAroundUpcIsUntouched)
{
    std::string c =
        translate("# 1 \"t.upc\"\nint  before ;\nshared int x;\nint  after( void ) { return x  +  1; }\n").c;
    EXPECT_NE(c.find("int  before ;\n"), std::string::npos) << c;
    EXPECT_NE(c.find("int  after( void ) { return (*(int *)x)  +  1; }\n"), std::string::npos) << c;
}

TEST(EmitTest, ExpressionsOverSeveralLines)
{
    expect_lines_kept(std::string(kDeclarations) + "int f(int i)\n{\n"
                                                   "    a[@ +\n      @ *\n\n @] = a[@]\n   + @;\n"
                                                   "    @ = p->m + @ + (*\n p)\n .m; @ = 3;\n"
                                                   "    @ = upc_blocksizeof(\n a\n ) + @;\n"
                                                   "    r = &a[@\n] == 0 ? 0 : (shared int *)\n r + @; @ = 2;\n"
                                                   "    r++; @ = 1; r +=\n @\n ; @ = 4;\n"
                                                   "    return @ + THREADS + @\n + MYTHREAD + @;\n}\nint @;\n");
}

TEST(EmitTest, StatementsOverSeveralLines)
{
    expect_lines_kept(std::string(kDeclarations) +
                      "void f(void)\n{\n"
                      "    int i;\n"
                      "    upc_forall (i = @;\n i < @;\n i++;\n &a[i +\n @])\n    {\n        @ = i;\n    }\n @ = 1;\n"
                      "    upc_forall (int j = 0; j < 5;\n\n\n\n\n\n\n\n\n\n\n j++; continue) @ = j; @ = 2;\n"
                      "    upc_barrier\n @\n ; @ = 3; upc_notify\n; upc_wait @; upc_fence\n; @ = 4;\n"
                      "    for (shared [3] int *x = a,\n *y = &a[@]; x !=\n y; x++)\n @ = 3;\n"
                      "    if (r\n && @) @ = 4; else\n @ = 5;\n"
                      "    while (r) {\n @ = 4; }\n do @ = 1; while (\n r); @ = 5;\n"
                      "}\nint @;\n");
}

TEST(EmitTest, DeclarationsOverSeveralLines)
{
    expect_lines_kept(std::string(kDeclarations) +
                      "shared [2]\n int b\n [THREADS\n *2], *c,\n (*d)[3]; int @;\n"
                      "struct t {\n shared int *x, *y;\n int m@;\n shared [] char *z;\n int n@; } u@;\n"
                      "typedef\n shared [4] int\n T4; int v@;\n"
                      "static shared int *\ng(shared int *x,\n T4 *\n y, int z@)\n{\n static shared int\n"
                      " s; shared int *l = x\n ; @ = s; return x + @;\n}\n"
                      "shared int *h(x, n)\n shared int *x;\n int n;\n{ @ = n; return x; }\nint w@;\n");
}

TEST(EmitTest, StrictAccessesOverSeveralLines)
{
    expect_lines_kept(std::string(kDeclarations) +
                      "strict shared int st; void f(void)\n{\n#pragma upc strict\n"
                      "    st = @ +\n @; @ = st\n + @; st +=\n @; st++\n; @ = 3; a[@\n] = a[st\n + @]; @ = 4;\n"
                      "}\nint @;\n");
}

// What gcc and clang want of line markers: a file is left for the one that it was entered from.  Returns the first that
// is wrong.
std::string wrongly_nested(const std::string& c)
{
    std::vector<std::string> outer;
    std::string file;
    for (size_t at = 0; at < c.size(); at = c.find('\n', at) + 1) {
        std::string line = c.substr(at, c.find('\n', at) - at);
        if (!line.starts_with("# "))
            continue;
        size_t quote = line.find('"');
        std::string name = line.substr(quote, line.rfind('"') - quote);
        bool enters = line.ends_with(" 1");
        if (enters)
            outer.push_back(file);
        if (line.ends_with(" 2")) {
            if (outer.empty() || outer.back() != name)
                return line;
            outer.pop_back();
        }
        file = name;
    }
    return outer.empty() ? "" : "not left: " + file;
}

TEST(EmitTest, FilesAreEnteredAndLeftInPairs)
{
    auto nested = [](const std::string& text) {
        driver::TranslateResult result = translate("# 1 \"t.upc\"\n" + text);
        EXPECT_TRUE(result.ok) << result.messages;
        return wrongly_nested(result.c) + (result.c.find("int last;") == std::string::npos ? "nothing" : "");
    };
    const std::string values = "\n# 1 \"v.h\" 1\n3\n# 3 \"t.upc\" 2\n";
    EXPECT_EQ(nested("shared int *p[" + values + "]; int last;\n"), "");
    EXPECT_EQ(nested("shared int *f(int a[" + values + "]) { return 0; } int last;\n"), "");
    EXPECT_EQ(nested("shared int x =" + values + "; int last;\n"), "");
    EXPECT_EQ(nested("shared int *f(\n# 1 \"v.h\" 1\nint a)\n# 3 \"t.upc\" 2\n{ return 0; } int last;\n"), "");
    EXPECT_EQ(nested("shared int x =" + values + ";\n# 1 \"h.h\" 1\nshared\n# 5 \"t.upc\" 2\nint y;\nint last;\n"), "");
    EXPECT_EQ(nested("# 1 \"h.h\" 1\n# 1 \"i.h\" 1\nshared int *\n# 2 \"h.h\" 2\n# 5 \"t.upc\" 2\nz;\nint last;\n"),
              "");
    EXPECT_EQ(nested("shared int *\n# 1 \"h.h\" 1\nx; int i;\n# 5 \"t.upc\" 2\nint last;\n"), "");
    EXPECT_EQ(
        nested(
            "# 1 \"h.h\" 1\nshared int *\n# 2 \"t.upc\" 2\n*\n# 1 \"h.h\" 1\nx; int i;\n# 5 \"t.upc\" 2\nint last;\n"),
        "");
}

TEST(EmitTest, MarkersWithinConstructs)
{
    driver::TranslateResult result = translate("# 1 \"t.upc\"\nshared int x; int f(int y)\n{\n    return x +\n"
                                               "# 70 \"other.h\" 1 3\n"
                                               "        x\n# 5 \"t.upc\" 2\n        + L5_ + y;\n}\nint L7_;\n");
    ASSERT_TRUE(result.ok) << result.messages;
    EXPECT_EQ(misplaced(result.c).first, "") << result.c;
    EXPECT_NE(result.c.find("# 70 \"other.h\""), std::string::npos) << result.c;
}

TEST(EmitTest, ConstructsOfMacrosStandOnOneLine)
{
    std::string text = "# 1 \"t.upc\"\nshared int x[THREADS]; int i; void f(void)\n{\n";
    for (int n = 0; n < 20; ++n)
        text += "upc_forall (i = 0; i < THREADS; i++; &x[i]) { x[i] = i; } ";
    text += "L3_;\n}\nint L5_;\n";
    driver::TranslateResult result = translate(text);
    ASSERT_TRUE(result.ok) << result.messages;
    EXPECT_EQ(misplaced(result.c).first, "") << result.c;
}

TEST(EmitTest, WhatFollowsTheProgramIsOfASystemHeader)
{
    driver::TranslateResult result = translate("# 1 \"t.upc\"\nint y;\nshared int x;\nshared int *p = &x;\n", false);
    ASSERT_TRUE(result.ok) << result.messages;
    size_t behind = result.c.find("extern struct bn_static *const __start_bn_statics");
    ASSERT_NE(behind, std::string::npos) << result.c;
    EXPECT_TRUE(std::string_view(result.c).substr(0, behind).ends_with("\n# 3 \"t.upc\" 3\n")) << result.c;
    for (size_t marker = result.c.find("\n# ", behind); marker != std::string::npos;
         marker = result.c.find("\n# ", marker + 1))
        EXPECT_EQ(result.c.find(" 3\n", marker), result.c.find('\n', marker + 1) - 2) << result.c.substr(marker);
}

TEST(EmitTest, TextsWithoutALastNewline)
{
    EXPECT_TRUE(translate("").ok);
    EXPECT_TRUE(translate("int x;").c.starts_with("int x;"));
    driver::TranslateResult result = translate("int x; shared int y; int z;");
    EXPECT_TRUE(result.ok);
    EXPECT_NE(result.c.find(" int z;\n"), std::string::npos) << result.c;
}

}  // namespace
}  // namespace bn::emit
