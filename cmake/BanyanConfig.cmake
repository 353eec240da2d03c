# CMake package of Banyan.
#
#   find_package(Banyan REQUIRED)
#
#   banyan_add_executable(heat heat.upc halo.upc THREADS 4)   # a UPC program.  Files of other languages, such as C++,
#                                                             # are CMake's to compile
#   banyan_add_library(halo SHARED halo.upc)                  # UPC for several programs; STATIC, SHARED or OBJECT
#   target_link_libraries(heat PRIVATE m)                     # heat is a target like any other; before CMake 3.19
#                                                             # target_sources() cannot add UPC to it
#
#   target_link_libraries(other PRIVATE Banyan::banyan)       # a C program that calls the runtime
#   target_link_libraries(third PRIVATE Banyan::banyan-team)  # a C or C++ program that calls banyan/team.h
#
# THREADS N compiles for exactly N threads, NETWORK smp|shmem for one machine or several; a program and its libraries
# must use the same values.  upcc replaces the project's C compiler for all C and UPC sources of such a target, and
# calls it.  So compile_commands.json, source properties and usage requirements of other targets work as for C.

foreach(component ${Banyan_FIND_COMPONENTS})
    if(Banyan_FIND_REQUIRED_${component})
        set(Banyan_FOUND FALSE)
        set(Banyan_NOT_FOUND_MESSAGE "Banyan has no components, so not ${component} either")
        return()
    endif()
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/BanyanTargets.cmake)

get_filename_component(BANYAN_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(BANYAN_UPCC ${BANYAN_PREFIX}/bin/upcc)
set(BANYAN_UPCRUN ${BANYAN_PREFIX}/bin/upcrun)

# CMake silently ignores files whose language it does not know.
function(_banyan_name_languages target)
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
        if(source MATCHES "\\.upci?$")
            set_source_files_properties(${source} PROPERTIES LANGUAGE C)
        endif()
    endforeach()
endfunction()

# Sets up a UPC target: its sources are compiled by "upcc -cc COMPILER ...", where COMPILER is what CMake would call.
function(_banyan_compile target threads network)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "C" IN_LIST languages)
        message(FATAL_ERROR "${target}: UPC is compiled through C, which is not among the languages of this project: "
            "add it, as in project(${PROJECT_NAME} C CXX), or call enable_language(C)")
    endif()
    if(CMAKE_VERSION VERSION_LESS 3.19)
        _banyan_name_languages(${target})
    else() # deferred to the end of the directory, after all calls of target_sources()
        cmake_language(EVAL CODE "cmake_language(DEFER CALL _banyan_name_languages [[${target}]])")
    endif()
    set_target_properties(${target} PROPERTIES C_COMPILER_LAUNCHER "${BANYAN_UPCC};-cc" BANYAN_NETWORK "${network}")
    if(threads)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-fupc-threads-${threads}>)
    endif()
    if(network)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-network=${network}>)
    endif()
endfunction()

# Checks what cmake_parse_arguments() has found in the arguments of a call.
function(_banyan_check call)
    foreach(keyword ${arg_KEYWORDS_MISSING_VALUES}) # "THREADS ${N}" has no value if N is not set
        message(FATAL_ERROR "${call}: ${keyword} has no value")
    endforeach()
    if(DEFINED arg_THREADS AND NOT arg_THREADS MATCHES "^[1-9][0-9]*$")
        message(FATAL_ERROR "${call}: THREADS is a number above 0, not ${arg_THREADS}")
    endif()
    if(DEFINED arg_NETWORK AND NOT arg_NETWORK MATCHES "^(smp|shmem)$")
        message(FATAL_ERROR "${call}: NETWORK is smp or shmem, not ${arg_NETWORK}")
    endif()
endfunction()

function(banyan_add_executable target)
    cmake_parse_arguments(arg "" "THREADS;NETWORK" "" ${ARGN})
    _banyan_check("banyan_add_executable(${target})")
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
    _banyan_compile(${target} "${arg_THREADS}" "${arg_NETWORK}")
    if(arg_NETWORK STREQUAL shmem)
        # upcc links the libraries that this machine's OpenSHMEM needs.
        set_target_properties(${target} PROPERTIES RULE_LAUNCH_LINK "\"${BANYAN_UPCC}\" -network=shmem -cc")
    else()
        target_link_libraries(${target} PRIVATE Banyan::banyan)
        # A program that loads libraries at run time contains the whole runtime, as with upcc -rdynamic.
        set(is_whole $<BOOL:$<TARGET_PROPERTY:ENABLE_EXPORTS>>)
        target_link_options(${target} PRIVATE
            $<${is_whole}:LINKER:--whole-archive,$<TARGET_FILE:Banyan::banyan>,--no-whole-archive>)
    endif()
endfunction()

function(banyan_add_library target)
    cmake_parse_arguments(arg "" "THREADS;NETWORK" "" ${ARGN})
    _banyan_check("banyan_add_library(${target})")
    add_library(${target} ${arg_UNPARSED_ARGUMENTS})
    _banyan_compile(${target} "${arg_THREADS}" "${arg_NETWORK}")
    # For programs that are not UPC, such as Python; a UPC program contains the runtime itself.
    get_target_property(type ${target} TYPE)
    if(type MATCHES "^(SHARED|MODULE)_LIBRARY$" AND NOT arg_NETWORK STREQUAL shmem)
        target_link_libraries(${target} PRIVATE ${BANYAN_PREFIX}/lib/banyan/libbanyan.so)
    endif()
endfunction()
