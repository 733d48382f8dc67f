# cpack -G DEB: unknot (the program, its manual pages and completions), unknot-mpi (what runs under mpirun), python3-unknot
# (import unknot), unknot-certified (the checker that is proven), libunknot-live0 (for programs in C that hold a fabric) and unknot-dev
# (library, headers, CMake package).
# systemd looks for units in this folder of both /usr and /usr/local.
file(GLOB UNKNOT_UNITS CONFIGURE_DEPENDS packaging/systemd/*)
install(FILES ${UNKNOT_UNITS} DESTINATION lib/systemd/system COMPONENT program)

# What Debian wants to see of every package: licence and changes.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(UNKNOT_PACKAGER "The Unknot developers" CACHE STRING "Who makes packages: \"Name <address>\"")
foreach(part program:unknot development:unknot-dev live:libunknot-live0 mpi:unknot-mpi python:python3-unknot certified:unknot-certified)
  string(REPLACE ":" ";" part ${part})
  list(GET part 0 component)
  list(GET part 1 package)
  set(made ${PROJECT_BINARY_DIR}/packaging/${package})
  file(WRITE ${made}/changelog "${package} (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md of the sources says what is new.\n\n -- ${UNKNOT_PACKAGER}  ${date}\n")
  execute_process(COMMAND gzip -9nf ${made}/changelog)
  install(FILES ${made}/changelog.gz packaging/debian/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
    COMPONENT ${component})
endforeach()
install(FILES packaging/debian/unknot.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides RENAME unknot
  COMPONENT program)
install(FILES packaging/debian/libunknot-live0.lintian-overrides DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides
  RENAME libunknot-live0 COMPONENT live)
file(GLOB pages CONFIGURE_DEPENDS packaging/man/*.1)
foreach(page IN LISTS pages)
  get_filename_component(name ${page} NAME)
  configure_file(${page} ${PROJECT_BINARY_DIR}/packaging/${name} COPYONLY)
  execute_process(COMMAND gzip -9nf ${PROJECT_BINARY_DIR}/packaging/${name})
  set(component mpi)
  if(name STREQUAL unknot-certified.1)
    set(component certified)
  endif()
  install(FILES ${PROJECT_BINARY_DIR}/packaging/${name}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${UNKNOT_PACKAGER}")
# Field Homepage of Debian packages, URL of RPM; without an address there is no such field.
set(UNKNOT_HOMEPAGE "" CACHE STRING "Where the project is published, for packages: an address; empty: not said")
set(CPACK_PACKAGE_HOMEPAGE_URL "${UNKNOT_HOMEPAGE}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development live)
if(TARGET unknot_mpi_program)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
if(TARGET unknot_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(TARGET unknot_certified)
  list(APPEND CPACK_COMPONENTS_ALL certified)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Fields Section and Multi-Arch: "foreign" for programs, which serve every architecture, "same" for libraries, which stand beside those
# of others. CPack has a variable for the second from 3.31 on; what it writes of the first takes a line more.
function(unknot_debian_section component section multiarch)
  if(CMAKE_VERSION VERSION_LESS 3.31)
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION "${section}\nMulti-Arch: ${multiarch}" PARENT_SCOPE)
  else()
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${component}_PACKAGE_MULTIARCH ${multiarch} PARENT_SCOPE)
  endif()
endfunction()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME unknot)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION net)  # no Multi-Arch: it holds a plug-in that OpenSM of the same architecture loads
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "opensm, slurm-client, gnuplot-nox")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Reads or generates a fabric, computes routing tables and proves them free of
deadlock, measures their balance, simulates them flit by flit, and designs
contention-free schedules for collective communication.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME unknot-mpi)
unknot_debian_section(MPI net foreign)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "unknot, openmpi-bin")  # Open MPI does not start without its programs
set(CPACK_COMPONENT_MPI_DESCRIPTION "What runs under mpirun: commands over many processes, and unknot-play,
which executes schedules with real messages.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-unknot)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-networkx")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "import unknot: networks, routing and its proofs, loads, simulation,
schedules and every command from Python, with NumPy arrays.")
set(CPACK_DEBIAN_CERTIFIED_PACKAGE_NAME unknot-certified)
unknot_debian_section(CERTIFIED net foreign)
set(CPACK_DEBIAN_CERTIFIED_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CERTIFIED_PACKAGE_SUGGESTS "unknot")
set(CPACK_COMPONENT_CERTIFIED_DESCRIPTION "A checker of routing tables, their certificates and schedules, proven in
Coq: what it accepts cannot deadlock and loses nothing.")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIVE_PACKAGE_NAME libunknot-live0)
unknot_debian_section(LIVE libs same)
set(CPACK_DEBIAN_LIVE_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIVE_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_COMPONENT_LIVE_DESCRIPTION "Holds an interconnect that changes, its forwarding tables and their
proof in the memory of a program in C: a subnet manager, or a simulator.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME unknot-dev)
unknot_debian_section(DEVELOPMENT libdevel same)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libunknot-live0 (= ${PROJECT_VERSION}), libfmt-dev, libtbb-dev, nlohmann-json3-dev, libpugixml-dev, \
libtomlplusplus-dev, libcadical-dev, coinor-libclp-dev, libflint-dev, libmetis-dev, libnauty2-dev, libscotch-dev, libyaml-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The library of unknot, its headers and its CMake package.")
# cpack -G RPM: the same packages, with names of their own kind. What they depend on rpm finds by the libraries that they load.
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0")
set(CPACK_RPM_PACKAGE_VENDOR "${UNKNOT_PACKAGER}")  # CPack's own word for it is Humanity
# Folders that are the system's, not a package's.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/man/man7 /usr/lib/systemd /usr/lib/systemd/system
  /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/fish /usr/share/fish/vendor_completions.d
  /usr/share/zsh /usr/share/zsh/vendor-completions /usr/share/lintian /usr/share/lintian/overrides /usr/lib64/cmake /usr/lib/python3
  /usr/lib/python3/dist-packages)
set(CPACK_RPM_PROGRAM_PACKAGE_NAME unknot)
set(CPACK_RPM_MPI_PACKAGE_NAME unknot-mpi)
set(CPACK_RPM_MPI_PACKAGE_REQUIRES "unknot, openmpi")
set(CPACK_RPM_PYTHON_PACKAGE_NAME python3-unknot)
set(CPACK_RPM_PYTHON_PACKAGE_REQUIRES "python3-numpy")
set(CPACK_RPM_CERTIFIED_PACKAGE_NAME unknot-certified)
set(CPACK_RPM_LIVE_PACKAGE_NAME unknot-live)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_NAME unknot-devel)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_REQUIRES "unknot-live = ${PROJECT_VERSION}")
include(CPack)
