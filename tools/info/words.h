// words.h: how numbers are put into words.
#pragma once

#include <string>

namespace bn::info {

// "1 core", "2 cores"
inline std::string counted(int count, const std::string& thing)
{
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace bn::info
