#include "lsp/layout.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace bn::lsp {

using ast::Expr;
using ast::Kind;
using ast::Op;
using namespace sema;

namespace {

constexpr size_t kLongestText = 120;

std::string threads_text(int threads)
{
    return threads > 0 ? std::to_string(threads) : "THREADS";
}

std::string size_words(Size size)
{
    return std::to_string(size.bytes) + (size.by_threads ? " * THREADS" : "") + " bytes";
}

std::optional<uint64_t> value_of(std::string_view text)
{
    uint64_t value = 0;
    auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool is_number = status == std::errc() && end == text.data() + text.size();
    return is_number ? std::optional(value) : std::nullopt;
}

// Parenthesised if necessary as part of a larger expression
std::string operand(const std::string& text)
{
    bool is_simple = text.find_first_of(" +-*/%<>=&|^?,!~") == text.npos;
    return is_simple ? text : "(" + text + ")";
}

// Parenthesised if necessary as a factor
std::string factor(const std::string& text)
{
    return text.find_first_of("+-/%<>=&|^?,!~") == text.npos ? text : "(" + text + ")";
}

std::string sum(const std::string& a, const std::string& b)
{
    std::optional<uint64_t> x = value_of(a);
    std::optional<uint64_t> y = value_of(b);
    if (x && y)
        return std::to_string(*x + *y);
    return x && *x == 0 ? b : y && *y == 0 ? a : a + " + " + b;
}

std::string product(const std::string& a, const std::string& b)
{
    std::optional<uint64_t> x = value_of(a);
    std::optional<uint64_t> y = value_of(b);
    if (x && y && (*y == 0 || *x <= UINT64_MAX / *y))
        return std::to_string(*x * *y);
    if ((x && *x == 0) || (y && *y == 0))
        return "0";
    return y && *y == 1 ? a : factor(a) + " * " + factor(b);
}

std::string quotient(const std::string& a, uint64_t b)
{
    std::optional<uint64_t> x = value_of(a);
    return b == 1 ? a : x ? std::to_string(*x / b) : operand(a) + " / " + std::to_string(b);
}

std::string remainder(const std::string& a, const std::string& b)
{
    std::optional<uint64_t> x = value_of(a);
    std::optional<uint64_t> y = value_of(b);
    return x && y && *y != 0 ? std::to_string(*x % *y) : x && *x == 0 ? "0" : operand(a) + " % " + b;
}

std::string thread_of(const std::string& index, uint64_t block, int threads)
{
    if (block == 0)
        return "0";
    return remainder(quotient(index, block), threads_text(threads));
}

std::string phase_words(const std::string& index, uint64_t block)
{
    return block > 1 ? ", phase " + remainder(index, std::to_string(block)) : "";
}

// The number of elements of this array type, as text
std::optional<std::string> count_text(const Type& array)
{
    if (array.by_threads)
        return array.count == 1 ? "THREADS" : std::to_string(array.count) + " * THREADS";
    return array.has_count ? std::optional(std::to_string(array.count)) : std::nullopt;
}

// How elements are distributed, and which of them each thread has
std::string array_words(QualType type, int threads)
{
    uint64_t block = block_size(type);
    std::string words = "shared, ";
    if (block == 0) {
        words += "of indefinite layout: all elements are on thread 0";
    } else {
        words += block == 1 ? "distributed one by one: " : "in blocks of " + std::to_string(block) + ": ";
        words += "element i is on thread " + thread_of("i", block, threads) + phase_words("i", block);
    }
    std::optional<Size> count = element_count(type);
    if (!count || block == 0)
        return words;
    std::optional<uint64_t> local = local_elements(type, threads);
    if (local)
        words += ". Each thread has room for " + std::to_string(*local) + (*local == 1 ? " element" : " elements");
    return words;
}

std::string pointer_words(QualType type)
{
    QualType target = pointee(type);
    if (!is_shared(target))
        return "pointer to private memory of the thread that uses it";
    if (is_void(target))
        return "generic pointer-to-shared: for any shared object, without a block size, so it has no arithmetic";
    uint64_t block = block_size(target);
    std::string words = "pointer-to-shared: ";
    if (block == 0)
        return words + "indefinite layout, so p + 1 is on the same thread as *p";
    if (block == 1)
        return words + "p + 1 is on the next thread";
    return words + "blocks of " + std::to_string(block) +
           ", so p + 1 is the next element of the block of *p, and after its end the first one of the next thread's";
}

// The expression without parts that have no meaning of their own
const Expr& plain(const Expr& e)
{
    const Expr* inner = &e;
    for (;;) {
        if (inner->kind == Kind::ImplicitCast && inner->a != nullptr)
            inner = inner->a;
        else if (const Expr* next = ast::inner(inner))
            inner = next;
        else
            return *inner;
    }
}

class Finder {
public:
    Finder(const lex::TokenList& tokens, int threads) : tokens_(tokens), threads_(threads) {}

