// abi.h: the interfaces of MPI libraries.  A program is compiled for one of them and works with no other.
#pragma once

#include <optional>
#include <string_view>

namespace bn::launch {

enum class Abi { kOpenMpi, kMpich, kStandard };

struct AbiFacts {
    Abi abi;
    const char* option;   // as --abi names it
    const char* name;     // as people name it
    const char* library;  // ours, in lib/banyan
    const char* missing;  // what to install before Banyan is built again
};

inline constexpr AbiFacts kAbis[] = {
    {Abi::kOpenMpi, "openmpi", "Open MPI", "libbanyan-mpi-openmpi.so", "libopenmpi-dev (Debian), openmpi-devel (RPM)"},
    {Abi::kMpich, "mpich", "MPICH and Intel MPI", "libbanyan-mpi-mpich.so", "libmpich-dev (Debian), mpich-devel (RPM)"},
    {Abi::kStandard, "abi", "the standard ABI of MPI 5", "libbanyan-mpi-abi.so", "MPICH 5 (with its mpicc_abi)"},
};

const AbiFacts& facts_of(Abi abi);

// The interface that a shared object stands for, such as libmpi.so.40; none if it is no MPI.
std::optional<Abi> abi_of_library(std::string_view name);

}  // namespace bn::launch
