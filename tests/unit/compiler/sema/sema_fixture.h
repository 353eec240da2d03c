// sema_fixture.h: runs a piece of text through lexer, parser and checker, and returns what it declares.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "ast/arena.h"
#include "diag/diagnostics.h"
#include "lex/lex.h"
#include "parse/parse.h"
#include "sema/sema.h"
#include "sema/types.h"
#include "source/source.h"

namespace bn::sema {

class SemaTest : public ::testing::Test {
protected:
    // threads is 0 in the dynamic environment
    void load(std::string text, int threads = 0)
    {
        source_ = std::make_unique<source::Source>(std::move(text), "t.upc");
        tokens_ = lex::lex(*source_, language_);
        diagnostics_ = std::make_unique<diag::Diagnostics>(tokens_, diag::Options{});
        arena_ = std::make_unique<ast::Arena>();
        unit_ = parse::parse(tokens_, *arena_, *diagnostics_, {.full_parse = true});
        analysis_ = check(*unit_, tokens_, *arena_, *diagnostics_, {.static_threads = threads, .machine = machine_});
    }

    // What the last declarator at file scope declares
    const Symbol& last()
    {
        static const Symbol nothing;
        for (size_t i = unit_->decls.size(); i-- > 0;) {
            if (unit_->decls[i]->kind != ast::Kind::Declaration)
                continue;
            auto* declaration = static_cast<ast::Declaration*>(unit_->decls[i]);
            if (!declaration->declarators.empty() && declaration->declarators.back()->symbol != nullptr)
                return *declaration->declarators.back()->symbol;
        }
        ADD_FAILURE() << "nothing is declared";
        return nothing;
    }

    // The type of the last declarator of text without errors
    QualType type(std::string text, int threads = 0)
    {
        load(std::move(text), threads);
        EXPECT_EQ(diagnostics_->output(), "");
        return last().type;
    }

    // The type of an expression after some declarations
    QualType expr(const std::string& declarations, const std::string& expression, int threads = 0)
    {
        load(declarations + " void test_function(void) { " + expression + "; }", threads);
        EXPECT_EQ(diagnostics_->output(), "");
        auto* function = static_cast<ast::FunctionDef*>(unit_->decls.back());
        return static_cast<ast::SimpleStmt*>(function->body->items.back())->value->type;
    }

    std::string expr_text(const std::string& declarations, const std::string& expression, int threads = 0)
    {
        return describe(expr(declarations, expression, threads));
    }

    // The first line of each message, without the file
    std::string messages(std::string text, int threads = 0)
    {
        load(std::move(text), threads);
        std::string list;
        std::string_view rest = diagnostics_->output();
        while (!rest.empty()) {
            size_t end = rest.find('\n');
            std::string_view line = rest.substr(0, end);
            rest.remove_prefix(end + 1);
            if (line.starts_with("t.upc:"))
                list += std::string(line.substr(line.find(": ") + 2)) + "\n";
        }
        return list;
    }

    lex::Options language_;
    Machine machine_;
    std::unique_ptr<source::Source> source_;
    lex::TokenList tokens_;
    std::unique_ptr<diag::Diagnostics> diagnostics_;
    std::unique_ptr<ast::Arena> arena_;
    ast::Unit* unit_ = nullptr;
    Analysis analysis_;
};

}  // namespace bn::sema
