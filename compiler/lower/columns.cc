// columns.cc: loops along the columns of a shared matrix handle eight columns per iteration (column_loop.h).
//
// UPC form:  for (int j = 0; j < n; j++) {
//                c[i][j] = 0;
//                for (int k = 0; k < m; k++) c[i][j] += a[i][k] * b[k][j];
//            }
// C form:    { int j = 0;
//              for (; (bn_i64)j + 7 < (bn_i64)(n); j += 8) {
//                  const int j_0 = j + 0; ... const int j_7 = j + 7; double c_0; ... double c_7;
//                  c_0 = 0; ... c_7 = 0;
//                  for (int k = 0; k < m; k++) {
//                      double *const row = address of b[k];
//                      { c_0 += a[i][k] * row[j_0]; } ... { c_7 += a[i][k] * row[j_7]; } }
//                  c[i][j_0] = c_0; ... c[i][j_7] = c_7;
//              }
//              for (; j < n; j++) { as always } }
//
// If only the inner loop writes c[i][j], its start and limit are compared first: this loop must not write what the
// inner loop would not write.
//
// One row address serves eight adjacent elements, which share a cache line; element by element, a walk down a column
// returns to that line only after it may have been evicted.
#include <algorithm>
#include <array>

#include "lower/column_loop.h"
#include "lower/lowerer.h"
#include "lower/restored.h"

