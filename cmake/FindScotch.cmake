# Scotch, the graph partitioning library (Debian: libscotch-dev). Its headers are taken as a system's: their warnings are not ours.
find_path(Scotch_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
find_library(Scotch_LIBRARY scotch)
find_library(Scotch_ERROR_LIBRARY scotcherr)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Scotch REQUIRED_VARS Scotch_LIBRARY Scotch_ERROR_LIBRARY Scotch_INCLUDE_DIR)
if(Scotch_FOUND AND NOT TARGET Scotch::Scotch)
  add_library(Scotch::Scotch UNKNOWN IMPORTED)
  set_target_properties(Scotch::Scotch PROPERTIES
    IMPORTED_LOCATION "${Scotch_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Scotch_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Scotch_ERROR_LIBRARY}")
endif()
mark_as_advanced(Scotch_INCLUDE_DIR Scotch_LIBRARY Scotch_ERROR_LIBRARY)
