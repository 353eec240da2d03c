// indexed.cc: loops that load the indices of shared elements from memory, x[col[k]], or compute them, x[random & mask].
// Such an address is needed soon after its index is available, for many independent elements: it should take few
// instructions, even if its latency is high. Where an index depends on the previous element, i = next[i], the address
// should have a low latency.
//
// UPC form                                   C form
// x[col[k]], x[h % n] in a loop, x cyclic    (*(T *)bn_indexed_cyclic(x, (bn_u64)(col[k]), sizeof(T), 1))
//                                            1: THREADS is a power of two
// p[col[k]] with p a pointer-to-shared       (*(T *)bn_indexed_pointer(p, (bn_i64)(col[k]), sizeof(T), _Alignof(T), 1))
// that does not change in the loop
// x[i] with i = x[i]                         (*(T *)bn_elem_shift(x, (bn_u64)(i), sizeof(T)))
//                                            where THREADS is a power of two, else as everywhere; bn_elem_block_shift
//                                            for blocks
// all elements in such a loop, one thread    (*(T *)bn_elem_indef(x, (bn_u64)(i), sizeof(T))): the layout is irrelevant
// the outermost such loop that is short,     if (bn_threads() == 1) { loop for one thread }
// THREADS known at run time only             else if (bn_threads_shift() >= 0) { loop } else { loop, with 0 for 1 };
//                                            without the first if it is longer, or only computes its indices
// the same with one block a thread           if (bn_threads() == 1) { loop for one thread } else { loop }
// other such loops, after a pragma, and in   loop, with 0 for 1
// the general form next to a dealt loop
// for (...) ... x[col[k]], short, no loop    #pragma GCC unroll 4 before the loop
// in it, x cyclic or with one block a thread
//
// Unchanged are: arrays that have one element on each thread; indices that are sums of loop counters; blocks, for which
// the same form with the block number took as long as bn_elem_block.
#include <algorithm>

#include "lower/own_loop.h"
#include "lower/restored.h"
#include "lower/rounds.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

namespace {

ThreadCount known_count(int threads)
{
    if (threads == 1)
        return ThreadCount::One;
    return (threads & (threads - 1)) == 0 ? ThreadCount::PowerOfTwo : ThreadCount::Any;
}

const char* condition_of(ThreadCount count)
{
    switch (count) {
    case ThreadCount::One: return "if (bn_threads() == 1) ";
    case ThreadCount::PowerOfTwo: return "if (bn_threads_shift() >= 0) ";
    case ThreadCount::Any: break;
    }
    return "";
}

// gcc rejects the pragma for a loop without a condition, and warns that it ignores it if the condition branches.
bool has_plain_condition(const Node* condition)
{
    auto branches = [](const Node& node) {
        bool is_logical = node.kind == Kind::Binary && (static_cast<const Expr&>(node).op == Op::LogAnd ||
                                                        static_cast<const Expr&>(node).op == Op::LogOr);
        return is_logical || node.kind == Kind::Conditional || node.kind == Kind::StmtExpr;
    };
    return condition != nullptr && !any_below(*condition, branches);
}

}  // namespace

// Whether the back end can see that the pointer does not change, and can hoist computations that depend only on it. The
// start-up code has the addresses of pointers with initial values.
bool Lowerer::stays_in_registers(const Symbol& pointer, const IndexOrigins& origins)
{
    bool is_static = pointer.at_file_scope || pointer.is_static;
    bool is_seen_everywhere = pointer.is_extern || (is_static && (!pointer.is_static || pointer.has_initialiser));
    return !is_seen_everywhere && !canonical(pointer.type).quals.is_volatile && !origins.sets(pointer) &&
           !function_effects().address_taken.contains(&pointer);
}

// The origin of the parts of an index that determine the element's thread, and thus nearly all of its address
IndexOrigin Lowerer::origin_of(const Element& element, const IndexOrigins& origins) const
{
    IndexOrigin result = IndexOrigin::Counted;
    if (std::optional<Rounds> rounds = rounds_of(element)) {
        for (const IndexPart& part : rounds->others)
            result = std::max(result, origins.of(part.value));
        return result;
    }
    for (const Expr* index : element.indices)
        result = std::max(result, origins.of(index));
    return result;
}

