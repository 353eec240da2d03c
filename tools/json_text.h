// json_text.h: JSON that tools write and read.  What it is about may hold anything: a file's name need not be UTF-8,
// and a file need not have what its name says.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

namespace bn {

// UTF-8 that is none is replaced.  `indent`: -1 for a single line.
template <class Json>
std::string json_text(const Json& value, int indent = -1)
{
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// What a file holds; discarded (is_discarded) if it cannot be read, as a folder, or holds something else.
inline nlohmann::ordered_json json_of_file(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return nlohmann::ordered_json::parse(text.str(), nullptr, false);
}

}  // namespace bn
