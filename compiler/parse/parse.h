// parse.h: from tokens to the syntax tree.
//
// Text that uses nothing of UPC is left to cc.  Hence
//   - a function is "touched" if its text holds a keyword of UPC, a "#pragma upc" or a tainted name.  Tainted are the
//     names declared by external declarations that hold a keyword of UPC or a tainted name themselves; of a function
//     definition only what stands before the body counts.  The body of an untouched function is skipped
//     (FunctionDef::body is null) unless Options::full_parse is set, or it is that of a static function of the program
//     and a short `{ return expression; }`: loops may call it to find their limit (lower/loop_limit.h);
//   - an untouched external declaration that the parser does not understand becomes an Opaque node without a message.
// Errors in touched declarations are reported; parsing goes on at the next statement, member or declaration.
#pragma once

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"

namespace bn::parse {

struct Options {
    bool full_parse = false;    // look into the bodies of untouched functions, too
    bool old_words = true;      // false: report statements of UPC 1.0
    bool keeps_broken = false;  // for editors: of declarations in error keep what is sound, also of untouched ones
};

// Nodes nested deeper than this are refused with NestingTooDeep, so later stages may walk the tree recursively.
inline constexpr uint32_t kMaxTreeHeight = 2000;

// The unit lies in `arena`.  It is never null; after an error it lacks the constructs that were in error.
ast::Unit* parse(const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diagnostics,
                 const Options& options = {});

}  // namespace bn::parse
