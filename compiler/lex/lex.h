// lex.h: from preprocessed text to tokens.
//
// The lexer never fails.  A character that begins no token, and an unterminated string or character constant, become
// tokens of kind Unknown.  The parser reports those that it meets; text that it does not parse is left to cc.  Line
// markers, pragmas other than "#pragma upc" and other directives are white space.
//
// UPC's keywords are identifiers in system headers of C (soft_keywords.h tells which are), and after "#pragma upc
// c_code";
// "#pragma upc upc_code" makes them keywords again.  Both hold to the end of the file that contains them; a header that
// is included under c_code is, like one of a system, what its text tells.  THREADS and MYTHREAD under c_code are for
// the parser: c_words.
#pragma once

#include "lex/token.h"
#include "source/source.h"

namespace bn::lex {

struct Options {
    bool gnu_keywords = true;  // "asm" and "typeof" are keywords (-std=gnuNN); their __spellings__ always are
    bool is_c23 = false;       // so are "bool", "typeof" and others, and numbers may be written 1'000 (-std=gnu23)
    bool old_words = false;    // "barrier" and the like are meant to be statements: -compat=upc-1.0
};

// The result refers to the text of `source`, which must outlive it.
TokenList lex(const source::Source& source, const Options& options = {});

}  // namespace bn::lex
