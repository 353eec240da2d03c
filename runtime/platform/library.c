#include "platform/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* Weak, because old systems have it in a separate library, and a static executable should not link the loader. */
extern __typeof__(dlsym) dlsym __attribute__((weak));

void *bn_library_loaded_symbol(const char *name)
{
    return dlsym ? dlsym(RTLD_DEFAULT, name) : NULL;
}

static void *open_library(const char *name, int mode)
{
    /* Looked up by name, because the linker warns about every static executable that mentions dlopen. */
    __typeof__(dlopen) *open = (__typeof__(dlopen) *)bn_library_loaded_symbol("dlopen");
    return open ? open(name, mode) : NULL;
}

void *bn_library_open(const char *name)
{
    return open_library(name, RTLD_NOW | RTLD_LOCAL);
}

void *bn_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

struct search {
    uintptr_t address;
    const char *library; /* empty: the program itself */
};

static int look_at(struct dl_phdr_info *info, size_t info_bytes, void *search_p)
{
    (void)info_bytes;
    struct search *search = search_p;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && search->address - (info->dlpi_addr + part->p_vaddr) < part->p_memsz) {
            search->library = info->dlpi_name;
            return 1;
        }
    }
    return 0;
}

void bn_library_keep(const void *address)
{
    struct search search = {(uintptr_t)address, ""};
    dl_iterate_phdr(look_at, &search); /* dladdr would walk through all symbols of the program */
    if (search.library && search.library[0] != '\0')
        open_library(search.library, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
