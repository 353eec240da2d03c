// flat_rows.cc: rows of arrays that the program indexes as flat ones, in loops along the rows.
//
// UPC form                                        C form
// for (j...) ... a[i*B + j] ..., blocks of B      { const bn_pts_t row = bn_add_whole_blocks(bn_start(a), i, B,
// sizeof(T));
//                                                   for (j...) ... (*(T *)bn_elem_beside(row, 0, j, B, sizeof(T))) ...
//                                                   }
// the same with p a pointer-to-shared             bn_add_whole_blocks(p, ...), and row.phase for 0
// a[i*M + j], B a multiple of M                   bn_add_block(bn_start(a), i * M, B, sizeof(T)), and row.phase for 0
//
// for (i = MYTHREAD*B; ...) ... a[i] ...          as a[MYTHREAD*B + (i - MYTHREAD*B)]
// for (j = i; j < i + B; j++) ... a[j] ...        as a[i + (j - i)]
//
// An index is split into a sum of terms that are multiples of B, or that divide it, and the rest.  Where the loop
// changes none of these terms, the sum is the number of the element at the start of a row, whose address is computed
// once, before the outermost loop that does not change it.  Each access tests that it is in the block of that element,
// which nothing guarantees, and is found by a call otherwise.
//
// A pointer with phase 0 has rows at the start of blocks as an array has them.  Next to the general form of a
// upc_forall this can be tested once, in the condition for its dealt-out form.
#include <algorithm>
#include <cstdlib>

#include "lower/own_loop.h"
#include "lower/restored.h"
#include "lower/rounds.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

// A flat index as the number of the first element of a row and a position in the row
struct FlatIndex {
    Affine row;
    Affine rest;
};

namespace {

// The distance of rows: a block if some term counts blocks, otherwise the least term that divides the block; 0 if there
// is neither
int64_t row_length(const Affine& index, int64_t block)
{
    int64_t least = 0;
    for (const Affine::Term& term : index.terms) {
        int64_t factor = std::abs(term.factor);
        if (factor != 0 && factor % block == 0)
            return block;
        if (factor > 1 && block % factor == 0 && (least == 0 || factor < least))
            least = factor;
    }
    return least;
}

// Whether the number is a sum of multiples of the block
bool counts_blocks(const Affine& number, int64_t block)
{
    return number.constant % block == 0 &&
           std::all_of(number.terms.begin(), number.terms.end(),
                       [&](const Affine::Term& term) { return term.factor % block == 0; });
}

Affine divided(Affine form, int64_t by)
{
    for (Affine::Term& term : form.terms)
        term.factor /= by;
    form.constant /= by;
    return form;
}

FlatIndex split(const Affine& index, int64_t length)
{
    FlatIndex result;
    for (const Affine::Term& term : index.terms)
        (term.factor % length == 0 ? result.row : result.rest).terms.push_back(term);
    result.rest.factor = index.factor;
    result.rest.constant = index.constant % length;
    result.row.constant = index.constant - result.rest.constant;
    return result;
}

// Where the variable of the loop, and not the index, begins with the number of a row: for (i = MYTHREAD * B; ...) a[i].
// The terms that are multiples of `unit` are added to the row and taken off the position.
FlatIndex split_by_start(const Affine& index, const Affine& start, int64_t unit)
{
    FlatIndex result;
    result.rest = index;
    for (const Affine::Term& term : start.terms)
        if (term.factor % unit == 0) {
            result.row.terms.push_back({term.value, term.factor * index.factor});
            result.rest.terms.push_back({term.value, -term.factor * index.factor});
        }
    return result;
}

// for (j = i; j < i + B; j++)
bool has_length_of_block(const Affine& start, const ast::SimpleStmt& stmt, int64_t block, const LoopView& view)
{
    const Expr* test = stmt.condition != nullptr ? without_parens(stmt.condition) : nullptr;
    bool is_limit = test != nullptr && test->kind == Kind::Binary && test->op == Op::Lt;
    std::optional<Affine> limit = is_limit ? affine_form(test->b, view) : std::nullopt;
    return limit && limit->factor == 0 && !start.terms.empty() && is_same_terms(start, *limit, view) &&
           limit->constant > start.constant && limit->constant - start.constant <= block;
}

std::optional<FlatIndex> flat_index_of(const Affine& index, int64_t block, const ast::SimpleStmt& stmt,
                                       const LoopView& view)
{
    int64_t length = row_length(index, block);
    if (std::abs(index.factor) < length)
        return split(index, length);
    const Expr* first =
        length == 0 && std::abs(index.factor) == 1 ? start_of(stmt, view.variable, *view.tokens).value : nullptr;
    std::optional<Affine> start = first != nullptr ? affine_form(first, view) : std::nullopt;
    if (!start || start->factor != 0)
        return std::nullopt;
    if (row_length(*start, block) == block)
        return split_by_start(index, *start, block);
    return has_length_of_block(*start, stmt, block, view) ? std::optional(split_by_start(index, *start, 1))
                                                          : std::nullopt;
}

Expr name_of(const Symbol& variable)
{
    Expr name;
    name.kind = Kind::Ident;
    name.symbol = &variable;
    return name;
}

}  // namespace

