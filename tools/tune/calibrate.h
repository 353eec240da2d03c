// calibrate.h: what banyan-sim has to know of this machine, measured.
#pragma once

#include <string>

namespace bn::tune {

// A description as banyan-sim reads it (sim/description.h), of this machine alone or with `network`, lines that say
// what the network does; "" if a job could not be run, which has been reported.
std::string calibrate(const std::string& network);

}  // namespace bn::tune
