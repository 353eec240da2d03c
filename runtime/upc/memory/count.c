/* count.c: counts shared accesses of programs compiled with upcc -inst. */
#include "banyan/access.h"
#include "profile/span.h"

bn_u64 bn_count_access(bn_u64 address, bn_u64 bytes)
{
    bn_u64 thread = (address - bn_self.window_base) >> BN_STRIDE_SHIFT;
    if (bn_profile_is_on && thread < (bn_u64)bn_self.threads)
        bn_span_count(BN_PROFILE_ACCESS, bytes, (int)thread, __builtin_return_address(0));
    return address;
}
