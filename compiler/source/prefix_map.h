// prefix_map.h: new names for files, as -ffile-prefix-map=OLD=NEW and similar options ask for.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bn::source {

class PrefixMap {
public:
    // The value of an option, "OLD=NEW", divided at the last '=' as gcc does; without '=' it is ignored, and refused by
    // the C compiler.
    void add(std::string_view old_and_new);

    // The name with the first part replaced by which it starts; of several that fit, the one added last.
    std::string apply(std::string_view name) const;

private:
    std::vector<std::pair<std::string, std::string>> pairs_;
};

}  // namespace bn::source
