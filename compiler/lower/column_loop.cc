#include "lower/column_loop.h"

#include <algorithm>

#include "lower/effects.h"
#include "lower/element.h"

namespace bn::lower {

using ast::Expr;
using ast::Kind;
using ast::Node;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

constexpr lex::TokenIndex kLongest = 120;  // tokens; the emitted C contains the body nine times

bool has_attributes(const Node* node)
{
    return any_below(*node, [](const Node& part) { return part.kind == Kind::AttributeList; });
}

class Finder {
public:
    Finder(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens, int static_threads)
        : stmt_(stmt), function_(function), tokens_(tokens), body_(effects_of(stmt.then, tokens)),
          view_{nullptr, &body_, &function_, &tokens_, static_threads}
    {
    }

    ColumnSearch run()
    {
        const char* hindrance = find_hindrance();
        if (hindrance == nullptr && goes_down_)
            return {loop_, nullptr, {}};
        view_.variable = stepped_variable(stmt_.step);
        if (hindrance == nullptr || view_.variable == nullptr || !has_column(stmt_.then))
            return {};
        return {std::nullopt, view_.variable, hindrance};
    }

private:
    // ---- The loop over the columns ----

    // Returns null if there is none
    const char* find_hindrance()
    {
        if (body_.calls)
            return "it calls functions; call them before or after the loop";
        if (body_.stores_through_pointer)
            return "it writes through a pointer, which may point to the matrix; use the name of the array that is "
                   "written";
        if (body_.is_opaque || body_.cannot_repeat || function_.is_opaque)
            return "it or its function has labels or assembler, or declares types or static objects; move the loop "
                   "to a function of its own";
        if (stmt_.last - stmt_.first > kLongest)
            return "it is too long; split it";
        if (!head())
            return "it does not count its own variable up by one to a fixed limit; write it as in "
                   "'for (int j = 0; j < n; j++)'";
        if (!items())
            return "it contains more than sums, declarations, and loops with the same number of iterations for all "
                   "columns; avoid branches, pointers and strict accesses";
        if (!outside_is_set_first() || !counters_stay_inside())
            return "a variable carries its value from one column to the next; declare it in the loop";
        if (!written_apart())
            return "an array is written at more than one index, or at one that does not count the columns; sum up in "
                   "a variable, or write to a different array than is read";
        return rows_are_for_all() ? nullptr : "the row depends on the column; compute it before the loop";
    }

    // Whether a loop below `node`, understood or not, goes from row to row of a matrix
    bool has_column(const Node* node)
    {
        const Symbol* outer = counter_;
        if (node->kind == Kind::For)
            counter_ = stepped_variable(static_cast<const SimpleStmt*>(node)->step);
        bool is_shared_element = node->kind == Kind::Index && is_shared(static_cast<const Expr*>(node)->type);
        std::optional<Element> element;
        if (is_shared_element && counter_ != nullptr)
            element = element_of_array(static_cast<Expr*>(const_cast<Node*>(node)), Dimensions::MayBeThreads);
        bool found = (element && !element->is_pointer && goes_down(*element)) ||
                     std::any_of(node->children.begin(), node->children.end(),
                                 [&](const Node* child) { return child != nullptr && has_column(child); });
        counter_ = outer;
        return found;
    }

    bool is_register(const Symbol* symbol) const
    {
        if (symbol == nullptr || symbol->kind != Symbol::Kind::Variable || !is_arithmetic(symbol->type))
            return false;
        ast::Quals quals = canonical(symbol->type).quals;
        return !can_be_reached(*symbol, function_) && !quals.is_volatile && !quals.is_atomic;
    }

