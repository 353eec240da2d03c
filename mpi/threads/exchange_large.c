/* MPI_Sendrecv_c and MPI_Sendrecv_replace_c, if mpi.h has them */
#include "threads/exchange.h"

#include <limits.h>
#include <stdlib.h>

#define COUNT MPI_Count
#define SUFFIXED(name) name##_c
#include "threads/exchange.inc.h"
