/* The entry points of the collective operations. */
#include "front/entry.h"

#define ENTRY(name, ...) BN_ENTRY(name, bn_below.name, bn_next_tool.name, __VA_ARGS__)

#define COUNT int
#define OFFSET int
#define COLLECTIVE ENTRY
#define COLLECTIVE_WITHOUT_COUNTS ENTRY
#include "front/collectives.def"
