#include <upc.h>

extern shared int numbers[THREADS];
int part(int thread);
