// lower.h: turns the constructs of UPC into C by giving nodes a lowered form; nodes without one stay as they were
// written.
#pragma once

#include <string>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"
#include "sema/sema.h"

namespace bn::lower {

// The optimisations; none is on unless asked for.
struct Passes {
    bool loops = false;   // deal out the iterations of upc_forall instead of testing each (dealt_loop.cc)
    bool local = false;   // plain pointers where an element is known to be on this thread, or a row on one (local.cc)
    bool fences = false;  // no fence before a strict access that has nothing to wait for (fences.cc)
    bool ahead = false;   // -network=shmem: relaxed far reads also fetch their neighbours (remote.cc)
    bool behind = false;  // -network=shmem: small relaxed far writes are collected (remote.cc)
    bool gather = false;  // -network=shmem: far elements by index are fetched together (gather.cc)
    // cheaper addresses in loops that take indices from memory (indexed.cc); not with -network=shmem
    bool indexed = false;
    bool independent = false;  // tell the back end, gcc, where iterations do not depend on each other (independence.h)
    bool outline = false;  // calls for addresses outside of loops, where each phase of the program has few (outline.cc)
    bool unroll = false;   // tell the back end, gcc, to take several elements by index in a turn (indexed.cc)
    bool columns = false;  // several columns of a matrix in a turn of a loop along them (columns.cc)

    bool atomic = false;  // atomic operations in place (atomic.cc); not with -network=shmem

    static Passes all() { return {true, true, true, true, true, true, true, true, true, true, true, true}; }
};

constexpr int kMaxThreads = 1024;  // threads in the window of one node, and of a job on several

struct Options {
    int static_threads = 0;   // 0: dynamic environment
    std::string source_name;  // for the unit's record
    bool checks = false;      // -fcheck: emit what include/banyan/check.h declares
    bool counts = false;      // -inst: shared accesses are counted (bn_count_access)
    Passes passes;
    bool far_threads = false;          // -network=shmem: threads may be on other nodes (remote.cc)
    bool calls_for_addresses = false;  // -O0: calls are faster, for the back end and in the program (outline.cc)
    bool own_objects = false;          // -pthreads: sema::Options::own_objects
    std::string debugger_script;       // -g: the program in Python that gdb is to load; empty for none (debug_types.cc)
};

// Lowers the unit in place and returns the text to append to it: initial values that need code, and the unit's record.
const ast::Lowered* lower(ast::Unit& unit, const sema::Analysis& analysis, const lex::TokenList& tokens,
                          ast::Arena& arena, diag::Diagnostics& diags, const Options& options);

}  // namespace bn::lower
