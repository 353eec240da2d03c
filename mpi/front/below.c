#include "front/below.h"

#include "base/log.h"
#include "front/tools.h"
#include "host/library.h"
#include "types/handles.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define BN_HANDLES_LOOK(name) bn_library_object(name, bn_below_symbol)

struct bn_below bn_below;

static void *library; /* a dlopen handle */
static void
    *behind; /* the MPI library, if `library` is libbanyan-mpi-threads, which stands in front of it; else null */

/* libbanyan-mpi-threads lacks objects and some functions, so these are looked up in the MPI library itself. */
void *bn_below_symbol(const char *name)
{
    void *symbol = library ? dlsym(library, name) : NULL;
    return symbol || !behind ? symbol : dlsym(behind, name);
}

static void find_library(void)
{
    library = bn_library_find("PMPI_Comm_rank");
    void *(*library_behind)(void) = (void *(*)(void))bn_below_symbol("banyan_mpi_library");
    behind = library_behind ? library_behind() : NULL;
}

/* The ABI of the library found, as BN_MPI_ABI names it */
static const char *abi_found(void)
{
    Dl_info info;
    if (bn_library_object("ompi_mpi_comm_world", bn_below_symbol))
        return "openmpi";
    bool has_name = dladdr(bn_below_symbol("PMPI_Init"), &info) != 0 && info.dli_fname;
    bool is_standard = has_name && (strstr(info.dli_fname, "libmpi_abi") || strstr(info.dli_fname, "threads-abi"));
    return is_standard ? "abi" : "mpich";
}

static __attribute__((noreturn)) void end(const char *what)
{
    bn_log_error("libbanyan-mpi-%s: %s; preload the library for the MPI that the program uses, or none", BN_MPI_ABI,
                 what);
    exit(EXIT_FAILURE);
}

bool bn_below_is_fault_tolerant(void)
{
    const bool *is_on = bn_library_object("ompi_ftmpi_enabled", bn_below_symbol);
    return is_on && *is_on;
}

void bn_below_abort(MPI_Comm comm)
{
    bn_log_await_reader();
    bn_below.Abort(comm, EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

static bool pack(const void *from, MPI_Datatype type, void *to, size_t bytes)
{
    int position = 0;
    return bn_below.Pack((void *)from, 1, type, to, (int)bytes, &position, bn_below.self) == MPI_SUCCESS;
}

void bn_below_find(void)
{
    if (bn_below.is_found)
        return;
    find_library();
    if (!bn_below_symbol("PMPI_Init"))
        end("no MPI library has been loaded into this process");
    if (strcmp(abi_found(), BN_MPI_ABI) != 0)
        end("the MPI library in this process has another ABI");
#define FIND(name) bn_below.name = (__typeof__(bn_below.name))bn_below_symbol("PMPI_" #name);
#define FIND_COLLECTIVE(name, ...) FIND(name)
#define FIND_HANDLE(type, field, handle) bn_below.field = handle;
#define FIND_OP(field, handle, groups) bn_below.field = handle;
#define FIND_TYPE(group, handle) bn_below.types[type++] = handle;
    size_t type = 0;
#define COLLECTIVE FIND_COLLECTIVE
#define COLLECTIVE_WITHOUT_COUNTS FIND_COLLECTIVE
#include "front/collectives.def"
#undef COLLECTIVE
    BN_BELOW_FUNCTIONS(FIND)
    BN_BELOW_HANDLES(FIND_HANDLE)
    BN_PREDEFINED_OPS(FIND_OP)
    BN_PREDEFINED_TYPES(FIND_TYPE)
    bn_type_calls_find(bn_below_symbol, pack);
    bn_tools_find(bn_below_symbol("PMPI_Init"));
    if (bn_below_find_large)
        bn_below_find_large();
    bn_below.is_found = true;
}
