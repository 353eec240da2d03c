/* memory.h: how much memory this process and its siblings may still use. */
#ifndef UOMS_MEMORY_H
#define UOMS_MEMORY_H

/* Bytes: what is available on the machine, or in the control group if that is less. root is a prefix of /proc and /sys
 * ("" for this machine).  Infinite if nothing can be read. */
double uoms_memory_available(const char *root);

#endif
