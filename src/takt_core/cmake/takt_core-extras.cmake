# CMake functions shared by takt's C++ packages: how targets are compiled, how tests are found, and the check
# that each public header compiles by itself. Installed with takt_core, so that each package can be built separately.

option(TAKT_WERROR "Treat warnings as errors" OFF)
option(TAKT_LAZY_TESTS "Exclude tests from the target `all`; the target `tests` builds them" OFF)
set(TAKT_UNITE_SOURCES 25 CACHE STRING "Number of source files per unity build unit; 1 for none")
set(TAKT_UNITE_TESTS 1 CACHE STRING "Number of test source files per unity build unit; 1 for none")
set(TAKT_TEST_FLAGS "" CACHE STRING "Additional compiler flags for tests and gmock")
set(TAKT_GMOCK "" CACHE FILEPATH "A compiled gmock library; without it each package compiles its own")
set(TAKT_TEST_TIMEOUT 240 CACHE STRING "Timeout of each test, in seconds")
set(TAKT_TEST_MAIN "${CMAKE_CURRENT_LIST_DIR}/test_main.cpp")

# takt_unite(TARGET N): compiles N source files as one (unity build), so that headers are read and templates
# instantiated once for all of them.
function(takt_unite target number)
  if(number GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${number})
    # GCC warns of types in anonymous namespaces of files that it takes for headers here.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  else()
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  endif()
endfunction()

# takt_configure(TARGET): sets C++20, the warnings, and linking only to libraries that are used.
function(takt_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow>
    # With clang -Wconversion includes -Wsign-conversion, which GCC leaves out.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
    # Calls inside a library may be inlined as in a program: no symbol of it is meant to be interposed.
    -fno-semantic-interposition
    # Without PLT, calls to other libraries touch one cache line less.
    -fno-plt
    # The default if no build type is given, as by plain `colcon build`.
    $<$<CONFIG:>:-O2>
    $<$<BOOL:${TAKT_WERROR}>:-Werror>
  )
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
  )
  takt_unite(${target} ${TAKT_UNITE_SOURCES})
  # The default of Ubuntu's compiler, but not of Debian's. Unused libraries (a second LTTng, Python) would start
  # threads and fail to load.
  target_link_options(${target} PRIVATE -Wl,--as-needed
    # Calls within the library are direct, so that a wake-up touches a third fewer cache lines. All symbols are
    # bound at load time, so that no job is delayed by a symbol lookup.
    -Wl,-Bsymbolic-functions -Wl,-z,now
  )
endfunction()

# takt_find_sources(VARIABLE DIRECTORY): lists the *.cpp below DIRECTORY that belong to a library: all except tests,
# what they replace, and their helpers, which are in folders named `testing`.
function(takt_find_sources variable directory)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${directory}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "_(test|replacements)\\.cpp$|/testing/")
  set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# takt_link_interfaces(TARGET PUBLIC|PRIVATE PACKAGE...): links the C++ part of message packages. Their
# <package>_TARGETS would add the C and Python parts as well.
function(takt_link_interfaces target scope)
  foreach(package IN LISTS ARGN)
    target_link_libraries(${target} ${scope}
      ${package}::${package}__rosidl_generator_cpp
      ${package}::${package}__rosidl_typesupport_cpp
    )
  endforeach()
endfunction()

# takt_add_test_program(TARGET SOURCE... [OBJECTS object...] LIBRARIES target...): adds a test program with gmock, of
# sources and, unless compiled objects contain it, of a main function that can run the tests of a single source file
# (test_main.cpp).
function(takt_add_test_program target)
  cmake_parse_arguments(arg "" "" "OBJECTS;LIBRARIES" ${ARGN})
  if(NOT arg_OBJECTS)
    set(arg_OBJECTS "${TAKT_TEST_MAIN}")
  endif()
  add_executable(${target} ${arg_OBJECTS} ${arg_UNPARSED_ARGUMENTS})
  takt_configure(${target})
  takt_unite(${target} ${TAKT_UNITE_TESTS})
  # In a unity build, names of another file may be shadowed.
  target_compile_options(${target} PRIVATE -Wno-shadow ${TAKT_TEST_FLAGS})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_include_directories(${target} SYSTEM PRIVATE ${GMOCK_INCLUDE_DIRS})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} gmock)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ${TAKT_LAZY_TESTS})
