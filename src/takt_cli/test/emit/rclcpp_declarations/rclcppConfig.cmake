# Stands in for rclcpp's own where there is none: see rclcpp/rclcpp.hpp.
find_package(rcl REQUIRED)
add_library(rclcpp::rclcpp INTERFACE IMPORTED)
target_include_directories(rclcpp::rclcpp INTERFACE "${CMAKE_CURRENT_LIST_DIR}")
target_link_libraries(rclcpp::rclcpp INTERFACE rcl::rcl)
