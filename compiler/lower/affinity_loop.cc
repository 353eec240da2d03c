#include "lower/affinity_loop.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

// Limit for the numbers of which the number of iterations is computed
constexpr int64_t kLargestCount = int64_t{1} << 50;

// Where a for loop goes from block to block, finding a block costs as much as several elements, and finding the first
// one as much as several blocks.
constexpr uint64_t kLeastBlock = 16;
constexpr int64_t kLeastTurns = 64;

class Recogniser {
public:
    Recogniser(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens, int static_threads,
               Obstacle& obstacle)
        : stmt_(stmt), function_(function), tokens_(tokens), static_threads_(static_threads), obstacle_(obstacle)
    {
    }

    std::optional<AffinityLoop> run()
    {
        if (!is_counted() || !affinity())
            return std::nullopt;
        if (std::abs(loop_.offset.factor) > kLargestStep) {
            no(stmt_.affinity, "neighbouring iterations are too far apart; take a smaller step");
            return std::nullopt;
        }
        return finished();
    }

    // For a plain for loop
    std::optional<AffinityLoop> run_over_blocks()
    {
        if (!is_counted() || !may_be_cut() || loop_.limit_may_change || !loop_.companions.empty() ||
            loop_.counts_down || loop_.step != 1 || least_turns() < kLeastTurns)
            return std::nullopt;
        if (!finds_blocks(stmt_.then) || loop_.block < kLeastBlock || is_in_one_block() || may_divide())
            return std::nullopt;
        loop_.owner = AffinityLoop::Owner::Blocked;
        return finished();
    }

private:
    bool is_counted()
    {
        std::optional<CountedLoop> found = counted_loop(stmt_, function_, tokens_, static_threads_, obstacle_);
        if (found)
            static_cast<CountedLoop&>(loop_) = std::move(*found);
        return found.has_value();
    }

    const AffinityLoop& finished()
    {
        find_huge_numbers();
        loop_.span = span();
        loop_.has_whole_blocks = has_whole_blocks();
        loop_.guard = may_divide() || may_overflow_before() ? stmt_.condition : nullptr;
        return loop_;
    }

    bool no(const Node* where, std::string reason)
    {
        obstacle_ = {std::move(reason), where};
        return false;
    }

    std::string bare_name() const { return std::string(loop_.variable->name); }
    std::string name() const { return "'" + bare_name() + "'"; }

    LoopView view() const { return loop_.view(tokens_, static_threads_); }

    // Whether something that the program evaluates in iterations, and the dealt form before them, may divide by zero
    bool may_divide() const
    {
        return is_computed_before([&](const Expr* e) { return may_be_undefined(e, view()); });
    }

    bool may_overflow_before() const
    {
        return is_computed_before([&](const Expr* e) { return may_overflow(e, view()); });
    }

    // Whether the predicate holds for something of that kind
    bool is_computed_before(const auto& predicate) const
    {
        return predicate(loop_.step_value) || predicate(loop_.block_value) ||
               (loop_.is_same_for_all && predicate(stmt_.affinity)) ||
               std::ranges::any_of(loop_.offset.terms, predicate, &Affine::Term::value) ||
               std::ranges::any_of(loop_.companions, predicate, &Companion::step);
    }

    // Where the program's own arithmetic overflows first, no run-time condition on the numbers is needed.
    void find_huge_numbers()
    {
        uint64_t bytes = size_of(loop_.variable->type)->bytes;
        uint64_t limit_bytes = size_of(loop_.limit->type)->bytes;
        std::optional<int64_t> first = loop_.start;
        loop_.start_may_be_huge =
            bytes == 8 && (loop_.wraps || loop_.counts_down) && (!first || std::abs(*first) > loop_.largest());
        bool is_wide =
            std::max(bytes, limit_bytes) == 8 && (loop_.compares_unsigned || (loop_.counts_down && bytes == 8));
        loop_.limit_may_be_huge =
            is_wide && (loop_.wraps || loop_.counts_down || loop_.limit_may_change) && !is_small_limit();
    }

