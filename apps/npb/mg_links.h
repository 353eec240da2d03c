/*
 * mg_links.h: which planes processes with copies send to each other.
 */
#ifndef MG_LINKS_H
#define MG_LINKS_H

#include "mg_slab.h"

/* Plane `from` of a process, numbered as in mg_slab.h, goes to plane `to` of another. */
struct mg_link {
    int sender, from, receiver, to;
};

struct mg_links {
    int count;
    struct mg_link *list;
};

static inline int mg_owner(int class, int k, int number, int processes, struct mg_level *level)
{
    int owner = 0;
    for (;; owner++) {
        mg_set_level(level, mg_classes[class].levels, k, owner, processes);
        if (number >= level->first && number < level->first + level->count)
            return owner;
    }
}

/* Adds the planes that `receiver` needs on level k and of which process `me` is the sender or the receiver.  A receiver
 * without planes on this level still needs some if it has planes of the next finer one. */
static inline void mg_add_links(const struct mg_state *s, int k, int receiver, struct mg_links *links)
{
    int finest = mg_classes[s->class].levels;
    struct mg_level level, finer, owned;
    mg_set_level(&level, finest, k, receiver, s->processes);
    mg_set_level(&finer, finest, k < finest ? k + 1 : k, receiver, s->processes);
    if (level.count == 0 && finer.count == 0)
        return;
    for (int side = 0; side < 2; side++) {
        int number = side == 0 ? level.first - 1 : level.first + level.count;
        number = number == 0 ? level.n : number == level.n + 1 ? 1 : number;
        int sender = mg_owner(s->class, k, number, s->processes, &owned);
        if (sender == s->me || receiver == s->me)
            links->list[links->count++] =
                (struct mg_link){sender, number - owned.first + 1, receiver, side == 0 ? 0 : level.count + 1};
    }
}

/* Finds the links of level k, in an order that is the same on all processes; 0, or 1 if out of memory. */
static inline int mg_find_links(const struct mg_state *s, int k, struct mg_links *links)
{
    links->count = 0;
    links->list = malloc(2 * (size_t)s->processes * sizeof *links->list);
    if (links->list == NULL)
        return 1;
    for (int receiver = 0; receiver < s->processes; receiver++)
        mg_add_links(s, k, receiver, links);
    return 0;
}

#endif
