#include "lex/names.h"

#include <iterator>

namespace bn::lex {

namespace {

constexpr size_t kFirstSlots = 4096;

struct Keyword {
    Tok tok;
    std::string_view text;
};

constexpr Keyword kKeywords[] = {
#define BN_TOKEN(name, spelling)
#define BN_KEYWORD(name, spelling) {Tok::name, spelling},
#define BN_ALIAS(name, spelling) {Tok::name, spelling},
#include "lex/tokens.def"
};

constexpr Keyword kWordsOfC23[] = {
#define BN_TOKEN(name, spelling)
#define BN_C23_WORD(name, spelling) {Tok::name, spelling},
#include "lex/tokens.def"
};

constexpr Keyword kOldWords[] = {
#define BN_TOKEN(name, spelling)
#define BN_OLD_WORD(name, spelling) {Tok::name, spelling},
#include "lex/tokens.def"
};

}  // namespace

NameTable::NameTable(const Options& options) : slots_(kFirstSlots)
{
    names_.push_back({});
    keywords_.push_back(Tok::Identifier);
    for (const Keyword& keyword : kKeywords) {
        bool is_gnu = keyword.text == "asm" || (keyword.text == "typeof" && !options.is_c23);
        if (options.gnu_keywords || !is_gnu)
            add_keyword(keyword.tok, keyword.text);
    }
    for (const Keyword& word : kWordsOfC23) {
        if (options.is_c23)
            add_keyword(word.tok, word.text);
    }
    first_old_word_ = static_cast<uint32_t>(names_.size());
    for (const Keyword& word : kOldWords)
        add_keyword(Tok::Identifier, word.text);
}

void NameTable::add_keyword(Tok tok, std::string_view text)
{
    uint32_t hash = kHashStart;
    for (char c : text)
        hash = hash_step(hash, c);
    intern(text, hash);
    keywords_.push_back(tok);
}

Tok NameTable::old_word(uint32_t name) const
{
    bool is_one = name >= first_old_word_ && name - first_old_word_ < std::size(kOldWords);
    return is_one ? kOldWords[name - first_old_word_].tok : Tok::Identifier;
}

uint32_t NameTable::intern(std::string_view text, uint32_t hash)
{
    const size_t mask = slots_.size() - 1;
    size_t at = (hash ^ (hash >> 15)) & mask;
    for (; slots_[at].name != 0; at = (at + 1) & mask) {
        if (slots_[at].hash == hash && names_[slots_[at].name] == text)
            return slots_[at].name;
    }
    uint32_t name = static_cast<uint32_t>(names_.size());
    names_.push_back(text);
    slots_[at] = {hash, name};
    if (names_.size() * 2 > slots_.size())
        grow();
    return name;
}

void NameTable::grow()
{
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.name == 0)
            continue;
        size_t at = (slot.hash ^ (slot.hash >> 15)) & mask;
        while (slots_[at].name != 0)
            at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

}  // namespace bn::lex
