// taint.h: which text uses UPC: text that contains a UPC keyword, or a name that such text declared at file scope.
#pragma once

#include <cstdint>
#include <vector>

#include "lex/token.h"

namespace bn::parse {

class Taint {
public:
    explicit Taint(const lex::TokenList& tokens) : tokens_(tokens), tainted_(tokens.names.size()) {}

    void add(uint32_t name)
    {
        any_name_ = true;
        tainted_[name] = true;
    }

    // Whether the tokens first..end-1 use UPC
    bool touches(lex::TokenIndex first, lex::TokenIndex end) const;

    // The end of the block that starts at `open` (its closing brace, or the End token), and whether the block uses UPC
    struct Block {
        lex::TokenIndex close;
        bool touched;
    };
    Block scan_block(lex::TokenIndex open) const;

private:
    bool is_tainted(const lex::Token& token) const
    {
        return token.kind == lex::Tok::Identifier && tainted_[token.name];
    }

    const lex::TokenList& tokens_;
    std::vector<uint8_t> tainted_;
    bool any_name_ = false;
};

}  // namespace bn::parse
