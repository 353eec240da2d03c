// A function that takes items may push only into aggregates that were made later.
// threads: 1 3
// expect-exit: 1
// expect-stderr: banyan_aggregate_push: called by a function that takes items; it may push only into aggregates made after
#include <banyan_aggregate.h>
#include <upc.h>

static banyan_aggregate_t *aggregate;

static void take(void *context, int from, const void *items, size_t count)
{
    (void)context, (void)count;
    banyan_aggregate_push(aggregate, from, items);
}

int main(void)
{
    long item = 1;
    aggregate = banyan_aggregate_all_make(sizeof item, 0, take, NULL);
    banyan_aggregate_push(aggregate, MYTHREAD, &item);
    banyan_aggregate_end(aggregate);
    return 0;
}
