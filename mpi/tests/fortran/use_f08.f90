! The collective operations with the module mpi_f08; without a last argument, for it is optional, unless WITH_LAST is
! defined
#define COMM_HANDLE type(MPI_Comm)
#define TYPE_HANDLE type(MPI_Datatype)
#define OP_HANDLE type(MPI_Op)
#ifdef WITH_LAST
#define LAST , ierror
#define START MPI_Init_thread(MPI_THREAD_SINGLE, round, ierror)
#define END_OF_MPI MPI_Finalize(ierror)
#else
#define LAST
#define START MPI_Init()
#define END_OF_MPI MPI_Finalize()
#endif
#define CALLBACK compose_pairs
module operation
    implicit none
contains
    subroutine compose_pairs(left_address, right_address, n, datatype)
        use, intrinsic :: iso_c_binding
        use mpi_f08
        type(c_ptr), value :: left_address, right_address
        integer :: n, i
        type(MPI_Datatype) :: datatype
        integer, pointer :: left(:, :), right(:, :)
        call c_f_pointer(left_address, left, [2, n])
        call c_f_pointer(right_address, right, [2, n])
        do i = 1, n
            right(:, i) = [mod(left(1, i) * right(1, i), 1009), mod(left(2, i) * right(1, i) + right(2, i), 1009)]
        end do
    end subroutine
end module

program main
    use mpi_f08
    use operation
    implicit none
#include "checks.inc"
end program
