# How everything is compiled: languages, warnings, sanitizers, and output folders.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

# scripts/requirements is the only place for minimum versions.
function(banyan_require_compiler language)
    set(row_gcc GNU)
    set(row_clang Clang)
    foreach(row gcc clang)
        file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/requirements line REGEX "^${row} ")
        string(REGEX MATCH "^[^ ]+ +[^ ]+ +([0-9.]+)" line "${line}")
        if(CMAKE_${language}_COMPILER_ID STREQUAL "${row_${row}}" AND
           CMAKE_${language}_COMPILER_VERSION VERSION_LESS CMAKE_MATCH_1)
            message(FATAL_ERROR "Banyan needs ${row} ${CMAKE_MATCH_1} or newer; "
                                "${CMAKE_${language}_COMPILER} is ${CMAKE_${language}_COMPILER_VERSION}. "
                                "Point CC and CXX at a newer compiler.")
        endif()
    endforeach()
endfunction()
banyan_require_compiler(C)
banyan_require_compiler(CXX)
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
    message(FATAL_ERROR "Banyan needs pointers of 64 bits, as on x86-64 and aarch64; "
                        "${CMAKE_C_COMPILER} compiles for others.")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/requirements)

# Assertions name files relative to the project, not by their path at build time.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)

# Warnings stop the build of who works on Banyan (scripts/check, CMakePresets.json), but not of who installs it: a newer
# compiler, or other options of a distribution, may give more of them.
add_compile_options(-Wall -Wextra)
if(CMAKE_COMPILE_WARNING_AS_ERROR)
    add_compile_options(-Werror)
endif()

# gcc 12 wrongly warns of overlapping copies in std::string's operator+ (gcc bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()

# banyan_compile_together(<target> [<number>]): compiles C++ sources a dozen, or that number (0: all), per call of the
# compiler, which then reads headers only once for them.  Such files must not define the same name in anonymous
# namespaces.
option(BANYAN_COMPILE_TOGETHER "C++ sources a dozen at a time: half the time for all, more after an edit" ON)
function(banyan_compile_together target)
    set(number 12 ${ARGN})
    list(GET number -1 number)
    if(BANYAN_COMPILE_TOGETHER)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${number})
    endif()
endfunction()

# banyan_compile_lightly(<target>): for a tool whose time is spent on files, processes and measurements, not on its own
# code
function(banyan_compile_lightly target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

set(BANYAN_SANITIZE "" CACHE STRING "Sanitizers for the whole build, as in -fsanitize= (presets asan, ubsan, tsan)")
if(BANYAN_SANITIZE)
    add_compile_options(-fsanitize=${BANYAN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    add_link_options(-fsanitize=${BANYAN_SANITIZE})
    add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
    if(CMAKE_C_COMPILER_ID MATCHES Clang)
        add_compile_options(-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizers.ignore)
    endif()
    # gcc warns that ThreadSanitizer does not see fences.  Apart from atomics, fences order only data of the UPC
    # program, which the unit tests do not have.
    if(BANYAN_SANITIZE MATCHES thread AND CMAKE_C_COMPILER_ID STREQUAL GNU)
        add_compile_options(-Wno-tsan)
    endif()
endif()

# The tools work in place: build/bin, build/lib and build/include mirror an installed tree.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/bin ${PROJECT_BINARY_DIR}/lib)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include SYMBOLIC)
