// words.h: the words of UPC and what they mean, for people.
#pragma once

#include <span>
#include <string_view>

namespace bn::lsp {

struct Word {
    std::string_view text;
    std::string_view snippet;  // what completion inserts, in the protocol's notation; empty: the word
    std::string_view meaning;
};

// Keywords, and the macros that upcc defines
std::span<const Word> words_of_upc();

// Null for other words
const Word* word_of_upc(std::string_view text);

}  // namespace bn::lsp
