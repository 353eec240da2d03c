/*
 * no_algorithms.h: the algorithm functions of port.h for a system that can neither list nor choose algorithms.
 * Included by one source file of such a port.
 */
#ifndef UOMS_NO_ALGORITHMS_H
#define UOMS_NO_ALGORITHMS_H

#include "port.h"

size_t port_algorithms(const char *operation, const char **names, size_t room)
{
    (void)operation;
    (void)names;
    (void)room;
    return 0;
}

size_t port_algorithm_limit(const char *operation, const char *name)
{
    (void)operation;
    (void)name;
    return (size_t)-1;
}

int port_use_algorithm(const char *operation, const char *name)
{
    (void)operation;
    return name != NULL;
}

const char *port_algorithm(const char *operation, size_t size_bytes, const struct uoms_options *options)
{
    (void)operation;
    (void)size_bytes;
    (void)options;
    return NULL;
}

#endif
