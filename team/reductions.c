/* reductions.c: collectives that combine vectors. */
#include "team/error.h"
#include "team/member.h"
#include "team/operators.h"

#include <stdio.h>

struct reduction {
    const char *call;
    enum bn_operation operation;
    bool is_exclusive;
    const void *send;
    void *recv;
    size_t count;
    const size_t *counts; /* for reduce_scatter; else null */
    int root;
};

static banyan_status check(const banyan_team *team, struct reduction *reduction, size_t element_bytes)
{
    bool is_too_large = false;
    bool has_result = reduction->operation != BN_COMBINE || reduction->root == team->rank;
    if (reduction->root < 0 || reduction->root >= team->size)
        return bn_error(BANYAN_ARGUMENT, "%s: root must be 0 to %d, not %d", reduction->call, team->size - 1,
                        reduction->root);
    if (reduction->operation == BN_COMBINE_SCATTER && !reduction->counts)
        return bn_error(BANYAN_ARGUMENT, "%s: counts are null", reduction->call);
    for (int rank = 0; reduction->counts && rank < team->size; rank++)
        is_too_large |= __builtin_add_overflow(reduction->count, reduction->counts[rank], &reduction->count);
    if (is_too_large || bn_is_too_large(reduction->count, element_bytes))
        return bn_error(BANYAN_ARGUMENT, "%s: no buffer has that many elements of %zu bytes", reduction->call,
                        element_bytes);
    if (!has_result)
        reduction->recv = NULL;
    if (!reduction->send)
        reduction->send = reduction->recv;
    if (reduction->count > 0 && (!reduction->send || (has_result && !reduction->recv)))
        return bn_error(BANYAN_ARGUMENT, "%s: a buffer is null", reduction->call);
    return BANYAN_OK;
}

/* Carries out a reduction; vector has the operator's part already. */
static banyan_status carry(banyan_team *team, struct reduction reduction, struct bn_vector vector)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    status = check(team, &reduction, vector.element_bytes);
    if (status == BANYAN_OK) {
        vector.count = reduction.count;
        vector.counts = reduction.counts;
        vector.is_exclusive = reduction.is_exclusive;
        const struct bn_call call = {
            .dst = (uint64_t)reduction.recv,
            .src = (uint64_t)reduction.send,
            .nbytes = reduction.count * vector.element_bytes,
            .root = reduction.root,
            .in = BN_SYNC_MY,
            .out = BN_SYNC_MY,
            .vector = &vector,
        };
        status = bn_member_run(team, reduction.operation, &call);
    }
    bn_member_end(team);
    return status;
}

/* The name in team.h and Python's banyan.Op, without BANYAN_; for an unknown number, the number itself, in `text`. */
static const char *name_of(const char *const *names, int count, int number, char text[16])
{
    if (number >= 0 && number < count)
        return names[number];
    snprintf(text, 16, "%d", number);
    return text;
}

static banyan_status refuse(const char *call, banyan_type type, banyan_op op)
{
    static const char *const ops[BANYAN_OP_COUNT] = {"sum", "prod", "min", "max", "band", "bor", "bxor"};
    static const char *const types[BANYAN_TYPE_COUNT] = {"int8",    "int16",   "int32",     "int64",      "uint8",
                                                         "uint16",  "uint32",  "uint64",    "float16",    "bfloat16",
                                                         "float32", "float64", "complex64", "complex128", "bool"};
    char other_op[16], other_type[16];
    return bn_error(BANYAN_ARGUMENT, "%s: operation %s is not defined for type %s", call,
                    name_of(ops, BANYAN_OP_COUNT, (int)op, other_op),
                    name_of(types, BANYAN_TYPE_COUNT, (int)type, other_type));
}

static banyan_status carry_of_type(banyan_team *team, const struct reduction *reduction, banyan_type type, banyan_op op)
{
    const struct bn_vector vector = {.element_bytes = banyan_type_bytes(type), .combine = bn_operator(op, type)};
    return vector.combine ? carry(team, *reduction, vector) : refuse(reduction->call, type, op);
}

