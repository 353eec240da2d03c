// names.h: the names of a translation unit, numbered; keywords come first.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lex/lex.h"
#include "lex/token.h"

namespace bn::lex {

class NameTable {
public:
    explicit NameTable(const Options& options);

    // One step of FNV-1a; the lexer computes the hash while it searches for the end of an identifier.
    static constexpr uint32_t kHashStart = 2166136261u;
    static uint32_t hash_step(uint32_t hash, char c) { return (hash ^ static_cast<unsigned char>(c)) * 16777619u; }

    // Number of the name with this text and hash; a new name is added.  `text` must outlive the table.
    uint32_t intern(std::string_view text, uint32_t hash);

    // The keyword with this name; Identifier for other names
    Tok keyword(uint32_t name) const { return name < keywords_.size() ? keywords_[name] : Tok::Identifier; }

    // The keyword that replaced this UPC 1.0 word; Identifier for other names
    Tok old_word(uint32_t name) const;

    std::vector<std::string_view> take_names() { return std::move(names_); }

private:
    struct Slot {
        uint32_t hash;
        uint32_t name;  // 0: the slot is free
    };

    void add_keyword(Tok tok, std::string_view text);
    void grow();

    std::vector<Slot> slots_;
    std::vector<std::string_view> names_;
    std::vector<Tok> keywords_;
    uint32_t first_old_word_ = 0;  // the others follow it
};

}  // namespace bn::lex
