/*
 * sobel: finds the edges in a grey image with the Sobel operator.
 *
 * usage: sobel [WIDTHxHEIGHT | input.pgm [output.pgm]]
 *
 * Without an input file it generates an image of the given size: discs on a slope.  The rows of the image are dealt out
 * to the threads in turn; the affinity expression of upc_forall is the address of the row to compute, and the three
 * rows it depends on are fetched with upc_memget.
 *
 * Check: thread 0 computes all edges again from a private copy of the image.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "app.h"

static const char usage[] = "sobel [WIDTHxHEIGHT | input.pgm [output.pgm]]";

enum { LARGEST_SIDE = 65536 };

typedef unsigned char pixel_t;

/* The size of the image and whether the input is bad, for all threads */
shared long shared_width, shared_height;
shared int input_is_bad;

static long width, height;

/* A shared image: one block of `width` bytes per row, rows dealt out to the threads in turn */
typedef shared void *image_t;

static shared [] pixel_t *row_at(image_t image, long row)
{
    shared char *on_thread = (shared char *)image + row % THREADS;
    return (shared [] pixel_t *)on_thread + row / THREADS * width;
}

static int clamp_to_pixel(double value)
{
    return value < 0 ? 0 : value > 255 ? 255 : (int)value;
}

/* One row of edges from the row above, the row itself, and the row below */
static void edges_of_row(pixel_t *restrict out, const pixel_t *above, const pixel_t *at, const pixel_t *below)
{
    out[0] = 0;
    out[width - 1] = 0;
    for (long x = 1; x + 1 < width; x++) {
        int gx = above[x + 1] + 2 * at[x + 1] + below[x + 1] - above[x - 1] - 2 * at[x - 1] - below[x - 1];
        int gy = below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] - 2 * above[x] - above[x + 1];
        out[x] = (pixel_t)clamp_to_pixel(sqrt((double)(gx * gx + gy * gy)));
    }
}

static void find_edges(image_t edges, image_t image)
{
    pixel_t *rows = malloc(3 * (size_t)width);
    long y;

    if (rows == NULL) {
        fprintf(stderr, "thread %d: no memory for three rows\n", MYTHREAD);
        upc_global_exit(1);
    }
    upc_forall (y = 0; y < height; y++; row_at(edges, y)) {
        pixel_t *mine = (pixel_t *)row_at(edges, y);
        if (y == 0 || y == height - 1) {
            memset(mine, 0, (size_t)width);
            continue;
        }
        for (int i = 0; i < 3; i++)
            upc_memget(rows + i * width, row_at(image, y - 1 + i), (size_t)width);
        edges_of_row(mine, rows, rows + width, rows + 2 * width);
    }
    free(rows);
}

/* Grey value of the generated image: a slope with bright and dark discs */
static pixel_t made_pixel(long x, long y)
{
    long cell = 64;
    long dx = x % cell - cell / 2;
    long dy = y % cell - cell / 2;
    int slope = (int)((x + y) % 128);
    if (dx * dx + dy * dy < cell * cell / 9)
        return (pixel_t)((x / cell + y / cell) % 2 ? 255 : 0);
    return (pixel_t)(64 + slope);
}

/* The next number in a PGM header; comments run from # to the end of the line.  -1 if there is none. */
static long header_number(FILE *file)
{
    int c = fgetc(file);
    while (isspace(c) || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = fgetc(file);
        c = fgetc(file);
    }
    ungetc(c, file);
    long number;
    return fscanf(file, "%ld", &number) == 1 ? number : -1;
}

/* Reads the header of a binary PGM file, up to the first pixel.  Returns 0 if the format is not supported. */
static int read_header(FILE *file, long *columns, long *lines)
{
    if (fgetc(file) != 'P' || fgetc(file) != '5')
        return 0;
    *columns = header_number(file);
    *lines = header_number(file);
    long brightest = header_number(file);
    fgetc(file);
    return *columns >= 1 && *columns <= LARGEST_SIDE && *lines >= 1 && *lines <= LARGEST_SIDE && brightest == 255;
}

static void write_image(const char *name, image_t image)
{
    FILE *file = fopen(name, "wb");
    pixel_t *row = malloc((size_t)width);

    if (file == NULL || row == NULL) {
        perror(name);
        upc_global_exit(1);
    }
    fprintf(file, "P5\n%ld %ld\n255\n", width, height);
    for (long y = 0; y < height; y++) {
        upc_memget(row, row_at(image, y), (size_t)width);
        fwrite(row, 1, (size_t)width, file);
    }
    free(row);
    if (ferror(file) | fclose(file)) {
        perror(name);
        upc_global_exit(1);
    }
}

