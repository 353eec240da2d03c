#include "lower/element.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Op;
using namespace sema;

namespace {

bool take_base(const Expr* e, Element& result)
{
    bool is_variable = e->kind == Kind::Ident || e->kind == Kind::Member;  // a member: one that is bound to a variable
    if (!is_variable || e->symbol == nullptr || e->symbol->kind != Symbol::Kind::Variable)
        return false;
    result.object = e->symbol;
    if (is_array(e->type)) {
        result.element = element_of(e->type);
        return is_shared(e->type);
    }
    result.is_pointer = true;
    if (!is_pts(e->type) || is_generic_pts(e->type) || is_shared(e->type))
        return false;
    result.element = element_of(pointee(e->type));
    return true;
}

// Finds the pointer and the index in p[i], i[p], p + i
bool split(Expr* a, Expr* b, Expr*& pointer, Expr*& index)
{
    bool first = is_pointer(a->type) || is_array(a->type);
    pointer = without_parens(first ? a : b);
    index = first ? b : a;
    return is_integer(index->type);
}

bool take_index(Expr* pointer, Expr* index, QualType stepped, Element& result)
{
    std::optional<Size> count = element_count(stepped);
    if (!count || count->bytes == 0)
        return false;
    if (pointer->kind == Kind::Index) {
        Expr* outer_pointer = nullptr;
        Expr* outer_index = nullptr;
        if (!is_array(pointer->type) || !split(pointer->a, pointer->b, outer_pointer, outer_index) ||
            !take_index(outer_pointer, outer_index, pointer->type, result))
            return false;
    } else if (!take_base(pointer, result)) {
        return false;
    }
    result.indices.push_back(index);
    result.units.push_back(count->bytes);
    result.by_threads += count->by_threads ? 1 : 0;
    return true;
}

}  // namespace

std::optional<Element> element_of_array(Expr* lvalue, Dimensions dimensions)
{
    lvalue = without_parens(lvalue);
    Element result;
    Expr* pointer = nullptr;
    Expr* index = nullptr;
    const Expr* sum = lvalue;
    if (lvalue->kind == Kind::Unary && lvalue->op == Op::Deref)
        sum = without_parens(lvalue->a);
    bool is_sum = sum != lvalue && sum->kind == Kind::Binary && sum->op == Op::Add;
    if (lvalue->kind != Kind::Index && !is_sum)
        return std::nullopt;
    if (!split(sum->a, sum->b, pointer, index) || !take_index(pointer, index, lvalue->type, result))
        return std::nullopt;
    if (is_incomplete(result.element) || !size_of(result.element))
        return std::nullopt;
    if (result.by_threads > 0 && dimensions == Dimensions::Constant)
        return std::nullopt;
    return result;
}

std::optional<Affine> flat_form(const Element& element, const LoopView& view)
{
    Affine total;
    for (size_t i = 0; i < element.indices.size(); ++i) {
        std::optional<Affine> form = affine_form(element.indices[i], view);
        if (!form)
            return std::nullopt;
        int64_t unit = static_cast<int64_t>(element.units[i]);
        total.factor += form->factor * unit;
        total.constant += form->constant * unit;
        for (const Affine::Term& term : form->terms)
            total.terms.push_back(term.times(unit));
    }
    return total;
}

std::optional<uint64_t> local_step(const Element& element, size_t index, int static_threads)
{
    uint64_t block = block_size(element.element);
    bool is_by_threads = index < element.by_threads;
    uint64_t round = is_by_threads ? block : block * static_cast<uint64_t>(static_threads);
    if (round == 0 || element.units[index] % round != 0)
        return std::nullopt;
    return element.units[index] / round * block;
}

bool has_known_steps(const Element& element, int static_threads)
{
    for (size_t i = 0; i < element.by_threads; ++i)
        if (!local_step(element, i, static_threads))
            return false;
    return true;
}

size_t row_indices(const Element& element)
{
    uint64_t block = block_size(element.element);
    for (size_t i = element.by_threads; i < element.units.size() && block != 0; ++i)
        if (element.units[i] != 1 && block % element.units[i] == 0)
            return i + 1;
    return 0;
}

std::vector<Expr*> row_numbers(const Element& element)
{
    auto first = element.indices.begin();
    return {first, first + static_cast<std::ptrdiff_t>(row_indices(element))};
}

namespace {

// The indices that determine the owner, as forms of the loop's variable
class UnitIndices {
public:
    UnitIndices(const Element& element, const LoopView& view) : element_(element)
    {
        for (size_t i = 0; i < element.indices.size(); ++i) {
            std::optional<Affine> form = affine_form(element.indices[i], view);
            bool is_by_threads = i < element.by_threads;
            std::optional<uint64_t> step = local_step(element, i, view.static_threads);
            stays_.push_back(step && (is_by_threads || !form || form->factor == 0) ? step : std::nullopt);
            forms_.push_back(std::move(form));
        }
    }

    // The sum of the first indices in units of so many elements
    std::optional<Affine> sum(size_t count, uint64_t unit) const
    {
        Affine total;
        for (size_t i = 0; i < count; ++i) {
            if (stays_[i])
                continue;
            if (!forms_[i])
                return std::nullopt;
            auto units = static_cast<int64_t>(element_.units[i] / unit);
            total.factor += forms_[i]->factor * units;
            total.constant += forms_[i]->constant * units;
            for (const Affine::Term& term : forms_[i]->terms)
                total.terms.push_back(term.times(units));
        }
        return total;
    }

    UnitIndex of(const Affine& offset, size_t count, uint64_t unit) const
    {
        UnitIndex result{offset, unit, block_size(element_.element) / unit, {}, nullptr};
        for (size_t i = 0; i < element_.indices.size(); ++i)
            if (stays_[i] || i >= count)
                result.within.push_back({element_.indices[i], stays_[i].value_or(element_.units[i]), false});
        return result;
    }

private:
    const Element& element_;
    std::vector<std::optional<Affine>> forms_;
    std::vector<std::optional<uint64_t>> stays_;  // by how many elements of one thread, if the owner stays the same
};

}  // namespace

std::optional<UnitIndex> unit_index(const Element& element, const LoopView& view)
{
    if (!has_known_steps(element, view.static_threads))
        return std::nullopt;
    UnitIndices indices(element, view);
    size_t all = element.indices.size();
    std::optional<Affine> total = indices.sum(all, 1);
    if (total && (total->factor == 1 || total->factor == -1))
        return indices.of(*total, all, 1);
    for (size_t count = 1; count <= all; ++count) {
        uint64_t unit = element.units[count - 1];
        if (unit == 1 || block_size(element.element) % unit != 0)
            continue;
        if (std::optional<Affine> row = indices.sum(count, unit); row && row->factor != 0)
            return indices.of(*row, count, unit);
    }
    if (!total || total->factor == 0)
        return std::nullopt;
    return indices.of(*total, all, 1);
}

}  // namespace bn::lower
