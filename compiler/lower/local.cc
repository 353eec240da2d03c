// local.cc: shared elements that are known to be local to this thread, and rows that lie on one thread.
//
// UPC form, where                                           C form
// a[v+k][j]  in a loop dealt out by v+k (own_loop.cc)        base[(n + k) * columns + j], base[row * columns + j]
// a[v+k+d]   in such a loop over blocks, d a constant        base of d[n + k + d]
// a[v+k]     in a for loop that goes from block to block (blockwise.cc)    likewise
// a[v+k+d]   in such a loop over cyclic units                base of d[row]
// a[x*THREADS + MYTHREAD], block size 1                     ((T *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())))[x]
// a[MYTHREAD][j], blocks of one row                         ((T *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())))[j]
// a[i][MYTHREAD], rows of THREADS blocks                    ((T *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())))[i]
// a[i][MYTHREAD][j], rows of THREADS blocks of B            ((T *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())))
//                                                               [i * B + j]
// a[MYTHREAD*B + x], blocks of B                            (*(T *)bn_elem_mine(a, x, B, sizeof(T)))
// a[i][v+k], a[i][v+k][j] in such a loop, if i goes over whole rounds of blocks, of which r elements are this thread's
//                                                           base[n + k + i * r], base[(n + k) * columns + i * r + j]
// a[f*v+k][j] in such a loop, blocks of whole rows          row[j], with the row's address computed once an iteration
// a[i][j]    likewise, in a for loop whose body changes nothing in i      row[j], likewise
// a[h][i][j] likewise, with h and i as the number of the row
// a[i][j]    blocks of whole rows                           ((T *)bn_elem_block(a, i, rows of a block, row bytes))[j]
//
// j is assumed to be inside the row, as in C (6.5.6p8), so the address of the row can be kept while j changes.
#include <algorithm>

#include "lower/own_loop.h"
#include "lower/rounds.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

// The sum of the indices from `first` on, in ultimate elements
Rope Lowerer::flat_index(const Element& element, size_t first)
{
    std::vector<IndexPart> parts;
    for (size_t i = first; i < element.indices.size(); ++i)
        parts.push_back({element.indices[i], element.units[i], false});
    return sum_of(parts);
}

Rope Lowerer::sum_of(const std::vector<IndexPart>& parts, Reached reached)
{
    bool is_reached = reached == Reached::Yes;
    Rope out = rope();
    for (const IndexPart& part : parts) {
        out << (part.is_negative ? " - " : out.empty() ? "" : " + ");
        if (part.value == nullptr) {
            out << part.unit;
            continue;
        }
        if (is_reached) {
            lower(part.value);
            out << "(bn_i64)(" << part.value << ")";
        } else {
            out << unreached(part.value);
        }
        if (part.unit != 1)
            out << " * " << part.unit;
        if (part.is_by_threads)
            out << (is_reached ? " * (bn_i64)bn_threads()" : " * (bn_u64)bn_threads()");
    }
    return out.empty() ? rope("0") : out;
}

// a[i][x*THREADS + MYTHREAD][j]: the index that names the thread counts blocks, the indices before it count whole
// rounds of blocks, and the indices after it count elements of a block.
std::optional<std::vector<IndexPart>> Lowerer::own_index(const Element& element) const
{
    uint64_t block = block_size(element.element);
    if (element.is_pointer || block == 0)
        return std::nullopt;
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    std::vector<IndexPart> index;
    for (size_t i = 0; i < element.indices.size(); ++i) {
        Rounds number(element.indices[i], block, block, view, &round_loops_);
        bool counts_blocks = i >= element.by_threads && element.units[i] == block;
        if (counts_blocks && number.is_own()) {
            index.insert(index.end(), number.turns.begin(), number.turns.end());
            for (size_t k = i + 1; k < element.indices.size(); ++k)
                index.push_back({element.indices[k], element.units[k], false});
            return index;
        }
        std::optional<uint64_t> step = local_step(element, i, options_.static_threads);
        if (!step)
            return std::nullopt;
        index.push_back({element.indices[i], *step, false});
    }
    return std::nullopt;
}

