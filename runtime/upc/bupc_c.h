/* bupc_c.h: what <bupc.h> itself declares, as C sees it. */
#ifndef BN_UPC_BUPC_C_H
#define BN_UPC_BUPC_C_H

#include "banyan/access.h"
#include "upc/own.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

uint64_t bupc_ticks_now(void);
uint64_t bupc_ticks_to_us(uint64_t ticks);
uint64_t bupc_ticks_to_ns(uint64_t ticks);
double bupc_tick_granularityus(void);
double bupc_tick_overheadus(void);
double bupc_ticks_granularityus(void);
double bupc_ticks_overheadus(void);
int bupc_castable(bn_pts_t ptr);
int bupc_thread_castable(unsigned thread);
void *bupc_cast(bn_pts_t ptr);
bn_pts_t bupc_inverse_cast(void *address);
BN_OWN_DECLARE(bupc_inverse_cast);
bn_pts_t bupc_local_to_shared(void *address, int thread, int phase);
bn_pts_t bupc_ptradd(bn_pts_t ptr, size_t block_elems, size_t elem_bytes, ptrdiff_t increment);
int bupc_dump_shared(bn_pts_t ptr, char *text, int text_bytes);
unsigned bupc_thread_distance(int a, int b);
char *bupc_getenv(const char *name);
void bupc_trace_setmask(const char *mask);
const char *bupc_trace_getmask(void);
void bupc_trace_settracelocal(int on);
int bupc_trace_gettracelocal(void);
void bupc_stats_setmask(const char *mask);
const char *bupc_stats_getmask(void);

/* From <pupc.h> */
int pupc_control(int on);
unsigned pupc_create_event(const char *name, const char *description);
void pupc_event_start(unsigned tag, ...);
void pupc_event_end(unsigned tag, ...);
void pupc_event_atomic(unsigned tag, ...);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
