/*
 * Random one-sided transfers of all types in windows of all flavors, compared with a model.
 *
 * The memory of each member has a stretch for every other member, with guards in between.  Only that member writes to
 * it, so it knows what the stretch must contain, and the owner of the memory compares the contents with that.  Then two
 * threads of each member combine with the same elements, with types of all kinds, and no update may be lost.
 */
#include "check.h"
#include "elements.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 24, STEPS = 12, GUARD_BYTES = 16, GUARD = 0x5a, TOGETHER = 60, MOST_MEMBERS = 8 };

/* ---- One window ---- */

enum epoch { LOCK_ALL, LOCK, LOCK_ALONE, FENCE, START, EPOCHS };

struct field {
    const struct lane *lane;
    struct kind kind;
    MPI_Win window;
    int flavor; /* MPI_WIN_CREATE_FLAVOR */
    unsigned char *memory;
    MPI_Aint begins[MOST_MEMBERS]; /* of each member's memory, as a displacement */
    int units[MOST_MEMBERS];       /* of each member */
    unsigned state;
    long *model; /* contents of my stretch at each member */
    MPI_Group all;
};

static size_t stretch_bytes(const struct field *field)
{
    return ELEMENTS * field->kind.bytes + GUARD_BYTES;
}

/* The displacement of an element in owner's stretch in target's memory */
static MPI_Aint place_of(const struct field *field, int target, int owner, int element)
{
    size_t bytes = (size_t)owner * stretch_bytes(field) + (size_t)element * field->kind.bytes;
    return field->begins[target] + (MPI_Aint)(bytes / (size_t)field->units[target]);
}

static bool is_passive(enum epoch epoch)
{
    return epoch == LOCK_ALL || epoch == LOCK || epoch == LOCK_ALONE;
}

static void begin_epoch(const struct field *field, enum epoch epoch)
{
    switch (epoch) {
    case LOCK_ALL: MPI_Win_lock_all(0, field->window); break;
    case FENCE: MPI_Win_fence(0, field->window); break;
    case START:
        MPI_Win_post(field->all, 0, field->window);
        MPI_Win_start(field->all, 0, field->window);
        break;
    default: break;
    }
}

static void end_epoch(const struct field *field, enum epoch epoch)
{
    switch (epoch) {
    case LOCK_ALL: MPI_Win_unlock_all(field->window); break;
    case FENCE: MPI_Win_fence(MPI_MODE_NOSUCCEED, field->window); break;
    case START:
        MPI_Win_complete(field->window);
        MPI_Win_wait(field->window);
        break;
    default: break;
    }
}

/* One random transfer of n elements, and its effect on the model.  Fetched data are compared at the end of the epoch,
 * or immediately if there is a request or a flush. */
struct step {
    unsigned char origin[ELEMENTS * MOST_BYTES], result[ELEMENTS * MOST_BYTES];
    struct shape here, there, back;
    long before[MOST];
    int n;
    bool fetches;
};

