// macro_marks.h: marks by which gcc's preprocessor assigns text to system headers, but which hide warnings.
//
// What a macro of a system header yields stands behind "# 3 "a.upc" 3 4".  gcc, which then does not know the macro,
// does not warn of "int i = NULL;" there.
#pragma once

#include <cstdint>
#include <vector>

#include "lex/token.h"

namespace bn::emit {

// A line marker before something in a file of the program that gcc would warn of in a program that it preprocesses
// itself
struct MacroMark {
    uint32_t flags;  // offset of " 3 4" in the preprocessed text, up to the end of the line
    uint32_t line;   // the physical line that follows
};

// The marks of names and constants, in order.  Longer text keeps its mark: it may contain what gcc would warn of,
// although nobody wrote it in the program.
std::vector<MacroMark> hiding_marks(const lex::TokenList& tokens);

}  // namespace bn::emit
