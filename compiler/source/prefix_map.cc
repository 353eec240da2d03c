#include "source/prefix_map.h"

#include <algorithm>

namespace bn::source {

void PrefixMap::add(std::string_view old_and_new)
{
    size_t sign = old_and_new.rfind('=');
    if (sign != old_and_new.npos)
        pairs_.emplace_back(old_and_new.substr(0, sign), old_and_new.substr(sign + 1));
}

std::string PrefixMap::apply(std::string_view name) const
{
    auto fits = [&](const auto& pair) { return name.starts_with(pair.first); };
    if (auto found = std::find_if(pairs_.rbegin(), pairs_.rend(), fits); found != pairs_.rend())
        return found->second + std::string(name.substr(found->first.size()));
    return std::string(name);
}

}  // namespace bn::source
