#include "abi.h"

#include <regex>
#include <string>

namespace bn::launch {

const AbiFacts& facts_of(Abi abi)
{
    return kAbis[static_cast<size_t>(abi)];
}

std::optional<Abi> abi_of_library(std::string_view name)
{
    // Cray has one library per compiler: libmpi_cray.so.12, libmpi_gnu_123.so.12; Debian's MPICH is libmpich.
    // libmpi_cxx and libmpi_mpifh are parts of Open MPI that link libmpi.so.40 themselves.
    static const std::regex open_mpi("libmpi\\.so\\.[2-9]\\d(\\..*)?");
    static const std::regex mpich("libmpi(ch|_(cray|gnu|intel|nvidia|amd)(_\\d+)?)?\\.so\\.12(\\..*)?");
    static const std::regex standard("libmpi_abi\\.so(\\..*)?");
    std::string text(name);
    if (std::regex_match(text, open_mpi))
        return Abi::kOpenMpi;
    if (std::regex_match(text, mpich))
        return Abi::kMpich;
    if (std::regex_match(text, standard))
        return Abi::kStandard;
    return std::nullopt;
}

}  // namespace bn::launch