    // Whether the limit has a narrower type, is constant, or is a sum of multiples of THREADS
    bool is_small_limit() const
    {
        bool may_be_negative = !loop_.compares_unsigned;
        if (size_of(loop_.limit->type)->bytes < 8 && (may_be_negative || is_unsigned(loop_.limit->type)))
            return loop_.largest() > std::numeric_limits<uint32_t>::max();
        std::optional<Affine> form = affine_form(loop_.limit, view());
        return form && form->factor == 0 && std::abs(form->constant) <= loop_.largest() &&
               (may_be_negative || form->constant >= 0) &&
               std::all_of(form->terms.begin(), form->terms.end(), [&](const Affine::Term& term) {
                   return is_threads(term.value) && (may_be_negative || term.factor >= 0);
               });
    }

    bool affinity()
    {
        Expr* e = without_parens(stmt_.affinity);
        if (is_integer(e->type))
            return integer(e);
        if (is_fixed_pointer(e))
            return same_for_all();
        if (e->kind == Kind::Unary && e->op == Op::AddressOf) {
            e = without_parens(e->a);
            while (e->kind == Kind::Member && e->op == Op::Dot)
                e = without_parens(e->a);
            return place(e);
        }
        if (is_array(e->type) && e->kind == Kind::Index)  // a row
            return place(e);
        if (e->kind == Kind::Binary && e->op == Op::Add) {  // a + i is &*(a + i)
            Expr deref;
            deref.kind = Kind::Unary;
            deref.op = Op::Deref;
            deref.a = e;
            deref.type = pointee(e->type);
            if (is_pts(e->type) && !is_generic_pts(e->type))
                return place(&deref);
        }
        if (e->kind == Kind::Call)
            return no(stmt_.affinity, "the affinity calls a function; name the element itself, as in &a[" +
                                          bare_name() + "], or its number if that is the same thread, as in " + name());
        return no(stmt_.affinity,
                  "the affinity is neither that of an element nor a number; name an element of an array, as in &a[" +
                      bare_name() + "], or a number, as in " + name());
    }

    // Whether all iterations belong to one thread, which the affinity names when the loop begins
    bool same_for_all()
    {
        loop_.owner = AffinityLoop::Owner::OneThread;
        loop_.is_same_for_all = true;
        return true;
    }

    // p, &x or &*p, none of which changes in the loop
    bool is_fixed_pointer(const Expr* e) const
    {
        bool is_object = false;
        if (e->kind == Kind::Unary && e->op == Op::AddressOf) {
            e = without_parens(e->a);
            is_object = e->kind == Kind::Ident;
            if (e->kind == Kind::Unary && e->op == Op::Deref)
                e = without_parens(e->a);
        }
        if (e->kind != Kind::Ident || e->symbol == nullptr || e->symbol->kind != Symbol::Kind::Variable)
            return false;
        return is_object ? is_shared(e->type) : is_pts(e->type) && is_invariant(e, loop_.body, function_);
    }

    bool is_threads(const Expr* e) const { return without_parens(e)->kind == Kind::Threads; }

    // x % THREADS, and x % k where THREADS divides k, name the same thread as x; but not if the operator makes a
    // negative x a large number.
    const Expr* without_turns(const Expr* e, bool& loses_sign) const
    {
        while (e->kind == Kind::Binary && e->op == Op::Mod) {
            bool is_turn = is_threads(e->b) ||
                           (static_threads_ > 0 && literal_value(e->b, view()).value_or(1) % static_threads_ == 0);
            if (!is_turn)
                break;
            loses_sign = loses_sign || is_unsigned(e->type);
            e = without_parens(e->a);
        }
        return e;
    }

    // The other factor of a product with THREADS if THREADS is not constant; null if `e` is no such product
    const Expr* over_threads(const Expr* e) const
    {
        e = without_parens(e);
        bool is_product = e->kind == Kind::Binary && e->op == Op::Mul && static_threads_ == 0;
        if (!is_product || !is_as_wide(e->type))
            return nullptr;
        return is_threads(e->a) ? e->b : is_threads(e->b) ? e->a : nullptr;
    }