Rope Lowerer::own_place(const Element& element)
{
    std::optional<std::vector<IndexPart>> index = own_index(element);
    if (!index)
        return rope();
    return rope("((") << c_pointer(element.element) << ")((bn_u64)" << element.object->emitted
                      << " + bn_stride((bn_u64)bn_mythread())))[" << sum_of(*index) << "]";
}

namespace {

bool is_unsigned_word(QualType type)
{
    return is_integer(type) && is_unsigned(type) && size_of(type) && size_of(type)->bytes == 4;
}

// Removes MYTHREAD * block from a sum, and collects the other terms.
class InOwnBlock {
public:
    InOwnBlock(uint64_t block, const LoopView& view) : block_(static_cast<int64_t>(block)), view_(view) {}

    bool has_thread(const Expr* sum)
    {
        is_modulo_word = is_unsigned_word(without_parens(sum)->type);
        return take(sum, false) && threads_ == 1;
    }

    std::vector<IndexPart> others;
    bool is_modulo_word = false;  // the sum is of type unsigned int: modulo 2^32

private:
    // The constant c of a product c * MYTHREAD, however its factors are grouped; 0 for any other expression
    int64_t times_thread(const Expr* e) const
    {
        e = without_parens(e);
        if (e->kind == Kind::MyThread)
            return 1;
        if (e->kind != Kind::Binary || e->op != Op::Mul)
            return 0;
        for (auto [factor, other] : {std::pair{e->a, e->b}, std::pair{e->b, e->a}})
            if (std::optional<int64_t> value = literal_value(factor, view_)) {
                int64_t product = 0;
                return __builtin_mul_overflow(*value, times_thread(other), &product) ? 0 : product;
            }
        return 0;
    }

    bool is_thread(const Expr* e) const { return times_thread(e) == block_; }

    bool take(const Expr* e, bool is_negative)
    {
        const Expr* bare = without_parens(e);
        if (!is_integer(bare->type) || !size_of(bare->type))
            return false;
        if (bare->kind == Kind::Binary && (bare->op == Op::Add || bare->op == Op::Sub))
            return (is_as_wide(bare->type) || is_modulo_word) && take(bare->a, is_negative) &&
                   take(bare->b, is_negative != (bare->op == Op::Sub));
        if (is_thread(bare)) {
            ++threads_;
            return !is_negative;
        }
        others.push_back({const_cast<Expr*>(e), 1, is_negative});
        return true;
    }

    int64_t block_;
    const LoopView& view_;
    int threads_ = 0;
};

bool has_whole_rows(const Element& element)
{
    return !element.is_pointer && row_indices(element) != 0;
}

}  // namespace

std::string known_row(const std::vector<Row>& rows, const Element& element, const lex::TokenList& tokens)
{
    std::vector<Expr*> numbers = row_numbers(element);
    auto is_same = [&](const Expr* a, const Expr* b) { return is_same_form(a, b, tokens); };
    for (const Row& row : rows)
        if (row.object == element.object &&
            std::equal(row.numbers.begin(), row.numbers.end(), numbers.begin(), numbers.end(), is_same))
            return row.name;
    return "";
}

