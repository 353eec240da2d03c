// grants_less.c: loaded by LD_AUDIT, makes the MPI library let threads call it one at a time and no more, as one does
// that was built so.  Banyan finds functions of the library by dlsym, and those of Banyan stay as they are.
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

// The cookie says whether an object is Banyan's.
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