// The private variable that a loop counts with; null for other loops, and where no declaration can precede the loop
const Symbol* Lowerer::flat_loop(const ForLoop& loop)
{
    const Expr* step = loop.stmt->step != nullptr ? without_parens(loop.stmt->step) : nullptr;
    bool is_counted = step != nullptr && (is_step(*step) || step->kind == Kind::Assign);
    const Symbol* variable = is_counted && !is_under_pragma(*loop.stmt) ? root_variable(step->a) : nullptr;
    if (variable == nullptr || is_shared(variable->type))
        return nullptr;
    auto quals = canonical(variable->type).quals;
    return !quals.is_volatile && !quals.is_atomic ? variable : nullptr;
}

// Whether the first element of a row can be found before the loop
bool Lowerer::is_fixed_before(ForLoop& loop, const Element& element, const Affine& number)
{
    if (!loop.whole)
        loop.whole = effects_of(loop.stmt, tokens_);
    const Effects& whole = *loop.whole;
    if (whole.cannot_repeat || whole.is_opaque || is_under_pragma(*loop.stmt))
        return false;
    auto is_fixed = [&](const Expr* e) { return is_invariant(e, whole, function_effects()); };
    Expr pointer = name_of(*element.object);
    return (!element.is_pointer || is_fixed(&pointer)) &&
           std::all_of(number.terms.begin(), number.terms.end(),
                       [&](const Affine::Term& term) { return is_fixed(term.value) && may_be_unreached(term.value); });
}

Rope Lowerer::sum_of(const Affine& form, Reached reached)
{
    std::vector<IndexPart> parts;
    for (const Affine::Term& term : form.terms)
        parts.push_back({const_cast<Expr*>(term.value), static_cast<uint64_t>(std::abs(term.factor)), term.factor < 0});
    if (form.constant != 0)
        parts.push_back({nullptr, static_cast<uint64_t>(std::abs(form.constant)), form.constant < 0});
    return sum_of(parts, reached);
}

// The name of a pointer-to-shared to the first element of a row, declared before the outermost loop that allows it
std::string Lowerer::flat_row(size_t depth, const Element& element, const Affine& number)
{
    while (depth > 0 && is_fixed_before(for_loops_[depth - 1], element, number))
        --depth;
    ForLoop& loop = for_loops_[depth];
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    for (const ForLoop::FlatRow& row : loop.flat_rows)
        if (row.object == element.object && row.number.constant == number.constant &&
            is_same_terms(row.number, number, view))
            return row.name;
    std::string name = fresh_for(*element.object);
    std::string object(element.object->emitted);
    auto block = static_cast<int64_t>(block_size(element.element));
    bool is_whole = counts_blocks(number, block);
    loop.before << frozen(rope("const bn_pts_t ")
                          << name << (is_whole ? " = bn_add_whole_blocks(" : " = bn_add_block(")
                          << (element.is_pointer ? object : "bn_start(" + object + ")") << ", "
                          << "(bn_i64)(" << sum_of(is_whole ? divided(number, block) : number, Reached::No) << "), "
                          << block << ", " << element_size(element.element) << "); ");
    loop.flat_rows.push_back({element.object, number, name});
    return name;
}

