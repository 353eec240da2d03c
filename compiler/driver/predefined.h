// predefined.h: the predefined macros of every UPC program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/command.h"

namespace bn::driver {

// The macros as -D arguments.  static_threads is 0 in the dynamic environment; include_dir shows which libraries are
// installed.
std::vector<std::string> predefined_macros(int static_threads, Network network, bool uses_pthreads,
                                           const std::string& include_dir);

// Whether `compat` names a UPC system that -compat knows.
bool is_known_compat(std::string_view compat);

// The macros by which programs recognise that system, as -D arguments; none if `compat` is empty.
std::vector<std::string> compat_macros(std::string_view compat);

}  // namespace bn::driver
