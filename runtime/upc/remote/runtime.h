/*
 * runtime.h: what start.c calls over several nodes instead of bn_runtime_create of upc/runtime.h; the rest of that
 * header applies here, too.
 *
 *     every process: bn_remote_runtime_prepare, transport's start, bn_remote_runtime_create
 *     every thread: bn_runtime_attach, ...
 */
#ifndef BN_UPC_REMOTE_RUNTIME_H
#define BN_UPC_REMOTE_RUNTIME_H

#include "transport/transport.h"
#include "upc/start/launch.h"
#include "upc/start/runtime.h"

/** Lays out what comes before the heaps in a segment: static data and the runtime's own data; *static_bytes_p becomes
 * their size per thread.  The heaps take heap_limit_bytes per thread. @errors Reported. */
bn_status_t bn_remote_runtime_prepare(const struct bn_unit *units, uint64_t heap_limit_bytes, uint64_t *static_bytes_p);

/** Makes the segments and sets the handles of static data.  Called collectively by one thread of each process; own are
 * the process's threads.
 * @errors Reported; the caller must end the job. */
bn_status_t bn_remote_runtime_create(const struct bn_transport *transport, const struct bn_unit *units,
                                     struct bn_launch_threads own, int thread_count, int core_count,
                                     uint64_t static_bytes, uint64_t heap_limit_bytes);

#endif
