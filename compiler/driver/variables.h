// variables.h: what -echo-var tells to makefiles and scripts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/installation.h"

namespace bn::driver {

// The value of a variable; nothing if there is none of that name
std::optional<std::string> variable_value(const Installation& installation, std::string_view name);

// The names of all, for messages
std::string variable_names();

}  // namespace bn::driver
