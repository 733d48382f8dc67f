# Manual pages, compressed as Debian has them, and completions, which the program makes of its own catalogues.
function(unknot_install_documentation program)
  set(made ${PROJECT_BINARY_DIR}/documentation)
  add_custom_command(OUTPUT ${made}/done
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${made}/man
    COMMAND ${program} manual -o ${made}/man
    COMMAND sh -c "gzip -9n ${made}/man/*"
    COMMAND ${program} completion bash > ${made}/unknot
    COMMAND ${program} completion zsh > ${made}/_unknot
    COMMAND ${program} completion fish > ${made}/unknot.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${made}/done
    DEPENDS ${program} COMMENT "Manual pages and completions" VERBATIM)
  add_custom_target(unknot_documentation ALL DEPENDS ${made}/done)
  foreach(section 1 7)
    install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT program
      FILES_MATCHING PATTERN "*.${section}.gz")
  endforeach()
  set(share ${CMAKE_INSTALL_DATAROOTDIR})
  install(FILES ${made}/unknot DESTINATION ${share}/bash-completion/completions COMPONENT program)
  install(FILES ${made}/_unknot DESTINATION ${share}/zsh/vendor-completions COMPONENT program)
  install(FILES ${made}/unknot.fish DESTINATION ${share}/fish/vendor_completions.d COMPONENT program)
endfunction()
