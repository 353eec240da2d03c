// expr.cc: lowers an expression by its kind; expressions that use no UPC are left alone.
#include "lower/lowerer.h"

namespace bn::lower {

using ast::Kind;
using ast::Op;
using namespace sema;

QualType Lowerer::value_type(const Expr& e) const
{
    QualType type = canonical(e.type);
    if (type.type->kind == TypeKind::Array) {
        Type* pointer = arena_.make<Type>();
        pointer->kind = TypeKind::Pointer;
        pointer->base = type.type->base;
        return {pointer, {}};
    }
    return type;
}

QualType Lowerer::pointer_target(const Expr& e) const
{
    return pointee(value_type(e));
}

bool Lowerer::is_pts_value(const Expr& e) const
{
    TypeKind k = kind(e.type);
    if (k == TypeKind::Array)
        return is_shared(e.type);
    return k == TypeKind::Pointer && is_pts(e.type);
}

namespace {

// The operator of an expression, the first name of a declaration; 0 if there is none
lex::TokenIndex main_token(const Node* node)
{
    if (node->kind == Kind::Unary || node->kind == Kind::Binary || node->kind == Kind::Assign)
        return static_cast<const Expr*>(node)->name;
    if (node->kind != Kind::Declaration)
        return 0;
    auto declarators = static_cast<const ast::Declaration*>(node)->declarators;
    return declarators.empty() ? 0 : declarators[0]->declarator->name;
}

}  // namespace

void Lowerer::set(Node* node, const Rope& form)
{
    ast::Lowered* lowered = arena_.make<ast::Lowered>();
    lowered->pieces = form.pieces();
    lowered->at = main_token(node);
    node->lowered = lowered;
    node->touched = true;
}

Node* Lowerer::self(const Node* node)
{
    Node* copy = arena_.make<Node>();
    *copy = *node;
    return copy;
}

void Lowerer::lower_children(Node* node)
{
    for (Node* child : node->children) {
        lower(child);
        node->touched |= child->touched;
    }
}

void Lowerer::lower(Node* node)
{
    if (node == nullptr || node->visited)
        return;
    node->visited = true;
    switch (node->kind) {
    case Kind::Declaration: declaration(*static_cast<ast::Declaration*>(node)); return;
    case Kind::FunctionDef: function(*static_cast<ast::FunctionDef*>(node)); return;
    case Kind::FieldDecl: field(*static_cast<ast::FieldDecl*>(node)); return;
    case Kind::ParamDecl: parameter(*static_cast<ast::ParamDecl*>(node)); return;
    case Kind::TypeName: type_name(*static_cast<ast::TypeName*>(node)); return;
    case Kind::AttributeList:
        if (options_.own_objects)
            attribute_list(*node);
        return;
    case Kind::Opaque: return;
    default: break;
    }
    if (is_expression(node))
        lower_expr(*static_cast<Expr*>(node));
    else if (node->kind > Kind::Compound)
        statement(*static_cast<ast::SimpleStmt*>(node));
    else
        lower_children(node);
}

Rope Lowerer::constant_text(__int128 value, QualType type)
{
    std::string digits =
        value < 0 ? "(-" + std::to_string(static_cast<uint64_t>(-value)) : std::to_string(static_cast<uint64_t>(value));
    std::optional<Size> size = size_of(type);
    return rope(digits) << (is_unsigned(type) ? "u" : "") << (size && size->bytes >= 8 ? "l" : "")
                        << (value < 0 ? ")" : "");
}

void Lowerer::lower_expr(Expr& e)
{
    if (auto constant = outside_ ? analysis_.constants.find(&e) : analysis_.constants.end();
        constant != analysis_.constants.end()) {
        set(&e, constant_text(constant->second, e.type));
        return;
    }
    bool is_access = e.kind == Kind::Ident || e.kind == Kind::Index || e.kind == Kind::Member ||
                     (e.kind == Kind::Unary && e.op != Op::Extension);
    if (is_access && e.is_lvalue && is_shared(e.type)) {
        read(e);
        return;
    }
    switch (e.kind) {
    case Kind::Ident:
        if (std::string own = column_variable(e.symbol); !own.empty())
            set(&e, rope(own));
        else if (e.symbol != nullptr && e.symbol->emitted != e.symbol->name)
            set(&e, rope(e.symbol->emitted));
        return;
    case Kind::Threads:
        set(&e, options_.static_threads > 0 ? rope(std::to_string(options_.static_threads)) : rope("bn_threads()"));
        return;
    case Kind::MyThread: set(&e, rope("bn_mythread()")); return;
    case Kind::MaxBlock: set(&e, rope("2147483647")); return;
    case Kind::Unary: unary(e); return;
    case Kind::Binary: binary(e); return;
    case Kind::Assign: assign(e); return;
    case Kind::Conditional: conditional(e); return;
    case Kind::Cast: cast(e); return;
    case Kind::ImplicitCast: set(&e, converted(e.a, e.type)); return;
    case Kind::SizeofExpr:
    case Kind::SizeofType: size_operator(e); return;
    case Kind::Generic: generic(e); return;
    case Kind::TypesCompatible: types_compatible(e); return;
    case Kind::Call:
        if (!atomic_in_place(e) && !setjmp_call(e))
            call(e);
        return;
    case Kind::InitList:
        if (is_pts(e.type) && !e.args.empty()) {  // { p }: in C this is a struct, which the braces would open
            lower(e.args[0]);
            set(&e, rope() << e.args[0]);
            return;
        }
        lower_children(&e);
        for (Expr* value : e.args)
            // braces would belong to the aggregate that it starts
            if (in_static_initialiser_ && analysis_.unbraced.contains(value))
                set(value, rope("0, 0, 0"));
        return;
    case Kind::CompoundLiteral:
        if (auto object = statics_.find(&e); object != statics_.end()) {
            literal_object(e, *object->second);
            return;
        }
        lower_children(&e);
        if (is_pts(e.type) && !e.a->args.empty())  // (shared T *){ p }: an array of one, for the same reason
            set(&e, rope("(") << c_declaration(e.type, rope("[1]")) << "){ " << e.a << " }[0]");
        return;
    case Kind::StmtExpr: {
        const Node* outer = value_statement_;
        value_statement_ = value_statement(*e.body);
        lower_children(&e);
        value_statement_ = outer;
        return;
    }
    default: lower_children(&e); return;
    }
}

// Lowers e where C tests a value against zero.
void Lowerer::truth(Expr* e)
{
    if (e == nullptr)
        return;
    lower(e);
    if (is_pts_value(*e))
        set(e, rope("(") << self(e) << ").addr != 0");
}

void Lowerer::unary(Expr& e)
{
    switch (e.op) {
    case Op::AddressOf:
        if (e.a->is_lvalue && is_shared(e.a->type)) {
            set(&e, is_member(e.a) ? member_reference(e.a) : reference(address(&e)));
            return;
        }
        if (e.a->kind == Kind::Unary && e.a->op == Op::Deref && is_pts_value(*e.a->a)) {  // &*p of an incomplete type
            lower(e.a->a);
            set(&e, rope() << e.a->a);
            return;
        }
        break;
    case Op::Deref:
        if (is_pts_value(*e.a)) {  // *p of an incomplete type, as an unevaluated operand
            lower(e.a);
            set(&e, rope("(*(") << c_pointer(e.type) << ")(" << e.a << ").addr)");
            return;
        }
        break;
    case Op::Not:
        if (is_pts_value(*e.a)) {
            lower(e.a);
            set(&e, rope("!(") << e.a << ").addr");
            return;
        }
        break;
    case Op::PreInc:
    case Op::PreDec:
    case Op::PostInc:
    case Op::PostDec: increment(e); return;
    default: break;
    }
    lower_children(&e);
}

void Lowerer::binary(Expr& e)
{
    bool a = is_pts_value(*e.a);
    bool b = is_pts_value(*e.b);
    if (e.op == Op::Comma) {
        bool is_discarded = &e == discarded_;
        discarded_ = e.a;
        lower(e.a);
        discarded_ = is_discarded ? e.b : nullptr;
    } else if (e.op == Op::LogAnd || e.op == Op::LogOr) {
        truth(e.a);
        truth(e.b);
    } else if ((a || b) && (e.op == Op::Add || e.op == Op::Sub)) {
        if (a && b)
            pointer_difference(e);
        else
            set(&e, reference(address(&e)));
        return;
    } else if ((a || b) && e.op >= Op::Lt && e.op <= Op::Ne) {
        pointer_comparison(e);
        return;
    }
    lower_children(&e);
}

void Lowerer::conditional(Expr& e)
{
    if (e.b != nullptr) {
        truth(e.a);
        lower_children(&e);
        return;
    }
    lower(e.a);
    if (!is_pts_value(*e.a)) {
        lower_children(&e);
        return;
    }
    lower(e.c);
    std::string value = fresh("v");
    set(&e, rope("(__extension__ ({ bn_pts_t ")
                << value << " = " << e.a << "; " << value << ".addr != 0 ? " << value << " : " << e.c << "; }))");
}

void Lowerer::cast(Expr& e)
{
    QualType target = e.type_name->type;
    if (is_pts(target)) {
        set(&e, rope("(") << converted(e.a, target) << ")");
        return;
    }
    if (!is_pts_value(*e.a) || is_void(target)) {
        lower_children(&e);
        return;
    }
    if (kind(target) == TypeKind::Bool) {
        set(&e, rope("(") << converted(e.a, target) << ")");
        return;
    }
    lower(e.type_name);
    if (is_pointer(target)) {
        Address object = address(e.a);
        set(&e, rope("((") << e.type_name << ")"
                           << (options_.checks ? rope("bn_check_local(") << reference(object) << at(&e) << ")"
                                               : window_address(object))
                           << ")");
        return;
    }
    lower(e.a);
    set(&e, rope("((") << e.type_name << ")(" << e.a << (is_record(target) ? "))" : ").addr)"));
}

// The alignment of the type, or the requested one if that is larger
Rope Lowerer::alignment(QualType type, uint64_t asked)
{
    Rope own = rope("__alignof__(") << c_value_type(type) << ")";
    return asked == 0 ? own : rope("(") << own << " > " << asked << " ? " << own << " : " << asked << ")";
}

// sizeof and similar operators on shared types: shared T a[n*THREADS] -> (n * THREADS * sizeof(T)); others unchanged
void Lowerer::size_operator(Expr& e)
{
    QualType type = e.kind == Kind::SizeofExpr ? e.a->type : e.type_name->type;
    bool is_upc = e.op != Op::Sizeof && e.op != Op::Alignof;
    if (!is_shared(type) || (!is_upc && e.kind == Kind::SizeofExpr && !e.a->is_lvalue)) {
        lower_children(&e);
        return;
    }
    Rope element = element_size(element_of(type));
    Rope out = rope();
    switch (e.op) {
    case Op::Alignof: {
        const Expr* object = e.kind == Kind::SizeofExpr ? e.a : nullptr;
        while (object != nullptr && object->kind == Kind::Paren)
            object = object->a;
        bool is_named = object != nullptr && object->kind == Kind::Ident && object->symbol != nullptr;
        out << alignment(element_of(type), std::max(named_alignment(type), is_named ? object->symbol->align : 0));
        break;
    }
    case Op::BlockSizeof: out << std::to_string(block_size(type)) << "ul"; break;
    case Op::LocalSizeof:
        out << "(" << std::to_string(local_elements(type, options_.static_threads).value_or(1)) << "ul * " << element
            << ")";
        break;
    case Op::Sizeof:
        if (is_array(type)) {
            Size count = element_count(type).value_or(Size{1, false});
            out << "(" << std::to_string(count.bytes) << "ul * ";
            if (count.by_threads)
                out << "(bn_u64)bn_threads() * ";
            out << element << ")";
            break;
        }
        [[fallthrough]];
    default: out << element; break;
    }
    set(&e, out);
}

// __builtin_types_compatible_p of types that emitted C does not have
void Lowerer::types_compatible(Expr& e)
{
    bool sees_shared = false;
    for (const ast::TypeName* name : e.type_args)
        sees_shared |= touches_shared(name->type);
    if (!sees_shared || e.type_args.size() != 2)
        lower_children(&e);
    else
        set(&e, rope(compatible(e.type_args[0]->type, e.type_args[1]->type) ? "1" : "0"));
}

// _Generic over pointers-to-shared: emitted C cannot tell them apart, so the choice is made here.
void Lowerer::generic(Expr& e)
{
    bool sees_shared = touches_shared(value_type(*e.a));
    for (const ast::TypeName* name : e.type_args)
        sees_shared |= name != nullptr && touches_shared(name->type);
    if (!sees_shared || e.b == nullptr) {
        lower_children(&e);
        return;
    }
    lower(e.b);
    set(&e, rope("(") << e.b << ")");
}

// A copy of a lowered tree that is unaffected when the tree is lowered again
Node* Lowerer::frozen(const Node* node)
{
    Node* copy = self(node);
    if (!node->touched)
        return copy;
    if (node->lowered != nullptr) {
        ast::Lowered* lowered = arena_.make<ast::Lowered>();
        lowered->at = node->lowered->at;
        for (const ast::Piece& piece : node->lowered->pieces)
            lowered->pieces.push_back({piece.text, piece.node != nullptr ? frozen(piece.node) : nullptr});
        copy->lowered = lowered;
        return copy;
    }
    std::vector<Node*> children;
    for (const Node* child : node->children)
        children.push_back(frozen(child));
    copy->children = arena_.copy(children);
    return copy;
}

Rope Lowerer::frozen(const Rope& text)
{
    Rope out = rope();
    for (const ast::Piece& piece : text.pieces()) {
        if (piece.node != nullptr)
            out << frozen(piece.node);
        else
            out << piece.text;
    }
    return out;
}

// Restores a tree to its state before it was lowered.
void Lowerer::forget(Node* node)
{
    node->visited = false;
    node->touched = false;
    node->lowered = nullptr;
    for (Node* child : node->children)
        forget(child);
}

// The text of a node as it is lowered at this place; leaves the node unchanged
Rope Lowerer::lowered_copy(Node* node)
{
    lower(node);
    Rope out = rope() << frozen(node);
    forget(node);
    return out;
}

const Effects& Lowerer::function_effects()
{
    if (!function_effects_) {
        function_effects_ = effects_of(outermost_function_, tokens_);
        const Symbol* function = outermost_function_->symbol;
        function_effects_->ignores_types = options_.ignores_types || (function != nullptr && function->ignores_types);
    }
    return *function_effects_;
}

void Lowerer::remark(diag::Id id, const Node* where, std::initializer_list<std::string_view> args)
{
    if (version_.is_second)
        return;
    diags_.report(id, {where->first, where->last, where->first}, args);
}

}  // namespace bn::lower
