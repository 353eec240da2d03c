/* pupc.c: what <pupc.h> declares, for tools that do not exist here. */
#include "upc/bupc_c.h"

int pupc_control(int on)
{
    (void)on;
    return 0;
}

unsigned int pupc_create_event(const char *name, const char *description)
{
    (void)name;
    (void)description;
    return 0;
}

void pupc_event_start(unsigned int tag, ...)
{
    (void)tag;
}

void pupc_event_end(unsigned int tag, ...)
{
    (void)tag;
}

void pupc_event_atomic(unsigned int tag, ...)
{
    (void)tag;
}
