// help.h: --help and --version.
#pragma once

#include <string>

#include "driver/installation.h"

namespace bn::driver {

std::string help_text();

// Asks the C compiler for its version as well.  In full, prints everything that the C compiler says, by which build
// systems tell gcc from clang; otherwise the first line.
std::string version_text(const Installation& installation, bool in_full);

}  // namespace bn::driver
