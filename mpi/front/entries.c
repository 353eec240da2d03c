/* The entry points of the collective operations. */
#include "front/entry.h"

#define ENTRY(name, ...) BN_ENTRY(name, below.name, tools.name, __VA_ARGS__)

#define COUNT int
#define OFFSET int
#define COLLECTIVE ENTRY
#define COLLECTIVE_WITHOUT_COUNTS ENTRY
#include "front/collectives.def"
