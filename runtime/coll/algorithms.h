/*
 * algorithms.h: the functions that the registry names.
 *
 * All have the same signature; every member calls, with the same plan and call.  They synchronise as call->in and
 * call->out demand (reductions do not synchronise).  They return nothing, because everything that can fail was done
 * when the plan was made.
 */
#ifndef BN_COLL_ALGORITHMS_H
#define BN_COLL_ALGORITHMS_H

#ifdef __cplusplus
extern "C" {
#endif

struct bn_call;
struct bn_plan;
struct bn_team;

#define BN_ALGORITHM(name) void name(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call)

/* ---- broadcast.c ---- */
BN_ALGORITHM(bn_broadcast_flat);
BN_ALGORITHM(bn_broadcast_tree_inline);
BN_ALGORITHM(bn_broadcast_pull);
BN_ALGORITHM(bn_broadcast_push);
BN_ALGORITHM(bn_broadcast_scatter_allgather);
BN_ALGORITHM(bn_broadcast_over_nodes);
BN_ALGORITHM(bn_broadcast_over_nodes_mail);

/* ---- scatter.c, gather.c ---- */
BN_ALGORITHM(bn_scatter_pull);
BN_ALGORITHM(bn_scatter_push);
BN_ALGORITHM(bn_gather_pull);
BN_ALGORITHM(bn_gather_push);

/* ---- ring.c ---- */
BN_ALGORITHM(bn_scatter_pull_ring);
BN_ALGORITHM(bn_scatter_push_ring);
BN_ALGORITHM(bn_gather_pull_ring);
BN_ALGORITHM(bn_gather_push_ring);

/* ---- direct.c ---- */
BN_ALGORITHM(bn_scatter_flat);
BN_ALGORITHM(bn_gather_flat);
BN_ALGORITHM(bn_gather_all_flat);
BN_ALGORITHM(bn_exchange_flat);
BN_ALGORITHM(bn_permute_push);
BN_ALGORITHM(bn_permute_pull);

/* ---- both_ends.c ---- */
BN_ALGORITHM(bn_broadcast_both_ends);
BN_ALGORITHM(bn_scatter_both_ends);
BN_ALGORITHM(bn_gather_both_ends);

/* ---- by_room.c ---- */
BN_ALGORITHM(bn_broadcast_by_room);
BN_ALGORITHM(bn_scatter_by_room);
BN_ALGORITHM(bn_gather_by_room);
BN_ALGORITHM(bn_gather_all_by_room);
BN_ALGORITHM(bn_exchange_by_room);

/* ---- stage.c ---- */
BN_ALGORITHM(bn_broadcast_by_stage);
BN_ALGORITHM(bn_scatter_by_stage);
BN_ALGORITHM(bn_gather_by_stage);
BN_ALGORITHM(bn_gather_all_by_stage);
BN_ALGORITHM(bn_exchange_by_stage);

/* ---- parts.c ---- */
BN_ALGORITHM(bn_scatter_v_pull);
BN_ALGORITHM(bn_scatter_v_push);
BN_ALGORITHM(bn_gather_v_pull);
BN_ALGORITHM(bn_gather_v_push);
BN_ALGORITHM(bn_gather_all_v_pull);
BN_ALGORITHM(bn_gather_all_v_push);
BN_ALGORITHM(bn_exchange_v_pull);
BN_ALGORITHM(bn_exchange_v_push);

/* ---- all_to_all.c ---- */
BN_ALGORITHM(bn_gather_all_ring);
BN_ALGORITHM(bn_gather_all_ring_by_rank);
BN_ALGORITHM(bn_gather_all_neighbours_by_rank);
BN_ALGORITHM(bn_gather_all_doubling);
BN_ALGORITHM(bn_gather_all_joined);
BN_ALGORITHM(bn_exchange_push);
BN_ALGORITHM(bn_exchange_pairwise);
BN_ALGORITHM(bn_exchange_bruck);

/* ---- scatter_nodes.c ---- */
BN_ALGORITHM(bn_scatter_by_mail);
BN_ALGORITHM(bn_scatter_flat_mail);
BN_ALGORITHM(bn_scatter_flat_push);

/* ---- by_mail.c ---- */
BN_ALGORITHM(bn_gather_by_mail);
BN_ALGORITHM(bn_gather_all_by_mail);
BN_ALGORITHM(bn_exchange_by_mail);

/* ---- gather_all_nodes.c ---- */
BN_ALGORITHM(bn_gather_all_over_nodes);

/* ---- exchange_nodes.c ---- */
BN_ALGORITHM(bn_exchange_over_nodes);
BN_ALGORITHM(bn_exchange_over_nodes_mail);

/* ---- exchange_packed.c ---- */
BN_ALGORITHM(bn_exchange_packed);

/* ---- fold.c, fold_tree.c, fold_doubling.c, fold_push.c ---- */
BN_ALGORITHM(bn_reduce_flat);
BN_ALGORITHM(bn_reduce_all_flat);
BN_ALGORITHM(bn_prefix_flat);
BN_ALGORITHM(bn_reduce_tree);
BN_ALGORITHM(bn_reduce_all_tree);
BN_ALGORITHM(bn_prefix_tree);
BN_ALGORITHM(bn_prefix_nodes);
BN_ALGORITHM(bn_reduce_push);
BN_ALGORITHM(bn_reduce_all_push);
BN_ALGORITHM(bn_reduce_all_doubling);
BN_ALGORITHM(bn_prefix_doubling);

/* ---- fold_nodes.c ---- */
BN_ALGORITHM(bn_reduce_over_nodes);
BN_ALGORITHM(bn_reduce_all_over_nodes);

/* ---- combine.c ---- */
BN_ALGORITHM(bn_combine_by_room);
BN_ALGORITHM(bn_combine_all_by_room);
BN_ALGORITHM(bn_combine_scatter_by_room);
BN_ALGORITHM(bn_combine_prefix_by_room);
BN_ALGORITHM(bn_combine_direct);
BN_ALGORITHM(bn_combine_all_direct);
BN_ALGORITHM(bn_combine_all_pushed);
BN_ALGORITHM(bn_combine_scatter_direct);
BN_ALGORITHM(bn_combine_prefix_direct);

/* ---- combine_gathered.c ---- */
BN_ALGORITHM(bn_combine_by_stage);

/* ---- combine_staged.c ---- */
BN_ALGORITHM(bn_combine_staged);
BN_ALGORITHM(bn_combine_all_staged);
BN_ALGORITHM(bn_combine_scatter_staged);
BN_ALGORITHM(bn_combine_prefix_staged);

/* ---- native.c ---- */
BN_ALGORITHM(bn_broadcast_native);
BN_ALGORITHM(bn_gather_all_native);
BN_ALGORITHM(bn_exchange_native);
BN_ALGORITHM(bn_reduce_native);
BN_ALGORITHM(bn_reduce_all_native);

/* ---- registry.c ---- */
BN_ALGORITHM(bn_barrier_of_team);

#undef BN_ALGORITHM

#ifdef __cplusplus
}
#endif

#endif
