// stmt.cc: statements other than jumps; upc_forall (facts 1.12), barriers (1.13), pragmas (1.15).
#include "sema/assembler.h"
#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::SimpleStmt;
using diag::Id;

void Checker::compound(ast::CompoundStmt& block, bool new_scope)
{
    bool outer_strict = strict_;
    size_t outer_labels = local_labels_.size();
    if (new_scope)
        push_scope();
    for (ast::Node* item : block.items) {
        pragmas_before(item->first);
        statement(item);
        if (diags_.gave_up())
            break;
    }
    pragmas_before(block.last);
    strict_ = outer_strict;
    local_labels_.resize(outer_labels);
    if (new_scope)
        pop_scope();
}

namespace {

bool is_loop(Kind kind)
{
    return kind == Kind::For || kind == Kind::While || kind == Kind::DoWhile;
}

bool is_empty(const ast::Node* statement)
{
    if (statement->kind == Kind::Compound)
        return statement->children.empty();
    return statement->kind == Kind::ExprStmt && static_cast<const SimpleStmt*>(statement)->value == nullptr;
}

// Reads of shared memory in a repeatedly evaluated condition
struct Reads {
    const Expr* relaxed = nullptr;
    // something happens between two evaluations: a side effect, a strict or volatile access, a call
    bool changes = false;
};

void find_reads(const ast::Node* node, Reads& reads)
{
    if (!is_expression(node))
        return;  // a type
    const Expr& e = *static_cast<const Expr*>(node);
    switch (e.kind) {
    case Kind::SizeofExpr:
    case Kind::SizeofType: return;
    case Kind::Assign:
    case Kind::Call:
    case Kind::StmtExpr:
    case Kind::VaArg: reads.changes = true; return;
    case Kind::Unary:
        reads.changes |=
            e.op == ast::Op::PreInc || e.op == ast::Op::PreDec || e.op == ast::Op::PostInc || e.op == ast::Op::PostDec;
        if (e.op == ast::Op::AddressOf)
            return;
        break;
    default: break;
    }
    if (e.is_lvalue && is_shared(e.type) && is_scalar(e.type)) {
        reads.changes |= e.strict || e.type.quals.is_volatile;
        if (reads.relaxed == nullptr)
            reads.relaxed = &e;
    }
    for (const ast::Node* child : e.children)
        find_reads(child, reads);
}

}  // namespace

// Warns of a loop that only reads relaxed shared memory: it may read it just once (UPC 1.3, 5.1.2.3)
void Checker::waiting_loop(const SimpleStmt& stmt)
{
    if (stmt.condition == nullptr || stmt.step != nullptr || !is_empty(stmt.then))
        return;
    Reads reads;
    find_reads(stmt.condition, reads);
    if (reads.relaxed != nullptr && !reads.changes)
        diags_.report(Id::RelaxedWait, range(*reads.relaxed), {quote(*reads.relaxed)});
}

void Checker::forall(SimpleStmt& stmt)
{
    push_scope();
    if (stmt.init != nullptr)
        statement(stmt.init);
    condition(stmt.condition);
    condition(stmt.step);
    if (stmt.affinity != nullptr) {
        expr(stmt.affinity);
        QualType type = value_type(*stmt.affinity);
        if (!is_integer(type) && kind(type) != TypeKind::BitInt && !is_pts(type) && !is_unknown(type))
            diags_.report(Id::AffinityType, range(*stmt.affinity), {quote(type)});
    }
    bool is_dealt = stmt.affinity != nullptr && without_parens(stmt.affinity)->kind != Kind::MyThread;
    flow_.dealt += is_dealt ? 1 : 0;
    flow_.foralls.push_back(++next_forall_);
    int outer_breakable = flow_.breakable;
    flow_.breakable = 0;
    statement(stmt.then);
    flow_.breakable = outer_breakable;
    flow_.foralls.pop_back();
    flow_.dealt -= is_dealt ? 1 : 0;
    pop_scope();
}

void Checker::barrier(SimpleStmt& stmt)
{
    if (flow_.dealt > 0)
        diags_.report(Id::BarrierInForall, stmt.first, {text(stmt.first)});
    if (stmt.value == nullptr)
        return;
    expr(stmt.value);
    QualType type = value_type(*stmt.value);
    if (!is_arithmetic(type) && !is_unknown(type))
        diags_.report(Id::BarrierValue, range(*stmt.value), {quote(type)});
}

