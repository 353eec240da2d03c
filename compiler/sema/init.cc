// init.cc: initialisers: the object that each value initialises (C11 6.7.9), its conversion, and the values of static
// objects that C cannot compute before main.
#include <algorithm>
#include <utility>

#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using diag::Id;

// The results for the initialiser of an object with static storage
struct Checker::StaticValues {
    QualType type;  // of the object
    bool is_shared = false;
    std::vector<Image> images;
    std::vector<Step> path;  // from the image to the object being initialised

    const Field* bit_field() const;
    void forget(size_t steps, std::string_view kept_member, ast::Arena& arena);
    std::vector<uint64_t> rows() const;
};

// The values of a braced list, which are taken one after the other
struct Checker::ListValues {
    explicit ListValues(Expr& braced) : list(braced)
    {
        has_designations = std::ranges::any_of(list.designations, [](const auto* each) { return each != nullptr; });
    }

    bool has_more() const { return next < list.args.size(); }
    Expr*& value() { return list.args[next]; }
    const ast::Designation* designation() const
    {
        return next < list.designations.size() ? list.designations[next] : nullptr;
    }

    Expr& list;
    size_t next = 0;
    bool has_designations = false;
};

// The bit-field at the end of the path; null if it is not a bit-field
const Field* Checker::StaticValues::bit_field() const
{
    const Field* field = nullptr;
    QualType type = images.back().type;
    for (const Step& step : path) {
        bool is_element = step.member.empty();
        field = is_element ? nullptr : find_field(*kind_of(type)->record, step.member);
        if (!is_element && field == nullptr)
            return nullptr;
        type = is_element ? kind_of(type)->base : field->type;
    }
    return field != nullptr && field->is_bit_field ? field : nullptr;
}

namespace {

// Whether the place, or one of several, is in a part of the object
bool overlaps(const ComputedValue& value, std::span<const Step> part)
{
    if (value.path.size() < part.size())
        return false;
    auto is_in_both = [](const Step& a, const Step& b) {
        return a.member == b.member && a.first <= b.last && b.first <= a.last;
    };
    return std::equal(part.begin(), part.end(), value.path.begin(), is_in_both);
}

// The places of a value that are not in a part which overlaps with them: those with other elements in one step, and in
// the steps before it elements of the part
void add_outside(const ComputedValue& value, std::span<const Step> part, std::vector<ComputedValue>& values,
                 ast::Arena& arena)
{
    std::vector<Step> path(value.path.begin(), value.path.end());
    auto add = [&](size_t step, uint64_t first, uint64_t last) {
        Step inside = std::exchange(path[step], {{}, first, last});
        values.push_back(value);
        values.back().path = arena.copy(path);
        path[step] = inside;
    };
    for (size_t i = 0; i < part.size(); ++i) {
        if (path[i].first < part[i].first)
            add(i, path[i].first, part[i].first - 1);
        if (path[i].last > part[i].last)
            add(i, part[i].last + 1, path[i].last);
        path[i].first = std::max(path[i].first, part[i].first);
        path[i].last = std::min(path[i].last, part[i].last);
    }
}

}  // namespace

// A later initialiser of an object replaces an earlier one completely, except that one of a part of a union's member
// keeps the other parts of that member.
void Checker::StaticValues::forget(size_t steps, std::string_view kept_member, ast::Arena& arena)
{
    std::span<const Step> part(path.data(), steps);
    Image& image = images.back();
    auto is_replaced = [&](const ComputedValue& value) {
        bool is_kept = !kept_member.empty() && value.path.size() > steps && value.path[steps].member == kept_member;
        return overlaps(value, part) && !is_kept;
    };
    if (std::ranges::none_of(image.computed, is_replaced))
        return;
    std::vector<ComputedValue> kept;
    for (const ComputedValue& value : image.computed) {
        size_t before = kept.size();
        if (is_replaced(value))
            add_outside(value, part, kept, arena);
        else
            kept.push_back(value);
        if (kept.size() == before)
            image.overridden.push_back(value);
    }
    image.computed = std::move(kept);
}

