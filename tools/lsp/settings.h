// settings.h: what a user has set in the editor.
#pragma once

#include <string>
#include <vector>

#include "lsp/json.h"

namespace bn::lsp {

struct Settings {
    std::vector<std::string> arguments;  // for files that are not in any compile_commands.json
    // that file, or the folder that contains it; empty to search upwards from each source
    std::string compile_commands;
    enum class Remarks { Off, Inlay, Hints } remarks = Remarks::Inlay;
    bool runs_compiler = true;  // also run the C compiler
    int debounce_ms = 150;
};

// Reads {"upc": {...}}, or its contents; null stands for none.  Missing settings have their defaults, and so do wrong
// ones, of which troubles then says what they have to be.  Relative paths start at root.
Settings settings_of(const Json* given, const std::string& root, std::vector<std::string>& troubles);

}  // namespace bn::lsp
