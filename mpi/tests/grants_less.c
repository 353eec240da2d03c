// grants_less.c: loaded by LD_AUDIT, makes the MPI library grant at most MPI_THREAD_SERIALIZED, like a library built
// without MPI_THREAD_MULTIPLE.  Banyan looks up the library's functions with dlsym; Banyan's own are not changed.
#define _GNU_SOURCE
#include <link.h>
#include <mpi.h>
#include <string.h>

static int (*below)(int *argc, char ***argv, int required, int *provided);

static int init(int *argc, char ***argv, int required, int *provided)
{
    return below(argc, argv, required < MPI_THREAD_SERIALIZED ? required : MPI_THREAD_SERIALIZED, provided);
}

unsigned la_version(unsigned version)
{
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

// The cookie tells whether an object belongs to Banyan.
unsigned la_objopen(struct link_map *object, Lmid_t space, uintptr_t *cookie)
{
    (void)space;
    *cookie = strstr(object->l_name, "/libbanyan-") != NULL;
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name)
{
    (void)index;
    (void)from;
    if ((*flags & LA_SYMB_DLSYM) == 0 || *to != 0 || strcmp(name, "PMPI_Init_thread") != 0)
        return symbol->st_value;
    below = (int (*)(int *, char ***, int, int *))symbol->st_value;
    return (uintptr_t)init;
}
