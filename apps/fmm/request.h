/*
 * The command line of the programs, and the bodies that it asks for, each of which can be generated anywhere.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#ifndef APPS_FMM_REQUEST_H
#define APPS_FMM_REQUEST_H

#include "fmm.h"

#include <stdbool.h>

enum { REQUEST_SAMPLE = 200 }; /* bodies that -check looks at */
enum request_model {
    REQUEST_DEFAULT,    /* none was named */
    REQUEST_OF_LIBRARY, /* options.model */
    REQUEST_ALL,        /* all of those, one after another */
    REQUEST_UPC         /* the UPC program */
};

struct request {
    long n;
    int distribution, repeat;
    bool check, profile, has_tile, counters, study, limits;
    enum request_model model;
    const char *trace;                 /* file; NULL: none */
    const char *tune, *map, *timeline; /* likewise */
    bool quick, processor;
    struct fmm_options options;
};

/* Ends the program with status 2 and the usage if the command line is wrong; silent unless `says`. */
struct request request_read(int argc, char **argv, bool says);

/* Body i, rounded to the precision */
void request_body(const struct request *request, long i, double place[3], double *charge);

/* "uniform, laplace, order 6, double"; valid until the next call */
const char *request_words(const struct request *request);

#endif
