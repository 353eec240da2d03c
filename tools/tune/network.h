// network.h: measures, with a UPC program on several hosts, what banyan-sim has to know about the network between them.
#pragma once

#include <string>
#include <vector>

namespace bn::tune {

// Lines of a description (sim/description.h), measured between the first host and each other one.  `folder`, which all
// hosts must see, holds the program while it runs. "" if that fails, which has been reported.
std::string calibrate_network(const std::vector<std::string>& hosts, const std::string& folder);

}  // namespace bn::tune
