# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The command `takt`: its entry point, and the reporting of every error as one line."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

import click

import takt_cli
from takt_cli.cli import streams
from takt_cli.cli.verbs import Verbs
from takt_cli.errors import HostError, TaktError
from takt_cli.host.interrupt import InterruptHandler
from takt_cli.results.full_disk import disk_full_error_anywhere

# Raised by newer releases of click only; older ones print the help themselves.
NoArgsIsHelpError: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


class Command(Verbs):
    """The top-level group: reports each error as one line on standard error and sets the exit status."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        # SIGTERM cleans up like Ctrl-C, and so does SIGHUP when the terminal closes, unless it is ignored (nohup).
        end_signals = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
            end_signals.append(signal.SIGHUP)
        interrupt = InterruptHandler("interrupted; all processes that it started were ended, and no result was kept")
        previous_handlers = {number: signal.signal(number, interrupt) for number in end_signals}
        try:
            streams.prepare()
            extra |= {"prog_name": "takt", "standalone_mode": False}
            status = super().main(args, **extra)
            sys.stdout.flush()
        except TaktError as error:
            status = _report_and_exit(str(error), error.exit_status)
        except NoArgsIsHelpError as error:
            # The help has many lines, so it is not printed as an error.
            click.echo(error.ctx.get_help() if error.ctx else error.format_message(), file=sys.stderr)
            status = 2
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "takt"
            status = _report_and_exit(f"{error.format_message()} (see {path} --help)", 2)
        except click.ClickException as error:
            status = _report_and_exit(error.format_message(), error.exit_code)
        except BrokenPipeError:
            # The reader of the pipe has closed it: nothing more can be written.
            _discard_output()
            status = 1
        except OSError as error:
            status = _report_and_exit(_error_text(error), HostError.exit_status)
        except Exception as error:
            if os.environ.get("TAKT_DEBUG"):
                raise
            status = _report_and_exit(*_unexpected_error(error))
        finally:
            for number, handler in previous_handlers.items():
                signal.signal(number, handler)
        sys.exit(status if isinstance(status, int) else 0)


def _unexpected_error(error: Exception) -> tuple[str, int]:
    """Return the message for an unexpected exception, and the exit status."""
    if isinstance(error, ModuleNotFoundError):
        remedy = "install what setup/requirements-lab.txt lists, or use ./takt after `make setup`"
        return f"the Python package {error.name!r} is not installed: {remedy}", 1
    return f"a fault in takt itself: {type(error).__name__}: {error} (TAKT_DEBUG=1 shows where)", 70


def _error_text(error: OSError) -> str:
    """Return what failed, on which file or stream, and what to do about it."""
    reason = error.strerror or str(error)
    if not error.filename and _from_output(error):
        _discard_output()
        return f"standard output: {reason}; send it elsewhere (a finished result stays in its folder)"
    if (disk_full := disk_full_error_anywhere(error)) is not None:
        return str(disk_full)
    return f"{error.filename}: {reason}" if error.filename else reason


def _from_output(error: OSError) -> bool:
    """Return whether the error occurred while writing to standard output.

    An OSError of a write names no file, so the traceback is searched for the modules that print.
    """
    names = {frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)}
    return bool(names & {"click.utils", "rich.console"})


def _discard_output() -> None:
    """Redirect standard output to /dev/null, so that Python's flush at exit does not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report_and_exit(text: str, status: int) -> int:
    click.echo("takt: " + " ".join(text.split()), file=sys.stderr)
    return status


@click.group(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(takt_cli.__version__, prog_name="takt")
def cli() -> None:
    """Run periodic real-time applications on ROS 2 and measure whether they meet their deadlines on up-to-date data.

    For robotics engineers whose control loops (100 Hz to 1 kHz) must hold, and for researchers who compare
    executors, middlewares and kernels. An application is described by a SPEC, a YAML file such as
    examples/planner.yaml: its nodes, their callbacks with period, deadline and execution time, and their topics.

    An application can run under these executors: takt, which schedules callbacks by priority or deadline; baseline0,
    one executor for all nodes that works as ROS 2's single-threaded one; baseline1, one such executor and process for
    each node. Where takt was built with rclcpp, also with nodes of rclcpp: takt-rclcpp under takt's executor, and
    rclcpp-single, rclcpp-multi and rclcpp-events under rclcpp's own.

    DURATION is a number with a unit (ns, us, ms, s, min), such as 500us; SECONDS is the same, but a number without a
    unit counts as seconds. Both are at most one day. RESULT and DIR are folders; a result is the folder that a command
    wrote. Exit status: 0 done, 1 failed (also `check` and `measure bounds` if deadlines or bounds do not hold), 2 wrong
    usage, 70 a fault in takt, 130 interrupted; `doctor` has its own.

    \b
    Examples:
      takt demo --quick
      takt run examples/planner.yaml --executor takt
    """


def main() -> NoReturn:
    """Run the command; the entry point of the installed script. Does not return."""
    cli.main()