/* Thread 0: puts the pixels of the file, or generated ones, into the shared image.  Returns 0 if the file is too
 * short. */
static int load(image_t image, FILE *file)
{
    pixel_t *row = malloc((size_t)width);
    int complete = row != NULL;

    for (long y = 0; y < height && complete; y++) {
        if (file == NULL)
            for (long x = 0; x < width; x++)
                row[x] = made_pixel(x, y);
        else
            complete = fread(row, 1, (size_t)width, file) == (size_t)width;
        upc_memput(row_at(image, y), row, (size_t)width);
    }
    free(row);
    return complete;
}

/* Thread 0: the number of wrong pixels in edges */
static long check(image_t edges, image_t image)
{
    size_t bytes = (size_t)width;
    pixel_t *copy = malloc((size_t)height * bytes);
    pixel_t *expected = malloc(bytes);
    pixel_t *found = malloc(bytes);
    long wrong = 0;

    if (copy == NULL || expected == NULL || found == NULL) {
        fprintf(stderr, "sobel: no memory for the check\n");
        upc_global_exit(1);
    }
    for (long y = 0; y < height; y++)
        upc_memget(copy + y * width, row_at(image, y), bytes);
    for (long y = 0; y < height; y++) {
        if (y == 0 || y == height - 1)
            memset(expected, 0, bytes);
        else
            edges_of_row(expected, copy + (y - 1) * width, copy + y * width, copy + (y + 1) * width);
        upc_memget(found, row_at(edges, y), bytes);
        for (long x = 0; x < width; x++)
            wrong += found[x] != expected[x];
    }
    free(copy);
    free(expected);
    free(found);
    return wrong;
}

/* Thread 0 opens the input, or reads the size, and tells everybody the size of the image. */
static FILE *open_input(int argc, char **argv)
{
    FILE *file = NULL;
    long columns = 2000, lines = 2000;
    int used = 0;

    if (argc > 1 && (sscanf(argv[1], "%ldx%ld%n", &columns, &lines, &used) != 2 || argv[1][used] != '\0')) {
        file = fopen(argv[1], "rb");
        if (file == NULL) {
            perror(argv[1]);
            input_is_bad = 1;
        } else if (!read_header(file, &columns, &lines)) {
            fprintf(stderr, "%s: not a binary PGM file with 256 grey values\n", argv[1]);
            input_is_bad = 1;
        }
    } else if (columns < 1 || lines < 1 || columns > LARGEST_SIDE || lines > LARGEST_SIDE) {
        fprintf(stderr, "sobel: a side is 1 to %d long\n", LARGEST_SIDE);
        input_is_bad = 1;
    }
    shared_width = columns;
    shared_height = lines;
    return file;
}

int main(int argc, char **argv)
{
    FILE *file = NULL;

    if (argc > 3)
        app_usage(usage);
    if (MYTHREAD == 0)
        file = open_input(argc, argv);
    upc_barrier;
    if (input_is_bad)
        app_usage(usage);
    width = shared_width;
    height = shared_height;

    image_t image = upc_all_alloc((size_t)height, (size_t)width);
    image_t edges = upc_all_alloc((size_t)height, (size_t)width);
    if (image == NULL || edges == NULL) {
        if (MYTHREAD == 0)
            fprintf(stderr, "sobel: no memory for an image of %ld x %ld\n", width, height);
        return 1;
    }
    if (MYTHREAD == 0 && !load(image, file)) {
        fprintf(stderr, "%s: the file ends too early\n", argv[1]);
        upc_global_exit(1);
    }

    upc_barrier;
    double start = app_seconds();
    find_edges(edges, image);
    upc_barrier;
    double seconds = app_seconds() - start;

    int failed = 0;
    if (MYTHREAD == 0) {
        long wrong = check(edges, image);
        failed = wrong != 0;
        printf("sobel: %ld x %ld pixels, %.1f million pixels per second, %ld wrong: %s\n", width, height,
               1e-6 * (double)width * (double)height / seconds, wrong, wrong ? "WRONG" : "right");
        if (argc > 2)
            write_image(argv[2], edges);
        if (file != NULL)
            fclose(file);
    }
    upc_all_free(image);
    upc_all_free(edges);
    return failed;
}
