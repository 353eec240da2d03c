#include "front/below.h"

#include "base/log.h"
#include "front/tools.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

struct bn_below below;

static void *library; /* as dlopen has it */

void *bn_below_symbol(const char *name)
{
    return library ? dlsym(library, name) : NULL;
}

/* Open MPI's predefined handles are addresses of objects, which its header names through this macro. */
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)find_object(#global))

/* A program that names an object of a library has it itself. */
static void *find_object(const char *name)
{
    void *object = dlsym(RTLD_DEFAULT, name);
    return object ? object : bn_below_symbol(name);
}

/* A library that somebody has loaded for himself */
static int look_at(struct dl_phdr_info *info, size_t size_bytes, void *context)
{
    const char *name = strrchr(info->dlpi_name, '/');
    (void)size_bytes;
    (void)context;
    if (!name || strncmp(name, "/libmpi", strlen("/libmpi")) != 0)
        return 0;
    void *candidate = dlopen(info->dlpi_name, RTLD_NOLOAD | RTLD_LAZY);
    if (!candidate || dlsym(candidate, "PMPI_Init") == NULL)
        return 0;
    library = candidate;
    return 1;
}

/* The library of the whole process, or else of somebody.  Its function is none of those that this library has, too. */
static void find_library(void)
{
    Dl_info info;
    const void *function = dlsym(RTLD_DEFAULT, "PMPI_Comm_rank");
    if (function && dladdr(function, &info) != 0)
        library = dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
    if (!library)
        dl_iterate_phdr(look_at, NULL);
}

/* Of the library that was found, in the words of BN_MPI_ABI */
static const char *abi_found(void)
{
    Dl_info info;
    if (find_object("ompi_mpi_comm_world"))
        return "openmpi";
    bool has_name = dladdr(bn_below_symbol("PMPI_Init"), &info) != 0 && info.dli_fname;
    return has_name && strstr(info.dli_fname, "libmpi_abi") ? "abi" : "mpich";
}

static __attribute__((noreturn)) void end(const char *what)
{
    bn_log_error("libbanyan-mpi-%s: %s; preload the library for the MPI that the program uses, or none", BN_MPI_ABI,
                 what);
    exit(EXIT_FAILURE);
}

void bn_below_find(void)
{
    if (below.is_found)
        return;
    find_library();
    if (!bn_below_symbol("PMPI_Init"))
        end("no MPI library has been loaded into this process");
    if (strcmp(abi_found(), BN_MPI_ABI) != 0)
        end("the MPI library in this process has another ABI");
#define FIND(name) below.name = (__typeof__(below.name))bn_below_symbol("PMPI_" #name);
#define FIND_COLLECTIVE(name, ...) FIND(name)
#define FIND_HANDLE(type, field, handle) below.field = handle;
#define FIND_OP(field, handle, groups) below.field = handle;
#define FIND_TYPE(group, handle) below.types[type++] = handle;
    size_t type = 0;
#define COLLECTIVE FIND_COLLECTIVE
#define COLLECTIVE_WITHOUT_COUNTS FIND_COLLECTIVE
#include "front/collectives.def"
#undef COLLECTIVE
    BN_BELOW_FUNCTIONS(FIND)
    BN_BELOW_HANDLES(FIND_HANDLE)
    BN_BELOW_OPS(FIND_OP)
    BN_BELOW_TYPES(FIND_TYPE)
    bn_tools_find(bn_below_symbol("PMPI_Init"));
    if (bn_below_find_large)
        bn_below_find_large();
    below.is_found = true;
}
