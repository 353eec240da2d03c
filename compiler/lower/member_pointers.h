// member_pointers.h: pointers-to-shared in private structs, reached as v.data or p->data, that a upc_forall does not
// change.
#pragma once

#include <vector>

#include "lower/effects.h"

namespace bn::lower {

// The occurrences of one such pointer
struct MemberPointer {
    std::vector<ast::Expr*> uses;
    // reached through a pointer, so it may be read only where the program reads it: when the first iteration begins
    bool is_pointed_to = false;
};

// The pointers in the affinity and the body of a upc_forall that are indexed there.  `function` holds the effects of
// the whole function.
std::vector<MemberPointer> member_pointers(const ast::SimpleStmt& stmt, const Effects& function,
                                           const lex::TokenList& tokens);

}  // namespace bn::lower
