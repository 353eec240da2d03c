// indexed.cc: loops that take the indices of shared elements from memory, x[col[k]].  Such an address is needed soon after its index
// is there, for many elements that do not wait for each other: it should cost little, even if it takes long.
//
// UPC form                                   C form
// x[col[k]] in a loop, x cyclic               (*(T *)bn_indexed_cyclic(x, (bn_u64)(col[k]), sizeof(T), 1))      1: THREADS is a power of two
// the outermost such loop that is short,     if (bn_threads_shift() >= 0) { loop } else { loop, with 0 for 1 }
// THREADS known at run time only
//
// Left as they are: loops that are long, or must stand once in the C; arrays that have one element on each thread; blocks, for which the
// same with the number of the block took as long as what bn_elem_block does.
#include <algorithm>

#include "lower/local_loop.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using ast::SimpleStmt;
using namespace sema;

// Whether part of the value is read from memory in the loop, as opposed to variables
bool Lowerer::comes_from_memory(const Node* node, const Indexed& indexed) const
{
    if (node->kind > Kind::ImplicitCast)
        return false;
    const Expr* e = static_cast<const Expr*>(node);
    if (e->kind == Kind::Ident)
        return indexed.variables.contains(e->symbol);
    bool is_object = e->kind == Kind::Index || e->kind == Kind::Member || (e->kind == Kind::Unary && e->op == Op::Deref);
    if (is_object && !is_array(e->type))
        return true;
    return std::any_of(e->children.begin(), e->children.end(), [&](const Node* child) { return comes_from_memory(child, indexed); });
}

bool Lowerer::is_indexed(Expr* lvalue, const Indexed& indexed) const
{
    if (!is_shared(lvalue->type) || is_array(lvalue->type))
        return false;
    std::optional<Element> element = element_of_array(lvalue);
    if (!element || element->is_pointer || block_size(element->element) != 1 || own_index(*element))
        return false;
    return !goes_round_once(*element->object) && std::any_of(element->indices.begin(), element->indices.end(),
                                                             [&](const Expr* index) { return comes_from_memory(index, indexed); });
}

// Notes the variables and arrays below the node.
void Lowerer::find_indexed(Node* node, Indexed& indexed) const
{
    if (node->kind == Kind::InitDeclarator) {
        const auto* declarator = static_cast<const ast::InitDeclarator*>(node);
        if (declarator->init != nullptr && comes_from_memory(declarator->init, indexed))
            indexed.variables.insert(declarator->symbol);
    }
    if (node->kind == Kind::Index || (node->kind == Kind::Unary && static_cast<Expr*>(node)->op == Op::Deref)) {
        auto* lvalue = static_cast<Expr*>(node);
        if (is_indexed(lvalue, indexed))
            indexed.arrays.insert("'" + std::string(element_of_array(lvalue)->object->name) + "'");
    }
    for (Node* child : node->children)
        find_indexed(child, indexed);
}

// What a loop takes from memory as indices; nullopt if that is nothing, or if it is a part of such a loop
std::optional<Lowerer::Indexed> Lowerer::indexed_loop(const SimpleStmt& stmt) const
{
    constexpr lex::TokenIndex kLongest = 200;   // what stands twice in the C is translated twice
    bool is_wanted = options_.passes.indexed && !options_.far_threads && outermost_function_ != nullptr && !outside_ && !is_cold_;
    if (!is_wanted || indexed_ != nullptr)
        return std::nullopt;
    bool stands_twice = options_.static_threads == 0;
    if (stands_twice && stmt.last - stmt.first > kLongest)
        return std::nullopt;
    Indexed indexed;
    find_indexed(stmt.then, indexed);
    if (indexed.arrays.empty())
        return std::nullopt;
    Effects effects = effects_of(&stmt, tokens_);
    if (stands_twice && (effects.cannot_repeat || effects.is_opaque))
        return std::nullopt;
    return indexed;
}

void Lowerer::remark_on_indexed(const SimpleStmt& stmt, const Indexed& indexed)
{
    std::string names;
    for (const std::string& name : indexed.arrays)
        names += (names.empty() ? "" : ", ") + name;
    remark(diag::Id::LoopIndexed, &stmt, {names});
}

Rope Lowerer::either_loop(const Rope& with_shift, const Rope& without)
{
    return rope("if (bn_threads_shift() >= 0) { ") << with_shift << " } else { " << without << " } ";
}

void Lowerer::indexed_for(SimpleStmt& stmt)
{
    std::optional<Indexed> indexed = indexed_loop(stmt);
    if (!indexed) {
        for_loop(stmt);
        return;
    }
    remark_on_indexed(stmt, *indexed);
    indexed_ = &*indexed;
    is_shift_ = (options_.static_threads & (options_.static_threads - 1)) == 0;   // or not known: the first of two loops
    for_loop(stmt);
    if (options_.static_threads == 0) {
        Rope with_shift = rope() << frozen(&stmt);
        forget(&stmt);
        stmt.visited = true;
        is_shift_ = false;
        is_second_ = true;
        for_loop(stmt);
        is_second_ = false;
        set(&stmt, rope("{ ") << either_loop(with_shift, rope() << self(&stmt)) << "}");
    }
    indexed_ = nullptr;
}

// The loops over what this thread owns (dealt_loop.cc)
Lowerer::Dealt Lowerer::indexed_forall(SimpleStmt& stmt, const std::string& outer)
{
    std::optional<Indexed> indexed = indexed_loop(stmt);
    if (!indexed)
        return dealt_loop(stmt, outer, nullptr);
    is_shift_ = (options_.static_threads & (options_.static_threads - 1)) == 0;
    Dealt dealt = dealt_loop(stmt, outer, &*indexed);
    if (dealt.loops.empty())
        return dealt;
    remark_on_indexed(stmt, *indexed);
    if (options_.static_threads > 0)
        return dealt;
    is_shift_ = false;
    is_second_ = true;
    dealt.loops = either_loop(dealt.loops, dealt_loop(stmt, outer, &*indexed).loops);
    is_second_ = false;
    return dealt;
}

}  // namespace bn::lower
