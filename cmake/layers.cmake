# One static library a layer. DEPENDS names layers, LIBRARIES outside packages. COLD: none of its loops takes a share of a
# run's time. LANES: its loops run over lanes.
# Headers, and the templates that they bring, take most of a source's time: with STICKSLIP_UNITY several sources are
# compiled as one (tests/CMakeLists.txt: what all tests include is compiled beforehand).

add_library(stickslip_options INTERFACE)
target_include_directories(stickslip_options INTERFACE
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(stickslip_options INTERFACE cxx_std_20)
target_compile_options(stickslip_options INTERFACE
    $<BUILD_INTERFACE:-Wall -Wextra -Wshadow -Wpedantic -Wno-missing-field-initializers
    # g++ 12 sees overlaps in std::string + char* that are not there (GCC bug 105651)
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    # g++ collects garbage from some MB on, a tenth of its time; such sources take over a GB anyhow
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=400000> $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=100>
    $<$<BOOL:${STICKSLIP_WERROR}>:-Werror> $<$<BOOL:${STICKSLIP_NATIVE}>:-march=native>>)
if(STICKSLIP_SANITIZE)
    target_compile_options(stickslip_options INTERFACE
        $<BUILD_INTERFACE:-fsanitize=${STICKSLIP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(stickslip_options INTERFACE $<BUILD_INTERFACE:-fsanitize=${STICKSLIP_SANITIZE}>)
endif()

# Cold code is quick to compile. In hot code the operators of small vectors are inlined wherever they stand: by itself g++
# stops where a source has grown by 40 %. Loops over lanes need square roots without errno; no contraction, so that every
# processor gives the same bits.
set(stickslip_cold $<$<CONFIG:Release>:-O1>)
set(stickslip_hot $<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=1000>
    $<$<CXX_COMPILER_ID:GNU>:--param=large-unit-insns=100000>)
set(stickslip_lanes -fno-math-errno -fno-trapping-math -ffp-contract=off -Wno-psabi)

function(stickslip_join target sources)
    if(STICKSLIP_UNITY)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${sources})
    endif()
endfunction()

function(stickslip_layer name)
    cmake_parse_arguments(ARG "COLD;LANES" "" "DEPENDS;LIBRARIES" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/stickslip/${name}/*.cpp)
    add_library(stickslip_${name} STATIC ${sources})
    set_target_properties(stickslip_${name} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${name})
    stickslip_join(stickslip_${name} 40)
    if(ARG_COLD)
        target_compile_options(stickslip_${name} PRIVATE ${stickslip_cold})
    else()
        target_compile_options(stickslip_${name} PRIVATE ${stickslip_hot})
    endif()
    if(ARG_LANES)
        target_compile_options(stickslip_${name} PRIVATE ${stickslip_lanes})
    endif()
    target_link_libraries(stickslip_${name} PUBLIC stickslip_options ${ARG_LIBRARIES})
    foreach(layer ${ARG_DEPENDS})
        target_link_libraries(stickslip_${name} PUBLIC stickslip_${layer})
    endforeach()
    set_property(GLOBAL PROPERTY STICKSLIP_BELOW_${name} ${ARG_DEPENDS})
endfunction()

# A layer that is not built is left out.
function(stickslip_program program folder)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/stickslip/${folder}/*.cpp)
    add_executable(${program} ${sources})
    stickslip_join(${program} 14)
    target_compile_options(${program} PRIVATE ${stickslip_cold})
    target_link_libraries(${program} PRIVATE stickslip_options ${ARG_LIBRARIES})
    foreach(layer ${ARG_DEPENDS})
        if(TARGET stickslip_${layer})
            target_link_libraries(${program} PRIVATE stickslip_${layer})
        endif()
    endforeach()
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# Adds to `found` a header of src/ and all of src/ that it includes.
function(stickslip_header_closure header found)
    set(headers ${${found}})
    if(NOT header IN_LIST headers)
        list(APPEND headers ${header})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${header})
        file(STRINGS ${CMAKE_SOURCE_DIR}/src/${header} lines REGEX "#include [<\"]stickslip/")
        foreach(line ${lines})
            string(REGEX REPLACE ".*[<\"](.*)[>\"].*" "\\1" included ${line})
            stickslip_header_closure(${included} headers)
        endforeach()
    endif()
    set(${found} ${headers} PARENT_SCOPE)
endfunction()

# A package: find_package(stickslip), target stickslip::stickslip. Of headers those that `header` needs, of libraries
# `layer` and those below it.
function(stickslip_install header layer)
    include(CMakePackageConfigHelpers)
    add_library(stickslip_all INTERFACE)
    add_library(stickslip::stickslip ALIAS stickslip_all)
    set_target_properties(stickslip_all PROPERTIES EXPORT_NAME stickslip)
    target_link_libraries(stickslip_all INTERFACE stickslip_${layer})
    get_property(below GLOBAL PROPERTY STICKSLIP_BELOW_${layer})
    list(TRANSFORM below PREPEND stickslip_)
    install(TARGETS stickslip_options stickslip_all stickslip_${layer} ${below} EXPORT stickslip_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    stickslip_header_closure(${header} headers)
    foreach(file ${headers})
        get_filename_component(folder ${file} DIRECTORY)
        install(FILES ${CMAKE_SOURCE_DIR}/src/${file} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
    endforeach()
    set(package ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)
    install(EXPORT stickslip_targets NAMESPACE stickslip:: DESTINATION ${package})
    configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/stickslip-config.cmake.in
        ${CMAKE_BINARY_DIR}/stickslip-config.cmake INSTALL_DESTINATION ${package})
    write_basic_package_version_file(${CMAKE_BINARY_DIR}/stickslip-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${CMAKE_BINARY_DIR}/stickslip-config.cmake ${CMAKE_BINARY_DIR}/stickslip-config-version.cmake
        DESTINATION ${package})
endfunction()

# A file that the program prints when it is called with `words`.
function(stickslip_install_printed words folder file)
    list(JOIN words " " words)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/printed)
    set(printed ${CMAKE_BINARY_DIR}/printed/${file})
    install(CODE "execute_process(COMMAND \"$<TARGET_FILE:stickslip>\" ${words} OUTPUT_FILE \"${printed}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES ${printed} DESTINATION ${folder})
endfunction()