// Indices of the rows designated by the path in an array with THREADS in an inner dimension
std::vector<uint64_t> Checker::StaticValues::rows() const
{
    std::vector<uint64_t> numbers{0};
    QualType array = canonical(type);
    for (const Step& step : path) {
        std::vector<uint64_t> next;
        for (uint64_t number : numbers)
            for (uint64_t i = step.first; i <= step.last; ++i)
                next.push_back(number * array.type->count + i);
        numbers = std::move(next);
        array = canonical(array.type->base);
    }
    return numbers;
}

namespace {

// A null pointer constant converted to a pointer-to-shared: C can initialise a static object with it.
bool is_null_pts(const Expr& e)
{
    return e.kind == Kind::ImplicitCast && !is_array(e.a->type) && !is_pts(e.a->type);
}

// An array of rows whose length depends on THREADS, known at run time only
bool has_rows_of_threads(QualType type)
{
    if (!is_array(type) || kind_of(type)->by_threads)
        return false;
    std::optional<Size> row = element_count(kind_of(type)->base);
    return row && row->by_threads;
}

}  // namespace

// Whether a value depends on anything known only at run time: THREADS, MYTHREAD, shared addresses
bool Checker::is_run_time(const Node& node) const
{
    switch (node.kind) {
    case Kind::Threads: return is_dynamic();
    case Kind::MyThread: return true;
    case Kind::SizeofExpr:
    case Kind::SizeofType: {
        const Expr& e = static_cast<const Expr&>(node);
        std::optional<Size> size = size_of(e.kind == Kind::SizeofExpr ? e.a->type : e.type_name->type);
        return e.op == Op::Sizeof && size && size->by_threads;
    }
    case Kind::Ident: {
        const Symbol* symbol = static_cast<const Expr&>(node).symbol;
        if (symbol != nullptr && symbol->kind == Symbol::Kind::Variable && is_shared(symbol->type))
            return true;
        break;
    }
    default: break;
    }
    for (const Node* child : node.children)
        if (is_run_time(*child))
            return true;
    return false;
}

// An object with one copy per thread on whose address a value may depend; null if there is none
const Symbol* Checker::own_name(const Node& node) const
{
    if (node.kind == Kind::SizeofExpr)
        return nullptr;
    if (node.kind == Kind::Ident || node.kind == Kind::CompoundLiteral) {
        const Symbol* symbol = static_cast<const Expr&>(node).symbol;
        if (symbol != nullptr || node.kind == Kind::Ident)
            return symbol != nullptr && symbol->is_own ? symbol : nullptr;
    }
    for (const Node* child : node.children)
        if (const Symbol* found = own_name(*child))
            return found;
    return nullptr;
}

// Whether a value depends on a cast from the address of a shared object to a local address or a number
bool Checker::has_cast_from_shared(const Expr& value)
{
    if (value.kind == Kind::SizeofExpr || value.kind == Kind::CompoundLiteral)  // whose values are checked one by one
        return false;
    if (value.kind == Kind::Cast && is_pts(value_type(*value.a)))
        return is_run_time(*value.a);
    return std::ranges::any_of(value.children, [&](const Node* child) {
        return ast::is_expression(child) && has_cast_from_shared(static_cast<const Expr&>(*child));
    });
}

void Checker::init_value(Expr*& init, QualType type, StaticValues* statics)
{
    expr(init);
    init = convert(init, type, Use::Initialisation);
    if (statics == nullptr)
        return;
    bool is_pts_value = is_pts(type) && !is_null_pts(*init);
    const Symbol* own = own_name(*init);
    // Initial values of shared objects are computed by a function at file scope, where local names are unknown.
    if (own != nullptr && statics->is_shared && !own->at_file_scope)
        diags_.report(Id::OwnAddressShared, range(*init), {own->name});
    bool is_value_of_start = is_scalar(type) && ((statics->is_shared && is_run_time(*init)) || own != nullptr);
    bool is_computed = is_pts(type) ? is_pts_value : is_value_of_start;
    if (!is_computed) {
        if (!is_pts(type) && has_cast_from_shared(*init))
            diags_.report(Id::SharedAddressEarly, range(*init), {quote(*init)});
        return;
    }
    check_computed(*init, type);
    const Field* field = statics->bit_field();
    // A bit-field is set by name, which code outside of a function cannot do if its struct is known only in there.
    if (field != nullptr && (function_ != nullptr || element_of(field->type).quals.is_const || !statics->is_shared))
        diags_.report(Id::BitFieldComputed, range(*init), {field->name, quote(*init)});
    bool has_places = std::ranges::all_of(statics->path, [](const Step& step) { return step.first <= step.last; });
    if (has_places)
        statics->images.back().computed.push_back({arena_.copy(statics->path), type, init, field != nullptr});
}

