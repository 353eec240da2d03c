#include "upc/sync/atomic_domain.h"

#include "upc/fatal.h"

enum {
    OPS_OF_PTS = BN_ATOMIC_GET | BN_ATOMIC_SET | BN_ATOMIC_CSWAP,
    OPS_OF_FLOATING = OPS_OF_PTS | BN_ATOMIC_ADD | BN_ATOMIC_SUB | BN_ATOMIC_MULT | BN_ATOMIC_INC | BN_ATOMIC_DEC |
                      BN_ATOMIC_MAX | BN_ATOMIC_MIN,
    OPS_OF_INTEGERS = OPS_OF_FLOATING | BN_ATOMIC_AND | BN_ATOMIC_OR | BN_ATOMIC_XOR,
};

static const char alloc_function[] = "upc_all_atomicdomain_alloc";

static enum bn_atomic_kind kind_of(int type)
{
    enum { LONG_IS_64 = sizeof(long) == sizeof(int64_t) };
    switch (type) {
    case BN_UPC_INT:
    case BN_UPC_INT32: return BN_KIND_I32;
    case BN_UPC_UINT:
    case BN_UPC_UINT32: return BN_KIND_U32;
    case BN_UPC_LONG: return LONG_IS_64 ? BN_KIND_I64 : BN_KIND_I32;
    case BN_UPC_INT64: return BN_KIND_I64;
    case BN_UPC_ULONG: return LONG_IS_64 ? BN_KIND_U64 : BN_KIND_U32;
    case BN_UPC_UINT64: return BN_KIND_U64;
    case BN_UPC_FLOAT: return BN_KIND_FLOAT;
    case BN_UPC_DOUBLE: return BN_KIND_DOUBLE;
    case BN_UPC_PTS: return BN_KIND_PTS;
    default: return BN_KIND_NONE;
    }
}

static unsigned long ops_of(enum bn_atomic_kind kind)
{
    switch (kind) {
    case BN_KIND_NONE: return 0;
    case BN_KIND_PTS: return OPS_OF_PTS;
    case BN_KIND_FLOAT:
    case BN_KIND_DOUBLE: return OPS_OF_FLOATING;
    case BN_KIND_I32:
    case BN_KIND_U32:
    case BN_KIND_I64:
    case BN_KIND_U64: break;
    }
    return OPS_OF_INTEGERS;
}

/* The name of the lowest operation in ops */
static const char *op_name(unsigned long ops)
{
    static const char *const names[] = {"UPC_ADD",    "UPC_MULT",  "UPC_AND", "UPC_OR",  "UPC_XOR",
                                        "UPC_LOGAND", "UPC_LOGOR", "UPC_MIN", "UPC_MAX", "UPC_GET",
                                        "UPC_SET",    "UPC_CSWAP", "UPC_SUB", "UPC_INC", "UPC_DEC"};
    size_t bit = (size_t)__builtin_ctzl(ops);
    return bit < sizeof names / sizeof names[0] ? names[bit] : "a value that is not a upc_op_t";
}

struct bn_atomic_domain bn_atomic_domain_of(int type, unsigned long ops)
{
    enum bn_atomic_kind kind = kind_of(type);
    if (kind == BN_KIND_NONE)
        bn_upc_fatal(alloc_function,
                     "there are no atomic operations on type %d; use UPC_INT, UINT, LONG, ULONG, INT32, UINT32, "
                     "INT64, UINT64, FLOAT, DOUBLE or PTS",
                     type);
    unsigned long wrong = ops & ~ops_of(kind);
    if (wrong != 0)
        bn_upc_fatal(alloc_function, "%s is not an atomic operation on this type; leave it out of the domain",
                     op_name(wrong));
    return (struct bn_atomic_domain){.ops = ops, .kind = kind};
}

struct bn_once_call bn_atomic_domain_call(int type, unsigned long ops, int hints)
{
    uint64_t type_and_hints = (uint64_t)(uint32_t)hints << 32 | (uint32_t)type;
    bn_check_arguments("type ops hints", (uint64_t)type, ops, (uint64_t)hints);
    return (struct bn_once_call){.function = alloc_function, .arguments = {type_and_hints, ops}};
}

bool bn_atomic_is_served(int type, unsigned long ops, enum bn_atomic_kind *kind_p)
{
    *kind_p = kind_of(type);
    return *kind_p != BN_KIND_NONE && !(ops & ~ops_of(*kind_p));
}

void bn_atomic_refuse_domain(const char *function, bn_pts_t ptr)
{
    if (ptr.addr == 0)
        bn_upc_fatal(function, "the pointer to the atomic domain is null; allocate the domain first");
    bn_upc_fatal(function, "there is no atomic domain at 0x%llx; it was freed, or never allocated",
                 (unsigned long long)ptr.addr);
}

void bn_atomic_refuse(const char *function, const struct bn_atomic_domain *domain, const void *fetch_ptr,
                      unsigned long op, bn_pts_t target)
{
    if (op == 0 || (op & (op - 1)) != 0)
        bn_upc_fatal(function, "op is 0x%lx; it must be one operation", op);
    if (!(op & domain->ops))
        bn_upc_fatal(function, "the domain was made without %s; name it in upc_all_atomicdomain_alloc", op_name(op));
    if (target.addr == 0)
        bn_upc_fatal(function, "target is a null pointer");
    if (op == BN_ATOMIC_GET && !fetch_ptr)
        bn_upc_fatal(function, "UPC_GET needs fetch_ptr, which is null");
    bn_upc_fatal(function, "%s needs %s", op_name(op), op == BN_ATOMIC_CSWAP ? "two operands" : "an operand");
}

void bn_atomic_check_unused(const char *function, unsigned long op, const void *operand1, const void *operand2)
{
    bool takes_first = !(op & BN_ATOMIC_WITHOUT_OPERAND), takes_second = op == BN_ATOMIC_CSWAP;
    if ((operand1 && !takes_first) || (operand2 && !takes_second))
        bn_upc_fatal(function, "%s takes %s operand, and %s must be null; pass NULL", op_name(op),
                     takes_first ? "one" : "no", operand1 && !takes_first ? "operand1" : "operand2");
}
