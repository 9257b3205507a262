# find_package(bgrace) gives the targets bgrace::bgrace, the static library, and bgrace::shared where there is one.
get_filename_component(_bgrace_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

function(_bgrace_add target kind)
  foreach(name ${ARGN})
    set(file "${_bgrace_prefix}/lib/${name}")
    if(EXISTS "${file}" AND NOT TARGET ${target})
      add_library(${target} ${kind} IMPORTED)
      set_target_properties(${target} PROPERTIES
        IMPORTED_LOCATION "${file}"
        INTERFACE_INCLUDE_DIRECTORIES "${_bgrace_prefix}/include")
    endif()
  endforeach()
endfunction()

_bgrace_add(bgrace::bgrace STATIC libbgrace.a bgrace.lib)
if(UNIX AND TARGET bgrace::bgrace)
  set_target_properties(bgrace::bgrace PROPERTIES INTERFACE_LINK_LIBRARIES m)
endif()
_bgrace_add(bgrace::shared SHARED libbgrace.so libbgrace.dylib)
if(NOT TARGET bgrace::bgrace)
  set(bgrace_FOUND FALSE)
  set(bgrace_NOT_FOUND_MESSAGE "no bgrace library in ${_bgrace_prefix}/lib")
endif()
