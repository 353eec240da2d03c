/* Each PE writes its number to all others, and prints which of them shmem_ptr reaches. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char host[64];
    char near[256] = "";
    int is_right = 1;
    shmem_init();
    int me = shmem_my_pe();
    int count = shmem_n_pes();
    long *seen = shmem_calloc((size_t)count, sizeof *seen);
    shmem_barrier_all(); /* Open MPI clears the memory after the barrier of the allocation */
    gethostname(host, sizeof host);
    for (int pe = 0; pe < count; ++pe)
        shmem_long_p(seen + me, me + 1, pe);
    shmem_barrier_all();
    for (int pe = 0, used = 0; pe < count; ++pe) {
        is_right = is_right && seen[pe] == pe + 1 && shmem_long_g(seen + me, pe) == me + 1;
        if (shmem_ptr(seen, pe))
            used += snprintf(near + used, sizeof near - (size_t)used, " %d", pe);
    }
    printf("%d of %d on %s: near%s\n", me, count, host, near);
    fflush(stdout);
    shmem_barrier_all();
    shmem_finalize();
    return !is_right;
}
