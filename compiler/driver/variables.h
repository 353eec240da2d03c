// variables.h: the variables that -echo-var prints for makefiles and scripts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/installation.h"

namespace bn::driver {

// The value of a variable; nullopt if the name is unknown
std::optional<std::string> variable_value(const Installation& installation, std::string_view name);

// The names of all variables, for messages
std::string variable_names();

}  // namespace bn::driver
