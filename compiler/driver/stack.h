// stack.h: room for the recursion over high trees.
#pragma once

#include <cstdint>

namespace bn::driver {

// Lets the stack of the main thread grow to what trees of parse::kMaxTreeHeight need, as gcc does for itself; programs
// started afterwards inherit that.  Returns the height that there is room for, which is less where the system's limit
// (ulimit -Hs) is.  Call from the main thread.
uint32_t grow_stack();

}  // namespace bn::driver
