# nauty, automorphisms of graphs (Debian: libnauty2-dev). Its headers are taken as a system's: their warnings are not ours.
find_path(Nauty_INCLUDE_DIR nauty/nausparse.h)
find_library(Nauty_LIBRARY nauty)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nauty REQUIRED_VARS Nauty_LIBRARY Nauty_INCLUDE_DIR)
if(Nauty_FOUND AND NOT TARGET Nauty::Nauty)
  add_library(Nauty::Nauty UNKNOWN IMPORTED)
  set_target_properties(Nauty::Nauty PROPERTIES
    IMPORTED_LOCATION "${Nauty_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Nauty_INCLUDE_DIR}")
endif()
mark_as_advanced(Nauty_INCLUDE_DIR Nauty_LIBRARY)
