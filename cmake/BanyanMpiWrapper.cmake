# What a compiler wrapper of an MPI library tells about that library.

# The compiler flags for a wrapper's library, which Open MPI's and MPICH's wrappers show on request
function(banyan_mpi_flags wrapper flags_variable)
    foreach(switch -show --showme:compile)
        execute_process(COMMAND ${wrapper} ${switch} RESULT_VARIABLE status OUTPUT_VARIABLE shown
            OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(status EQUAL 0)
            break()
        endif()
    endforeach()
    separate_arguments(shown UNIX_COMMAND "${shown}")
    set(flags ${shown})
    list(FILTER flags INCLUDE REGEX "^-(I|D)")
    list(TRANSFORM flags REPLACE "^-I" "-isystem")
    set(${flags_variable} "${flags}" PARENT_SCOPE)
endfunction()

# The ABI of the wrapper's mpi.h, OPENMPI or MPICH; empty for others, and if there is no mpi.h
function(banyan_mpi_abi_of wrapper abi_variable)
    banyan_mpi_flags(${wrapper} flags)
    string(REPLACE "-isystem" "-I" flags "${flags}")
    execute_process(COMMAND ${CMAKE_C_COMPILER} ${flags} -include mpi.h -dM -E -x c /dev/null
        OUTPUT_VARIABLE macros ERROR_QUIET)
    set(abi "")
    if(macros MATCHES "#define OPEN_MPI ")
        set(abi OPENMPI)
    elseif(macros MATCHES "#define (MPICH|I_MPI|MVAPICH)_VERSION ")
        set(abi MPICH)
    endif()
    set(${abi_variable} "${abi}" PARENT_SCOPE)
endfunction()
