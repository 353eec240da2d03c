#include "driver/predefined.h"

#include "driver/file.h"
#include "sema/limits.h"

namespace bn::driver {

namespace {

// UPC 1.3, 7: the macro of a library is predefined if the library is available.
struct Feature {
    const char* macro;
    const char* header;
};

constexpr Feature kFeatures[] = {
    {"__UPC_COLLECTIVE__", "upc_collective.h"},
    {"__UPC_TICK__", "upc_tick.h"},
    {"__UPC_ATOMIC__", "upc_atomic.h"},
    {"__UPC_CASTABLE__", "upc_castable.h"},
    {"__UPC_IO__", "upc_io.h"},
    {"__UPC_NB__", "upc_nb.h"},
    {"__UPC_PUPC__", "pupc.h"},
};

// Macros that identify other UPC systems.  Those with a version number name a version whose functions we provide
// completely.
struct Identity {
    std::string_view compat;
    const char* definition;
};

constexpr Identity kIdentities[] = {
    {"bupc", "-D__BERKELEY_UPC__=2022"},
    {"bupc", "-D__BERKELEY_UPC_MINOR__=10"},
    {"bupc", "-D__BERKELEY_UPC_PATCHLEVEL__=0"},
    {"bupc", "-D__BERKELEY_UPC_RUNTIME__=1"},
    {"bupc", "-D__BERKELEY_UPC_PSHM__=1"},
    {"bupc", "-D__BERKELEY_UPC_SMP_CONDUIT__=1"},
    {"gupc", "-D__GCC_UPC__=1"},
};

}  // namespace

std::vector<std::string> predefined_macros(int static_threads, Network network, bool uses_pthreads,
                                           const std::string& include_dir)
{
    std::vector<std::string> macros = {
        "-D__UPC__=1",
        "-D__UPC_VERSION__=201311L",
        "-DUPC_MAX_BLOCK_SIZE=" + std::to_string(sema::kMaxBlockSize),
    };
    if (static_threads != 0) {
        std::string count = std::to_string(static_threads);
        macros.insert(macros.end(),
                      {"-D__UPC_STATIC_THREADS__=1", "-DTHREADS=" + count, "-DBN_STATIC_THREADS=" + count});
    } else {
        macros.push_back("-D__UPC_DYNAMIC_THREADS__=1");
    }
    if (network == Network::Shmem)
        macros.push_back("-DBN_FAR_THREADS=1");  // include/banyan/access.h
    if (uses_pthreads)
        macros.insert(macros.end(), {"-DBN_PTHREADS=1", "-D__UPC_PTHREADS_MODEL_TLS__=1"});  // per_thread.h
    for (const Feature& feature : kFeatures) {
        if (file_exists(include_dir + "/upc/" + feature.header))
            macros.push_back(std::string("-D") + feature.macro + "=1");
    }
    return macros;
}

bool is_known_compat(std::string_view compat)
{
    return !compat_macros(compat).empty();
}

std::vector<std::string> compat_macros(std::string_view compat)
{
    std::vector<std::string> macros;
    for (const Identity& identity : kIdentities) {
        if (identity.compat == compat)
            macros.emplace_back(identity.definition);
    }
    return macros;
}

}  // namespace bn::driver
