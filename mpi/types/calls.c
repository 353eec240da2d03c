#include "types/calls.h"

struct bn_type_calls bn_type_calls;

void bn_type_calls_find(void *(*look)(const char *name), bn_type_pack_function pack)
{
#define FIND(name) bn_type_calls.name = (__typeof__(bn_type_calls.name))look("PMPI_" #name);
    BN_TYPE_CALLS(FIND)
    FIND(Type_get_contents_c)
    FIND(Type_get_envelope_c)
    bn_type_calls.pack = pack;
}
