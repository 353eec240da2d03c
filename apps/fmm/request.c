/*
 * The command line of the programs, and the bodies that it asks for.
 *
 * BSD-3-Clause, the Banyan authors.
 */
#include "request.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const DISTRIBUTIONS[] = {"uniform", "ellipse", "plummer", "point", "line", "clusters"};
enum { UNIFORM, ELLIPSE, PLUMMER, POINT, LINE, CLUSTERS, N_DISTRIBUTIONS };
static const char *const KERNELS[] = {"laplace", "yukawa"};
static const char *const PRECISIONS[] = {"double", "single"};
static _Thread_local bool speaks = true; /* thread-local, since UPC threads may share a process */

static void usage(const char *format, const char *word)
{
    if (!speaks)
        exit(2);
    fprintf(stderr, "fmm: ");
    fprintf(stderr, format, word);
    fprintf(stderr,
            "\nusage: fmm [-n N] [-distribution uniform|ellipse|plummer|point|line|clusters] [-order 4..10]"
            " [-leaf Q]\n           [-kernel laplace|yukawa] [-length L] [-precision double|single]\n"
            "           [-model static|dynamic|guided|naive-tasks|tiled|tiled-tasks|subtree-tasks|tbb|upc|all]\n"
            "           [-tile CELLS] [-block GROUPS] [-repeat TIMES] [-check] [-profile] [-counters]"
            " [-limits]\n           [-trace FILE] [-tune FILE [-quick] [-processor] [-map FILE]]"
            " [-study [-timeline FILE]]\n");
    exit(2);
}

static long number(const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != 0 || errno != 0)
        usage("'%s' is not a whole number", text);
    return value;
}

static int whole(const char *text)
{
    long value = number(text);
    if (value != (int)value)
        usage("'%s' is too large", text);
    return (int)value;
}

static int one_of(const char *text, const char *const names[], int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
    }
    usage("there is no '%s'", text);
    return 0;
}

static void set_model(struct request *r, const char *text)
{
    r->model = REQUEST_OF_LIBRARY;
    for (int m = 0; m < FMM_MODELS; m++) {
        if (strcmp(text, fmm_model_name((enum fmm_model)m)) == 0) {
            r->options.model = (enum fmm_model)m;
            return;
        }
    }
    if (strcmp(text, "all") == 0 || strcmp(text, "upc") == 0) {
        r->model = strcmp(text, "all") == 0 ? REQUEST_ALL : REQUEST_UPC;
        return;
    }
    usage("there is no model '%s'", text);
}

static void set(struct request *r, const char *name, const char *value)
{
    struct fmm_options *o = &r->options;
    char *end;
    if (strcmp(name, "-n") == 0)
        r->n = number(value);
    else if (strcmp(name, "-distribution") == 0)
        r->distribution = one_of(value, DISTRIBUTIONS, N_DISTRIBUTIONS);
    else if (strcmp(name, "-order") == 0)
        o->order = whole(value);
    else if (strcmp(name, "-leaf") == 0)
        o->leaf = whole(value);
    else if (strcmp(name, "-kernel") == 0)
        o->kernel = (enum fmm_kernel)one_of(value, KERNELS, 2);
    else if (strcmp(name, "-precision") == 0)
        o->precision = (enum fmm_precision)one_of(value, PRECISIONS, 2);
    else if (strcmp(name, "-model") == 0)
        set_model(r, value);
    else if (strcmp(name, "-tile") == 0) {
        o->tile = whole(value);
        r->has_tile = true;
    } else if (strcmp(name, "-block") == 0)
        o->v_block = whole(value);
    else if (strcmp(name, "-repeat") == 0)
        r->repeat = whole(value);
    else if (strcmp(name, "-trace") == 0)
        r->trace = value;
    else if (strcmp(name, "-tune") == 0)
        r->tune = value;
    else if (strcmp(name, "-map") == 0)
        r->map = value;
    else if (strcmp(name, "-timeline") == 0)
        r->timeline = value;
    else if (strcmp(name, "-length") == 0) {
        o->length = strtod(value, &end);
        if (end == value || *end != 0)
            usage("'%s' is not a number", value);
    } else
        usage("there is no option '%s'", name);
}