// The origin of the index of an element of a cyclic array or of an element accessed through a pointer; for blocks, only
// if it is Carried.  Counted for all other lvalues.
IndexOrigin Lowerer::index_origin(Expr* lvalue, const IndexOrigins& origins)
{
    IndexOrigin result = IndexOrigin::Counted;
    if (!is_shared(lvalue->type) || is_array(lvalue->type))
        return result;
    std::optional<Element> element = element_of_array(lvalue);
    if (!element || block_size(element->element) == 0)
        return result;
    if (element->is_pointer ? options_.checks || !stays_in_registers(*element->object, origins)
                            : own_index(*element).has_value() || goes_round_once(*element->object))
        return result;
    result = origin_of(*element, origins);
    bool is_carried = result == IndexOrigin::Carried;
    bool is_taken =
        block_size(element->element) > 1 ? is_carried && !element->is_pointer : !is_carried || !element->is_pointer;
    return is_taken ? result : IndexOrigin::Counted;
}

// Records the arrays accessed below `node`, each with the highest origin among its indices.
void Lowerer::find_indexed(Node* node, Indexed& indexed)
{
    if (node->kind == Kind::Index || (node->kind == Kind::Unary && static_cast<Expr*>(node)->op == Op::Deref)) {
        auto* lvalue = static_cast<Expr*>(node);
        IndexOrigin origin = index_origin(lvalue, indexed.origins);
        if (origin > IndexOrigin::Counted) {
            IndexOrigin& most = indexed.arrays["'" + std::string(element_of_array(lvalue)->object->name) + "'"];
            most = std::max(origin, most);
        }
    }
    for (Node* child : node->children)
        find_indexed(child, indexed);
}

// The thread counts for which a version of the loop is worth its compile time.  Loops that compute their indices gain
// less, and loops over a thread's own iterations are long in C.
std::vector<ThreadCount> Lowerer::counts_of(const SimpleStmt& stmt, const Indexed& indexed) const
{
    constexpr lex::TokenIndex kLongest = 200;
    constexpr lex::TokenIndex kLongestOfThree = 100;
    constexpr lex::TokenIndex kLongestComputed = 100;
    if (options_.static_threads != 0)
        return {known_count(options_.static_threads)};
    bool go_round_once = indexed.arrays.empty();
    bool are_computed = !go_round_once && std::all_of(indexed.arrays.begin(), indexed.arrays.end(),
                                                      [](const auto& a) { return a.second == IndexOrigin::Computed; });
    lex::TokenIndex longest = !are_computed ? kLongest : stmt.kind == Kind::Forall ? 0 : kLongestComputed;
    lex::TokenIndex length = stmt.last - stmt.first;
    if (length > longest || version_.is_beside_dealt || is_under_pragma(stmt))
        return {ThreadCount::Any};
    Effects effects = effects_of(&stmt, tokens_);
    if (effects.cannot_repeat || effects.is_opaque)
        return {ThreadCount::Any};
    if (go_round_once && length > kLongestOfThree)
        return {ThreadCount::Any};
    if (go_round_once)  // powers of two have no shorter addresses
        return {ThreadCount::One, ThreadCount::Any};
    if (are_computed || length > kLongestOfThree)
        return {ThreadCount::PowerOfTwo, ThreadCount::Any};
    return {ThreadCount::One, ThreadCount::PowerOfTwo, ThreadCount::Any};
}

// The elements of a loop that get short addresses; nullopt if there are none, or if nothing is left to decide for it
std::optional<Lowerer::Indexed> Lowerer::indexed_loop(const SimpleStmt& stmt)
{
    bool is_wanted = options_.passes.indexed && !options_.far_threads && outermost_function_ != nullptr && !outside_ &&
                     !version_.is_cold;
    bool is_decided =
        version_.indexed != nullptr && (version_.indexed->counts.size() > 1 || options_.static_threads != 0);
    if (!is_wanted || is_decided)
        return std::nullopt;
    Indexed indexed{IndexOrigins(&stmt, tokens_)};
    find_indexed(stmt.then, indexed);
    if (stmt.kind != Kind::Forall) {  // the head of a dealt loop is evaluated once
        for (Node* part : {stmt.condition, stmt.step})
            if (part != nullptr)
                find_indexed(part, indexed);
    }
    if (indexed.arrays.empty() && (options_.static_threads != 0 || !gathers(stmt.then, indexed.origins)))
        return std::nullopt;
    indexed.counts = counts_of(stmt, indexed);
    bool stands_once = indexed.counts.size() == 1;
    if (stands_once && version_.indexed != nullptr)
        return std::nullopt;  // same as in the enclosing loop
    if (stands_once)
        std::erase_if(indexed.arrays, [](const auto& array) { return array.second == IndexOrigin::Carried; });
    return stands_once && indexed.arrays.empty() ? std::nullopt : std::optional(std::move(indexed));
}

