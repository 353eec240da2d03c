#include "sync/arbiter_watch.h"

#include "platform/clock.h"
#include "platform/cpus.h"

#include <sched.h>

static uint8_t socket_of_pu[BN_PU_MAX]; /* socket + 1; 0: not known yet */

uint32_t bn_watch_socket(void)
{
    int pu = sched_getcpu();
    if (pu < 0 || pu >= BN_PU_MAX)
        return 0;
    uint8_t known = __atomic_load_n(&socket_of_pu[pu], __ATOMIC_RELAXED);
    if (known == 0) {
        known = (uint8_t)(1 + (unsigned)bn_cpus_socket("", pu) % BN_WATCH_SOCKETS);
        __atomic_store_n(&socket_of_pu[pu], known, __ATOMIC_RELAXED);
    }
    return known - 1U;
}

void bn_watch_ask(struct bn_watch *watch, struct bn_watch_thread *self, enum bn_arbiter_path path)
{
    self->path = path;
    self->socket = bn_watch_socket();
    __atomic_fetch_add(&watch->waiting[self->socket], 1, __ATOMIC_RELAXED);
    self->asked_ticks = bn_clock_ticks();
}

/* Records which threads wait now, including self */
static void look_at_those_who_wait(struct bn_watch *watch, const struct bn_watch_thread *self)
{
    struct bn_watch_record *record = &watch->record;
    uint32_t all = 0, on_last_socket = 0;
    for (uint32_t socket = 0; socket < BN_WATCH_SOCKETS; socket++) {
        uint32_t count = __atomic_load_n(&watch->waiting[socket], __ATOMIC_RELAXED);
        all += count;
        on_last_socket += socket == watch->last_socket ? count : 0;
    }
    if (watch->last_owner && all > 1) {
        record->contended++;
        record->same_owner += watch->last_owner == self;
        record->same_socket += watch->last_socket == self->socket;
        record->fair_owner += 1.0 / all;
        record->fair_socket += (double)on_last_socket / all;
    }
    watch->last_owner = self;
    watch->last_socket = self->socket;
}

void bn_watch_enter(struct bn_watch *watch, struct bn_watch_thread *self)
{
    self->entered_ticks = bn_clock_ticks();
    bn_spinlock_acquire(&watch->lock);
    look_at_those_who_wait(watch, self);
    watch->record.acquisitions[self->path]++;
    watch->wait_ticks[self->path] += self->entered_ticks - self->asked_ticks;
    bn_spinlock_release(&watch->lock);
    __atomic_fetch_sub(&watch->waiting[self->socket], 1, __ATOMIC_RELAXED);
}

void bn_watch_leave(struct bn_watch *watch, const struct bn_watch_thread *self)
{
    uint64_t ticks = bn_clock_ticks() - self->entered_ticks;
    bn_spinlock_acquire(&watch->lock);
    watch->hold_ticks[self->path] += ticks;
    bn_spinlock_release(&watch->lock);
}

void bn_watch_dangling(struct bn_watch *watch, uint64_t count)
{
    bn_spinlock_acquire(&watch->lock);
    watch->record.dangling += count;
    watch->record.dangling_samples++;
    bn_spinlock_release(&watch->lock);
}

struct bn_watch_record bn_watch_read(struct bn_watch *watch)
{
    bn_spinlock_acquire(&watch->lock);
    struct bn_watch_record record = watch->record;
    for (int path = 0; path < BN_PATH_COUNT; path++) {
        record.wait_ns[path] = bn_clock_ticks_to_ns(watch->wait_ticks[path]);
        record.hold_ns[path] = bn_clock_ticks_to_ns(watch->hold_ticks[path]);
    }
    bn_spinlock_release(&watch->lock);
    return record;
}

void bn_watch_record_add(struct bn_watch_record *sum, const struct bn_watch_record *record)
{
    for (int path = 0; path < BN_PATH_COUNT; path++) {
        sum->acquisitions[path] += record->acquisitions[path];
        sum->wait_ns[path] += record->wait_ns[path];
        sum->hold_ns[path] += record->hold_ns[path];
    }
    sum->contended += record->contended;
    sum->same_owner += record->same_owner;
    sum->same_socket += record->same_socket;
    sum->fair_owner += record->fair_owner;
    sum->fair_socket += record->fair_socket;
    sum->dangling += record->dangling;
    sum->dangling_samples += record->dangling_samples;
    if (record->most_threads > sum->most_threads)
        sum->most_threads = record->most_threads;
}

static double ratio(uint64_t count, double fair)
{
    return fair > 0 ? (double)count / fair : 0;
}

double bn_watch_core_bias(const struct bn_watch_record *record)
{
    return ratio(record->same_owner, record->fair_owner);
}

double bn_watch_socket_bias(const struct bn_watch_record *record)
{
    return ratio(record->same_socket, record->fair_socket);
}
