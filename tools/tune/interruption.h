// interruption.h: what an interrupted banyan-tune says.
#pragma once

#include <string>

namespace bn::tune {

// From now on a signal that ends this process first makes it say, once, that the next run resumes from this file.
// Signals that are ignored stay so, as under nohup.
void say_when_interrupted(const std::string& partial_file);

}  // namespace bn::tune
