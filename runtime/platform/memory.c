#include "platform/memory.h"

#include "base/log.h"
#include "base/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

uint64_t bn_memory_page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Name of the first mapping of this process that overlaps a range, as /proc/self/maps shows it */
static void find_occupant(uint64_t address, uint64_t size_bytes, char *name, size_t name_bytes)
{
    snprintf(name, name_bytes, "something else");
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return;
    char line[512];
    while (fgets(line, sizeof line, maps)) {
        unsigned long long first, end;
        char path[256] = "memory without a name";
        if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %255[^\n]", &first, &end, path) < 2)
            continue;
        if (first < address + size_bytes && end > address) {
            snprintf(name, name_bytes, "%s", path);
            break;
        }
    }
    fclose(maps);
}

bool bn_memory_has_address(uint64_t address)
{
    uint64_t page_bytes = bn_memory_page_bytes();
    void *page = (void *)(address / page_bytes * page_bytes);
    void *memory = mmap(page, page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == MAP_FAILED)
        return errno == EEXIST;
    munmap(memory, page_bytes);
    return memory == page;
}

static int address_bits(void)
{
    int bits = 12;
    while (bits < 63 && bn_memory_has_address(UINT64_C(1) << bits))
        bits++;
    return bits;
}

/* MAP_FAILED if it cannot be had */
static void *map_nothing(uint64_t address, uint64_t size_bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address == 0 ? 0 : MAP_FIXED_NOREPLACE);
    return mmap((void *)address, size_bytes, PROT_NONE, flags, -1, 0);
}

/* How many of the parts there is address space for */
static int parts_that_fit(uint64_t size_bytes, uint64_t align, int parts)
{
    uint64_t part_bytes = size_bytes / (uint64_t)parts;
    for (int fitting = parts - 1; fitting > 0; fitting--) {
        uint64_t tried_bytes = part_bytes * (uint64_t)fitting + align;
        void *memory = map_nothing(0, tried_bytes);
        if (memory != MAP_FAILED) {
            munmap(memory, tried_bytes);
            return fitting;
        }
    }
    return 0;
}

static void report_limit(uint64_t size_bytes, int error)
{
    bn_log_error("cannot reserve %llu GiB of address space for shared memory (%s); lift the limit with "
                 "'ulimit -v unlimited', or run fewer threads",
                 (unsigned long long)size_bytes >> 30, strerror(error));
}

static void report_reserve_failure(uint64_t address, uint64_t size_bytes, uint64_t align, int parts, int error)
{
    if (error == EEXIST || error == EINVAL) {
        char occupant[256];
        find_occupant(address, size_bytes, occupant, sizeof occupant);
        bn_log_error("the address range 0x%llx-0x%llx for shared memory is taken by %s; run without the tool or "
                     "library that maps memory there, or with fewer threads",
                     (unsigned long long)address, (unsigned long long)(address + size_bytes), occupant);
        return;
    }
    struct rlimit limit;
    int fitting = 0;
    if (address == 0 && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY)
        fitting = parts_that_fit(size_bytes, align, parts);
    if (fitting > 0)
        bn_log_error("cannot reserve %llu GiB of address space for shared memory: a process has %d bits of addresses "
                     "on this system; run at most %d %s",
                     (unsigned long long)size_bytes >> 30, address_bits(), fitting,
                     fitting == 1 ? "thread" : "threads");
    else
        report_limit(size_bytes, error);
}

bn_status_t bn_memory_check_limit(uint64_t size_bytes)
{
    if (bn_memory_address_room_bytes("") >= size_bytes)
        return BN_OK;
    report_limit(size_bytes, ENOMEM);
    return BN_ERR_MEMORY;
}

