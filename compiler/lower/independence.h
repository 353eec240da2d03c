// independence.h: dealt loops whose iterations do not depend on each other, so that the back end need not look for
// overlaps.
#pragma once

#include "lower/affinity_loop.h"

namespace bn::lower {

// Whether no iteration writes what another one reads or writes, by what the body says alone:
//
// - each shared array that is written is one of the program's own, by its name, and the body reaches it only at the
//   unit that the affinity names, which differs in each iteration; inside a row, indices are taken to stay there, as in
//   C (6.5.6p8);
// - nothing is read or written through a pointer, which might point to such an array;
// - nothing else is written but private variables that no pointer reaches;
// - there are no calls but of pure functions, no inner loops, no strict accesses and no other order to be kept.
//
// False as well where the body reaches less than two arrays: the back end needs no help then.
// is_own_only: elements of other units may be on other nodes, and reading them there has effects of its own.
bool has_independent_iterations(const AffinityLoop& plan, const ast::Node* body, const lex::TokenList& tokens,
                                int static_threads, bool is_own_only);

}  // namespace bn::lower
