/* Preloaded into a program: addresses have 39 bits, and a third of them is taken, as with some kernels for ARM. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>

#define HIGHEST (UINT64_C(1) << 39)

void *mmap(void *address, size_t size_bytes, int protection, int flags, int file, off_t offset)
{
    if ((flags & MAP_FIXED_NOREPLACE) != 0 ? (uint64_t)address + size_bytes > HIGHEST : size_bytes > HIGHEST / 3 * 2) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return ((__typeof__(mmap) *)dlsym(RTLD_NEXT, "mmap"))(address, size_bytes, protection, flags, file, offset);
}
