/*
 * huge_pages.h: huge pages for memory files.
 *
 * Linux has a separate switch for memory files, shmem_enabled, and it is usually off: touched memory is then supplied 4
 * KiB at a time.  A program may still request each huge page (MADV_COLLAPSE); it gets the page immediately, zeroed, and
 * 10 times as fast as by 512 faults.
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
}; /* larger ones, on systems with pages of 64 KiB, do not fit the window (BN_SKEW_SHIFT) */

enum bn_huge_way {
    BN_HUGE_NONE,
    BN_HUGE_ON_REQUEST, /* only where bn_huge_pages_take requests them */
    BN_HUGE_ON_TOUCH,   /* the system supplies them by itself */
};

/* What the settings of a machine allow, and a sentence that explains it. */
struct bn_huge_pages {
    enum bn_huge_way way;
    const char *why;
};

/* root: "" for this machine; tests give a folder that holds sys of another.  Costs 30 us. */
struct bn_huge_pages bn_huge_pages_read(const char *root);

/*
 * Requests a huge page for each aligned range of BN_HUGE_PAGE_BYTES in [begin, end), mapped from a memory file, whose
 * beginning has not been touched.  Returns the bytes obtained.  If the system refuses, it stops and sets *error_p,
 * which is 0 otherwise; the remaining memory is then supplied in small pages when it is touched.  errno is preserved.
 *
 * @cost 0.1 ms for each page.  The memory lies near the calling thread, and counts as used from now on.
 */
uint64_t bn_huge_pages_take(uint64_t begin, uint64_t end, int *error_p);

/* Whether the first possible huge page in [begin, end) has been touched, wholly or in part; true if there is no room
 * for one.  errno is preserved. */
bool bn_huge_pages_are_touched(uint64_t begin, uint64_t end);

/* Tries to get a huge page in memory of its own.  Returns 0, or the errno with which the system refused. */
int bn_huge_pages_try(void);

#ifdef __cplusplus
}
#endif

#endif
