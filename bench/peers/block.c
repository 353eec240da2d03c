#include "block.h"

#include "harness/options.h"

#include <string.h>

unsigned char *block_source;
unsigned char *block_destination;

static size_t source_bytes(const struct uoms_run *run)
{
    int kind = run->bench->param;
    return run->bytes * (size_t)(kind == BLOCK_SCATTER || kind == BLOCK_EXCHANGE ? run->threads : 1);
}

static size_t destination_bytes(const struct uoms_run *run)
{
    int kind = run->bench->param;
    return run->bytes *
           (size_t)(kind == BLOCK_GATHER || kind == BLOCK_GATHER_ALL || kind == BLOCK_EXCHANGE ? run->threads : 1);
}

size_t block_bytes(size_t bytes, int threads)
{
    return uoms_times(2, uoms_room(uoms_times(bytes, (size_t)threads)));
}

size_t block_bytes_one(size_t bytes, int threads)
{
    (void)threads;
    return uoms_times(2, uoms_room(bytes));
}

int block_take(struct uoms_run *run, size_t source, size_t destination)
{
    block_source = block_allocate(uoms_room(source));
    block_destination = block_allocate(uoms_room(destination));
    if (block_source == NULL || block_destination == NULL)
        return 1;
    memset(block_source, 0, uoms_room(source));
    memset(block_destination, 0, uoms_room(destination));
    run->regions[0].data = block_source;
    run->regions[0].per_byte = source / run->bytes;
    run->regions[1].data = block_destination;
    run->regions[1].per_byte = destination / run->bytes;
    return 0;
}

int block_setup(struct uoms_run *run)
{
    return block_take(run, source_bytes(run), destination_bytes(run));
}

void block_prepare(struct uoms_run *run)
{
    int kind = run->bench->param;
    int is_source = (kind != BLOCK_BROADCAST && kind != BLOCK_SCATTER) || run->root == run->thread ||
                    run->options->root == UOMS_ROTATE;
    if (is_source)
        uoms_fill(block_source, run->thread, 0, source_bytes(run), run->seed);
}

void block_clear(struct uoms_run *run)
{
    uoms_poison(block_destination, destination_bytes(run) + UOMS_GUARD);
}

/* Block t of the destination must equal block `piece` of thread t's source */
static size_t check_all(struct uoms_run *run, size_t piece)
{
    size_t wrong = 0;
    for (int t = 0; t < run->threads && wrong == 0; t++)
        wrong = uoms_compare(run, block_destination + run->bytes * (size_t)t, t, piece * run->bytes, run->bytes,
                             run->seed, run->bytes * (size_t)t);
    return wrong;
}

size_t block_check(struct uoms_run *run)
{
    size_t wrong = 0;
    size_t me = (size_t)run->thread;
    int last = run->threads - 1;
    switch (run->bench->param) {
    case BLOCK_BROADCAST: wrong = uoms_compare(run, block_destination, run->root, 0, run->bytes, run->seed, 0); break;
    case BLOCK_SCATTER:
        wrong = uoms_compare(run, block_destination, run->root, me * run->bytes, run->bytes, run->seed, 0);
        break;
    case BLOCK_GATHER:
        if (run->thread != run->root)
            return 0;
        wrong = check_all(run, 0);
        break;
    case BLOCK_GATHER_ALL: wrong = check_all(run, 0); break;
    case BLOCK_EXCHANGE: wrong = check_all(run, me); break;
    case BLOCK_PERMUTE:
        wrong = uoms_compare(run, block_destination, (run->thread + last) % run->threads, 0, run->bytes, run->seed, 0);
        break;
    case BLOCK_GET:
    case BLOCK_MEMCPY:
        if (run->thread != 0)
            return 0;
        wrong = uoms_compare(run, block_destination, run->bench->param == BLOCK_GET ? last : 0, 0, run->bytes,
                             run->seed, 0);
        break;
    default:
        if (run->thread != last)
            return 0;
        wrong = uoms_compare(run, block_destination, 0, 0, run->bytes, run->seed, 0);
    }
    if (wrong > 0)
        return wrong;
    return uoms_compare_guard(run, block_destination + destination_bytes(run), destination_bytes(run));
}

void block_teardown(struct uoms_run *run)
{
    (void)run;
    block_free(block_source);
    block_free(block_destination);
}
