#include "upc/nodes.h"

#include "pgas/remote/remote.h"

bool bn_nodes_are_one(void)
{
    return bn_remote.node_count == 1;
}

bool bn_nodes_is_leader(void)
{
    return bn_remote.leaders[bn_remote.thread] == bn_remote.thread;
}

int bn_nodes_first_thread(int thread)
{
    return bn_remote.leaders[thread];
}
