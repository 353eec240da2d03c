// ast.h: the syntax tree of a translation unit.
//
// A node covers the tokens first..last of the preprocessed text and lists its direct children in source order. The
// emitter needs nothing else: text that lower/ left alone is copied, including the gaps; nodes that lower/ replaced are
// printed from their `lowered` form.  Fields other than `children` refer to the same nodes by role.
//
// Nodes live in the unit's arena and are never freed one by one.  Pointers are null where the construct is absent.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ast/arena.h"
#include "lex/token.h"

namespace bn::sema {
struct Type;
struct Symbol;
struct Record;
}  // namespace bn::sema

namespace bn::ast {

using lex::TokenIndex;

enum class Kind : uint8_t {
#define BN_NODE(name) name,
#include "ast/kinds.def"
};

struct Lowered;

struct Node {
    Kind kind;
    bool touched = false;  // this node or one below it has a lowered form
    bool visited = false;  // lower/ has processed it
    uint32_t height = 1;   // of the tree below, this node included; parse::Options::max_height at most
    TokenIndex first = 0;
    TokenIndex last = 0;  // inclusive
    std::span<Node*> children;
    const Lowered* lowered = nullptr;
};

// Whether a node is wanted, or any below it
template <class Predicate>
bool any_below(const Node& node, const Predicate& is_wanted)
{
    if (is_wanted(node))
        return true;
    for (const Node* child : node.children)
        if (any_below(*child, is_wanted))
            return true;
    return false;
}

// What lower/ replaces a node with: text and nodes in sequence
struct Piece {
    std::string_view text;  // used if node is null
    Node* node = nullptr;
};
struct Lowered {
    std::vector<Piece> pieces;
    TokenIndex at = 0;  // where messages about it point: an operator, a declared name; 0 for the node's first token
};

// ---- Qualified types as computed by sema (types are in sema/types.h) ----

enum class Layout : uint8_t { Default, Blocked, Indefinite, Star };

struct Quals {
    bool is_const : 1 = false;
    bool is_volatile : 1 = false;
    bool is_restrict : 1 = false;
    bool is_atomic : 1 = false;
    bool is_shared : 1 = false;
    bool is_strict : 1 = false;
    bool is_relaxed : 1 = false;
    Layout layout = Layout::Default;
    // 1 for Default, 0 for Indefinite; for Star, the value that it will have, or 0 until the array is complete
    uint64_t block = 1;

