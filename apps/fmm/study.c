/*
 * All models with one thread and with all, in turns
 *
 * BSD-3-Clause, the Banyan authors.
 */
#include "study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 200, SIMULATED = 5, DRAWN = 2 }; /* DRAWN: index of the simulated number of cores that is drawn */

struct turn {
    struct fmm_profile profile;
    struct fmm_times times;
    double running[BINS];
    double simulated[SIMULATED]; /* from the run with one thread */
    double simulated_running[BINS];
};

/* The turns of one model */
struct row {
    enum fmm_model model;
    struct turn *alone, *together; /* `repeat` of each */
};

static int by_wall(const void *a, const void *b)
{
    double x = ((const struct turn *)a)->profile.wall, y = ((const struct turn *)b)->profile.wall;
    return (x > y) - (x < y);
}

static int by_processor(const void *a, const void *b)
{
    double x = ((const struct turn *)a)->profile.caller_processor;
    double y = ((const struct turn *)b)->profile.caller_processor;
    return (x > y) - (x < y);
}

static double busy(const struct fmm_profile *p)
{
    double sum = 0;
    for (int s = 0; s < FMM_STAGES; s++)
        sum += p->stage_processor[s];
    return sum;
}

static int take_turn(struct fmm_problem *problem, int threads, const int *cores, const void *charges, void *potentials,
                     void *gradients, struct turn *t, char *message)
{
    if (fmm_set_threads(problem, threads, message) != 0 ||
        fmm_evaluate(problem, charges, potentials, gradients, message) != 0 ||
        fmm_find_times(problem, BINS, t->running, &t->times, message) != 0)
        return -1;
    fmm_last_profile(problem, &t->profile);
    for (int i = 0; i < SIMULATED && threads == 1; i++) {
        bool drawn = i == DRAWN;
        if (fmm_simulate(problem, cores[i], &t->simulated[i], drawn ? BINS : 0, drawn ? t->simulated_running : NULL,
                         message) != 0)
            return -1;
    }
    return 0;
}

static void print_stages(const struct row *rows, int count)
{
    int threads = rows[0].together->profile.threads;
    printf("\nSeconds of %d threads together; of stages those of processors\n\n| model | time |", threads);
    for (int s = 0; s < FMM_STAGES; s++)
        printf(" %s |", fmm_stage_name((enum fmm_stage)s));
    printf(" scheduling | idle |\n|---|---|");
    for (int s = 0; s < FMM_STAGES + 2; s++)
        printf("---|");
    for (int m = 0; m < count; m++) {
        const struct turn *t = rows[m].together;
        printf("\n| %s | %.4f |", fmm_model_name(rows[m].model), t->profile.wall);
        for (int s = 0; s < FMM_STAGES; s++)
            printf(" %.4f |", t->profile.stage_processor[s]);
        printf(" %.4f | %.4f |", t->times.scheduling, t->times.idle);
    }
    putchar('\n');
}

static void print_inflation(const struct row *rows, int count)
{
    printf("\nWork-time inflation: processor seconds of a stage with %d threads / with one\n\n| model |",
           rows[0].together->profile.threads);
    for (int s = 0; s < FMM_STAGES; s++)
        printf(" %s |", fmm_stage_name((enum fmm_stage)s));
    printf(" all |\n|---|");
    for (int s = 0; s <= FMM_STAGES; s++)
        printf("---|");
    for (int m = 0; m < count; m++) {
        const struct fmm_profile *alone = &rows[m].alone->profile, *together = &rows[m].together->profile;
        printf("\n| %s |", fmm_model_name(rows[m].model));
        for (int s = 0; s < FMM_STAGES; s++)
            printf(" %.2f |",
                   alone->stage_processor[s] > 0 ? together->stage_processor[s] / alone->stage_processor[s] : 1);
        printf(" %.2f |", busy(together) / busy(alone));
    }
    putchar('\n');
}

static void print_simulation(const struct row *rows, int count, const int *cores)
{
    printf("\nSeconds measured, and simulated from the record of one thread, with the share of the cores' time that is "
           "not work\n\n| model | measured, 1 | of the processor | simulated | measured, %d |",
           rows[0].together->profile.threads);
    for (int i = 1; i < SIMULATED; i++)
        printf(" %s%d |", i == 1 ? "simulated, " : "", cores[i]);
    printf("\n|---|---|---|---|---|");
    for (int i = 1; i < SIMULATED; i++)
        printf("---|");
    for (int m = 0; m < count; m++) {
        const struct turn *alone = rows[m].alone;
        printf("\n| %s | %.4f | %.4f | %.4f | %.4f |", fmm_model_name(rows[m].model), alone->profile.wall,
               alone->profile.caller_processor, alone->simulated[0], rows[m].together->profile.wall);
        for (int i = 1; i < SIMULATED; i++) {
            double whole = alone->simulated[i] * cores[i];
            printf(" %.4f, %.0f %% |", alone->simulated[i], 100 * (1 - busy(&alone->profile) / whole));
        }
    }
    putchar('\n');
}

enum { LEFT = 120, WIDTH = 800, BAND = 44, HEIGHT = 34, TITLE = 30 };

