# OpenSHMEM, for programs that run on several machines (upcc -network=shmem).  Everything else does not need it.
#
#   BANYAN_SHMEM                 whether to use it; OFF leaves it out
#   BANYAN_SHMEM_COMPILE_FLAGS   compiler flags for shmem.h, a list
#   BANYAN_SHMEM_LINK_FLAGS      linker flags for upcc, one string
#
# Open MPI's oshcc shows its flags with -showme; for another library set both by hand, and SHMEM_INCLUDE_DIR.

option(BANYAN_SHMEM "Build the runtime for clusters, if there is an OpenSHMEM library" ON)
set(BANYAN_SHMEM_LINK_FLAGS "" CACHE STRING "Arguments that link an OpenSHMEM library; empty to ask oshcc")
find_program(BANYAN_OSHCC oshcc)
mark_as_advanced(BANYAN_OSHCC)

set(BANYAN_SHMEM_COMPILE_FLAGS "")
if(BANYAN_SHMEM AND BANYAN_OSHCC)
    execute_process(COMMAND ${BANYAN_OSHCC} -showme:compile RESULT_VARIABLE status OUTPUT_VARIABLE flags
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${BANYAN_OSHCC} -showme:link OUTPUT_VARIABLE link_flags OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET)
    if(status EQUAL 0)
        separate_arguments(BANYAN_SHMEM_COMPILE_FLAGS UNIX_COMMAND "${flags}")
        if(NOT BANYAN_SHMEM_LINK_FLAGS)
            string(STRIP "${link_flags}" BANYAN_SHMEM_LINK_FLAGS)
        endif()
    endif()
endif()

# The header must exist, too.
if(BANYAN_SHMEM AND BANYAN_SHMEM_LINK_FLAGS)
    include(CheckCSourceCompiles)
    string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${BANYAN_SHMEM_COMPILE_FLAGS}")
    separate_arguments(CMAKE_REQUIRED_LIBRARIES UNIX_COMMAND "${BANYAN_SHMEM_LINK_FLAGS}")
    check_c_source_compiles("#include <shmem.h>\nint main(void) { shmem_init(); shmem_quiet();\
 return shmem_ptr(0, 0) != 0; }"
        BANYAN_SHMEM_WORKS)
    # Put-with-signal exists since OpenSHMEM 1.5. That of Open MPI 5.0.7 only prints that there was an error.
    check_c_source_compiles("#include <shmem.h>\n#ifdef OSHMEM_MAJOR_VERSION\n#error\n#endif\nstatic uint64_t word;\
 int main(void) { shmem_putmem_signal(&word, &word, 8, &word, 1, SHMEM_SIGNAL_SET, 0); return 0; }"
        BANYAN_SHMEM_HAS_SIGNAL)
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(NOT BANYAN_SHMEM OR NOT BANYAN_SHMEM_WORKS)
    set(BANYAN_SHMEM OFF)
    message(STATUS "No OpenSHMEM: programs run on one machine only (upcc -network=smp)")
endif()
