// predefined.h: the macros that every UPC program finds defined.
#pragma once

#include <string>
#include <vector>

namespace bn::driver {

// As -D arguments.  static_threads is 0 in the dynamic environment; include_dir tells which libraries there are.
std::vector<std::string> predefined_macros(int static_threads, const std::string& include_dir);

}  // namespace bn::driver
