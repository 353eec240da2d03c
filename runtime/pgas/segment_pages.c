/* segment_pages.c: huge pages for large blocks of shared memory. */
#include "pgas/segment.h"

#include "base/log.h"
#include "platform/huge_pages.h"
#include "platform/memory.h"

#include <errno.h>
#include <string.h>

static void take(struct bn_segments *segments, uint64_t begin, uint64_t size_bytes)
{
    enum { SHARE_OF_AVAILABLE = 2 };
    if (bn_huge_pages_are_touched(begin, begin + size_bytes))
        return;
    /* The block may never be used, so enough memory must remain for threads that do use theirs. */
    uint64_t share_bytes = bn_memory_available_bytes("") / SHARE_OF_AVAILABLE / (uint64_t)segments->thread_count;
    if (size_bytes > share_bytes) {
        bn_log_info(
            "%llu MiB of shared memory use small pages: the share of a thread in the available memory is %llu MiB",
            (unsigned long long)(size_bytes >> 20), (unsigned long long)(share_bytes >> 20));
        return;
    }
    int error;
    uint64_t taken_bytes = bn_huge_pages_take(begin, begin + size_bytes, &error);
    bn_log_info("%llu MiB of %llu MiB of shared memory lie in huge pages%s%s", (unsigned long long)(taken_bytes >> 20),
                (unsigned long long)(size_bytes >> 20), error ? ": " : "", error ? strerror(error) : "");
    if (error == EINVAL || error == EPERM || error == ENOSYS)
        segments->asks_for_huge_pages = false;
}

void bn_segment_use_huge_pages(struct bn_segments *segments, int thread, uint64_t offset, uint64_t size_bytes)
{
    if (!segments->asks_for_huge_pages)
        return;
    int saved_errno = errno;
    take(segments, bn_segment_address(segments, thread, offset), size_bytes);
    errno = saved_errno;
}
