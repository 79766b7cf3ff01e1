# shellcheck shell=bash
# The environment takt is built and run in. To be sourced by bash:
#
#     source setup/env.sh                        # Jazzy, release build
#     DISTRO=kilted PRESET=asan source setup/env.sh
#     OVERLAY=/my/prefix source setup/env.sh     # with packages built on top of the wheels, such as rclcpp
#
# It replaces `source /opt/ros/<distro>/setup.bash` if ROS 2 is installed as wheels. A sourced ROS 2 is
# removed from the paths of this shell, because two installations cannot be mixed.

TAKT_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DISTRO=${DISTRO:-jazzy}
PRESET=${PRESET:-release}
export TAKT_ROOT DISTRO PRESET

case $DISTRO in
  jazzy | kilted) ;;
  *)
    echo "takt: DISTRO must be jazzy or kilted, not '$DISTRO'" >&2
    return 2
    ;;
esac

# Prints a path without the folders of a sourced ROS 2.
_takt_sourced=${AMENT_PREFIX_PATH-}
_takt_others() {
  local entry prefix others='' IFS=:
  for entry in $1; do
    for prefix in $_takt_sourced; do
      [ "$prefix" != /usr ] || continue
      case $entry/ in "$prefix"/*) continue 2 ;; esac
    done
    others+=${others:+:}$entry
  done
  echo "$others"
}

TAKT_VENV=$TAKT_ROOT/.venv/$DISTRO
TAKT_INSTALL=$TAKT_ROOT/install/$DISTRO/$PRESET
export TAKT_VENV TAKT_INSTALL

# takt_msgs is built for release only: with sanitizers its Python binding could not be imported.
_takt_prefixes=$TAKT_INSTALL
[ "$PRESET" = release ] || _takt_prefixes=$_takt_prefixes:$TAKT_ROOT/install/$DISTRO/release
_takt_python=$(if cd "$TAKT_VENV/lib" 2>/dev/null; then echo python3.*; fi)

export ROS_DISTRO=$DISTRO ROS_VERSION=2 ROS_PYTHON_VERSION=3
if [ -n "${UNDERLAY_ONLY:-}" ]; then # ROS 2 without takt, to build takt on with other means
  export AMENT_PREFIX_PATH=$TAKT_VENV PYTHONPATH=
else
  export AMENT_PREFIX_PATH=$_takt_prefixes:$TAKT_VENV
  export PYTHONPATH=${_takt_prefixes//:/\/lib\/$_takt_python\/site-packages:}/lib/$_takt_python/site-packages
fi
if [ -n "${OVERLAY:-}" ]; then
  AMENT_PREFIX_PATH=${AMENT_PREFIX_PATH%"$TAKT_VENV"}$OVERLAY:$TAKT_VENV
  PYTHONPATH=$PYTHONPATH${PYTHONPATH:+:}$OVERLAY/lib/$_takt_python/site-packages
fi
export CMAKE_PREFIX_PATH=$AMENT_PREFIX_PATH
# The former paths come last, without those of a sourced ROS 2, because CMake finds packages by PATH, too.
# They are remembered, so that the paths do not grow if this file is sourced twice.
export _TAKT_PATH=${_TAKT_PATH-$(_takt_others "$PATH")}
export _TAKT_LD_LIBRARY_PATH=${_TAKT_LD_LIBRARY_PATH-$(_takt_others "${LD_LIBRARY_PATH-}")}
export LD_LIBRARY_PATH=${AMENT_PREFIX_PATH//://lib:}/lib${_TAKT_LD_LIBRARY_PATH:+:$_TAKT_LD_LIBRARY_PATH}
export PATH=$TAKT_VENV/bin:$_TAKT_PATH
# Without this variable, the wheels restart every Python process to set the library path, in random order.
export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1
unset _takt_prefixes _takt_python _takt_sourced
unset -f _takt_others