    // Takes the divisor of a quotient.  (x * THREADS) / (n * THREADS) is x / n.
    bool divisor(const Expr* by, const Expr*& dividend)
    {
        const Expr* by_less = over_threads(by);
        const Expr* less = over_threads(dividend);
        if (by_less != nullptr && less != nullptr)
            by = by_less;
        loop_.times_threads = less != nullptr && by_less == nullptr;
        if (less != nullptr)
            dividend = without_parens(less);
        std::optional<int64_t> value = literal_value(by, view());
        if (value && *value > 0) {
            loop_.block = static_cast<uint64_t>(*value);
            return true;
        }
        if (value || !loop_.is_fixed_integer(by))
            return no(
                by,
                "the divisor of the affinity is not positive, or may change in the loop; copy it to a variable first");
        loop_.block = 0;
        loop_.block_value = const_cast<Expr*>(by);
        return true;
    }

    // The smallest value of v if it is constant
    std::optional<int64_t> least() const
    {
        if (!loop_.counts_down)
            return loop_.start;
        std::optional<int64_t> limit = literal_value(loop_.limit, view());
        return limit ? std::optional<int64_t>(*limit + (loop_.is_inclusive ? 0 : 1)) : std::nullopt;
    }

    bool integer(const Expr* e)
    {
        bool loses_sign = false;
        e = without_turns(e, loses_sign);
        bool is_quotient = e->kind == Kind::Binary && e->op == Op::Div;
        if (std::optional<Affine> form = affine_form(e, view()); form && form->factor == 0)
            return same_for_all();
        if (is_quotient) {
            const Expr* dividend = without_parens(e->a);
            if (!divisor(e->b, dividend))
                return false;
            e = dividend;
        }
        std::optional<Affine> form = affine_form(e, view());
        if (!form || form->factor == 0)
            return no(stmt_.affinity,
                      any_below(*e, [](const Node& node) { return node.kind == Kind::Call; })
                          ? std::string("the affinity calls a function, which may have "
                                        "effects; compute the number before the loop, or name an element")
                          : "the affinity is not " + name() +
                                ", times or plus something that does not change in the loop; write it "
                                "that way, or select iterations with 'for' and 'if'");
        bool grows_from_zero = form->terms.empty() && form->constant >= 0 && form->factor > 0;
        loses_sign = loses_sign || is_unsigned(e->type);
        bool may_wrap = loses_sign && (form->constant != 0 || !form->terms.empty() || form->factor < 0 ||
                                       !is_unsigned(loop_.variable->type));
        if ((is_quotient || may_wrap) && !(grows_from_zero && !(loop_.counts_down && loop_.limit_may_change)))
            return no(stmt_.affinity, "the affinity may be negative, where division rounds the other way, or may wrap "
                                      "around; count up from 0 in a signed variable");
        loop_.must_not_be_negative =
            (is_quotient || may_wrap) && !is_unsigned(loop_.variable->type) && least().value_or(-1) < 0;
        if (loop_.must_not_be_negative && least())
            return no(stmt_.affinity, "the affinity is negative at first, where division rounds the other way, or "
                                      "wraps around; start where it is 0 or more");
        loop_.offset = *form;
        loop_.owner =
            loop_.block == 1 && !loop_.times_threads ? AffinityLoop::Owner::Cyclic : AffinityLoop::Owner::Blocked;
        return true;
    }