// a[MYTHREAD*B + x]: local to this thread while x is below B, which costs one comparison instead of the multiplications
// of the layout.  It also holds modulo 2^32 if all threads together have no more than 2^32 elements.
Rope Lowerer::place_in_own_block(const Element& element)
{
    uint64_t block = block_size(element.element);
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    InOwnBlock index(block, view);
    bool is_block = block > 1 && !element.is_pointer && element.indices.size() == 1;
    bool is_inline = !options_.far_threads && !version_.is_cold && *outlined(true) == 0;
    if (!is_block || !is_inline || !index.has_thread(element.indices[0]))
        return rope();
    uint64_t threads = static_cast<uint64_t>(options_.static_threads != 0 ? options_.static_threads : kMaxThreads);
    if (index.is_modulo_word && block > (uint64_t{1} << 32) / threads)
        return rope();
    return rope("(*(") << c_pointer(element.element)
                       << (index.is_modulo_word ? ")bn_word_elem_mine(" : ")bn_elem_mine(") << element.object->emitted
                       << (index.is_modulo_word ? ", (bn_u32)(" : ", (bn_u64)(") << sum_of(index.others) << "), "
                       << block << ", " << element_size(element.element) << "))";
}

// The address, as a number, of the row of a[i][j] in blocks of whole rows
Rope Lowerer::row_address(const Element& element, Reached reached)
{
    size_t count = row_indices(element);
    uint64_t unit = element.units[count - 1];
    uint64_t block = block_size(element.element);
    std::vector<IndexPart> parts;
    for (size_t i = 0; i < count; ++i)
        parts.push_back({element.indices[i], element.units[i] / unit, false, i < element.by_threads});
    Rope number = sum_of(parts, reached);
    if (reached == Reached::Yes)
        number = rope("(bn_u64)(") << (count == 1 ? rope() << element.indices[0] : number) << ")";
    bool has_variable =
        std::any_of(parts.begin(), parts.end(), [&](const IndexPart& part) { return is_variable(part.value); });
    ElementFunction function = element_function(*element.object, block == unit, has_variable, false);
    Rope out = rope(function.name) << (element.is_pointer ? "(bn_shared_t)" : "") << element.object->emitted
                                   << (element.is_pointer ? ".addr" : "") << ", " << number << ", ";
    if (function.takes_block)
        out << block / unit << ", ";
    return out << unit << " * " << element_size(element.element) << ")";
}

Rope Lowerer::place_in_row(const Element& element)
{
    if (!has_whole_rows(element))
        return rope();
    return rope("((") << c_pointer(element.element) << ")" << row_address(element, Reached::Yes) << ")["
                      << flat_index(element, row_indices(element)) << "]";
}

// has_loops: the row is used by loops in the body, which should not recompute its address in each iteration (bn_row)
Rope Lowerer::row_declaration(const Element& element, const std::string& name, bool has_loops)
{
    Rope out = c_declaration(element.element, rope("*const ") << name)
               << " = (" << c_pointer(element.element) << ")" << (has_loops ? "bn_row(" : "")
               << row_address(element, Reached::No) << (has_loops ? ")" : "") << "; ";
    return frozen(out);  // the index also occurs in the body, parts of which may be lowered twice
}

// Whether an element, or a part of one, is known to be this thread's own, so that it gets one of the forms based on
// MYTHREAD
bool Lowerer::is_own(Expr* lvalue)
{
    if (!options_.passes.local)
        return false;
    lvalue = without_parens(lvalue);
    while ((lvalue->kind == Kind::Member && lvalue->op == Op::Dot) ||
           (lvalue->kind == Kind::Unary && (lvalue->op == Op::Real || lvalue->op == Op::Imag)) ||
           (lvalue->kind == Kind::Index && has_elements(lvalue->a->type) && is_member(lvalue)))
        lvalue = without_parens(lvalue->a);
    std::optional<Element> element = element_of_array(lvalue, Dimensions::MayBeThreads);
    if (!element)
        return false;
    bool is_in_loop = std::any_of(own_loops_.begin(), own_loops_.end(),
                                  [&](OwnLoop* loop) { return !loop->place(*element, nullptr).empty(); });
    return is_in_loop || own_index(*element).has_value();
}

