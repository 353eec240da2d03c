// header.cc: include/banyan/team.h compiled as the oldest C++, which is strict enough to stand for the oldest C, too.
#include <banyan/team.h>
