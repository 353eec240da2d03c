/* One file per communicator */
#include "check.h"

#include <stdio.h>

enum { NUMBERS = 20 };

void check_files(const struct lane *lane)
{
    char name[512];
    int out[NUMBERS], in[NUMBERS] = {0};
    MPI_Offset size, mine = lane->rank * (MPI_Offset)sizeof out;
    MPI_File file;
    if (!lane->folder)
        return;
    snprintf(name, sizeof name, "%s/lane%d", lane->folder, lane->thread);
    for (int i = 0; i < NUMBERS; i++)
        out[i] = lane->rank * 1000 + lane->round * 100 + i;
    CHECK(MPI_File_open(lane->comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS);
    MPI_File_set_size(file, 0);
    MPI_File_write_at_all(file, mine, out, NUMBERS, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(lane->comm);
    MPI_File_get_size(file, &size);
    CHECK(size == lane->size * (MPI_Offset)sizeof out);
    MPI_File_read_at(file, (mine + (MPI_Offset)sizeof out) % size, in, NUMBERS, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < NUMBERS; i++)
        CHECK(in[i] == (lane->rank + 1) % lane->size * 1000 + lane->round * 100 + i);
    MPI_File_set_view(file, mine, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_all(file, in, NUMBERS, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(in[NUMBERS - 1] == out[NUMBERS - 1]);
    MPI_File_close(&file);
}