// The name of a pointer to the row, set at the start of the body of a C loop; empty if the body changes something on
// which the row number depends
std::string Lowerer::row_pointer(ForLoop& loop, const Element& element)
{
    if (!loop.body)
        loop.body = effects_of(loop.stmt->then, tokens_);
    std::vector<Expr*> numbers = row_numbers(element);
    bool is_fixed = std::all_of(numbers.begin(), numbers.end(), [&](const Expr* number) {
        return may_be_unreached(number) && is_invariant(number, *loop.body, function_effects());
    });
    if (loop.body->cannot_repeat || loop.body->is_opaque || !is_fixed || has_fixed_body(*loop.stmt))
        return "";
    if (std::string known = known_row(loop.rows, element, tokens_); !known.empty())
        return known;
    std::string name = fresh_for(*element.object);
    loop.declarations << row_declaration(element, name, loop.body->loops);
    loop.rows.push_back({element.object, numbers, name});
    return name;
}

// A C lvalue for an element about which more is known than its type; empty if nothing is
Rope Lowerer::local_place(Expr* lvalue)
{
    if (!options_.passes.local || is_array(lvalue->type))
        return rope();
    std::optional<Element> element = element_of_array(lvalue, Dimensions::MayBeThreads);
    if (!element)
        return rope();
    for (OwnLoop* loop : own_loops_) {
        Rope out = loop->place(*element, lvalue);
        if (!out.empty())
            return out;
    }
    if (all_blocks_ != nullptr && !element->is_pointer)
        if (Rope out = all_blocks_->place(*element, lvalue); !out.empty())
            return out;
    Rope out = own_place(*element);
    if (out.empty())
        out = place_by_rounds(*element, lvalue);
    if (out.empty())
        out = place_in_own_block(*element);
    if (!out.empty())
        return out;
    auto in_row = [&](const std::string& row) {
        return rope(row) << "[" << flat_index(*element, row_indices(*element)) << "]";
    };
    if (!own_loops_.empty())
        if (std::string row = own_loops_.back()->row_pointer(*element); !row.empty())
            return in_row(row);
    if (!has_whole_rows(*element))
        out = place_in_flat_row(*element);
    if (!out.empty())
        return out;
    if (!own_loops_.empty())
        remark_on_access(*lvalue, *element);
    if (has_whole_rows(*element) && !version_.is_cold && !outside_)
        for (ForLoop& loop : for_loops_)
            if (std::string row = row_pointer(loop, *element); !row.empty())
                return in_row(row);
    return place_in_row(*element);
}

void Lowerer::remark_on_access(const Expr& lvalue, const Element& element)
{
    if (!diags_.has_remarks() || block_size(element.element) == 0)
        return;
    const AffinityLoop& plan = own_loops_.front()->plan;
    std::optional<UnitIndex> where = unit_index(element, plan.view(tokens_, options_.static_threads));
    std::string name = "'" + std::string(plan.variable->name) + "'";
    const Expr* sum = without_parens(element.indices[0]);
    bool has_rows = block_size(element.element) > 1 && sum->kind == Kind::Binary && sum->op == Op::Add &&
                    (without_parens(sum->a)->op == Op::Mul || without_parens(sum->b)->op == Op::Mul);
    std::string reason = "its index does not follow " + name +
                         ", so it may lie on any thread; if it is read often, copy it with upc_memget before the loop";
    if (!plan.has_units())
        reason =
            "the affinity gives each thread a share of the iterations, which need not be its elements; name an element "
            "instead";
    else if (!where && has_rows)
        reason =
            "its index does not follow " + name +
            ", so it may lie on any thread; cast the address of the row to 'shared [] T *' and index that pointer, "
            "if a block holds the row";
    else if (where && where->units_per_block != plan.block)
        reason = "its block size differs from that of the array that the affinity names; give both the same layout";
    else if (where)
        reason = "it is not the element that the affinity names, so it may lie on another thread; if many are, copy "
                 "them with upc_memget before the loop";
    remark(diag::Id::AccessComputed, &lvalue, {"'" + std::string(element.object->name) + "[...]'", reason});
}

}  // namespace bn::lower
