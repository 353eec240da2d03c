// memory.h: what the runtime needs for control, for each thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bn::info {

// A row for each number of threads: thread_count, or 2, 64 and 512 if it is 0.  Of structures as they are made; all of
// it is address space, of which a program touches the pages that it uses.
nlohmann::ordered_json memory_facts(int thread_count);

std::string memory_text(const nlohmann::ordered_json& facts);

}  // namespace bn::info