static void combine_by(const void *left, void *right, size_t count, const struct bn_vector *vector)
{
    const banyan_operator *by = vector->context;
    by->combine(left, right, count, by->context);
}

static banyan_status carry_by(banyan_team *team, const struct reduction *reduction, const banyan_operator *by)
{
    if (!by || !by->combine || by->element_bytes == 0)
        return bn_error(BANYAN_ARGUMENT, "%s: an operator has a function, and elements of a byte or more",
                        reduction->call);
    return carry(team, *reduction,
                 (struct bn_vector){.element_bytes = by->element_bytes,
                                    .keeps_order = !by->commutes,
                                    .combine = combine_by,
                                    .context = (void *)by});
}

static struct reduction reduce(const char *call, const void *send, void *recv, size_t count, int root)
{
    return (struct reduction){call, BN_COMBINE, false, send, recv, count, NULL, root};
}

static struct reduction allreduce(const char *call, const void *send, void *recv, size_t count)
{
    return (struct reduction){call, BN_COMBINE_ALL, false, send, recv, count, NULL, 0};
}

static struct reduction reduce_scatter(const char *call, const void *send, void *recv, const size_t *counts)
{
    return (struct reduction){call, BN_COMBINE_SCATTER, false, send, recv, 0, counts, 0};
}

static struct reduction scan(const char *call, const void *send, void *recv, size_t count, bool is_exclusive)
{
    return (struct reduction){call, BN_COMBINE_PREFIX, is_exclusive, send, recv, count, NULL, 0};
}

banyan_status banyan_reduce(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                            banyan_op op, int root)
{
    const struct reduction reduction = reduce("banyan_reduce", send, recv, count, root);
    return carry_of_type(team, &reduction, type, op);
}

banyan_status banyan_reduce_by(banyan_team *team, const void *send, void *recv, size_t count, const banyan_operator *by,
                               int root)
{
    const struct reduction reduction = reduce("banyan_reduce_by", send, recv, count, root);
    return carry_by(team, &reduction, by);
}

banyan_status banyan_allreduce(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                               banyan_op op)
{
    const struct reduction reduction = allreduce("banyan_allreduce", send, recv, count);
    return carry_of_type(team, &reduction, type, op);
}

banyan_status banyan_allreduce_by(banyan_team *team, const void *send, void *recv, size_t count,
                                  const banyan_operator *by)
{
    const struct reduction reduction = allreduce("banyan_allreduce_by", send, recv, count);
    return carry_by(team, &reduction, by);
}

banyan_status banyan_reduce_scatter(banyan_team *team, const void *send, void *recv, const size_t *counts,
                                    banyan_type type, banyan_op op)
{
    const struct reduction reduction = reduce_scatter("banyan_reduce_scatter", send, recv, counts);
    return carry_of_type(team, &reduction, type, op);
}

banyan_status banyan_reduce_scatter_by(banyan_team *team, const void *send, void *recv, const size_t *counts,
                                       const banyan_operator *by)
{
    const struct reduction reduction = reduce_scatter("banyan_reduce_scatter_by", send, recv, counts);
    return carry_by(team, &reduction, by);
}

banyan_status banyan_scan(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type, banyan_op op)
{
    const struct reduction reduction = scan("banyan_scan", send, recv, count, false);
    return carry_of_type(team, &reduction, type, op);
}

banyan_status banyan_scan_by(banyan_team *team, const void *send, void *recv, size_t count, const banyan_operator *by)
{
    const struct reduction reduction = scan("banyan_scan_by", send, recv, count, false);
    return carry_by(team, &reduction, by);
}

banyan_status banyan_exscan(banyan_team *team, const void *send, void *recv, size_t count, banyan_type type,
                            banyan_op op)
{
    const struct reduction reduction = scan("banyan_exscan", send, recv, count, true);
    return carry_of_type(team, &reduction, type, op);
}

banyan_status banyan_exscan_by(banyan_team *team, const void *send, void *recv, size_t count, const banyan_operator *by)
{
    const struct reduction reduction = scan("banyan_exscan_by", send, recv, count, true);
    return carry_by(team, &reduction, by);
}
