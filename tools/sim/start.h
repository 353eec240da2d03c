// start.h: the startup of a large job once its processes exist: how all of them learn which thread is where.
#pragma once

#include "sim/study.h"

namespace bn::sim {

// Prints it; false, with a message on standard error, if the request cannot be met.  Throws WrongCommandLine.
bool show_start(const Wishes& wishes);

}  // namespace bn::sim