// The member that a name designates, and its position among the fields of the record
const Field* Checker::designated_field(const Record& record, std::string_view name, uint64_t& position) const
{
    for (size_t i = 0; i < record.fields.size(); ++i) {
        const Field& field = record.fields[i];
        bool is_inside =
            field.name.empty() && is_record(field.type) && find_field(*kind_of(field.type)->record, name) != nullptr;
        if (is_inside || (field.name == name && !name.empty()))
            position = i;
    }
    return find_field(record, name);
}

// Handles one designator: returns the type of the designated object and appends a step to the path.
QualType Checker::designate(const ast::Designator& designator, QualType type, uint64_t& position, StaticValues* statics)
{
    if (designator.member != 0) {
        if (!is_record(type))
            return unknown();
        const Field* field = designated_field(*kind_of(type)->record, text(designator.member), position);
        if (statics != nullptr)
            statics->path.push_back({text(designator.member)});
        return field != nullptr ? field->type : unknown();
    }
    expr(designator.index);
    std::optional<__int128> first = constant(designator.index);
    std::optional<__int128> last = first;
    if (designator.index_last != nullptr) {
        expr(designator.index_last);
        last = constant(designator.index_last);
    }
    position = last ? static_cast<uint64_t>(*last) : position;
    const Type* array = kind_of(type);
    bool is_known = statics != nullptr && statics->is_shared && array->kind == TypeKind::Array && array->has_count;
    if (is_known && !array->by_threads && position >= array->count)
        diags_.report(Id::DesignatorOutside, range(*designator.index), {quote(type)});
    if (statics != nullptr)
        statics->path.push_back({{}, first ? static_cast<uint64_t>(*first) : position, position});
    return is_array(type) ? canonical(type).type->base : unknown();
}

// The next member or element without a designator; nullopt if the aggregate is full.
std::optional<QualType> Checker::next_subobject(QualType type, uint64_t& position, StaticValues* statics)
{
    const Type* t = type.type;
    if (t->kind == TypeKind::Array) {
        if (t->has_count && !t->by_threads && position >= t->count)
            return std::nullopt;
        if (statics != nullptr)
            statics->path.push_back({{}, position, position});
        return t->base;
    }
    if (t->kind != TypeKind::Record)
        return position == 0 ? std::optional<QualType>(type) : std::nullopt;
    const std::vector<Field>& fields = t->record->fields;
    if (t->record->is_union && position > 0)
        return std::nullopt;
    while (position < fields.size() && fields[position].name.empty() && fields[position].is_bit_field)
        ++position;
    if (position >= fields.size())
        return std::nullopt;
    if (statics != nullptr && !fields[position].name.empty())
        statics->path.push_back({fields[position].name});
    return fields[position].type;
}

// Takes one value, or as many as an aggregate without its own braces needs.
void Checker::init_subobject(ListValues& values, QualType target, StaticValues* statics)
{
    Expr*& value = values.value();
    if (value->kind == Kind::InitList) {
        initialiser(value, target, statics);
        ++values.next;
        return;
    }
    bool is_aggregate = is_array(target) || is_record(target);
    if (is_aggregate) {
        typed_literal(value, statics);
        bool is_whole = (is_record(target) && is_record(value->type)) ||
                        (is_array(target) && value->kind == Kind::String) || value->kind == Kind::CompoundLiteral ||
                        is_unknown(value->type);
        if (!is_whole) {
            size_t before = values.next;
            const ast::Designation* designation = values.designation();
            init_aggregate(values, target, designation != nullptr ? designation->designators.size() : 1, statics);
            if (statics != nullptr && is_pts(value->type))
                analysis_.unbraced.insert(value);
            values.next += values.next == before;
            return;
        }
    }
    if (value->kind != Kind::CompoundLiteral || !is_aggregate)
        init_value(value, target, statics);
    ++values.next;
}