/* Sets an option without a value; returns whether it is one */
static bool set_flag(struct request *r, const char *name)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"-check", &r->check},        {"-quick", &r->quick}, {"-profile", &r->profile},
                 {"-counters", &r->counters},  {"-study", &r->study}, {"-limits", &r->limits},
                 {"-processor", &r->processor}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(name, flags[i].name) == 0)
            return *flags[i].flag = true;
    }
    return false;
}

struct request request_read(int argc, char **argv, bool says)
{
    speaks = says;
    struct request r = {.n = 100000, .repeat = 1, .options = fmm_defaults()};
    for (int i = 1; i < argc; i++) {
        if (set_flag(&r, argv[i]))
            continue;
        if (i + 1 == argc)
            usage("'%s' needs a value, or is not an option", argv[i]);
        set(&r, argv[i], argv[i + 1]);
        i++;
    }
    if ((r.quick || r.processor || r.map != NULL) && r.tune == NULL)
        usage("%s needs -tune", r.quick ? "-quick" : r.processor ? "-processor" : "-map");
    if (r.timeline != NULL && !r.study)
        usage("%s needs -study", "-timeline");
    if (r.study && (r.model != REQUEST_DEFAULT || r.check || r.profile || r.counters || r.limits || r.trace != NULL))
        usage("%s runs all models, so not with -model, -check, -profile, -counters, -limits or -trace", "-study");
    if (r.tune != NULL && r.model == REQUEST_ALL)
        usage("%s finds one model, so not with -model all", "-tune");
    if (r.repeat < 1)
        usage("%s is to be 1 or more", "-repeat");
    return r;
}

/* Uniform in [0, 1), the same on all machines (splitmix64) */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static void on_sphere(uint64_t *state, double radius, double *to)
{
    double z = 2 * uniform(state) - 1, angle = 2 * acos(-1.0) * uniform(state), flat = sqrt(1 - z * z);
    to[0] = radius * flat * cos(angle);
    to[1] = radius * flat * sin(angle);
    to[2] = radius * z;
}

static void place_in(int distribution, uint64_t *state, long i, double *to)
{
    double radius;
    switch (distribution) {
    case ELLIPSE: /* the surface of an ellipsoid with axes 1 : 1 : 4 */
        on_sphere(state, 1, to);
        to[2] *= 4;
        return;
    case PLUMMER: /* without the few bodies beyond 10 of its radii */
        do
            radius = 1 / sqrt(pow(uniform(state) + 1e-12, -2.0 / 3) - 1);
        while (radius > 10);
        on_sphere(state, radius, to);
        return;
    case POINT: to[0] = to[1] = to[2] = 0.5; return;
    case LINE: to[0] = to[1] = to[2] = uniform(state); return;
    default:
        for (int d = 0; d < 3; d++)
            to[d] = uniform(state);
        if (distribution == CLUSTERS)
            to[0] += i % 2 ? 1e4 : 0;
    }
}

void request_body(const struct request *r, long i, double place[3], double *charge)
{
    uint64_t state = ((uint64_t)i + 1) * 0xD1342543DE82EF95;
    place_in(r->distribution, &state, i, place);
    *charge = uniform(&state);
    for (int d = 0; d < 3 && r->options.precision == FMM_SINGLE; d++)
        place[d] = (float)place[d];
    if (r->options.precision == FMM_SINGLE)
        *charge = (float)*charge;
}

const char *request_words(const struct request *r)
{
    static char words[80];
    snprintf(words, sizeof words, "%s, %s, order %d, %s", DISTRIBUTIONS[r->distribution], KERNELS[r->options.kernel],
             r->options.order, PRECISIONS[r->options.precision]);
    return words;
}