    bool operator==(const Quals&) const = default;
};

struct QualType {
    const sema::Type* type = nullptr;
    Quals quals;
};

// ---- Expressions ----

// clang-format off
enum class Op : uint8_t {
    None,
    // unary
    Plus, Minus, Not, BitNot, Deref, AddressOf, PreInc, PreDec, PostInc, PostDec, Real, Imag, LabelAddress, Extension,
    // size operators
    Sizeof, LocalSizeof, BlockSizeof, ElemSizeof, Alignof,
    // binary
    Mul, Div, Mod, Add, Sub, Shl, Shr, Lt, Gt, Le, Ge, Eq, Ne, And, Xor, Or, LogAnd, LogOr, Comma,
    // member access
    Dot, Arrow,
};
// clang-format on

struct Decl;
struct Stmt;
struct TypeName;
struct Designation;
struct CompoundStmt;

struct Expr : Node {
    Op op = Op::None;        // for Assign: the binary operator of a compound assignment, None for =
    bool is_lvalue = false;  // sema
    bool strict = false;     // sema: an access to this shared lvalue is strict
    QualType type;           // sema; type.type is never null afterwards
    Expr* a = nullptr;       // operands by position, see kinds.def
    Expr* b = nullptr;
    Expr* c = nullptr;
    TypeName* type_name = nullptr;
    TokenIndex name = 0;  // token of an identifier, a member name or a label; of the operator for Unary, Binary, Assign
    std::span<Expr*> args;  // arguments of a call, elements of an initialiser list, expressions of _Generic, ...
    std::span<TypeName*> type_args;        // types of _Generic (null = default), __builtin_types_compatible_p
    std::span<Designation*> designations;  // InitList: one for each element, null where it has none
    CompoundStmt* body = nullptr;          // StmtExpr
    const sema::Symbol* symbol = nullptr;  // sema: Ident; lowering: a Member that a variable stands for
};

inline bool is_expression(const Node* node)
{
    return node->kind <= Kind::ImplicitCast;
}

// The expression inside one that has no meaning of its own: parentheses, __extension__, and _Generic and
// __builtin_choose_expr once sema has chosen; null for any other expression
inline Expr* inner(const Expr* e)
{
    switch (e->kind) {
    case Kind::Paren: return e->a;
    case Kind::Unary: return e->op == Op::Extension ? e->a : nullptr;
    case Kind::Generic: return e->b;
    case Kind::ChooseExpr: return e->args.empty() ? nullptr : e->args[0];
    default: return nullptr;
    }
}

inline Expr* without_parens(Expr* e)
{
    while (Expr* next = inner(e))
        e = next;
    return e;
}
inline const Expr* without_parens(const Expr* e)
{
    return without_parens(const_cast<Expr*>(e));
}

// .member, [index], [first ... last], and GNU "member:"
struct Designator {
    TokenIndex member = 0;
    Expr* index = nullptr;
    Expr* index_last = nullptr;
};
struct Designation : Node {  // without the '='; with the ':' of the GNU form
    std::span<Designator> designators;
};

// ---- Types as written ----

struct Attribute {
    TokenIndex name;        // identifier in __attribute__((name(...)))
    TokenIndex args_first;  // tokens between the parentheses; args_first > args_last if there are none
    TokenIndex args_last;
    Expr* arg = nullptr;           // the only argument, parsed: for aligned, vector_size, ext_vector_type, _Alignas
    TypeName* type_arg = nullptr;  // _Alignas(type); name is the keyword then
};

// shared [..], strict, const, ...
struct QualifierToken {
    lex::Tok tok;
    TokenIndex token;
    // shared only
    enum class Brackets : uint8_t { None, Empty, Star, Value } brackets = Brackets::None;
    TokenIndex brackets_last = 0;
    Expr* block = nullptr;
};

struct RecordSpec;
struct EnumSpec;

struct Specifiers : Node {            // also specifier-qualifier lists; no child of its parent if it has no tokens
    std::span<TokenIndex> storage;    // typedef extern static auto register constexpr _Thread_local __thread
    std::span<TokenIndex> functions;  // inline _Noreturn and their GNU spellings
    // int, unsigned, _Complex, __int128, __auto_type, ... keyword by keyword; `auto` where C23 infers a type
    std::span<TokenIndex> base;
    std::span<QualifierToken> qualifiers;
    std::span<Attribute> attributes;
    std::span<Node*> attribute_nodes;  // kind AttributeList: the tokens of each __attribute__ / _Alignas, verbatim
    TokenIndex typedef_name = 0;       // 0 if none
    Expr* bit_width = nullptr;         // _BitInt(bit_width)
    RecordSpec* record = nullptr;
    EnumSpec* enumeration = nullptr;
    Expr* typeof_expr = nullptr;
    TypeName* typeof_type = nullptr;  // also _Atomic(type)
    bool is_unqualified = false;      // typeof_unqual
    bool is_atomic_type = false;      // typeof_type came from _Atomic(...)
    bool is_typedef = false;
    bool is_constexpr = false;
    bool is_extern = false;
    bool is_static = false;
    bool is_thread_local = false;
    bool is_inline = false;
};

struct Declarator;

// One step of a declarator, from the identifier outwards:  *q  [n]  (params)
struct DeclaratorPart {
    enum class Kind : uint8_t { Pointer, Array, Function } kind;
    TokenIndex first = 0;  // tokens of this part, brackets included
    TokenIndex last = 0;
    std::span<QualifierToken> qualifiers;  // Pointer; also inside [ ] of a parameter
    std::span<Attribute> attributes;
    Expr* size = nullptr;                 // Array; null for []
    bool is_star = false;                 // [*]
    bool is_static = false;               // [static n]
    std::span<struct ParamDecl*> params;  // Function
    bool is_variadic = false;
    bool is_kr = false;  // identifier list or empty parentheses
    std::span<TokenIndex> kr_names;
};

struct Declarator : Node {
    TokenIndex name = 0;              // 0 if abstract
    std::span<DeclaratorPart> parts;  // parts[0] applies to the name first: "*a[3]" is Array, Pointer
    std::span<Attribute> attributes;
    std::span<Node*> suffix;  // kind AttributeList: asm("label") and attributes after it, verbatim
};

struct ParamDecl : Node {
    Specifiers* specifiers = nullptr;
    Declarator* declarator = nullptr;  // null or abstract for unnamed ones
    const sema::Symbol* symbol = nullptr;
};

struct TypeName : Node {
    Specifiers* specifiers = nullptr;
    Declarator* declarator = nullptr;  // abstract; may be null
    QualType type;                     // sema
};

struct FieldDecl : Node {  // one line of a record: specifiers, then declarators
    Specifiers* specifiers = nullptr;
    struct Field {
        Declarator* declarator = nullptr;  // null for unnamed bit-fields and anonymous records
        Expr* width = nullptr;
        std::span<Attribute> attributes;  // after the width
        QualType type;                    // sema
    };
    std::span<Field> fields;  // one with a null declarator for an anonymous record
};

struct RecordSpec : Node {  // struct S, struct S { ... }, union ...
    bool is_union = false;
    TokenIndex keyword = 0;
    TokenIndex tag = 0;  // 0 if anonymous
    bool has_body = false;
    TokenIndex open = 0;                   // {
    std::span<Node*> members;              // FieldDecl, StaticAssert
    std::span<Attribute> attributes;       // before the tag and after the }
    const sema::Record* record = nullptr;  // sema
};

struct EnumSpec : Node {
    TokenIndex tag = 0;
    bool has_body = false;
    Specifiers* underlying = nullptr;  // C23: enum tag : type; null if absent
    struct Enumerator {
        TokenIndex name = 0;
        Expr* value = nullptr;
    };
    std::span<Enumerator> enumerators;
    std::span<Attribute> attributes;
};

// ---- Declarations ----

struct Decl : Node {};

struct InitDeclarator : Node {
    Declarator* declarator = nullptr;
    TokenIndex equal = 0;                  // token =, 0 if there is no initialiser
    Expr* init = nullptr;                  // expression or InitList
    const sema::Symbol* symbol = nullptr;  // sema
};

struct Declaration : Decl {  // also typedefs, prototypes, and bare "struct S;"
    Specifiers* specifiers = nullptr;
    std::span<InitDeclarator*> declarators;
};

struct FunctionDef : Decl {
    Specifiers* specifiers = nullptr;
    Declarator* declarator = nullptr;
    std::span<Declaration*> kr_declarations;
    CompoundStmt* body = nullptr;  // null if the body uses no UPC: it is copied unchanged
    const sema::Symbol* symbol = nullptr;
    std::span<const sema::Symbol*> params;  // sema
};

struct StaticAssertDecl : Decl {
    Expr* condition = nullptr;
};

// Text that is copied: stray semicolons, file-scope asm, declarations without UPC that the parser does not understand.
struct OpaqueDecl : Decl {};

// ---- Statements ----

struct Stmt : Node {};

struct CompoundStmt : Stmt {
    std::span<Node*> items;  // Stmt or Decl
};

struct SimpleStmt : Stmt {  // every other statement; which fields are used: kinds.def
    Node* init = nullptr;   // For, Forall: Declaration or Expr
    Expr* condition = nullptr;
    Expr* step = nullptr;
    Expr* affinity = nullptr;
    bool affinity_continue = false;  // written as `continue`
    Expr* value = nullptr;           // return, case, barrier, expression statement, goto *e
    Expr* value_last = nullptr;      // case a ... b
    Stmt* then = nullptr;            // body, or the statement after a label
    Stmt* otherwise = nullptr;
    TokenIndex name = 0;  // label
};

// #pragma upc strict | relaxed | upc_code | c_code, and the token that follows it
struct Pragma {
    TokenIndex before;
    lex::PragmaKind kind;
    uint32_t offset;  // of '#' in the text
    uint32_t length;
};

struct Unit {
    std::vector<Node*> decls;
    std::vector<Pragma> pragmas;  // in order; not children, so they are not printed
    bool uses_upc = false;        // any UPC construct at all
    bool has_own_loops = false;   // set by the lowering: a upc_forall became a loop over one thread's own iterations
    uint32_t abandoned = 0;       // declarations without UPC that the parser did not understand (Opaque)
};

}  // namespace bn::ast
