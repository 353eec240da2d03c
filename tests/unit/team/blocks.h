/* blocks.h: see blocks.c */
#ifndef BN_TESTS_TEAM_BLOCKS_H
#define BN_TESTS_TEAM_BLOCKS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void* blocks_new(size_t size_bytes);
void blocks_delete(void* block);

#ifdef __cplusplus
}
#endif

#endif
