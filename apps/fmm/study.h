/*
 * Compares all models in turns: where their time goes, and how they would scale to more cores.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#ifndef APPS_FMM_STUDY_H
#define APPS_FMM_STUDY_H

#include "request.h"

/*
 * Prints tables in Markdown, with the fastest turn of each model; draws r->timeline if it is not NULL. -1 with a
 * message if something failed.
 */
int study(const struct request *r, struct fmm_problem *problem, const void *charges, void *potentials, void *gradients,
          char *message);

#endif
