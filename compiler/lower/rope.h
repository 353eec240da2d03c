// rope.h: builds the lowered form of a node from text and nodes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ast/ast.h"

namespace bn::lower {

class Rope {
public:
    explicit Rope(ast::Arena& arena) : arena_(&arena) {}

    Rope& operator<<(std::string_view text)
    {
        if (!text.empty())
            pieces_.push_back({arena_->copy(text), nullptr});
        return *this;
    }
    Rope& operator<<(const char* text) { return *this << std::string_view(text); }
    Rope& operator<<(const std::string& text) { return *this << std::string_view(text); }
    Rope& operator<<(uint64_t number) { return *this << std::to_string(number); }
    // Verbatim: a statement, a declaration or a whole expression
    Rope& operator<<(ast::Node* node)
    {
        pieces_.push_back({{}, node});
        return *this;
    }
    // An operand, which may become an argument of a call in the new text: a comma expression gets parentheses.
    Rope& operator<<(ast::Expr* operand)
    {
        bool is_list = operand->kind == ast::Kind::Binary && operand->op == ast::Op::Comma;
        if (is_list)
            *this << "(";
        *this << static_cast<ast::Node*>(operand);
        return is_list ? *this << ")" : *this;
    }
    Rope& operator<<(const Rope& other)
    {
        pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
        return *this;
    }

    bool empty() const { return pieces_.empty(); }
    const std::vector<ast::Piece>& pieces() const { return pieces_; }

private:
    ast::Arena* arena_;
    std::vector<ast::Piece> pieces_;
};

}  // namespace bn::lower
