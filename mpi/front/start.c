#include "front/start.h"

#include "base/log.h"
#include "front/communicator.h"
#include "front/layout.h"
#include "front/leaders.h"
#include "front/progress.h"
#include "front/summary.h"
#include "front/tools.h"
#include "front/uses.h"
#include "heap/heap.h"
#include "host/names.h"
#include "host/options.h"
#include "host/report.h"
#include "host/switches.h"
#include "node/world.h"
#include "transport/kernel.h"

#include <dlfcn.h>
#include <stdlib.h>

static struct {
    bool is_up;
    MPI_Comm node; /* of the processes of this machine; private */
    MPI_Group world;
    int *process_of_rank, *node_of_rank;
    struct bn_part *part_of_rank;
    uint32_t *switch_of_rank;
    struct bn_world *memory; /* shared by the processes of this machine; kept to the end, since blocks of the program
                                may lie in it */
} front;

static bool tell(void *comm, void *data, size_t size_bytes)
{
    bn_below.Bcast(data, (int)size_bytes, bn_below.type_byte, 0, *(MPI_Comm *)comm);
    return true;
}

static bool all(void *comm, bool mine)
{
    int is_mine = mine, is_all;
    bn_below.Allreduce(&is_mine, &is_all, 1, bn_below.type_int, bn_below.op_min, *(MPI_Comm *)comm);
    return is_all != 0;
}

/* Members that wait in the engine would not notice that another one has failed, nor that their communicator has been
 * revoked, so a program that handles failures keeps its MPI library for all calls. */
static bool may_lose_members(int rank)
{
    bool may = bn_below_is_fault_tolerant();
    if (may && rank == 0)
        bn_log_warning(
            "libbanyan-mpi is not used: fault tolerance (ULFM) is on in this job, and Banyan does not notice "
            "that a process has failed or that a communicator has been revoked");
    return may;
}

/* Gives all processes the options of the first one.  False: no calls are ours. */
static bool share_options(int rank)
{
    MPI_Comm world = bn_below.world;
    size_t size_bytes;
    char *text = bn_mpi_options_text(&size_bytes);
    bool is_right = text && (rank != 0 || bn_mpi_options_load(text, true));
    if (!all(&world, is_right)) {
        if (rank == 0)
            bn_log_error("libbanyan-mpi is not used in this job, because an option has a wrong value");
        return false;
    }
    tell(&world, &size_bytes, sizeof size_bytes);
    if (rank != 0) {
        free(text);
        text = malloc(size_bytes);
    }
    if (!all(&world, text != NULL))
        return false;
    tell(&world, text, size_bytes);
    bool is_loaded = rank == 0 || bn_mpi_options_load(text, false);
    if (rank != 0)
        bn_log_set_level(BN_LOG_QUIET); /* all would repeat the warnings of the first one */
    bool has_use = is_loaded && (!bn_mpi_is_off() || bn_report_is_wanted());
    return all(&world, has_use && !may_lose_members(rank));
}

/* By rank in MPI_COMM_WORLD: its number among the processes of this machine; -1: on another one */
static int *find_processes(int world_size)
{
    MPI_Group node;
    int *ranks = malloc(2 * (size_t)world_size * sizeof *ranks);
    if (!ranks)
        return NULL;
    bn_below.Comm_group(front.node, &node);
    for (int rank = 0; rank < world_size; rank++)
        ranks[world_size + rank] = rank;
    bn_below.Group_translate_ranks(front.world, world_size, ranks + world_size, node, ranks);
    for (int rank = 0; rank < world_size; rank++)
        ranks[rank] = ranks[rank] < 0 ? -1 : ranks[rank];
    bn_below.Group_free(&node);
    return ranks;
}

/* On an oversubscribed machine each collective of the library below takes long, so communication is avoided where one
 * machine makes the answer known to all. */
static bool is_one_machine(int world_size)
{
    int node_size;
    bn_below.Comm_size(front.node, &node_size);
    return node_size == world_size;
}

/* By rank in MPI_COMM_WORLD: the lowest rank on its machine */
static int *find_nodes(int rank, int world_size)
{
    int first = rank, *nodes = calloc((size_t)world_size, sizeof *nodes);
    if (is_one_machine(world_size))
        return nodes;
    bn_below.Bcast(&first, 1, bn_below.type_int, 0, front.node);
    if (all(&bn_below.world, nodes != NULL))
        bn_below.Allgather(&first, 1, bn_below.type_int, nodes, 1, bn_below.type_int, bn_below.world);
    return nodes;
}

/* By rank in MPI_COMM_WORLD: the id of its machine's switch */
static uint32_t *find_switches(int world_size)
{
    uint32_t here = bn_switch_here(), *switches = malloc((size_t)world_size * sizeof *switches);
    if (is_one_machine(world_size)) {
        for (int rank = 0; switches && rank < world_size; rank++)
            switches[rank] = here;
        return switches;
    }
    if (all(&bn_below.world, switches != NULL))
        bn_below.Allgather(&here, sizeof here, bn_below.type_byte, switches, sizeof here, bn_below.type_byte,
                           bn_below.world);
    return switches;
}

