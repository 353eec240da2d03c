// dimension.cc: THREADS and [*] in the dimensions of shared arrays (facts 1.5, 1.8).
#include <algorithm>

#include "sema/checker.h"
#include "sema/limits.h"

namespace bn::sema {

using diag::Id;
using lex::Tok;

namespace {

int count_threads_dimensions(QualType array, bool* has_vla)
{
    int count = 0;
    for (QualType t = canonical(array); t.type->kind == TypeKind::Array; t = canonical(t.type->base)) {
        count += t.type->by_threads ? 1 : 0;
        *has_vla |= t.type->is_vla;
    }
    return count;
}

}  // namespace

// typedef int row[THREADS]; shared row a[10]: the array type for shared objects, with a size known up to the factor
// THREADS
QualType Checker::made_shared(QualType type)
{
    if (!is_private_by_threads(type))
        return type;
    QualType plain = canonical(type);
    Type* copy = arena_.make<Type>(*plain.type);
    if (copy->is_vla && copy->by_threads) {
        copy->is_vla = false;
        copy->has_count = true;
    }
    copy->base = made_shared(plain.type->base);
    return {copy, plain.quals};
}

// Whether the type is a typedef name of such a private array: at file scope emitted C does not declare it, because it
// would name a variable-length array.
bool Checker::is_threads_row(QualType type) const
{
    return is_dynamic() && type.type->kind == TypeKind::Typedef && !type.type->in_function && !is_shared(type) &&
           is_private_by_threads(type);
}

// Checks every shared array type written in this declarator; types written in a typedef were checked there.  Returns
// true if all are valid.
bool Checker::check_threads_in_type(ast::Declarator* declarator, const ast::Node& where, QualType type)
{
    const Type* t = type.type;
    if (t->kind == TypeKind::Pointer || t->kind == TypeKind::Function)
        return check_threads_in_type(declarator, where, t->base);
    if (t->kind != TypeKind::Array || !is_shared(type))
        return t->kind != TypeKind::Array || check_threads_in_type(declarator, where, t->base);
    const ast::Node& node = declarator != nullptr ? static_cast<const ast::Node&>(*declarator) : where;
    bool has_vla = false;
    int dimensions = count_threads_dimensions(type, &has_vla);
    if (has_vla) {
        int in_tokens = 0;
        for (lex::TokenIndex i = node.first; i <= node.last; ++i)
            in_tokens += tokens_[i].kind == Tok::KwThreads ? 1 : 0;
        diags_.report(in_tokens > 1           ? Id::ThreadsTwice
                      : in_tokens > 0         ? Id::ThreadsForm
                      : block_size(type) == 0 ? Id::IndefiniteArraySize
                                              : Id::SharedArraySize,
                      range(node), {quote(node)});
        return false;
    }
    if (dimensions > 1) {
        diags_.report(Id::ThreadsTwice, range(node), {quote(node)});
        return false;
    }
    if (dimensions > 0 && block_size(type) == 0 && element_of(type).quals.layout == Layout::Indefinite) {
        diags_.report(Id::ThreadsIndefinite, range(node), {quote(node)});
        return false;
    }
    return check_threads_in_type(declarator, where, element_of(type));
}

namespace {

QualType with_block(ast::Arena& arena, QualType type, uint64_t block)
{
    type = canonical(type);
    if (type.type->kind != TypeKind::Array) {
        type.quals.layout = Layout::Blocked;
        type.quals.block = block;
        return type;
    }
    Type* copy = arena.make<Type>(*type.type);
    copy->base = with_block(arena, type.type->base, block);
    return {copy, type.quals};
}

}  // namespace

// shared [*]: ceil(elements / THREADS) for the declared object (facts 1.5)
void Checker::resolve_star(ast::Declarator& declarator, QualType& type, bool is_complete)
{
    uint64_t block = 1;
    uint64_t other = element_of(type).quals.block;  // from a layout qualifier other than [*] in the list
    if (is_array(type)) {
        std::optional<Size> count = element_count(type);
        if (!is_complete || !count) {
            diags_.report(Id::StarIncomplete, range(declarator), {quote(declarator)});
        } else if (count->by_threads) {
            block = count->bytes;
        } else {
            uint64_t threads = is_dynamic() ? 1 : static_cast<uint64_t>(options_.static_threads);
            block = count->bytes / threads + (count->bytes % threads != 0);
        }
        if (block > kMaxBlockSize) {
            diags_.report(Id::BlockTooLarge, range(declarator),
                          {"[*] of " + quote(declarator), std::to_string(kMaxBlockSize)});
            block = kMaxBlockSize;
        }
    }
    if (other != 0 && other != block)
        diags_.report(Id::TwoBlockSizes, range(declarator),
                      {"[" + std::to_string(other) + "]", "[*], which is [" + std::to_string(block) + "]"});
    type = with_block(arena_, type, block);
}

void Checker::check_shared_array(const ast::Declarator& declarator, Symbol& symbol, bool is_extern)
{
    bool has_vla = false;
    int dimensions = count_threads_dimensions(symbol.type, &has_vla);
    if (has_vla || !is_dynamic() || element_of(symbol.type).quals.layout == Layout::Indefinite)
        return;
    bool is_open = !kind_of(symbol.type)->has_count;
    if (dimensions > 0 || (is_open && is_extern))
        return;
    bool is_behind_star = std::ranges::any_of(declarator.parts, [](const ast::DeclaratorPart& part) {
        return part.kind == ast::DeclaratorPart::Kind::Pointer;
    });
    std::string name = is_behind_star ? "'" + std::string(symbol.name) + "'" : quote(declarator);
    diags_.report(is_open ? Id::ThreadsOpen : Id::ThreadsMissing, range(declarator),
                  {name, is_behind_star ? " behind the '*'" : ""});
}

}  // namespace bn::sema
