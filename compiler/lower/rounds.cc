// rounds.cc: pointers-to-shared that move in whole rounds of threads.
//
// UPC form                                                  C form
// p[x*THREADS + r], p a pointer-to-shared, block size 1     ((T *)bn_add_cyclic(p, (bn_i64)(r), sizeof(T)).addr)[x]
// p[x*THREADS]                                              ((T *)(p).addr)[x]
// p + x*THREADS, p += x*THREADS, p - x*THREADS, likewise    bn_add_rounds(p, (bn_i64)(x), sizeof(T))
// p + x*B*THREADS, p of block size B                        bn_add_rounds(p, (bn_i64)(x) * B, sizeof(T))
//
// Adding x rounds stays on the same thread. The rest of the index is often loop-invariant: then the access costs as
// much as in C.
#include "lower/rounds.h"

#include <algorithm>
#include <cstdlib>

#include "lower/lowerer.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Op;
using namespace sema;

Rounds::Rounds(const Expr* sum, uint64_t unit, uint64_t block, const LoopView& view,
               const std::vector<RoundLoop>* loops)
    : unit_(static_cast<int64_t>(unit)), block_(static_cast<int64_t>(block)), view_(view), loops_(loops)
{
    take(sum, false);
}

std::optional<int64_t> Rounds::constant_turns() const
{
    int64_t result = 0;
    for (const IndexPart& part : turns) {
        if (part.value != nullptr)
            return std::nullopt;
        result += static_cast<int64_t>(part.unit) * (part.is_negative ? -1 : 1);
    }
    return result;
}

// The loop of which e is the variable, where its steps are whole rounds of blocks
const RoundLoop* Rounds::loop_of(const Expr* e) const
{
    if (loops_ == nullptr || e->kind != Kind::Ident || unit_ % block_ != 0)
        return nullptr;
    auto found =
        std::find_if(loops_->begin(), loops_->end(), [&](const RoundLoop& loop) { return loop.variable == e->symbol; });
    return found != loops_->end() ? &*found : nullptr;
}

bool Rounds::is_own() const
{
    return others.size() == 1 && !others[0].is_negative && without_parens(others[0].value)->kind == Kind::MyThread;
}

Rounds::Product Rounds::product_of(const Expr* e) const
{
    const Expr* bare = without_parens(e);
    if (bare->kind == Kind::Threads && view_.static_threads == 0)
        return {nullptr, 1, true};
    if (std::optional<int64_t> value = literal_value(bare, view_))
        return {nullptr, *value, false};
    if (bare->kind == Kind::Binary && bare->op == Op::Mul && is_as_wide(bare->type)) {
        Product a = product_of(bare->a);
        Product b = product_of(bare->b);
        bool is_single = (a.value == nullptr || b.value == nullptr) && !(a.has_threads && b.has_threads);
        int64_t constant = 0;
        if (is_single && !__builtin_mul_overflow(a.constant, b.constant, &constant))
            return {a.value != nullptr ? a.value : b.value, constant, a.has_threads || b.has_threads};
    }
    return {e, 1, false};
}

// A term that is whole rounds.  With static THREADS it is a multiple of a number.
std::optional<IndexPart> Rounds::rounds(const Expr* e, bool is_negative) const
{
    Product product = product_of(e);
    int64_t threads = std::max(view_.static_threads, 1);
    int64_t elements = 0;
    bool is_known = view_.static_threads > 0 ? product.value != e : product.has_threads;
    if (!is_known || __builtin_mul_overflow(product.constant, unit_, &elements) || elements % (threads * block_) != 0)
        return std::nullopt;
    return IndexPart{const_cast<Expr*>(product.value), static_cast<uint64_t>(std::abs(elements / threads)),
                     is_negative != (elements < 0)};
}

void Rounds::take(const Expr* sum, bool is_negative)
{
    const Expr* e = without_parens(sum);
    bool is_sum = e->kind == Kind::Binary && (e->op == Op::Add || e->op == Op::Sub) && is_as_wide(e->type);
    if (is_sum) {
        take(e->a, is_negative);
        take(e->b, is_negative != (e->op == Op::Sub));
    } else if (e->kind == Kind::Unary && e->op == Op::Minus && is_as_wide(e->type)) {
        take(e->a, !is_negative);
    } else if (std::optional<IndexPart> part = rounds(sum, is_negative)) {
        turns.push_back(*part);
    } else if (const RoundLoop* loop = loop_of(e)) {
        others.push_back({loop->thread, 1, is_negative});
        turns.push_back({loop->turn, static_cast<uint64_t>(unit_), is_negative});
    } else {
        others.push_back({const_cast<Expr*>(sum), 1, is_negative});
    }
}

std::optional<Rounds> Lowerer::rounds_of(const Element& element) const
{
    bool is_cyclic = element.is_pointer && element.indices.size() == 1 && element.units[0] == 1 &&
                     element.by_threads == 0 && block_size(element.element) == 1;
    if (!options_.passes.local || !is_cyclic)
        return std::nullopt;
    Rounds rounds(element.indices[0], 1, 1, {nullptr, nullptr, nullptr, &tokens_, options_.static_threads},
                  &round_loops_);
    return rounds.turns.empty() ? std::nullopt : std::optional(std::move(rounds));
}

// pointer + count, or pointer - count, where count is nothing but whole rounds: the thread and the phase stay.  Empty
// if it may be anything else.
Rope Lowerer::add_rounds(const Rope& pointer, const Expr* count, QualType stepped, bool negative)
{
    uint64_t block = block_size(element_of(stepped));
    std::optional<Size> unit = element_count(stepped);
    if (!options_.passes.local || block == 0 || !unit || unit->by_threads)
        return rope();
    Rounds rounds(count, unit->bytes, block, {nullptr, nullptr, nullptr, &tokens_, options_.static_threads});
    if (rounds.turns.empty() || !rounds.others.empty())
        return rope();
    return rope("bn_add_rounds(") << pointer << (negative ? ", -(" : ", ") << sum_of(rounds.turns)
                                  << (negative ? "), " : ", ") << element_size(element_of(stepped)) << ")";
}

Rope Lowerer::place_by_rounds(const Element& element, Expr* lvalue)
{
    std::optional<Rounds> rounds = rounds_of(element);
    bool is_indexed =
        version_.indexed != nullptr && index_origin(lvalue, version_.indexed->origins) != IndexOrigin::Counted;
    if (!rounds || is_indexed)
        return rope();
    Rope out = rope("((") << c_pointer(element.element) << ")";
    if (rounds->others.empty()) {
        out << "(" << element.object->emitted << ").addr";
    } else {
        bool has_variable = std::any_of(rounds->others.begin(), rounds->others.end(),
                                        [&](const IndexPart& part) { return is_variable(part.value); });
        out << add_function(element.element, has_variable) << element.object->emitted << ", " << sum_of(rounds->others)
            << ", " << element_size(element.element) << ").addr";
    }
    return out << ")[" << sum_of(rounds->turns) << "]";
}

}  // namespace bn::lower
