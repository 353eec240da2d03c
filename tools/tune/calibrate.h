// calibrate.h: what banyan-sim has to know of this machine, measured.
#pragma once

#include <string>

namespace bn::tune {

// A description as banyan-sim reads it (sim/description.h); "" if a job could not be run, which has been reported.
std::string calibrate();

}  // namespace bn::tune
