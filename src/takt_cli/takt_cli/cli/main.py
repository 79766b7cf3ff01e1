# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The command itself: its verbs, and every error in one line."""

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
from takt_cli.host.full_disk import no_room_somewhere
from takt_cli.host.interrupt import Interrupt

# Only newer releases of click raise it; older ones print the help themselves.
NoArgsIsHelpError: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())


class Command(Verbs):
    """A group whose errors are one line on standard error, and whose exit status tells."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        # A polite end from outside cleans up like Ctrl-C, and so does the end of the terminal, unless someone
        # has it ignored.
        ends = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
            ends.append(signal.SIGHUP)
        interrupt = Interrupt("interrupted; everything started was ended, and no result was kept")
        before = {number: signal.signal(number, interrupt) for number in ends}
        try:
            streams.prepare()
            extra |= {"prog_name": "takt", "standalone_mode": False}
            status = super().main(args, **extra)
            sys.stdout.flush()
        except TaktError as error:
            status = _fail(str(error), error.exit_status)
        except NoArgsIsHelpError as error:
            # The help as it is, not as an error's one line.
            click.echo(error.ctx.get_help() if error.ctx else error.format_message(), file=sys.stderr)
            status = 2
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "takt"
            status = _fail(f"{error.format_message()} (see {path} --help)", 2)
        except click.ClickException as error:
            status = _fail(error.format_message(), error.exit_code)
        except BrokenPipeError:
            # Whoever read our output has gone; nothing more can be said there.
            _discard_output()
            status = 1
        except OSError as error:
            status = _fail(_told(error), HostError.exit_status)
        except Exception as error:
            if os.environ.get("TAKT_DEBUG"):
                raise
            status = _fail(*_fault(error))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        sys.exit(status if isinstance(status, int) else 0)


def _fault(error: Exception) -> tuple[str, int]:
    """What to say of what nobody foresaw, and the exit status."""
    if isinstance(error, ModuleNotFoundError):
        what = "install what setup/requirements-lab.txt lists, or use ./takt after `make setup`"
        return f"the Python package {error.name!r} is not installed: {what}", 1
    return f"a fault in takt itself: {type(error).__name__}: {error} (TAKT_DEBUG=1 shows where)", 70


def _told(error: OSError) -> str:
    """What failed, where, and what to do."""
    reason = error.strerror or str(error)
    if not error.filename and _from_output(error):
        _discard_output()
        return f"standard output: {reason}; send it elsewhere (a finished result is kept in its folder)"
    if (full := no_room_somewhere(error)) is not None:
        return str(full)
    return f"{error.filename}: {reason}" if error.filename else reason


def _from_output(error: OSError) -> bool:
    """Whether it came up in writing to standard output: the error itself does not tell."""
    names = {frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)}
    return bool(names & {"click.utils", "rich.console"})


def _discard_output() -> None:
    """What is still to be written goes nowhere, or Python would complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(text: str, status: int) -> int:
    click.echo("takt: " + " ".join(text.split()), file=sys.stderr)
    return status


@click.group(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(takt_cli.__version__, prog_name="takt")
def cli() -> None:
    """Real-time ROS 2 applications: run them, and see whether their deadlines hold on fresh data.

    \b
    Example:
      takt demo --quick
    """


def main() -> NoReturn:
    """Entry point of the installed command."""
    cli.main()
