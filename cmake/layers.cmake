# One static library a layer. DEPENDS names layers, LIBRARIES outside packages. With STICKSLIP_UNITY several sources are
# compiled as one, because headers take most of a source's time; SEPARATE: not those of this layer.

add_library(stickslip_options INTERFACE)
target_include_directories(stickslip_options INTERFACE
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(stickslip_options INTERFACE cxx_std_20)
target_compile_options(stickslip_options INTERFACE
    $<BUILD_INTERFACE:-Wall -Wextra -Wshadow -Wpedantic -Wno-missing-field-initializers
    # g++ 12 sees overlaps in std::string + char* that are not there (GCC bug 105651)
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<BOOL:${STICKSLIP_WERROR}>:-Werror> $<$<BOOL:${STICKSLIP_NATIVE}>:-march=native>>)
if(STICKSLIP_SANITIZE)
    target_compile_options(stickslip_options INTERFACE
        $<BUILD_INTERFACE:-fsanitize=${STICKSLIP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer>)
    target_link_options(stickslip_options INTERFACE $<BUILD_INTERFACE:-fsanitize=${STICKSLIP_SANITIZE}>)
endif()

set_property(GLOBAL PROPERTY STICKSLIP_LAYERS "")

function(stickslip_layer name)
    cmake_parse_arguments(ARG "SEPARATE" "" "DEPENDS;LIBRARIES" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/stickslip/${name}/*.cpp)
    add_library(stickslip_${name} STATIC ${sources})
    set_target_properties(stickslip_${name} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${name})
    if(STICKSLIP_UNITY AND NOT ARG_SEPARATE)
        set_target_properties(stickslip_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    endif()
    target_link_libraries(stickslip_${name} PUBLIC stickslip_options ${ARG_LIBRARIES})
    foreach(layer ${ARG_DEPENDS})
        target_link_libraries(stickslip_${name} PUBLIC stickslip_${layer})
    endforeach()
    set_property(GLOBAL APPEND PROPERTY STICKSLIP_LAYERS ${name})
endfunction()

# A layer that is not built is left out.
function(stickslip_program program folder)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/stickslip/${folder}/*.cpp)
    add_executable(${program} ${sources})
    target_link_libraries(${program} PRIVATE ${ARG_LIBRARIES})
    foreach(layer ${ARG_DEPENDS})
        if(TARGET stickslip_${layer})
            target_link_libraries(${program} PRIVATE stickslip_${layer})
        endif()
    endforeach()
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# Headers, libraries and a package: find_package(stickslip), target stickslip::stickslip.
function(stickslip_install)
    include(CMakePackageConfigHelpers)
    get_property(layers GLOBAL PROPERTY STICKSLIP_LAYERS)
    add_library(stickslip_all INTERFACE)
    set_target_properties(stickslip_all PROPERTIES EXPORT_NAME stickslip)
    set(targets stickslip_options stickslip_all)
    foreach(layer ${layers})
        target_link_libraries(stickslip_all INTERFACE stickslip_${layer})
        list(APPEND targets stickslip_${layer})
        install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/stickslip/${layer}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stickslip FILES_MATCHING PATTERN "*.h")
    endforeach()
    install(TARGETS ${targets} EXPORT stickslip_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    set(package ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)
    install(EXPORT stickslip_targets NAMESPACE stickslip:: DESTINATION ${package})
    configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/stickslip-config.cmake.in
        ${CMAKE_BINARY_DIR}/stickslip-config.cmake INSTALL_DESTINATION ${package})
    write_basic_package_version_file(${CMAKE_BINARY_DIR}/stickslip-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${CMAKE_BINARY_DIR}/stickslip-config.cmake ${CMAKE_BINARY_DIR}/stickslip-config-version.cmake
        DESTINATION ${package})
endfunction()
