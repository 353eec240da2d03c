#include "upc/io/operation.h"

#include "upc/start/launch.h"

#include <stdlib.h>

void bn_io_operation_run(struct bn_io_operation *operation)
{
    if (operation->error != 0)
        return;
    struct bn_io_memory memory = operation->regions ? bn_io_memory_begin(operation->regions, operation->region_count)
                                                    : bn_io_memory_begin(&operation->region, 1);
    operation->error = bn_io_move(operation->storage, operation->direction, memory, &operation->ranges,
                                  operation->buffer, &operation->moved);
}

static void work(void *argument)
{
    struct bn_io_operation *operation = argument;
    bn_io_operation_run(operation);
    bn_event_publish(&operation->done, 1);
}

/* Only the UPC thread itself may access memory of other nodes (transport/transport.h), so all memory must be mapped for
 * a background helper.  The helper also needs the thread's own state, which it shares only if threads are processes. */
static bool is_mapped(const struct bn_io_operation *operation)
{
    return operation->regions ? bn_io_memory_is_mapped(operation->regions, operation->region_count)
                              : bn_io_memory_is_mapped(&operation->region, 1);
}

static bool has_work(const struct bn_io_operation *operation)
{
    return operation->error == 0 && bn_io_file_begin(&operation->ranges).range_bytes > 0;
}

void bn_io_operation_start(struct bn_io_operation *operation)
{
    operation->done = (struct bn_event){0};
    operation->is_in_background = has_work(operation) && is_mapped(operation) && bn_launch_forks_each &&
                                  bn_background_start(&operation->background, work, operation);
    if (!operation->is_in_background)
        bn_io_operation_run(operation);
}

bool bn_io_operation_is_done(struct bn_io_operation *operation)
{
    return !operation->is_in_background || bn_event_has_reached(&operation->done, 1);
}

void bn_io_operation_wait(struct bn_io_operation *operation)
{
    if (operation->is_in_background)
        bn_background_join(&operation->background);
    operation->is_in_background = false;
}

void bn_io_operation_end(struct bn_io_operation *operation)
{
    free(operation->regions);
    free(operation->copied_list);
    operation->regions = NULL;
    operation->copied_list = NULL;
}
