// library.cc: the functions of the UPC libraries and their headers.
#include "sema/library.h"

namespace bn::sema {

namespace {

constexpr LibraryFunction kFunctions[] = {
    {"upc_addrfield", "upc.h"},
    {"upc_affinitysize", "upc.h"},
    {"upc_all_alloc", "upc.h"},
    {"upc_all_free", "upc.h"},
    {"upc_all_lock_alloc", "upc.h"},
    {"upc_all_lock_free", "upc.h"},
    {"upc_alloc", "upc.h"},
    {"upc_free", "upc.h"},
    {"upc_global_alloc", "upc.h"},
    {"upc_global_exit", "upc.h"},
    {"upc_global_lock_alloc", "upc.h"},
    {"upc_local_alloc", "upc.h"},
    {"upc_lock", "upc.h"},
    {"upc_lock_attempt", "upc.h"},
    {"upc_lock_free", "upc.h"},
    {"upc_memcpy", "upc.h"},
    {"upc_memget", "upc.h"},
    {"upc_memput", "upc.h"},
    {"upc_memset", "upc.h"},
    {"upc_phaseof", "upc.h"},
    {"upc_resetphase", "upc.h"},
    {"upc_threadof", "upc.h"},
    {"upc_unlock", "upc.h"},
    {"upc_all_broadcast", "upc_collective.h"},
    {"upc_all_exchange", "upc_collective.h"},
    {"upc_all_gather", "upc_collective.h"},
    {"upc_all_gather_all", "upc_collective.h"},
    {"upc_all_permute", "upc_collective.h"},
    {"upc_all_prefix_reduce*", "upc_collective.h"},
    {"upc_all_reduce*", "upc_collective.h"},
    {"upc_all_scatter", "upc_collective.h"},
    {"upc_all_atomicdomain_alloc", "upc_atomic.h"},
    {"upc_all_atomicdomain_free", "upc_atomic.h"},
    {"upc_atomic_isfast", "upc_atomic.h"},
    {"upc_atomic_relaxed", "upc_atomic.h"},
    {"upc_atomic_strict", "upc_atomic.h"},
    {"upc_all_fclose", "upc_io.h"},
    {"upc_all_fcntl", "upc_io.h"},
    {"upc_all_fget_size", "upc_io.h"},
    {"upc_all_fopen", "upc_io.h"},
    {"upc_all_fpreallocate", "upc_io.h"},
    {"upc_all_fread_*", "upc_io.h"},
    {"upc_all_fseek", "upc_io.h"},
    {"upc_all_fset_size", "upc_io.h"},
    {"upc_all_fsync", "upc_io.h"},
    {"upc_all_ftest_async", "upc_io.h"},
    {"upc_all_fwait_async", "upc_io.h"},
    {"upc_all_fwrite_*", "upc_io.h"},
    {"upc_memcpy_nb*", "upc_nb.h"},
    {"upc_memget_nb*", "upc_nb.h"},
    {"upc_memput_nb*", "upc_nb.h"},
    {"upc_memset_nb*", "upc_nb.h"},
    {"upc_sync", "upc_nb.h"},
    {"upc_sync_attempt", "upc_nb.h"},
    {"upc_synci", "upc_nb.h"},
    {"upc_synci_attempt", "upc_nb.h"},
    {"upc_cast", "upc_castable.h"},
    {"upc_thread_info", "upc_castable.h"},
    {"upc_ticks_now", "upc_tick.h"},
    {"upc_ticks_to_ns", "upc_tick.h"},
};

bool matches(std::string_view pattern, std::string_view name)
{
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

}  // namespace

std::span<const LibraryFunction> library_functions()
{
    return kFunctions;
}

std::string_view library_header(std::string_view function)
{
    if (function.starts_with("upc_"))
        for (const LibraryFunction& known : kFunctions)
            if (matches(known.name, function))
                return known.header;
    return {};
}

}  // namespace bn::sema
