/*
 * Entry points of Open MPI's Fortran: mpif.h and the module mpi call mpi_bcast_ and the like, in one of the four
 * spellings of Fortran compilers, the module mpi_f08 mpi_bcast_f08_; both with the same arguments, the last of which
 * may be missing in the latter.  Handles are numbers, in mpi_f08 in a structure of their own, which is the same to us.
 */
#include "front/below.h"
#include "platform/atomic_word.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

/* What Fortran passes: a number, or numbers, that is read */
typedef const MPI_Fint *in;

static struct {
    uint32_t is_found;
    __typeof__(PMPI_Comm_f2c) *comm;
    __typeof__(PMPI_Type_f2c) *type;
    __typeof__(PMPI_Op_f2c) *op;
    const void *in_place, *bottom; /* MPI_IN_PLACE and MPI_BOTTOM are variables in Fortran, known by their addresses */
} fortran;

/* The variable as the caller sees it: his shared object may have been loaded for somebody alone, as Python does. */
static void *find_variable(const char *const spellings[], const void *caller)
{
    Dl_info info;
    struct link_map *object = NULL;
    void *handle = NULL, *found = NULL;
    if (dladdr1(caller, &info, (void **)&object, RTLD_DL_LINKMAP) != 0 && object && object->l_name[0] != '\0')
        handle = dlopen(object->l_name, RTLD_NOLOAD | RTLD_LAZY);
    for (int i = 0; i < 4 && !found; i++) {
        found = dlsym(RTLD_DEFAULT, spellings[i]);
        if (!found && handle)
            found = dlsym(handle, spellings[i]);
    }
    return found;
}

static void find(const void *caller)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const char *const in_place[] = {"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__",
                                           "MPI_FORTRAN_IN_PLACE"};
    static const char *const bottom[] = {"mpi_fortran_bottom_", "mpi_fortran_bottom", "mpi_fortran_bottom__",
                                         "MPI_FORTRAN_BOTTOM"};
    pthread_mutex_lock(&lock);
    if (bn_word_get(&fortran.is_found) == 0) {
        bn_below_find();
        fortran.comm = (__typeof__(fortran.comm))bn_below_symbol("PMPI_Comm_f2c");
        fortran.type = (__typeof__(fortran.type))bn_below_symbol("PMPI_Type_f2c");
        fortran.op = (__typeof__(fortran.op))bn_below_symbol("PMPI_Op_f2c");
        fortran.in_place = find_variable(in_place, caller);
        fortran.bottom = find_variable(bottom, caller);
        bn_word_show(&fortran.is_found, 1);
    }
    pthread_mutex_unlock(&lock);
}

static void begin(const void *caller)
{
    if (bn_word_see(&fortran.is_found) == 0)
        find(caller);
}

static void end(MPI_Fint *error, int result)
{
    if (error)
        *error = result;
}

static void *at(void *buffer)
{
    if (buffer == fortran.in_place)
        return MPI_IN_PLACE;
    return buffer == fortran.bottom ? MPI_BOTTOM : buffer;
}

#define COMM(handle) fortran.comm(*(handle))
#define TYPE(handle) fortran.type(*(handle))
#define OP(handle) fortran.op(*(handle))

