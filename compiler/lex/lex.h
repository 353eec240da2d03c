// lex.h: splits preprocessed text into tokens.
//
// The lexer never fails.  A character that cannot start a token, and an unterminated string or character constant,
// become tokens of kind Unknown.  The parser reports those in text that it parses; other text is left to cc.  Line
// markers, pragmas other than "#pragma upc" and other directives are treated as white space.
//
// UPC keywords are identifiers in C system headers (soft_keywords.h tells which headers those are), and after "#pragma
// upc c_code"; "#pragma upc upc_code" makes them keywords again.  Both pragmas hold to the end of the file that
// contains them; for a header included under c_code, as for a system header, its text decides.  THREADS and MYTHREAD
// under c_code are left to the parser: c_words.
#pragma once

#include "lex/token.h"
#include "source/source.h"

namespace bn::lex {

struct Options {
    // "asm" and "typeof" are keywords (-std=gnuNN); their spellings with underscores always are
    bool gnu_keywords = true;
    bool is_c23 = false;     // "bool", "typeof" and others are keywords, and numbers may be written 1'000 (-std=gnu23)
    bool old_words = false;  // "barrier" and similar words are statements: -compat=upc-1.0
};

// The result refers to the text of `source`, which must outlive it.
TokenList lex(const source::Source& source, const Options& options = {});

}  // namespace bn::lex
