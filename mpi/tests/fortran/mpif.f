! The collective operations with mpif.h
#define COMM_HANDLE integer
#define TYPE_HANDLE integer
#define OP_HANDLE integer
#define LAST , ierror
#define START MPI_Init(ierror)
#define END_OF_MPI MPI_Finalize(ierror)
#define CALLBACK compose_pairs
      subroutine compose_pairs(left, right, n, datatype)
      integer n, datatype, left(2, n), right(2, n), i, u, v
      do i = 1, n
        u = mod(left(1, i) * right(1, i), 1009)
        v = mod(left(2, i) * right(1, i) + right(2, i), 1009)
        right(1, i) = u
        right(2, i) = v
      end do
      end subroutine

      program main
      implicit none
      include 'mpif.h'
      external compose_pairs
#include "checks.inc"
      end program
