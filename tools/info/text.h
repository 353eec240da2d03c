// text.h: the facts as text for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bn::info {

std::string build_text(const nlohmann::ordered_json& facts);
std::string machine_text(const nlohmann::ordered_json& facts);
std::string job_text(const nlohmann::ordered_json& facts);
std::string option_text(const nlohmann::ordered_json& facts);

}  // namespace bn::info