bn_status_t bn_memory_reserve(uint64_t address, uint64_t size_bytes, uint64_t align, int parts, uint64_t *address_p)
{
    uint64_t slack_bytes = address == 0 ? align : 0;
    void *memory = map_nothing(address, size_bytes + slack_bytes);
    int error = memory == MAP_FAILED ? errno : 0;
    if (error == 0 && address != 0 && (uint64_t)memory != address) {
        /* A kernel older than the flag takes the address as a hint. */
        munmap(memory, size_bytes);
        error = EEXIST;
    }
    if (error != 0) {
        report_reserve_failure(address, size_bytes, align, parts, error);
        return BN_ERR_MEMORY;
    }
    uint64_t start = (uint64_t)memory;
    if (slack_bytes > 0) {
        uint64_t aligned = (start + align - 1) & ~(align - 1);
        if (aligned > start)
            munmap(memory, aligned - start);
        if (start + align > aligned)
            munmap((void *)(aligned + size_bytes), start + align - aligned);
        start = aligned;
    }
    *address_p = start;
    return BN_OK;
}

bool bn_memory_is_taken(uint64_t address)
{
    unsigned char is_there;
    uint64_t page = address & ~(bn_memory_page_bytes() - 1);
    return mincore((void *)page, bn_memory_page_bytes(), &is_there) == 0 || errno != ENOMEM;
}

void bn_memory_release(uint64_t address, uint64_t size_bytes)
{
    munmap((void *)address, size_bytes);
}

const char *bn_memory_file_remedy(int error)
{
    switch (error) {
    case EMFILE:
    case ENFILE: return "raise the number of open files with 'ulimit -n', or run fewer threads";
    case EFBIG: return "lift the limit on the size of files with 'ulimit -f unlimited'";
    case EPERM:
    case EACCES:
    case ENOSYS: return "the container or sandbox must allow the system calls memfd_create and ftruncate";
    default: return "run fewer threads, or lift limits on memory";
    }
}

bn_status_t bn_memory_file_create(const char *name, int min_file, int *file_p)
{
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) {
        bn_log_error("cannot make a memory file: %s; %s", strerror(errno), bn_memory_file_remedy(errno));
        return errno == EMFILE || errno == ENFILE ? BN_ERR_LIMIT : BN_ERR_SYSTEM;
    }
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
    int moved = file < min_file ? fcntl(file, F_DUPFD_CLOEXEC, min_file) : -1;
    if (moved >= 0) {
        close(file);
        file = moved;
    }
    *file_p = file;
    return BN_OK;
}

void bn_memory_file_close(int file)
{
    close(file);
}

bn_status_t bn_memory_files_begin(int count, int *min_file_p, uint64_t *old_limit_p)
{
    enum {
        SPARE_FILES = 64, /* for files that are already open above the soft limit */
        /* numbers left to the program; every fork copies a table up to the highest open file */
        LOW_FILES = 4096,
    };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        bn_log_error("cannot find out the limit of open files: %s; the container or sandbox must allow the system call "
                     "prlimit64",
                     strerror(errno));
        return BN_ERR_SYSTEM;
    }
    *old_limit_p = limit.rlim_cur;
    rlim_t first = limit.rlim_cur < LOW_FILES ? limit.rlim_cur : LOW_FILES;
    rlim_t wanted = first + (rlim_t)count + SPARE_FILES;
    if (wanted <= limit.rlim_max) {
        *min_file_p = (int)first;
        if (wanted > limit.rlim_cur) {
            limit.rlim_cur = wanted;
            setrlimit(RLIMIT_NOFILE, &limit);
        }
        return BN_OK;
    }
    if ((rlim_t)count + SPARE_FILES > limit.rlim_max) {
        bn_log_error(
            "%d open files are needed, and their limit is %llu; raise it with 'ulimit -n', or run fewer threads",
            count + SPARE_FILES, (unsigned long long)limit.rlim_max);
        return BN_ERR_LIMIT;
    }
    *min_file_p = (int)(limit.rlim_max - (rlim_t)count - SPARE_FILES / 2);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return BN_OK;
}

