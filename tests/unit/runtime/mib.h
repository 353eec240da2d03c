// mib.h: what tests count memory in
#pragma once

#include <cstdint>

constexpr uint64_t MiB = 1024 * 1024;
