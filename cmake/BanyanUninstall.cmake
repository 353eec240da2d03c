# The list that scripts/uninstall reads, one for each place: files; folders that commands fill later, with / at the end;
# and folders that the installation made, relative to the place, with /. at the end.

# Must be called before all else that installs.
function(banyan_begin_installation)
    install(CODE [[
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY / NORMALIZE OUTPUT_VARIABLE place)
    set(place "$ENV{DESTDIR}${place}")
    cmake_path(ABSOLUTE_PATH place NORMALIZE)

    # The place itself, which may be a home with much else in it, and what is below these four
    macro(list_folders folders)
        set(${folders} "")
        if(IS_DIRECTORY "${place}")
            # -H: lib may be a link to lib64.
            execute_process(COMMAND find -H bin include lib share -type d WORKING_DIRECTORY "${place}"
                OUTPUT_VARIABLE ${folders} ERROR_QUIET)
            string(REPLACE "\n" "/.;" ${folders} "/.;${${folders}}")
            string(REGEX REPLACE ";$" "" ${folders} "${${folders}}")
        endif()
    endmacro()
    list_folders(folders_before)]])
endfunction()

# Must be called after it.
function(banyan_end_installation)
    install(CODE "set(list_folder \"${PROJECT_BINARY_DIR}/installed\")")
    install(CODE [[
    string(REPLACE / % name "${place}")
    list_folders(folders_made)
    # Those with a name of ours are, whether or not the list of an earlier installation is still there.
    list(FILTER folders_before EXCLUDE REGEX "/[Bb]anyan/|^include/upc/")
    if(folders_before)
        list(REMOVE_ITEM folders_made ${folders_before})
    endif()
    if(EXISTS "${list_folder}/${name}") # an installation that this one replaces
        file(STRINGS "${list_folder}/${name}" made_earlier REGEX "/[.]$")
        list(APPEND folders_made ${made_earlier})
    endif()
    list(JOIN CMAKE_INSTALL_MANIFEST_FILES "\n" files)
    list(TRANSFORM folders_made PREPEND "\n" OUTPUT_VARIABLE folders)
    string(REPLACE ";" "" folders "${folders}")
    file(WRITE "${list_folder}/${name}" "${files}${folders}\n")]])
endfunction()