// Whether a row is known to begin with a block, of a pointer under the condition for the dealt-out form of a loop
bool Lowerer::starts_block(const Element& element, const Affine& number)
{
    if (!counts_blocks(number, static_cast<int64_t>(block_size(element.element))))
        return false;
    if (!element.is_pointer)
        return true;
    Expr pointer = name_of(*element.object);
    for (OwnLoop* loop : own_loops_)
        if (is_invariant(&pointer, loop->plan.body, *loop->plan.function)) {
            loop->condition_on_phase(*element.object);
            return true;
        }
    return false;
}

// The values that the variable of a short loop without inner loops has in its body.  Each comparison with the limit is
// one of 64-bit numbers, or fails the test that the first value is not beyond the last.
std::optional<ForLoop::Range> Lowerer::range_of(ForLoop& loop)
{
    constexpr lex::TokenIndex kLongest = 100;  // the loop is emitted twice
    const ast::SimpleStmt& stmt = *loop.stmt;
    const Symbol* variable = flat_loop(loop);
    const Expr* test = stmt.condition != nullptr ? without_parens(stmt.condition) : nullptr;
    if (variable == nullptr || test == nullptr || test->kind != Kind::Binary || stmt.last - stmt.first > kLongest ||
        version_.is_second || !is_as_wide(variable->type))
        return std::nullopt;
    const Expr* step = without_parens(stmt.step);
    const Expr* left = without_parens(test->a);
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    bool adds = step->op == Op::Add || step->op == Op::Sub;
    int64_t by = is_step(*step) ? 1 : adds ? literal_value(step->b, view).value_or(0) : 0;
    bool is_down = step->op == Op::PreDec || step->op == Op::PostDec || step->op == Op::Sub;
    bool is_inclusive = test->op == (is_down ? Op::Ge : Op::Le);
    if (by <= 0 || (!is_inclusive && test->op != (is_down ? Op::Gt : Op::Lt)) ||
        (is_down && (is_unsigned(variable->type) || is_unsigned(test->b->type))) || left->kind != Kind::Ident ||
        left->symbol != variable || without_parens(step->a)->kind != Kind::Ident || !is_integer(test->b->type) ||
        size_of(test->b->type).value_or(Size{16, false}).bytes > 8)
        return std::nullopt;
    Effects body = effects_of(stmt.then, tokens_);
    loop.whole = effects_of(&stmt, tokens_);
    bool is_changed = is_assigned(*variable, body) || may_change_unseen(*variable, body, function_effects());
    if (is_changed || body.loops || loop.whole->cannot_repeat || loop.whole->is_opaque ||
        !is_invariant(test->b, *loop.whole, function_effects()))
        return std::nullopt;
    return ForLoop::Range{test->b, is_inclusive ? 0 : is_down ? 1 : -1};
}

