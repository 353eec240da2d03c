// mib.h: the unit of memory in tests
#pragma once

#include <cstdint>

constexpr uint64_t MiB = 1024 * 1024;
