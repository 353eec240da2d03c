// words.h: the words of UPC and their meanings, for display.
#pragma once

#include <span>
#include <string_view>

namespace bn::lsp {

struct Word {
    std::string_view text;
    std::string_view snippet;  // what completion inserts, in the protocol's notation; empty: the word itself
    std::string_view meaning;
};

// Keywords, and macros defined by upcc
std::span<const Word> words_of_upc();

// Null for other words
const Word* word_of_upc(std::string_view text);

}  // namespace bn::lsp
