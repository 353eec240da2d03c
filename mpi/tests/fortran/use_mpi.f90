! The collective operations with the module mpi
#define COMM_HANDLE integer
#define TYPE_HANDLE integer
#define OP_HANDLE integer
#define LAST , ierror
#define START MPI_Init_thread(MPI_THREAD_SINGLE, round, ierror)
#define END_OF_MPI MPI_Finalize(ierror)
#define CALLBACK compose_pairs
subroutine compose_pairs(left, right, n, datatype)
    implicit none
    integer :: n, datatype, left(2, n), right(2, n), i
    do i = 1, n
        right(:, i) = [mod(left(1, i) * right(1, i), 1009), mod(left(2, i) * right(1, i) + right(2, i), 1009)]
    end do
end subroutine

program main
    use mpi
    implicit none
    external compose_pairs
#include "checks.inc"
end program
