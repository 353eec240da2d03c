! Threads of processes that all communicate, with the module mpi: each by messages of its own tag, and by collective
! operations of a communicator of its own
program main
    use mpi
    use omp_lib
    implicit none
    integer, parameter :: thread_count = 3, rounds = 20
    integer :: ierror, provided, rank, size, i, wrong
    integer :: comms(0:thread_count - 1)

    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
    if (provided /= MPI_THREAD_MULTIPLE) stop 'not MPI_THREAD_MULTIPLE'
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    do i = 0, thread_count - 1
        call MPI_Comm_dup(MPI_COMM_WORLD, comms(i), ierror)
    end do
    wrong = 0
    !$omp parallel num_threads(thread_count) reduction(+:wrong)
    wrong = wrong + talk(omp_get_thread_num())
    !$omp end parallel
    do i = 0, thread_count - 1
        call MPI_Comm_free(comms(i), ierror)
    end do
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (rank == 0 .and. wrong == 0) print '(a)', 'ok'
    call MPI_Finalize(ierror)
contains
    ! In a ring and to all; how many numbers are wrong
    integer function talk(thread)
        integer, intent(in) :: thread
        integer :: right, left, round, sent, got, total, error, requests(2), state(MPI_STATUS_SIZE)
        right = mod(rank + 1, size)
        left = mod(rank + size - 1, size)
        talk = 0
        do round = 1, rounds
            sent = 1000 * thread + 100 * rank + round
            call MPI_Irecv(got, 1, MPI_INTEGER, left, thread, MPI_COMM_WORLD, requests(1), error)
            call MPI_Isend(sent, 1, MPI_INTEGER, right, thread, MPI_COMM_WORLD, requests(2), error)
            call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
            if (got /= sent + 100 * (left - rank)) talk = talk + 1
            call MPI_Sendrecv(sent, 1, MPI_INTEGER, left, thread, got, 1, MPI_INTEGER, right, thread, &
                              MPI_COMM_WORLD, state, error)
            if (got /= sent + 100 * (right - rank)) talk = talk + 1
            if (state(MPI_SOURCE) /= right .or. state(MPI_TAG) /= thread) talk = talk + 1
            call MPI_Allreduce(sent, total, 1, MPI_INTEGER, MPI_SUM, comms(thread), error)
            if (total /= size * (1000 * thread + round) + 50 * size * (size - 1)) talk = talk + 1
        end do
    end function
end program
