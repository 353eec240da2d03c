// sema.h: gives every expression its type and applies the rules of UPC.
//
// Violations of C rules are left to the back end, whose messages are better; sema computes the types of C expressions
// because the type of an operand decides what an operator means in UPC. An expression that cannot be typed (exotic
// builtins) has the type Unknown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ast/arena.h"
#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::sema {

// What differs among processors, or by an option, in the types of C
struct Machine {
    bool char_is_unsigned = false;          // char without signed or unsigned
    TypeKind wide_char = TypeKind::Int;     // wchar_t
    bool unnamed_bit_fields_align = false;  // the struct, as named ones do
    // of arithmetic types, and what __attribute__((aligned)) without a number asks for
    uint64_t largest_alignment = 16;
};

struct Options {
    int static_threads = 0;  // 0: dynamic environment
    // each thread, not each process, has its own private objects with static storage (-pthreads)
    bool own_objects = false;
    bool far_threads = false;    // shared objects may be on other nodes (-network=shmem)
    bool ms_extensions = false;  // "struct tag;" declares an unnamed member (-fms-extensions, -fplan9-extensions)
    Machine machine = {};
};

// A step from an object to a part of it
struct Step {
    std::string_view member;  // or, if it is empty,
    uint64_t first = 0;       // elements first..last of an array
    uint64_t last = 0;
};

// A value that code must compute before main: a pointer-to-shared, or a value that depends on the number of threads
struct ComputedValue {
    std::span<const Step> path;  // from the object to the place of the value: [3].next; to several places, [0 ... 3]
    QualType type;               // of that place
    ast::Expr* value = nullptr;
    bool is_bit_field = false;
};

// The contents of an object before main: values that C can compute, and those that it cannot
struct Image {
    QualType type;
    ast::Expr* init = nullptr;
    // for an array with THREADS in an inner dimension: the rows that start with these values; the others start with 0
    std::vector<uint64_t> rows;
    std::vector<ComputedValue> computed;
    std::vector<ComputedValue> overridden;  // by later initialisers of the same place
};

// A shared object with static storage defined by this unit (perhaps tentatively), or a private static object or
// compound literal with values that must be computed.  Kept in the order of their declarations.
struct StaticObject {
    const Symbol* symbol = nullptr;
    ast::Node* node = nullptr;                // the declarator, or the compound literal
    ast::Declaration* declaration = nullptr;  // null for a compound literal
    ast::FunctionDef* function = nullptr;     // outermost function that contains it; null at file scope
    bool is_shared = false;
    std::vector<Image> images;  // none without an initialiser; a private object has exactly one, itself
};

// A number computed from types or characters of the program, which options and attributes may change for cc
struct Reckoned {
    __int128 value = 0;
    std::string written;  // the source text of the expression, for a message
};

struct Analysis {
    std::vector<StaticObject> statics;
    std::vector<Record*> records;  // ordered by the end of their definitions
    // subexpressions of values that must be computed outside their function
    std::unordered_map<const ast::Expr*, __int128> constants;
    // subexpressions of block sizes and dimensions of shared types
    std::unordered_map<const ast::Expr*, Reckoned> reckoned;
    // pointers-to-shared that start an initialiser of a struct or array without its own braces, in a static initialiser
    std::unordered_set<const ast::Expr*> unbraced;
};

// The last statement of a statement expression, without its labels, if it gives the value; otherwise null
const ast::SimpleStmt* value_statement(const ast::CompoundStmt& body);

// Annotates the tree in place and reports errors and warnings.
Analysis check(ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diags,
               const Options& options);

}  // namespace bn::sema
