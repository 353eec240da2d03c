/*
 * bfs_hybrid: breadth-first search with threads that all compute, send and receive.
 *
 * usage: bfs_hybrid SCALE ROOTS [--lazy] [--barrier]      OMP_NUM_THREADS says how many threads a process has
 *
 * Each thread has, of its own, a buffer for each other process, a pending receive, and a queue of the vertices that it
 * has found.  Threads of a process share its parents without locks: two may find a vertex at the same time; then either
 * parent is right, and the vertex is visited twice.
 *
 * A level ends when no message is in flight.  With empty messages, that is when one has come from each thread of each
 * other process, since they overtake no earlier message of their thread.  With --barrier, it is when all processes have
 * entered a nonblocking barrier, each after its messages have been matched (they are sent synchronously).  In either
 * case a message may have been matched by a receive that its thread has not tested yet: each thread cancels its receive
 * at the end, and if it cannot be cancelled, a message has come.
 */
#include <mpi.h>
#include <omp.h>
#include <string.h>

#include "graph500.h"

enum { BUFFER_VISITS = 1024 };

struct visit {
    int vertex, parent; /* `vertex`: by its owner's numbering */
};

enum { COMPUTING, SENDING, POLLING, ENDING, PARTS };
enum { FULL, INCOMPLETE, EMPTY, KINDS };

/* Shared by the threads during a level */
static struct graph graph;
static int me, processes, is_lazy, has_barrier;
static int *parent, *level;
static long level_count;
static int threads_done, empties, is_over; /* atomic; threads_done: threads that have sent everything */

/* Private to a thread */
struct thread {
    struct visit (*buffers)[BUFFER_VISITS]; /* one per process */
    int *counts;
    MPI_Request *sends;
    struct visit received[BUFFER_VISITS];
    MPI_Request receive;
    int *found;
    long found_count, found_room;
    double seconds[PARTS];
    long messages[KINDS];
};