void bn_memory_files_done(uint64_t old_limit)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = old_limit;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Excludes memory from valgrind's memcheck, which otherwise would search terabytes of address space for pointers at
 * exit.  It still reports system calls that are given addresses in this memory.  These are its requests
 * MAKE_MEM_NOACCESS and DISABLE_ADDR_ERROR_REPORTING_IN_RANGE; without valgrind the instructions do nothing.
 */
static void bn_memcheck_leave_out(uint64_t address, uint64_t size_bytes)
{
    enum { MEMCHECK = 'M' << 24 | 'C' << 16, NO_ACCESS = MEMCHECK, NO_ADDRESS_ERRORS = MEMCHECK + 14 };
    static const uint64_t requests[] = {NO_ACCESS, NO_ADDRESS_ERRORS};
    for (size_t i = 0; i < 2; ++i) {
        volatile uint64_t arguments[6] = {requests[i], address, size_bytes};
#if defined(__x86_64__)
        uint64_t result = 0;
        __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                         : "+d"(result)
                         : "a"(arguments)
                         : "cc", "memory");
#elif defined(__aarch64__)
        register uint64_t result __asm__("x3") = 0;
        register volatile uint64_t *place __asm__("x4") = arguments;
        __asm__ volatile("ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; orr x10, x10, x10"
                         : "+r"(result)
                         : "r"(place)
                         : "cc", "memory");
#else
        (void)arguments;
#endif
    }
}

void bn_memory_leave_out_of_cores(void *memory, uint64_t size_bytes)
{
    madvise(memory, size_bytes, MADV_DONTDUMP);
}

