# The page of `unknot report`: web/ with the libraries of its package-lock.json, made one script and one style sheet by
# esbuild, and those a C++ source. All in the build folder; the source tree stays as it is.
find_program(UNKNOT_NPM npm)
find_program(UNKNOT_NODE NAMES node nodejs)
mark_as_advanced(UNKNOT_NPM UNKNOT_NODE)
if(UNKNOT_REPORT AND NOT (UNKNOT_NPM AND UNKNOT_NODE))
  message(NOTICE "unknot report: off, as npm (Node.js) is not installed; everything else is built")
  set(UNKNOT_REPORT OFF)
endif()

function(unknot_report_page target)
  set(web ${PROJECT_SOURCE_DIR}/web)
  set(folder ${PROJECT_BINARY_DIR}/web)
  set(installed ${folder}/installed)
  # no scripts of packages: what esbuild's would do, its launcher does as well
  add_custom_command(OUTPUT ${installed}
    COMMAND ${CMAKE_COMMAND} -E copy ${web}/package.json ${web}/package-lock.json ${folder}
    COMMAND ${UNKNOT_NPM} ci --loglevel=error --ignore-scripts --no-audit --no-fund
    COMMAND ${CMAKE_COMMAND} -E touch ${installed}
    DEPENDS ${web}/package.json ${web}/package-lock.json
    WORKING_DIRECTORY ${folder} COMMENT "Getting the libraries of the report's page (without a network: -DUNKNOT_REPORT=OFF)" VERBATIM)
  file(MAKE_DIRECTORY ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${web}/src/*.js ${web}/src/*.css)
  add_custom_command(OUTPUT ${folder}/page_bundle.cpp
    COMMAND ${UNKNOT_NODE} ${web}/bundle.mjs ${folder} ${folder}/page_bundle.cpp
    DEPENDS ${installed} ${web}/bundle.mjs ${sources}
    COMMENT "Bundling the report's page" VERBATIM)
  target_sources(${target} PRIVATE ${folder}/page_bundle.cpp)
  # one string literal, longer than clang takes without a word
  set_source_files_properties(${folder}/page_bundle.cpp PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set_source_files_properties(unknot/report/page.cpp PROPERTIES COMPILE_DEFINITIONS UNKNOT_HAS_PAGE
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()
