// forall_fixture.h: for tests of the form that a loop over shared elements gets, and of the accesses in it.  That the
// forms are equivalent is tested by tests/programs and tests/random/loops.py.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lower {

inline constexpr const char* kForallDeclarations =
    "shared int a[4*THREADS], b[4*THREADS]; shared [3] int c[6*THREADS], d[6*THREADS];"
    "shared [16] int u[32*THREADS], v[32*THREADS]; shared [48] int m[24*THREADS][4]; shared [4] int r[THREADS][4], "
    "s[THREADS][4];shared [8] int r2[2*THREADS][4]; shared [] int w[9]; shared struct { char x; int y; } st[THREADS]; "
    "shared int n_shared;shared int cells[THREADS][4]; strict shared int flags[THREADS];"
    "shared int t1[9][THREADS], t2[2][9][THREADS]; shared [4] int t3[9][THREADS][4], t4[9][2*THREADS][4];"
    "shared int wide[6][4*THREADS]; shared [3] int odd[6][4*THREADS];"
    "extern int global; void g(int); int h(void); double sqrt(double);\n";

class ForallTest : public ::testing::Test {
protected:
    // The C of a function with this body
    std::string translate(const std::string& body, Passes passes = {true, true}, bool far_threads = false,
                          int static_threads = 0)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.passes = passes;
        options.far_threads = far_threads;
        options.static_threads = static_threads;
        options.ignores_types = ignores_types_;
        std::string text = std::string(kForallDeclarations) + functions_ +
                           (static_threads > 0 ? "shared [4] int planes[6][5][4];" : "") +
                           "void f(int n, int k, shared int *p, shared [3] int *q, int *z) { int i, j; " + body +
                           " }\n";
        driver::TranslateResult result = driver::translate(text, options);
        EXPECT_TRUE(result.ok) << text << "\n" << result.messages;
        size_t start = result.c.find("void f(");
        size_t end = result.c.find("\nextern struct", start);
        return result.c.substr(start, end - start);
    }

    std::string functions_;
    bool ignores_types_ = false;  // -fno-strict-aliasing

    bool is_dealt(const std::string& loop) { return translate(loop).find(" == 0") != std::string::npos; }

    ::testing::AssertionResult has(const std::string& c, const std::string& part)
    {
        if (c.find(part) != std::string::npos)
            return ::testing::AssertionSuccess();
        return ::testing::AssertionFailure() << "no " << part << " in " << c;
    }
};

}  // namespace bn::lower