// A row of a shared array is initialised separately, because its place is unknown before the program runs.
void Checker::init_row(ListValues& values, QualType row, StaticValues& statics)
{
    Expr*& value = values.value();
    const ast::Designation* designation = values.designation();
    ++values.next;
    bool is_inside = designation != nullptr && designation->designators.size() > statics.path.size();
    if (is_inside || (value->kind != Kind::InitList && value->kind != Kind::String)) {
        diags_.report(Id::RowNeedsBraces, range(*value), {quote(*value)});
        return;
    }
    std::vector<uint64_t> rows = statics.rows();
    for (Image& earlier : statics.images)
        std::erase_if(earlier.rows,
                      [&](uint64_t row) { return std::find(rows.begin(), rows.end(), row) != rows.end(); });
    std::vector<Step> path = std::exchange(statics.path, {});
    statics.images.push_back({row, value, rows, {}, {}});
    initialiser(value, row, &statics);
    statics.images.back().init = value;
    statics.path = std::move(path);
}

// C gives an object more room than its type for the values of a flexible array member.  Shared objects of one type have
// one size, in every unit that declares them.
void Checker::check_flexible(const Expr& value, QualType owner, QualType target, const StaticValues* statics)
{
    bool is_flexible = is_record(owner) && is_array(target) && !kind_of(target)->has_count && !kind_of(target)->is_vla;
    bool is_empty = value.kind == Kind::InitList && value.args.empty();
    if (is_flexible && !is_empty && statics != nullptr && statics->is_shared)
        diags_.report(Id::FlexibleInitialised, range(value), {quote(QualType{owner.type, {}})});
}

// Assigns the next values of a braced list to an object of `type`.  level is 0 for the object to which the braces
// belong.  An inner aggregate takes as many values as it needs and leaves the rest; designators of its
// own level or of deeper levels can only precede its first value.
void Checker::init_aggregate(ListValues& values, QualType& type, size_t level, StaticValues* statics)
{
    QualType plain = canonical(type);
    const Type* t = plain.type;
    bool has_rows = statics != nullptr && statics->is_shared && has_rows_of_threads(type);
    uint64_t position = 0;
    uint64_t end = 0;
    for (bool is_first = true; values.has_more(); is_first = false) {
        const ast::Designation* designation = values.designation();
        size_t steps = statics != nullptr ? statics->path.size() : 0;
        size_t designator = level;
        std::optional<QualType> target;
        if (designation != nullptr && level > 0 && !is_first)
            break;  // it designates a member of an outer object
        if (designation != nullptr && designator < designation->designators.size())
            target = designate(designation->designators[designator++], plain, position, statics);
        else
            target = next_subobject(plain, position, statics);
        if (!target)
            break;
        check_flexible(*values.value(), plain, *target, statics);
        bool is_union = t->kind == TypeKind::Record && t->record->is_union;
        bool is_whole = designation == nullptr || designator >= designation->designators.size();
        // Other designators of the same list may have set any part of an inner aggregate.
        bool may_be_set = level > 0 ? values.has_designations : end > 0 && (is_union || position < end);
        if (statics != nullptr && !has_rows && may_be_set) {
            if (is_union)
                statics->forget(steps, is_whole ? std::string_view() : text(designation->designators[level].member),
                                arena_);
            else if (is_whole)
                statics->forget(statics->path.size(), {}, arena_);
        }
        if (has_rows && !has_rows_of_threads(*target))
            init_row(values, *target, *statics);
        else if (designation != nullptr && designator < designation->designators.size() &&
                 (is_array(*target) || is_record(*target)))
            init_aggregate(values, *target, designator, statics);
        else
            init_subobject(values, *target, statics);
        if (statics != nullptr)
            statics->path.resize(steps);
        end = std::max(end, ++position);
    }
    if (level > 0 || t->kind != TypeKind::Array)
        return;
    if (!t->has_count && !t->is_vla) {
        Type* complete = arena_.make<Type>(*t);
        complete->has_count = true;
        complete->count = end;
        type = {complete, plain.quals};
    } else if (statics != nullptr && statics->is_shared && !t->by_threads && values.has_more()) {
        diags_.report(Id::ExcessElements, range(*values.value()), {std::to_string(t->count)});
    }
}

