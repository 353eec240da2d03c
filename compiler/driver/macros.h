// macros.h: macros of a program that have the name of a UPC keyword.
//
// The preprocessor is the system's, and its output does not show that "shared" was a macro.  So the source files are
// searched for such definitions, and if there may be one, the preprocessor is asked to list all definitions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostics.h"

namespace bn::driver {

// Whether one of the options, or a file from which `preprocessed` was made (except system headers), defines a UPC
// keyword as a macro, even in a part that the preprocessor skips
bool may_define_keyword(std::string_view preprocessed, const std::vector<std::string>& options);

// Whether the text of a source file contains a definition of a UPC keyword
bool defines_keyword(std::string_view text);

struct MacroCheck {
    bool ok = true;                       // no error; options may turn warnings into errors
    std::string text;                     // the text of all messages
    std::vector<diag::Message> messages;  // the same as values
};

// Warns of UPC keywords that are macros at the end of the unit.  Macros that were undefined before, or expand to
// themselves, are harmless, and so are `predefined` ones ("-DTHREADS=4").  `definitions` is the output of cc -E -dD.
MacroCheck check_macros(std::string definitions, const std::string& source_name,
                        const std::vector<std::string>& predefined, const diag::Options& options);

}  // namespace bn::driver
