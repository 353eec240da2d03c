#include "platform/context.h"

#include <signal.h>
#include <ucontext.h>
#include <unwind.h>

#if defined(__x86_64__)

struct bn_interrupted bn_interrupted_read(const void *ucontext)
{
    enum { PAGE_FAULT = 14, ERROR_IS_WRITE = 2 };
    const ucontext_t *context = ucontext;
    const greg_t *registers = context->uc_mcontext.gregs;
    struct bn_interrupted result = {.pc = (uintptr_t)registers[REG_RIP], .sp = (uintptr_t)registers[REG_RSP]};
    if (registers[REG_TRAPNO] == PAGE_FAULT)
        result.access = (registers[REG_ERR] & ERROR_IS_WRITE) != 0 ? BN_ACCESS_WRITE : BN_ACCESS_READ;
    return result;
}

#elif defined(__aarch64__)

/* The exception syndrome is in one of the records after the registers: { magic, size, value }. */
struct bn_interrupted bn_interrupted_read(const void *ucontext)
{
    enum { ESR_RECORD = 0x45535201, IS_WRITE_BIT = 6 };
    const ucontext_t *context = ucontext;
    struct bn_interrupted result = {.pc = context->uc_mcontext.pc, .sp = context->uc_mcontext.sp};
    const unsigned char *record = (const unsigned char *)context->uc_mcontext.__reserved;
    const unsigned char *end = record + sizeof context->uc_mcontext.__reserved;
    while (record + 16 <= end) {
        uint32_t magic = *(const uint32_t *)(const void *)record;
        uint32_t bytes = *(const uint32_t *)(const void *)(record + 4);
        if (magic == ESR_RECORD) {
            uint64_t syndrome = *(const uint64_t *)(const void *)(record + 8);
            result.access = ((syndrome >> IS_WRITE_BIT) & 1) != 0 ? BN_ACCESS_WRITE : BN_ACCESS_READ;
        }
        if (magic == 0 || bytes == 0)
            break;
        record += bytes;
    }
    return result;
}

#elif defined(__powerpc64__)

struct bn_interrupted bn_interrupted_read(const void *ucontext)
{
    enum { NIP = 32, TRAP = 40, DSISR = 42, DATA_STORAGE = 0x300, IS_WRITE = 0x02000000 }; /* <asm/ptrace.h> */
    const ucontext_t *context = ucontext;
    const unsigned long *registers = context->uc_mcontext.gp_regs;
    struct bn_interrupted result = {.pc = registers[NIP], .sp = registers[1]};
    if ((registers[TRAP] & ~0xful) == DATA_STORAGE)
        result.access = (registers[DSISR] & IS_WRITE) != 0 ? BN_ACCESS_WRITE : BN_ACCESS_READ;
    return result;
}

#elif defined(__s390x__)

struct bn_interrupted bn_interrupted_read(const void *ucontext)
{
    const ucontext_t *context = ucontext;
    return (struct bn_interrupted){.pc = context->uc_mcontext.psw.addr, .sp = context->uc_mcontext.gregs[15]};
}

#elif defined(__riscv)

struct bn_interrupted bn_interrupted_read(const void *ucontext)
{
    const ucontext_t *context = ucontext;
    return (struct bn_interrupted){.pc = context->uc_mcontext.__gregs[REG_PC],
                                   .sp = context->uc_mcontext.__gregs[REG_SP]};
}

#else

struct bn_interrupted bn_interrupted_read(const void *ucontext)
{
    (void)ucontext;
    return (struct bn_interrupted){.pc = 0};
}

#endif

/* As if the function that has just been called had returned, but to within the instruction that called it, since the
 * next one may belong to another function.  Returns whether the place of return addresses is known here. */
static bool return_from_call(ucontext_t *context)
{
#if defined(__x86_64__)
    greg_t *registers = context->uc_mcontext.gregs;
    registers[REG_RIP] = *(const greg_t *)registers[REG_RSP] - 1;
    registers[REG_RSP] += (greg_t)sizeof(greg_t);
    return true;
#elif defined(__aarch64__)
    context->uc_mcontext.pc = context->uc_mcontext.regs[30] - 1;
    return true;
#else
    (void)context;
    return false;
#endif
}

struct walk {
    uintptr_t start;
    uintptr_t *pcs;
    int count;
    int max;
    bool is_past_handler;
};

/* The frames of the handler itself come first; those of the program begin at the interrupted instruction. */
static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    int is_interrupted = 0;
    uintptr_t pc = _Unwind_GetIPInfo(context, &is_interrupted);
    if (!walk->is_past_handler) {
        walk->is_past_handler = pc == walk->start;
        return _URC_NO_REASON;
    }
    if (pc == 0 || walk->count == walk->max)
        return _URC_END_OF_STACK;
    walk->pcs[walk->count++] = is_interrupted ? pc : pc - 1;
    return _URC_NO_REASON;
}

/* At an address that no unwind table covers, the unwinder reads the code, and faults if there is none. */
int bn_interrupted_backtrace(void *ucontext, bool is_lost, uintptr_t *pcs, int max)
{
    ucontext_t *context = ucontext;
    mcontext_t before = context->uc_mcontext;
    int count = 0;
    pcs[count++] = bn_interrupted_read(context).pc;
    if (is_lost && return_from_call(context))
        pcs[count++] = bn_interrupted_read(context).pc;
    struct walk walk = {.start = pcs[count - 1], .pcs = pcs, .count = count, .max = max};
    _Unwind_Backtrace(visit, &walk);
    context->uc_mcontext = before; /* for the instruction that is restarted */
    return walk.count;
}
