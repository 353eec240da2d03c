// macros.h: macros of a program that stand in the place of UPC's words.
//
// The preprocessor is the system's, and what it leaves does not tell that "shared" was a macro.  So the source files
// are searched for such definitions, and if one may be there, the preprocessor is asked for all definitions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostics.h"

namespace bn::driver {

// Whether a file that `preprocessed` was made of, system headers aside, or one of the options has a definition of a
// word of UPC, be it where the preprocessor does not come
bool may_define_keyword(std::string_view preprocessed, const std::vector<std::string>& options);

// Whether the text of a source file has a definition of a word of UPC, somewhere
bool defines_keyword(std::string_view text);

struct MacroCheck {
    bool ok = true;                       // no error, which the options may make of a warning
    std::string text;                     // of all messages
    std::vector<diag::Message> messages;  // the same as values
};

// Warns of words of UPC that are macros at the end of the unit.  Those that are undefined before, or mean themselves,
// are no harm, and so are `predefined` ones ("-DTHREADS=4").  `definitions` is what cc -E -dD says.
MacroCheck check_macros(std::string definitions, const std::string& source_name,
                        const std::vector<std::string>& predefined, const diag::Options& options);

}  // namespace bn::driver
