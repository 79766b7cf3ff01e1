# What the C++ packages of takt share: how a target is compiled, how tests are found, and the check
# that public headers stand alone. Installed with takt_core, so that each package builds by itself.

option(TAKT_WERROR "Treat warnings as errors" OFF)
option(TAKT_LAZY_TESTS "Leave tests out of `all`; the target `tests` builds them" OFF)
set(TAKT_UNITE_SOURCES 10 CACHE STRING "How many source files are compiled as one")
set(TAKT_UNITE_TESTS 1 CACHE STRING "How many files of tests are compiled as one")
set(TAKT_TEST_FLAGS "" CACHE STRING "Further flags that tests and gmock are compiled with")
set(TAKT_GMOCK "" CACHE FILEPATH "The library gmock, compiled once; else each package compiles it")
set(TAKT_TEST_TIMEOUT 240 CACHE STRING "Seconds after which a test is stopped")
set(TAKT_TEST_MAIN "${CMAKE_CURRENT_LIST_DIR}/test_main.cpp")

# takt_unite(TARGET N): N source files are compiled as one: what they include is read, and what they
# take of templates is made, once.
function(takt_unite target number)
  if(number GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${number})
    # What one file has at its top is not seen by other programs.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  else()
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# takt_configure(TARGET): C++20, warnings, and links only to what is really used.
function(takt_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow>
    # To clang a conversion is one of signs, too.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
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
  takt_unite(${target} ${TAKT_UNITE_SOURCES})
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

# takt_add_test_program(TARGET SOURCE... LIBRARIES target...): with gmock, and a main function that
# runs the tests of one of the files where it is told so.
function(takt_add_test_program target)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  add_executable(${target} ${TAKT_TEST_MAIN} ${arg_UNPARSED_ARGUMENTS})
  takt_configure(${target})
  takt_unite(${target} ${TAKT_UNITE_TESTS})
  # What is hidden by the top of another file is no fault.
  target_compile_options(${target} PRIVATE -Wno-shadow ${TAKT_TEST_FLAGS})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_include_directories(${target} SYSTEM PRIVATE ${GMOCK_INCLUDE_DIRS})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} gmock)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ${TAKT_LAZY_TESTS})
endfunction()

# takt_add_tests(DIRECTORY [PREFIX prefix] LIBRARIES target... [ALONE regex] [OWN regex] [COMPUTES]): each
# *_test.cpp below DIRECTORY is a test of that name, a process of its own; what compiles and links
# them is one program for all, <project>_<prefix>tests. Those that match OWN replace functions of
# libraries, and have programs of their own. Of those that match ALONE one runs at a time: they want a
# whole CPU at a real-time priority at times, or measure; what holds one of their two locks runs beside
# one that holds the other. COMPUTES: they have no threads, so it is all the same to them what rights
# there are; their label is `computes`. Folders named `testing` hold what tests share.
function(takt_add_tests directory)
  cmake_parse_arguments(arg "COMPUTES" "PREFIX;ALONE;OWN" "LIBRARIES" ${ARGN})
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
  if(TAKT_GMOCK AND NOT TARGET gmock)
    # Found there already, ament compiles none.
    add_library(gmock STATIC IMPORTED)
    set_target_properties(gmock PROPERTIES IMPORTED_LOCATION "${TAKT_GMOCK}" INTERFACE_LINK_LIBRARIES -pthread)
  endif()
  ament_find_gmock()
  if(NOT TARGET gmock)
    return()
  endif()
  if(NOT TAKT_GMOCK)
    # Compiled here, too; it needs no more optimisation or checks than tests do.
    target_compile_options(gmock PRIVATE ${TAKT_TEST_FLAGS})
  endif()
  set(results "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}")
  set(shared ${PROJECT_NAME}_${arg_PREFIX}tests)
  set(together "")
  foreach(file IN LISTS files)
    file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}/${directory}" "${file}")
    string(REGEX REPLACE "\\.cpp$" "" name "${arg_PREFIX}${path}")
    string(REPLACE "/" "_" name "${name}")
    if(arg_OWN AND name MATCHES "${arg_OWN}")
      takt_add_test_program(${name} "${file}" LIBRARIES ${arg_LIBRARIES})
      set(program ${name})
    else()
      list(APPEND together "${file}")
      set(program ${shared})
      # What this test alone needs can be built, and be added to, by its name.
      add_custom_target(${name} DEPENDS ${shared})
    endif()
    add_dependencies(tests ${name})
    add_test(NAME ${name}
      COMMAND ${program} --takt_file=${directory}/${path} --gtest_output=xml:${results}/${name}.gtest.xml
      WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    set_tests_properties(${name} PROPERTIES TIMEOUT ${TAKT_TEST_TIMEOUT})
    if(arg_COMPUTES)
      set_tests_properties(${name} PROPERTIES LABELS computes)
    endif()
    if(arg_ALONE AND name MATCHES "${arg_ALONE}")
      # They come first: all of them, one after another, are what takes longest.
      set_tests_properties(${name} PROPERTIES RESOURCE_LOCK "cpu;exchange" COST 10)
    endif()
  endforeach()
  if(together)
    takt_add_test_program(${shared} ${together} LIBRARIES ${arg_LIBRARIES})
    # Of a file that is not there no test passes.
    add_custom_target(${shared}_control DEPENDS ${shared})
    add_dependencies(tests ${shared}_control)
    add_test(NAME ${shared}_control COMMAND ${shared} --takt_file=nowhere/none_test.cpp)
    set_tests_properties(${shared}_control PROPERTIES WILL_FAIL TRUE)
  endif()
endfunction()

# takt_check_headers(TARGET): the target `headers`, which lint builds, compiles each header below include/
# alone.
function(takt_check_headers target)
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
  add_library(headers OBJECT EXCLUDE_FROM_ALL ${sources})
  takt_configure(headers)
  takt_unite(headers 1)
  target_link_libraries(headers PRIVATE ${target})
endfunction()
