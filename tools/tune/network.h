// network.h: what banyan-sim has to know of the network between hosts, measured by a UPC program on them.
#pragma once

#include <string>
#include <vector>

namespace bn::tune {

// Lines of a description (sim/description.h), by pairs of the first host and each other one.  `folder`, which all hosts
// see, has the program while it runs.  "" if that cannot be, which has been reported.
std::string calibrate_network(const std::vector<std::string>& hosts, const std::string& folder);

}  // namespace bn::tune
