# What the C++ packages of takt share: how a target is compiled, how tests are found, and the check
# that public headers stand alone. Installed with takt_core, so that each package builds by itself.

option(TAKT_WERROR "Treat warnings as errors" OFF)
option(TAKT_LAZY_TESTS "Leave tests out of `all`; the target `tests` builds them" OFF)
option(TAKT_CHECK_HEADERS "Compile each public header alone, with the tests" ON)
option(TAKT_PRECOMPILE_TESTS "Compile what all tests include once for all of them" OFF)
set(TAKT_TEST_FLAGS "" CACHE STRING "Further flags that tests and gmock are compiled with")
set(TAKT_TEST_TIMEOUT 60 CACHE STRING "Seconds after which a test is stopped")

# takt_configure(TARGET): C++20, warnings, and links only to what is really used.
function(takt_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
    # Calls inside a library may be inlined as in a program: nobody replaces them one by one.
    -fno-semantic-interposition
    # A call to another library goes through one cold cache line less.
    -fno-plt
    # A colcon that is told no build type has none.
    $<$<CONFIG:>:-O2>
    $<$<BOOL:${TAKT_WERROR}>:-Werror>
  )
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
  )
  # Ubuntu's compiler does this by itself, Debian's does not: unused libraries (a second LTTng, Python)
  # would start threads and fail to load.
  target_link_options(${target} PRIVATE -Wl,--as-needed
    # Calls within the library go straight to their target: a wake-up touches a third fewer cold cache
    # lines. And no job is the first to call a function, and waits until it is looked up.
    -Wl,-Bsymbolic-functions -Wl,-z,now
  )
endfunction()

# takt_find_sources(VARIABLE DIRECTORY): the *.cpp below DIRECTORY that belong to a library: all but
# tests and what only tests use, in folders named `testing`.
function(takt_find_sources variable directory)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${directory}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/testing/")
  set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# takt_link_interfaces(TARGET PUBLIC|PRIVATE PACKAGE...): the C++ half of message packages. Their
# <package>_TARGETS would bring the C and Python halves as well.
function(takt_link_interfaces target scope)
  foreach(package IN LISTS ARGN)
    target_link_libraries(${target} ${scope}
      ${package}::${package}__rosidl_generator_cpp
      ${package}::${package}__rosidl_typesupport_cpp
    )
  endforeach()
endfunction()

# takt_configure_test(TARGET library...): how a test is compiled, and what it is linked with.
function(takt_configure_test target)
  takt_configure(${target})
  target_compile_options(${target} PRIVATE ${TAKT_TEST_FLAGS})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  # As ament_add_gmock does, without a keyword.
  target_link_libraries(${target} ${ARGN})
endfunction()

# takt_add_tests(DIRECTORY [PREFIX prefix] [ROS] LIBRARIES target... [PRECOMPILE header...]
# [ALONE regex]): one program per *_test.cpp below DIRECTORY, named by its path, linked with what
# folders named `testing` hold. ROS gives each test a ROS domain of its own. PRECOMPILE names headers
# that many of them include. No other test runs beside those that match ALONE: they want a whole CPU
# at a real-time priority at times, or measure.
function(takt_add_tests directory)
  cmake_parse_arguments(arg "ROS" "PREFIX;ALONE" "LIBRARIES;PRECOMPILE" ${ARGN})
  if(NOT TARGET tests)
    add_custom_target(tests)
  endif()
  if(NOT BUILD_TESTING)
    return()
  endif()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${directory}/*_test.cpp")
  file(GLOB_RECURSE support CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${directory}/testing/*.cpp")
  list(FILTER support EXCLUDE REGEX "_test\\.cpp$")
  if(support)
    add_library(${arg_PREFIX}testing STATIC ${support})
    takt_configure(${arg_PREFIX}testing)
    target_include_directories(${arg_PREFIX}testing PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
    target_link_libraries(${arg_PREFIX}testing PUBLIC ${arg_LIBRARIES})
    set_target_properties(${arg_PREFIX}testing PROPERTIES EXCLUDE_FROM_ALL ${TAKT_LAZY_TESTS})
    list(PREPEND arg_LIBRARIES ${arg_PREFIX}testing)
  endif()
  ament_find_gmock()
  if(TARGET gmock)
    # Compiled here, too; it needs no more optimisation or checks than tests do.
    target_compile_options(gmock PRIVATE ${TAKT_TEST_FLAGS})
  endif()
  if(TAKT_PRECOMPILE_TESTS AND files)
    # A program of its own, compiled as the tests are: they take its precompiled header.
    set(precompiled ${arg_PREFIX}precompiled)
    file(CONFIGURE OUTPUT ${precompiled}.cpp CONTENT "int main() {}\n")
    add_executable(${precompiled} EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/${precompiled}.cpp")
    takt_configure_test(${precompiled} ${arg_LIBRARIES})
    target_include_directories(${precompiled} SYSTEM PRIVATE ${GMOCK_INCLUDE_DIRS})
    target_precompile_headers(${precompiled} PRIVATE <gmock/gmock.h> <gtest/gtest.h> <chrono>
      <condition_variable> <functional> <memory> <mutex> <string> <thread> <vector> ${arg_PRECOMPILE})
  endif()
  foreach(file IN LISTS files)
    file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}/${directory}" "${file}")
    string(REGEX REPLACE "\\.cpp$" "" name "${arg_PREFIX}${name}")
    string(REPLACE "/" "_" name "${name}")
    if(arg_ROS)
      ament_add_ros_isolated_gmock(${name} "${file}" TIMEOUT ${TAKT_TEST_TIMEOUT})
    else()
      ament_add_gmock(${name} "${file}" TIMEOUT ${TAKT_TEST_TIMEOUT})
    endif()
    takt_configure_test(${name} ${arg_LIBRARIES})
    if(TARGET ${arg_PREFIX}precompiled)
      target_precompile_headers(${name} REUSE_FROM ${arg_PREFIX}precompiled)
    endif()
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ${TAKT_LAZY_TESTS})
    add_dependencies(tests ${name})
    if(arg_ALONE AND name MATCHES "${arg_ALONE}")
      set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
    endif()
  endforeach()
endfunction()

# takt_check_headers(TARGET): each header below include/ compiles alone.
function(takt_check_headers target)
  if(NOT (BUILD_TESTING AND TAKT_CHECK_HEADERS))
    return()
  endif()
  file(GLOB_RECURSE headers RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/include" CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/include/*.hpp")
  set(sources "")
  foreach(header IN LISTS headers)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp")
    # Included twice: that shows a missing include guard as well.
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>\n" @ONLY)
    list(APPEND sources "${source}")
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_library(${target}_headers OBJECT ${sources})
  takt_configure(${target}_headers)
  target_link_libraries(${target}_headers PRIVATE ${target})
  set_target_properties(${target}_headers PROPERTIES EXCLUDE_FROM_ALL ${TAKT_LAZY_TESTS})
  if(NOT TARGET tests)
    add_custom_target(tests)
  endif()
  add_dependencies(tests ${target}_headers)
endfunction()
