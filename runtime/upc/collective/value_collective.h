/* value_collective.h: <bupc_collectivev.h> as C sees it; each returns its first argument. */
#ifndef BN_UPC_COLLECTIVE_VALUE_COLLECTIVE_H
#define BN_UPC_COLLECTIVE_VALUE_COLLECTIVE_H

#include <stddef.h>

#pragma GCC visibility push(default)

void *bn_value_broadcast(void *result, const void *value, size_t size_bytes, int root);
void *bn_value_gather(void *array, const void *value, size_t size_bytes, int root);
void *bn_value_gather_all(void *array, const void *value, size_t size_bytes);
void *bn_value_scatter(void *result, const void *array, size_t size_bytes, int root);
void *bn_value_permute(void *result, const void *value, size_t size_bytes, int to_thread);
void *bn_value_reduce(void *result, const void *value, size_t size_bytes, int kind, int root, unsigned long op);
void *bn_value_prefix_reduce(void *result, const void *value, size_t size_bytes, int kind, unsigned long op);

#pragma GCC visibility pop

#endif
