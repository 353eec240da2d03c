// driver.h: the command upcc, from its arguments to its exit status.
#pragma once

#include <string>
#include <vector>

namespace bn::driver {

// `arguments` without the program's name
int run_driver(std::vector<std::string> arguments);

}  // namespace bn::driver