bn_status_t bn_memory_file_map(int file, uint64_t address, uint64_t size_bytes)
{
    int flags = MAP_SHARED | MAP_FIXED | MAP_NORESERVE;
    if (mmap((void *)address, size_bytes, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) {
        bn_log_error("cannot map shared memory: %s; run fewer threads", strerror(errno));
        return BN_ERR_MEMORY;
    }
    bn_memory_leave_out_of_cores((void *)address, size_bytes);
    bn_memcheck_leave_out(address, size_bytes);
    return BN_OK;
}

bool bn_memory_mirror(const void *pages, uint64_t size_bytes, uint64_t address)
{
    /* An old size of 0 duplicates a shared mapping.  Calls the system directly, because network libraries replace
     * libc's mremap by a function that loses the address. */
    long mapped = syscall(SYS_mremap, pages, 0L, size_bytes, (long)(MREMAP_MAYMOVE | MREMAP_FIXED), address);
    return (uint64_t)mapped == address;
}

uint64_t bn_memory_file_most_bytes(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

/* Returns 0 or an errno value. */
static int grow(int file, uint64_t size_bytes)
{
    /* Growing beyond the limit on file sizes would send SIGXFSZ. */
    if (size_bytes > bn_memory_file_most_bytes())
        return EFBIG;
    return ftruncate(file, (off_t)size_bytes) == 0 ? 0 : errno;
}

bool bn_memory_file_grow(int file, uint64_t size_bytes)
{
    int saved_errno = errno;
    bool has_grown = grow(file, size_bytes) == 0;
    errno = saved_errno;
    return has_grown;
}

bn_status_t bn_memory_file_hold(int file, uint64_t size_bytes, const char *what)
{
    int error = size_bytes > 0 ? grow(file, size_bytes) : 0;
    if (error == 0)
        return BN_OK;
    char size[32];
    bn_format_bytes(size_bytes, size, sizeof size);
    bn_log_error("cannot make room for %s of %s: %s; %s", size, what, strerror(error), bn_memory_file_remedy(error));
    return BN_ERR_MEMORY;
}

/* The whole pages among some bytes; none if end <= begin */
struct pages {
    uint64_t page_bytes, begin, end;
};

static struct pages pages_in(uint64_t address, uint64_t size_bytes)
{
    uint64_t page_bytes = bn_memory_page_bytes();
    return (struct pages){page_bytes, (address + page_bytes - 1) / page_bytes * page_bytes,
                          (address + size_bytes) / page_bytes * page_bytes};
}

/* madvise would also remove the rest of the last page. */
void bn_memory_discard(uint64_t address, uint64_t size_bytes)
{
    int saved_errno = errno;
    struct pages pages = pages_in(address, size_bytes);
    if (pages.begin < pages.end)
        madvise((void *)pages.begin, pages.end - pages.begin, MADV_REMOVE);
    errno = saved_errno;
}

/* Zeroes pages that are not in memory: never touched, or swapped out. */
static void clear_absent(unsigned char *pages, uint64_t size_bytes)
{
    int saved_errno = errno;
    if (madvise(pages, size_bytes, MADV_REMOVE) != 0)
        memset(pages, 0, size_bytes);
    errno = saved_errno;
}

static void clear_pages(unsigned char *pages, uint64_t size_bytes, uint64_t page_bytes)
{
    enum { PAGES_AT_A_TIME = 4096 };
    unsigned char is_there[PAGES_AT_A_TIME];
    for (uint64_t done = 0, part; done < size_bytes; done += part) {
        unsigned char *begin = pages + done;
        part = size_bytes - done < PAGES_AT_A_TIME * page_bytes ? size_bytes - done : PAGES_AT_A_TIME * page_bytes;
        if (mincore(begin, part, is_there) != 0)
            memset(is_there, 1, sizeof is_there);
        for (uint64_t page = 0, next, count = part / page_bytes; page < count; page = next) {
            bool are_there = is_there[page] & 1;
            for (next = page + 1; next < count && (is_there[next] & 1) == are_there; next++)
                ;
            if (are_there)
                memset(begin + page * page_bytes, 0, (next - page) * page_bytes);
            else
                clear_absent(begin + page * page_bytes, (next - page) * page_bytes);
        }
    }
}

void bn_memory_clear(void *memory, uint64_t size_bytes)
{
    uint64_t begin = (uint64_t)memory, end = begin + size_bytes;
    struct pages pages = pages_in(begin, size_bytes);
    if (pages.begin >= pages.end) {
        memset(memory, 0, size_bytes);
        return;
    }
    memset(memory, 0, pages.begin - begin);
    clear_pages((unsigned char *)pages.begin, pages.end - pages.begin, pages.page_bytes);
    memset((void *)pages.end, 0, end - pages.end);
}

bn_status_t bn_memory_share(uint64_t size_bytes, void **memory_p)
{
    /* A memory file, because the system charges anonymous shared memory in full before it is touched. */
    int file = memfd_create("banyan-control", MFD_CLOEXEC);
    void *memory = MAP_FAILED;
    int error = file < 0 ? errno : grow(file, size_bytes);
    if (error == 0) {
        memory = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
        error = errno;
    }
    if (file >= 0)
        close(file);
    if (memory == MAP_FAILED) {
        bn_log_error("cannot get %llu KiB of shared memory: %s; %s", (unsigned long long)((size_bytes + 1023) >> 10),
                     strerror(error), bn_memory_file_remedy(error));
        return BN_ERR_MEMORY;
    }
    bn_memory_leave_out_of_cores(memory, size_bytes);
    *memory_p = memory;
    return BN_OK;
}

bn_status_t bn_memory_share_table(uint64_t size_bytes, void **memory_p)
{
    bn_status_t status = bn_memory_share(size_bytes, memory_p);
    if (status == BN_OK)
        bn_memcheck_leave_out((uint64_t)*memory_p, size_bytes);
    return status;
}

bn_status_t bn_memory_zeros(uint64_t size_bytes, void **memory_p)
{
    void *memory = mmap(NULL, size_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        report_reserve_failure(0, size_bytes, 0, 1, errno);
        return BN_ERR_MEMORY;
    }
    *memory_p = memory;
    return BN_OK;
}

void bn_memory_unshare(void *memory, uint64_t size_bytes)
{
    munmap(memory, size_bytes);
}
