// What was pushed must be ended before the aggregate is freed.
// threads: 1 2
// expect-exit: 1
// expect-stderr: banyan_aggregate_all_free: 1 items for thread 0 have not been sent; call banyan_aggregate_end first
#include <banyan_aggregate.h>
#include <upc.h>

static void take(void *context, int from, const void *items, size_t count)
{
    (void)context, (void)from, (void)items, (void)count;
}

int main(void)
{
    char item = 1;
    banyan_aggregate_t *aggregate = banyan_aggregate_all_make(sizeof item, 0, take, NULL);
    banyan_aggregate_push(aggregate, 0, &item);
    banyan_aggregate_all_free(aggregate);
    return 0;
}