    bool place(Expr* lvalue)
    {
        std::optional<Element> element = element_of_array(lvalue, Dimensions::MayBeThreads);
        if (!element && goes_through_pointer(lvalue))
            return no(stmt_.affinity, "the affinity goes through a pointer that is not a variable, or may change in "
                                      "the loop; copy it to a variable first");
        if (!element)
            return no(stmt_.affinity,
                      "the affinity is not that of an element of an array; name one, as in &a[" + bare_name() + "]");
        if (element->is_pointer && !is_invariant_pointer(*element, loop_))
            return no(stmt_.affinity, "'" + std::string(element->object->name) +
                                          "' may change in the loop; copy the pointer to a variable first");
        bool is_fixed = true;
        for (const Expr* index : element->indices)
            is_fixed = is_fixed && loop_.is_fixed_integer(index);
        if (is_fixed)
            return same_for_all();
        std::optional<UnitIndex> index = unit_index(*element, view());
        if (!index && !has_known_steps(*element, static_threads_))
            return no(stmt_.affinity, "the rows of '" + std::string(element->object->name) +
                                          "' are not whole rounds of blocks; choose a block size that divides what a "
                                          "row has for each thread");
        if (!index)
            return no(stmt_.affinity,
                      "the index of '" + std::string(element->object->name) + "' is not " + name() +
                          ", times or plus something that does not change, or blocks do not hold whole rows; let the "
                          "loop count the index, or make the block size a multiple of the row");
        for (const IndexPart& part : index->within)
            if (!has_no_effects(part.value, tokens_))
                return no(stmt_.affinity, "the affinity has side effects; move them into the body");
        loop_.pointer = element->is_pointer ? element->object : nullptr;
        loop_.offset = index->offset;
        loop_.block = index->units_per_block;
        loop_.owner = loop_.block == 0   ? AffinityLoop::Owner::OneThread
                      : loop_.block == 1 ? AffinityLoop::Owner::Cyclic
                                         : AffinityLoop::Owner::Blocked;
        return true;
    }

    // Whether an element is reached by indexing a pointer-to-shared that is no variable, as in &p->data[i]
    static bool goes_through_pointer(const Expr* lvalue)
    {
        while (lvalue->kind == Kind::Index && is_array(lvalue->a->type))
            lvalue = without_parens(lvalue->a);
        const Expr* base = lvalue->kind == Kind::Index ? lvalue : without_parens(lvalue)->a;
        if (base == nullptr || base->a == nullptr)
            return false;
        const Expr* pointer = without_parens(base->a);
        return is_pts(pointer->type) && pointer->kind != Kind::Ident;
    }

    // Whether the body may stand in an inner loop, which `break` would end, and is short enough for addresses to matter
    bool may_be_cut() const
    {
        auto leaves = [](const Node& node) { return node.kind == Kind::Break; };
        const Effects& body = loop_.body;
        return !body.calls && !body.waits && !body.loops && !body.is_strict && !any_below(*stmt_.then, leaves);
    }

    // The number of iterations with one thread, and so the smallest; 0 if it is not known
    int64_t least_turns() const
    {
        std::optional<int64_t> first = loop_.start;
        std::optional<Affine> last = affine_form(loop_.limit, view());
        if (!first || !last || std::abs(*first) > kLargestStep || std::abs(last->constant) > kLargestCount)
            return 0;
        int64_t turns = last->constant - *first + (loop_.is_inclusive ? 1 : 0);
        for (const Affine::Term& term : last->terms) {
            if (!is_threads(term.value) || term.factor < 0 || term.factor > kLargestCount)
                return 0;
            turns += term.factor;
        }
        return turns;
    }

    // Whether the elements are known to lie in one block: the back end sees that, too
    bool is_in_one_block() const
    {
        std::optional<int64_t> limit = literal_value(loop_.limit, view());
        if (!limit)
            return false;
        auto block = static_cast<int64_t>(loop_.block);
        int64_t first = *loop_.start + loop_.offset.constant;
        int64_t last = *limit + loop_.offset.constant - (loop_.is_inclusive ? 0 : 1);
        return first >= 0 && first / block == last / block;
    }

    // Finds the largest blocks of elements a[v + constant] below `node`.  False if there are others whose places depend
    // on the variable and on the size of a block: other passes may do more for them.
    bool finds_blocks(const Node* node)
    {
        auto* e = is_expression(node) ? static_cast<Expr*>(const_cast<Node*>(node)) : nullptr;
        bool is_element = e != nullptr && is_shared(e->type) && !is_array(e->type) &&
                          block_size(element_of(e->type)) > 1 && mentions(e, loop_.variable);
        if (is_element && (e->kind == Kind::Index || e->op == Op::Deref) && !is_counted_element(e))
            return false;
        return std::all_of(node->children.begin(), node->children.end(),
                           [&](const Node* child) { return finds_blocks(child); });
    }

