# CMake package of Banyan.
#
#   find_package(Banyan REQUIRED)
#
#   banyan_add_executable(heat heat.upc halo.upc THREADS 4)   # a UPC program; THREADS is optional.  Files of other
#                                                             # languages, such as C++, are CMake's to compile
#   target_link_libraries(heat PRIVATE m)                     # heat is a target like any other
#
#   target_link_libraries(other PRIVATE Banyan::banyan)       # a C program that calls the runtime
#
# upcc uses the C compiler of the project.  Include folders, definitions and compile options of the target reach it.

include(${CMAKE_CURRENT_LIST_DIR}/BanyanTargets.cmake)

get_filename_component(BANYAN_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(BANYAN_UPCC ${BANYAN_PREFIX}/bin/upcc)
set(BANYAN_UPCRUN ${BANYAN_PREFIX}/bin/upcrun)

function(banyan_add_executable target)
    cmake_parse_arguments(arg "" "THREADS" "" ${ARGN})
    set(static_threads "")
    if(arg_THREADS)
        set(static_threads -T ${arg_THREADS})
    endif()

    set(objects "")
    set(others ${arg_UNPARSED_ARGUMENTS})
    set(sources ${arg_UNPARSED_ARGUMENTS})
    list(FILTER sources INCLUDE REGEX "\\.(upc|upci|c|i)$")
    list(FILTER others EXCLUDE REGEX "\\.(upc|upci|c|i)$")
    foreach(source ${sources})
        get_filename_component(path ${source} ABSOLUTE)
        get_filename_component(name ${source} NAME)
        set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir/${name}.o)
        set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
        set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
        string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
        separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}")
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} ${BANYAN_UPCC} ${static_threads} ${flags}
                "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
                "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
                "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>"
                -MD -MF ${object}.d -MT ${object} -c ${path} -o ${object}
            DEPENDS ${path} ${BANYAN_UPCC}
            DEPFILE ${object}.d
            COMMENT "Building UPC object ${name}.o"
            COMMAND_EXPAND_LISTS VERBATIM)
        list(APPEND objects ${object})
    endforeach()

    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir)
    set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    add_executable(${target} ${objects} ${others})
    if(NOT others MATCHES "\\.(C|cc|cpp|cxx|f|for|F|f90|F90|cu)(;|$)")
        set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)   # objects do not tell; sources do
    endif()
    target_link_libraries(${target} PRIVATE Banyan::banyan)
endfunction()
