// reach.h: how private memory of other processes on this machine is reached, which collectives of MPI programs need.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bn::info {

// Tries it with a process of its own, and times it.  Null if no process can be started. @cost Some milliseconds
nlohmann::ordered_json reach_facts();

// One line, without its label
std::string reach_text(const nlohmann::ordered_json& facts);

}  // namespace bn::info
