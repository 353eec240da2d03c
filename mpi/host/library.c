#include "host/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/* Finds an MPI library that was loaded with local scope (RTLD_LOCAL). */
static int look_at(struct dl_phdr_info *info, size_t size_bytes, void *library_p)
{
    const char *name = strrchr(info->dlpi_name, '/');
    (void)size_bytes;
    if (!name || strncmp(name, "/libmpi", strlen("/libmpi")) != 0)
        return 0;
    void *candidate = dlopen(info->dlpi_name, RTLD_NOLOAD | RTLD_LAZY);
    if (!candidate || dlsym(candidate, "PMPI_Init") == NULL)
        return 0;
    *(void **)library_p = candidate;
    return 1;
}

/* The shared object that contains a function; null for this object itself, and for none */
static void *object_of(const void *function)
{
    Dl_info info, own;
    if (!function || dladdr(function, &info) == 0 || dladdr((const void *)object_of, &own) == 0)
        return NULL;
    return info.dli_fbase != own.dli_fbase ? dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY) : NULL;
}

const void *bn_library_begin_of(const void *function)
{
    Dl_info info;
    return function && dladdr(function, &info) != 0 ? info.dli_fbase : NULL;
}

void *bn_library_tool(const char *name, const void *library_begin)
{
    void *next = dlsym(RTLD_NEXT, name);
    return next && bn_library_begin_of(next) != library_begin ? next : NULL;
}

void *bn_library_object(const char *name, void *(*look)(const char *name))
{
    void *object = dlsym(RTLD_DEFAULT, name);
    return object ? object : look(name);
}

void *bn_library_find(const char *function_name)
{
    void *library = object_of(dlsym(RTLD_NEXT, function_name));
    if (!library)
        library = object_of(dlsym(RTLD_DEFAULT, function_name));
    if (!library)
        dl_iterate_phdr(look_at, (void *)&library);
    return library;
}
