// names.h: the names of a translation unit, each with a number; keywords have the first ones.
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

    // FNV-1a, one step; the lexer computes it while it looks for the end of an identifier.
    static constexpr uint32_t kHashStart = 2166136261u;
    static uint32_t hash_step(uint32_t hash, char c) { return (hash ^ static_cast<unsigned char>(c)) * 16777619u; }

    // Number of the name with this text and hash; it is new if there is none yet.  `text` must stay where it is.
    uint32_t intern(std::string_view text, uint32_t hash);

    // The keyword that the name is, Identifier for others
    Tok keyword(uint32_t name) const { return name < keywords_.size() ? keywords_[name] : Tok::Identifier; }

    // The keyword that took the place of this word of UPC 1.0, Identifier for other names
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
    uint32_t first_old_word_ = 0;  // the others follow
};

}  // namespace bn::lex