void Checker::return_statement(SimpleStmt& stmt)
{
    if (!flow_.foralls.empty())
        diags_.report(Id::LeavesForall, stmt.first, {"return"});
    if (stmt.value == nullptr)
        return;
    expr(stmt.value);
    if (return_type_.type == nullptr)
        return;
    convert_child(stmt, stmt.value, return_type_, Use::Return);
}

void Checker::case_label(SimpleStmt& stmt)
{
    for (Expr* value : {stmt.value, stmt.value_last}) {
        if (value == nullptr)
            continue;
        expr(value);
        const Expr* plain = without_parens(value);
        bool is_size = plain->kind == Kind::SizeofExpr || plain->kind == Kind::SizeofType;
        if (is_size && !constant(value)) {
            QualType type = plain->kind == Kind::SizeofExpr ? plain->a->type : plain->type_name->type;
            if (is_shared(type))
                diags_.report(Id::SizeNotConstant, range(*value), {quote(*value)});
        }
    }
    if (!flow_.switches.empty() && flow_.foralls.size() > flow_.switches.back())
        diags_.report(Id::EntersForall, stmt.first, {stmt.kind == Kind::Case ? "case" : "default"});
    if (stmt.then != nullptr)
        statement(stmt.then);
}

// An access that is emitted as a call of the runtime cannot be an output operand.
void Checker::asm_operand(Expr* operand)
{
    expr(operand);
    bool is_strict = without_parens(operand)->strict;
    if (is_shared(operand->type) && (is_strict || options_.far_threads) && is_output(*operand, tokens_))
        diags_.report(Id::AsmOutput, range(*operand),
                      {quote(*operand), is_strict ? "is strict" : "may be on another machine"});
}

void Checker::statement(ast::Node* node)
{
    if (node == nullptr)
        return;
    switch (node->kind) {
    case Kind::Declaration: declaration(*static_cast<ast::Declaration*>(node)); return;
    case Kind::FunctionDef: function_definition(*static_cast<ast::FunctionDef*>(node)); return;
    case Kind::StaticAssert: condition(static_cast<ast::StaticAssertDecl*>(node)->condition); return;
    case Kind::Opaque:
        if (tokens_[node->first].kind == lex::Tok::KwLabel)
            local_labels(*node);
        return;
    case Kind::Compound: compound(*static_cast<ast::CompoundStmt*>(node)); return;
    case Kind::AsmStmt:
        for (ast::Node* child : node->children)
            asm_operand(static_cast<Expr*>(child));
        return;
    default: break;
    }
    if (is_expression(node)) {  // the init clause of a for
        expr(static_cast<Expr*>(node));
        return;
    }
    SimpleStmt& stmt = *static_cast<SimpleStmt*>(node);
    switch (stmt.kind) {
    case Kind::Forall: forall(stmt); return;
    case Kind::Barrier:
    case Kind::Notify:
    case Kind::Wait: barrier(stmt); return;
    case Kind::Return: return_statement(stmt); return;
    case Kind::Case:
    case Kind::Default: case_label(stmt); return;
    case Kind::Break:
    case Kind::Continue:
    case Kind::Goto: jump(stmt); return;
    case Kind::Label: label(stmt); break;
    default: break;
    }
    bool is_breakable = is_loop(stmt.kind) || stmt.kind == Kind::Switch;
    if (stmt.kind == Kind::For)
        push_scope();
    statement(stmt.init);
    condition(stmt.condition);
    condition(stmt.step);
    condition(stmt.value);
    flow_.breakable += is_breakable ? 1 : 0;
    if (stmt.kind == Kind::Switch)
        flow_.switches.push_back(flow_.foralls.size());
    statement(stmt.then);
    if (is_loop(stmt.kind))
        waiting_loop(stmt);
    if (stmt.kind == Kind::Switch)
        flow_.switches.pop_back();
    flow_.breakable -= is_breakable ? 1 : 0;
    statement(stmt.otherwise);
    if (stmt.kind == Kind::For)
        pop_scope();
}

}  // namespace bn::sema