void Checker::init_list(Expr& list, QualType& type, StaticValues* statics)
{
    list.type = type;
    ListValues values(list);
    init_aggregate(values, type, 0, statics);
    for (; values.has_more(); ++values.next) {  // excess values: the back end warns
        QualType none = unknown();
        initialiser(values.value(), none, nullptr);
    }
    // Conversions replaced arguments; replace the corresponding children.
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

// Types a value that may be a compound literal: in the initialiser of a static object, its values become the object's.
void Checker::typed_literal(Expr* value, StaticValues* statics)
{
    StaticValues* outer = std::exchange(literal_values_, value->kind == Kind::CompoundLiteral ? statics : nullptr);
    expr(value);
    literal_values_ = outer;
}

// The initialiser of an object.  Completes an array type.
void Checker::initialiser(Expr*& init, QualType& type, StaticValues* statics)
{
    if (init->kind == Kind::InitList) {
        init_list(*init, type, statics);
        return;
    }
    typed_literal(init, is_array(type) || is_record(type) ? statics : nullptr);
    if (is_array(type) && init->kind == Kind::String) {
        const Type* text = kind_of(init->type);
        QualType plain = canonical(type);
        if (!plain.type->has_count && text->has_count) {
            Type* complete = arena_.make<Type>(*plain.type);
            complete->has_count = true;
            complete->count = text->count;
            type = {complete, plain.quals};
        }
        return;
    }
    bool is_literal = init->kind == Kind::CompoundLiteral && statics != nullptr && is_record(type);
    if (!is_array(type) && !is_literal)
        init_value(init, type, statics);
}

// Names in a value have a meaning only in its function; numbers mean the same everywhere.
void Checker::note_constants(const Node& node)
{
    if (is_expression(&node)) {
        const Expr& e = static_cast<const Expr&>(node);
        std::optional<__int128> value = e.type.type != nullptr && is_integer(e.type) ? constant(&e) : std::nullopt;
        if (value) {
            analysis_.constants[&e] = *value;
            return;
        }
    }
    for (const Node* child : node.children)
        note_constants(*child);
}

// The back end sees only the copy of a string for a shared array; it warns about other strings itself.
void Checker::check_length(const Expr& value, QualType target)
{
    if (!is_shared(element_of(target)) || !is_array(target) || value.kind != Kind::String)
        return;
    uint64_t characters = kind_of(value.type)->count - 1;
    const Type* array = kind_of(target);
    if (array->has_count && !array->by_threads && characters > array->count)
        diags_.report(Id::LongString, range(value), {std::to_string(characters), std::to_string(array->count)});
}

// A compound literal outside functions has static storage (C11 6.5.2.5).  If it has values that must be computed, it
// also needs a name.
void Checker::static_literal(Expr& e, QualType& type)
{
    std::vector<Image> images = static_initialiser(e.a, type);
    if (images.empty() || e.symbol != nullptr)
        return;
    Symbol* symbol = arena_.make<Symbol>();
    symbol->name = symbol->emitted = intern("bn_literal_" + std::to_string(++hoisted_));
    symbol->type = type;
    symbol->at_file_scope = symbol->is_static = symbol->has_initialiser = true;
    symbol->is_own = options_.own_objects;
    symbol->token = e.first;
    e.symbol = symbol;
    analysis_.statics.push_back({symbol, &e, nullptr, nullptr, false, std::move(images)});
}

// The initialiser of an object with static storage: determines what must be done before main.
std::vector<Image> Checker::static_initialiser(Expr*& init, QualType& type)
{
    StaticValues statics;
    statics.type = type;
    statics.is_shared = is_shared(type);
    bool is_by_rows = statics.is_shared && has_rows_of_threads(type);
    if (!is_by_rows)
        statics.images.push_back({type, init, {0}, {}, {}});
    else if (init->kind != Kind::InitList)
        diags_.report(Id::RowNeedsBraces, range(*init), {quote(*init)});
    initialiser(init, type, &statics);
    if (is_by_rows)
        return std::move(statics.images);
    check_length(*init, type);
    Image& image = statics.images.front();
    image.type = type;
    image.init = init;
    if (!statics.is_shared && image.computed.empty() && image.overridden.empty())
        statics.images.clear();
    return std::move(statics.images);
}

}  // namespace bn::sema
