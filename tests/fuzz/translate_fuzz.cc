// translate_fuzz.cc: the whole translation on mutated programs.  The first byte chooses the options, the rest is the
// preprocessed text.  Since random bytes seldom get past the parser, most mutations work on tokens: they delete,
// duplicate, swap or replace a token or a bracketed group of tokens.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "driver/translate.h"
#include "lex/lex.h"
#include "source/source.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

// A token, or a group from a bracket to its partner, as a part of the text
struct Part {
    size_t offset;
    size_t length;
};

class Mutator {
public:
    Mutator(std::string text, unsigned seed) : source_(std::move(text), "fuzz.upc"), random_(seed)
    {
        bn::lex::TokenList tokens = bn::lex::lex(source_, {});
        for (const bn::lex::Token& token : tokens.tokens)
            if (token.length != 0)
                tokens_.push_back({token.offset, token.length});
    }

    bool empty() const { return tokens_.empty(); }
    std::string_view text() const { return source_.text(); }
    std::string_view at(Part part) const { return text().substr(part.offset, part.length); }

    Part pick()
    {
        size_t first = below(tokens_.size());
        Part part = tokens_[first];
        if (below(2) == 0)
            return part;
        size_t last = partner(first);
        part.length = tokens_[last].offset + tokens_[last].length - part.offset;
        return part;
    }

    size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

    std::string mutate()
    {
        Part a = pick();
        std::string result(text());
        switch (below(5)) {
        case 0: return result.erase(a.offset, a.length);
        case 1: return result.insert(a.offset, std::string(at(a)) + " ");
        case 2: return result.insert(a.offset, " " + word() + " ");
        case 3: return result.replace(a.offset, a.length, " " + word() + " ");
        default: {
            Part b = pick();
            std::string first(at(a));
            std::string second(at(b));
            if (b.offset < a.offset + a.length)
                return result.replace(a.offset, a.length, second);
            result.replace(b.offset, b.length, first);
            return result.replace(a.offset, a.length, second);
        }
        }
    }

private:
    // The last token of the group that begins here; the token itself if it does not open a group
    size_t partner(size_t first) const
    {
        size_t depth = 0;
        for (size_t i = first; i < tokens_.size(); ++i) {
            std::string_view token = at(tokens_[i]);
            if (token == "(" || token == "[" || token == "{")
                ++depth;
            else if (token == ")" || token == "]" || token == "}")
                depth -= depth > 0 ? 1 : 0;
            if (depth == 0)
                return i;
        }
        return first;
    }

    // A token of the program, or one that matters to UPC
    std::string word()
    {
        // clang-format off
        static const char* const kWords[] = {
            "shared", "shared [3]", "shared []", "shared [*]", "strict", "relaxed", "THREADS", "MYTHREAD",
            "UPC_MAX_BLOCK_SIZE", "upc_forall", "upc_barrier", "upc_notify", "upc_wait", "upc_fence",
            "upc_localsizeof", "upc_blocksizeof", "upc_elemsizeof", "sizeof", "_Alignof", "const", "volatile",
            "_Atomic", "static", "extern", "typedef", "struct s", "union u", "enum e", "void", "int", "_Bool",
            "long double", "_Complex", "__int128", "*", "&", "[]", "[THREADS]", "[18446744073709551615u]",
            "[0x7fffffffffffffff]", "[1 << 62]", "[-1]", "[0]", "()", "(void)", ".m", "->m", "++", "--", "+=", "=",
            "== 0", "?", ":", "?:", ",", ";", "{", "}", "({", "})", "(", ")", "typeof", "__auto_type",
            "__attribute__((packed))", "__attribute__((aligned(64)))", "__attribute__((vector_size(16)))",
            "__attribute__((vector_size(0)))", "_Generic(", "default", "case", "switch", "for", "while", "do", "if",
            "else", "goto", "return", "continue", "break", "0", "1", "\"s\"", "'c'", "1.5", "__real__",
            "__builtin_choose_expr(1,", "__builtin_types_compatible_p(", "__builtin_offsetof(", "(shared void *)",
            "(int *)", "(shared int)", "_Alignas(0)", ": 3", ": 0", "...", "0x80000000", "18446744073709551616", "/ 0",
            "% 0", "<< 127", "\n#pragma upc strict\n", "\n# 7 \"other.upc\"\n",
        };
        // clang-format on
        if (below(2) == 0)
            return std::string(at(pick()));
        return kWords[below(sizeof kWords / sizeof *kWords)];
    }

    bn::source::Source source_;
    std::mt19937 random_;
    std::vector<Part> tokens_;
};

size_t store(uint8_t* data, size_t max_size, const std::string& text)
{
    size_t length = std::min(text.size(), max_size - 1);
    std::memcpy(data + 1, text.data(), length);
    return length + 1;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    constexpr unsigned kBytesEvery = 8;
    if (size < 2 || max_size < 2 || seed % kBytesEvery == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    for (unsigned times = 1 + seed / kBytesEvery % 4; times > 0; --times) {
        Mutator mutator(text, seed + times);
        if (mutator.empty())
            return LLVMFuzzerMutate(data, size, max_size);
        text = mutator.mutate();
    }
    return store(data, max_size, text);
}

// A group of the second program is inserted at some place of the first.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_size, unsigned seed)
{
    if (size1 < 2 || size2 < 2 || max_size < 2)
        return 0;
    Mutator to(std::string(reinterpret_cast<const char*>(data1) + 1, size1 - 1), seed);
    Mutator from(std::string(reinterpret_cast<const char*>(data2) + 1, size2 - 1), seed);
    if (to.empty() || from.empty())
        return 0;
    Part place = to.pick();
    std::string text(to.text());
    text.replace(place.offset, to.below(2) * place.length, " " + std::string(from.at(from.pick())) + " ");
    out[0] = data1[0];
    return store(out, max_size, text);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0)
        return 0;
    constexpr uint8_t kFullParse = 1, kStrictKeywords = 2, kOneThread = 4, kManyThreads = 8, kPasses = 16, kChecks = 32,
                      kRemarks = 64;
    const uint8_t choice = data[0];
    bn::driver::TranslateOptions options;
    options.source_name = "fuzz.upc";
    options.full_parse = (choice & kFullParse) != 0;
    options.gnu_keywords = (choice & kStrictKeywords) == 0;
    options.static_threads = (choice & kOneThread) != 0 ? 1 : (choice & kManyThreads) != 0 ? 7 : 0;
    options.checks = (choice & kChecks) != 0;
    if ((choice & kPasses) != 0 && !options.checks)
        options.passes = {true, true};
    if ((choice & kRemarks) != 0)
        options.diagnostics.remarks = bn::diag::Remarks::Text;
    bn::driver::translate(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), options);
    return 0;
}
