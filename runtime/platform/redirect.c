#include "platform/redirect.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct wish {
    const char *library, *function;
    void (*to)(void);
    int count;
};

/* The tables that the dynamic section of a library names */
struct tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * calls, *others;
    size_t calls_bytes, others_bytes;
};

static bool is_of(const char *path, const char *library)
{
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    size_t length = strlen(library);
    return strncmp(file, library, length) == 0 && (file[length] == '\0' || file[length] == '.');
}

static const ElfW(Phdr) * segment_of(const struct dl_phdr_info *info, uint32_t type)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == type)
            return &info->dlpi_phdr[i];
    return NULL;
}

/* Some loaders replace the offsets in the dynamic section by addresses. */
static const void *at(const struct dl_phdr_info *info, ElfW(Addr) place)
{
    return (const void *)(place < info->dlpi_addr ? info->dlpi_addr + place : place);
}

static bool read_tables(const struct dl_phdr_info *info, struct tables *tables)
{
    const ElfW(Phdr) *dynamic = segment_of(info, PT_DYNAMIC);
    *tables = (struct tables){NULL, NULL, NULL, NULL, 0, 0};
    if (!dynamic)
        return false;
    for (const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + dynamic->p_vaddr); entry->d_tag != DT_NULL;
         entry++) {
        switch (entry->d_tag) {
        case DT_SYMTAB: tables->symbols = at(info, entry->d_un.d_ptr); break;
        case DT_STRTAB: tables->names = at(info, entry->d_un.d_ptr); break;
        case DT_JMPREL: tables->calls = at(info, entry->d_un.d_ptr); break;
        case DT_PLTRELSZ: tables->calls_bytes = entry->d_un.d_val; break;
        case DT_RELA: tables->others = at(info, entry->d_un.d_ptr); break;
        case DT_RELASZ: tables->others_bytes = entry->d_un.d_val; break;
        default: break;
        }
    }
    return tables->symbols && tables->names;
}

/* Whether the loader has made the page read-only, as it does with pages that lie wholly in the RELRO segment. */
static bool is_read_only(const struct dl_phdr_info *info, uintptr_t page, uintptr_t page_bytes)
{
    const ElfW(Phdr) *relro = segment_of(info, PT_GNU_RELRO);
    if (!relro)
        return false;
    uintptr_t begin = (info->dlpi_addr + relro->p_vaddr) / page_bytes * page_bytes;
    uintptr_t end = (info->dlpi_addr + relro->p_vaddr + relro->p_memsz) / page_bytes * page_bytes;
    return page >= begin && page < end;
}

static bool write_slot(const struct dl_phdr_info *info, void (**slot)(void), void (*to)(void))
{
    uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot / page_bytes * page_bytes;
    bool has_to_open = is_read_only(info, page, page_bytes);
    if (has_to_open && mprotect((void *)page, page_bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n(slot, to, __ATOMIC_RELEASE); /* other threads may be calling */
    if (has_to_open)
        mprotect((void *)page, page_bytes, PROT_READ);
    return true;
}

static void redirect(const struct dl_phdr_info *info, const struct tables *tables, const ElfW(Rela) * relocations,
                     size_t bytes, struct wish *wish)
{
    for (size_t i = 0; relocations && i < bytes / sizeof *relocations; i++) {
        size_t symbol = ELF64_R_SYM(relocations[i].r_info);
        if (symbol == 0 || relocations[i].r_addend != 0 ||
            strcmp(tables->names + tables->symbols[symbol].st_name, wish->function) != 0)
            continue;
        wish->count += write_slot(info, (void (**)(void))(info->dlpi_addr + relocations[i].r_offset), wish->to);
    }
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    struct wish *wish = context;
    struct tables tables;
    (void)size;
    if (info->dlpi_name && is_of(info->dlpi_name, wish->library) && read_tables(info, &tables)) {
        redirect(info, &tables, tables.calls, tables.calls_bytes, wish);
        redirect(info, &tables, tables.others, tables.others_bytes, wish);
    }
    return 0;
}

int bn_redirect(const char *library, const char *function, void (*to)(void))
{
    struct wish wish = {library, function, to, 0};
    dl_iterate_phdr(look_at, &wish);
    return wish.count;
}
