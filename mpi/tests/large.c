// large.c: MPI_Sendrecv_replace of more than 2 GiB, whose count fits in an int, with threads that are arbitrated.
//
// Needs 4.3 GB of memory.  Exit status 1 if it does not replace the data.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENT_BYTES = 1 << 20, ELEMENTS = (1 << 11) + 3, STEP = 4096 };

// The bytes that are checked, one of each page
static unsigned char value_of(size_t i)
{
    return (unsigned char)(i / STEP % 251);
}

int main(int argc, char **argv)
{
    int provided;
    size_t bytes = (size_t)ELEMENTS * ELEMENT_BYTES, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    unsigned char *data = malloc(bytes);
    if (!data)
        return 2;
    for (size_t i = 0; i < bytes; i += STEP)
        data[i] = value_of(i);
    MPI_Datatype type, element;
    MPI_Type_contiguous(ELEMENT_BYTES, MPI_BYTE, &type);
    MPI_Type_create_resized(type, 16, ELEMENT_BYTES, &element); // its lower bound is not where its data begin
    MPI_Type_commit(&element);
    MPI_Status status;
    int received = 0;
    int result = MPI_Sendrecv_replace(data, ELEMENTS, element, 0, 1, 0, 1, MPI_COMM_SELF, &status);
    MPI_Get_count(&status, element, &received);
    for (size_t i = 0; i < bytes; i += STEP)
        wrong += data[i] != value_of(i);
    printf("result %d, %d elements, %zu of %zu bytes are wrong\n", result, received, wrong, bytes / STEP);
    MPI_Type_free(&element);
    MPI_Type_free(&type);
    free(data);
    MPI_Finalize();
    return result != MPI_SUCCESS || received != ELEMENTS || wrong > 0;
}
