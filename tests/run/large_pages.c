/*
 * Preloaded into a program: the C library's functions behave as with pages of 64 KiB, as on many ARM systems.  Offsets
 * and addresses that do not begin a page are errors, and lengths are rounded up to pages.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { PAGE = 64 << 10, SMALL = 4096 };

static size_t up(size_t size_bytes)
{
    return (size_bytes + PAGE - 1) / PAGE * PAGE;
}

static int is_refused(const void *address)
{
    if ((uintptr_t)address % PAGE == 0)
        return 0;
    errno = EINVAL;
    return 1;
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

long sysconf(int name)
{
    return name == _SC_PAGESIZE ? PAGE : REAL(sysconf)(name);
}

int getpagesize(void)
{
    return PAGE;
}

void *mmap(void *address, size_t size_bytes, int protection, int flags, int file, off_t offset)
{
    __typeof__(mmap) *real = REAL(mmap);
    if (is_refused((void *)offset) || ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) && is_refused(address)))
        return MAP_FAILED;
    size_bytes = up(size_bytes);
    if (address)
        return real(address, size_bytes, protection, flags, file, offset);
    char *room = real(NULL, size_bytes + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return room;
    char *begin = (char *)up((uintptr_t)room);
    __typeof__(munmap) *release = REAL(munmap);
    if (begin > room)
        release(room, (size_t)(begin - room));
    release(begin + size_bytes, (size_t)(room + PAGE - begin));
    void *mapped = real(begin, size_bytes, protection, flags | MAP_FIXED, file, offset);
    if (mapped == MAP_FAILED) {
        int error = errno;
        release(begin, size_bytes);
        errno = error;
    }
    return mapped;
}

int munmap(void *address, size_t size_bytes)
{
    return is_refused(address) ? -1 : REAL(munmap)(address, up(size_bytes));
}

int madvise(void *address, size_t size_bytes, int advice)
{
    return is_refused(address) ? -1 : REAL(madvise)(address, up(size_bytes), advice);
}

int mprotect(void *address, size_t size_bytes, int protection)
{
    return is_refused(address) ? -1 : REAL(mprotect)(address, up(size_bytes), protection);
}

/* A large page is there if a part of it is. */
int mincore(void *address, size_t size_bytes, unsigned char *is_there)
{
    unsigned char small[PAGE / SMALL];
    if (is_refused(address))
        return -1;
    for (size_t page = 0; page * PAGE < size_bytes; page++) {
        if (REAL(mincore)((char *)address + page * PAGE, PAGE, small) != 0)
            return -1;
        is_there[page] = 0;
        for (int i = 0; i < PAGE / SMALL; i++)
            is_there[page] |= small[i] & 1;
    }
    return 0;
}
