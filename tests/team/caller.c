/* caller.c: team.h from C, as an independent program would use it: forks its members and compares their results. */
#include <banyan/team.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 3, COUNT = 1000 };

static int work(const char *name, int rank)
{
    banyan_team *team;
    double *shared, sum[COUNT];
    if (banyan_team_join(name, rank, SIZE, 30, &team) != BANYAN_OK ||
        banyan_alloc_shared(team, COUNT * sizeof *shared, (void **)&shared) != BANYAN_OK) {
        fprintf(stderr, "%s\n", banyan_error());
        return EXIT_FAILURE;
    }
    for (int i = rank; i < COUNT; i += SIZE)
        shared[i] = i;
    if (banyan_barrier(team) != BANYAN_OK ||
        banyan_allreduce(team, shared, sum, COUNT, BANYAN_FLOAT64, BANYAN_SUM) != BANYAN_OK) {
        fprintf(stderr, "%s\n", banyan_error());
        return EXIT_FAILURE;
    }
    for (int i = 0; i < COUNT; i++) {
        if (sum[i] != SIZE * (double)i)
            return EXIT_FAILURE;
    }
    if (rank == 0)
        printf("%d members, sum of the last: %g\n", banyan_team_size(team), sum[COUNT - 1]);
    banyan_team_leave(team);
    return EXIT_SUCCESS;
}

int main(void)
{
    char name[BANYAN_NAME_MAX + 1];
    int status, worst = EXIT_SUCCESS;
    banyan_team_new_name(name);
    for (int rank = 1; rank < SIZE; rank++) {
        if (fork() == 0)
            _exit(work(name, rank));
    }
    worst = work(name, 0);
    while (wait(&status) > 0)
        worst |= status;
    return worst == EXIT_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