static void call(const struct field *field, struct step *step, int target, int start, unsigned what, MPI_Op op,
                 bool by_request)
{
    const struct shape *here = &step->here, *there = &step->there, *back = &step->back;
    MPI_Aint disp = place_of(field, target, field->lane->rank, start);
    MPI_Win window = field->window;
    MPI_Request request = MPI_REQUEST_NULL;
    if (what == 0 && by_request)
        MPI_Rput(step->origin, here->count, here->type, target, disp, there->count, there->type, window, &request);
    else if (what == 0)
        MPI_Put(step->origin, here->count, here->type, target, disp, there->count, there->type, window);
    else if (what == 1 && by_request)
        MPI_Rget(step->result, back->count, back->type, target, disp, there->count, there->type, window, &request);
    else if (what == 1)
        MPI_Get(step->result, back->count, back->type, target, disp, there->count, there->type, window);
    else if (what == 2 && by_request)
        MPI_Raccumulate(step->origin, here->count, here->type, target, disp, there->count, there->type, op, window,
                        &request);
    else if (what == 2)
        MPI_Accumulate(step->origin, here->count, here->type, target, disp, there->count, there->type, op, window);
    else if (what == 3 && by_request)
        MPI_Rget_accumulate(step->origin, here->count, here->type, step->result, back->count, back->type, target, disp,
                            there->count, there->type, op, window, &request);
    else
        MPI_Get_accumulate(step->origin, here->count, here->type, step->result, back->count, back->type, target, disp,
                           there->count, there->type, op, window);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A transfer of one element, by a call without shapes; false: not possible for this type */
static bool call_one(const struct field *field, struct step *step, int target, int start, MPI_Op op, long *model,
                     long value)
{
    const struct kind *kind = &field->kind;
    unsigned char compare[MOST_BYTES];
    long *there = &model[start];
    MPI_Aint disp = place_of(field, target, field->lane->rank, start);
    if (step->n != 1 || step->here.is_derived || step->back.is_derived)
        return false;
    step->before[0] = *there;
    step->fetches = true;
    if (kind->is_whole && value % 3 == 0) {
        bool fits = value % 2 == 0;
        kind->write(compare, fits ? *there : *there + 1);
        MPI_Compare_and_swap(step->origin, compare, step->result, kind->type, target, disp, field->window);
        *there = fits ? value : *there;
    } else {
        MPI_Fetch_and_op(step->origin, step->result, kind->type, target, disp, op, field->window);
        *there = apply(op, *there, value);
    }
    return true;
}

static void make_step(struct field *field, struct step *step, int target, bool by_request)
{
    unsigned *state = &field->state, what = draw(state, 4);
    long *model = field->model + target * ELEMENTS, values[MOST];
    MPI_Op op = what == 0 ? MPI_REPLACE : what == 1 ? MPI_NO_OP : choose_op(&field->kind, draw(state, 1000));
    if (what == 2 && op == MPI_NO_OP) /* MPI_NO_OP is only for calls that fetch */
        what = 3;
    *step = (struct step){.n = 1 + (int)draw(state, MOST)};
    int start = (int)draw(state, ELEMENTS - 2 * MOST);
    step->here = choose_shape(&field->kind, step->n, state);
    step->there = choose_shape(&field->kind, step->n, state);
    step->back = choose_shape(&field->kind, step->n, state);
    for (int i = 0; i < step->n; i++) {
        values[i] = (long)draw(state, 7);
        field->kind.write(step->origin + (size_t)step->here.places[i] * field->kind.bytes, values[i]);
    }
    if (what < 2 || by_request || !call_one(field, step, target, start, op, model, values[0])) {
        for (int i = 0; i < step->n; i++)
            step->before[i] = model[start + step->there.places[i]];
        step->fetches = what == 1 || what == 3;
        call(field, step, target, start, what, op, by_request);
        for (int i = 0; i < step->n; i++) {
            long *there = &model[start + step->there.places[i]];
            *there = apply(op, *there, values[i]);
        }
    }
    for (int i = 0; i < ELEMENTS; i++)
        wrap(&field->kind, &model[i]);
}

static void check_step(const struct field *field, struct step *step)
{
    for (int i = 0; step->fetches && i < step->n; i++)
        CHECK(field->kind.read(step->result + (size_t)step->back.places[i] * field->kind.bytes) == step->before[i]);
    free_shape(&step->here);
    free_shape(&step->there);
    free_shape(&step->back);
}

/* Transfers to one target in an epoch of their own are ordered, since each is completed before the next one. */
static void make_steps(struct field *field, enum epoch epoch)
{
    struct step step;
    int target = (int)draw(&field->state, (unsigned)field->lane->size);
    if (epoch == LOCK || epoch == LOCK_ALONE)
        MPI_Win_lock(epoch == LOCK ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, field->window);
    for (int i = 0; i < (is_passive(epoch) ? 3 : 1); i++) {
        bool by_request = is_passive(epoch) && draw(&field->state, 4) == 0;
        make_step(field, &step, target, by_request);
        if (epoch == LOCK_ALL && draw(&field->state, 2) == 0)
            MPI_Win_flush_all(field->window);
        else if (is_passive(epoch))
            MPI_Win_flush(target, field->window);
        else
            end_epoch(field, epoch);
        check_step(field, &step);
    }
    if (epoch == LOCK || epoch == LOCK_ALONE)
        MPI_Win_unlock(target, field->window);
}

/* Checks that the stretches here contain what their writers expect. */
static void check_field(const struct field *field)
{
    const struct lane *lane = field->lane;
    long *said = malloc((size_t)lane->size * ELEMENTS * sizeof *said);
    MPI_Barrier(lane->comm);
    MPI_Alltoall(field->model, ELEMENTS, MPI_LONG, said, ELEMENTS, MPI_LONG, lane->comm);
    MPI_Win_lock(MPI_LOCK_SHARED, lane->rank, 0, field->window);
    for (int rank = 0; rank < lane->size; rank++) {
        const unsigned char *stretch = field->memory + (size_t)rank * stretch_bytes(field);
        for (int i = 0; i < ELEMENTS; i++)
            CHECK(field->kind.read(stretch + (size_t)i * field->kind.bytes) == said[rank * ELEMENTS + i]);
        for (int i = 0; i < GUARD_BYTES; i++)
            CHECK(stretch[ELEMENTS * field->kind.bytes + (size_t)i] == GUARD);
    }
    MPI_Win_unlock(lane->rank, field->window);
    MPI_Barrier(lane->comm);
    free(said);
}

static void fill(const struct field *field)
{
    size_t bytes = stretch_bytes(field) * (size_t)field->lane->size;
    memset(field->memory, GUARD, bytes);
    for (int rank = 0; rank < field->lane->size; rank++)
        for (int i = 0; i < ELEMENTS; i++)
            field->kind.write(field->memory + (size_t)rank * stretch_bytes(field) + (size_t)i * field->kind.bytes, 0);
    MPI_Barrier(field->lane->comm);
}

static void random_steps(struct field *field)
{
    unsigned common = (unsigned)(field->lane->round * 31 + field->lane->thread); /* all members use the same epochs */
    field->model = calloc((size_t)field->lane->size * ELEMENTS, sizeof *field->model);
    fill(field);
    for (int i = 0; i < STEPS; i++) {
        enum epoch epoch = (enum epoch)draw(&common, EPOCHS);
        begin_epoch(field, epoch);
        make_steps(field, epoch);
        if (epoch == LOCK_ALL)
            end_epoch(field, epoch);
        if (i % 6 == 5)
            check_field(field);
    }
    free(field->model);
}

/* ---- Two threads of each member combine with the same elements ---- */

static void *add_together(void *context)
{
    struct field *field = context;
    unsigned char ones[2 * MOST_BYTES], got[MOST_BYTES];
    MPI_Datatype both;
    MPI_Type_contiguous(2, field->kind.type, &both);
    MPI_Type_commit(&both);
    field->kind.write(ones, 1);
    field->kind.write(ones + field->kind.bytes, 1);
    for (int i = 0; i < TOGETHER; i++) {
        int target = i % field->lane->size;
        switch (i / field->lane->size % 4) {
        case 0:
            MPI_Accumulate(ones, 2, field->kind.type, target, place_of(field, target, 0, 0), 1, both, MPI_SUM,
                           field->window);
            break;
        case 1:
            MPI_Accumulate(ones, 2, field->kind.type, target, place_of(field, target, 0, 0), 2, field->kind.type,
                           MPI_SUM, field->window);
            break;
        default:
            for (int element = 0; element < 2; element++)
                MPI_Fetch_and_op(ones, got, field->kind.type, target, place_of(field, target, 0, element), MPI_SUM,
                                 field->window);
        }
        MPI_Win_flush(target, field->window);
    }
    MPI_Type_free(&both);
    return NULL;
}

static void together(struct field *field)
{
    const struct lane *lane = field->lane;
    pthread_t other;
    memset(field->memory, 0, 2 * field->kind.bytes);
    MPI_Win_fence(0, field->window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, field->window);
    MPI_Win_lock_all(0, field->window);
    pthread_create(&other, NULL, add_together, field);
    add_together(field);
    pthread_join(other, NULL);
    MPI_Win_unlock_all(field->window);
    MPI_Barrier(lane->comm);
    long sum = 2L * lane->size * ((TOGETHER + lane->size - 1 - lane->rank) / lane->size);
    MPI_Win_lock(MPI_LOCK_SHARED, lane->rank, 0, field->window);
    for (int element = 0; element < 2; element++) {
        long value = sum;
        wrap(&field->kind, &value);
        CHECK(field->kind.read(field->memory + (size_t)element * field->kind.bytes) == value);
    }
    MPI_Win_unlock(lane->rank, field->window);
    MPI_Barrier(lane->comm);
}

/* ---- Attributes of windows, and errors ---- */

static int attribute(MPI_Win window, int key)
{
    int *value, has = 0;
    MPI_Win_get_attr(window, key, &value, &has);
    CHECK(has);
    return *value;
}

static void check_attributes(const struct field *field, size_t bytes)
{
    MPI_Aint *size;
    void *base;
    int has = 0;
    CHECK(attribute(field->window, MPI_WIN_CREATE_FLAVOR) == field->flavor);
    if (field->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return;
    CHECK(attribute(field->window, MPI_WIN_DISP_UNIT) == field->units[field->lane->rank]);
    MPI_Win_get_attr(field->window, MPI_WIN_SIZE, &size, &has);
    CHECK(has && *size == (MPI_Aint)bytes);
    MPI_Win_get_attr(field->window, MPI_WIN_BASE, &base, &has);
    CHECK(has && base == field->memory && (field->flavor != MPI_WIN_FLAVOR_ALLOCATE || (uintptr_t)base % 16 == 0));
}

static void check_errors(const struct field *field)
{
    MPI_Win window = field->window;
    int size = field->lane->size, rank = field->lane->rank, number = 0;
    if (field->lane->is_careless)
        return;
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    CHECK(MPI_Put(&number, 1, MPI_BYTE, size, 0, 1, MPI_BYTE, window) != MPI_SUCCESS);
    CHECK(MPI_Get(&number, -1, MPI_BYTE, rank, 0, 1, MPI_BYTE, window) != MPI_SUCCESS);
    CHECK(MPI_Accumulate(&number, 1, MPI_BYTE, rank, 0, 1, MPI_BYTE, MPI_OP_NULL, window) != MPI_SUCCESS);
    CHECK(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window) != MPI_SUCCESS);
    CHECK(MPI_Put(&number, 1, MPI_BYTE, MPI_PROC_NULL, 0, 1, MPI_BYTE, window) == MPI_SUCCESS);
    CHECK(MPI_Win_unlock_all(window) == MPI_SUCCESS);
    CHECK(MPI_Win_unlock(rank, window) != MPI_SUCCESS);
    MPI_Win_set_errhandler(window, MPI_ERRORS_ARE_FATAL);
}

/* ---- Flavors ---- */

static void make_window(struct field *field, size_t bytes)
{
    MPI_Comm comm = field->lane->comm;
    int unit = field->units[field->lane->rank];
    switch (field->flavor) {
    case MPI_WIN_FLAVOR_SHARED:
        MPI_Win_allocate_shared((MPI_Aint)bytes, unit, MPI_INFO_NULL, comm, &field->memory, &field->window);
        return;
    case MPI_WIN_FLAVOR_ALLOCATE:
        MPI_Win_allocate((MPI_Aint)bytes, unit, MPI_INFO_NULL, comm, &field->memory, &field->window);
        return;
    case MPI_WIN_FLAVOR_CREATE:
        field->memory = malloc(bytes);
        MPI_Win_create(field->memory, (MPI_Aint)bytes, unit, MPI_INFO_NULL, comm, &field->window);
        return;
    default: break;
    }
    MPI_Aint address;
    field->memory = malloc(bytes);
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &field->window);
    MPI_Win_attach(field->window, field->memory, (MPI_Aint)bytes);
    MPI_Get_address(field->memory, &address);
    MPI_Allgather(&address, 1, MPI_AINT, field->begins, 1, MPI_AINT, comm);
}

