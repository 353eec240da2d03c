/*
 * runtime.h: what start.c calls over several nodes, in place of bn_runtime_create of upc/runtime.h; the rest of that
 * header holds here, too.
 *
 *     every process: bn_remote_runtime_prepare, transport's start, bn_remote_runtime_create
 *     every thread: bn_runtime_attach, ...
 */
#ifndef BN_UPC_REMOTE_RUNTIME_H
#define BN_UPC_REMOTE_RUNTIME_H

#include "transport/transport.h"
#include "upc/start/launch.h"
#include "upc/start/runtime.h"

/** Lays out what is before the heaps, which take heap_limit_bytes each: static data and what the runtime has there;
 * *static_bytes_p is how much that is for each thread.  @errors Reported. */
bn_status_t bn_remote_runtime_prepare(const struct bn_unit *units, uint64_t heap_limit_bytes, uint64_t *static_bytes_p);

/** Makes segments and the handles of static data.  Collective, by one thread of each process, whose threads are own.
 * @errors Reported; the job is to be ended. */
bn_status_t bn_remote_runtime_create(const struct bn_transport *transport, const struct bn_unit *units,
                                     struct bn_launch_threads own, int thread_count, int core_count,
                                     uint64_t static_bytes, uint64_t heap_limit_bytes);

#endif