namespace bn::lower {

using ast::Kind;
using ast::SimpleStmt;
using namespace sema;

namespace {

constexpr int kColumns = 8;  // doubles per cache line

}  // namespace

struct Lowerer::Columns {
    std::unordered_map<const Symbol*, std::string> variables;  // their replacements in the column being lowered
    std::map<std::string_view, std::string> elements;          // likewise, for elements of arrays
};

// The replacement of a private variable; empty if there is none
std::string Lowerer::column_variable(const Symbol* symbol) const
{
    if (columns_ == nullptr)
        return "";
    auto name = columns_->variables.find(symbol);
    return name != columns_->variables.end() ? name->second : "";
}

std::string Lowerer::column_element(Expr* lvalue) const
{
    if (columns_ == nullptr || columns_->elements.empty())
        return "";
    std::optional<Element> element = element_of_array(lvalue, Dimensions::MayBeThreads);
    auto name = element ? columns_->elements.find(element->object->name) : columns_->elements.end();
    return name != columns_->elements.end() ? name->second : "";
}

// Lowers a part once per column; `write` receives the column with the names of its variables and elements.
template <class Write>
Rope Lowerer::each_column(std::vector<Columns>& all, Write write)
{
    Rope out = rope();
    for (Columns& column : all) {
        columns_ = &column;
        out << write(column);
    }
    columns_ = nullptr;
    return out;
}

Rope Lowerer::columns_declared(ast::Declaration& decl, std::vector<Columns>& all)
{
    Rope out = rope();
    for (ast::InitDeclarator* declared : decl.declarators) {
        std::string name = fresh_for(*declared->symbol);
        int number = 0;
        out << each_column(all, [&](Columns& column) {
            Rope init = declared->init != nullptr ? rope(" = ") << lowered_copy(declared->init) : rope();
            std::string& own = column.variables[declared->symbol] = name + "_" + std::to_string(number++);
            return value_declaration(declared->symbol->type, own) << init << "; ";
        });
    }
    return out;
}

Rope Lowerer::columns_inside(SimpleStmt& stmt, std::vector<Columns>& all)
{
    for_loops_.emplace_back(&stmt, arena_);
    Rope body = each_column(all, [&](Columns&) { return rope("{ ") << lowered_copy(stmt.then) << " } "; });
    Rope rows = for_loops_.back().declarations;
    for_loops_.pop_back();
    stmt.then->visited = true;
    set(stmt.then, rope("{ ") << rows << body << "}");
    discarded_ = stmt.step;
    lower_children(&stmt);
    Rope out = rope() << frozen(&stmt) << " ";
    forget(&stmt);
    return out;
}

// Declares the replacements of variables and elements, and appends to `end` what must follow the last item.
Rope Lowerer::columns_begin(const ColumnLoop& loop, std::vector<Columns>& all, Rope& end)
{
    Rope out = rope();
    // Compute each j + i here, in every iteration: if gcc hoists these sums out of an inner loop, it makes them
    // unsigned and no longer sees that the elements are adjacent.
    std::string columns = fresh_for(*loop.variable) + "_";
    for (int number = 0; number < kColumns; ++number) {
        std::string& own = all.emplace_back().variables[loop.variable] = columns + std::to_string(number);
        out << "const " << value_declaration(loop.variable->type, own) << " = " << loop.variable->emitted << " + "
            << std::to_string(number) << "; ";
    }
    for (const Symbol* symbol : loop.outside) {
        std::string name = fresh_for(*symbol) + "_";
        for (int number = 0; number < kColumns; ++number) {
            std::string& own = all[static_cast<size_t>(number)].variables[symbol] = name + std::to_string(number);
            out << value_declaration(symbol->type, own) << "; ";
        }
        end << symbol->emitted << " = " << name << std::to_string(kColumns - 1) << "; ";
    }
    std::vector<std::vector<std::string>> names(all.size());
    for (const ColumnLoop::Written& written : loop.written) {
        std::string name = fresh_for(*element_of_array(written.lvalue)->object) + "_";
        size_t number = 0;
        out << each_column(all, [&](Columns&) {
            std::string own = name + std::to_string(number);
            Rope at = frozen(place(written.lvalue));
            forget(written.lvalue);
            names[number++].push_back(own);
            end << at << " = " << own << "; ";
            return value_declaration(written.lvalue->type, own)
                   << (written.is_set_first ? rope() : rope(" = ") << at) << "; ";
        });
    }
    for (size_t number = 0; number < all.size(); ++number)
        for (size_t i = 0; i < loop.written.size(); ++i)
            all[number].elements[element_of_array(loop.written[i].lvalue)->object->name] = names[number][i];
    return out;
}

// The loop that handles several columns; empty if the loop does not qualify
Rope Lowerer::columns(SimpleStmt& stmt)
{
    bool is_wanted = options_.passes.columns && options_.passes.local && !options_.checks && !options_.far_threads &&
                     outermost_function_ != nullptr && !outside_ && !version_.is_cold && columns_ == nullptr &&
                     !is_under_pragma(stmt);
    if (!is_wanted)
        return rope();
    const ColumnSearch search = column_loop(stmt, function_effects(), tokens_, options_.static_threads);
    if (search.variable != nullptr)
        remark(diag::Id::LoopOneColumn, &stmt, {search.variable->name, search.hindrance});
    const std::optional<ColumnLoop>& loop = search.loop;
    if (!loop || has_parallel_parts(stmt))
        return rope();
    remark(diag::Id::LoopColumns, &stmt, {loop->variable->name});
    std::string name(loop->variable->emitted);
    Restored version(version_);
    version_.is_second = true;  // remarks are made when the second loop is lowered
    Rope limit = lowered_copy(loop->limit);
    bool is_wide = size_of(loop->variable->type)->bytes == 8;
    bool has_sign = !is_wide || !is_unsigned(loop->variable->type);
    std::string type = has_sign ? "(bn_i64)" : "(bn_u64)";
    std::string last = " + " + std::to_string(kColumns - 1);
    // The loop has a single condition: with two of them gcc does not see that the elements are adjacent.
    Rope conditions = rope();
    if (is_wide)
        conditions << type << name << " <= " << type << "(~(bn_u64)0 >> " << (has_sign ? "1" : "0") << ") - "
                   << std::to_string(kColumns - 1);
    LoopView view{nullptr, nullptr, nullptr, &tokens_, options_.static_threads};
    bool is_entered = false;
    for (const SimpleStmt* writing : loop->writing_loops) {
        auto* condition = without_parens(writing->condition);
        const Symbol* counter = without_parens(condition->a)->symbol;
        Expr* start = start_of(*writing, counter, tokens_).value;
        bool is_risky = std::ranges::any_of(std::array{start, condition->b}, [&](const Expr* e) {
            return may_be_undefined(e, view) || may_overflow(e, view);
        });
        if (is_risky && !is_entered) {  // the program computes these only if the outer loop has an iteration
            conditions << (conditions.empty() ? "" : " && ") << type << name << " < " << type << "(" << limit << ")";
            is_entered = true;
        }
        Rope end = rope("(") << lowered_copy(condition->b) << ")";
        Rope type_of_both = rope();  // the loop's own comparison draws the warning about types that differ in sign
        if (is_unsigned(counter->type) != is_unsigned(condition->b->type))
            type_of_both << "(__typeof__((" << c_value_type(counter->type) << ")0 + " << end << "))";
        conditions << (conditions.empty() ? "" : " && ") << type_of_both << "(" << c_value_type(counter->type) << ")("
                   << lowered_copy(start) << ") " << text(condition->name) << " " << type_of_both << end;
    }
    Rope out = conditions.empty() ? rope() : rope("if (") << conditions << ") ";
    out << "for (; " << type << name << last << " < " << type << "(" << limit << "); " << name
        << " += " << std::to_string(kColumns) << ") { ";
    std::vector<Columns> all;
    Rope end = rope();
    out << columns_begin(*loop, all, end);
    for (Node* item : loop->items) {
        if (item->kind == Kind::Declaration)
            out << columns_declared(*static_cast<ast::Declaration*>(item), all);
        else if (item->kind == Kind::For)
            out << columns_inside(*static_cast<SimpleStmt*>(item), all);
        else
            out << each_column(all, [&](Columns&) { return lowered_copy(item); }) << " ";
    }
    return out << end << "} ";
}

}  // namespace bn::lower
