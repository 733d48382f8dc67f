# Clp, the linear programming solver of COIN-OR (Debian: coinor-libclp-dev). Its headers are taken as a system's: their
# warnings are not ours.
find_path(Clp_INCLUDE_DIR Clp_C_Interface.h PATH_SUFFIXES coin)
find_library(Clp_LIBRARY Clp)
find_library(CoinUtils_LIBRARY CoinUtils)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clp REQUIRED_VARS Clp_LIBRARY CoinUtils_LIBRARY Clp_INCLUDE_DIR)
if(Clp_FOUND AND NOT TARGET Clp::Clp)
  add_library(Clp::Clp UNKNOWN IMPORTED)
  set_target_properties(Clp::Clp PROPERTIES
    IMPORTED_LOCATION "${Clp_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Clp_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${CoinUtils_LIBRARY}")
endif()
mark_as_advanced(Clp_INCLUDE_DIR Clp_LIBRARY CoinUtils_LIBRARY)
