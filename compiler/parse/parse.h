// parse.h: parses tokens into the syntax tree.
//
// Text that uses no UPC is left to cc.  Therefore
//   - a function is "touched" if its text contains a UPC keyword, a "#pragma upc" or a tainted name.  Tainted names are
//     those declared by external declarations that themselves contain a UPC keyword or a tainted name; of a function
//     definition, only the part before the body counts.  The body of an untouched function is skipped
//     (FunctionDef::body is null) unless Options::full_parse is set, or it belongs to a static function of the program
//     and is a short `{ return expression; }`, which loops may call in their limits (lower/loop_limit.h);
//   - an untouched external declaration that the parser does not understand becomes an Opaque node without a message.
// Errors in touched declarations are reported; parsing resumes at the next statement, member or declaration.
#pragma once

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"

namespace bn::parse {

// Higher trees are rejected with NestingTooDeep, since later stages walk the tree recursively.  Trees are as high as a
// sum has summands: a + b + c is (a + b) + c.
inline constexpr uint32_t kMaxTreeHeight = 50000;
// What these walks need of the stack for each level, at most; 610 bytes measured
inline constexpr uint32_t kStackPerLevel = 1280;

struct Options {
    bool full_parse = false;  // also parse the bodies of untouched functions
    bool old_words = true;    // false: report statements of UPC 1.0
    // for editors: keep the intact parts of declarations with errors, also of untouched ones
    bool keeps_broken = false;
    uint32_t max_height = kMaxTreeHeight;  // what nests may take half as many levels, and at most 1000
};

// The unit lies in `arena`.  It is never null; constructs with errors are missing from it.
ast::Unit* parse(const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diagnostics,
                 const Options& options = {});

}  // namespace bn::parse
