#include "platform/huge_pages.h"

#include "platform/file.h"
#include "platform/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From Linux 5.14 and 6.1; libc's headers may lack them */
enum { ADVICE_POPULATE_READ = 22, ADVICE_COLLAPSE = 25 };

#define FOLDER "/sys/kernel/mm/transparent_hugepage/"

/* The word in brackets, of a file such as "always within_size advise [never] deny force"; "" if there is none */
static void read_choice(char *word, size_t word_bytes, const char *root, const char *path)
{
    char text[256];
    word[0] = '\0';
    if (!bn_file_read(text, sizeof text, root, "%s", path))
        return;
    const char *begin = strchr(text, '[');
    const char *end = begin ? strchr(begin, ']') : NULL;
    size_t length = end ? (size_t)(end - begin - 1) : 0;
    if (length == 0 || length >= word_bytes)
        return;
    memcpy(word, begin + 1, length);
    word[length] = '\0';
}

struct bn_huge_pages bn_huge_pages_read(const char *root)
{
    char all[32], size[32], bytes[32];
    if (!bn_file_read(bytes, sizeof bytes, root, FOLDER "hpage_pmd_size"))
        return (struct bn_huge_pages){BN_HUGE_NONE, "this system has no transparent huge pages"};
    if (strtoull(bytes, NULL, 10) != BN_HUGE_PAGE_BYTES)
        return (struct bn_huge_pages){BN_HUGE_NONE, "this system's huge pages are not of 2 MiB"};
    read_choice(all, sizeof all, root, FOLDER "shmem_enabled");
    read_choice(size, sizeof size, root, FOLDER "hugepages-2048kB/shmem_enabled");
    if (all[0] == '\0' || strcmp(all, "deny") == 0)
        return (struct bn_huge_pages){BN_HUGE_NONE, all[0] ? "transparent_hugepage/shmem_enabled is deny"
                                                           : "this system has no huge pages for memory files"};
    const char *choice = size[0] != '\0' && strcmp(size, "inherit") != 0 && strcmp(all, "force") != 0 ? size : all;
    if (strcmp(choice, "always") == 0 || strcmp(choice, "within_size") == 0 || strcmp(choice, "force") == 0)
        return (struct bn_huge_pages){BN_HUGE_ON_TOUCH,
                                      "transparent_hugepage/shmem_enabled gives them to all memory files"};
    return (struct bn_huge_pages){BN_HUGE_ON_REQUEST,
                                  "the system gives them to memory files on request alone (MADV_COLLAPSE)"};
}

static bool is_touched(uint64_t page)
{
    unsigned char is_there;
    return mincore((void *)page, bn_memory_page_bytes(), &is_there) != 0 || (is_there & 1);
}

static uint64_t first_page_in(uint64_t begin)
{
    return (begin + BN_HUGE_PAGE_BYTES - 1) & ~((uint64_t)BN_HUGE_PAGE_BYTES - 1);
}

bool bn_huge_pages_are_touched(uint64_t begin, uint64_t end)
{
    int saved_errno = errno;
    uint64_t page = first_page_in(begin);
    bool result = page + BN_HUGE_PAGE_BYTES > end || is_touched(page);
    errno = saved_errno;
    return result;
}

uint64_t bn_huge_pages_take(uint64_t begin, uint64_t end, int *error_p)
{
    int saved_errno = errno;
    uint64_t taken_bytes = 0;
    *error_p = 0;
    for (uint64_t page = first_page_in(begin); page + BN_HUGE_PAGE_BYTES <= end; page += BN_HUGE_PAGE_BYTES) {
        if (is_touched(page))
            continue;
        /* Collapsing fails on a range without any page, so the first page is populated first. */
        if (madvise((void *)page, bn_memory_page_bytes(), ADVICE_POPULATE_READ) != 0 ||
            madvise((void *)page, BN_HUGE_PAGE_BYTES, ADVICE_COLLAPSE) != 0) {
            *error_p = errno;
            break;
        }
        taken_bytes += BN_HUGE_PAGE_BYTES;
    }
    errno = saved_errno;
    return taken_bytes;
}

int bn_huge_pages_try(void)
{
    uint64_t address;
    int file;
    int error = ENOMEM;
    if (bn_memory_reserve(0, BN_HUGE_PAGE_BYTES, BN_HUGE_PAGE_BYTES, 1, &address) != BN_OK)
        return error;
    if (bn_memory_file_create("banyan-try", 0, &file) == BN_OK) {
        if (bn_memory_file_grow(file, BN_HUGE_PAGE_BYTES) &&
            bn_memory_file_map(file, address, BN_HUGE_PAGE_BYTES) == BN_OK)
            bn_huge_pages_take(address, address + BN_HUGE_PAGE_BYTES, &error);
        bn_memory_file_close(file);
    }
    bn_memory_release(address, BN_HUGE_PAGE_BYTES);
    return error;
}
