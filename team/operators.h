/* operators.h: the operations of reductions, as a function for each operation and type. */
#ifndef BN_TEAM_OPERATORS_H
#define BN_TEAM_OPERATORS_H

#include "banyan/team.h"
#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*bn_combine)(const void *left, void *right, size_t count, const struct bn_vector *vector);

/** Null: the operation is not defined for the type. */
bn_combine bn_operator(banyan_op op, banyan_type type);

#ifdef __cplusplus
}
#endif

#endif
