/* signal_fence.c: put-with-signal, implemented with OpenSHMEM 1.4. */
#include "transport/signal.h"

#include <shmem.h>

void bn_shmem_put_signal(void *dst, const void *src, size_t size_bytes, uint64_t *word, uint64_t value, int pe)
{
    shmem_putmem(dst, src, size_bytes, pe);
    shmem_fence();
    shmem_ulong_p((unsigned long *)word, value, pe);
}
