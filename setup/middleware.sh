# shellcheck shell=bash
# The middleware that RMW names, for what is started, not for what is built. To be sourced after env.sh:
#
#     RMW=rmw_cyclonedds_cpp; source setup/middleware.sh; "${over_middleware[@]}" PROGRAM
#
# Without RMW it is ROS 2's own choice, and nothing is set. Fails where RMW is not installed.
over_middleware=()
# The library that chooses, where it has to come before what ROS 2's own libraries are linked to.
preloaded_middleware=

# The middlewares in the ament index; beside them stands the library that chooses one.
_takt_rmws() {
  local prefix IFS=:
  for prefix in $AMENT_PREFIX_PATH; do
    ls "$prefix/share/ament_index/resource_index/rmw_typesupport" 2>/dev/null
  done | grep -vx rmw_implementation | sort -u
}
# The first library of this name in a prefix.
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
  # The wheels' librcl is linked to one middleware; other builds', to the library that loads the one that is chosen.
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
