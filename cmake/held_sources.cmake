# UNKNOT_HELD_SOURCES: the library's sources that OpenSM's plug-in has inside, too, which are compiled once for both. Empty where
# their objects could not be loaded into OpenSM, as they are instrumented, and where there is no python3 to find them.
set(UNKNOT_HELD_SOURCES)
if(UNKNOT_PYTHON_PROGRAM AND NOT UNKNOT_SANITIZE AND NOT UNKNOT_TIDY)
  # By folders of src/unknot: what no header of the same name declares.
  set(apart routing/clos routing/dealing/legal_reach_update routing/dealing/row_of_deals_wide support/files/read_file
    support/files/write_file)
  list(TRANSFORM apart PREPEND ${PROJECT_SOURCE_DIR}/src/unknot/)
  list(TRANSFORM apart APPEND .cpp)
  file(GLOB held CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/plugins/opensm/held/*.cpp)
  # The plug-in needs no library of threads.
  execute_process(COMMAND ${UNKNOT_PYTHON_PROGRAM} ${PROJECT_SOURCE_DIR}/scripts/included_sources.py
    --source ${PROJECT_SOURCE_DIR}/src --source ${PROJECT_SOURCE_DIR}/plugins/opensm --but /support/parallel.cpp ${held} ${apart}
    OUTPUT_VARIABLE UNKNOT_HELD_SOURCES OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" UNKNOT_HELD_SOURCES "${UNKNOT_HELD_SOURCES}")
  list(FILTER UNKNOT_HELD_SOURCES INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/src/")
endif()