static void visit(struct thread *thread, struct visit one)
{
    int seen;
#pragma omp atomic read
    seen = parent[one.vertex];
    if (seen != GRAPH_NOBODY)
        return;
#pragma omp atomic write
    parent[one.vertex] = one.parent;
    if (thread->found_count == thread->found_room) {
        thread->found_room = 2 * thread->found_room + 1024;
        thread->found = realloc(thread->found, (size_t)thread->found_room * sizeof *thread->found);
        if (thread->found == NULL) {
            fprintf(stderr, "bfs_hybrid: no memory for %ld vertices\n", thread->found_room);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    thread->found[thread->found_count++] = one.vertex;
}

static void begin_receive(struct thread *thread)
{
    MPI_Irecv(thread->received, (int)sizeof thread->received, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
              &thread->receive);
}

static void take(struct thread *thread, const MPI_Status *status)
{
    int bytes;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    if (bytes == 0) {
#pragma omp atomic update
        empties++;
    }
    for (int i = 0; i < bytes / (int)sizeof(struct visit); i++)
        visit(thread, thread->received[i]);
}

/* Takes a message, if one has come; unless lazy, also tests which sends have completed. */
static void look(struct thread *thread)
{
    MPI_Status status;
    int has_come;
    double start = MPI_Wtime();
    MPI_Test(&thread->receive, &has_come, &status);
    for (int p = 0; p < processes && !is_lazy; p++)
        if (thread->sends[p] != MPI_REQUEST_NULL)
            MPI_Test(&thread->sends[p], &(int){0}, MPI_STATUS_IGNORE);
    thread->seconds[POLLING] += MPI_Wtime() - start;
    if (!has_come)
        return;
    take(thread, &status);
    begin_receive(thread);
}

/* Waits until the last message to a process has left its buffer. */
static void await_send(struct thread *thread, int to)
{
    int has_left = thread->sends[to] == MPI_REQUEST_NULL;
    while (!has_left) {
        look(thread);
        double start = MPI_Wtime();
        MPI_Test(&thread->sends[to], &has_left, MPI_STATUS_IGNORE);
        thread->seconds[POLLING] += MPI_Wtime() - start;
    }
}

/* The buffer must not be filled again before await_send. */
static void send(struct thread *thread, int to)
{
    int count = thread->counts[to];
    double start = MPI_Wtime();
    if (has_barrier)
        MPI_Issend(thread->buffers[to], count * (int)sizeof(struct visit), MPI_BYTE, to, 0, MPI_COMM_WORLD,
                   &thread->sends[to]);
    else
        MPI_Isend(thread->buffers[to], count * (int)sizeof(struct visit), MPI_BYTE, to, 0, MPI_COMM_WORLD,
                  &thread->sends[to]);
    thread->seconds[SENDING] += MPI_Wtime() - start;
    thread->messages[count == BUFFER_VISITS ? FULL : count > 0 ? INCOMPLETE : EMPTY]++;
    thread->counts[to] = 0;
}

static void push(struct thread *thread, int vertex, int from)
{
    int to = vertex % processes, count = thread->counts[to];
    if (count == 0)
        await_send(thread, to);
    thread->buffers[to][count] = (struct visit){vertex / processes, from};
    thread->counts[to] = count + 1;
    if (count + 1 == BUFFER_VISITS)
        send(thread, to);
}

/* Ends when all threads of other processes have said that they have sent everything. */
static void end_by_empties(struct thread *thread)
{
    int come = 0, expected = omp_get_num_threads() * (processes - 1);
    for (int i = 1; i < processes; i++) {
        int to = (me + i) % processes;
        await_send(thread, to);
        send(thread, to);
    }
    for (;;) {
#pragma omp atomic read
        come = empties;
        if (come == expected)
            break;
        look(thread);
    }
    for (int to = 0; to < processes; to++)
        await_send(thread, to);
}

/* Ends with the barrier, which thread 0 begins when all messages of the process have been matched. */
static void end_by_barrier(struct thread *thread)
{
    MPI_Request barrier = MPI_REQUEST_NULL;
    int done, over = 0, has_begun = 0;
    for (int to = 0; to < processes; to++)
        await_send(thread, to);
#pragma omp atomic update
    threads_done++;
    while (!over) {
        look(thread);
#pragma omp atomic read
        done = threads_done;
        if (omp_get_thread_num() == 0 && done == omp_get_num_threads()) {
            if (!has_begun)
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
            has_begun = 1;
            int has_ended;
            MPI_Test(&barrier, &has_ended, MPI_STATUS_IGNORE);
            if (has_ended) {
#pragma omp atomic write
                is_over = 1;
            }
        }
#pragma omp atomic read
        over = is_over;
    }
}

static void end_receive(struct thread *thread)
{
    MPI_Status status;
    int was_cancelled;
    MPI_Cancel(&thread->receive);
    MPI_Wait(&thread->receive, &status);
    MPI_Test_cancelled(&status, &was_cancelled);
    if (!was_cancelled)
        take(thread, &status);
}

/* Called by all threads of the process. */
static void search_level(struct thread *thread)
{
    double start = MPI_Wtime();
    begin_receive(thread);
#pragma omp for schedule(dynamic, 16) nowait
    for (long i = 0; i < level_count; i++) {
        int u = level[i] * processes + me;
        if (processes > 1)
            look(thread);
        for (long e = graph.first[level[i]]; e < graph.first[level[i] + 1]; e++) {
            if (graph.neighbours[e] % processes == me)
                visit(thread, (struct visit){graph.neighbours[e] / processes, u});
            else
                push(thread, graph.neighbours[e], u);
        }
    }
    for (int to = 0; to < processes; to++)
        if (thread->counts[to] > 0)
            send(thread, to);
    double computed = MPI_Wtime();
    thread->seconds[COMPUTING] += computed - start;
    if (has_barrier)
        end_by_barrier(thread);
    else
        end_by_empties(thread);
    end_receive(thread);
#pragma omp barrier
    thread->seconds[ENDING] += MPI_Wtime() - computed;
}

/* Moves what the threads have found into the next level; returns whether that is empty on all processes. */
static int next_level(struct thread *threads, int count)
{
    level_count = threads_done = empties = is_over = 0;
    for (int t = 0; t < count; t++)
        level_count += threads[t].found_count;
    level = realloc(level, (size_t)(level_count + 1) * sizeof *level);
    if (level == NULL) {
        fprintf(stderr, "bfs_hybrid: no memory for %ld vertices\n", level_count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    long at = 0, all;
    for (int t = 0; t < count; t++) {
        if (threads[t].found_count > 0)
            memcpy(level + at, threads[t].found, (size_t)threads[t].found_count * sizeof *level);
        at += threads[t].found_count;
        threads[t].found_count = 0;
    }
    MPI_Allreduce(&level_count, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all == 0;
}

static void search(struct thread *threads, int count, int root)
{
    for (long i = 0; i < graph.mine; i++)
        parent[i] = GRAPH_NOBODY;
    if (root % processes == me)
        visit(&threads[0], (struct visit){root / processes, root});
    while (!next_level(threads, count)) {
#pragma omp parallel num_threads(count)
        search_level(&threads[omp_get_thread_num()]);
    }
}

static struct thread *make_threads(int count)
{
    struct thread *threads = graph_take((size_t)count, sizeof *threads);
    for (int t = 0; t < count; t++) {
        threads[t].buffers = graph_take((size_t)processes, sizeof *threads[t].buffers);
        threads[t].counts = graph_take((size_t)processes, sizeof(int));
        threads[t].sends = graph_take((size_t)processes, sizeof(MPI_Request));
        for (int p = 0; p < processes; p++)
            threads[t].sends[p] = MPI_REQUEST_NULL;
    }
    return threads;
}

static void free_threads(struct thread *threads, int count)
{
    for (int t = 0; t < count; t++) {
        free(threads[t].buffers);
        free(threads[t].counts);
        free(threads[t].sends);
        free(threads[t].found);
    }
    free(threads);
}

/* Whether the tree of all processes is wrong in this process's part */
static int is_wrong(int root)
{
    int *parts = graph_take((size_t)graph.mine * (size_t)processes, sizeof *parts);
    int *parents = graph_take((size_t)graph.mine * (size_t)processes, sizeof *parents);
    MPI_Allgather(parent, (int)graph.mine, MPI_INT, parts, (int)graph.mine, MPI_INT, MPI_COMM_WORLD);
    for (int p = 0; p < processes; p++)
        for (long i = 0; i < graph.mine; i++)
            parents[i * processes + p] = parts[p * graph.mine + i];
    int wrong = graph_is_wrong(&graph, root, parents);
    free(parts);
    free(parents);
    return wrong;
}

static int any(int mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return mine;
}

/* What a process sends or receives in a round of dealing: ends, and for each process their number and the index of the
 * first */
struct dealt {
    struct graph_end *ends;
    int *counts, *firsts;
};

/* Without memory for ends */
static struct dealt make_dealt(void)
{
    return (struct dealt){NULL, graph_take((size_t)processes, sizeof(int)), graph_take((size_t)processes, sizeof(int))};
}

static void free_dealt(struct dealt *dealt)
{
    free(dealt->ends);
    free(dealt->counts);
    free(dealt->firsts);
}

/* Computes where each process's ends begin; returns how many there are. */
static int find_firsts(struct dealt *dealt)
{
    int count = 0;
    for (int p = 0; p < processes; count += dealt->counts[p++])
        dealt->firsts[p] = count;
    return count;
}

/* Makes edges `first` to `end` - 1 and sends their ends to their owners. */
static void deal_round(struct graph *to, long first, long end, struct graph_end *made, struct dealt *out)
{
    int count = 0;
    memset(out->counts, 0, (size_t)processes * sizeof(int));
    for (long e = first; e < end; e++)
        count += graph_ends_of(to, e, made + count);
    for (int i = 0; i < count; i++)
        out->counts[made[i].vertex % processes]++;
    find_firsts(out);
    for (int i = 0; i < count; i++)
        out->ends[out->firsts[made[i].vertex % processes]++] = made[i];
    find_firsts(out);
    struct dealt in = make_dealt();
    MPI_Alltoall(out->counts, 1, MPI_INT, in.counts, 1, MPI_INT, MPI_COMM_WORLD);
    count = find_firsts(&in);
    in.ends = graph_take((size_t)count, sizeof *in.ends);
    MPI_Alltoallv(out->ends, out->counts, out->firsts, MPI_2INT, in.ends, in.counts, in.firsts, MPI_2INT,
                  MPI_COMM_WORLD);
    graph_add(to, in.ends, count);
    free_dealt(&in);
}

/* Deals in rounds, so that little memory is needed; all processes take part in the same number of rounds. */
static void deal(struct graph *to)
{
    enum { ROUND_EDGES = 1 << 18 };
    struct graph_end *made = graph_take(2 * ROUND_EDGES, sizeof *made);
    struct dealt out = make_dealt();
    out.ends = graph_take(2 * ROUND_EDGES, sizeof *out.ends);
    long first = graph_first_edge(to, me), end = graph_first_edge(to, me + 1);
    long most = graph_edges(to->scale) / processes + 1;
    for (long done = 0; done < most; done += ROUND_EDGES, first += ROUND_EDGES)
        deal_round(to, first, first + ROUND_EDGES < end ? first + ROUND_EDGES : end, made, &out);
    free(made);
    free_dealt(&out);
}

/* Reports the time in each part, averaged over threads, and the messages of all threads.  Work done while polling
 * counts twice. */
static void report_parts(const struct thread *threads, int count)
{
    double mine[PARTS] = {0}, all[PARTS];
    long my_messages[KINDS] = {0}, messages[KINDS];
    for (int t = 0; t < count; t++) {
        for (int i = 0; i < PARTS; i++)
            mine[i] += threads[t].seconds[i] / count / processes;
        for (int i = 0; i < KINDS; i++)
            my_messages[i] += threads[t].messages[i];
    }
    MPI_Reduce(mine, all, PARTS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(my_messages, messages, KINDS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf(
            "of the mean thread: %.3f s in the level, %.3f s at its end; of both, %.3f s sending and %.3f s polling; "
            "messages: %ld full, %ld incomplete, %ld empty\n",
            all[COMPUTING], all[ENDING], all[SENDING], all[POLLING], messages[FULL], messages[INCOMPLETE],
            messages[EMPTY]);
}

static int read_options(int argc, char **argv)
{
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--lazy") == 0)
            is_lazy = 1;
        else if (strcmp(argv[i], "--barrier") == 0)
            has_barrier = 1;
        else
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    int provided, scale, roots, wrong = 0, count = omp_get_max_threads();
    double teps[GRAPH_MOST_ROOTS], all_seconds = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (!graph_sizes(argc, argv, &scale, &roots) || !read_options(argc, argv) ||
        (count > 1 && provided < MPI_THREAD_MULTIPLE)) {
        if (me == 0)
            fprintf(stderr,
                    "usage: bfs_hybrid SCALE ROOTS [--lazy] [--barrier], up to %d and %d; more than one thread "
                    "needs an MPI with MPI_THREAD_MULTIPLE\n",
                    GRAPH_MOST_SCALE, GRAPH_MOST_ROOTS);
        MPI_Finalize();
        return 2;
    }
    graph = graph_make(scale, processes, me, deal);
    parent = graph_take((size_t)graph.mine, sizeof *parent);
    struct thread *threads = make_threads(count);
    for (int i = 0; i < roots; i++) {
        double ends, mine, seconds, start;
        int root = graph_root(&graph, i, any);
        MPI_Barrier(MPI_COMM_WORLD);
        start = MPI_Wtime();
        search(threads, count, root);
        seconds = MPI_Wtime() - start;
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        mine = graph_ends_in_tree(&graph, parent);
        MPI_Reduce(&mine, &ends, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        teps[i] = me == 0 ? ends / 2 / seconds : 1;
        all_seconds += seconds;
        wrong |= is_wrong(root);
    }
    wrong = any(wrong);
    if (me == 0)
        graph_report("hybrid", &graph, processes, roots, teps, all_seconds, wrong);
    report_parts(threads, count);
    free_threads(threads, count);
    free(parent);
    free(level);
    graph_free(&graph);
    MPI_Finalize();
    return wrong;
}
