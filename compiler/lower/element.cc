#include "lower/element.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Op;
using namespace sema;

namespace {

bool take_base(const Expr* e, Element& result)
{
    if (e->kind != Kind::Ident || e->symbol == nullptr || e->symbol->kind != Symbol::Kind::Variable)
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
            total.terms.push_back({term.value, term.factor * unit});
    }
    return total;
}

std::optional<UnitIndex> unit_index(const Element& element, const LoopView& view)
{
    UnitIndex result;
    uint64_t block = block_size(element.element);
    std::optional<Affine> total = flat_form(element, view);
    auto elements = [&] {
        result.offset = *total;
        result.units_per_block = block;
        result.inner = element.indices.size();
        return result;
    };
    if (total && (total->factor == 1 || total->factor == -1))
        return elements();
    std::optional<Affine> row = affine_form(element.indices[0], view);
    uint64_t unit = element.units[0];
    if (row && row->factor != 0 && unit != 1 && block % unit == 0) {
        result.offset = *row;
        result.unit = unit;
        result.units_per_block = block / unit;
        result.inner = 1;
        return result;
    }
    if (!total || total->factor == 0)
        return std::nullopt;
    return elements();
}

}  // namespace bn::lower
