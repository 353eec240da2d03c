// help.h: --help and --version.
#pragma once

#include <string>

#include "driver/installation.h"

namespace bn::driver {

std::string help_text();

// Also asks the C compiler for its version.  With `in_full`, includes all of the C compiler's output, by which build
// systems tell gcc from clang; otherwise only its first line.
std::string version_text(const Installation& installation, bool in_full);

}  // namespace bn::driver
