# What `make install` installs, and where.  Nothing in the installed tree contains its own path, so the tree can be
# moved: upcc finds headers and library relative to itself, pkg-config and CMake relative to their files.
#
# The folder names are fixed, without lib64 or lib/<machine>, since upcc looks for ../lib/libbanyan.a.

include(CMakePackageConfigHelpers)

install(TARGETS banyan EXPORT BanyanTargets ARCHIVE DESTINATION lib INCLUDES DESTINATION include include/upc)
install(TARGETS banyan-pthreads ARCHIVE DESTINATION lib)
install(TARGETS banyan-pthreads-tsan ARCHIVE DESTINATION lib OPTIONAL) # built only on request
install(TARGETS banyan-hosted LIBRARY DESTINATION lib/banyan)
if(TARGET banyan-shmem)
    install(TARGETS banyan-shmem ARCHIVE DESTINATION lib)
    install(TARGETS banyan-shmem-pthreads ARCHIVE DESTINATION lib OPTIONAL) # not built under sanitizers
endif()
foreach(program upcc upcrun banyan-info banyan-tune banyan-sim banyan-mpi upc-language-server)
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION bin)
    endif()
endforeach()

install(DIRECTORY include/ DESTINATION include FILES_MATCHING PATTERN *.h)
install(DIRECTORY docs/man/ DESTINATION share/man/man1 FILES_MATCHING PATTERN *.1)
install(DIRECTORY docs/man/ DESTINATION share/man/man3 FILES_MATCHING PATTERN *.3)
file(GLOB bash_completions CONFIGURE_DEPENDS completions/*[a-z])
list(FILTER bash_completions EXCLUDE REGEX "/_banyan$|[.]fish$")
install(FILES ${bash_completions} DESTINATION share/bash-completion/completions)
install(FILES completions/_banyan DESTINATION share/zsh/site-functions)
install(FILES completions/banyan.fish DESTINATION share/fish/vendor_conf.d)
install(DIRECTORY editors/ DESTINATION share/banyan/editors PATTERN .gitignore EXCLUDE)
# The documents keep their places in the repository, so that links between them work, and so that the files that
# banyan-info --explain names exist.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE DESTINATION share/doc/banyan)
install(DIRECTORY docs/ DESTINATION share/doc/banyan/docs PATTERN man EXCLUDE)
install(DIRECTORY apps/ DESTINATION share/doc/banyan/apps FILES_MATCHING
    PATTERN *.upc PATTERN *.h PATTERN *.c PATTERN *.cc PATTERN *.f90 PATTERN *.py PATTERN Makefile PATTERN README)

configure_file(cmake/banyan.pc.in ${PROJECT_BINARY_DIR}/banyan.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/banyan.pc DESTINATION lib/pkgconfig)

install(EXPORT BanyanTargets NAMESPACE Banyan:: DESTINATION lib/cmake/Banyan)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/BanyanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/BanyanConfig.cmake ${PROJECT_BINARY_DIR}/BanyanConfigVersion.cmake DESTINATION lib/cmake/Banyan)

banyan_end_installation()
