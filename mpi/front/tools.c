#include "front/tools.h"

#include "front/below.h"
#include "host/library.h"

struct bn_next_tool bn_next_tool;

static const void *library;               /* its base address */
static void *(*behind)(const char *name); /* libbanyan-mpi-threads's look-up of tools, if that is the library */

void *bn_tools_symbol(const char *name)
{
    void *tool = bn_library_tool(name, library);
    return tool || !behind ? tool : behind(name);
}

void bn_tools_find(const void *of_library)
{
    library = bn_library_begin_of(of_library);
    behind = (void *(*)(const char *))bn_below_symbol("banyan_mpi_tool");
#define FIND(name, ...) bn_next_tool.name = (__typeof__(bn_next_tool.name))bn_tools_symbol("MPI_" #name);
#define COLLECTIVE FIND
#define COLLECTIVE_WITHOUT_COUNTS FIND
#include "front/collectives.def"
    FIND(Comm_disconnect)
    FIND(Comm_free)
    FIND(Init)
    FIND(Init_thread)
    FIND(Finalize)
    FIND(Op_free)
    FIND(Type_free)
}
