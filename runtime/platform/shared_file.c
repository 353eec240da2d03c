#include "platform/shared_file.h"

#include "platform/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Growing a file beyond the limit would send SIGXFSZ. */
uint64_t bn_shared_file_most_bytes(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : INT64_MAX;
}

int bn_shared_file_make(uint64_t size_bytes, char path[BN_SHARED_FILE_PATH_BYTES])
{
    bool is_allowed = size_bytes <= bn_shared_file_most_bytes();
    errno = EFBIG;
    int file = is_allowed ? memfd_create("banyan-node", MFD_CLOEXEC) : -1;
    if (file < 0)
        return -1;
    snprintf(path, BN_SHARED_FILE_PATH_BYTES, "/proc/%d/fd/%d", (int)getpid(), file);
    if (ftruncate(file, (off_t)size_bytes) == 0)
        return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

static int make_named(const char *folder, char *path)
{
    int length = snprintf(path, BN_SHARED_FILE_PATH_BYTES, "%s/banyan-node-XXXXXX", folder);
    return length < BN_SHARED_FILE_PATH_BYTES ? mkostemp(path, O_CLOEXEC) : -1;
}

/* On tmpfs a signal ends the call and undoes its work, so without blocking signals retries might go on forever. */
static bool take_memory(int file, uint64_t size_bytes)
{
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    bool is_there = posix_fallocate(file, 0, (off_t)size_bytes) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_there;
}

int bn_shared_file_make_in(const char *folder, uint64_t size_bytes, char *path)
{
    if (size_bytes > bn_shared_file_most_bytes())
        return -1;
    int file = path ? make_named(folder, path) : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0 || take_memory(file, size_bytes))
        return file;
    if (path)
        unlink(path);
    close(file);
    return -1;
}

void bn_shared_file_remove(const char *path)
{
    unlink(path);
}

void bn_shared_file_close(int file)
{
    close(file);
}

/* A lock on one byte, far beyond the mapped part */
static struct flock claim_of(int participant)
{
    return (struct flock){
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (INT64_C(1) << 60) + participant, .l_len = 1};
}

bool bn_shared_file_claim(int file, int participant)
{
    struct flock claim = claim_of(participant);
    return fcntl(file, F_SETLK, &claim) == 0;
}

bool bn_shared_file_is_claimed(int file, int participant)
{
    struct flock claim = claim_of(participant);
    return fcntl(file, F_GETLK, &claim) == 0 && claim.l_type != F_UNLCK;
}

/* Defined if ThreadSanitizer is in this library or in the program into which it is preloaded */
extern void __tsan_init(void) __attribute__((weak));

/* ThreadSanitizer treats an address in its own ranges as a hint, and would have the kernel map at 0. */
static bool is_possible(uint64_t address)
{
    bool is_of_program = address >= 0x7e8000000000 || (address >= 0x550000000000 && address < 0x568000000000);
    return !__tsan_init || address == 0 || is_of_program;
}

void *bn_shared_file_map(int file, uint64_t size_bytes, uint64_t address)
{
    int where = address != 0 ? MAP_FIXED_NOREPLACE : 0;
    if (!is_possible(address))
        return NULL;
    void *memory =
        mmap((void *)address, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | where, file, 0);
    if (memory == MAP_FAILED)
        return NULL;
    if (address == 0 || (uint64_t)memory == address) {
        bn_memory_leave_out_of_cores(memory, size_bytes);
        return memory;
    }
    munmap(memory, size_bytes); /* a kernel older than MAP_FIXED_NOREPLACE takes the address as a hint */
    return NULL;
}

void bn_shared_file_unmap(void *memory, uint64_t size_bytes)
{
    munmap(memory, size_bytes);
}

bool bn_shared_file_mark(int file, uint64_t word)
{
    uint64_t *first = bn_shared_file_map(file, sizeof *first, 0);
    if (!first)
        return false;
    *first = word;
    bn_shared_file_unmap(first, sizeof *first);
    return true;
}

int bn_shared_file_take(const char *path, uint64_t word)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    uint64_t *first = file < 0 ? NULL : bn_shared_file_map(file, sizeof *first, 0);
    bool is_it = first && *first == word;
    if (first)
        bn_shared_file_unmap(first, sizeof *first);
    if (file >= 0 && !is_it)
        bn_shared_file_close(file);
    return is_it ? file : -1;
}
