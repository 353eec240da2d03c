// translate.h: from preprocessed UPC to C, the whole way through the stages.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ast/arena.h"
#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "emit/emit.h"
#include "lex/token.h"
#include "lower/lower.h"
#include "source/source.h"

namespace bn::driver {

struct TranslateOptions {
    std::string source_name;           // as the user wrote it; named in the unit's record
    int static_threads = 0;            // -T N; 0 in the dynamic environment
    bool may_be_c = false;             // the file's name does not say that it is UPC
    bool old_words = false;            // statements of UPC 1.0 are wanted
    bool full_parse = false;           // look into functions that use nothing of UPC, too (tests)
    bool checks = false;               // -fcheck: emit checks for run time
    bool counts = false;               // -inst: count shared accesses at run time
    lower::Passes passes;              // what is done for speed
    bool own_objects = false;          // private static objects are of a thread, not of a process: -pthreads
    bool far_threads = false;          // threads may be on other nodes: -network=shmem
    bool calls_for_addresses = false;  // -O0
    std::string debugger_script = {};  // -g: what gdb is to load; empty for none
    bool gnu_keywords = true;          // "asm" and "typeof" are keywords: -std=gnuNN
    bool ms_extensions = false;        // a struct or union with a tag can be a member without a name
    bool is_c23 = false;               // so are "bool", "nullptr" and others
    bool keeps_tree = false;           // TranslateResult::tree is wanted
    std::string edited_file = {};      // one that an editor holds, by its name in line markers; empty for none
    std::string edited_text = {};      // what it has there
    diag::Options diagnostics;
};

// What tells where in the source a place in emitted C comes from
struct Origin {
    source::Source source;
    lex::TokenList tokens;          // of `source`
    std::vector<emit::Part> parts;  // of the C; none if there was an error
};

// The program as it was understood, with what the lowering made of it
struct Tree {
    ast::Arena arena;
    ast::Unit* unit = nullptr;
};

struct TranslateResult {
    bool ok = false;                  // no errors
    std::string c;                    // the translation, if ok
    bool uses_upc = false;            // something is UPC
    bool is_plain_c = false;          // nothing is, and no record is needed: `c` is what was given
    std::string names_of_c;           // words of UPC that are names of C here, for a message; empty if none is
    bool has_own_loops = false;       // loops over what a thread owns, for the vectoriser
    std::string messages;             // diagnostics, ready to be written to stderr
    std::vector<diag::Message> told;  // the same as values
    std::unique_ptr<Origin> origin;
    std::unique_ptr<Tree> tree;  // of the tokens of `origin`
};

// `preprocessed` is the output of `cc -E -include banyan/access.h`.
TranslateResult translate(std::string preprocessed, const TranslateOptions& options);

}  // namespace bn::driver
