/*
 * All combinations of a few sizes, each measured once and kept in a file
 *
 * BSD-3-Clause, the Banyan authors.
 */
#include "tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVALUATIONS = 2, MOST = 300, LINE = 256 };

struct
try {
    int leaf, model, tile, block;
    double seconds; /* 0: not measured yet */
};

/* Those of -quick come first. */
static const int LEAVES[] = {64, 250, 32, 96, 160, 400}, TILES[] = {16, 4, 64}, BLOCKS[] = {8, 32, 2, 128};
static const enum fmm_model TRIED[] = {FMM_TILED, FMM_SUBTREE_TASKS, FMM_TILED_TASKS, FMM_GUIDED};

static int make_tries(bool quick, struct try *tries)
{
    int count = 0, leaves = quick ? 2 : 6, tiles = quick ? 1 : 3, blocks = quick ? 2 : 4;
    for (int l = 0; l < leaves; l++) {
        for (int m = 0; m < (quick ? 2 : 4); m++) {
            bool has_sizes = TRIED[m] != FMM_GUIDED;
            for (int t = 0; t < (has_sizes ? tiles : 1); t++) {
                for (int b = 0; b < (has_sizes ? blocks : 1); b++)
                    tries[count++] = (struct try){LEAVES[l], TRIED[m], TILES[t], BLOCKS[b], 0};
            }
        }
    }
    return count;
}

/* The beginning of all lines for this search */
static void make_key(const struct request *r, int threads, char *key)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(key, LINE / 2, "%s; %d threads; %ld bodies, %s%s", host, threads, r->n, request_words(r),
             r->processor ? "; of processors" : "");
}

/* A line of the file, without the seconds */
static void make_line(const char *key, const struct try *t, char *line)
{
    snprintf(line, LINE, "%s; leaf %d, %s, tile %d, block %d: ", key, t->leaf, fmm_model_name((enum fmm_model)t->model),
             t->tile, t->block);
}

static void read_known(FILE *file, const char *key, struct try *tries, int count)
{
    char line[LINE + 32], own[LINE];
    if (fseek(file, -1, SEEK_END) == 0 && fgetc(file) != '\n') {
        fseek(file, 0, SEEK_END);
        fputc('\n', file); /* ends a truncated line */
    }
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        for (int i = 0; i < count; i++) {
            make_line(key, &tries[i], own);
            char *end = line;
            double seconds = strncmp(line, own, strlen(own)) == 0 ? strtod(line + strlen(own), &end) : 0;
            if (seconds > 0 && strcmp(end, " s\n") == 0) /* a truncated line does not count */
                tries[i].seconds = seconds;
        }
    }
}

static int measure(const struct request *r, struct fmm_problem *problem, struct try *t, const void *charges,
                   void *potentials, void *gradients, char *message)
{
    struct fmm_profile profile;
    if (fmm_set_model(problem, (enum fmm_model)t->model, t->tile, t->block, message) != 0)
        return -1;
    for (int i = 0; i < EVALUATIONS; i++) {
        if (fmm_evaluate(problem, charges, potentials, gradients, message) != 0)
            return -1;
        fmm_last_profile(problem, &profile);
        double seconds = r->processor ? profile.processor / profile.threads : profile.wall;
        t->seconds = i == 0 || seconds < t->seconds ? seconds : t->seconds;
    }
    t->seconds = t->seconds > 0 ? t->seconds : 1e-9;
    return 0;
}

/* Sorts tries that differ only in their leaf next to each other */
static int by_sizes(const void *a, const void *b)
{
    const struct try *x = a, *y = b;
    const int differences[] = {x->model - y->model, x->tile - y->tile, x->block - y->block, x->leaf - y->leaf};
    int i = 0;
    while (i < 3 && differences[i] == 0)
        i++;
    return differences[i];
}

enum { LEFT = 172, WIDTH = 54, HEIGHT = 22, TOP = 108, SHADES = 120, LEGEND = 96 };

/* The hue of a colour in degrees: green for the fastest, red for twice the time and more */
static int shade(double seconds, double best)
{
    int slower = (int)((seconds / best - 1) * SHADES);
    return slower > SHADES ? 0 : SHADES - slower;
}

/* Draws the title, a legend of numbers and colours, and a column heading for each leaf */
static void draw_head(FILE *file, const char *of, const struct try *tries, int columns, const char *unit)
{
    const char *rest = strchr(of, ';') == NULL ? NULL : strchr(strchr(of, ';'), ',');
    int first = rest == NULL ? (int)strlen(of) : (int)(rest - of) + 1;
    fprintf(file,
            "<text x=\"6\" y=\"18\">%.*s</text>\n<text x=\"6\" y=\"36\">%s</text>\n"
            "<text x=\"6\" y=\"56\">%s of an evaluation:</text>\n",
            first, of, rest == NULL ? "" : rest + 2, unit);
    for (int i = 0; i <= LEGEND; i++) {
        fprintf(file, "<rect x=\"%d\" y=\"44\" width=\"1.5\" height=\"16\" fill=\"hsl(%d,70%%,60%%)\"/>\n", 232 + i,
                SHADES - i * SHADES / LEGEND);
    }
    fprintf(file,
            "<text x=\"234\" y=\"57\" font-size=\"12\">least</text><text x=\"%d\" y=\"57\" font-size=\"12\""
            " text-anchor=\"end\">twice</text>\n<text x=\"%d\" y=\"80\">at most so many bodies in a leaf</text>\n",
            230 + LEGEND, LEFT - 48);
    fprintf(file, "<text x=\"6\" y=\"%d\">tile, V block</text>\n", TOP - 8);
    for (int i = 0; i < columns; i++) {
        fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", LEFT + i * WIDTH + WIDTH / 2,
                TOP - 8, tries[i].leaf);
    }
}

