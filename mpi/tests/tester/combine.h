// combine.h: the user-defined operations that trials use.
#pragma once

#include <mpi.h>

void user_commutative(void *left, void *right, int *count, MPI_Datatype *type);
void user_ordered(void *left, void *right, int *count, MPI_Datatype *type);