    bool is_counted_element(Expr* lvalue)
    {
        std::optional<Element> element = element_of_array(lvalue);
        std::optional<UnitIndex> index = element && !element->is_pointer ? unit_index(*element, view()) : std::nullopt;
        if (!index || index->offset.factor != 1 || !index->offset.terms.empty())
            return false;
        if (index->units_per_block > loop_.block) {
            loop_.block = index->units_per_block;
            loop_.offset = index->offset;
        }
        return true;
    }

    std::optional<Span> span() const
    {
        std::optional<Affine> end = affine_form(loop_.limit, view());
        bool counts_units = loop_.has_units_in_order() && loop_.has_units() && !loop_.counts_down &&
                            loop_.step_value == nullptr && loop_.owner != AffinityLoop::Owner::OneThread;
        if (!end || end->factor != 0 || !counts_units || loop_.limit_may_change || !loop_.companions.empty())
            return std::nullopt;
        end->constant += loop_.is_inclusive ? 1 : 0;
        return Span{loop_.start, *end};
    }

    // If the block is a power of two, divisibility holds even if a sum of multiples wraps around.
    bool has_whole_blocks() const
    {
        std::optional<int64_t> first = loop_.start;
        std::optional<Affine> last = affine_form(loop_.limit, view());
        bool is_plain = loop_.owner == AffinityLoop::Owner::Blocked && loop_.has_units_in_order() &&
                        loop_.has_units() && !loop_.counts_down && !loop_.limit_may_change;
        bool is_known = first && *first >= 0 && *first <= std::numeric_limits<int32_t>::max() && last &&
                        last->factor == 0 && size_of(loop_.variable->type)->bytes >= 4;
        if (!is_plain || !is_known)
            return false;
        auto block = static_cast<int64_t>(loop_.block);
        bool may_wrap = loop_.compares_unsigned;
        for (const Affine& form : {*last, loop_.offset}) {
            for (const Affine::Term& term : form.terms) {
                if (term.factor % block != 0)
                    return false;
                may_wrap = may_wrap || !is_threads(term.value);
            }
        }
        int64_t end = last->constant + (loop_.is_inclusive ? 1 : 0);
        return (*first + loop_.offset.constant) % block == 0 && (end + loop_.offset.constant) % block == 0 &&
               (!may_wrap || std::has_single_bit(loop_.block));
    }

    const SimpleStmt& stmt_;
    const Effects& function_;
    const lex::TokenList& tokens_;
    int static_threads_;
    Obstacle& obstacle_;
    AffinityLoop loop_;
};

}  // namespace

std::optional<AffinityLoop> affinity_loop(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                                          int static_threads, Obstacle& obstacle)
{
    return Recogniser(stmt, function, tokens, static_threads, obstacle).run();
}

std::optional<AffinityLoop> loop_over_blocks(const SimpleStmt& stmt, const Effects& function,
                                             const lex::TokenList& tokens, int static_threads)
{
    Obstacle none;
    return Recogniser(stmt, function, tokens, static_threads, none).run_over_blocks();
}

bool is_invariant_pointer(const Element& element, const AffinityLoop& plan)
{
    Expr e;
    e.kind = Kind::Ident;
    e.symbol = element.object;
    return is_invariant(&e, plan.body, *plan.function);
}

std::optional<UnitIndex> unit_beside(const AffinityLoop& plan, const Element& element, const LoopView& view)
{
    std::optional<UnitIndex> where = unit_index(element, view);
    if (where) {
        auto is_ahead = [](const Affine::Term& term) { return term.is_ahead; };
        std::vector<Affine::Term>& terms = where->offset.terms;
        auto found = std::ranges::find_if(terms, is_ahead);
        if (found != terms.end() && found->factor == 1) {
            where->follower = found->value;
            terms.erase(found);
        }
        if (std::ranges::any_of(terms, is_ahead))
            return std::nullopt;
    }
    if (!where || !plan.has_units() || where->units_per_block != plan.block ||
        where->offset.factor != plan.offset.factor || !is_same_terms(where->offset, plan.offset, view))
        return std::nullopt;
    return where;
}

}  // namespace bn::lower
