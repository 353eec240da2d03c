! asp_mpi: the program of asp_mpi.c in Fortran, by the module mpi_f08.
!
! usage: asp_mpi [n]
!
! The distances are dealt out in blocks of columns, since columns are contiguous here: column i has those from vertex i.
program asp
    use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
    use mpi_f08
    implicit none

    integer, parameter :: far = 1000000000
    integer :: process, processes, n, block, columns, first, i, j
    integer, allocatable :: mine(:, :)
    integer(int64) :: total, all_total
    real(real64) :: start, seconds, in_broadcast, all_broadcast

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, process)
    call MPI_Comm_size(MPI_COMM_WORLD, processes)
    n = vertices()
    block = (n + processes - 1) / processes
    first = process * block
    columns = max(0, min(block, n - first))

    allocate (mine(0:n - 1, 0:max(columns, 1) - 1))
    do i = 0, columns - 1
        do j = 0, n - 1
            mine(j, i) = edge(int(first + i, int64), int(j, int64), int(n, int64))
        end do
    end do

    call MPI_Barrier(MPI_COMM_WORLD)
    start = MPI_Wtime()
    call solve(in_broadcast)
    call MPI_Barrier(MPI_COMM_WORLD)
    seconds = MPI_Wtime() - start

    total = 0
    do i = 0, columns - 1
        total = total + sum(int(mine(:, i), int64))
    end do
    call MPI_Reduce(total, all_total, 1, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD)
    call MPI_Reduce(in_broadcast, all_broadcast, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
    if (process == 0) then
        print '(a, i0, a, i0, a, f0.3, a, f0.3, a, f0.1, a)', 'asp: ', n, ' vertices, sum ', all_total, ', ', seconds, &
            ' s, of it ', all_broadcast / processes, ' s in broadcast, ', 1e-6 * real(n, real64)**3 / seconds, &
            ' million paths per second'
    end if
    call MPI_Finalize()

contains

    integer function vertices()
        character(len=32) :: text
        integer :: status
        vertices = 2000
        if (command_argument_count() == 0) return
        call get_command_argument(1, text)
        read (text, *, iostat=status) vertices
        if (status /= 0 .or. vertices < 1 .or. vertices > 40000 .or. command_argument_count() > 1) then
            if (process == 0) write (error_unit, '(a)') 'usage: asp_mpi [n]        n is between 1 and 40000'
            call MPI_Finalize()
            stop 2
        end if
    end function

    ! As edge() of graph.h
    pure integer function edge(from, to, n)
        integer(int64), intent(in) :: from, to, n
        integer(int64) :: mixed
        mixed = mod(from * 7919 + to * 104729 + mod(from * to, 8191_int64) * 613, 16381_int64)
        if (from == to) then
            edge = 0
        else if (mod(mixed, 4_int64) == 0 .or. to == mod(from + 1, n)) then
            edge = int(mod(mixed, 997_int64)) + 1
        else
            edge = far
        end if
    end function

    subroutine solve(in_broadcast)
        real(real64), intent(out) :: in_broadcast
        integer, allocatable :: column_k(:)
        integer :: k, i, owner, to_k
        real(real64) :: start
        allocate (column_k(0:n - 1))
        in_broadcast = 0
        do k = 0, n - 1
            owner = k / block
            if (owner == process) column_k = mine(:, k - first)
            start = MPI_Wtime()
            call MPI_Bcast(column_k, n, MPI_INTEGER, owner, MPI_COMM_WORLD)
            in_broadcast = in_broadcast + MPI_Wtime() - start
            do i = 0, columns - 1
                to_k = mine(k, i)
                if (to_k < far) mine(:, i) = min(mine(:, i), to_k + column_k)
            end do
        end do
    end subroutine
end program