    // The variable of j++ or k += n, or null
    const Symbol* stepped_variable(const Expr* step)
    {
        step = step != nullptr ? without_parens(step) : nullptr;
        bool is_sum = step != nullptr && step->kind == Kind::Assign && (step->op == Op::Add || step->op == Op::Sub);
        if (step == nullptr || (!is_step(*step) && !(is_sum && is_same_in_all_turns(step->b))))
            return nullptr;
        const Expr* variable = without_parens(step->a);
        return variable->kind == Kind::Ident && is_register(variable->symbol) ? variable->symbol : nullptr;
    }

    bool is_same_in_all_turns(const Expr* e) const
    {
        return is_invariant(e, body_, function_) && (loop_.variable == nullptr || !mentions(e, loop_.variable));
    }

    // Whether comparing j with the limit compares their mathematical values
    bool compares_values(const Expr& variable, const Expr& limit) const
    {
        std::optional<Size> width = size_of(variable.type);
        std::optional<Size> limit_width = size_of(limit.type);
        if (!is_integer(variable.type) || !is_integer(limit.type) || !width || !limit_width || width->bytes < 4 ||
            width->bytes > 8 || limit_width->bytes > 8)
            return false;
        if (!is_unsigned(variable.type))
            return !is_unsigned(limit.type) || limit_width->bytes < width->bytes;
        return literal_value(&limit, view_).value_or(-1) >= 0 ||
               (is_unsigned(limit.type) && limit_width->bytes == width->bytes);
    }

    bool head()
    {
        const Expr* condition = stmt_.condition != nullptr ? without_parens(stmt_.condition) : nullptr;
        const Expr* step = stmt_.step != nullptr ? without_parens(stmt_.step) : nullptr;
        bool is_by_one = step != nullptr && is_step(*step) && (step->op == Op::PreInc || step->op == Op::PostInc);
        const Symbol* variable = is_by_one ? stepped_variable(step) : nullptr;
        if (variable == nullptr || body_.assigned.contains(variable) || condition == nullptr ||
            condition->kind != Kind::Binary || condition->op != Op::Lt || !is_name(condition->a, variable))
            return false;
        loop_.variable = variable;
        view_.variable = variable;
        loop_.limit = condition->b;
        bool declares_one = stmt_.init == nullptr || stmt_.init->kind != Kind::Declaration ||
                            static_cast<const ast::Declaration*>(stmt_.init)->declarators.size() == 1;
        return declares_one && is_same_in_all_turns(loop_.limit) && compares_values(*condition->a, *loop_.limit);
    }

    bool items()
    {
        if (stmt_.then->kind == Kind::Compound)
            for (Node* item : static_cast<const ast::CompoundStmt*>(static_cast<const Node*>(stmt_.then))->items)
                loop_.items.push_back(item);
        else
            loop_.items.push_back(stmt_.then);
        return std::all_of(loop_.items.begin(), loop_.items.end(), [&](Node* item) {
            bool is_loop = item->kind == Kind::For;
            bool is_declaration = item->kind == Kind::Declaration;
            return is_loop          ? inside(*static_cast<const SimpleStmt*>(item))
                   : is_declaration ? declaration(*static_cast<const ast::Declaration*>(item))
                                    : item->kind == Kind::ExprStmt && statement(item);
        });
    }

    bool declaration(const ast::Declaration& declared)
    {
        const ast::Specifiers& spec = *declared.specifiers;
        if (spec.is_typedef || spec.is_static || spec.is_extern || spec.is_thread_local || has_attributes(&declared) ||
            !spec.attribute_nodes.empty())
            return false;
        for (const ast::InitDeclarator* one : declared.declarators) {
            if (!is_register(one->symbol) ||
                (one->init != nullptr && (one->init->kind == Kind::InitList || !walk(one->init))))
                return false;
            declared_.push_back(one->symbol);
            if (inside_ == nullptr)
                varying_.push_back(one->symbol);
        }
        return true;
    }

