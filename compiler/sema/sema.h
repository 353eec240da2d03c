// sema.h: gives every expression its type and applies the rules of UPC.
//
// Rules of C are left to the back end, whose messages are better; sema computes types of C expressions because the type
// of an operand decides what an operator means in UPC. An expression that cannot be typed (exotic builtins) has the
// type Unknown.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ast/arena.h"
#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::sema {

struct Options {
    int static_threads = 0;      // 0: dynamic environment
    bool own_objects = false;    // private objects with static storage are of a thread, not of a process (-pthreads)
    bool far_threads = false;    // shared objects may be on other nodes (-network=shmem)
    bool ms_extensions = false;  // "struct tag;" is a member without a name (-fms-extensions, -fplan9-extensions)
};

// A value that code must compute before main: a pointer-to-shared, or one that depends on the number of threads
struct ComputedValue {
    std::string_view path;  // from the object to the place of the value: "[3].next"
    QualType type;          // of the place
    ast::Expr* value = nullptr;
};

// What an object holds before main: values that C can compute, and those that it cannot
struct Image {
    QualType type;
    ast::Expr* init = nullptr;
    std::vector<uint64_t> rows;  // of an array with THREADS in an inner dimension: which begin like this; else 0
    std::vector<ComputedValue> computed;
    std::vector<ComputedValue> overridden;  // by later initialisers of the same place
};

// A shared object with static storage that this unit defines (tentatively or not), or a private static object or
// compound literal with values that must be computed.  In the order of their declarations.
struct StaticObject {
    const Symbol* symbol = nullptr;
    ast::Node* node = nullptr;                // the declarator, or the compound literal
    ast::Declaration* declaration = nullptr;  // null for a compound literal
    ast::FunctionDef* function = nullptr;     // outermost function it is local to; null at file scope
    bool is_shared = false;
    std::vector<Image> images;  // none without an initialiser; a private object is its own image
};

// A number that types or characters of the program make, which options and attributes may make another for cc
struct Reckoned {
    __int128 value = 0;
    std::string written;  // the expression, for a message
};

struct Analysis {
    std::vector<StaticObject> statics;
    std::vector<Record*> records;  // in the order of the ends of their definitions
    // in values that must be computed outside of their function
    std::unordered_map<const ast::Expr*, __int128> constants;
    // of block sizes and dimensions of shared types
    std::unordered_map<const ast::Expr*, Reckoned> reckoned;
    // pointers-to-shared with which a struct or array without braces of its own begins in a static initialiser
    std::unordered_set<const ast::Expr*> unbraced;
};

// The last statement of a statement expression, behind its labels, if it gives the value; null if none does
const ast::SimpleStmt* value_statement(const ast::CompoundStmt& body);

// Annotates the tree in place and reports what is wrong.
Analysis check(ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diags,
               const Options& options);

}  // namespace bn::sema