static void free_window(struct field *field)
{
    bool is_own = field->flavor == MPI_WIN_FLAVOR_CREATE || field->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    MPI_Barrier(field->lane->comm);
    if (field->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        MPI_Win_detach(field->window, field->memory);
    MPI_Win_free(&field->window);
    if (is_own)
        free(field->memory);
}

/* Displacements of a dynamic window are in bytes; other windows may have a different unit on each member. */
static void choose_units(struct field *field, int number)
{
    int round = field->lane->round;
    int unit = (number / 2 + round) % 2 == 0 && !field->kind.is_pair ? 1 : 1 + (field->kind.bytes % 2 == 0);
    for (int rank = 0; rank < field->lane->size; rank++)
        field->units[rank] =
            field->flavor == MPI_WIN_FLAVOR_DYNAMIC || (field->flavor == MPI_WIN_FLAVOR_CREATE && rank % 2 == 1) ? 1
                                                                                                                 : unit;
}

void check_transfers(const struct lane *lane)
{
    const int flavors[] = {MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_SHARED,
                           MPI_WIN_FLAVOR_DYNAMIC};
    /* Only half of the types per round, since a step waits for all members several times. */
    for (int number = (lane->thread + lane->round) % 2; number < KINDS; number += 2) {
        struct field field = {.lane = lane, .kind = kind_of(number)};
        field.flavor = flavors[(number / 2 + lane->round + lane->thread) % 4];
        choose_units(&field, number);
        field.state = (unsigned)(lane->rank * 1000 + lane->thread * 100 + lane->round * 10 + number);
        size_t bytes = stretch_bytes(&field) * (size_t)lane->size;
        make_window(&field, bytes);
        MPI_Win_get_group(field.window, &field.all);
        check_attributes(&field, bytes);
        random_steps(&field);
        if (!field.kind.is_pair)
            together(&field);
        check_errors(&field);
        MPI_Group_free(&field.all);
        free_window(&field);
    }
}
