# shellcheck shell=bash
# Selects the middleware that RMW names, for programs that are started, not for builds. To be sourced after env.sh:
#
#     RMW=rmw_cyclonedds_cpp; source setup/middleware.sh; "${over_middleware[@]}" PROGRAM
#
# Without RMW, ROS 2 uses its default, and nothing is set. Fails if the named middleware is not installed.
over_middleware=()
# The path of librmw_implementation.so, which loads the selected middleware, if it must be preloaded because ROS 2's
# own libraries are linked to one particular middleware.
preloaded_middleware=

# Prints the middlewares in the ament index, without rmw_implementation, which is registered there as well.
_takt_rmws() {
  local prefix IFS=:
  for prefix in $AMENT_PREFIX_PATH; do
    ls "$prefix/share/ament_index/resource_index/rmw_typesupport" 2>/dev/null
  done | grep -vx rmw_implementation | sort -u
}
# Prints the path of the first library of this name in the prefixes.
_takt_library() {
  local prefix IFS=:
  for prefix in $AMENT_PREFIX_PATH; do
    [ ! -e "$prefix/lib/$1" ] || { echo "$prefix/lib/$1"; return; }
  done
}
_takt_choose_middleware() {
  local there linked
  there=$(_takt_rmws) || true
  if ! grep -qFx -- "$RMW" <<<"$there"; then
    there=${there//$'\n'/, }
    echo "takt: $RMW (from RMW) is not installed, there is: ${there:-none}; OVERLAY=/its/prefix adds one that was built for this ROS 2" >&2
    return 2
  fi
  over_middleware=(env "RMW_IMPLEMENTATION=$RMW")
  # The librcl of the wheels is linked to one middleware; that of other builds to rmw_implementation.
  linked=$(readelf -d "$(_takt_library librcl.so)" 2>/dev/null | sed -n 's/.*(NEEDED).*\[lib\(rmw_.*\)\.so\]$/\1/p') || true
  if grep -qxE "rmw_implementation|$RMW" <<<"$linked"; then return; fi
  preloaded_middleware=$(_takt_library librmw_implementation.so)
  if [ -z "$preloaded_middleware" ]; then
    echo "takt: $RMW (from RMW) cannot be chosen: librcl is linked to ${linked:-none}, and no prefix has librmw_implementation.so; OVERLAY=/its/prefix adds one" >&2
    return 2
  fi
  over_middleware+=("LD_PRELOAD=$preloaded_middleware${LD_PRELOAD:+:$LD_PRELOAD}")
}
[ -z "${RMW:-}" ] || _takt_choose_middleware
