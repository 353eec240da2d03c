// limits.h: UPC_MAX_BLOCK_SIZE, which the driver predefines as a macro and the checker enforces.
#pragma once

#include <cstdint>

namespace bn::sema {

// The phase of a pointer-to-shared has 32 bits; the macro must be usable as an int.
constexpr uint64_t kMaxBlockSize = 2147483647;

}  // namespace bn::sema
