/* signal_put.c: put-with-signal of OpenSHMEM 1.5. */
#include "transport/signal.h"

#include <shmem.h>

void bn_shmem_put_signal(void *dst, const void *src, size_t size_bytes, uint64_t *word, uint64_t value, int pe)
{
    shmem_fence(); /* keeps signals to one word in order */
    shmem_putmem_signal(dst, src, size_bytes, word, value, SHMEM_SIGNAL_SET, pe);
}