#define SPELLING(name, lower, parameters) EXPORT void name parameters __attribute__((alias("mpi_" #lower "_")));
#define SPELLINGS(lower, upper, parameters)                                                                            \
    SPELLING(mpi_##lower, lower, parameters)                                                                           \
    SPELLING(mpi_##lower##__, lower, parameters)                                                                       \
    SPELLING(MPI_##upper, lower, parameters)                                                                           \
    SPELLING(mpi_##lower##_f08_, lower, parameters)

#define ENTRY(lower, upper, name, parameters, arguments)                                                               \
    EXPORT void mpi_##lower##_ parameters                                                                              \
    {                                                                                                                  \
        begin(__builtin_return_address(0));                                                                            \
        end(error, MPI_##name arguments);                                                                              \
    }                                                                                                                  \
    SPELLINGS(lower, upper, parameters)

/* clang-format off */
ENTRY(init, INIT, Init, (MPI_Fint *error), (NULL, NULL))
ENTRY(init_thread, INIT_THREAD, Init_thread, (in required, MPI_Fint *provided, MPI_Fint *error),
      (NULL, NULL, *required, provided))
ENTRY(finalize, FINALIZE, Finalize, (MPI_Fint *error), ())

ENTRY(barrier, BARRIER, Barrier, (in comm, MPI_Fint *error), (COMM(comm)))
ENTRY(bcast, BCAST, Bcast, (void *buffer, in count, in type, in root, in comm, MPI_Fint *error),
      (at(buffer), *count, TYPE(type), *root, COMM(comm)))
ENTRY(scatter, SCATTER, Scatter,
      (void *src, in src_count, in src_type, void *dst, in dst_count, in dst_type, in root, in comm, MPI_Fint *error),
      (at(src), *src_count, TYPE(src_type), at(dst), *dst_count, TYPE(dst_type), *root, COMM(comm)))
ENTRY(scatterv, SCATTERV, Scatterv,
      (void *src, in counts, in offsets, in src_type, void *dst, in dst_count, in dst_type, in root, in comm,
       MPI_Fint *error),
      (at(src), counts, offsets, TYPE(src_type), at(dst), *dst_count, TYPE(dst_type), *root, COMM(comm)))
ENTRY(gather, GATHER, Gather,
      (void *src, in src_count, in src_type, void *dst, in dst_count, in dst_type, in root, in comm, MPI_Fint *error),
      (at(src), *src_count, TYPE(src_type), at(dst), *dst_count, TYPE(dst_type), *root, COMM(comm)))
ENTRY(gatherv, GATHERV, Gatherv,
      (void *src, in src_count, in src_type, void *dst, in counts, in offsets, in dst_type, in root, in comm,
       MPI_Fint *error),
      (at(src), *src_count, TYPE(src_type), at(dst), counts, offsets, TYPE(dst_type), *root, COMM(comm)))
ENTRY(allgather, ALLGATHER, Allgather,
      (void *src, in src_count, in src_type, void *dst, in dst_count, in dst_type, in comm, MPI_Fint *error),
      (at(src), *src_count, TYPE(src_type), at(dst), *dst_count, TYPE(dst_type), COMM(comm)))
ENTRY(allgatherv, ALLGATHERV, Allgatherv,
      (void *src, in src_count, in src_type, void *dst, in counts, in offsets, in dst_type, in comm, MPI_Fint *error),
      (at(src), *src_count, TYPE(src_type), at(dst), counts, offsets, TYPE(dst_type), COMM(comm)))
ENTRY(alltoall, ALLTOALL, Alltoall,
      (void *src, in src_count, in src_type, void *dst, in dst_count, in dst_type, in comm, MPI_Fint *error),
      (at(src), *src_count, TYPE(src_type), at(dst), *dst_count, TYPE(dst_type), COMM(comm)))
ENTRY(alltoallv, ALLTOALLV, Alltoallv,
      (void *src, in src_counts, in src_offsets, in src_type, void *dst, in dst_counts, in dst_offsets, in dst_type,
       in comm, MPI_Fint *error),
      (at(src), src_counts, src_offsets, TYPE(src_type), at(dst), dst_counts, dst_offsets, TYPE(dst_type), COMM(comm)))
ENTRY(reduce, REDUCE, Reduce,
      (void *src, void *dst, in count, in type, in op, in root, in comm, MPI_Fint *error),
      (at(src), at(dst), *count, TYPE(type), OP(op), *root, COMM(comm)))
ENTRY(allreduce, ALLREDUCE, Allreduce, (void *src, void *dst, in count, in type, in op, in comm, MPI_Fint *error),
      (at(src), at(dst), *count, TYPE(type), OP(op), COMM(comm)))
ENTRY(reduce_scatter, REDUCE_SCATTER, Reduce_scatter,
      (void *src, void *dst, in counts, in type, in op, in comm, MPI_Fint *error),
      (at(src), at(dst), counts, TYPE(type), OP(op), COMM(comm)))
ENTRY(reduce_scatter_block, REDUCE_SCATTER_BLOCK, Reduce_scatter_block,
      (void *src, void *dst, in count, in type, in op, in comm, MPI_Fint *error),
      (at(src), at(dst), *count, TYPE(type), OP(op), COMM(comm)))
ENTRY(scan, SCAN, Scan, (void *src, void *dst, in count, in type, in op, in comm, MPI_Fint *error),
      (at(src), at(dst), *count, TYPE(type), OP(op), COMM(comm)))
ENTRY(exscan, EXSCAN, Exscan, (void *src, void *dst, in count, in type, in op, in comm, MPI_Fint *error),
      (at(src), at(dst), *count, TYPE(type), OP(op), COMM(comm)))
/* clang-format on */

/* How many blocks this process sends in an alltoall: one to each process, or each process of the other group */
static int find_count(MPI_Comm comm, int *count_p)
{
    int is_inter;
    int result = below.Comm_test_inter(comm, &is_inter);
    if (result != MPI_SUCCESS)
        return result;
    return is_inter ? below.Comm_remote_size(comm, count_p) : below.Comm_size(comm, count_p);
}

/* The one with arrays of handles: `types` has room for twice as many as there are blocks. */
static int exchange(void *src, const in src_table[3], void *dst, const in dst_table[3], MPI_Datatype *types, int count,
                    MPI_Comm comm)
{
    bool is_in_place = src == MPI_IN_PLACE;
    for (int i = 0; i < count; i++) {
        types[i] = is_in_place ? below.no_type : fortran.type(src_table[2][i]);
        types[count + i] = fortran.type(dst_table[2][i]);
    }
    return MPI_Alltoallw(src, src_table[0], src_table[1], types, dst, dst_table[0], dst_table[1], types + count, comm);
}

#define ALLTOALLW_PARAMETERS                                                                                           \
    (void *src, in src_counts, in src_offsets, in src_types, void *dst, in dst_counts, in dst_offsets, in dst_types,   \
     in comm_handle, MPI_Fint *error)

EXPORT void mpi_alltoallw_ ALLTOALLW_PARAMETERS
{
    begin(__builtin_return_address(0));
    MPI_Comm comm = COMM(comm_handle);
    int count;
    int result = find_count(comm, &count);
    if (result == MPI_SUCCESS) {
        MPI_Datatype *types = malloc(2 * (size_t)count * sizeof *types);
        result = types ? exchange(at(src), (in[]){src_counts, src_offsets, src_types}, at(dst),
                                  (in[]){dst_counts, dst_offsets, dst_types}, types, count, comm)
                       : below.Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
        free(types);
    }
    end(error, result);
}
SPELLINGS(alltoallw, ALLTOALLW, ALLTOALLW_PARAMETERS)
