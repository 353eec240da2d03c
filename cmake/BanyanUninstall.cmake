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
            execute_process(COMMAND find bin include lib share -type d WORKING_DIRECTORY "${place}"
                OUTPUT_VARIABLE ${folders} ERROR_QUIET)
            string(REPLACE "\n" "/.;" ${folders} "/.;${${folders}}")
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
    list(REMOVE_ITEM folders_made "" ${folders_before})
    if(EXISTS "${list_folder}/${name}") # an installation that this one replaces
        file(STRINGS "${list_folder}/${name}" made_earlier REGEX "/[.]$")
        list(APPEND folders_made ${made_earlier})
    endif()
    list(JOIN CMAKE_INSTALL_MANIFEST_FILES "\n" files)
    list(JOIN folders_made "\n" folders)
    file(WRITE "${list_folder}/${name}" "${files}\n${folders}\n")]])
endfunction()
