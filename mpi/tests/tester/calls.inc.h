// calls.inc.h: the calls with one type of counts; calls.c includes it for int, and for MPI_Count if MPI has such calls.

static void NAMED(make_arguments)(struct NAMED(arguments) * arguments, const struct side *side, void *absent)
{
    arguments->address = side ? (void *)(uintptr_t)side_address(side) : absent;
    arguments->count = side ? (COUNT)side_count(side) : (COUNT)-1;
    arguments->type = side ? side_type(side) : MPI_DATATYPE_NULL;
    arguments->counts = side ? arguments->tables.counts : NULL;
    arguments->places = side ? arguments->tables.places : NULL;
    arguments->types = side ? side->types : NULL;
    for (int i = 0; side && i < side->n; i++) {
        arguments->tables.counts[i] = (COUNT)side->counts[i];
        arguments->tables.places[i] = (DISPLACEMENT)side->displacements[i];
    }
}

static void NAMED(move)(const struct trial *trial, const struct side *send, const struct side *receive)
{
    struct NAMED(arguments) s, r;
    const bool takes_place = trial->operation == SCATTER || trial->operation == SCATTERV;
    NAMED(make_arguments)(&s, send, trial->in_place && !takes_place ? MPI_IN_PLACE : NULL);
    NAMED(make_arguments)(&r, receive, trial->in_place && takes_place ? MPI_IN_PLACE : NULL);
    const MPI_Comm comm = trial->in->comm;
    const int root = trial->root;
    switch (trial->operation) {
    case BCAST: CALL(Bcast, bcast, r.address, r.count, r.type, root, comm); break;
    case SCATTER: CALL(Scatter, scatter, s.address, s.count, s.type, r.address, r.count, r.type, root, comm); break;
    case SCATTERV:
        CALL(Scatterv, scatterv, s.address, s.counts, s.places, s.type, r.address, r.count, r.type, root, comm);
        break;
    case GATHER: CALL(Gather, gather, s.address, s.count, s.type, r.address, r.count, r.type, root, comm); break;
    case GATHERV:
        CALL(Gatherv, gatherv, s.address, s.count, s.type, r.address, r.counts, r.places, r.type, root, comm);
        break;
    case ALLGATHER: CALL(Allgather, allgather, s.address, s.count, s.type, r.address, r.count, r.type, comm); break;
    case ALLGATHERV:
        CALL(Allgatherv, allgatherv, s.address, s.count, s.type, r.address, r.counts, r.places, r.type, comm);
        break;
    case ALLTOALL: CALL(Alltoall, alltoall, s.address, s.count, s.type, r.address, r.count, r.type, comm); break;
    case ALLTOALLV:
        CALL(Alltoallv, alltoallv, s.address, s.counts, s.places, s.type, r.address, r.counts, r.places, r.type, comm);
        break;
    case ALLTOALLW:
        CALL(Alltoallw, alltoallw, s.address, s.counts, s.places, s.types, r.address, r.counts, r.places, r.types,
             comm);
        break;
    default: fail(trial, "no operation that moves data");
    }
}

static void NAMED(combine)(const struct trial *trial, const struct side *send, const struct side *receive,
                           const struct reduction *reduction)
{
    const void *from = send ? side_address(send) : MPI_IN_PLACE;
    void *to = receive ? (void *)(uintptr_t)side_address(receive) : NULL;
    const COUNT count = (COUNT)reduction->count;
    COUNT counts[MOST_MEMBERS];
    for (int i = 0; reduction->counts && i < trial->in->n; i++) {
        counts[i] = (COUNT)reduction->counts[i];
    }
    const MPI_Datatype type = reduction->type;
    const MPI_Op op = reduction->op;
    const MPI_Comm comm = trial->in->comm;
    switch (trial->operation) {
    case REDUCE: CALL(Reduce, reduce, from, to, count, type, op, trial->root, comm); break;
    case ALLREDUCE: CALL(Allreduce, allreduce, from, to, count, type, op, comm); break;
    case REDUCE_SCATTER: CALL(Reduce_scatter, reduce_scatter, from, to, counts, type, op, comm); break;
    case REDUCE_SCATTER_BLOCK: CALL(Reduce_scatter_block, reduce_scatter_block, from, to, count, type, op, comm); break;
    case SCAN: CALL(Scan, scan, from, to, count, type, op, comm); break;
    case EXSCAN: CALL(Exscan, exscan, from, to, count, type, op, comm); break;
    default: fail(trial, "no operation that combines data");
    }
}
