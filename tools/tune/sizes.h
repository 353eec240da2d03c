// sizes.h: measures sizes that are not part of a choice: those of coll/table.h.
#pragma once

#include <nlohmann/json.hpp>

namespace bn::tune {

// The chunk size, and the message size from which on messages go in halves: the object "sizes" of a table, with the
// measurements in "evidence".  Values that are not worth a change are left out.  Null if a job could not be run, which
// has been reported.  Takes some 2 seconds; quick: half a second.
nlohmann::ordered_json measure_sizes(int core_count, bool is_quick);

}  // namespace bn::tune
