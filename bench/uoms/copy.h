/* copy.h: what the two files of copies share. */
#ifndef UOMS_COPY_H
#define UOMS_COPY_H

#include "families.h"

extern unsigned char *copy_private_source;
extern unsigned char *copy_private_destination;

/* The thread at the other end */
int copy_partner(const struct uoms_run *run);

/* Non-blocking copies of upc_nb.h, and of the older interface; each is waited for before the next is started. */
void copy_run_nb(struct uoms_run *run, long count);
void copy_run_async(struct uoms_run *run, long count);

#endif
