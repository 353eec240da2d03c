// explain.h: which way a collective uses, and why.
#pragma once

#include "base/options.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace bn::info {

// wish: the name of an operation, as in BANYAN_COLL_<OPERATION>, and the bytes of a block, which may be left out (8).
// thread_count 0: as many as there are usable cores. node_count: the number of machines assumed where several are; 0:
// 2.  Returns null, with the reason reported, if there is no such operation or size, or if there are more nodes than
// threads.
nlohmann::ordered_json collective_facts(const bn_options& options, const std::vector<std::string>& wish,
                                        int thread_count, int node_count);

std::string collective_text(const nlohmann::ordered_json& facts);

}  // namespace bn::info
