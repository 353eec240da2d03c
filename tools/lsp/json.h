// json.h: values that a client sent, in whatever shape: what is missing or of another kind is empty.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "json_text.h"

namespace bn::lsp {

using Json = nlohmann::json;

// The member at the end of a path of members; null if there is none
const Json* find(const Json& value, std::initializer_list<const char*> path);

std::string text_at(const Json& value, std::initializer_list<const char*> path);
std::optional<int64_t> number_at(const Json& value, std::initializer_list<const char*> path);
std::optional<bool> truth_at(const Json& value, std::initializer_list<const char*> path);

}  // namespace bn::lsp