    // A loop in the body: its counter and trip count must be the same for all columns.
    bool inside(const SimpleStmt& loop)
    {
        const Symbol* counter = stepped_variable(loop.step);
        LoopStart start = start_of(loop, counter, tokens_);
        const Expr* condition = loop.condition != nullptr ? without_parens(loop.condition) : nullptr;
        Effects body = effects_of(loop.then, tokens_);
        if (counter == nullptr || counter == loop_.variable || body.loops || body.assigned.contains(counter) ||
            !start.is_alone || start.value == nullptr || !is_same_in_all_turns(start.value) ||
            !is_integer(counter->type) || condition == nullptr || condition->kind != Kind::Binary ||
            condition->op < Op::Lt || condition->op > Op::Ne || !is_name(condition->a, counter) ||
            !is_same_in_all_turns(condition->b))
            return false;
        bool is_declared = loop.init->kind == Kind::Declaration;
        (is_declared ? declared_ : counters_).push_back(counter);
        inside_ = &loop;
        counter_ = counter;
        bool is_understood = statement(loop.then);
        inside_ = nullptr;
        counter_ = nullptr;
        return is_understood;
    }

    // ---- The body of the loop ----

    // The uses of objects, in order of evaluation
    struct Use {
        Expr* lvalue;            // a shared array or variable; null for a private variable
        std::string_view name;   // name of the shared object: two declarations may name the same one
        const Symbol* variable;  // private
        bool is_store;
        bool is_plain_store;  // does not read the old value, and happens in each iteration of the loop over the columns
        const SimpleStmt* inside;  // the inner loop around it
        const Symbol* counter;     // the counter of that loop
    };

    void note(Expr* lvalue, std::string_view name, const Symbol* variable, bool is_store, bool is_plain)
    {
        uses_.push_back({lvalue, name, variable, is_store, is_plain && inside_ == nullptr, inside_, counter_});
    }

    bool statement(const Node* node)
    {
        switch (node->kind) {
        case Kind::Compound: {
            const auto& items = static_cast<const ast::CompoundStmt*>(node)->items;
            return std::all_of(items.begin(), items.end(), [&](const Node* item) { return statement(item); });
        }
        case Kind::Declaration: return inside_ != nullptr && declaration(*static_cast<const ast::Declaration*>(node));
        case Kind::ExprStmt: {
            const Expr* value = static_cast<const SimpleStmt*>(node)->value;
            if (value == nullptr)
                return true;
            value = without_parens(value);
            if (value->kind == Kind::Assign)
                return walk(value->b) && store(*value->a, value->op == Op::None);
            return is_step(*value) ? store(*value->a, false) : walk(value);
        }
        default: return false;
        }
    }

    bool store(const Expr& part, bool is_plain)
    {
        const Expr& e = *without_parens(&part);
        if (!is_shared(e.type)) {
            if (e.kind != Kind::Ident || !is_register(e.symbol))
                return false;
            note(nullptr, {}, e.symbol, true, is_plain);
            return true;
        }
        return is_arithmetic(e.type) && element(e, true, is_plain);
    }

    bool element(const Expr& e, bool is_store, bool is_plain)
    {
        ast::Quals quals = canonical(e.type).quals;
        std::optional<Element> found = element_of_array(const_cast<Expr*>(&e), Dimensions::MayBeThreads);
        if (e.strict || quals.is_volatile || quals.is_atomic || !found || found->is_pointer)
            return false;
        for (const Expr* index : found->indices)
            if (!walk(index))
                return false;
        note(const_cast<Expr*>(&e), found->object->name, nullptr, is_store, is_plain);
        if (inside_ != nullptr && goes_down(*found))
            goes_down_ = true;
        return true;
    }

    // b[k][j], where rows lie in blocks
    bool goes_down(const Element& element) const
    {
        uint64_t unit = element.units[0];
        uint64_t block = block_size(element.element);
        if (element.by_threads != 0 || element.indices.size() < 2 || unit == 1 || block == 0 || block % unit != 0 ||
            is_array(element.element) || !mentions(element.indices[0], counter_))
            return false;
        std::optional<Affine> column = affine_form(element.indices.back(), view_);
        return column && column->factor == 1;
    }

