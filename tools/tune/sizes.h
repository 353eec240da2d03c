// sizes.h: sizes that are no part of a choice, measured: those of coll/table.h.
#pragma once

#include <nlohmann/json.hpp>

namespace bn::tune {

// The size of chunks, and from where on messages go in halves: the object "sizes" of a table, with what was measured in
// "evidence".  What is not worth a change, or could not be measured, is left out.  Some 2 seconds; quick: half of one.
nlohmann::ordered_json measure_sizes(int core_count, bool is_quick);

}  // namespace bn::tune
