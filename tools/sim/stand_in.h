/*
 * stand_in.h: the calls from stand_in.c to the recorder.  Flags and places are addresses, as numbers.
 */
#ifndef BN_SIM_STAND_IN_H
#define BN_SIM_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void bn_sim_raise(uint64_t flag, uint64_t number, bool is_fenced);
void bn_sim_bring(uint64_t flag, uint64_t number, uint64_t dst, uint64_t src, size_t size_bytes, bool is_handed_over);
void bn_sim_hand_over_part(uint64_t dst, uint64_t src, size_t size_bytes);
void bn_sim_await(uint64_t flag, uint64_t number);
void bn_sim_barrier(void);

#ifdef __cplusplus
}
#endif

#endif
