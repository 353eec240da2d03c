/* output.h: the writers.  They get the same results; each is one file: table.c, csv.c, results.c (JSON). */
#ifndef UOMS_OUTPUT_H
#define UOMS_OUTPUT_H

#include "json.h"
#include "measure.h"
#include "plan.h"

#include <stdio.h>

#define UOMS_SUITE_VERSION "2.0"

/* ---- The classic table, which other programs parse ---- */

void uoms_table_header(FILE *file, const struct uoms_options *options, const struct uoms_plan *plan, int threads,
                       const char *masks);
/* Before the first size of a benchmark; comment lines list settings that are not null or default. */
void uoms_table_begin(FILE *file, const struct uoms_options *options, const struct uoms_bench *bench, int threads,
                      const struct uoms_pair *pair, const char *algorithm);
void uoms_table_row(FILE *file, const struct uoms_options *options, const struct uoms_result *result);

/* ---- CSV: a line of names, then a line for each size ---- */

void uoms_csv_header(FILE *file);
void uoms_csv_row(FILE *file, const struct uoms_options *options, const struct uoms_result *result);

/* ---- JSON: {"format": "uoms-2", "context": {...}, "results": [...]} ---- */

/* Context: build, system, machine and command line (context.c). masks has an entry for each thread. */
void uoms_write_context(struct uoms_json *json, const struct uoms_options *options, const struct uoms_clock *clock,
                        double clock_error_ns, int threads, const char *masks, size_t mask_room);
/* Processors, caches and memory regions (machine.c) */
void uoms_write_machine(struct uoms_json *json);
void uoms_write_result(struct uoms_json *json, const struct uoms_options *options, const struct uoms_result *result);

#endif
