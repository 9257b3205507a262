"""Ctrl-C stops a command with one line, at whatever moment it comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.command import call, ran, start
from helpers.paths import PACKAGE, ROOT, SMALL

COMMAND = """
import os, runpy, signal, sys

instant, key, first = int(sys.argv[1]), int(sys.argv[3]), sys.argv[4]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may have ignored it

class Finder:
    "Sends the signal at the import with a certain number, counted from a first one."
    seen = 0

    def find_spec(self, name, path, target=None):
        self.seen += bool(self.seen) or name == first
        if instant and self.seen == instant:
            os.kill(os.getpid(), key)

finder = Finder()
sys.meta_path.insert(0, finder)
sys.argv = ["bgrace", "query", sys.argv[2], "6x1"]
try:
    runpy.run_module("bgrace", run_name="__main__")
finally:
    if not instant:
        print(finder.seen)
"""


def interrupted(instant: int, key: int = signal.SIGINT, first: str = "bgrace.cli") -> subprocess.CompletedProcess[str]:
    """Stop a command at its import with this number; for 0 let it run, and print the number of imports."""
    command = [sys.executable, "-c", COMMAND, str(instant), str(SMALL), str(int(key)), first]
    return ran(command, cwd=ROOT)


def test_ctrl_c_at_any_import_stops_a_command_with_one_line() -> None:
    whole = interrupted(0)
    assert whole.returncode == 0, whole.stderr
    n = int(whole.stdout.split()[-1])
    assert n > 100  # imports of click, numpy and others, after the handler has been set
    first = "bgrace.cli"
    instants = [(instant, signal.SIGINT, first) for instant in sorted({1, 2, 5, *range(10, n, n // 4)})]
    too_soon = 1, signal.SIGINT, "bgrace._base.interrupts"  # before the handler has been set
    for instant in [*instants, (2, signal.SIGTERM, first), (n, signal.SIGTERM, first), too_soon]:
        stopped = interrupted(*instant)
        assert (stopped.returncode, stopped.stdout, stopped.stderr) == (1, "", "bgrace: stopped\n"), instant


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("key", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("again", [(), (0.03,)])
def test_a_working_command_ends_on_either_signal(key: signal.Signals, again: tuple[float, ...]) -> None:
    process = start("solve", "8x1 6x4 5x3 4x3 3x2", "9x1 8x1 6x4 5x4 4x2 3x1", "--seconds", "60")
    for pause in (1, *again):
        time.sleep(pause)
        process.send_signal(key)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (1, "", "bgrace: stopped\n")


@pytest.mark.parametrize("own", [signal.SIG_IGN, signal.SIG_DFL])
def test_a_handler_of_the_program_stays(own: signal.Handlers) -> None:
    program = (
        "import signal; from bgrace._base.interrupts import heed_again, stop_quietly\n"
        f"signal.signal(signal.SIGINT, signal.Handlers({int(own)}))\n"
        "stop_quietly(); print(int(signal.getsignal(signal.SIGINT)))\n"
        "heed_again(); print(int(signal.getsignal(signal.SIGINT)))"
    )
    assert call(sys.executable, "-c", program).split() == [str(int(own))] * 2


def test_the_handler_is_set_before_other_modules_are_loaded() -> None:
    # With -S Python does not load os at its start, nor look for installed packages.
    program = (
        "import os, sys; before = set(sys.modules)\nimport bgrace.__main__; print(*sorted(set(sys.modules) - before))"
    )
    loaded = call(sys.executable, "-S", "-c", program, env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)})
    # gc is built in.
    assert loaded.split() == ["bgrace", "bgrace.__main__", "bgrace._base", "bgrace._base.interrupts", "gc"]


SWALLOWED = """
import os, signal, sys
from pathlib import Path

signal.signal(signal.SIGINT, signal.default_int_handler)
from bgrace._base import interrupts

interrupts.stop_quietly()
interrupts.heed_again()
import bgrace.cli.build

class Pressed:
    "Sends Ctrl-C in a method whose exceptions Python ignores."
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

def write_file(plan, target, progress):
    progress(0, 2)
    Pressed()
    progress(1, 2)
    Path(sys.argv[1]).write_text("made all the same")

bgrace.cli.build.write_file = write_file
bgrace.cli.cli(["build", sys.argv[1], "--checkers", "2"])
"""


def test_ctrl_c_is_not_lost_where_python_ignores_exceptions(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SWALLOWED, str(tmp_path / "x.h5")]
    stopped = ran(command, cwd=ROOT)
    assert "Exception ignored" not in stopped.stderr
    assert stopped.returncode == 1
    assert stopped.stderr.splitlines()[-1].startswith(f"bgrace: stopped before {tmp_path / 'x.h5'} was complete")
    assert not (tmp_path / "x.h5").exists()


HOLDING = """
import signal, sys
from itertools import count
from bgrace._base import interrupts

def stops_at(instant):
    steps = count()
    def trace(frame, event, arg):
        if frame.f_code.co_filename == interrupts.__file__:
            frame.f_trace_opcodes = True
            if next(steps) == instant:
                signal.raise_signal(signal.SIGINT)
        return trace
    sys.settrace(trace)
    try:
        with interrupts.HeldInterrupts():
            pass
        sys.settrace(None)
        return next(steps) <= instant and None
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)

for command in False, True:
    for instant in count():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if command:
            interrupts.stop_quietly()
            interrupts.heed_again()
        interrupts._pressed = False
        stopped = stops_at(instant)
        if stopped is None:
            break
        assert stopped, instant
    print(instant > 50)
"""


def test_ctrl_c_is_not_lost_at_any_instruction_of_held_interrupts() -> None:
    assert call(sys.executable, "-c", HOLDING) == "True\nTrue\n"
