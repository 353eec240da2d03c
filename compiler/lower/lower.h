// lower.h: turns UPC constructs into C by attaching lowered forms to nodes; other nodes keep their source text.
#pragma once

#include <string>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"
#include "sema/sema.h"
#include "source/prefix_map.h"

namespace bn::lower {

// The optimisation passes; all are off by default.
struct Passes {
    bool loops = false;  // deal out the iterations of upc_forall instead of testing each one (own_loop.cc)
    // plain pointers for elements known to be on this thread, and for rows that lie on one thread (local.cc)
    bool local = false;
    bool fences = false;  // omit the fence before a strict access that has nothing to wait for (fences.cc)
    bool ahead = false;   // -network=shmem: relaxed far reads also fetch their neighbours (remote.cc)
    bool behind = false;  // -network=shmem: small relaxed far writes are combined (remote.cc)
    bool gather = false;  // -network=shmem: far elements read by index are fetched together (gather.cc)
    // cheaper addresses in loops that load indices from memory (indexed.cc); not with -network=shmem
    bool indexed = false;
    bool independent = false;  // tell the back end, gcc, which loops have independent iterations (independence.h)
    // addresses outside loops are computed by calls, in program phases that compute few of them (outline.cc)
    bool outline = false;
    bool unroll = false;   // make the back end, gcc, unroll loops that access elements by index (indexed.cc)
    bool columns = false;  // loops along the columns of a matrix handle several columns per iteration (columns.cc)

    bool atomic = false;  // atomic operations inline (atomic.cc); not with -network=shmem

    bool operator==(const Passes&) const = default;
    static Passes all() { return {true, true, true, true, true, true, true, true, true, true, true, true}; }
};

constexpr int kMaxThreads = 1024;  // in the window of one node, and in a job on several nodes

struct Options {
    int static_threads = 0;   // 0: dynamic environment
    std::string source_name;  // for the unit record
    bool checks = false;      // -fcheck: emit the checks declared in include/banyan/check.h
    bool counts = false;      // -inst: shared accesses are counted (bn_count_access)
    Passes passes;
    bool far_threads = false;          // -network=shmem: threads may be on other nodes (remote.cc)
    bool calls_for_addresses = false;  // -O0: calls are faster, both to compile and to run (outline.cc)
    bool own_objects = false;          // -pthreads: sema::Options::own_objects
    bool ignores_types = false;        // -fno-strict-aliasing: any object may be accessed as any type
    bool has_retain = false;           // the back end has the attribute `retain` (kept())
    std::string debugger_script;       // -g: the Python program that gdb is to load; empty for none (debug_types.cc)
    source::PrefixMap file_names;      // for names of files in the C, as for __FILE__
    source::PrefixMap debug_names;     // for those that gdb reads
};

// Lowers the unit in place and returns the text to append to it: initial values that need code, and the unit record.
const ast::Lowered* lower(ast::Unit& unit, const sema::Analysis& analysis, const lex::TokenList& tokens,
                          ast::Arena& arena, diag::Diagnostics& diags, const Options& options);

}  // namespace bn::lower
