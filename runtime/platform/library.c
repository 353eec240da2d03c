#include "platform/library.h"

#include <dlfcn.h>
#include <stddef.h>

/* Weak, so that a static executable neither takes the loader in nor is warned about it, and old systems need no -ldl. */
extern __typeof__(dlopen) dlopen __attribute__((weak));
extern __typeof__(dlsym) dlsym __attribute__((weak));

void *bn_library_open(const char *name)
{
    return dlopen && dlsym ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *bn_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}
