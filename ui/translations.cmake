# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later

# English (plural forms only) and the pseudo language are made from the sources at every build, so that they can't
# be out of date. Languages that people translate lie as diskwright_XX.ts in resources/translations.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(folder ${CMAKE_BINARY_DIR}/app/translations)
set(script ${CMAKE_SOURCE_DIR}/resources/translations/translations.py)
file(MAKE_DIRECTORY ${folder})
file(GLOB_RECURSE translated CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/ui/*.cpp ${CMAKE_SOURCE_DIR}/ui/*.h ${CMAKE_SOURCE_DIR}/app/*.cpp ${CMAKE_SOURCE_DIR}/app/*.h)

set(source ${CMAKE_CURRENT_BINARY_DIR}/diskwright_source.ts)
add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${source}
    COMMAND $<TARGET_FILE:Qt6::lupdate> -silent -no-obsolete -locations none -source-language en_US
        ${CMAKE_SOURCE_DIR}/ui ${CMAKE_SOURCE_DIR}/app -ts ${source}
    DEPENDS ${translated}
    COMMENT "Collecting texts" VERBATIM)

set(languages)
foreach(pair IN ITEMS "english:en" "pseudo:xx-pseudo")
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 kind)
    list(GET pair 1 code)
    set(ts ${CMAKE_CURRENT_BINARY_DIR}/diskwright_${code}.ts)
    set(qm ${folder}/diskwright_${code}.qm)
    add_custom_command(OUTPUT ${qm}
        COMMAND Python3::Interpreter ${script} ${kind} ${source} ${ts}
        COMMAND $<TARGET_FILE:Qt6::lrelease> -silent ${ts} -qm ${qm}
        DEPENDS ${source} ${script}
        COMMENT "Making the ${kind} texts" VERBATIM)
    list(APPEND languages ${qm})
endforeach()
add_custom_target(diskwright_translations ALL DEPENDS ${languages})
install(FILES ${folder}/diskwright_en.qm DESTINATION ${KDE_INSTALL_DATADIR}/diskwright/translations)
