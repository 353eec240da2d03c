// independence.h: dealt loops with independent iterations, so that the back end need not check for overlaps.
#pragma once

#include "lower/affinity_loop.h"

namespace bn::lower {

// Whether the body alone shows that no iteration writes what another one reads or writes:
//
// - each shared array that is written is an array of the program, accessed by name, and the body accesses it only at
//   the unit named by the affinity, which differs in each iteration; an index within a row is assumed to stay in the
//   row, as in C (6.5.6p8);
// - nothing is read or written through a pointer, which might point to such an array;
// - nothing else is written except private variables that no pointer reaches;
// - there are no calls except of pure functions, no inner loops, no strict accesses and no other ordering constraints.
//
// Also false if the body accesses fewer than two arrays: the back end then needs no help.
// is_own_only: elements of other units may be on other nodes, and reading them has side effects.
bool has_independent_iterations(const AffinityLoop& plan, const ast::Node* body, const lex::TokenList& tokens,
                                int static_threads, bool is_own_only);

}  // namespace bn::lower
