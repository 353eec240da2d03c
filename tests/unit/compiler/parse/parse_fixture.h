// parse_fixture.h: parses a piece of text, checks the invariants of the tree, and prints it as S-expressions.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "diag/diagnostics.h"
#include "lex/lex.h"
#include "parse/check.h"
#include "parse/dump.h"
#include "parse/parse.h"
#include "source/source.h"

namespace bn::parse {

using ast::Kind;
using ast::Op;
using lex::Tok;

class ParseTest : public ::testing::Test {
protected:
    // Everything is parsed in full unless `options` say otherwise.
    void load(std::string text, const Options& options = {.full_parse = true})
    {
        source_ = std::make_unique<source::Source>(std::move(text), "t.upc");
        tokens_ = lex::lex(*source_, language_);
        diagnostics_ = std::make_unique<diag::Diagnostics>(tokens_, diag::Options{});
        arena_ = std::make_unique<ast::Arena>();
        unit_ = parse(tokens_, *arena_, *diagnostics_, options);
        EXPECT_EQ(check_structure(*unit_, tokens_), "");
    }

    // The tree of text without errors
    std::string tree(std::string text)
    {
        load(std::move(text));
        EXPECT_EQ(diagnostics_->output(), "");
        EXPECT_EQ(unit_->abandoned, 0u) << source_->text();
        std::string dumped = dump(*unit_, tokens_);
        return dumped.substr(0, dumped.empty() ? 0 : dumped.size() - 1);
    }

    // The tree of an expression, with a, b, c as variables and T as a typedef name
    std::string expr(const std::string& text)
    {
        load("typedef int T; int f(void) { return " + text + "; }");
        EXPECT_EQ(diagnostics_->output(), "");
        if (unit_->decls.size() != 2 || body(1)->items.size() != 1)
            return "no expression: " + text;
        return dump(*static_cast<ast::SimpleStmt*>(body(1)->items[0])->value, tokens_);
    }

    // The trees of statements in a function, T is a typedef name
    std::string stmts(const std::string& text)
    {
        load("typedef int T; shared int sh; int f(void) { " + text + " }");
        EXPECT_EQ(diagnostics_->output(), "");
        EXPECT_EQ(unit_->abandoned, 0u) << text;
        std::string trees;
        if (unit_->decls.size() != 3 || unit_->decls[2]->kind != ast::Kind::FunctionDef)
            return "no function: " + text;
        for (const ast::Node* item : body(2)->items)
            trees += (trees.empty() ? "" : " ") + dump(*item, tokens_);
        return trees;
    }

    // The messages about some text, each as "line:column: text"
    std::string messages(std::string text, const Options& options = {})
    {
        load(std::move(text), options);
        std::string list;
        std::string_view rest = diagnostics_->output();
        while (!rest.empty()) {
            size_t end = rest.find('\n');
            std::string_view line = rest.substr(0, end);
            rest.remove_prefix(end + 1);
            if (line.starts_with("t.upc:"))
                list += std::string(line.substr(6)) + "\n";
        }
        return list;
    }

    const ast::CompoundStmt* body(size_t decl) const
    {
        EXPECT_EQ(unit_->decls.at(decl)->kind, ast::Kind::FunctionDef);
        return static_cast<ast::FunctionDef*>(unit_->decls[decl])->body;
    }

    lex::Options language_;
    std::unique_ptr<source::Source> source_;
    lex::TokenList tokens_;
    std::unique_ptr<diag::Diagnostics> diagnostics_;
    std::unique_ptr<ast::Arena> arena_;
    ast::Unit* unit_ = nullptr;
};

}  // namespace bn::parse