static uint64_t take(size_t size_bytes)
{
    return bn_world_take(front.memory, size_bytes);
}

static uint64_t take_zeroed(size_t size_bytes)
{
    return bn_world_alloc(front.memory, size_bytes);
}

static void give_back(uint64_t address)
{
    bn_world_release(front.memory, address);
}

/* Sets up the shared memory of the processes of this machine; a process that is alone needs none. */
static void join_node(void)
{
    const char *why = "";
    int self, count;
    bn_below.Comm_rank(front.node, &self);
    bn_below.Comm_size(front.node, &count);
    if (count == 1 || bn_mpi_is_off())
        return;
    const struct bn_talk talk = {&front.node, tell, all, NULL};
    bn_heap_open_function open_heap = (bn_heap_open_function)dlsym(RTLD_DEFAULT, BN_HEAP_OPEN);
    bool has_program_heap = talk.all(talk.context, open_heap != NULL);
    front.memory = bn_world_join(&talk, self, count, has_program_heap, &why);
    if (!front.memory) {
        if (self == 0)
            bn_log_warning("libbanyan-mpi is not used: %s", why);
        return;
    }
    struct bn_world_range heap = bn_world_own_heap(front.memory);
    if (has_program_heap)
        open_heap(&(struct bn_heap_source){take, take_zeroed, give_back, heap.begin, heap.size_bytes, heap.offset_bytes,
                                           heap.file});
    bn_kernel_use_everywhere(bn_world_kernel(front.memory));
    bn_communicators_have_node(front.memory);
    bn_progress_begin(front.node);
}

static struct bn_place *find_room_for_places(void)
{
    int count;
    bn_below.Comm_size(front.node, &count);
    return calloc((size_t)count, sizeof(struct bn_place));
}

static void release(void)
{
    bn_below.Comm_free(&front.node);
    bn_below.Group_free(&front.world);
    free(front.process_of_rank);
    free(front.node_of_rank);
    free(front.switch_of_rank);
    free(front.part_of_rank);
}

void bn_front_begin(void)
{
    int rank, size;
    MPI_Comm world = bn_below.world;
    bn_below.Comm_rank(world, &rank);
    bn_below.Comm_size(world, &size);
    if (!share_options(rank))
        return;
    bn_below.Comm_group(world, &front.world);
    bn_below.Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, bn_below.no_info, &front.node);
    front.process_of_rank = find_processes(size);
    front.node_of_rank = find_nodes(rank, size);
    front.switch_of_rank = find_switches(size);
    front.part_of_rank = malloc((size_t)size * sizeof *front.part_of_rank);
    struct bn_place *places = find_room_for_places();
    const struct bn_communicators_world known = {
        front.world,       rank, front.process_of_rank, front.node_of_rank, front.switch_of_rank, front.part_of_rank,
        bn_summary_begin()};
    bool has_tables =
        front.process_of_rank && front.node_of_rank && front.switch_of_rank && front.part_of_rank && places;
    bool has_layouts = has_tables && bn_layouts_begin();
    bool has_communicators = has_layouts && bn_communicators_begin(&known);
    front.is_up = all(&world, has_communicators);
    if (front.is_up) {
        bn_uses_begin();
        join_node();
        const struct bn_parts_known parts = {front.process_of_rank, front.node_of_rank, places};
        bn_parts_find(front.memory, front.node, rank, size, &parts, front.part_of_rank);
    } else { /* perhaps because of another process */
        if (rank == 0)
            bn_log_warning("libbanyan-mpi is not used: a process has no memory for it");
        if (has_communicators)
            bn_communicators_end();
        if (has_layouts)
            bn_layouts_end();
        release();
    }
    free(places);
}

void bn_front_end(void)
{
    if (!front.is_up)
        return;
    front.is_up = false;
    bn_uses_end();
    bn_communicators_end();
    bn_summary_end();
    bn_layouts_end();
    bn_progress_end();
    release();
}

static int call_Init(int *argc, char ***argv)
{
    bn_below_find();
    int result = bn_below.Init(argc, argv);
    if (result == MPI_SUCCESS)
        bn_front_begin();
    return result;
}

static int call_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    bn_below_find();
    int result = bn_below.Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS)
        bn_front_begin();
    return result;
}

static int call_Finalize(void)
{
    bn_below_find();
    bn_front_end();
    return bn_below.Finalize();
}

BN_BOTH_NAMES(int, Init, (bn_below_find(), bn_next_tool.Init), (int *argc, char ***argv), (argc, argv))
BN_BOTH_NAMES(int, Init_thread, (bn_below_find(), bn_next_tool.Init_thread),
              (int *argc, char ***argv, int required, int *provided), (argc, argv, required, provided))
BN_BOTH_NAMES(int, Finalize, (bn_below_find(), bn_next_tool.Finalize), (void), ())
