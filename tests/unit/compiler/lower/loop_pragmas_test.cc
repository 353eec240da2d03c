// Loops under pragmas (lower/loop_pragmas.cc): which of them stay as they are, and which are free.  That the C does
// what the program says is for tests/programs/loops_of_openmp to show.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {
namespace {

struct Threads {
    int count;  // 0: dynamic
    bool are_far;
};

class LoopPragmasTest : public ::testing::TestWithParam<Threads> {
protected:
    // The C of a function with this body, without blanks and line markers
    std::string translate(const std::string& body)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = Passes::all();
        options.static_threads = GetParam().count;
        options.far_threads = GetParam().are_far;
        std::string text =
            "shared [4] int a[16*THREADS][4]; shared [8] int f[64*THREADS]; shared [32] int g[64*THREADS];"
            "shared int cyclic[64*THREADS]; strict shared int s; int col[64];"
            "double l[16]; shared [16] double m[16*THREADS][16], n[16*THREADS][16];\nvoid fn(int t) {\n" +
            body + "\n}\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        std::string c = result.c.substr(result.c.find("void fn("));
        c.resize(c.find("\nextern struct"));
        for (size_t marker; (marker = c.find("\n# ")) != std::string::npos;)
            c.erase(marker, c.find('\n', marker + 1) - marker);
        std::erase_if(c, [](char letter) { return letter == ' ' || letter == '\n'; });
        return c;
    }

    // Whether nothing but `heads` follows the pragma
    bool keeps(const std::string& pragma, const std::string& heads, const std::string& element)
    {
        std::string c = translate("\n#pragma " + pragma + "\n" + heads + " t += " + element + ";");
        std::string kept = pragma + heads;
        std::erase(kept, ' ');
        return c.find(kept) != std::string::npos;
    }
};

constexpr std::array kElements = {"a[i][j]", "f[i*8+j]", "g[j]", "cyclic[col[j]]", "cyclic[j]", "s"};

TEST_P(LoopPragmasTest, LoopsOfOnePragmaHaveNothingBetweenTheirHeads)
{
    for (const char* pragma : {"omp parallel for collapse(2)", "omp for schedule(static), collapse ( 2 )",
                               "omp for ordered(2)", "omp for collapse(1 + 1)", "omp for simd collapse(3)",
                               "omp tile sizes(4, 4)", "acc parallel loop collapse(2)"})
        for (const char* element : kElements)
            EXPECT_TRUE(keeps(pragma, "for (int i=0;i<4;i++) for (int j=0;j<8;j++)", element)) << pragma << element;
}

TEST_P(LoopPragmasTest, BracesMayStandBetweenTheHeads)
{
    for (const char* element : kElements)
        EXPECT_TRUE(keeps("omp for collapse(2)", "for (int i=0;i<4;i++) { for (int j=0;j<8;j++)",
                          std::string(element) + "; }"));
}

TEST_P(LoopPragmasTest, LoopsWithinThemAreFree)
{
    for (const char* pragma : {"omp parallel for", "omp for collapse(1)", "omp for ordered", "acc loop",
                               "omp for private(t) schedule(static, 2)"}) {
        bool is_far = GetParam().are_far;
        EXPECT_FALSE(keeps(pragma, "for (int i=0;i<4;i++) for (int j=0;j<8;j++)", "cyclic[col[j]]")) << pragma;
        EXPECT_EQ(keeps(pragma, "for (int i=0;i<4;i++) for (int j=0;j<4;j++)", "a[i][j]"), is_far) << pragma;
        EXPECT_EQ(keeps(pragma, "for (int i=0;i<4;i++) for (int j=0;j<64;j++)", "g[j]"), is_far) << pragma;
    }
    EXPECT_FALSE(keeps("omp for collapse(2)", "for (int h=0;h<4;h++) for (int i=0;i<4;i++) for (int j=0;j<8;j++)",
                       "cyclic[col[j]]"));
}

TEST_P(LoopPragmasTest, PragmasStayBeforeTheBodyOfALoop)
{
    for (const char* element : kElements) {
        std::string body = "\n#pragma omp atomic\nt += " + std::string(element) + ";";
        for (const char* heads : {"for (int i=0;i<4;i++) for (int j=0;j<4;j++)",
                                  "int i = 1; upc_forall (int j = 0; j < 4; j++; &cyclic[j])"}) {
            std::string c = translate(heads + body);
            size_t count = 0;
            for (size_t at = 0; (at = c.find("t+=", at)) != std::string::npos; ++at, ++count)
                EXPECT_TRUE(std::string_view(c).substr(0, at).ends_with("#pragmaompatomic")) << c;
            EXPECT_NE(count, 0U) << c;
        }
    }
}

// Elements of columns would be variables until the last iteration.
TEST_P(LoopPragmasTest, AtomicUpdatesOfColumnsStayWhereTheyAre)
{
    std::string body = "m[0][j] += l[k] * n[k][j];";
    std::string outer = "for (int j = 0; j < 16; j++)", inner = "for (int k = 0; k < 16; k++)";
    bool is_far = GetParam().are_far;
    EXPECT_EQ(translate(outer + inner + body).find("j+=8") == std::string::npos, is_far);
    EXPECT_EQ(translate(outer + "\n#pragma omp simd\n" + inner + body).find("j+=8") == std::string::npos, is_far);
    EXPECT_EQ(translate(outer + inner + "\n#pragma omp atomic\n" + body).find("j+=8"), std::string::npos);
    EXPECT_EQ(translate(outer + "{" + inner + body + "\n#pragma omp barrier\n}").find("j+=8"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Threads, LoopPragmasTest,
                         ::testing::Values(Threads{0, false}, Threads{2, false}, Threads{0, true}));

}  // namespace
}  // namespace bn::lower
