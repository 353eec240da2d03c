#include "lsp/layout.h"

#include <gtest/gtest.h>

#include "driver/translate.h"
#include "lsp/index.h"

namespace bn::lsp {
namespace {

class LayoutTest : public ::testing::Test {
protected:
    void load(const std::string& text, int threads = 0)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.static_threads = threads_ = threads;
        options.full_parse = options.keeps_tree = true;
        result_ = driver::translate(text, options);
        ASSERT_NE(result_.tree, nullptr);
        ASSERT_EQ(result_.messages, "");
        index_ = make_index(*result_.tree->unit, result_.origin->tokens);
    }

    const Entity& entity(std::string_view name) const
    {
        for (const Entity& entity : index_.entities)
            if (entity.name == name)
                return entity;
        ADD_FAILURE() << name;
        return index_.entities[0];
    }

    std::string layout(std::string_view name, bool is_static = true)
    {
        return layout_words(entity(name).type, threads_, is_static);
    }

    // Where the last statement's expression is, of the function f
    std::string place(const std::string& expression)
    {
        load(objects_ + "void f(int i, int j, shared [3] int *p, shared [] int *q, shared int (*r)[4])\n{ " +
                 expression + "; }\n",
             threads_);
        const auto* function = static_cast<const ast::FunctionDef*>(result_.tree->unit->decls.back());
        const auto* statement = static_cast<const ast::SimpleStmt*>(function->body->items.back());
        return place_words(*statement->value, result_.origin->tokens, threads_);
    }

    driver::TranslateResult result_;
    Index index_;
    int threads_ = 0;
    std::string objects_ =
        "shared [3] int a[30 * THREADS];\nshared int b[THREADS];\nshared [] int c[5];\nshared int s;\n"
        "shared [2] int m[4][6 * THREADS];\nstruct t { int x; struct { int y[3]; } in; };\n"
        "shared [2] struct t n[8 * THREADS];\nint own[4];\n";
};

TEST_F(LayoutTest, OfObjects)
{
    load(objects_ + "shared [3] int *p;\nshared [] int *q;\nshared void *v;\nint *local;\nshared int *shared sp;\n");
    EXPECT_EQ(layout("a"),
              "shared, in blocks of 3: element i is on thread (i / 3) % THREADS, phase i % 3. Each thread has "
              "room for 30 elements; 120 * THREADS bytes");
    EXPECT_EQ(layout("b"),
              "shared, distributed one by one: element i is on thread i % THREADS. Each thread has room for 1 "
              "element; 4 * THREADS bytes");
    EXPECT_EQ(layout("c"), "shared, of indefinite layout: all elements are on thread 0; 20 bytes");
    EXPECT_EQ(layout("s"), "shared: one object for all threads, on thread 0; 4 bytes");
    EXPECT_EQ(layout("own"), "private: each thread has its own");
    EXPECT_EQ(layout("own", false), "");
    EXPECT_EQ(layout("p", false),
              "pointer-to-shared: blocks of 3, so p + 1 is the next element of the block of *p, and after "
              "its end the first one of the next thread's");
    EXPECT_EQ(layout("q", false), "pointer-to-shared: indefinite layout, so p + 1 is on the same thread as *p");
    EXPECT_EQ(layout("v", false),
              "generic pointer-to-shared: for any shared object, without a block size, so it has no "
              "arithmetic");
    EXPECT_EQ(layout("local"),
              "pointer to private memory of the thread that uses it. The pointer is private: each thread "
              "has its own");
    EXPECT_EQ(layout("sp"),
              "shared: one object for all threads, on thread 0; 16 bytes. The pointer-to-shared: p + 1 is "
              "on the next thread");
}

TEST_F(LayoutTest, PlacesOfElements)
{
    EXPECT_EQ(place("a[i]"), "thread (i / 3) % THREADS, phase i % 3");
    EXPECT_EQ(place("a[i + 1]"), "thread ((i + 1) / 3) % THREADS, phase (i + 1) % 3");
    EXPECT_EQ(place("a[0]"), "thread 0, phase 0");
    EXPECT_EQ(place("(a)[i]"), "thread (i / 3) % THREADS, phase i % 3");
    EXPECT_EQ(place("*a"), "thread 0, phase 0");
    EXPECT_EQ(place("b[MYTHREAD]"), "thread MYTHREAD % THREADS");
    EXPECT_EQ(place("c[i]"), "thread 0");
    EXPECT_EQ(place("s"), "thread 0");
    EXPECT_EQ(place("m[i][j]"), "thread ((i * 6 * THREADS + j) / 2) % THREADS, phase (i * 6 * THREADS + j) % 2");
    EXPECT_EQ(place("m[i]"), "thread ((i * 6 * THREADS) / 2) % THREADS, phase (i * 6 * THREADS) % 2");
    EXPECT_EQ(place("n[i].in.y[2]"), "");
    EXPECT_EQ(place("n[i].x"), "thread (i / 2) % THREADS, phase i % 2");
    EXPECT_EQ(place("own[i]"), "");
    EXPECT_EQ(place("a[i] + 1"), "");
}

TEST_F(LayoutTest, PlacesBehindPointers)
{
    EXPECT_EQ(place("*p"), "thread upc_threadof(p)");
    EXPECT_EQ(place("p[i]"), "thread (upc_threadof(p) + ((upc_phaseof(p) + i) / 3)) % THREADS");
    EXPECT_EQ(place("q[i]"), "thread upc_threadof(q)");
    EXPECT_EQ(place("(&b[i])[0]"), "thread i % THREADS");
    EXPECT_EQ(place("*(p + i)"), "thread upc_threadof(p + i)");
}

TEST_F(LayoutTest, PlacesWithAKnownNumberOfThreads)
{
    threads_ = 4;
    EXPECT_EQ(place("a[37]"), "thread 0, phase 1");
    EXPECT_EQ(place("m[1][THREADS - 1]"), "thread ((24 + THREADS - 1) / 2) % 4, phase (24 + THREADS - 1) % 2");
    EXPECT_EQ(place("b[i]"), "thread i % 4");
}

TEST_F(LayoutTest, WrittenTextIsTidy)
{
    load("extern __inline__ __attribute__((__gnu_inline__)) int f(int *__restrict__ __to,\n   int n) { return n; }\n");
    EXPECT_EQ(written(result_.origin->tokens, entity("f").first, entity("f").last), "int f(int *restrict to, int n)");
}

}  // namespace
}  // namespace bn::lsp