    bool walk_children(const Expr& e)
    {
        return std::all_of(e.children.begin(), e.children.end(), [&](const Node* child) {
            return is_expression(child) && walk(static_cast<const Expr*>(child));
        });
    }

    bool walk(const Expr* expression)
    {
        const Expr& e = *expression;
        if (e.strict)
            return false;
        switch (e.kind) {
        case Kind::Number:
        case Kind::BoolConst:
        case Kind::CharConst:
        case Kind::Threads:
        case Kind::MyThread:
        case Kind::MaxBlock: return true;
        case Kind::SizeofExpr:
        case Kind::SizeofType: return is_invariant(&e, body_, function_);
        case Kind::Paren:
        case Kind::ImplicitCast:
        case Kind::Cast: return is_arithmetic(e.type) && walk(e.a);
        case Kind::Binary: return e.op != Op::Comma && walk_children(e);
        case Kind::Conditional: return e.b != nullptr && walk_children(e);
        case Kind::Call:  // the loop only calls pure functions
            return std::all_of(e.args.begin(), e.args.end(), [&](const Expr* arg) { return walk(arg); });
        case Kind::Unary:
            if (e.op == Op::Plus || e.op == Op::Minus || e.op == Op::Not || e.op == Op::BitNot)
                return walk(e.a);
            return e.op == Op::Deref && is_shared(e.type) && is_arithmetic(e.type) && element(e, false, false);
        case Kind::Index:
            if (is_shared(e.type))
                return is_arithmetic(e.type) && element(e, false, false);
            return has_elements(e.a->type) && private_part(e);
        case Kind::Ident:
            if (e.symbol != nullptr && e.symbol->is_constant)
                return true;
            if (is_shared(e.type)) {
                note(const_cast<Expr*>(&e), e.symbol->name, nullptr, false, false);
                return is_arithmetic(e.type) && !canonical(e.type).quals.is_volatile;
            }
            return is_arithmetic(e.type) && private_part(e);
        default: return false;
        }
    }

    // A private variable or an element of a private array that the loop changes only as a whole
    bool private_part(const Expr& part)
    {
        const Expr& e = *without_parens(&part);
        ast::Quals quals = canonical(e.type).quals;
        if (quals.is_volatile || quals.is_atomic || is_shared(e.type))
            return false;
        if (e.kind == Kind::Ident) {
            note(nullptr, {}, e.symbol, false, false);
            return e.symbol != nullptr && e.symbol->kind == Symbol::Kind::Variable &&
                   (is_register(e.symbol) || !body_.assigned.contains(e.symbol));
        }
        return e.kind == Kind::Index && has_elements(e.a->type) && walk(e.b) && private_part(*e.a);
    }

    // ---- Whether the iterations are independent ----

