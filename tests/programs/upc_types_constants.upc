// Clause: upc_types.h (facts 2.1)
#include <upc_types.h>
#include <upc.h>

#include "check.h"

#if UPC_ADD + 0 == 0 || UPC_PTS + 0 == 0 || UPC_IN_ALLSYNC + 0 == 0
#error not usable in #if
#endif

int main(void)
{
    const upc_op_t ops[] = {UPC_ADD, UPC_MULT, UPC_AND, UPC_OR, UPC_XOR, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX};
    const upc_type_t types[] = {UPC_CHAR, UPC_UCHAR, UPC_SHORT, UPC_USHORT, UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG,
                                UPC_LLONG, UPC_ULLONG, UPC_INT8, UPC_UINT8, UPC_INT16, UPC_UINT16, UPC_INT32,
                                UPC_UINT32, UPC_INT64, UPC_UINT64, UPC_FLOAT, UPC_DOUBLE, UPC_LDOUBLE, UPC_PTS};
    const upc_flag_t flags[] = {UPC_IN_ALLSYNC,  UPC_IN_MYSYNC,  UPC_IN_NOSYNC,
                                UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC};
    upc_op_t all_ops = 0;
    upc_flag_t all_flags = 0;

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        EQ(all_ops & ops[i], 0);
        CHECK(ops[i] > 0 && ops[i] < 65536 && (ops[i] & (ops[i] - 1)) == 0);
        all_ops |= ops[i];
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        CHECK(types[i] > 0 && types[i] < 65536);
        for (size_t j = 0; j < i; j++)
            CHECK(types[i] != types[j]);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        all_flags |= flags[i];
    EQ(all_flags, 63);
    EQ(UPC_ADD, 1);
    EQ(UPC_MAX, 256);
    EQ(UPC_CHAR, 1);
    EQ(UPC_PTS, 22);
    EQ(UPC_IN_ALLSYNC, 1);
    EQ(UPC_OUT_NOSYNC, 32);
    return finish();
}
