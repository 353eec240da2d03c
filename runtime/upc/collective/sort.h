/* sort.h: upc_all_sort of <upc_collective.h> as C sees it. */
#ifndef BN_UPC_COLLECTIVE_SORT_H
#define BN_UPC_COLLECTIVE_SORT_H

#include "banyan/access.h"

#include <stddef.h>

#pragma GCC visibility push(default)

typedef int bn_sort_compare_fn(bn_pts_t a, bn_pts_t b);
void upc_all_sort(bn_pts_t array, size_t elem_size, size_t nelems, size_t blk_size, bn_sort_compare_fn *func,
                  int flags);

#pragma GCC visibility pop

#endif
