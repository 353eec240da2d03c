/*
 * Finds the fastest sizes on this machine by trying them.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#ifndef APPS_FMM_TUNE_H
#define APPS_FMM_TUNE_H

#include "request.h"

/*
 * Tries numbers of bodies per leaf, models, tiles and V blocks, and sets the fastest in request->options. Measurements
 * are kept in the file request->tune, one line per try, so that only those missing for this machine, number of threads,
 * bodies, kernel, order and precision are made: an interrupted search continues, and a complete one takes no time.
 * Compares elapsed time or, with request->processor, processor seconds divided by the threads. Progress goes to
 * standard error, a picture (SVG) of all tries to request->map unless it is NULL. 0, or -1 with a message of
 * FMM_MESSAGE_BYTES.
 */
int tune(struct request *request, const void *places, const void *charges, void *potentials, void *gradients,
         char *message);

#endif