/* Draws a band for each model: how many of the cores work, over the time of the slowest; returns the top of the next
 * band */
static int draw_bands(FILE *file, int top, const struct row *rows, int count, bool simulated, const int *cores)
{
    int of = simulated ? cores[DRAWN] : rows[0].together->profile.threads;
    double walls[FMM_MODELS], longest = 0;
    for (int m = 0; m < count; m++) {
        walls[m] = simulated ? rows[m].alone->simulated[DRAWN] : rows[m].together->profile.wall;
        longest = walls[m] > longest ? walls[m] : longest;
    }
    fprintf(file, "<text x=\"4\" y=\"%d\">%s that work, of %d, over %.4f s</text>\n", top + 16,
            simulated ? "Simulated: cores" : "Measured: threads", of, longest);
    for (int m = 0; m < count; m++) {
        const double *running = simulated ? rows[m].alone->simulated_running : rows[m].together->running;
        double width = WIDTH * walls[m] / longest / BINS, bottom = top + TITLE + m * BAND + HEIGHT;
        fprintf(file,
                "<text x=\"4\" y=\"%.0f\">%s</text>\n<rect x=\"%d\" y=\"%.0f\" width=\"%.1f\" height=\"%d\""
                " fill=\"#f2d0c8\"/>\n<path fill=\"#3b7a57\" d=\"M%d %.1f",
                bottom - 12, fmm_model_name(rows[m].model), LEFT, bottom - HEIGHT, width * BINS, HEIGHT, LEFT, bottom);
        for (int i = 0; i < BINS; i++) {
            double y = bottom - HEIGHT * running[i] / of;
            fprintf(file, "L%.1f %.1fL%.1f %.1f", LEFT + i * width, y, LEFT + (i + 1) * width, y);
        }
        fprintf(file, "L%.1f %.1fZ\"/>\n", LEFT + BINS * width, bottom);
    }
    return top + TITLE + count * BAND;
}

static int draw(const char *name, const struct row *rows, int count, const int *cores, char *message)
{
    FILE *file = fopen(name, "w");
    if (file == NULL) {
        snprintf(message, FMM_MESSAGE_BYTES, "%.200s cannot be written: %m", name);
        return -1;
    }
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
            " font-size=\"12\">\n",
            LEFT + WIDTH + 20, 2 * (TITLE + count * BAND) + 10);
    draw_bands(file, draw_bands(file, 0, rows, count, false, cores), rows, count, true, cores);
    fputs("</svg>\n", file);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        snprintf(message, FMM_MESSAGE_BYTES, "%.200s could not be written whole: %m", name);
        return -1;
    }
    return 0;
}

int study(const struct request *r, struct fmm_problem *problem, const void *charges, void *potentials, void *gradients,
          char *message)
{
    struct row rows[FMM_MODELS];
    struct fmm_profile profile;
    fmm_last_profile(problem, &profile);
    int threads = profile.threads, count = 0, status = 0;
    const int cores[SIMULATED] = {1, threads, 16, 64, 256};
    struct turn *turns = calloc((size_t)r->repeat * 2 * FMM_MODELS, sizeof *turns);
    if (turns == NULL) {
        snprintf(message, FMM_MESSAGE_BYTES, "there is not enough memory for %d turns", r->repeat);
        return -1;
    }
    for (int m = 0; m < FMM_MODELS; m++) {
        const char *lack = fmm_lacks((enum fmm_model)m);
        struct turn *own = turns + (size_t)r->repeat * 2 * (size_t)m;
        if (lack != NULL)
            printf("%s is left out: %s\n", fmm_model_name((enum fmm_model)m), lack);
        else
            rows[count++] = (struct row){(enum fmm_model)m, own, own + r->repeat};
    }
    fmm_trace(problem, 1);
    for (int i = 0; i < r->repeat && status == 0; i++) {
        for (int m = 0; m < count && status == 0; m++) {
            struct row *row = &rows[i % 2 == 0 ? m : count - 1 - m];
            status =
                fmm_set_model(problem, row->model, r->options.tile, r->options.v_block, message) != 0 ||
                take_turn(problem, 1, cores, charges, potentials, gradients, &row->alone[i], message) != 0 ||
                take_turn(problem, threads, cores, charges, potentials, gradients, &row->together[i], message) != 0;
        }
    }
    for (int m = 0; m < count && status == 0; m++) {
        qsort(rows[m].alone, (size_t)r->repeat, sizeof *turns, by_processor); /* the first is the one that is shown */
        qsort(rows[m].together, (size_t)r->repeat, sizeof *turns, by_wall);
    }
    if (status == 0) {
        printf("%ld bodies, %s, at most %d in a leaf, tile %d, V block %d, fastest of %d turns\n", r->n,
               request_words(r), r->options.leaf, r->options.tile, r->options.v_block, r->repeat);
        print_stages(rows, count);
        print_inflation(rows, count);
        print_simulation(rows, count, cores);
        status = r->timeline == NULL ? 0 : draw(r->timeline, rows, count, cores, message);
    }
    free(turns);
    return status == 0 ? 0 : -1;
}
