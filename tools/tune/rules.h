// rules.h: from medians to rules.
#pragma once

#include "tune/measure.h"

#include <nlohmann/json.hpp>

namespace bn::tune {

// All measurements of one job
struct Group {
    Plan plan;
    std::vector<Result> results;
};

// The rules of one operation, in the order in which they are tried: the format of coll/table.h.
nlohmann::ordered_json rules_of(const std::vector<Group>& groups, bn_operation operation);

}  // namespace bn::tune
