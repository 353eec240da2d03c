/* nodes.h: whether threads share a machine. */
#ifndef BN_UPC_NODES_H
#define BN_UPC_NODES_H

#include <stdbool.h>

/* Whether all threads of the job are on one node */
bool bn_nodes_are_one(void);

/* Whether the calling thread is the leader of its node: the lowest thread there */
bool bn_nodes_is_leader(void);

/* The lowest thread on the node that a thread is on */
int bn_nodes_first_thread(int thread);

#endif