/*
 * A field for each try: a column for each leaf, and a row for each tile and block, grouped by model to keep it narrow;
 * the fastest has a frame.
 */
static int draw(const char *name, const char *of, const struct try *tries, int count, double best, char *message)
{
    FILE *file = fopen(name, "w");
    if (file == NULL) {
        snprintf(message, FMM_MESSAGE_BYTES, "%.200s cannot be written: %m", name);
        return -1;
    }
    int columns = 1, models = 1;
    for (int i = 1; i < count; i++) {
        columns += tries[i].leaf != tries[0].leaf && columns == i;
        models += tries[i].model != tries[i - 1].model;
    }
    int width = LEFT + columns * WIDTH + 6, height = TOP + (count / columns + models) * HEIGHT + 6, y = TOP;
    width = width < 380 ? 380 : width;
    bool small = best < 1;
    double least = small ? best * 1e3 : best;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            " font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    draw_head(file, of, tries, columns, small ? "Milliseconds" : "Seconds");
    for (int i = 0; i < count; i++) {
        const struct try *t = &tries[i];
        int x = LEFT + i % columns * WIDTH;
        if (i == 0 || t->model != tries[i - 1].model) {
            fprintf(file, "<text x=\"6\" y=\"%d\" font-weight=\"bold\">%s</text>\n", y + 16,
                    fmm_model_name((enum fmm_model)t->model));
            y += t->model == FMM_GUIDED ? 0 : HEIGHT; /* which has no sizes */
        }
        if (i % columns == 0 && t->model != FMM_GUIDED)
            fprintf(file, "<text x=\"14\" y=\"%d\">tile %d, block %d</text>\n", y + 16, t->tile, t->block);
        fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"hsl(%d,70%%,60%%)\"%s/>\n", x + 1,
                y + 1, WIDTH - 2, HEIGHT - 2, shade(t->seconds, best),
                t->seconds > best ? "" : " stroke=\"#000\" stroke-width=\"2\"");
        fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.*f</text>\n", x + WIDTH / 2, y + 16,
                least < 10    ? 2
                : least < 100 ? 1
                              : 0,
                small ? t->seconds * 1e3 : t->seconds);
        y += i % columns == columns - 1 ? HEIGHT : 0;
    }
    fputs("</svg>\n", file);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        snprintf(message, FMM_MESSAGE_BYTES, "%.200s could not be written whole: %m", name);
        return -1;
    }
    return 0;
}

int tune(struct request *r, const void *places, const void *charges, void *potentials, void *gradients, char *message)
{
    static struct try tries[MOST];
    char key[LINE / 2], line[LINE];
    int count = make_tries(r->quick, tries), status = 0;
    FILE *file = fopen(r->tune, "a+");
    if (file == NULL) {
        snprintf(message, FMM_MESSAGE_BYTES, "%.200s cannot be written: %m", r->tune);
        return -1;
    }
    struct fmm_problem *problem = fmm_new(&r->options, r->n, places, message), *next;
    struct fmm_profile profile;
    if (problem == NULL) {
        fclose(file);
        return -1;
    }
    fmm_last_profile(problem, &profile);
    make_key(r, profile.threads, key);
    read_known(file, key, tries, count);
    struct fmm_options options = r->options;
    for (int i = 0; i < count && status == 0; i++) {
        if (tries[i].seconds > 0)
            continue;
        if (options.leaf != tries[i].leaf || i == 0) {
            options.leaf = tries[i].leaf;
            next = fmm_new(&options, r->n, places, message); /* before freeing the other, whose operators it shares */
            status = next == NULL ? -1 : 0;
            if (status != 0)
                break;
            fmm_free(problem);
            problem = next;
        }
        status = measure(r, problem, &tries[i], charges, potentials, gradients, message);
        if (status != 0)
            break;
        make_line(key, &tries[i], line);
        fprintf(stderr, "fmm: %d of %d: leaf %d, %s, tile %d, block %d: %.4f s\n", i + 1, count, tries[i].leaf,
                fmm_model_name((enum fmm_model)tries[i].model), tries[i].tile, tries[i].block, tries[i].seconds);
        if (fprintf(file, "%s%.9f s\n", line, tries[i].seconds) < 0 || fflush(file) != 0) {
            snprintf(message, FMM_MESSAGE_BYTES, "%.200s could not be written: %m", r->tune);
            status = -1;
        }
    }
    fmm_free(problem);
    fclose(file);
    if (status != 0)
        return -1;
    const struct try *best = &tries[0];
    for (int i = 1; i < count; i++)
        best = tries[i].seconds < best->seconds ? &tries[i] : best;
    r->options.leaf = best->leaf;
    r->options.model = (enum fmm_model)best->model;
    r->options.tile = best->tile;
    r->options.v_block = best->block;
    printf("fmm: fastest of %d: leaf %d, %s, tile %d, block %d: %.4f s\n", count, best->leaf,
           fmm_model_name(r->options.model), best->tile, best->block, best->seconds);
    if (r->map == NULL)
        return 0;
    double fastest = best->seconds;
    qsort(tries, (size_t)count, sizeof *tries, by_sizes);
    return draw(r->map, strstr(key, "; ") + 2, tries, count, fastest, message); /* without the machine's name */
}
