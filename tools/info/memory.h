// memory.h: the memory that the runtime needs for its own bookkeeping, per thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bn::info {

// A row for each number of threads: thread_count, or 2, 64 and 512 if it is 0.  The sizes are of the structures as
// allocated.  They are address space; a program touches only the pages that it uses.
nlohmann::ordered_json memory_facts(int thread_count);

std::string memory_text(const nlohmann::ordered_json& facts);

}  // namespace bn::info