    // Whether variables that survive from iteration to iteration are assigned before they are read
    bool outside_is_set_first()
    {
        for (const Symbol* symbol : body_.assigned) {
            auto is_it = [&](const Symbol* other) { return other == symbol; };
            if (std::any_of(declared_.begin(), declared_.end(), is_it) ||
                std::any_of(counters_.begin(), counters_.end(), is_it))
                continue;
            auto first =
                std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) { return use.variable == symbol; });
            if (first == uses_.end() || !first->is_plain_store)
                return false;
            loop_.outside.push_back(symbol);
            varying_.push_back(symbol);
        }
        // in the order of their assignments, so that the emitted C is reproducible
        auto first_use = [&](const Symbol* symbol) {
            return std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) { return use.variable == symbol; });
        };
        std::sort(loop_.outside.begin(), loop_.outside.end(),
                  [&](const Symbol* a, const Symbol* b) { return first_use(a) < first_use(b); });
        return true;
    }

    // Whether counters declared elsewhere are used only in the loops that count them
    bool counters_stay_inside() const
    {
        return std::all_of(uses_.begin(), uses_.end(), [&](const Use& use) {
            bool is_counter = std::find(counters_.begin(), counters_.end(), use.variable) != counters_.end();
            return !is_counter || use.counter == use.variable;
        });
    }

    bool written_apart()
    {
        for (size_t i = 0; i < uses_.size(); ++i) {
            const Use& first = uses_[i];
            auto is_of_it = [&](const Use& use) { return use.lvalue != nullptr && use.name == first.name; };
            if (first.lvalue == nullptr || std::any_of(uses_.begin(), uses_.begin() + static_cast<long>(i), is_of_it))
                continue;
            auto is_store = [&](const Use& use) { return is_of_it(use) && use.is_store; };
            if (std::none_of(uses_.begin(), uses_.end(), is_store))
                continue;
            bool is_apart =
                names_a_column(first.lvalue) && std::all_of(uses_.begin(), uses_.end(), [&](const Use& use) {
                    return !is_of_it(use) || is_same_element(first.lvalue, use.lvalue);
                });
            if (!is_apart)
                return false;
            loop_.written.push_back({first.lvalue, first.is_plain_store});
            bool is_always = std::any_of(uses_.begin(), uses_.end(),
                                         [&](const Use& use) { return is_store(use) && use.inside == nullptr; });
            if (!is_always)
                loop_.writing_loops.push_back(std::find_if(uses_.begin(), uses_.end(), is_store)->inside);
        }
        return true;
    }

    bool names_a_column(Expr* lvalue) const
    {
        std::optional<Element> element = element_of_array(lvalue);
        if (!element)
            return false;
        int64_t factor = 0;
        for (size_t i = 0; i < element->indices.size(); ++i) {
            std::optional<Affine> form = affine_form(element->indices[i], view_);
            if (!form || (form->factor != 0 && i + 1 < element->indices.size()))
                return false;
            factor = form->factor;
        }
        return factor != 0;
    }

    bool is_same_element(Expr* a, Expr* b) const
    {
        std::optional<Element> first = element_of_array(a);
        std::optional<Element> second = element_of_array(b);
        if (!first || !second || first->indices.size() != second->indices.size())
            return false;
        for (size_t i = 0; i < first->indices.size(); ++i)
            if (!is_same_form(first->indices[i], second->indices[i], tokens_))
                return false;
        return true;
    }

    // The address of a row is computed once for all columns, so it must be the same for them.
    bool rows_are_for_all()
    {
        varying_.push_back(loop_.variable);
        return std::all_of(uses_.begin(), uses_.end(), [&](const Use& use) {
            std::optional<Element> element =
                use.lvalue != nullptr ? element_of_array(use.lvalue, Dimensions::MayBeThreads) : std::nullopt;
            return !element || std::none_of(element->indices.begin(), element->indices.end() - 1,
                                            [&](const Expr* index) { return mentions(index, varying_); });
        });
    }

    const SimpleStmt& stmt_;
    const Effects& function_;
    const lex::TokenList& tokens_;
    const Effects body_;
    LoopView view_;
    ColumnLoop loop_;
    std::vector<Use> uses_;
    std::vector<const Symbol*> declared_;  // anywhere in the body
    std::vector<const Symbol*> counters_;  // of inner loops, declared elsewhere
    std::vector<const Symbol*>
        varying_;  // variables with a separate value per iteration, except those declared in inner loops
    const SimpleStmt* inside_ = nullptr;  // the inner loop being analysed
    const Symbol* counter_ = nullptr;     // its counter
    bool goes_down_ = false;
};

}  // namespace

ColumnSearch column_loop(const SimpleStmt& stmt, const Effects& function, const lex::TokenList& tokens,
                         int static_threads)
{
    return Finder(stmt, function, tokens, static_threads).run();
}

}  // namespace bn::lower
