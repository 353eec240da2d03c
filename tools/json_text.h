// json_text.h: JSON that tools write and read.  Contents are untrusted: a file name need not be UTF-8, and a file need
// not be what its name says.
#pragma once

#include "file_text.h"

#include <string>

#include <nlohmann/json.hpp>

namespace bn {

// Serialises `value`; invalid UTF-8 is replaced.  `indent`: -1 for a single line.
template <class Json>
std::string json_text(const Json& value, int indent = -1)
{
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// `text` with U+FFFD in the place of whatever is not UTF-8
inline std::string as_utf8(const std::string& text)
{
    return nlohmann::json::parse(json_text(nlohmann::json(text))).get<std::string>();
}

// The parsed contents of a file; discarded (is_discarded) if it cannot be read or is not JSON.
inline nlohmann::ordered_json json_of_file(const std::string& file)
{
    return nlohmann::ordered_json::parse(file_text(file).value_or(""), nullptr, false);
}

}  // namespace bn
