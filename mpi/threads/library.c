#include "threads/library.h"

#include "base/log.h"
#include "host/library.h"
#include "threads/typed_copies.h"
#include "types/calls.h"
#include "types/handles.h"

#include <dlfcn.h>
#include <stdlib.h>

struct bn_calls bn_below, bn_next_tool;
struct bn_handles bn_handles;

static void *library; /* a dlopen handle */

static void *look(const char *name)
{
    return dlsym(library, name);
}

#define BN_HANDLES_LOOK(name) bn_library_object(name, look)

static bool pack(const void *from, MPI_Datatype type, void *to, size_t bytes)
{
    return bn_typed_copy(from, 1, type, to, (MPI_Count)bytes, bn_handles.byte);
}

bool bn_library_look(void)
{
    library = bn_library_find("PMPI_Comm_rank");
    if (!library)
        return false;
    const void *begin = bn_library_begin_of(look("PMPI_Comm_rank"));
#define FIND(name)                                                                                                     \
    bn_below.name = (__typeof__(bn_below.name))look("PMPI_" #name);                                                    \
    bn_next_tool.name = (__typeof__(bn_below.name))bn_library_tool("MPI_" #name, begin);
    BN_CALLS(FIND)
    bn_type_calls_find(look, pack);
    bn_handles = (struct bn_handles){
        .world = MPI_COMM_WORLD,
        .self = MPI_COMM_SELF,
        .no_comm = MPI_COMM_NULL,
        .no_group = MPI_GROUP_NULL,
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
    bn_below.Abort(comm, EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

void *banyan_mpi_library(void)
{
    return library ? library : bn_library_find("PMPI_Comm_rank");
}

void *banyan_mpi_tool(const char *name)
{
    return bn_library_tool(name, bn_library_begin_of(dlsym(banyan_mpi_library(), "PMPI_Comm_rank")));
}
