#include "lower/affinity_loop.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "lower/loop_limit.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

// Limit for the step of v, and for the change of the unit number per step of v: products stay far from overflow.
constexpr int64_t kLargestStep = int64_t{1} << 30;
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
        : stmt_(stmt), tokens_(tokens), static_threads_(static_threads), obstacle_(obstacle)
    {
        loop_.function = &function;
        loop_.body = effects_of(stmt.then, tokens);
    }

    std::optional<AffinityLoop> run()
    {
        if (!body() || !step() || !variable() || !condition() || !affinity())
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
        bool is_counted = may_be_cut() && step() && variable() && condition() && !loop_.limit_may_change;
        if (!is_counted || !loop_.companions.empty() || loop_.counts_down || loop_.step != 1 ||
            least_turns() < kLeastTurns)
            return std::nullopt;
        if (!finds_blocks(stmt_.then) || loop_.block < kLeastBlock || is_in_one_block() || may_divide())
            return std::nullopt;
        loop_.owner = AffinityLoop::Owner::Blocked;
        return finished();
    }

private:
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

    bool body()
    {
        if (loop_.body.is_opaque || loop_.function->is_opaque)
            return no(
                stmt_.then,
                "the function contains asm goto, va_arg or a nested function; move the loop to a function of its own");
        if (loop_.body.cannot_repeat)
            return no(stmt_.then,
                      "the body has labels, or declares types or static objects; declare them outside the loop");
        return true;
    }

    struct Step {
        const Expr* target = nullptr;
        const Expr* by = nullptr;  // null means 1
        bool is_negative = false;
    };

    // v++, ++v, v += n, v = v + n, v = n + v, and the same with minus
    Step step_form(const Expr* e) const
    {
        if (e->kind == Kind::Unary) {
            if (e->op == Op::PreInc || e->op == Op::PostInc)
                return {e->a};
            if (e->op == Op::PreDec || e->op == Op::PostDec)
                return {e->a, nullptr, true};
        }
        if (e->kind != Kind::Assign)
            return {};
        if (e->op == Op::Add || e->op == Op::Sub)
            return {e->a, e->b, e->op == Op::Sub};
        const Expr* sum = without_parens(e->b);
        if (e->op != Op::None || sum->kind != Kind::Binary || (sum->op != Op::Add && sum->op != Op::Sub))
            return {};
        if (is_same_form(sum->a, e->a, tokens_))
            return {e->a, sum->b, sum->op == Op::Sub};
        if (sum->op == Op::Add && is_same_form(sum->b, e->a, tokens_))
            return {e->a, sum->a};
        return {};
    }

    // Whether the condition compares it with a limit
    bool is_compared(const Expr* target) const
    {
        const Expr* e = stmt_.condition != nullptr ? without_parens(stmt_.condition) : nullptr;
        const Symbol* variable = without_parens(target)->symbol;
        return e != nullptr && e->kind == Kind::Binary && (is_name(e->a, variable) || is_name(e->b, variable));
    }

    bool step()
    {
        if (stmt_.step == nullptr)
            return no(&stmt_, "the loop has no step; write one that adds to a variable, as in i++");
        Step form;
        for (const Expr* part : parts_of(stmt_.step)) {
            Step other = step_form(part);
            if (other.target == nullptr || without_parens(other.target)->kind != Kind::Ident ||
                without_parens(other.target)->symbol == nullptr)
                return no(stmt_.step, "the step does not add an invariant value to a variable or subtract one; use a "
                                      "plain counter, and compute the rest from it");
            if (form.target == nullptr || (!is_compared(form.target) && is_compared(other.target)))
                std::swap(form, other);
            if (other.target != nullptr)
                loop_.companions.push_back(
                    {without_parens(other.target)->symbol, const_cast<Expr*>(other.by), other.is_negative, false});
        }
        const Expr* target = without_parens(form.target);
        loop_.variable = target->symbol;
        loop_.counts_down = form.is_negative;
        steps_by_wide_ = form.by != nullptr && is_wide(form.by->type);
        std::optional<int64_t> value = form.by != nullptr ? literal_value(form.by, view()) : 1;
        if (!value) {
            loop_.step = 0;
            loop_.step_value = const_cast<Expr*>(form.by);
            return true;
        }
        if (*value == 0 || std::abs(*value) > kLargestStep)
            return no(stmt_.step, "the step is 0 or too large; choose another");
        loop_.counts_down ^= *value < 0;
        loop_.step = std::abs(*value);
        return true;
    }

    // Whether adding such a number to an int is done in another type than int
    static bool is_wide(QualType type)
    {
        uint64_t bytes = is_integer(type) ? size_of(type).value_or(Size{16, false}).bytes : 16;
        return bytes > 4 || (bytes == 4 && is_unsigned(type));
    }

    // Whether the expression may be evaluated once, before the loop, as a 64-bit number
    bool is_fixed_integer(const Expr* e) const
    {
        return is_integer(e->type) && size_of(e->type).value_or(Size{16, false}).bytes <= 8 &&
               is_invariant(e, loop_.body, *loop_.function);
    }

    bool variable()
    {
        const Symbol& v = *loop_.variable;
        std::optional<Size> size = size_of(v.type);
        TypeKind k = kind(v.type);
        bool is_number = is_integer(v.type) && k != TypeKind::Bool && k != TypeKind::Enum && size && size->bytes <= 8;
        if (!is_number || canonical(v.type).quals.is_volatile || canonical(v.type).quals.is_atomic || is_shared(v.type))
            return no(stmt_.step, name() + " is not a private integer variable; use one to count");
        if (loop_.body.assigned.contains(&v))
            return no(stmt_.then, name() + " is changed in the body; use another variable there");
        if (can_be_reached(v, *loop_.function) && (loop_.body.calls || loop_.body.stores_through_pointer))
            return no(stmt_.then, "called functions, or stores through pointers, may change " + name() +
                                      "; declare it in the loop");
        loop_.declares_variable = is_declared(v);
        loop_.body.assigned.insert(&v);  // so that it does not count as invariant
        return companions();
    }

    // Whether the first clause declares it
    bool is_declared(const Symbol& variable) const
    {
        if (stmt_.init == nullptr || stmt_.init->kind != Kind::Declaration)
            return false;
        const auto& declared = static_cast<const ast::Declaration*>(stmt_.init)->declarators;
        return std::ranges::any_of(declared, [&](const ast::InitDeclarator* one) { return one->symbol == &variable; });
    }

    // Whether the variable can be given its value in any iteration
    bool may_accompany(const Symbol& k) const
    {
        Quals quals = canonical(k.type).quals;
        std::optional<Size> size = size_of(is_pointer(k.type) ? pointee(k.type) : k.type);
        bool is_number = is_integer(k.type) && kind(k.type) != TypeKind::Bool && kind(k.type) != TypeKind::Enum &&
                         size && size->bytes <= 8;
        bool is_address = is_pointer(k.type) && !is_pts(k.type) && !is_function(pointee(k.type)) && size &&
                          !size->by_threads && !quals.is_restrict;
        return (is_number || is_address) && !is_shared(k.type) && !quals.is_volatile && !quals.is_atomic &&
               !can_be_reached(k, *loop_.function) && !loop_.body.assigned.contains(&k);
    }

    bool companions()
    {
        for (Companion& one : loop_.companions) {
            std::string other = "'" + std::string(one.variable->name) + "'";
            if (!may_accompany(*one.variable))
                return no(stmt_.step, other + " is not a local integer or pointer that only the step changes; leave it "
                                              "out of the step");
            if (loop_.step_value != nullptr)
                return no(stmt_.step, "the step of " + name() + " is not constant, from which " + other +
                                          " would be computed; leave " + other + " out of the step");
            one.is_declared = is_declared(*one.variable);
            loop_.body.assigned.insert(one.variable);
        }
        for (const Companion& one : loop_.companions)
            if (one.step != nullptr && !is_fixed_integer(one.step))
                return no(stmt_.step, "what the step adds may change in the loop; copy it to a variable before");
        if (loop_.step_value != nullptr && !is_fixed_integer(loop_.step_value))
            return no(stmt_.step, "what the step adds may change in the loop; copy it to a variable before");
        return true;
    }

    // The first value of v if it is constant
    std::optional<int64_t> start() const
    {
        LoopStart first = start_of(stmt_, loop_.variable, tokens_);
        bool is_known = first.value != nullptr && (first.is_alone || !can_be_reached(*loop_.variable, *loop_.function));
        std::optional<int64_t> value = is_known ? literal_value(first.value, view()) : std::nullopt;
        return value && holds(loop_.variable->type, *value) ? value : std::nullopt;
    }

    // v < limit, v <= limit, v != limit, or with operands swapped; v > limit, v >= limit for loops that count down
    bool condition()
    {
        if (stmt_.condition == nullptr)
            return no(&stmt_, "the loop has no condition; compare its variable with a limit, as in i < n");
        const Expr* e = without_parens(stmt_.condition);
        auto is_variable = [&](const Expr* side) { return is_name(side, loop_.variable); };
        loop_.ends_by_equality = e->op == Op::Ne && loop_.step == 1;
        bool is_comparison = e->kind == Kind::Binary && (e->op == Op::Lt || e->op == Op::Le || e->op == Op::Gt ||
                                                         e->op == Op::Ge || loop_.ends_by_equality);
        if (!is_comparison || is_variable(e->a) == is_variable(e->b))
            return no(stmt_.condition, "the condition does not compare " + name() + " with a limit; write it as in " +
                                           bare_name() + " < n");
        bool is_left = is_variable(e->a);
        bool is_upper = (e->op == Op::Lt || e->op == Op::Le) == is_left;
        if (!loop_.ends_by_equality && is_upper == loop_.counts_down)
            return no(stmt_.condition, std::string("the loop does not count ") + (is_upper ? "up" : "down") +
                                           " to its limit; reverse the comparison or the step");
        loop_.limit = is_left ? e->b : e->a;
        loop_.is_inclusive = e->op == Op::Le || e->op == Op::Ge;
        if (!is_integer(loop_.limit->type) || size_of(loop_.limit->type).value_or(Size{16, false}).bytes > 8)
            return no(loop_.limit, "the limit is not an integer; convert it to one before the loop");
        for (const Companion& one : loop_.companions)
            if (mentions(loop_.limit, one.variable))
                return no(loop_.limit, "the limit changes with '" + std::string(one.variable->name) +
                                           "'; compute it before the loop");
        LimitValue value = limit_value(loop_.limit, view());
        bool is_plain = value == LimitValue::Unknown && has_no_effects(loop_.limit, tokens_);
        if (value == LimitValue::Unknown && (!is_plain || mentions(loop_.limit, loop_.variable)))
            return no(loop_.limit,
                      "the limit has side effects or depends on " + name() + "; compute it before the loop");
        loop_.limit_may_change = value != LimitValue::Fixed;
        if (loop_.limit_may_change && loop_.ends_by_equality)
            return no(loop_.limit,
                      "the limit may change, and " + name() + " may never be equal to it; compare with < or >");
        return comparison() && range();
    }

    // Checks the type in which v and the limit are compared: a 64-bit comparison must have the same result.
    bool comparison()
    {
        uint64_t width = size_of(loop_.variable->type)->bytes;
        uint64_t limit_width = size_of(loop_.limit->type)->bytes;
        bool is_signed = !is_unsigned(loop_.variable->type) || width < 4;
        width = std::max<uint64_t>(width, 4);
        bool is_positive = literal_value(loop_.limit, view()).value_or(-1) >= 0;
        bool limit_is_unsigned = is_unsigned(loop_.limit->type) && limit_width >= width;
        loop_.compares_unsigned = (limit_is_unsigned || (!is_signed && width >= limit_width)) && !is_positive;
        if (is_signed && limit_is_unsigned && (loop_.counts_down || start().value_or(-1) < 0))
            return no(
                stmt_.condition,
                "a signed variable that may be negative is compared with an unsigned limit; use one type for both");
        return true;
    }

    // Whether v may leave what its type holds and count on: it does not if the step is computed in a signed type of
    // v's width, where overflow is undefined.
    bool wraps() const
    {
        uint64_t bytes = size_of(loop_.variable->type)->bytes;
        return is_unsigned(loop_.variable->type) || bytes < 4 || (bytes == 4 && steps_by_wide_);
    }

    // Finds how far v can count without wrapping or truncation; larger values leave the loop to its general form.
    bool range()
    {
        uint64_t bits = size_of(loop_.variable->type)->bytes * 8;
        bool has_no_sign = is_unsigned(loop_.variable->type);
        if (loop_.counts_down && has_no_sign)
            loop_.greatest = 0;
        else if (wraps() && has_no_sign && bits < 64)
            loop_.greatest = (int64_t{1} << bits) - 1;
        else if (wraps() && bits < 64)
            loop_.greatest = (int64_t{1} << (bits - 1)) - (loop_.counts_down ? 0 : 1);
        bool stops_below = has_no_sign && bits == 32 && loop_.step == 1 && !loop_.is_inclusive && !loop_.counts_down;
        if (loop_.greatest && loop_.limit_may_change && !stops_below)
            return no(loop_.limit, "the limit may change, and " + name() +
                                       " may exceed the range of its type; copy the limit to a variable first");
        if (loop_.limit_may_change)
            loop_.greatest = std::nullopt;
        std::optional<int64_t> limit = literal_value(loop_.limit, view());
        if (loop_.greatest && limit && !loop_.compares_unsigned && loop_.step != 0) {
            int64_t last = (loop_.counts_down ? -*limit : *limit) + loop_.is_inclusive - 1 + loop_.step;
            if (last > *loop_.greatest)
                return no(stmt_.condition,
                          name() + " leaves what its type holds before it gets past the limit; give it a larger type");
            loop_.greatest = std::nullopt;
        }
        return true;
    }

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
        std::optional<int64_t> first = start();
        loop_.start_may_be_huge =
            bytes == 8 && (wraps() || loop_.counts_down) && (!first || std::abs(*first) > loop_.largest());
        bool is_wide =
            std::max(bytes, limit_bytes) == 8 && (loop_.compares_unsigned || (loop_.counts_down && bytes == 8));
        loop_.limit_may_be_huge =
            is_wide && (wraps() || loop_.counts_down || loop_.limit_may_change) && !is_small_limit();
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
        return is_object ? is_shared(e->type) : is_pts(e->type) && is_invariant(e, loop_.body, *loop_.function);
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
        if (value || !is_fixed_integer(by))
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
            return start();
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
            is_fixed = is_fixed && is_fixed_integer(index);
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
        auto leaves = [](const Node& node) {
            bool has_cleanup = node.kind == Kind::AttributeList;  // it may call functions
            return node.kind == Kind::Break || has_cleanup;
        };
        const Effects& body = loop_.body;
        return !body.is_opaque && !loop_.function->is_opaque && !body.cannot_repeat && !body.calls && !body.loops &&
               !body.is_strict && !any_below(*stmt_.then, leaves);
    }

    // The number of iterations with one thread, and so the smallest; 0 if it is not known
    int64_t least_turns() const
    {
        std::optional<int64_t> first = start();
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
        int64_t first = *start() + loop_.offset.constant;
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
        return Span{start(), *end};
    }

    // If the block is a power of two, divisibility holds even if a sum of multiples wraps around.
    bool has_whole_blocks() const
    {
        std::optional<int64_t> first = start();
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
    const lex::TokenList& tokens_;
    int static_threads_;
    Obstacle& obstacle_;
    bool steps_by_wide_ = false;  // the step adds a number for which the variable, if an int, is converted
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

bool has_no_effects(const Expr* e, const lex::TokenList& tokens)
{
    if (e->kind == Kind::StmtExpr || (is_shared(e->type) && e->is_lvalue && e->strict))
        return false;
    Effects effects = effects_of(e, tokens);
    if (effects.calls || effects.is_opaque || effects.stores_through_pointer || !effects.assigned.empty())
        return false;
    for (const Node* child : e->children)
        if (is_expression(child) && !has_no_effects(static_cast<const Expr*>(child), tokens))
            return false;
    return e->kind != Kind::Assign;
}

}  // namespace bn::lower
