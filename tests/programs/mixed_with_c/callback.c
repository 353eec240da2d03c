/* A .c file is compiled as UPC, too. */
#include <upc.h>

shared double factor = 2;

double callback(double x)
{
    return factor * x + THREADS;
}