// An element of a row.  Where the innermost loop is being lowered in the form in which no access leaves its row, the
// condition for that is collected, which compares the positions for the first and the last value of the variable.
Rope Lowerer::flat_access(const Element& element, const FlatIndex& parts, size_t depth, const std::string& row)
{
    uint64_t block = block_size(element.element);
    Rope rest = rope();
    if (!parts.rest.terms.empty() || parts.rest.constant != 0)
        rest << (parts.rest.terms.empty() ? " + (" : " + (bn_i64)(") << sum_of(parts.rest, Reached::No) << ")";
    std::string factor = parts.rest.factor != 1 ? " * (" + std::to_string(parts.rest.factor) + ")" : "";
    std::string variable = "(bn_i64)" + std::string(flat_loop(for_loops_[depth])->emitted);
    std::string phase = starts_block(element, parts.row) ? "0" : row + ".phase";
    ForLoop& inner = for_loops_.back();
    if (!std::exchange(inner.has_range_known, true))
        inner.range = range_of(inner);
    if (!inner.range)
        return rope("(*(") << c_pointer(element.element) << ")bn_elem_beside(" << row << ", " << phase << ", "
                           << variable << factor << rest << ", " << block << ", " << element_size(element.element)
                           << "))";
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    bool is_tested = std::any_of(inner.fit_list.begin(), inner.fit_list.end(), [&](const ForLoop::Fit& fit) {
        return fit.phase == phase && fit.depth == depth && fit.block == block &&
               fit.position.factor == parts.rest.factor && fit.position.constant == parts.rest.constant &&
               is_same_terms(fit.position, parts.rest, view);
    });
    bool is_inner = depth + 1 == for_loops_.size();
    for (const std::string& value : {variable, std::string("bn_last")})
        if (!is_tested && (is_inner || value == variable))
            inner.fits << " & "
                       << frozen(rope("((bn_u64)(")
                                 << phase << " + " << value << factor << rest << ") < " << block << ")");
    inner.fit_list.push_back({phase, parts.rest, depth, block});
    return rope("((") << c_pointer(element.element) << ")" << row << ".addr)[" << variable << factor << rest << "]";
}

// { init; if (no access leaves its row) { loop without tests } else { loop } }
Rope Lowerer::in_rows(ast::SimpleStmt& stmt, ForLoop& loop)
{
    bool is_declaration = stmt.init != nullptr && stmt.init->kind == Kind::Declaration;
    Restored version(version_);
    version_.is_second = true;
    Rope out = rope("{ ");
    if (stmt.init != nullptr) {
        out << self(stmt.init) << (is_declaration ? " " : "; ");
        set(stmt.init, rope(is_declaration ? ";" : " "));
    }
    const Expr* condition = without_parens(stmt.condition);
    bool is_down = condition->op == Op::Gt || condition->op == Op::Ge;
    out << "const bn_i64 bn_last = (bn_i64)(" << frozen(loop.range->limit) << ") + ("
        << std::to_string(loop.range->beyond) << "); if (((bn_i64)" << flat_loop(loop)->emitted
        << (is_down ? " >= " : " <= ") << "bn_last)" << loop.fits << ") { " << frozen(&stmt) << " } else { ";
    loop.range = std::nullopt;
    loop.declarations = rope();
    loop.rows.clear();
    forget(stmt.then);
    for_body(stmt, loop);
    return out << self(&stmt) << " } }";
}

Rope Lowerer::place_in_flat_row(const Element& element)
{
    uint64_t block = block_size(element.element);
    bool is_inline =
        options_.static_threads != 1 && !version_.is_cold && !outside_ && columns_ == nullptr && *outlined(true) == 0;
    if (!is_inline || block <= 1 || block > INT32_MAX || element.by_threads != 0)
        return rope();
    for (size_t depth = for_loops_.size(); depth-- > 0;) {
        ForLoop& loop = for_loops_[depth];
        const Symbol* variable = flat_loop(loop);
        if (variable == nullptr)
            return rope();
        if (!loop.whole)
            loop.whole = effects_of(loop.stmt, tokens_);
        LoopView view{variable, &*loop.whole, &function_effects(), &tokens_, options_.static_threads};
        std::optional<Affine> index = flat_form(element, view);
        if (!index)
            return rope();
        if (index->factor == 0)  // it depends on the variables of outer loops only
            continue;
        std::optional<FlatIndex> parts = flat_index_of(*index, static_cast<int64_t>(block), *loop.stmt, view);
        bool is_safe = parts && std::all_of(parts->rest.terms.begin(), parts->rest.terms.end(),
                                            [&](const Affine::Term& term) { return may_be_unreached(term.value); });
        if (!is_safe || !is_fixed_before(loop, element, parts->row))
            return rope();
        return flat_access(element, *parts, depth, flat_row(depth, element, parts->row));
    }
    return rope();
}

}  // namespace bn::lower