endfunction()

# takt_add_tests(DIRECTORY [PREFIX prefix] LIBRARIES target... [ALONE regex] [OWN regex] [COMPUTES]): adds each
# *_test.cpp below DIRECTORY as a test of that name, which runs in a process of its own. One program,
# <project>_<prefix>tests, contains them all, except tests that match OWN, which have programs of their own. A file
# X_replacements.cpp beside X_test.cpp replaces functions of libraries: the test runs in a program of its own, which
# consists of this file and of the objects of the shared program, so that nothing is compiled twice. Of the tests that
# match ALONE one runs at a time, since they use an entire CPU at a real-time priority at times, or measure: they hold
# both resource locks, while tests of other packages that hold only one of these may run beside each other. COMPUTES:
# the tests have no threads, so real-time rights make no difference; they get the label `computes`. Folders named
# `testing` contain helpers that tests share.
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
    # With an existing target gmock, ament_find_gmock() compiles none.
    add_library(gmock STATIC IMPORTED)
    set_target_properties(gmock PROPERTIES IMPORTED_LOCATION "${TAKT_GMOCK}" INTERFACE_LINK_LIBRARIES -pthread)
  endif()
  ament_find_gmock()
  if(NOT TARGET gmock)
    return()
  endif()
  if(NOT TAKT_GMOCK)
    # Compiled by this package, with the flags of the tests.
    target_compile_options(gmock PRIVATE ${TAKT_TEST_FLAGS})
  endif()
  set(results "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}")
  set(shared ${PROJECT_NAME}_${arg_PREFIX}tests)
  set(together "")
  foreach(file IN LISTS files)
    file(RELATIVE_PATH path "${CMAKE_CURRENT_SOURCE_DIR}/${directory}" "${file}")
    string(REGEX REPLACE "\\.cpp$" "" name "${arg_PREFIX}${path}")
    string(REPLACE "/" "_" name "${name}")
    string(REGEX REPLACE "_test\\.cpp$" "_replacements.cpp" replacements "${file}")
    if(arg_OWN AND name MATCHES "${arg_OWN}")
      takt_add_test_program(${name} "${file}" LIBRARIES ${arg_LIBRARIES})
      set(program ${name})
    elseif(EXISTS "${replacements}")
      list(APPEND together "${file}")
      takt_add_test_program(${name} "${replacements}" OBJECTS $<TARGET_OBJECTS:${shared}> LIBRARIES ${arg_LIBRARIES})
      set(program ${name})
    else()
      list(APPEND together "${file}")
      set(program ${shared})
      # A target of the test's own name, to build it and to add dependencies to it.
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
      # A high cost makes ctest start them first: run one after another, they take longest.
      set_tests_properties(${name} PROPERTIES RESOURCE_LOCK "cpu;exchange" COST 10)
    endif()
  endforeach()
  if(together)
    takt_add_test_program(${shared} ${together} LIBRARIES ${arg_LIBRARIES})
    # A control: with the name of a file that does not exist, the program must fail.
    add_custom_target(${shared}_control DEPENDS ${shared})
    add_dependencies(tests ${shared}_control)
    add_test(NAME ${shared}_control COMMAND ${shared} --takt_file=nowhere/none_test.cpp)
    set_tests_properties(${shared}_control PROPERTIES WILL_FAIL TRUE)
  endif()
endfunction()

# takt_check_headers(TARGET): adds the target `headers`, which the linters build: it compiles each header below include/
# by itself.
function(takt_check_headers target)
  file(GLOB_RECURSE headers RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/include" CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/include/*.hpp")
  set(sources "")
  foreach(header IN LISTS headers)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp")
    # Included twice, to detect a missing include guard as well.
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
