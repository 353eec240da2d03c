/* MPI_Put_c and its kin, where mpi.h has them */
#include "threads/gate.h"
#include "threads/transfers.h"

#define COUNT MPI_Count
#define SUFFIXED(name) name##_c
#include "threads/transfers.inc.h"
