#include "platform/library.h"

#include <dlfcn.h>
#include <stddef.h>

/* Weak, because old systems have it in a separate library, and a static executable should not link the loader. */
extern __typeof__(dlsym) dlsym __attribute__((weak));

void *bn_library_loaded_symbol(const char *name)
{
    return dlsym ? dlsym(RTLD_DEFAULT, name) : NULL;
}

void *bn_library_open(const char *name)
{
    /* Looked up by name, because the linker warns about every static executable that mentions dlopen. */
    __typeof__(dlopen) *open = (__typeof__(dlopen) *)bn_library_loaded_symbol("dlopen");
    return open ? open(name, RTLD_NOW | RTLD_LOCAL) : NULL;
}

void *bn_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}
