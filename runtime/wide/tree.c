/*
 * tree.c: the trees along which nodes forward messages.
 *
 * Times of three trees of m nodes, in bytes that a link carries in that time, with n bytes of data, l for a latency, o
 * for the cost of one more message at its ends:
 *
 *     flat       l + (m - 1) (n + o)               the root sends to all
 *     binomial   log2(m) (l + n + o)               rounded up
 *     chain      l + n + n o / f + (m - 2) (l + f + o)      in fragments of f
 *
 * A node sends to the child with the deepest subtree first.  Data in a flat tree is never forwarded, so it travels
 * whole; in a binomial tree all rounds but the first wait for a piece, in a chain all hops.
 */
#include "wide/helpers.h"

/* Rounds of a binomial tree */
static int rounds_of(int node_count)
{
    int rounds = 0;
    while (1 << rounds < node_count)
        rounds++;
    return rounds;
}

/* Trees number nodes starting at the root's: first the nodes of its switch, then those of the other switches, one
 * switch after the other, so that few edges cross switches. */
struct order {
    int root, count;
    int begin, near; /* first node of the root's switch, and number of nodes at that switch */
};

static struct order order_from(const struct bn_wide *wide, int root)
{
    const struct bn_hierarchy *hierarchy = wide->hierarchy;
    int own = bn_hierarchy_outer_group(hierarchy, BN_LEVEL_NODE, root, BN_LEVEL_SWITCH);
    return (struct order){root, wide->node_count,
                          bn_hierarchy_first_subgroup(hierarchy, BN_LEVEL_SWITCH, own, BN_LEVEL_NODE),
                          bn_hierarchy_subgroup_count(hierarchy, BN_LEVEL_SWITCH, own, BN_LEVEL_NODE)};
}

static int node_at(const struct order *order, int place)
{
    return place < order->near ? order->begin + (order->root - order->begin + place) % order->near
                               : (order->begin + place) % order->count;
}

static int place_of(const struct order *order, int node)
{
    bool is_near = node >= order->begin && node < order->begin + order->near;
    return is_near ? (node - order->root + order->near) % order->near
                   : (node - order->begin + order->count) % order->count;
}

/* Places in that order: v's children are v + 1, 2, 4, ... below its lowest bit. */
static void make_binomial(struct bn_wide_tree *tree, int self, int node_count)
{
    tree->parent = self == 0 ? -1 : self & (self - 1);
    for (int round = rounds_of(node_count) - 1; round >= 0; round--) {
        int child = self + (1 << round);
        if ((self == 0 || 1 << round < (self & -self)) && child < node_count)
            tree->children[tree->child_count++] = child;
    }
}

static void make_flat(struct bn_wide_tree *tree, int self, int node_count)
{
    tree->parent = self == 0 ? -1 : 0;
    for (int child = 1; self == 0 && child < node_count; child++)
        tree->children[tree->child_count++] = child;
}

static void make_chain(struct bn_wide_tree *tree, int self, int node_count)
{
    tree->parent = self - 1;
    if (self + 1 < node_count)
        tree->children[tree->child_count++] = self + 1;
}

/* The size of equal pieces of at most `most` bytes */
static size_t pieces_of(size_t nbytes, size_t most)
{
    size_t count = nbytes > most ? (nbytes + most - 1) / most : 1;
    return (nbytes + count - 1) / count;
}

/* n bytes in fragments of f cost n o / f for messages, and f for each hop that waits for one: the optimum is f = sqrt(n
 * o / behind), here up to a factor of sqrt(2).  Transfers hide the node's steps unless a fragment is shorter than a
 * step. */
size_t bn_wide_fragment(const struct bn_wide *wide, size_t nbytes, int behind, bool has_steps)
{
    const struct bn_network *network = wide->network;
    size_t fragment = network->least_fragment_bytes, most = network->fragment_bytes;
    double best = (double)nbytes * (double)network->message_bytes / (behind > 0 ? behind : 1);
    while (fragment < most &&
           (2.0 * (double)fragment * (double)fragment < best || (has_steps && fragment < network->step_bytes)))
        fragment *= 2;
    return pieces_of(nbytes, fragment < most ? fragment : most);
}

double bn_wide_chain_time(const struct bn_wide *wide, int hops, size_t nbytes)
{
    double n = (double)nbytes, l = (double)wide->network->latency_bytes, o = (double)wide->network->message_bytes;
    double fragment = (double)bn_wide_fragment(wide, nbytes, hops, false);
    int behind = hops > 1 ? hops - 1 : 0;
    return l + n + n / fragment * o + behind * (l + fragment + o);
}

struct bn_wide_tree bn_wide_tree_choose(const struct bn_wide *wide, int root_node, size_t nbytes)
{
    const struct order order = order_from(wide, root_node);
    int count = wide->node_count, self = place_of(&order, wide->mine.index), rounds = rounds_of(count);
    double n = (double)nbytes, l = (double)wide->network->latency_bytes, o = (double)wide->network->message_bytes;
    struct bn_wide_tree tree = {0};
    double flat = l + (count - 1) * (n + o), binomial = rounds * (l + n + o);
    double chain = bn_wide_chain_time(wide, count - 1, nbytes);
    if (chain <= flat && chain <= binomial) {
        make_chain(&tree, self, count);
        tree.time = chain;
        tree.fragment = bn_wide_fragment(wide, nbytes, count - 1, false);
    } else if (flat <= binomial && count <= BN_WIDE_FLAT_NODES) {
        make_flat(&tree, self, count);
        tree.time = flat;
        tree.fragment = pieces_of(nbytes, wide->network->fragment_bytes);
    } else {
        make_binomial(&tree, self, count);
        tree.time = binomial;
        tree.fragment = bn_wide_fragment(wide, nbytes, rounds - 1, false);
    }
    if (tree.parent >= 0)
        tree.parent = node_at(&order, tree.parent);
    for (int i = 0; i < tree.child_count; i++)
        tree.children[i] = node_at(&order, tree.children[i]);
    return tree;
}
