#include "lsp/index.h"

#include <gtest/gtest.h>

#include "driver/translate.h"

namespace bn::lsp {
namespace {

class IndexTest : public ::testing::Test {
protected:
    void load(const std::string& text)
    {
        driver::TranslateOptions options;
        options.source_name = "t.upc";
        options.full_parse = options.keeps_tree = true;
        result_ = driver::translate(text, options);
        ASSERT_NE(result_.tree, nullptr);
        index_ = make_index(*result_.tree->unit, tokens());
    }

    const lex::TokenList& tokens() const { return result_.origin->tokens; }

    // The n-th token (from 1) with this text
    TokenIndex token(std::string_view text, int nth) const
    {
        for (TokenIndex i = 1; i < tokens().tokens.size(); ++i)
            if (tokens().text(i) == text && --nth == 0)
                return i;
        return 0;
    }

    // What all tokens with this text mean, as numbers in the order in which they first come; roles behind them
    std::string meanings(std::string_view text)
    {
        std::string found;
        std::vector<uint32_t> order;
        for (TokenIndex i = 1; i < tokens().tokens.size(); ++i) {
            if (tokens().text(i) != text)
                continue;
            const Occurrence* occurrence = index_.at(i);
            uint32_t id = occurrence != nullptr ? occurrence->entity : 0;
            auto known = std::find(order.begin(), order.end(), id);
            if (known == order.end())
                known = order.insert(order.end(), id);
            found += occurrence == nullptr ? "?" : std::to_string(known - order.begin());
            found += occurrence == nullptr ? ' ' : "rwdD"[static_cast<int>(occurrence->role)];
        }
        return found;
    }

    driver::TranslateResult result_;
    Index index_;
};

TEST_F(IndexTest, InnerScopesHideOuterOnes)
{
    load("int x;\nint f(int x) { { long x = 1; x++; } for (int x = 0; x < 3; x++) ; return x; }\n"
         "int g(void) { return x; }\n");
    EXPECT_EQ(meanings("x"), "0D1D2D2w3D3r3w1r0r");
}

TEST_F(IndexTest, DeclarationsOfOneThingAreOneEntity)
{
    load("extern shared int x[THREADS];\nint f(void);\nshared int x[THREADS];\n"
         "int f(void) { extern shared int x[THREADS]; "
         "return x[0]; }\nint g(void) { return f() + x[1]; }\n");
    EXPECT_EQ(meanings("x"), "0d0D0d0r0r");
    EXPECT_EQ(meanings("f"), "0d0D0r");
    const Entity& x = index_.entities[index_.at(token("x", 1))->entity];
    EXPECT_EQ(x.declared, token("x", 1));
    EXPECT_EQ(x.defined, token("x", 2));
}

TEST_F(IndexTest, MembersAreThoseOfTheirRecord)
{
    load("struct a { int x; struct { int y; }; };\nstruct b { int x; };\n"
         "int f(struct a *p, struct b q, shared struct a *s)\n"
         "{ q.x = p->x + s->y; return p[0].y; }\nstruct a v = {.x = 1};\n");
    EXPECT_EQ(meanings("x"), "0D1D1w0r0w");
    EXPECT_EQ(meanings("y"), "0D0r0r");
}

TEST_F(IndexTest, TypesTagsEnumeratorsAndLabels)
{
    load("typedef struct s { int m; } t;\nenum e { one, two = one };\nt f(struct s v, enum e w)\n"
         "{ again: if (w == two) goto again; t u = v; return u; }\n");
    EXPECT_EQ(meanings("t"), "0D0r0r");
    EXPECT_EQ(meanings("s"), "0D0r");
    EXPECT_EQ(meanings("e"), "0D0r");
    EXPECT_EQ(meanings("one"), "0D0r");
    EXPECT_EQ(meanings("again"), "0D0r");
}

TEST_F(IndexTest, NamesOfNothingAreNone)
{
    load("int f(void) { return nothing; }\n");
    EXPECT_EQ(meanings("nothing"), "? ");
}

TEST_F(IndexTest, ScopesEndWithTheirBlocks)
{
    load("int f(int p) { { int inner; } int later; return p; }\n");
    auto entity = [&](std::string_view name) { return index_.entities[index_.at(token(name, 1))->entity]; };
    EXPECT_EQ(tokens().text(entity("inner").to), "}");
    EXPECT_LT(entity("inner").to, entity("later").from);
    EXPECT_EQ(entity("p").to, entity("later").to);
    EXPECT_EQ(entity("f").to, UINT32_MAX);
}

TEST_F(IndexTest, NodesAroundATokenGoFromTheOutside)
{
    load("shared int x;\nint f(void) { return x + 1; }\n");
    std::vector<const ast::Node*> nodes = nodes_around(*result_.tree->unit, token("x", 2));
    ASSERT_GE(nodes.size(), 4u);
    EXPECT_EQ(nodes.front()->kind, ast::Kind::FunctionDef);
    EXPECT_EQ(nodes.back()->kind, ast::Kind::Ident);
    EXPECT_TRUE(nodes_around(*result_.tree->unit, 0).empty());
}

}  // namespace
}  // namespace bn::lsp