// Whether x[col[k]] occurs below `node` with an address of few instructions
bool Lowerer::gathers(Node* node, const IndexOrigins& origins)
{
    auto is_gathered = [&](Expr* lvalue) {
        std::optional<Element> element =
            is_shared(lvalue->type) && !is_array(lvalue->type) ? element_of_array(lvalue) : std::nullopt;
        if (!element)
            return false;
        bool is_short = element->is_pointer ? block_size(element->element) == 1 && !options_.checks &&
                                                  stays_in_registers(*element->object, origins)
                                            : block_size(element->element) == 1 || goes_round_once(*element->object);
        if (!is_short)
            return false;
        return origin_of(*element, origins) == IndexOrigin::Memory;
    };
    if (node->kind == Kind::Index && is_gathered(static_cast<Expr*>(node)))
        return true;
    return std::any_of(node->children.begin(), node->children.end(),
                       [&](Node* child) { return gathers(child, origins); });
}

// Whether unrolling the loop pays off: the processor cannot issue more instructions per cycle, so the loop overhead
// slows it down.  After unrolling, sparse matrix rows kept in arrays of 4 need no loop.
bool Lowerer::is_unrolled(SimpleStmt& stmt)
{
    constexpr lex::TokenIndex kLongest = 60;
    if (!options_.passes.unroll || options_.far_threads || outermost_function_ == nullptr || outside_ ||
        version_.is_cold || version_.is_beside_dealt || !has_plain_condition(stmt.condition) || is_under_pragma(stmt) ||
        stmt.last - stmt.first > kLongest || effects_of(stmt.then, tokens_).loops)
        return false;
    return gathers(stmt.then, IndexOrigins(&stmt, tokens_));
}

void Lowerer::remark_on_indexed(const SimpleStmt& stmt, const Indexed& indexed)
{
    std::string names;
    for (const auto& [name, origin] : indexed.arrays)
        names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
        remark(diag::Id::LoopIndexed, &stmt, {names});
}

// "if (one thread) { loop } else if (a power of two) { loop } else { loop } "; `write` writes each loop
template <class Write>
Rope Lowerer::each_count(const std::vector<ThreadCount>& counts, Write write)
{
    Restored version(version_);
    Rope out = rope();
    for (ThreadCount count : counts) {
        version_.threads = count;
        out << (out.empty() ? "" : "else ") << condition_of(count) << "{ " << write(count == counts.back()) << " } ";
        version_.is_second = true;
    }
    return out;
}

void Lowerer::plain_loop(SimpleStmt& stmt)
{
    if (stmt.kind == Kind::For) {
        count_turns(stmt);
        return;
    }
    truth(stmt.condition);
    lower_children(&stmt);
}

// for, while and do
void Lowerer::loop(SimpleStmt& stmt)
{
    std::optional<Indexed> indexed = indexed_loop(stmt);
    if (!indexed) {
        plain_loop(stmt);
        return;
    }
    remark_on_indexed(stmt, *indexed);
    Restored version(version_);
    version_.indexed = &*indexed;
    version_.threads = indexed->counts.front();
    if (indexed->counts.size() == 1) {
        plain_loop(stmt);
    } else {
        Rope loops = each_count(indexed->counts, [&](bool is_last) {
            plain_loop(stmt);
            if (is_last)
                return rope() << self(&stmt);
            Rope loop = rope() << frozen(&stmt);
            forget(&stmt);
            stmt.visited = true;
            return loop;
        });
        set(&stmt, rope("{ ") << loops << "}");
    }
}

// The loops over this thread's iterations (own_loop.cc)
Lowerer::Dealt Lowerer::indexed_forall(SimpleStmt& stmt, const std::string& outer)
{
    std::optional<Indexed> indexed = indexed_loop(stmt);
    if (!indexed)
        return dealt_loop(stmt, outer, nullptr);
    // The general form belongs to the loop around it.
    Restored version(version_);
    version_.threads = indexed->counts.front();
    Dealt dealt = dealt_loop(stmt, outer, &*indexed);
    if (dealt.loops.empty())
        return dealt;
    remark_on_indexed(stmt, *indexed);
    if (indexed->counts.size() == 1)
        return dealt;
    dealt.loops = each_count(indexed->counts, [&, first = true](bool) mutable {
        return std::exchange(first, false) ? dealt.loops : dealt_loop(stmt, outer, &*indexed).loops;
    });
    return dealt;
}

}  // namespace bn::lower
