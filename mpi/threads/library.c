#include "threads/library.h"

#include "base/log.h"
#include "host/library.h"
#include "threads/copies.h"
#include "types/calls.h"

#include <dlfcn.h>
#include <stdlib.h>

struct bn_calls bn_real, bn_tools;
struct bn_handles bn_handles;

static void *library; /* a dlopen handle */

/* Open MPI's predefined handles are addresses of objects, which its header names through this macro. */
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)find_object(#global))

/* A program that refers to an object of a library may contain the copy that counts. */
static __attribute__((unused)) void *find_object(const char *name)
{
    void *object = dlsym(RTLD_DEFAULT, name);
    return object ? object : dlsym(library, name);
}

static const void *begin_of(const void *function)
{
    Dl_info info;
    return function && dladdr(function, &info) != 0 ? info.dli_fbase : NULL;
}

/* A function of the next library behind this one, unless that is the MPI library */
static void *tool(const char *name, const void *library_begin)
{
    void *next = dlsym(RTLD_NEXT, name);
    return next && begin_of(next) != library_begin ? next : NULL;
}

static bool pack(const void *from, MPI_Datatype type, void *to, size_t bytes)
{
    return bn_copy(from, 1, type, to, (MPI_Count)bytes, bn_handles.byte);
}

static void find_type_calls(void)
{
#define GIVE(name) bn_type_calls.name = bn_real.name;
    BN_TYPE_CALLS(GIVE)
    bn_type_calls.Type_get_contents_c = dlsym(library, "PMPI_Type_get_contents_c");
    bn_type_calls.Type_get_envelope_c = dlsym(library, "PMPI_Type_get_envelope_c");
    bn_type_calls.pack = pack;
}

bool bn_library_look(void)
{
    library = bn_library_find("PMPI_Comm_rank");
    if (!library)
        return false;
    const void *begin = begin_of(dlsym(library, "PMPI_Comm_rank"));
#define FIND(name)                                                                                                     \
    bn_real.name = (__typeof__(bn_real.name))dlsym(library, "PMPI_" #name);                                            \
    bn_tools.name = (__typeof__(bn_real.name))tool("MPI_" #name, begin);
    BN_CALLS(FIND)
    find_type_calls();
    bn_handles = (struct bn_handles){
        .world = MPI_COMM_WORLD,
        .self = MPI_COMM_SELF,
        .no_comm = MPI_COMM_NULL,
        .no_info = MPI_INFO_NULL,
        .errors_return = MPI_ERRORS_RETURN,
        .no_process = MPI_MESSAGE_NO_PROC,
        .no_request = MPI_REQUEST_NULL,
        .byte = MPI_BYTE,
        .integer = MPI_INT,
        .packed = MPI_PACKED,
        .number = MPI_UINT64_T,
        .largest = MPI_MAX,
        .smallest = MPI_MIN,
        .bits = MPI_BOR,
        .sum = MPI_SUM,
        .replace = MPI_REPLACE,
        .no_op = MPI_NO_OP,
        .no_type = MPI_DATATYPE_NULL,
#define HANDLE_OF_OP(field, handle, groups) handle,
        .ops = {BN_PREDEFINED_OPS(HANDLE_OF_OP)},
#define HANDLE_OF_TYPE(group, handle) handle,
        .types = {BN_PREDEFINED_TYPES(HANDLE_OF_TYPE)},
        .texts = {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER},
    };
    return true;
}

void bn_library_need(void)
{
    if (bn_library_look())
        return;
    bn_log_error("libbanyan-mpi-threads-%s: no MPI library has been loaded into this process; preload it for programs "
                 "that use one",
                 BN_MPI_ABI);
    exit(EXIT_FAILURE);
}

void bn_library_abort(MPI_Comm comm)
{
    bn_log_await_reader();
    bn_real.Abort(comm, EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

void *banyan_mpi_library(void)
{
    return library ? library : bn_library_find("PMPI_Comm_rank");
}

void *banyan_mpi_tool(const char *name)
{
    return tool(name, begin_of(dlsym(banyan_mpi_library(), "PMPI_Comm_rank")));
}
