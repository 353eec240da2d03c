// start.h: the start of a job of many threads, after its processes are there: who is where becomes known to all.
#pragma once

#include "sim/study.h"

namespace bn::sim {

// Prints it; false, with a message on standard error, if something cannot be as it is wished.
bool show_start(const Wishes& wishes);

}  // namespace bn::sim
