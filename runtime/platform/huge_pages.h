/*
 * huge_pages.h: memory files in pages of some megabytes.
 *
 * Linux has a switch of its own for files in memory, shmem_enabled, and as a rule it is off: what is touched comes 4
 * KiB at a time. A program may still ask for each huge page (MADV_COLLAPSE), which gives it at once, zeroed, and 10
 * times as fast as 512 faults.
 */
#ifndef BN_PLATFORM_HUGE_PAGES_H
#define BN_PLATFORM_HUGE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BN_HUGE_PAGE_BYTES = 2 << 20
}; /* larger ones, of systems whose pages have 64 KiB, do not fit the window (BN_SKEW_SHIFT) */

enum bn_huge_way {
    BN_HUGE_NONE,
    BN_HUGE_ON_REQUEST, /* where bn_huge_pages_take asks for them */
    BN_HUGE_ON_TOUCH,   /* the system gives them by itself */
};

/* What the settings of a machine allow, and a sentence about it. */
struct bn_huge_pages {
    enum bn_huge_way way;
    const char *why;
};

/* root: "" for this machine; tests give a folder that holds sys of another.  Costs 30 us. */
struct bn_huge_pages bn_huge_pages_read(const char *root);

/*
 * Asks for huge pages where BN_HUGE_PAGE_BYTES at a multiple of that lie in [begin, end), mapped from a memory file,
 * and nobody has touched their beginning.  Returns the bytes that came so.  Where the system refuses, it stops and sets
 * *error_p, which is 0 otherwise; that memory then comes in small pages when it is touched.  errno is kept.
 *
 * @cost 0.1 ms for each page.  The memory lies near the calling thread, and counts as used from now on.
 */
uint64_t bn_huge_pages_take(uint64_t begin, uint64_t end, int *error_p);

/* Whether the first huge page in [begin, end) is there, wholly or in part; true if there is no room for one.  errno is
 * kept. */
bool bn_huge_pages_are_touched(uint64_t begin, uint64_t end);

/* Tries it with a page of its own: 0, or the errno of the system's refusal. */
int bn_huge_pages_try(void);

#ifdef __cplusplus
}
#endif

#endif
