// What the C interface of apps/fmm refuses, with which messages, and that it can evaluate again after that.
#include "fmm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;
static char message[FMM_MESSAGE_BYTES];

static void refused(int is, const char *words)
{
    if (is && strstr(message, words) != NULL)
        return;
    printf("not refused with '%s', but '%s'\n", words, message);
    failures++;
}

static void near(double found, double right)
{
    if (fabs(found - right) <= 1e-14 * fabs(right))
        return;
    printf("%.17g, not %.17g\n", found, right);
    failures++;
}

int main(void)
{
    double places[] = {0, 0, 0, 2, 0, 0}, charges[] = {1, 3}, potentials[2], gradients[6];
    struct fmm_options options = fmm_defaults();

    refused(fmm_new(&options, -1, places, message) == NULL, "bodies is -1");
    places[4] = NAN;
    refused(fmm_new(&options, 2, places, message) == NULL, "coordinate of body 1 is nan");
    places[4] = INFINITY;
    refused(fmm_new(&options, 2, places, message) == NULL, "coordinate of body 1 is inf");
    places[4] = 1e308;
    places[1] = -1e308;
    refused(fmm_new(&options, 2, places, message) == NULL, "too far apart for a cube");
    places[1] = places[4] = 0;
    options.leaf = 0;
    refused(fmm_new(&options, 2, places, message) == NULL, "leaf is to have 0");
    options.leaf = 1;
    options.kernel = FMM_YUKAWA;
    options.length = 0;
    refused(fmm_new(&options, 2, places, message) == NULL, "length of the Yukawa kernel is 0");
    options.length = 4;

    struct fmm_problem *problem = fmm_new(&options, 2, places, message);
    if (problem == NULL)
        return puts(message), 1;
    charges[0] = NAN;
    refused(fmm_evaluate(problem, charges, potentials, gradients, message) == -1, "charge of body 0 is nan");
    refused(fmm_set_model(problem, FMM_MODELS, 1, 1, message) == -1, "no model");
    refused(fmm_set_model(problem, FMM_TILED, 1, 0, message) == -1, "V block is 0");
    charges[0] = 1;
    if (fmm_evaluate(problem, charges, potentials, gradients, message) != 0)
        return puts(message), 1;
    near(potentials[0], 3 * exp(-0.5) / 2);
    near(potentials[1], exp(-0.5) / 2);
    near(gradients[0], 3 * exp(-0.5) * 1.5 / 4);
    near(gradients[3], -exp(-0.5) * 1.5 / 4);
    refused(fmm_write_trace(problem, "/nowhere/trace", message) == -1, "/nowhere/trace cannot be written");
    double wall;
    struct fmm_times times;
    refused(fmm_set_threads(problem, 0, message) == -1, "0 threads; there can be 1 to");
    if (fmm_set_threads(problem, 1, message) != 0 ||
        fmm_evaluate(problem, charges, potentials, gradients, message) != 0)
        return puts(message), 1;
    refused(fmm_find_times(problem, 0, NULL, &times, message) == -1, "nothing was recorded");
    refused(fmm_simulate(problem, 4, &wall, 0, NULL, message) == -1, "nothing was recorded");
    refused(fmm_simulate(problem, 0, &wall, 0, NULL, message) == -1, "0 cores");
    fmm_trace(problem, 1);
    if (fmm_evaluate(problem, charges, potentials, gradients, message) != 0 ||
        fmm_simulate(problem, 4, &wall, 0, NULL, message) != 0)
        return puts(message), 1;
    if (!(wall > 0 && isfinite(wall)))
        return printf("simulated: %g s\n", wall), 1;
    fmm_trace(problem, 0);
    fmm_free(problem);

    options.kernel = FMM_LAPLACE; // without gradients, far apart and small
    places[0] = 1e9;
    places[3] = 1e9 + 0.5;
    problem = fmm_new(&options, 2, places, message);
    if (problem == NULL || fmm_evaluate(problem, charges, potentials, NULL, message) != 0)
        return puts(message), 1;
    near(potentials[0], 6);
    near(potentials[1], 2);
    fmm_free(problem);
    return failures != 0;
}
