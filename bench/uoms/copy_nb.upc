/* copy_nb.upc: copies that are started and waited for, in the interface of UPC 1.3 and in Berkeley UPC's older one. */
#include "copy.h"
#include "data.h"
#include "libraries.h"

#if defined(__UPC_NB__) || defined(HAS_ASYNC)

/* The source and the destination of a copy */
struct ends {
    shared void *source, *destination;
    int kind;
};

static struct ends ends_of(const struct uoms_run *run)
{
    struct ends ends;
    ends.kind = run->bench->param & 7;
    ends.source = ends.kind == COPY_GET ? data_at(data_source, copy_partner(run)) : data_source;
    ends.destination = data_at(data_destination, copy_partner(run));
    return ends;
}

#endif

#if defined(__UPC_NB__)

#include <upc_nb.h>

static void run_explicit(const struct uoms_run *run, long count)
{
    struct ends ends = ends_of(run);
    for (long i = 0; i < count; i++) {
        switch (ends.kind) {
        case COPY_GET: upc_sync(upc_memget_nb(copy_private_destination, ends.source, run->bytes)); break;
        case COPY_PUT: upc_sync(upc_memput_nb(ends.destination, copy_private_source, run->bytes)); break;
        default: upc_sync(upc_memcpy_nb(ends.destination, ends.source, run->bytes));
        }
    }
}

void copy_run_nb(struct uoms_run *run, long count)
{
    struct ends ends = ends_of(run);
    if (run->bench->param & COPY_NB) {
        run_explicit(run, count);
        return;
    }
    for (long i = 0; i < count; i++) {
        switch (ends.kind) {
        case COPY_GET: upc_memget_nbi(copy_private_destination, ends.source, run->bytes); break;
        case COPY_PUT: upc_memput_nbi(ends.destination, copy_private_source, run->bytes); break;
        default: upc_memcpy_nbi(ends.destination, ends.source, run->bytes);
        }
        upc_synci();
    }
}

#else

void copy_run_nb(struct uoms_run *run, long count)
{
    (void)run;
    (void)count;
}

#endif

#if defined(NEEDS_BUPC_COPY_H)
#include <bupc_copy.h>
#endif

#if defined(HAS_ASYNC)

static void run_async_explicit(const struct uoms_run *run, long count)
{
    struct ends ends = ends_of(run);
    for (long i = 0; i < count; i++) {
        switch (ends.kind) {
        case COPY_GET: bupc_waitsync(bupc_memget_async(copy_private_destination, ends.source, run->bytes)); break;
        case COPY_PUT: bupc_waitsync(bupc_memput_async(ends.destination, copy_private_source, run->bytes)); break;
        default: bupc_waitsync(bupc_memcpy_async(ends.destination, ends.source, run->bytes));
        }
    }
}

void copy_run_async(struct uoms_run *run, long count)
{
    struct ends ends = ends_of(run);
    if (run->bench->param & COPY_ASYNC) {
        run_async_explicit(run, count);
        return;
    }
    for (long i = 0; i < count; i++) {
        switch (ends.kind) {
        case COPY_GET: bupc_memget_asynci(copy_private_destination, ends.source, run->bytes); break;
        case COPY_PUT: bupc_memput_asynci(ends.destination, copy_private_source, run->bytes); break;
        default: bupc_memcpy_asynci(ends.destination, ends.source, run->bytes);
        }
        bupc_waitsynci();
    }
}

#else

void copy_run_async(struct uoms_run *run, long count)
{
    (void)run;
    (void)count;
}

#endif
