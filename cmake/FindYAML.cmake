# libyaml, the events of YAML (Debian: libyaml-dev).
find_path(YAML_INCLUDE_DIR yaml.h)
find_library(YAML_LIBRARY yaml)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(YAML REQUIRED_VARS YAML_LIBRARY YAML_INCLUDE_DIR)
if(YAML_FOUND AND NOT TARGET YAML::YAML)
  add_library(YAML::YAML UNKNOWN IMPORTED)
  set_target_properties(YAML::YAML PROPERTIES
    IMPORTED_LOCATION "${YAML_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${YAML_INCLUDE_DIR}")
endif()
mark_as_advanced(YAML_INCLUDE_DIR YAML_LIBRARY)
