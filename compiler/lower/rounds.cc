// rounds.cc: elements accessed through a pointer-to-shared in whole rounds of threads.
//
// UPC form                                                  C form
// p[x*THREADS + r], p a pointer-to-shared, block size 1     ((T *)bn_add_cyclic(p, (bn_i64)(r), sizeof(T)).addr)[x]
// p[x*THREADS]                                              ((T *)(p).addr)[x]
//
// Adding x rounds stays on the same thread. The rest of the index is often loop-invariant: then the access costs as
// much as in C.
#include "lower/rounds.h"

#include <algorithm>

#include "lower/lowerer.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Op;
using namespace sema;

Rounds::Rounds(const Expr* sum, uint64_t block, const LoopView& view) : block_(block), view_(view)
{
    take(sum, false);
}

bool Rounds::is_own() const
{
    return others.size() == 1 && !others[0].is_negative && without_parens(others[0].value)->kind == Kind::MyThread;
}

// n, if e is n * THREADS.  With static THREADS e is a number.
std::optional<uint64_t> Rounds::rounds(const Expr* e) const
{
    if (without_parens(e)->kind == Kind::Threads)
        return 1;
    std::optional<int64_t> value = view_.static_threads > 0 ? literal_value(e, view_) : std::nullopt;
    if (!value || *value < 0 || *value % view_.static_threads != 0)
        return std::nullopt;
    return static_cast<uint64_t>(*value / view_.static_threads);
}

bool Rounds::take_product(const Expr* e, bool is_negative)
{
    for (auto [factor, other] : {std::pair{e->a, e->b}, std::pair{e->b, e->a}})
        if (std::optional<uint64_t> count = rounds(factor)) {
            turns.push_back({other, *count * block_, is_negative});
            return true;
        }
    return false;
}

void Rounds::take(const Expr* sum, bool is_negative)
{
    const Expr* e = without_parens(sum);
    std::optional<Size> size = size_of(e->type);
    bool may_wrap = !is_integer(e->type) || !size || (size->bytes < 8 && is_unsigned(e->type));
    bool is_binary = e->kind == Kind::Binary && !may_wrap;
    if (is_binary && (e->op == Op::Add || e->op == Op::Sub)) {
        take(e->a, is_negative);
        take(e->b, is_negative != (e->op == Op::Sub));
    } else if (std::optional<uint64_t> count = may_wrap ? std::nullopt : rounds(e)) {
        turns.push_back({nullptr, *count * block_, is_negative});
    } else if (!is_binary || e->op != Op::Mul || !take_product(e, is_negative)) {
        others.push_back({const_cast<Expr*>(sum), 1, is_negative});
    }
}

std::optional<Rounds> Lowerer::rounds_of(const Element& element) const
{
    bool is_cyclic = element.is_pointer && element.indices.size() == 1 && element.units[0] == 1 &&
                     element.by_threads == 0 && block_size(element.element) == 1;
    if (!options_.passes.local || !is_cyclic)
        return std::nullopt;
    Rounds rounds(element.indices[0], 1, {nullptr, nullptr, nullptr, &tokens_, options_.static_threads});
    return rounds.turns.empty() ? std::nullopt : std::optional(std::move(rounds));
}

Rope Lowerer::place_by_rounds(const Element& element, Expr* lvalue)
{
    std::optional<Rounds> rounds = rounds_of(element);
    bool is_indexed = indexed_ != nullptr && index_origin(lvalue, indexed_->origins) != IndexOrigin::Counted;
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
