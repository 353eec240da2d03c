// abi.h: the ABIs of MPI libraries.  A program is compiled for one of them and does not work with any other.
#pragma once

#include <optional>
#include <string_view>

namespace bn::launch {

enum class Abi { kOpenMpi, kMpich, kStandard };

struct AbiFacts {
    Abi abi;
    const char* option;   // value of --abi
    const char* name;     // for messages
    const char* library;  // our library, in lib/banyan
    const char* missing;  // what to install before rebuilding Banyan
};

inline constexpr AbiFacts kAbis[] = {
    {Abi::kOpenMpi, "openmpi", "Open MPI", "libbanyan-mpi-openmpi.so", "libopenmpi-dev (Debian), openmpi-devel (RPM)"},
    {Abi::kMpich, "mpich", "MPICH and Intel MPI", "libbanyan-mpi-mpich.so", "libmpich-dev (Debian), mpich-devel (RPM)"},
    {Abi::kStandard, "abi", "the standard ABI of MPI 5", "libbanyan-mpi-abi.so", "MPICH 5 (with its mpicc_abi)"},
};

const AbiFacts& facts_of(Abi abi);

// The ABI of a shared object, by its name such as libmpi.so.40; none if it is not an MPI library.
std::optional<Abi> abi_of_library(std::string_view name);

}  // namespace bn::launch