    // a[i][j], *p, p[i], (*p)[i], p->m, and objects of which these are members
    std::string words(const Expr& expr)
    {
        const Expr& e = plain(expr);
        switch (e.kind) {
        case Kind::Ident: return object(e, {});
        case Kind::Index: return elements(e);
        case Kind::Unary: return e.op == Op::Deref ? step(*e.a, "0") : "";
        case Kind::Member:
            if (e.op == Op::Dot)
                return words(*e.a);
            return step(*e.a, "0");
        default: return "";
        }
    }

private:
    std::string text(const Expr& e) const { return written(tokens_, e.first, e.last); }

    std::string elements(const Expr& e)
    {
        std::vector<std::string> indices;
        const Expr* base = &e;
        while (base->kind == Kind::Index && is_array_below(*base)) {
            indices.insert(indices.begin(), text(*base->b));
            base = &plain(*base->a);
        }
        if (base->kind == Kind::Index)  // index of a pointer
            return indices.empty() ? step(*base->a, text(*base->b)) : "";
        if (base->kind == Kind::Ident)
            return object(*base, indices);
        return indices.empty() ? words(*base) : "";
    }

    static bool is_array_below(const Expr& index)
    {
        return index.a != nullptr && plain(*index.a).type.type != nullptr && is_array(plain(*index.a).type);
    }

    // A named object, or an element of it
    std::string object(const Expr& ident, const std::vector<std::string>& indices)
    {
        QualType type = ident.type;
        if (type.type == nullptr || !is_shared(type))
            return "";
        if (!is_array(type))
            return "thread 0";
        uint64_t block = block_size(type);
        std::string index = "0";
        for (const std::string& next : indices) {
            std::optional<std::string> count = count_text(*kind_of(type));
            bool is_first = &next == &indices.front();
            if (!is_array(type) || (!is_first && !count))
                return "";
            index = is_first ? next : sum(product(index, *count), next);
            type = kind_of(type)->base;
        }
        for (; is_array(type); type = kind_of(type)->base) {
            std::optional<std::string> count = count_text(*kind_of(type));
            if (indices.empty() || !count)
                return "";
            index = product(index, *count);
        }
        return "thread " + thread_of(index, block, threads_) + phase_words(index, block);
    }

    // p[index]
    std::string step(const Expr& pointer, const std::string& index)
    {
        const Expr& p = plain(pointer);
        QualType type = p.type;
        if (type.type == nullptr || !is_pts(type))
            return is_array_object(p) ? elements_from(p, index) : "";
        if (p.kind == Kind::Unary && p.op == Op::AddressOf && index == "0")
            return words(*p.a);
        std::string name = operand(text(p));
        uint64_t block = block_size(pointee(type));
        if (block == 0 || index == "0" || is_void(pointee(type)))
            return "thread upc_threadof(" + text(p) + ")";
        std::string blocks =
            block == 1 ? index : operand("upc_phaseof(" + text(p) + ") + " + index) + " / " + std::to_string(block);
        return "thread (upc_threadof(" + text(p) + ") + " + operand(blocks) + ") % " + threads_text(threads_);
    }

