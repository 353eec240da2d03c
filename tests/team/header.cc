// header.cc: include/banyan/team.h in the oldest C++; strictly, it is the oldest C then, too.
#include <banyan/team.h>
