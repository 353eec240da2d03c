// translate.h: translates preprocessed UPC to C, through all stages.
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
#include "source/prefix_map.h"
#include "source/source.h"

namespace bn::driver {

// Those of all stages; the ones that other stages share with the lowering are among its own.
struct TranslateOptions : lower::Options {
    bool may_be_c = false;         // the file name does not say that it is UPC
    bool old_words = false;        // accept statements of UPC 1.0
    bool full_parse = false;       // also parse functions that use no UPC (for tests)
    bool gnu_keywords = true;      // "asm" and "typeof" are keywords: -std=gnuNN
    bool ms_extensions = false;    // a struct or union with a tag can be a member without a name
    bool is_c23 = false;           // "bool", "nullptr" and others are keywords, too
    sema::Machine machine = {};    // as access.h says
    bool keeps_tree = false;       // TranslateResult::tree is wanted
    std::string edited_file = {};  // name, as in line markers, of a file being edited; empty for none
    std::string edited_text = {};  // its contents in the editor
    diag::Options diagnostics;
};

// Maps places in emitted C back to the source
struct Origin {
    source::Source source;
    lex::TokenList tokens;          // of `source`
    std::vector<emit::Part> parts;  // of the C; none if there was an error
};

// The program as analysed, including the results of the lowering
struct Tree {
    ast::Arena arena;
    ast::Unit* unit = nullptr;
};

struct TranslateResult {
    bool ok = false;                  // no errors
    std::string c;                    // the translation, if ok
    bool uses_upc = false;            // it uses UPC
    bool is_plain_c = false;          // it does not, and needs no unit record: `c` is the input unchanged
    std::string names_of_c;           // UPC keywords that are ordinary C names here, for a message; empty if none
    bool has_own_loops = false;       // it has loops over the iterations of one thread, for the vectoriser
    std::string messages;             // diagnostics as text for stderr
    std::vector<diag::Message> told;  // diagnostics as values
    std::unique_ptr<Origin> origin;
    std::unique_ptr<Tree> tree;  // refers to the tokens of `origin`
};

// `preprocessed` is the output of `cc -E -include banyan/access.h`.
TranslateResult translate(std::string preprocessed, const TranslateOptions& options);

}  // namespace bn::driver
