// json.h: access to values sent by a client, whatever their shape: missing values and those of another type are empty.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "json_text.h"

namespace bn::lsp {

using Json = nlohmann::json;

// The member at the end of a path of member names; null if there is none
const Json* find(const Json& value, std::initializer_list<const char*> path);

std::string text_at(const Json& value, std::initializer_list<const char*> path);
std::optional<int64_t> number_at(const Json& value, std::initializer_list<const char*> path);
std::optional<bool> truth_at(const Json& value, std::initializer_list<const char*> path);

}  // namespace bn::lsp
