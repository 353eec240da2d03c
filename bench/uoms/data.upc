#include "data.h"

#include "harness/options.h"

#include <string.h>
#include <upc_collective.h>

shared void *data_source;
shared void *data_destination;
volatile long data_sink;

int data_take(struct uoms_run *run, size_t source_bytes, size_t destination_bytes)
{
    data_source = upc_all_alloc(THREADS, uoms_room(source_bytes));
    data_destination = upc_all_alloc(THREADS, uoms_room(destination_bytes));
    if (data_source == NULL || data_destination == NULL)
        return 1;
    /* Touched by the owner, so that it is in the owner's memory region */
    memset(data_own(data_source), 0, uoms_room(source_bytes));
    memset(data_own(data_destination), 0, uoms_room(destination_bytes));
    run->regions[0].data = data_own(data_source);
    run->regions[0].per_byte = run->bytes > 0 ? source_bytes / run->bytes : 0;
    run->regions[1].data = data_own(data_destination);
    run->regions[1].per_byte = run->bytes > 0 ? destination_bytes / run->bytes : 0;
    return 0;
}

void data_give(struct uoms_run *run)
{
    (void)run;
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(data_source);
        upc_free(data_destination);
    }
    upc_barrier;
}

shared void *data_at(shared void *block, int thread)
{
    return (shared void *)((shared char *)block + thread);
}

unsigned char *data_own(shared void *block)
{
    return (unsigned char *)((shared unsigned char *)block + MYTHREAD);
}

int data_flags(const struct uoms_options *options)
{
    static const int in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC};
    static const int out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    return in[options->in] | out[options->out];
}
