// init.cc: initialisers: which object each value goes to (C11 6.7.9), its conversion, and whether code must set it.
#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Op;
using diag::Id;

namespace {

// A null pointer constant converted to a pointer-to-shared: C can initialise a static object with it.
bool is_null_pts(const Expr& e)
{
    return e.kind == Kind::ImplicitCast && !is_array(e.a->type) && !is_pts(e.a->type);
}

}  // namespace

void Checker::init_value(Expr*& init, QualType type, bool is_static, bool* needs_code)
{
    expr(init);
    Expr* converted = convert(init, type, Use::Initialisation);
    if (is_static && is_pts(type) && !is_null_pts(*converted))
        *needs_code = true;
    init = converted;
}

// Values of a braced list for an object of `type`, beginning with list.args[next].  An inner aggregate without braces of its
// own takes what it needs and leaves the rest.
void Checker::init_aggregate(Expr& list, size_t& next, QualType& type, bool is_outer, bool is_static, bool* needs_code)
{
    QualType plain = canonical(type);
    const Type* t = plain.type;
    uint64_t position = 0;
    uint64_t highest = 0;
    uint64_t limit = t->kind == TypeKind::Array    ? (t->has_count ? (t->by_threads ? UINT64_MAX : t->count) : UINT64_MAX)
                     : t->kind == TypeKind::Record ? t->record->fields.size()
                                                   : 1;
    bool first = true;
    while (next < list.args.size()) {
        ast::Designation* designation = next < list.designations.size() ? list.designations[next] : nullptr;
        QualType target = type;
        if (designation != nullptr && !(first && !is_outer)) {
            if (!is_outer)
                break;   // it designates a member of an outer object
            QualType at = type;
            bool outermost = true;
            for (const ast::Designator& step : designation->designators) {
                if (step.member != 0 && is_record(at)) {
                    const Record& record = *kind_of(at)->record;
                    if (outermost)
                        for (size_t i = 0; i < record.fields.size(); ++i) {
                            const Field& field = record.fields[i];
                            bool holds = field.name == text(step.member) ||
                                         (field.name.empty() && is_record(field.type) &&
                                          find_field(*kind_of(field.type)->record, text(step.member)) != nullptr);
                            if (holds)
                                position = i;
                        }
                    const Field* field = find_field(record, text(step.member));
                    at = field != nullptr ? field->type : unknown();
                } else if (step.index != nullptr && is_array(at)) {
                    expr(step.index);
                    if (step.index_last != nullptr)
                        expr(step.index_last);
                    std::optional<__int128> value = constant(step.index_last != nullptr ? step.index_last : step.index);
                    if (outermost)
                        position = value ? static_cast<uint64_t>(*value) : position;
                    at = {kind_of(at)->base.type, canonical(at).type->base.quals};
                }
                outermost = false;
            }
            target = at;
        } else {
            if (position >= limit)
                break;
            if (t->kind == TypeKind::Array)
                target = t->base;
            else if (t->kind == TypeKind::Record) {
                while (position < limit && t->record->fields[position].name.empty() && t->record->fields[position].is_bit_field)
                    ++position;
                if (position >= limit)
                    break;
                target = t->record->fields[position].type;
            }
        }
        first = false;
        Expr*& value = list.args[next];
        bool is_aggregate = is_array(target) || is_record(target);
        if (value->kind == Kind::InitList) {
            initialiser(value, target, is_static, needs_code);
            ++next;
        } else if (is_aggregate) {
            expr(value);
            bool whole = (is_record(target) && is_record(value->type)) ||
                         (is_array(target) && value->kind == Kind::String) || value->kind == Kind::CompoundLiteral ||
                         is_unknown(value->type);
            if (whole) {
                init_value(value, target, is_static, needs_code);
                ++next;
            } else {
                size_t before = next;
                init_aggregate(list, next, target, false, is_static, needs_code);
                if (next == before)
                    ++next;
            }
        } else {
            init_value(value, target, is_static, needs_code);
            ++next;
        }
        ++position;
        highest = std::max(highest, position);
        if (t->kind == TypeKind::Record && t->record->is_union)
            position = limit;
        if (!is_outer && position >= limit)
            break;
    }
    if (t->kind == TypeKind::Array && !t->has_count && !t->is_vla && is_outer) {
        Type* complete = make_type(TypeKind::Array);
        *complete = *t;
        complete->has_count = true;
        complete->count = highest;
        type = {complete, plain.quals};
    }
}

void Checker::init_list(Expr& list, QualType& type, bool is_static, bool* needs_code)
{
    list.type = type;
    size_t next = 0;
    init_aggregate(list, next, type, true, is_static, needs_code);
    for (; next < list.args.size(); ++next)   // excess values: the back end warns
        if (list.args[next]->kind != Kind::InitList)
            expr(list.args[next]);
    // The children follow the arguments that conversions replaced.
    std::vector<ast::Node*> children;
    size_t arg = 0;
    for (ast::Node* child : list.children) {
        if (arg < list.args.size() && child->first == list.args[arg]->first && child->last == list.args[arg]->last)
            children.push_back(list.args[arg++]);
        else
            children.push_back(child);
    }
    list.children = arena_.copy(children);
}

// The initialiser of an object.  Completes an array type; *needs_code becomes true if a static object gets a value that is no
// constant in C.
void Checker::initialiser(Expr*& init, QualType& type, bool is_static, bool* needs_code)
{
    if (init->kind == Kind::InitList) {
        init_list(*init, type, is_static, needs_code);
        return;
    }
    expr(init);
    if (is_array(type) && init->kind == Kind::String) {
        const Type* text = kind_of(init->type);
        QualType plain = canonical(type);
        if (!plain.type->has_count && text->has_count) {
            Type* complete = make_type(TypeKind::Array);
            *complete = *plain.type;
            complete->has_count = true;
            complete->count = text->count;
            type = {complete, plain.quals};
        }
        return;
    }
    if (!is_array(type))
        init_value(init, type, is_static, needs_code);
}

}  // namespace bn::sema
