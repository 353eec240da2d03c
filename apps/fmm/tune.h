/*
 * Finds the sizes that are fastest on this machine, by trying them.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#ifndef APPS_FMM_TUNE_H
#define APPS_FMM_TUNE_H

#include "request.h"

/*
 * Tries bodies in a leaf, models, tiles and V blocks, and sets the fastest in request->options. What was measured is in
 * the file request->tune, a line for each try, so that only what is not there for this machine, number of threads,
 * bodies, kernel, order and precision is tried: a search that was ended goes on, and one that is complete takes no
 * time. Compared is elapsed time or, with request->processor, processor seconds divided by the threads. Progress goes
 * to standard error, a picture (SVG) of all tries to request->map unless it is NULL. 0, or -1 with a message of
 * FMM_MESSAGE_BYTES.
 */
int tune(struct request *request, const void *places, const void *charges, void *potentials, void *gradients,
         char *message);

#endif
