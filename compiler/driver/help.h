// help.h: --help and --version.
#pragma once

#include <string>

#include "driver/installation.h"

namespace bn::driver {

std::string help_text();

// Asks the C compiler for its version, too.
std::string version_text(const Installation& installation);

}  // namespace bn::driver
