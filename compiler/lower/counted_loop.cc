#include "lower/counted_loop.h"

#include <algorithm>
#include <cstdlib>

#include "lower/element.h"
#include "lower/loop_limit.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

class Counting {
public:
    Counting(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens, int static_threads,
             Obstacle& obstacle)
        : stmt_(stmt), tokens_(tokens), static_threads_(static_threads), obstacle_(obstacle)
    {
        loop_.function = &function;
        loop_.body = effects_of(stmt.then, tokens);
    }

    std::optional<CountedLoop> run()
    {
        return body() && step() && variable() && condition() ? std::optional(loop_) : std::nullopt;
    }

private:
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
        if (may_change_unseen(v, loop_.body, *loop_.function))
            return no(stmt_.then, "called functions, other threads, or stores through pointers, may change " + name() +
                                      "; declare it in the loop");
        loop_.start = first_value();
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
            if (one.step != nullptr && !loop_.is_fixed_integer(one.step))
                return no(stmt_.step, "what the step adds may change in the loop; copy it to a variable before");
        if (loop_.step_value != nullptr && !loop_.is_fixed_integer(loop_.step_value))
            return no(stmt_.step, "what the step adds may change in the loop; copy it to a variable before");
        return true;
    }

    // The first value of v if it is constant
    std::optional<int64_t> first_value() const
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
        bool may_depend = mentions(loop_.limit, loop_.variable) || can_be_reached(*loop_.variable, *loop_.function);
        if (value == LimitValue::Unknown && (may_depend || !has_no_effects(loop_.limit, tokens_)))
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
        if (is_signed && limit_is_unsigned && (loop_.counts_down || loop_.start.value_or(-1) < 0))
            return no(
                stmt_.condition,
                "a signed variable that may be negative is compared with an unsigned limit; use one type for both");
        return true;
    }

    // Finds how far v can count without wrapping or truncation; larger values leave the loop to its general form.
    bool range()
    {
        uint64_t bits = size_of(loop_.variable->type)->bytes * 8;
        bool has_no_sign = is_unsigned(loop_.variable->type);
        loop_.wraps = has_no_sign || bits < 32 || (bits == 32 && steps_by_wide_);
        if (loop_.counts_down && has_no_sign)
            loop_.greatest = 0;
        else if (loop_.wraps && has_no_sign && bits < 64)
            loop_.greatest = (int64_t{1} << bits) - 1;
        else if (loop_.wraps && bits < 64)
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

    const SimpleStmt& stmt_;
    const lex::TokenList& tokens_;
    int static_threads_;
    Obstacle& obstacle_;
    bool steps_by_wide_ = false;  // the step adds a number for which the variable, if an int, is converted
    CountedLoop loop_;
};

}  // namespace

bool CountedLoop::is_fixed_integer(const Expr* e) const
{
    return is_integer(e->type) && size_of(e->type).value_or(Size{16, false}).bytes <= 8 &&
           is_invariant(e, body, *function);
}

std::optional<CountedLoop> counted_loop(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                                        int static_threads, Obstacle& obstacle)
{
    return Counting(stmt, function, tokens, static_threads, obstacle).run();
}

}  // namespace bn::lower