    static bool is_array_object(const Expr& e)
    {
        return e.kind == Kind::Ident && e.type.type != nullptr && is_array(e.type) && is_shared(e.type);
    }

    std::string elements_from(const Expr& array, const std::string& index) { return object(array, {index}); }

    const lex::TokenList& tokens_;
    int threads_;
};

// A keyword of GNU headers in its usual spelling; empty if it should be omitted
std::string_view tidy(std::string_view word)
{
    if (word == "__inline__" || word == "__inline" || word == "__extension__")
        return {};
    if (word.starts_with("__restrict"))
        return "restrict";
    if (word.starts_with("__") && !word.ends_with("_") && !word.starts_with("__builtin"))
        return word.substr(2);
    return word;
}

}  // namespace

std::string written(const lex::TokenList& tokens, lex::TokenIndex first, lex::TokenIndex last)
{
    std::string text;
    uint32_t end = tokens[first].offset;
    for (lex::TokenIndex i = first; i <= last && text.size() < kLongestText * 4; ++i) {
        if (tokens[i].kind == lex::Tok::KwAttribute) {
            int depth = 0;
            while (i < last && (depth > 0 || tokens[i + 1].kind == lex::Tok::LParen)) {
                ++i;
                depth += tokens[i].kind == lex::Tok::LParen;
                depth -= tokens[i].kind == lex::Tok::RParen;
                if (depth == 0)
                    break;
            }
            continue;
        }
        std::string_view word = tidy(tokens.text(i));
        bool is_of_inline = word == "extern" && i < last && tidy(tokens.text(i + 1)).empty();
        if (word.empty() || is_of_inline)
            continue;
        if (!text.empty() && tokens[i].offset != end)
            text += ' ';
        text += word;
        end = tokens[i].offset + tokens[i].length;
    }
    return text;
}

std::string layout_words(QualType type, int threads, bool is_static)
{
    if (type.type == nullptr || is_unknown(type) || is_function(type))
        return "";
    std::string words;
    if (is_shared(type)) {
        words = is_array(type) ? array_words(type, threads) : "shared: one object for all threads, on thread 0";
        if (std::optional<Size> size = size_of(type))
            words += "; " + size_words(*size);
    } else if (is_pts(type) || is_pointer(type)) {
        words = pointer_words(type);
    }
    if (is_pointer(type) && is_shared(type))
        words += ". The " + pointer_words(type);
    else if (!is_shared(type) && is_static)
        words +=
            words.empty() ? "private: each thread has its own" : ". The pointer is private: each thread has its own";
    return words;
}

std::string place_words(const Expr& expr, const lex::TokenList& tokens, int threads)
{
    bool is_object = expr.type.type != nullptr && is_shared(expr.type);
    return is_object ? Finder(tokens, threads).words(expr) : "";
}

std::string affinity_words(const ast::SimpleStmt& forall, const lex::TokenList& tokens, int threads)
{
    if (forall.affinity == nullptr || forall.affinity_continue || forall.affinity->type.type == nullptr)
        return "every thread runs all iterations";
    const Expr& affinity = plain(*forall.affinity);
    std::string text = written(tokens, forall.affinity->first, forall.affinity->last);
    if (affinity.kind == Kind::MyThread)
        return "every thread runs all iterations, since the affinity is MYTHREAD";
    if (is_integer(affinity.type))
        return "each iteration runs on thread " + remainder(text, threads_text(threads));
    if (affinity.kind != Kind::Unary || affinity.op != Op::AddressOf)
        return "each iteration runs on thread upc_threadof(" + text + ")";
    std::string place = place_words(plain(*affinity.a), tokens, threads);
    return "each iteration runs where " + written(tokens, affinity.a->first, affinity.a->last) + " is" +
           (place.empty() ? "" : ", on " + place);
}

}  // namespace bn::lsp
