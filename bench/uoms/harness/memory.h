/* memory.h: how much memory this process and its like may still take. */
#ifndef UOMS_MEMORY_H
#define UOMS_MEMORY_H

/* Bytes: what the machine has to spare, or the control group if that is less.  root stands before /proc and /sys (""
 * for this machine).  Infinite where nothing can be read. */
double uoms_memory_available(const char *root);

#endif
