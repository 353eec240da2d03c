/*
 * One-sided calls.  COUNT is the type of counts; SUFFIXED appends _c to a name if that is MPI_Count.
 */

/* An entry point: returns `done` if the transfer has been carried out; otherwise calls the library's function */
#define TRANSFER(name, parameters, arguments, carry, done, ...)                                                        \
    static int SUFFIXED(call_##name) parameters                                                                        \
    {                                                                                                                  \
        const struct bn_rma transfer = {                                                                               \
            .window = window, .target = target, .disp = disp, .there = {there_count, there_type}, __VA_ARGS__};        \
        int outcome = carry(&transfer);                                                                                \
        if (outcome != BN_RMA_LEFT)                                                                                    \
            return outcome == MPI_SUCCESS ? done : outcome;                                                            \
        bool is_inside = bn_gate_enter_for(BN_USE_TRANSFER, BN_PATH_MAIN, 1);                                          \
        int result = bn_below.SUFFIXED(name) arguments;                                                                \
        if (is_inside)                                                                                                 \
            bn_gate_leave();                                                                                           \
        return result;                                                                                                 \
    }                                                                                                                  \
    BN_BOTH_NAMES(int, SUFFIXED(name), bn_next_tool.SUFFIXED(name), parameters, arguments)

#define ORIGIN const void *origin, COUNT count, MPI_Datatype type
#define RESULT void *back, COUNT back_count, MPI_Datatype back_type
#define TARGET int target, MPI_Aint disp, COUNT there_count, MPI_Datatype there_type

TRANSFER(Put, (ORIGIN, TARGET, MPI_Win window), (origin, count, type, target, disp, there_count, there_type, window),
         bn_rma_put, MPI_SUCCESS, .origin = origin, .here = {count, type})

TRANSFER(Rput, (ORIGIN, TARGET, MPI_Win window, MPI_Request *request),
         (origin, count, type, target, disp, there_count, there_type, window, request), bn_rma_put,
         bn_rma_request(request), .origin = origin, .here = {count, type})

TRANSFER(Get, (RESULT, TARGET, MPI_Win window),
         (back, back_count, back_type, target, disp, there_count, there_type, window), bn_rma_get, MPI_SUCCESS,
         .result = back, .back = {back_count, back_type})

TRANSFER(Rget, (RESULT, TARGET, MPI_Win window, MPI_Request *request),
         (back, back_count, back_type, target, disp, there_count, there_type, window, request), bn_rma_get,
         bn_rma_request(request), .result = back, .back = {back_count, back_type})

TRANSFER(Accumulate, (ORIGIN, TARGET, MPI_Op op, MPI_Win window),
         (origin, count, type, target, disp, there_count, there_type, op, window), bn_rma_accumulate, MPI_SUCCESS,
         .origin = origin, .here = {count, type}, .op = op)

TRANSFER(Raccumulate, (ORIGIN, TARGET, MPI_Op op, MPI_Win window, MPI_Request *request),
         (origin, count, type, target, disp, there_count, there_type, op, window, request), bn_rma_accumulate,
         bn_rma_request(request), .origin = origin, .here = {count, type}, .op = op)

TRANSFER(Get_accumulate, (ORIGIN, RESULT, TARGET, MPI_Op op, MPI_Win window),
         (origin, count, type, back, back_count, back_type, target, disp, there_count, there_type, op, window),
         bn_rma_get_accumulate, MPI_SUCCESS, .origin = origin, .here = {count, type}, .result = back,
         .back = {back_count, back_type}, .op = op)

TRANSFER(Rget_accumulate, (ORIGIN, RESULT, TARGET, MPI_Op op, MPI_Win window, MPI_Request *request),
         (origin, count, type, back, back_count, back_type, target, disp, there_count, there_type, op, window, request),
         bn_rma_get_accumulate, bn_rma_request(request), .origin = origin, .here = {count, type}, .result = back,
         .back = {back_count, back_type}, .op = op)
